"""The COM bench: real COM calls between real Windows programs, on Windows or, through Wine, on Linux.

python -m installer.combench prepare      set it up in the cache folder
python -m installer.combench test ...     set up, then run pytest in Windows' Python with these arguments
python -m installer.combench bench        set up, then print what calls and captures cost
python -m installer.combench python ...   set up, then run Windows' Python with these arguments
"""

from __future__ import annotations

import os
import signal
import sys

from installer.combench import bench, parts
from installer.combench.parts import REPOSITORY, BenchError

TEST_FOLDERS = ["tests/contract", "tests/com"]
SECONDS = 1800.0  # that a run may take
# pytest's fault handler takes exceptions that COM raises and handles itself for crashes.
COMMANDS = {
    "prepare": None,
    "test": ["-m", "pytest", "-p", "no:cacheprovider", "-p", "no:faulthandler"],
    "bench": ["-m", "tests.bench.com_calls"],
    "python": [],
}


def main(name: str, arguments: list[str]) -> int:
    """Run a command of the table; its exit code."""
    prepared = bench.prepare(parts.cache_folder())
    command = COMMANDS[name]
    if command is None:
        return 0
    os.chdir(REPOSITORY)
    if name == "test":
        arguments = arguments or TEST_FOLDERS
        bench.prepare_data(REPOSITORY / "build" / "combench")
    with prepared.own_python() as python, bench.windows_runner(prepared.prefix) as run:
        return run([str(python), "-X", "utf8", *command, *arguments], SECONDS)


if __name__ == "__main__":
    if len(sys.argv) < 2 or sys.argv[1] not in COMMANDS:
        sys.exit(__doc__)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("combench: ended by a signal"))  # so that clean-up happens
    try:
        sys.exit(main(sys.argv[1], sys.argv[2:]))
    except BenchError as error:
        sys.exit(f"combench: {error}")
