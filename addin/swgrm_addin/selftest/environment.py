"""Where a self-test runs: versions, language, and the modules in its process by file name and version."""

from __future__ import annotations

import ntpath
import os
import platform
import sys
from datetime import UTC, datetime
from typing import Any

from swgrm import __version__
from swgrm.errors import SolidWorksError
from swgrm_addin.selftest.results import Environment, LoadedModule


def environment(application: Any, *, inside: bool, mock: bool) -> Environment:
    """The environment; what SolidWorks does not return is empty."""
    return Environment(
        solidworks=_asked(lambda: application.RevisionNumber()),
        language=_asked(lambda: application.GetCurrentLanguage()),
        swgrm=__version__,
        python=platform.python_version(),
        system=f"{platform.system()} {platform.release()}",
        inside=inside,
        mock=mock,
        date=datetime.now(UTC).strftime("%Y-%m-%d"),
        modules=tuple(loaded_modules()),
    )


def _asked(question: Any) -> str:
    try:
        return str(question())
    except SolidWorksError:
        return ""


def loaded_modules() -> list[LoadedModule]:
    """The DLLs in this process on Windows; elsewhere the binary modules of Python."""
    return _windows_modules() if os.name == "nt" else _extension_modules()


def _extension_modules() -> list[LoadedModule]:
    files = {getattr(module, "__file__", None) or "" for module in list(sys.modules.values())}
    names = {ntpath.basename(file.replace("/", "\\")) for file in files if file.endswith((".so", ".pyd"))}
    return [LoadedModule(name, "") for name in sorted(names)]


def _windows_modules() -> list[LoadedModule]:
    import win32api
    import win32process

    found = []
    for handle in win32process.EnumProcessModules(win32api.GetCurrentProcess()):
        path = win32process.GetModuleFileNameEx(win32api.GetCurrentProcess(), handle)
        found.append(LoadedModule(ntpath.basename(path), _version(path)))
    return sorted(found, key=lambda module: module.name.lower())


def _version(path: str) -> str:
    import win32api

    try:
        fixed = win32api.GetFileVersionInfo(path, "\\")
    except win32api.error:
        return ""
    high, low = fixed["FileVersionMS"], fixed["FileVersionLS"]
    return f"{high >> 16}.{high & 0xFFFF}.{low >> 16}.{low & 0xFFFF}"
