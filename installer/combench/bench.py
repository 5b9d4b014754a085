"""Sets the bench up in a cache folder: a private Python and a native host; and runs programs with them."""

from __future__ import annotations

import contextlib
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from installer.combench import native, parts, private_python, wine
from installer.combench.parts import REPOSITORY, WINDOWS, BenchError, log

Runner = Callable[[list[str], float], int]


class Bench(NamedTuple):
    """What is set up: folders of the cache."""

    python: Path
    host: Path
    prefix: Path | None  # None on Windows

    @contextlib.contextmanager
    def own_python(self) -> Iterator[Path]:
        """A copy of the private Python for one run, with our wheel; yields its python.exe. The host is in `../host`."""
        with tempfile.TemporaryDirectory(prefix="swgrm-python-", ignore_cleanup_errors=True) as temporary:
            python = Path(temporary) / "python"
            shutil.copytree(self.python, python, copy_function=wine.link_or_copy)
            site_packages = python / private_python.SITE_PACKAGES
            private_python.unpack_wheel(our_wheel(), site_packages)
            (site_packages / "repository.pth").write_text(windows_path(REPOSITORY), "utf-8")  # so that it finds `tests`
            host = python.with_name("host")  # not beside Python's DLLs, where any program would find them
            host.mkdir()
            shutil.copy2(self.host, host / "host.exe")
            yield python / "python.exe"


def windows_path(path: Path) -> str:
    """An absolute path as Windows programs see it; under Wine, the drive Z: is the root of Linux' file system."""
    return str(path) if WINDOWS else f"Z:{path}"


def prepare(folder: Path) -> Bench:
    """Set up what is missing, and return the paths of all of it."""
    began = time.monotonic()
    with parts.locked(folder):
        parts.ensure_debian_packages()
        prefix = None if WINDOWS else wine.template(folder, parts.runtime_archive(folder))
        archive, wheels = parts.python_archive(folder), parts.wheels(folder)
        python = private_python.build(folder, archive, wheels, lambda made: compile_all(made, prefix))
        host = native.host(folder)
    log(f"ready after {time.monotonic() - began:.1f} s in {folder}")
    return Bench(python, host, prefix)


def compile_all(python: Path, prefix: Path | None) -> None:
    """Compile the modules to bytecode, once for all runs, but for those that hardly any run loads."""
    log("compiling its modules")
    with windows_runner(prefix) as run:
        seldom = r"[\\/](tests?|scipy|pygments|pythonwin|win32comext|pydoc_data)[\\/]"
        words = ["-m", "compileall", "-q", "-x", seldom, str(python / "Lib")]
        run([str(python / "python.exe"), *words], 600)


@contextlib.contextmanager
def windows_runner(prefix: Path | None) -> Iterator[Runner]:
    """A function that runs a Windows program with a time limit [s] and returns its exit code.

    A program that is still running afterwards is an error.
    """
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
    """Make the data that tests/com compares with in build/combench, with this machine's own Python."""
    if not (folder / "expected").exists() or folder.stat().st_mtime < our_wheel().stat().st_mtime:
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        parts.run([sys.executable, "-m", "tests.com.prepare", str(folder)], "Making the tests' data", 300)


def our_wheel() -> Path:
    """The wheel that the Makefile built."""
    found = sorted((REPOSITORY / "dist").glob("swgrm-*.whl"))
    if not found:
        raise BenchError("No wheel was found in dist/. Run `make combench`, which builds it first.")
    return found[-1]
