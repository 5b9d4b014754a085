"""These tests need Windows, or Wine: elsewhere they are not collected. `make combench` runs them."""

import sys

collect_ignore_glob = [] if sys.platform == "win32" else ["test_*.py"]
