"""These tests need Windows, or Wine, and the set-up program: `make test-installer` makes it and runs them."""

import sys

collect_ignore_glob = [] if sys.platform == "win32" else ["test_*.py"]
