"""Windows' registry: writing and removing what the table says, and finding SolidWorks."""

from __future__ import annotations

import contextlib
import winreg
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from swgrm.errors import SolidWorksError
from swgrm_addin.inside.places import python_folder
from swgrm_addin.inside.ribbon import ICONS
from swgrm_addin.installation.keys import MACHINE, OWN, SHARED, USER, Value, values

HIVES = {MACHINE: winreg.HKEY_LOCAL_MACHINE, USER: winreg.HKEY_CURRENT_USER}
VIEW = winreg.KEY_WOW64_64KEY  # SolidWorks is a 64-bit program
OLDEST = 29  # SolidWorks 2021: its major version is the year less 1992
APPLICATION = "SldWorks.Application"


class SolidWorks(NamedTuple):
    """An installed SolidWorks."""

    year: int
    program: str


def own_values() -> list[Value]:
    """What the registry must say for the Python that runs this."""
    library = python_folder() / "_ctypes.pyd"
    packages = Path(__file__).parents[2]
    is_private = list(library.parent.glob("python3*._pth"))
    return values(str(library), str(ICONS), "" if is_private else str(packages))


def register() -> None:
    """Write all values; as administrator, since SolidWorks looks for add-ins in the machine's part."""
    try:
        for value in own_values():
            kind = winreg.REG_DWORD if isinstance(value.data, int) else winreg.REG_SZ
            access = winreg.KEY_WRITE | VIEW
            with winreg.CreateKeyEx(HIVES[value.hive], value.key, access=access) as key:
                winreg.SetValueEx(key, value.name, 0, kind, value.data)
    except PermissionError as error:
        raise SolidWorksError(NOT_ALLOWED) from error


def unregister() -> None:
    """Remove all that register wrote; what is not there is no error."""
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
    "Windows does not let this user change the machine's registry. Run it in a terminal opened as administrator."
)


def found(value: Value) -> str | int | None:
    """What the registry says where a value should be; None if nothing."""
    try:
        with winreg.OpenKey(HIVES[value.hive], value.key, access=winreg.KEY_READ | VIEW) as key:
            data = winreg.QueryValueEx(key, value.name)[0]
    except OSError:
        return None
    return data if isinstance(data, str | int) else None


def solidworks() -> list[SolidWorks]:
    """Every SolidWorks that COM could start, from 2021 on."""
    return sorted(_solidworks())


def _solidworks() -> Iterator[SolidWorks]:
    for name in _subkeys(MACHINE, r"Software\Classes", f"{APPLICATION}."):
        version = name.removeprefix(f"{APPLICATION}.")
        if version.isdecimal() and int(version) >= OLDEST:
            clsid = found(Value(MACHINE, rf"Software\Classes\{name}\CLSID", "", ""))
            program = found(Value(MACHINE, rf"Software\Classes\CLSID\{clsid}\LocalServer32", "", ""))
            yield SolidWorks(int(version) + 1992, str(program or "").split(" /")[0].strip('"'))


def _subkeys(hive: str, path: str, start: str) -> Iterable[str]:
    with winreg.OpenKey(HIVES[hive], path, access=winreg.KEY_READ | VIEW) as key:
        names = [winreg.EnumKey(key, index) for index in range(winreg.QueryInfoKey(key)[0])]
    return [name for name in names if name.startswith(start)]


def _delete(hive: str, path: str) -> None:
    """Delete a key with all that is in it."""
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
