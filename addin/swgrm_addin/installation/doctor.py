"""The checks of `swgrm doctor`: each part of the installation, from SolidWorks to the export, with a remedy."""

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
from swgrm_addin.inside.addin_folders import private_python, python_folder, user_folders
from swgrm_addin.inside.identity import CLSID, PROGID

AGAIN = "Run swgrm's set-up program again, or `swgrm register` as administrator"
OLDEST_PYTHON = (3, 12)  # on Windows: the first version that can read pipes without waiting
LIBRARIES = ("numpy", "scipy", "lxml", "trimesh", "msgspec", "pyyaml", "click", "rich")
WINDOWS_LIBRARIES = ("pywin32", "comtypes")
ERROR_LINE = re.compile(r"^\d{4}-\d\d-\d\d \S+ \d+ ERROR (.*)$", re.MULTILINE)
PROBE = "probe.exe"  # a program without Python, in a subfolder of the private Python


class CheckStatus(StrEnum):
    """The status of a check."""

    GOOD = "ok"
    BROKEN = "broken"
    NOTE = "note"


class CheckResult(NamedTuple):
    """The result of one check."""

    name: str
    status: CheckStatus
    detail: str
    remedy: str = ""


def examine() -> list[CheckResult]:
    """Run every check that applies to this machine."""
    checks: list[Callable[[], Iterator[CheckResult]]] = [_swgrm, _libraries]
    checks += [_solidworks, _keys, _class] if os.name == "nt" else [_no_windows]
    checks += [_subprocess, _log]
    return [result for check in checks for result in _guarded(check)]


def _guarded(check: Callable[[], Iterator[CheckResult]]) -> list[CheckResult]:
    """The results of a check; an error in the check itself is a broken result, too."""
    name = check.__name__.strip("_")
    try:
        return list(check())
    except (SwgrmError, OSError, ImportError, subprocess.SubprocessError) as error:
        return [CheckResult(name, CheckStatus.BROKEN, f"{type(error).__name__}: {error}", AGAIN)]


def _swgrm() -> Iterator[CheckResult]:
    yield CheckResult("swgrm", CheckStatus.GOOD, f"{__version__} in {Path(__file__).parents[2]}")
    detail = f"{platform.python_version()}, {8 * struct.calcsize('P')} bit, {private_python()}"
    too_old = os.name == "nt" and sys.version_info < OLDEST_PYTHON
    wanted = ".".join(map(str, OLDEST_PYTHON))
    yield CheckResult(
        "Python",
        CheckStatus.BROKEN if too_old else CheckStatus.GOOD,
        detail,
        f"Use Python {wanted} or newer" if too_old else "",
    )


def _libraries() -> Iterator[CheckResult]:
    names = (*LIBRARIES, *(WINDOWS_LIBRARIES if os.name == "nt" else ()))
    found, missing = [], []
    for name in names:
        try:
            found.append(f"{name} {version(name)}")
        except PackageNotFoundError:
            missing.append(name)
    if missing:
        yield CheckResult("libraries", CheckStatus.BROKEN, f"missing: {', '.join(missing)}", AGAIN)
    else:
        yield CheckResult("libraries", CheckStatus.GOOD, ", ".join(found))


def _no_windows() -> Iterator[CheckResult]:
    yield CheckResult(
        "SolidWorks", CheckStatus.NOTE, f"not available on {platform.system()}; SolidWorks and the add-in need Windows",
        "Everything else works here, such as `swgrm export mock:arm -o robot`, or a capture (.swcap) made on Windows",
    )  # fmt: skip


def _solidworks() -> Iterator[CheckResult]:
    from swgrm_addin.installation import registry

    installed = registry.solidworks()
    if not installed:
        yield CheckResult("SolidWorks", CheckStatus.BROKEN, "SolidWorks 2021 or newer is not installed", "Install it")
    for one in installed:
        exists = Path(one.program).exists()
        detail = f"{one.year}: {one.program}" + ("" if exists else ", which does not exist")
        remedy = "" if exists else "Repair SolidWorks with its own set-up program"
        yield CheckResult("SolidWorks", CheckStatus.GOOD if exists else CheckStatus.BROKEN, detail, remedy)


def _keys() -> Iterator[CheckResult]:
    """Compare the registry with the table of values, and look for Python's DLL."""
    from swgrm_addin.installation import registry
    from swgrm_addin.installation.keys import MACHINE

    wanted = [value for value in registry.own_values() if value.hive == MACHINE]
    wrong = [value for value in wanted if registry.found(value) != value.data]
    for value in wrong[:3]:
        actual = registry.found(value)
        state = "is missing" if actual is None else f"is `{actual}`, not `{value.data}`"
        detail = f"{value.hive}\\{value.key} {value.name or '(Default)'} {state}"
        yield CheckResult("add-in keys", CheckStatus.BROKEN, detail, AGAIN)
    if not wrong:
        yield CheckResult("add-in keys", CheckStatus.GOOD, f"all {len(wanted)} registry values are correct")
    library = python_folder() / f"python{sys.version_info.major}{sys.version_info.minor}.dll"
    if library.exists():
        yield CheckResult("DLLs", CheckStatus.GOOD, str(library.parent))
    else:
        remedy = "Add Python's folder to PATH for all users, or use the set-up program, which brings its own Python"
        yield CheckResult("DLLs", CheckStatus.NOTE, f"{library.name} is not beside _ctypes.pyd", remedy)


def _class() -> Iterator[CheckResult]:
    """Have COM create the add-in's class: in a program without Python, as SolidWorks is, or else in this one."""
    probe = python_folder() / "probe" / PROBE
    if probe.exists():
        done = subprocess.run(  # noqa: S603 - our own program
            [str(probe), CLSID], capture_output=True, text=True, timeout=120, check=False
        )
        detail, good = done.stdout.strip() or f"exit code {done.returncode}", done.returncode == 0
        where = "a program without Python"
    else:
        detail, good = _created_here()
        where = "this program"
    if good:
        yield CheckResult("class", CheckStatus.GOOD, f"COM creates {PROGID} in {where}")
    else:
        yield CheckResult("class", CheckStatus.BROKEN, f"COM does not create {PROGID} in {where}: {detail}", AGAIN)


def _created_here() -> tuple[str, bool]:
    import pythoncom

    try:
        pythoncom.CoCreateInstance(CLSID, None, pythoncom.CLSCTX_INPROC_SERVER, pythoncom.IID_IDispatch)
    except pythoncom.com_error as error:
        return str(error), False
    return "", True


def _subprocess() -> Iterator[CheckResult]:
    """Start the program of the add-in's subprocess."""
    command = [str(private_python()), "-P", "-m", "swgrm_addin", "--version"]
    done = subprocess.run(  # noqa: S603 - our own program
        command, capture_output=True, text=True, timeout=120, check=False, stdin=subprocess.PIPE
    )
    good = done.returncode == 0 and __version__ in done.stdout
    detail = done.stdout.strip() if good else f"exit code {done.returncode}: {done.stderr.strip()[-300:]}"
    yield CheckResult("subprocess", CheckStatus.GOOD if good else CheckStatus.BROKEN, detail, "" if good else AGAIN)


def _log() -> Iterator[CheckResult]:
    folders = user_folders()
    existing = next(folder for folder in (folders.folder, *folders.folder.parents) if folder.exists())
    try:
        with tempfile.TemporaryFile(dir=existing):
            pass
    except OSError as error:
        yield CheckResult(
            "log", CheckStatus.BROKEN, f"{folders.folder}: {error.strerror}", "Allow this user to write there"
        )
        return
    yield CheckResult("log", CheckStatus.GOOD, str(folders.log) + ("" if folders.log.exists() else " (empty so far)"))
    errors = ERROR_LINE.findall(folders.log.read_text("utf-8", "replace")) if folders.log.exists() else []
    if errors:
        yield CheckResult(
            "last error",
            CheckStatus.NOTE,
            errors[-1],
            "Look it up in the log; to report it, press Save capture for support",
        )
