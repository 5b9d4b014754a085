"""How much the tests do. tests/conftest.py sets these from pytest's options, before test modules are imported."""

import os

IS_FULL = bool(os.environ.get("SWGRM_FULL"))  # --full: the size that a change must pass before it is merged
ROBOTS = 100  # --robots: random robots that are built as assemblies, read and inferred again
