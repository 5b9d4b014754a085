"""The doctor: looks at each link of the chain from SolidWorks to the export, and names the remedy for a broken one."""

from __future__ import annotations

import os
import platform
import re
import struct
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from enum import StrEnum
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import NamedTuple

from swgrm import __version__
from swgrm.errors import SwgrmError
from swgrm_addin.inside.identity import CLSID, PROGID
from swgrm_addin.inside.places import own_places, private_python, python_folder

AGAIN = "Run swgrm's set-up program again, or `swgrm register` as administrator"
OLDEST_PYTHON = (3, 12)  # on Windows: from then on, pipes can be read without waiting
LIBRARIES = ("numpy", "scipy", "lxml", "trimesh", "msgspec", "pyyaml", "typer", "rich")
WINDOWS_LIBRARIES = ("pywin32", "comtypes")
ERROR_LINE = re.compile(r"^\d{4}-\d\d-\d\d \S+ \d+ ERROR (.*)$", re.MULTILINE)
PROBE = "probe.exe"  # a program that is not Python, in a folder of its own beside the private Python


class Health(StrEnum):
    """How a link is."""

    GOOD = "ok"
    BROKEN = "broken"
    NOTE = "note"


class Link(NamedTuple):
    """One link of the chain: how it is, what was seen, and the remedy."""

    name: str
    health: Health
    seen: str
    remedy: str = ""


def examine() -> list[Link]:
    """Look at every link there is on this machine."""
    checks: list[Callable[[], Iterator[Link]]] = [_swgrm, _libraries]
    checks += [_solidworks, _keys, _class] if os.name == "nt" else [_no_windows]
    checks += [_child, _log]
    return [link for check in checks for link in _guarded(check)]


def _guarded(check: Callable[[], Iterator[Link]]) -> list[Link]:
    """What a check found; one that fails itself is a broken link too."""
    name = check.__name__.strip("_")
    try:
        return list(check())
    except (SwgrmError, OSError, ImportError, subprocess.SubprocessError) as error:
        return [Link(name, Health.BROKEN, f"{type(error).__name__}: {error}", AGAIN)]


def _swgrm() -> Iterator[Link]:
    yield Link("swgrm", Health.GOOD, f"{__version__} in {Path(__file__).parents[2]}")
    seen = f"{platform.python_version()}, {8 * struct.calcsize('P')} bit, {private_python()}"
    too_old = os.name == "nt" and sys.version_info < OLDEST_PYTHON
    wanted = ".".join(map(str, OLDEST_PYTHON))
    yield Link(
        "Python", Health.BROKEN if too_old else Health.GOOD, seen, f"Use Python {wanted} or newer" if too_old else ""
    )


def _libraries() -> Iterator[Link]:
    names = (*LIBRARIES, *(WINDOWS_LIBRARIES if os.name == "nt" else ()))
    seen, missing = [], []
    for name in names:
        try:
            seen.append(f"{name} {version(name)}")
        except PackageNotFoundError:
            missing.append(name)
    if missing:
        yield Link("libraries", Health.BROKEN, f"missing: {', '.join(missing)}", AGAIN)
    else:
        yield Link("libraries", Health.GOOD, ", ".join(seen))


def _no_windows() -> Iterator[Link]:
    yield Link(
        "SolidWorks", Health.NOTE, f"this is {platform.system()}; SolidWorks and the add-in need Windows",
        "Everything else works here: `swgrm export mock:arm -o robot`, or a capture (.swcap) made elsewhere",
    )  # fmt: skip


def _solidworks() -> Iterator[Link]:
    from swgrm_addin.installation import registry

    installed = registry.solidworks()
    if not installed:
        yield Link("SolidWorks", Health.BROKEN, "none from 2021 on is installed", "Install SolidWorks 2021 or newer")
    for one in installed:
        there = Path(one.program).exists()
        seen = f"{one.year}: {one.program}" + ("" if there else ", which is not there")
        remedy = "" if there else "Repair SolidWorks with its own set-up program"
        yield Link("SolidWorks", Health.GOOD if there else Health.BROKEN, seen, remedy)


def _keys() -> Iterator[Link]:
    """The registry's values, against what they must be."""
    from swgrm_addin.installation import registry
    from swgrm_addin.installation.keys import MACHINE

    wanted = [value for value in registry.own_values() if value.hive == MACHINE]
    wrong = [value for value in wanted if registry.found(value) != value.data]
    for value in wrong[:3]:
        is_ = registry.found(value)
        seen = f"{value.hive}\\{value.key} {value.name or '(Default)'}: {is_!r}, not {value.data!r}"
        yield Link("add-in keys", Health.BROKEN, seen, AGAIN)
    if not wrong:
        yield Link("add-in keys", Health.GOOD, f"{len(wanted)} values as they must be")
    library = python_folder() / f"python{sys.version_info.major}{sys.version_info.minor}.dll"
    if library.exists():
        yield Link("DLLs", Health.GOOD, str(library.parent))
    else:
        remedy = "Add Python's folder to PATH for all users, or use the set-up program, which brings its own Python"
        yield Link("DLLs", Health.NOTE, f"{library.name} is not beside _ctypes.pyd", remedy)


def _class() -> Iterator[Link]:
    """Whether COM creates the class: in a foreign program as SolidWorks is one, or else in this one."""
    probe = python_folder() / "probe" / PROBE
    if probe.exists():
        done = subprocess.run(  # noqa: S603 - our own program
            [str(probe), CLSID], capture_output=True, text=True, timeout=120, check=False
        )
        seen, good = done.stdout.strip() or f"exit code {done.returncode}", done.returncode == 0
        where = "a foreign program"
    else:
        seen, good = _created_here()
        where = "this program"
    if good:
        yield Link("class", Health.GOOD, f"{PROGID} is created in {where}")
    else:
        yield Link("class", Health.BROKEN, f"{PROGID} is not created in {where}: {seen}", AGAIN)


def _created_here() -> tuple[str, bool]:
    import pythoncom

    try:
        pythoncom.CoCreateInstance(CLSID, None, pythoncom.CLSCTX_INPROC_SERVER, pythoncom.IID_IDispatch)
    except pythoncom.com_error as error:
        return str(error), False
    return "", True


def _child() -> Iterator[Link]:
    """Whether the process that does the work starts."""
    command = [str(private_python()), "-m", "swgrm_addin", "--version"]
    done = subprocess.run(  # noqa: S603 - our own program
        command, capture_output=True, text=True, timeout=120, check=False, stdin=subprocess.PIPE
    )
    good = done.returncode == 0 and __version__ in done.stdout
    seen = done.stdout.strip() if good else f"exit code {done.returncode}: {done.stderr.strip()[-300:]}"
    yield Link("child process", Health.GOOD if good else Health.BROKEN, seen, "" if good else AGAIN)


def _log() -> Iterator[Link]:
    places = own_places()
    there = next(folder for folder in (places.folder, *places.folder.parents) if folder.exists())
    try:
        with tempfile.TemporaryFile(dir=there):
            pass
    except OSError as error:
        yield Link(
            "log", Health.BROKEN, f"{places.folder}: {error.strerror}", "Give this user the right to write there"
        )
        return
    yield Link("log", Health.GOOD, str(places.log) + ("" if places.log.exists() else " (nothing logged yet)"))
    errors = ERROR_LINE.findall(places.log.read_text("utf-8", "replace")) if places.log.exists() else []
    if errors:
        yield Link("last error", Health.NOTE, errors[-1], "Look for it in the log; press Save capture to report it")
