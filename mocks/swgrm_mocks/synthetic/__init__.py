"""Synthetic robots: drawn at random from a seed, valid, physical, and the same on every machine."""
