"""The mechanism: which components are one body, what moves between two bodies, and what loops leave of it."""
