"""How the parts of a large robot are called: in four ways that users have."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, get_args

NameSet = Literal["mixed", "standards", "words", "numbers"]
"""`mixed`: four scripts, standards and catalogues; `standards`: fasteners by their standard; `words`: plain English and
German words; `numbers`: bare article numbers."""
NAME_SETS: tuple[NameSet, ...] = get_args(NameSet)

MIXED = {
    "screw": "ISO 4762 (Zylinderschraube mit Innensechskant, verzinkt)",
    "threaded screw": "91290A113_Alloy Steel Socket Head Screw",
    "washer": "DIN 125 washer Ø",
    "nut": "六角螺母 GB_T 6170",
    "pin": "ISO 2338 Паз штифт 3x10",
    "standoff": "standoff M2x6",
    "motor": "伺服电机 HG-KR43B (三菱) STEP AP214 import – nicht bearbeiten",
    "gearbox": "CSG-25-100-2UH_Wellgetriebe",
    "output": "CSG-25 output flange",
    "board A": "PCBA_drive_revA_v12_FINAL(2)",
    "board B": "PCBA_drive_revB_v12_FINAL(2)",
    "board C": "PCBA_drive_revC_v12_FINAL(2)",
    "cover": "Крышка задняя",
    "bracket": "Halter_gefräst",
    "connector": "M12 connector 17-pin",
    "cable": "Kabel (geführt)",
    "inner ring": "inner",
    "outer ring": "outer",
    "cage": "cage",
    "ball": "Kugel",
    "bearing": "SKF 61808",
    "drive": "Antriebseinheit",
    "module A": "Elektronikmodul A",
    "module B": "Elektronikmodul B",
    "module C": "Elektronikmodul C",
    "casting": "Gussteil",
    "link": "Baugruppe",
    "workspace": "Arbeitsraum",
}
STANDARDS = MIXED | {
    "screw": "ISO 4762",
    "threaded screw": "DIN 912",
    "washer": "ISO 7089",
    "nut": "ISO 4032",
    "pin": "ISO 2338",
    "standoff": "DIN 6334",
}
WORDS = {
    "screw": "Zylinderkopf",
    "threaded screw": "cap screw long",
    "washer": "Scheibe",
    "nut": "hexagon",
    "pin": "Dowel pin",
    "standoff": "Abstandshalter",
    "motor": "servo motor",
    "gearbox": "Wellgetriebe",
    "output": "output flange",
    "board A": "driver board",
    "board B": "Netzteilplatine",
    "board C": "sensor board",
    "cover": "Abdeckung",
    "bracket": "bracket",
    "connector": "Rundstecker",
    "cable": "cable",
    "inner ring": "inner ring",
    "outer ring": "Aussenring",
    "cage": "cage",
    "ball": "Kugel",
    "bearing": "ball bearing",
    "drive": "Antrieb",
    "module A": "driver module",
    "module B": "Netzteil",
    "module C": "sensor module",
    "casting": "Gehäuse",
    "link": "group",
    "workspace": "Arbeitsraum",
}
NUMBERS = {role: f"{100200 + 17 * number}" for number, role in enumerate(MIXED)}
NAMES: Mapping[NameSet, Mapping[str, str]] = {
    "mixed": MIXED,
    "standards": STANDARDS,
    "words": WORDS,
    "numbers": NUMBERS,
}
WITH_TOOLBOX: frozenset[NameSet] = frozenset({"mixed", "standards"})  # their screws are Toolbox parts


class PartNames:
    """The names of one set."""

    def __init__(self, name_set: NameSet) -> None:
        self.name_set = name_set
        self._links: dict[str, int] = {}

    def of(self, role: str, variant: str = "") -> str:
        """The name of a part that has a role; variants, as sizes, are told apart."""
        return f"{NAMES[self.name_set][role]} {variant}".strip()

    def of_link(self, role: str, link: str) -> str:
        """The name of a casting or sub-assembly that only one link has."""
        if self.name_set != "numbers":
            return f"{link} {NAMES[self.name_set][role]}"
        number = self._links.setdefault(link, len(self._links))
        return f"{int(NUMBERS[role]) + 1000 * (number + 1)}"

    def configuration(self, size: str) -> str:
        """The name of a configuration; sets that do not name fasteners do not name their sizes either."""
        return size if self.name_set in WITH_TOOLBOX else {"M2x5": "1", "M3x8": "2", "M4x12": "3"}.get(size, size)
