"""The test suite, on the built wheel."""
