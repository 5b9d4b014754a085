"""Fuzzing: random damage to good files; nothing but a sentence may come of it."""
