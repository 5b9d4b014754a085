"""How much the tests do. tests/conftest.py sets these from pytest's options, before test modules are imported."""

IS_FULL = False  # --full: laws and batches at the size that a change must pass before it is merged
ROBOTS = 100  # --robots: random robots that are built as assemblies, read and inferred again
