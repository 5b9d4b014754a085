"""Synthetic robots: generated at random from a seed, valid, physically plausible, and reproducible."""
