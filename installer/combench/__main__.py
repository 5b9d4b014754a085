"""The COM bench: real COM calls between real Windows programs, on Windows or, through Wine, on Linux.

python installer/combench prepare      set it up in the cache folder
python installer/combench test ...     set up, then pytest in Windows' Python; further words go to pytest
python installer/combench bench        set up, then print what calls and captures cost
python installer/combench python ...   set up, then Windows' Python with these words
"""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import native
import parts
import private_python
import wine
from parts import REPOSITORY, WINDOWS, BenchError, say

TEST_FOLDERS = ["tests/contract", "tests/com"]
SECONDS = 1800.0  # that a run may take
# pytest's fault handler takes exceptions that COM raises and handles itself for crashes.
VERBS = {
    "prepare": None,
    "test": ["-m", "pytest", "-p", "no:cacheprovider", "-p", "no:faulthandler"],
    "bench": ["tests/bench/com_calls.py"],
    "python": [],
}
Runner = Callable[[list[str], float], int]


class Bench(NamedTuple):
    """What is set up: folders of the cache."""

    python: Path
    host: Path
    prefix: Path | None  # None on Windows

    @contextlib.contextmanager
    def own_python(self) -> Iterator[Path]:
        """A copy of the private Python for one run, with our wheel; its python.exe. The host lies in `../host`."""
        with tempfile.TemporaryDirectory(prefix="swgrm-python-", ignore_cleanup_errors=True) as temporary:
            python = Path(temporary) / "python"
            shutil.copytree(self.python, python, copy_function=wine.link_or_copy)
            private_python.unpack_wheel(our_wheel(), python / private_python.SITE_PACKAGES)
            host = python.with_name("host")  # not beside Python's DLLs, where any program would find them
            host.mkdir()
            shutil.copy2(self.host, host / "host.exe")
            yield python / "python.exe"


def prepare(folder: Path) -> Bench:
    """Set up whatever is not yet there."""
    began = time.monotonic()
    with parts.locked(folder):
        parts.ensure_debian_packages()
        prefix = None if WINDOWS else wine.template(folder, parts.runtime_archive(folder))
        archive, wheels = parts.python_archive(folder), parts.wheels(folder)
        python = private_python.build(folder, archive, wheels, lambda made: compile_all(made, prefix))
        host = native.host(folder)
    say(f"ready after {time.monotonic() - began:.1f} s in {folder}")
    return Bench(python, host, prefix)


def compile_all(python: Path, prefix: Path | None) -> None:
    """Compile the modules to bytecode, once for all runs, but for those that hardly any run loads."""
    say("compiling its modules")
    with windows_runner(prefix) as run:
        seldom = r"[\\/](tests?|scipy|pygments|pythonwin|win32comext|pydoc_data)[\\/]"
        words = ["-m", "compileall", "-q", "-x", seldom, str(python / "Lib")]
        run([str(python / "python.exe"), *words], 600)


@contextlib.contextmanager
def windows_runner(prefix: Path | None) -> Iterator[Runner]:
    """Something that runs a Windows program, for so many seconds, and gives its exit code; none is left behind."""
    if prefix is None:
        yield run_on_windows
        return
    with wine.fresh_prefix(prefix) as copy:
        yield copy.run
        if left := copy.programs():
            raise BenchError(f"Programs were left running: {left}")


def run_on_windows(command: list[str], seconds: float) -> int:
    """Run a program where no Wine is needed; its exit code."""
    try:
        return subprocess.run(command, timeout=seconds, check=False).returncode
    except subprocess.TimeoutExpired:
        raise BenchError(f"{command[0]} did not end within {seconds:.0f} s; ended it.") from None


def prepare_data(folder: Path) -> None:
    """What the tests compare with, made by this machine's own Python: tests/com finds it in build/combench."""
    if not (folder / "expected").exists() or folder.stat().st_mtime < our_wheel().stat().st_mtime:
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        parts.run([sys.executable, "-m", "tests.com.prepare", str(folder)], "Making the tests' data", 300)


def our_wheel() -> Path:
    """The wheel that the Makefile built."""
    found = sorted((REPOSITORY / "dist").glob("swgrm-*.whl"))
    if not found:
        raise BenchError("There is no wheel in dist/. Run `make combench`, which builds it first.")
    return found[-1]


def main(verb: str, words: list[str]) -> int:
    """Do what the command line says; the exit code."""
    bench = prepare(parts.cache_folder())
    command = VERBS[verb]
    if command is None:
        return 0
    if verb == "test" and not words:
        words = TEST_FOLDERS
    os.chdir(REPOSITORY)
    if verb == "test":
        prepare_data(REPOSITORY / "build" / "combench")
    with bench.own_python() as python, windows_runner(bench.prefix) as run:
        return run([str(python), "-X", "utf8", *command, *words], SECONDS)


if __name__ == "__main__":
    if len(sys.argv) < 2 or sys.argv[1] not in VERBS:
        sys.exit(__doc__)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("combench: ended from outside"))  # so that all is cleaned up
    try:
        sys.exit(main(sys.argv[1], sys.argv[2:]))
    except BenchError as error:
        sys.exit(f"combench: {error}")
