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
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import parts
import private_python
import wine
from parts import REPOSITORY, WINDOWS, BenchError, say

TEST_FOLDERS = ["tests/contract", "tests/com"]
# pytest's fault handler takes exceptions that COM raises and handles itself for crashes.
VERBS = {
    "prepare": None,
    "test": ["-m", "pytest", "-p", "no:cacheprovider", "-p", "no:faulthandler"],
    "bench": ["tests/bench/com_calls.py"],
    "python": [],
}
Runner = Callable[[list[str], float], int]


def prepare(folder: Path) -> None:
    """Set up whatever is not yet there: Windows' Python, the native host, and a Wine prefix where one is needed."""
    began = time.monotonic()
    parts.ensure_debian_packages()
    folder.mkdir(parents=True, exist_ok=True)
    if not WINDOWS:
        wine.template(folder / "prefix", parts.runtime_archive(folder))
    python, host = folder / "python", folder / "host.exe"
    if private_python.build(parts.python_archive(folder), parts.wheels(folder), python):
        say("compiling the standard library and the packages")
        with runner(folder) as run:
            compile_all = ["-m", "compileall", "-q", "-x", r"[\\/]tests?[\\/]", str(python / "Lib")]
            run([str(python / "python.exe"), *compile_all], 600)
    native_host(host)
    say(f"ready after {time.monotonic() - began:.1f} s in {folder}")


@contextlib.contextmanager
def runner(folder: Path) -> Iterator[Runner]:
    """Something that runs a Windows program for so many seconds and gives its exit code; none is left behind."""
    if WINDOWS:
        yield run_on_windows
        return
    with wine.fresh_prefix(folder / "prefix") as prefix:
        yield prefix.run
        if left := prefix.programs():
            raise BenchError(f"Programs were left running: {left}")


def run_on_windows(command: list[str], seconds: float) -> int:
    """Run a program where no Wine is needed; its exit code."""
    try:
        return subprocess.run(command, timeout=seconds, check=False).returncode
    except subprocess.TimeoutExpired:
        raise BenchError(f"{command[0]} did not end within {seconds:.0f} s; ended it.") from None


def native_host(program: Path) -> None:
    """Compile the host, when it is older than its source."""
    source = Path(__file__).with_name("host.c")
    if program.exists() and program.stat().st_mtime > source.stat().st_mtime:
        return
    compiler = shutil.which(parts.COMPILER) or shutil.which("gcc")
    if compiler is None:
        raise BenchError("The bench's host needs a C compiler for Windows: install MinGW-w64.")
    command = [compiler, "-std=gnu17", "-Wall", "-Wextra", "-Werror", "-O2", "-static", str(source)]
    parts.run([*command, "-o", str(program), "-lole32", "-loleaut32", "-luuid"], "Compiling the host", 120)


@contextlib.contextmanager
def own_python(folder: Path) -> Iterator[Path]:
    """A copy of the private Python for one run, with our wheel in it; its python.exe. The host lies in `../host`."""
    with tempfile.TemporaryDirectory(prefix="swgrm-python-", ignore_cleanup_errors=True) as temporary:
        python = Path(temporary) / "python"
        shutil.copytree(folder / "python", python, copy_function=wine.link_or_copy)
        private_python.unpack_wheel(our_wheel(), python / "Lib" / "site-packages")
        host = python.with_name("host")  # not beside Python's DLLs, where any program would find them
        host.mkdir()
        shutil.copy2(folder / "host.exe", host)
        yield python / "python.exe"


def our_wheel() -> Path:
    """The wheel that the Makefile built."""
    found = sorted((REPOSITORY / "dist").glob("swgrm-*.whl"))
    if not found:
        raise BenchError("There is no wheel in dist/. Run `make combench`, which builds it first.")
    return found[-1]


def main(verb: str, words: list[str]) -> int:
    """Do what the command line says; the exit code."""
    folder = parts.cache_folder()
    prepare(folder)
    command = VERBS[verb]
    if command is None:
        return 0
    if verb == "test" and not words:
        words = TEST_FOLDERS
    os.chdir(REPOSITORY)
    with own_python(folder) as python, runner(folder) as run:
        return run([str(python), "-X", "utf8", *command, *words], 1200)


if __name__ == "__main__":
    if len(sys.argv) < 2 or sys.argv[1] not in VERBS:
        sys.exit(__doc__)
    try:
        sys.exit(main(sys.argv[1], sys.argv[2:]))
    except BenchError as error:
        sys.exit(f"combench: {error}")
