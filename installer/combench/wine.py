"""Runs Windows programs on Linux: in a Wine prefix of their own, with time limits; all are ended afterwards."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import tempfile
import threading
import time
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from installer.combench import native
from installer.combench.parts import WINE, BenchError, kept, log, run

ENVIRONMENT = {
    "WINEARCH": "win64",
    "WINEDEBUG": "-all",
    # Microsoft's own C runtime, since Wine's lacks functions that numpy calls; no browser, no .NET, no menus.
    "WINEDLLOVERRIDES": "ucrtbase=n,b;mscoree=;mshtml=;winemenubuilder=",
}


class Prefix:
    """One Wine prefix, with what is needed to run programs in it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def environment(self) -> dict[str, str]:
        """The variables of a program that runs in this prefix."""
        return {**os.environ, **ENVIRONMENT, "WINEPREFIX": str(self.folder)}

    def run(self, command: list[str], seconds: float) -> int:
        """Run a program and pass its output on; its exit code. Past the time limit it is ended."""
        # Python for Windows dies at start on standard handles that are files: all three are pipes.
        program = subprocess.Popen(
            [str(WINE), *command], env=self.environment(), start_new_session=True,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        )  # fmt: skip
        # Not joined: a program that was left behind would hold the other end open.
        reader = threading.Thread(target=pass_on, args=(program.stdout,), daemon=True)
        reader.start()
        try:
            code = program.wait(seconds)
            reader.join(1)
            return code
        except subprocess.TimeoutExpired:
            raise BenchError(f"{Path(command[0]).name} did not end within {seconds:.0f} s; ended it.") from None
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(program.pid, signal.SIGKILL)
            program.wait()

    def programs(self) -> dict[int, str]:
        """Process id and command line of everything that runs in this prefix, Wine's own services aside."""
        running = {pid: " ".join(words) for pid, words in self.processes().items()}
        services = ("services.exe", "winedevice.exe", "plugplay.exe", "svchost.exe", "explorer.exe", "rpcss.exe")
        return {pid: line for pid, line in running.items() if "wineserver" not in line and not line.endswith(services)
                and not any(f"{name} " in line for name in services)}  # fmt: skip

    def processes(self) -> dict[int, list[str]]:
        """Process id and command of every process whose environment names this prefix."""
        mark = f"WINEPREFIX={self.folder}".encode()
        found = {}
        for process in Path("/proc").glob("[0-9]*"):
            with contextlib.suppress(OSError):
                if mark in (process / "environ").read_bytes().split(b"\0"):
                    words = (process / "cmdline").read_bytes().decode(errors="replace").split("\0")
                    found[int(process.name)] = [word for word in words if word]
        return found

    def end(self) -> None:
        """End all that runs in this prefix, each process by its id."""
        for _ in range(50):
            processes = self.processes()
            if not processes:
                return
            for pid in processes:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
            time.sleep(0.1)
        raise BenchError(f"These processes of the prefix {self.folder} do not end: {sorted(processes)}")


def pass_on(stream: IO[bytes]) -> None:
    """Write what a program prints to our own output."""
    while chunk := os.read(stream.fileno(), 65536):
        os.write(1, chunk)


def template(folder: Path, runtime: Path) -> Path:
    """The folder of the cache with a fresh prefix: every run starts from a copy of it."""

    def make(target: Path) -> None:
        log("making the Wine prefix")
        boot(Prefix(target))
        system = target / "drive_c" / "windows" / "system32"
        if not (target / "system.reg").exists() or not (system / "ole32.dll").exists():
            raise BenchError(f"Wine could not create a prefix in {target}. Run `{WINE} wineboot -i` to see why.")
        with zipfile.ZipFile(runtime) as file:
            for name in file.namelist():
                if Path(name).name in ("ucrtbase.dll", "msvcp140.dll"):
                    (system / Path(name).name).unlink(missing_ok=True)
                    (system / Path(name).name).write_bytes(file.read(name))
        native.random_numbers(system / "bcryptprimitives.dll")

    sources = [Path(__file__), native.HERE / "bcryptprimitives.c"]
    return kept(folder, "prefix", runtime.name.encode() + b"".join(map(Path.read_bytes, sources)), make)


def boot(prefix: Prefix) -> None:
    """Let Wine set up a prefix; it may linger after its work, so what counts is what it made."""
    try:
        with contextlib.suppress(BenchError):
            run_quietly(prefix, ["wineboot", "-i"], 120)
    finally:
        prefix.end()


def run_quietly(prefix: Prefix, command: list[str], seconds: float) -> None:
    """Run a program of Wine's own in the prefix."""
    variables = [f"{name}={value}" for name, value in {**ENVIRONMENT, "WINEPREFIX": str(prefix.folder)}.items()]
    run(["env", *variables, str(WINE), *command], command[0], seconds)


@contextlib.contextmanager
def fresh_prefix(made: Path) -> Iterator[Prefix]:
    """A prefix in a temporary folder, copied from the template; everything in it is ended and removed after."""
    with tempfile.TemporaryDirectory(prefix="swgrm-wine-", ignore_cleanup_errors=True) as folder:
        prefix = Prefix(Path(folder) / "prefix")
        shutil.copytree(made, prefix.folder, symlinks=True, copy_function=link_or_copy)
        try:
            yield prefix
        finally:
            prefix.end()


def link_or_copy(source: str, target: str) -> None:
    """Share the DLLs, which nobody writes to, with the template; copy the rest (above all the registry)."""
    if source.endswith((".dll", ".exe", ".drv", ".sys", ".ttf", ".nls")):
        with contextlib.suppress(OSError):
            os.link(source, target)
            return
    shutil.copy2(source, target)
