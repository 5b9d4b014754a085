"""Builds the set-up program for Windows."""
