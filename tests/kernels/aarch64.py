"""An emulated aarch64 processor, from Debian's packages and wheels, in the cache folder; needs no root.

`apt-get` works on folders of its own here, so that packages of another architecture do not enter the system.
A program that the emulated one starts is native, so that only what runs in one process can be tested.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

from tests.kernels.libraries import cache_folder, source_path

HERE = Path(__file__).parents[2]
NAME = "aarch64"
EMULATOR = "qemu-aarch64-static"
PYTHON = "python3.11"
PACKAGES = (
    "libc6",
    PYTHON,
    f"{PYTHON}-minimal",
    f"lib{PYTHON}-stdlib",
    f"lib{PYTHON}-minimal",
    "zlib1g",
    "libexpat1",
    "libffi8",
    "libssl3",
    "libgcc-s1",
    "libstdc++6",
    "libbz2-1.0",
    "liblzma5",
    "libsqlite3-0",
    "libuuid1",
    "libcrypt1",
    "libreadline8",
    "libncursesw6",
    "libtinfo6",
    "libgomp1",
    "libdb5.3",
)
EXTRAS = ("meshes", "moveit", "test")  # what exports and the numerical tests use
UNAVAILABLE = ("pin", "cmeel", "coal", "hpp-fcl", "eigenpy", "libpinocchio")  # judges only; they need much space
PLATFORMS = ("manylinux2014_aarch64", "manylinux_2_17_aarch64", "manylinux_2_28_aarch64")


class Emulator(NamedTuple):
    """How to run the emulated Python."""

    command: tuple[str, ...]
    variables: dict[str, str]


def prepare() -> Emulator:
    """The emulated Python with the pinned dependencies; made once for each set of pins."""
    if shutil.which(EMULATOR) is None:
        sys.exit("install Debian's package qemu-user-static")
    wanted = _requirements()
    folder = cache_folder(NAME, wanted + HERE.joinpath("constraints.txt").read_text("utf-8"))
    if not (folder / ".complete").exists():
        sys.stdout.write("installing the emulated aarch64 Python\n")
        sys.stdout.flush()
        _extract_packages(folder / "apt", folder / "root")
        _install_wheels(folder, wanted)
        (folder / ".complete").touch()
    path = os.pathsep.join([source_path(), str(folder / "site")])
    variables = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    command = (EMULATOR, "-L", str(folder / "root"), "-E", f"PYTHONPATH={path}", str(folder / "root/usr/bin" / PYTHON))
    return Emulator(command, variables)


def _extract_packages(apt: Path, root: Path) -> None:
    """Download the Debian packages of the other architecture, and unpack them into a folder."""
    for name in ("lists/partial", "cache/archives/partial", "packages"):
        (apt / name).mkdir(parents=True, exist_ok=True)
    (apt / "status").touch()
    options = ["-o", "APT::Architecture=arm64", "-o", "APT::Architectures=arm64", "-o", "APT::Sandbox::User="]
    folders = {"State::lists": "lists", "State::status": "status", "Cache": "cache"}
    for setting, name in folders.items():
        options += ["-o", f"Dir::{setting}={apt / name}"]
    _run(["apt-get", *options, "-qq", "update"], apt)
    _run(["apt-get", *options, "-qq", "download", *PACKAGES], apt / "packages")
    for package in sorted((apt / "packages").glob("*.deb")):
        _run(["dpkg", "-x", str(package), str(root)], apt)


def _requirements() -> str:
    """The requirements for which there are wheels of the other architecture, one in a line."""
    command = [sys.executable, "-m", "installer.dependencies", *EXTRAS]
    lines = subprocess.run(command, cwd=HERE, capture_output=True, text=True, check=True).stdout.splitlines()
    return "".join(f"{line}\n" for line in lines if not line.startswith(UNAVAILABLE))


def _install_wheels(folder: Path, wanted: str) -> None:
    """Install the wheels of the other architecture, as they are pinned."""
    requirements = folder / "requirements.txt"
    requirements.write_text(wanted, "utf-8")
    platforms = [word for platform in PLATFORMS for word in ("--platform", platform)]
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet", "install", "--only-binary=:all:"]
    version = ["--python-version", PYTHON.removeprefix("python"), "--implementation", "cp"]
    constraints = ["-c", str(HERE / "constraints.txt"), "-r", str(requirements)]
    _run([*pip, *version, *platforms, "--target", str(folder / "site"), *constraints], folder)


def _run(command: list[str], folder: Path) -> None:
    """Run a tool; its output is shown only if it fails."""
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{' '.join(command[:4])} … failed:\n{done.stdout}{done.stderr}")
