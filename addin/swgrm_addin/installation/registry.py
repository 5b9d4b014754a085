"""The registry: writes and removes the values of the table, and finds SolidWorks."""

from __future__ import annotations

import contextlib
import winreg
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from swgrm.errors import SolidWorksError
from swgrm_addin.inside.addin_folders import python_folder
from swgrm_addin.inside.ribbon import ICONS
from swgrm_addin.installation.keys import ADDIN_KEY, CLASS_KEY, MACHINE, OWN, SHARED, USER, RegistryValue, values

HIVES = {MACHINE: winreg.HKEY_LOCAL_MACHINE, USER: winreg.HKEY_CURRENT_USER}
VIEW = winreg.KEY_WOW64_64KEY  # SolidWorks is a 64-bit program
OLDEST = 29  # SolidWorks 2021: the major version is the year minus 1992
APPLICATION = "SldWorks.Application"


class SolidWorks(NamedTuple):
    """An installed SolidWorks."""

    year: int
    program: str


def own_values() -> list[RegistryValue]:
    """The registry values for the Python that runs this."""
    library = python_folder() / "_ctypes.pyd"
    packages = Path(__file__).parents[2]
    is_private = list(library.parent.glob("python3*._pth"))
    return values(str(library), str(ICONS), "" if is_private else str(packages))


def register() -> None:
    """Write all values; needs administrator rights, since SolidWorks looks for add-ins in HKEY_LOCAL_MACHINE."""
    try:
        for value in own_values():
            kind = winreg.REG_DWORD if isinstance(value.data, int) else winreg.REG_SZ
            access = winreg.KEY_WRITE | VIEW
            with winreg.CreateKeyEx(HIVES[value.hive], value.key, access=access) as key:
                winreg.SetValueEx(key, value.name, 0, kind, value.data)
    except PermissionError as error:
        raise SolidWorksError(NOT_ALLOWED) from error


def registered_library() -> str:
    """The library of the add-in that is registered on this machine; "" if none is."""
    try:
        with winreg.OpenKey(HIVES[MACHINE], ADDIN_KEY, access=winreg.KEY_READ | VIEW):
            pass
        with winreg.OpenKey(HIVES[MACHINE], rf"{CLASS_KEY}\InprocServer32", access=winreg.KEY_READ | VIEW) as key:
            return str(winreg.QueryValueEx(key, "")[0])
    except OSError:
        return ""


def unregister() -> None:
    """Remove everything that `register` wrote; missing keys are ignored."""
    try:
        for hive, key in OWN:
            _delete(hive, key)
    except PermissionError as error:
        raise SolidWorksError(NOT_ALLOWED) from error
    for hive, key in SHARED:
        with contextlib.suppress(OSError):
            if _is_empty(hive, key):
                winreg.DeleteKeyEx(HIVES[hive], key, VIEW)


NOT_ALLOWED = (
    "This user may not change the registry of the machine. Run the command in a terminal opened as administrator."
)


def found(value: RegistryValue) -> str | int | None:
    """The value in the registry; None if it does not exist."""
    try:
        with winreg.OpenKey(HIVES[value.hive], value.key, access=winreg.KEY_READ | VIEW) as key:
            data = winreg.QueryValueEx(key, value.name)[0]
    except OSError:
        return None
    return data if isinstance(data, str | int) else None


def solidworks() -> list[SolidWorks]:
    """Every installed SolidWorks from 2021 on, sorted by year."""
    return sorted(_solidworks())


def _solidworks() -> Iterator[SolidWorks]:
    for name in _subkeys(MACHINE, r"Software\Classes", f"{APPLICATION}."):
        version = name.removeprefix(f"{APPLICATION}.")
        if version.isdecimal() and int(version) >= OLDEST:
            clsid = found(RegistryValue(MACHINE, rf"Software\Classes\{name}\CLSID", "", ""))
            program = found(RegistryValue(MACHINE, rf"Software\Classes\CLSID\{clsid}\LocalServer32", "", ""))
            yield SolidWorks(int(version) + 1992, str(program or "").split(" /")[0].strip('"'))


def _subkeys(hive: str, path: str, start: str) -> Iterable[str]:
    with winreg.OpenKey(HIVES[hive], path, access=winreg.KEY_READ | VIEW) as key:
        names = [winreg.EnumKey(key, index) for index in range(winreg.QueryInfoKey(key)[0])]
    return [name for name in names if name.startswith(start)]


def _delete(hive: str, path: str) -> None:
    """Delete a key with its content."""
    try:
        key = winreg.OpenKey(HIVES[hive], path, access=winreg.KEY_ALL_ACCESS | VIEW)
    except FileNotFoundError:
        return
    with key:
        below = [winreg.EnumKey(key, index) for index in range(winreg.QueryInfoKey(key)[0])]
    for name in below:
        _delete(hive, rf"{path}\{name}")
    winreg.DeleteKeyEx(HIVES[hive], path, VIEW)


def _is_empty(hive: str, path: str) -> bool:
    with winreg.OpenKey(HIVES[hive], path, access=winreg.KEY_READ | VIEW) as key:
        subkeys, own, _ = winreg.QueryInfoKey(key)
    return not (subkeys or own)
