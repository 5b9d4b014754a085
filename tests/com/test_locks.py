"""Locks of files on Windows, where a file that is open cannot be removed."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from swgrm.storage.locks import locked

HOLD = """
import sys
from pathlib import Path
from swgrm.storage.locks import locked
with locked(Path(sys.argv[1]), 0.0) as got:
    print(got, flush=True)
    sys.stdin.readline()
"""


def test_a_lock_ends_with_its_process_even_if_it_is_killed(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    command = [sys.executable, "-c", HOLD, str(path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as other:
        assert other.stdout is not None
        assert other.stdout.readline().strip() == "True"
        with locked(path, 0.3) as got:
            assert not got
        other.kill()
    with locked(path, 5.0) as got:
        assert got
    assert not path.exists()
