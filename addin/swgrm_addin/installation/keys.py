"""The registry values of the add-in as a table, which the set-up program, `swgrm register` and `swgrm doctor` use."""

from __future__ import annotations

from typing import NamedTuple

from swgrm_addin.inside.identity import CLASS, CLSID, DESCRIPTION, PROGID, TITLE
from swgrm_addin.inside.ribbon import SIZES

MACHINE, USER = "HKLM", "HKCU"
CLASS_KEY = rf"Software\Classes\CLSID\{CLSID}"
PROGID_KEY = rf"Software\Classes\{PROGID}"
ADDIN_KEY = rf"Software\SolidWorks\AddIns\{CLSID}"
STARTUP_KEY = rf"Software\SolidWorks\AddInsStartup\{CLSID}"
# Keys of the add-in alone; unregistering removes them with their content.
OWN = ((MACHINE, CLASS_KEY), (MACHINE, PROGID_KEY), (MACHINE, ADDIN_KEY), (USER, STARTUP_KEY))
# Keys above these, which registering may have created; unregistering removes them if they are empty.
SHARED = (
    (MACHINE, r"Software\SolidWorks\AddIns"),
    (MACHINE, r"Software\SolidWorks"),
    (USER, r"Software\SolidWorks\AddInsStartup"),
    (USER, r"Software\SolidWorks"),
)


class RegistryValue(NamedTuple):
    """A registry value: text or a number."""

    hive: str
    key: str
    name: str
    data: str | int


def values(library: str, icons: str, path: str = "") -> list[RegistryValue]:
    """All values. `library` is the DLL that COM loads, `path` the folder of swgrm if it is not on Python's own path."""
    server = rf"{CLASS_KEY}\InprocServer32"
    found = [
        RegistryValue(MACHINE, CLASS_KEY, "", "swgrm add-in for SolidWorks"),
        RegistryValue(MACHINE, rf"{CLASS_KEY}\ProgID", "", PROGID),
        RegistryValue(MACHINE, server, "", library),
        RegistryValue(MACHINE, server, "ThreadingModel", "Apartment"),
        RegistryValue(MACHINE, server, "PythonClass", CLASS),
        RegistryValue(MACHINE, PROGID_KEY, "", "swgrm add-in for SolidWorks"),
        RegistryValue(MACHINE, rf"{PROGID_KEY}\CLSID", "", CLSID),
        RegistryValue(MACHINE, ADDIN_KEY, "", 1),
        RegistryValue(MACHINE, ADDIN_KEY, "Title", TITLE),
        RegistryValue(MACHINE, ADDIN_KEY, "Description", DESCRIPTION),
        RegistryValue(MACHINE, ADDIN_KEY, "Icon Path", rf"{icons}\swgrm{SIZES[0]}.png"),
        *(RegistryValue(MACHINE, ADDIN_KEY, f"Icon Path {size}", rf"{icons}\swgrm{size}.png") for size in SIZES),
        RegistryValue(USER, STARTUP_KEY, "", 1),
    ]
    return [*found, RegistryValue(MACHINE, server, "PythonPath", path)] if path else found
