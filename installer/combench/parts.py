"""The parts of the bench, and how each is fetched into the cache folder, once."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import sys
import time
import tomllib
import zipfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from packaging.requirements import Requirement

REPOSITORY = Path(__file__).parents[2]
WINDOWS = sys.platform == "win32"

PYTHON_VERSION = "3.13"
PYTHON_ARTIFACT = "org.bytedeco:cpython:3.13.5-1.5.12:jar:windows-x86_64"
LICENCE_ARTIFACT = PYTHON_ARTIFACT.replace("windows", "linux")  # the same Python's; that for Windows has no licence
RUNTIME_ARTIFACT = "org.bytedeco:javacpp:1.5.12:jar:windows-x86_64"
MAVEN_COPY = "org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy"

# Programs that are needed, and the Debian packages that contain them. Wine is not on the search path.
WINE = Path("/usr/lib/wine/wine64")
COMPILER = "x86_64-w64-mingw32-gcc"
DEBIAN_PACKAGES = {str(WINE): "wine64", COMPILER: "gcc-mingw-w64-x86-64", "mvn": "maven"}

UNUSED = 86400.0  # [s] after which a part of the cache goes that newer ones replace

WINDOWS_ENVIRONMENT = {
    "sys_platform": "win32",
    "platform_system": "Windows",
    "os_name": "nt",
    "platform_machine": "AMD64",
    "python_version": PYTHON_VERSION,
}


class BenchError(Exception):
    """The bench cannot be set up or run, and what to do about it."""


def cache_folder() -> Path:
    """The folder that keeps the parts between runs; SWGRM_COMBENCH names another one."""
    if named := os.environ.get("SWGRM_COMBENCH"):
        return Path(named)
    if WINDOWS:
        return Path(os.environ["LOCALAPPDATA"]) / "swgrm" / "combench"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "swgrm" / "combench"


def run(command: list[str], what: str, seconds: float) -> None:
    """Run a tool; its output is shown only if it fails."""
    try:
        done = subprocess.run(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
            errors="replace", timeout=seconds, check=False,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        raise BenchError(f"{what} took more than {seconds:.0f} s: {' '.join(command)}") from None
    if done.returncode:
        raise BenchError(f"{what} failed: {' '.join(command)}\n{done.stdout[-4000:]}")


def ensure_debian_packages(packages: Mapping[str, str] = DEBIAN_PACKAGES) -> None:
    """Install the Debian packages that are missing, or name them in an error where we may not."""
    wanted = {} if WINDOWS else dict(packages)
    if "SWGRM_WINDOWS_PYTHON" in os.environ and "SWGRM_WINDOWS_UCRT" in os.environ:
        wanted.pop("mvn", None)
    missing = [package for program, package in wanted.items() if not shutil.which(program)]
    if not missing:
        return
    install = ["apt-get", "install", "--yes", "--no-install-recommends", *missing]
    if not shutil.which("apt-get") or os.geteuid() != 0:
        raise BenchError(f"These packages are needed; as root: {' '.join(install)}")
    log(f"installing Debian's {', '.join(missing)}")
    run(["apt-get", "update"], "Updating the package lists", 300)
    run(["env", "DEBIAN_FRONTEND=noninteractive", *install], "Installing packages", 900)


def maven_artifact(coordinates: str, folder: Path) -> Path:
    """The artifact's jar in the folder, fetched if it is not there."""
    _, name, version, kind, classifier = coordinates.split(":")
    jar = folder / f"{name}-{version}-{classifier}.{kind}"
    if not jar.exists():
        maven = shutil.which("mvn")
        if maven is None:
            raise BenchError(f"The bench needs Maven to fetch {coordinates}, and there is no `mvn` here.")
        log(f"fetching {coordinates}")
        part = folder / "part"
        command = [maven, "-q", "-B", MAVEN_COPY, f"-Dartifact={coordinates}", f"-DoutputDirectory={part}"]
        run(command, f"Fetching {coordinates}", 600)
        (part / jar.name).replace(jar)
    return jar


def python_archive(folder: Path) -> Path:
    """Windows' CPython: the vendor's embeddable zip that SWGRM_WINDOWS_PYTHON names, or the Maven artifact."""
    return named_file("SWGRM_WINDOWS_PYTHON") or maven_artifact(PYTHON_ARTIFACT, folder)


def python_licence(folder: Path, archive: Path) -> bytes:
    """The licence of the Python in the archive, out of it or out of its twin for Linux."""
    found = licence_in(archive) or licence_in(maven_artifact(LICENCE_ARTIFACT, folder))
    if found is None:
        raise BenchError(f"Neither {archive} nor {LICENCE_ARTIFACT} has Python's LICENSE.txt.")
    return found


def licence_in(archive: Path) -> bytes | None:
    """Python's licence out of an archive, or None if it is not in it."""
    with zipfile.ZipFile(archive) as file:
        names = [name for name in file.namelist() if re.search(r"(^|/python3\.\d+/)LICENSE\.txt$", name)]
        return file.read(names[0]) if names else None


def runtime_archive(folder: Path) -> Path:
    """Microsoft's C runtime: a zip with ucrtbase.dll that SWGRM_WINDOWS_UCRT names, or the Maven artifact."""
    return named_file("SWGRM_WINDOWS_UCRT") or maven_artifact(RUNTIME_ARTIFACT, folder)


def named_file(variable: str) -> Path | None:
    """The file that the environment variable names, if it is set."""
    if variable not in os.environ:
        return None
    path = Path(os.environ[variable])
    if not zipfile.is_zipfile(path):
        raise BenchError(f"{variable}: {path} is not a zip file. Give the vendor's zip, or unset it.")
    return path


def windows_requirements(extras: tuple[str, ...]) -> list[str]:
    """What the wheel and its extras need on Windows, each pinned as in constraints.txt."""
    project = tomllib.loads((REPOSITORY / "pyproject.toml").read_text("utf-8"))["project"]
    wanted = project["dependencies"] + [line for extra in extras for line in project["optional-dependencies"][extra]]
    # pip judges the markers of indirect dependencies by the machine it runs on, so this one goes by name.
    return [name_and_version(line) for line in applying_on_windows([*wanted, "colorama"])]


def windows_constraints() -> list[str]:
    """constraints.txt as Windows would read it."""
    text = (REPOSITORY / "constraints.txt").read_text("utf-8")
    lines = [line for line in text.splitlines() if line.strip() and not line.startswith("#")]
    return [name_and_version(line) for line in applying_on_windows(lines)]


def applying_on_windows(lines: list[str]) -> list[Requirement]:
    """The requirements whose markers hold on Windows."""
    found = [Requirement(line) for line in lines]
    return [one for one in found if one.marker is None or one.marker.evaluate(WINDOWS_ENVIRONMENT)]


def name_and_version(requirement: Requirement) -> str:
    """The requirement without its marker."""
    return f"{requirement.name}{requirement.specifier}"


def wheels(folder: Path, extras: tuple[str, ...] = ("test",)) -> Path:
    """The folder with the wheels of `windows_requirements`, downloaded if they are not there."""
    wanted = windows_requirements(extras)
    pins = [*windows_constraints(), *wanted]

    def download(target: Path) -> None:
        log("downloading the Windows wheels")
        target.mkdir()
        pinned = target / "constraints.txt"
        pinned.write_text("\n".join(windows_constraints()) + "\n", "utf-8")
        options = ["--only-binary=:all:", "--platform=win_amd64", f"--python-version={PYTHON_VERSION}"]
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check"]
        command += [*options, "-c", str(pinned), "-d", str(target), *wanted]
        run(command, "Downloading the Windows wheels", 900)

    return kept(folder, "wheels", "\n".join(pins).encode(), download)


def kept(folder: Path, name: str, made_of: bytes, make: Callable[[Path], None]) -> Path:
    """A folder of the cache, named after what it is made of; made whole or not at all, older ones go after a while."""
    path = folder / f"{name}-{hashlib.sha256(made_of).hexdigest()[:16]}"
    if not path.exists():
        part = folder / f"{name}-part"
        shutil.rmtree(part, ignore_errors=True)
        make(part)
        part.replace(path)
    path.touch()
    for other in folder.glob(f"{name}-*"):
        if other != path and time.time() - other.stat().st_mtime > UNUSED:
            shutil.rmtree(other, ignore_errors=True)
    return path


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Hold the lock of the cache folder: only one process at a time sets it up."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "lock").open("w") as file:
        if not WINDOWS:
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX)
        yield


def log(text: str) -> None:
    """Write a line about the progress to standard error."""
    sys.stderr.write(f"combench: {text}\n")
    sys.stderr.flush()
