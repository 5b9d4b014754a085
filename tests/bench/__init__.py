"""Benchmarks: ratios against peers in one run, and how cost grows; nothing here asserts a time."""
