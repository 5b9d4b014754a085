"""Explanations: why a joint is what it is, and what a user should check."""
