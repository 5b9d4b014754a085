"""One module per format: each writes it and, where it makes sense, reads it."""
