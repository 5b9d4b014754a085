"""What the registry says of the add-in, as a table: the set-up program, `swgrm register` and the doctor all walk it."""

from __future__ import annotations

from typing import NamedTuple

from swgrm_addin.inside.identity import CLASS, CLSID, DESCRIPTION, PROGID, TITLE
from swgrm_addin.inside.ribbon import SIZES

MACHINE, USER = "HKLM", "HKCU"
CLASS_KEY = rf"Software\Classes\CLSID\{CLSID}"
PROGID_KEY = rf"Software\Classes\{PROGID}"
ADDIN_KEY = rf"Software\SolidWorks\AddIns\{CLSID}"
STARTUP_KEY = rf"Software\SolidWorks\AddInsStartup\{CLSID}"
# What belongs to us alone: removed with all that is in it.
OWN = ((MACHINE, CLASS_KEY), (MACHINE, PROGID_KEY), (MACHINE, ADDIN_KEY), (USER, STARTUP_KEY))
# What we may have made on the way there: removed if nothing is in it.
SHARED = (
    (MACHINE, r"Software\SolidWorks\AddIns"),
    (MACHINE, r"Software\SolidWorks"),
    (USER, r"Software\SolidWorks\AddInsStartup"),
    (USER, r"Software\SolidWorks"),
)


class Value(NamedTuple):
    """One value: text, or a number."""

    hive: str
    key: str
    name: str
    data: str | int


def values(library: str, icons: str, path: str = "") -> list[Value]:
    """All values, for the DLL that COM loads, the folder of the icons, and where Python finds us if not by itself."""
    server = rf"{CLASS_KEY}\InprocServer32"
    found = [
        Value(MACHINE, CLASS_KEY, "", "swgrm add-in for SolidWorks"),
        Value(MACHINE, rf"{CLASS_KEY}\ProgID", "", PROGID),
        Value(MACHINE, server, "", library),
        Value(MACHINE, server, "ThreadingModel", "Apartment"),
        Value(MACHINE, server, "PythonClass", CLASS),
        Value(MACHINE, PROGID_KEY, "", "swgrm add-in for SolidWorks"),
        Value(MACHINE, rf"{PROGID_KEY}\CLSID", "", CLSID),
        Value(MACHINE, ADDIN_KEY, "", 1),
        Value(MACHINE, ADDIN_KEY, "Title", TITLE),
        Value(MACHINE, ADDIN_KEY, "Description", DESCRIPTION),
        Value(MACHINE, ADDIN_KEY, "Icon Path", rf"{icons}\swgrm{SIZES[0]}.png"),
        *(Value(MACHINE, ADDIN_KEY, f"Icon Path {size}", rf"{icons}\swgrm{size}.png") for size in SIZES),
        Value(USER, STARTUP_KEY, "", 1),
    ]
    return [*found, Value(MACHINE, server, "PythonPath", path)] if path else found
