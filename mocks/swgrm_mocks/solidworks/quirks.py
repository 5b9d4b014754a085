"""The quirks of real SolidWorks that the mock can have, each with the fact that it comes from."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple


class Quirk(NamedTuple):
    """A way in which real SolidWorks differs from its documentation, or from what one expects."""

    fact: str
    source: str


QUIRKS: Mapping[str, Quirk] = {
    "mass-zero": Quirk(
        "Recalculate succeeds, and mass, volume and surface area are zero until the model is rebuilt.",
        "xCAD, SwMassProperty.cs, ValidateCalculations",
    ),
    "override-inertia-wrong": Quirk(
        "IMassProperty2 returns wrong principal axes where the moments are overridden, since 2022 SP1.",
        "xarial/cad-plus 107",
    ),
    "part-inertia-wrong": Quirk(
        "IMassProperty2 returns wrong principal moments and axes for a part document; IMassProperty is right.",
        "xCAD, SwMassProperty.cs; xarial/cad-plus 107 and 108",
    ),
    "selection-adds": Quirk(
        "IMassProperty2 begins with what is selected; SelectedItems adds to it, and selects its items.",
        "vendor's API help, IMassProperty2.SelectedItems",
    ),
}


def known_quirks(names: Iterable[str]) -> frozenset[str]:
    """Returns the names as a set; raises ValueError for one that is not in the table."""
    chosen = frozenset(names)
    if unknown := chosen - set(QUIRKS):
        raise ValueError(f"The mock does not have the quirks {', '.join(sorted(unknown))}.")
    return chosen
