"""Mates: their types, what each one means, and how they are read from a capture."""
