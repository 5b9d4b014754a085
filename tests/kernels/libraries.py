"""Environments with the lowest and the newest versions of the run-time dependencies that pyproject.toml permits."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import tomllib
from pathlib import Path

from packaging.requirements import Requirement

HERE = Path(__file__).parents[2]
EXTRAS = ("meshes", "moveit", "test")  # what exports and the numerical tests use
VERSIONS = ("lowest", "newest")


def prepare(versions: str) -> Path:
    """The Python of an environment with these versions; made once for each state of the requirements."""
    wanted = "".join(f"{line}\n" for line in _requirements(versions))
    folder = cache_folder(f"libraries-{versions}", wanted)
    python = folder / "bin" / "python"
    if not (folder / ".complete").exists():
        sys.stdout.write(f"installing the {versions} versions of the dependencies\n")
        sys.stdout.flush()
        subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
        requirements = folder / "requirements.txt"
        requirements.write_text(wanted, "utf-8")
        pip = [str(python), "-m", "pip", "--disable-pip-version-check", "--quiet", "install"]
        subprocess.run([*pip, "-r", str(requirements)], check=True)
        (folder / ".complete").touch()
    return python


def cache_folder(name: str, content: str) -> Path:
    """The folder that keeps an environment between runs, named after the hash of what it is made from."""
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "swgrm"
    return cache / f"{name}-{hashlib.sha256(content.encode()).hexdigest()[:12]}"


def source_path() -> str:
    """PYTHONPATH for a Python in which the wheel is not installed."""
    return os.pathsep.join(str(HERE / folder) for folder in (".", "grm", "exporters", "mocks", "addin"))


def _requirements(versions: str) -> list[str]:
    """The requirements of an environment, one in a line.

    Only the run-time dependencies are set to their lowest versions; pip chooses what runs the tests.
    """
    project = tomllib.loads(HERE.joinpath("pyproject.toml").read_text("utf-8"))["project"]
    extras = []
    for name in EXTRAS:
        extras += project["optional-dependencies"][name]
    if versions == "newest":
        return [*project["dependencies"], *extras]
    lowest = []
    for line in project["dependencies"]:
        requirement = Requirement(line)
        bound = next(iter(requirement.specifier))
        marker = f"; {requirement.marker}" if requirement.marker else ""
        lowest.append(f"{requirement.name}=={bound.version}{marker}")
    return [*lowest, *extras]
