"""Builds the documentation site: prepares its pages, and checks what was built."""
