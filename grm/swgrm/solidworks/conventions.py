"""The conventions of SolidWorks' mates that its API help leaves open: what was measured, where, and how often.

One table for the settings (`conventions:`), the findings that name an assumption, the GRM file and the documentation.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

LIVE = "live SolidWorks 2022"
HELP = "SolidWorks API help"


class Convention(NamedTuple):
    """A convention: its choices with what each one means (the default first), its source, and the samples behind it."""

    choices: Mapping[str, str]  # what is assumed, to follow "assumes"
    source: str
    samples: int  # live assemblies that show the default


CONVENTIONS: Mapping[str, Convention] = {
    "gearRatio": Convention(
        {
            "denominator": "that the second gear turns denominator/numerator times as far as the first",
            "numerator": "that the second gear turns numerator/denominator times as far as the first",
            "radii": "that the radii of its entities decide which way round the ratio of a gear mate is",
        },
        f"{LIVE}, 2025", 2,
    ),
    "screwUnit": Convention(
        {
            "document": "that a screw mate counts revolutions per linear unit of the document that owns it",
            "metre": "that a screw mate counts revolutions per metre",
        },
        f"{LIVE}, {HELP}", 1,
    ),
    "screwSense": Convention(
        {
            "reversedIsRight": "that a reversed screw mate is right-handed",
            "reversedIsLeft": "that a reversed screw mate is left-handed",
        },
        LIVE, 1,
    ),
    "rackSense": Convention(
        {
            "entities": "that an unreversed rack moves along its entity as the pinion turns forward about its own",
            "rolling": "that an unreversed rack rolls on its pinion",
        },
        LIVE, 1,
    ),
    "couplerReference": Convention(
        {
            "assembly": "that a linear coupler without reference components measures against the assembly",
            "parent": "that a linear coupler measures each part against the part that carries it",
        },
        HELP, 0,
    ),
    "coordinateMate": Convention(
        {
            "lock": "that a mate of two coordinate systems with aligned axes leaves nothing free",
            "ignored": "that a mate of two coordinate systems holds nothing",
        },
        LIVE, 1,
    ),
    "profileCentre": Convention(
        {
            "spins": "that an unlocked profile centre mate of two faces leaves the rotation about their normal free",
            "locked": "that a profile centre mate of two faces leaves nothing free",
        },
        LIVE, 2,
    ),
    "limitFlip": Convention(
        {
            "reversed": "that the flipped dimension of a limit mate reverses its range where no geometry decides",
            "ignored": "that the flipped dimension of a limit mate does not reverse its range",
        },
        f"{LIVE}, 2026", 2,
    ),
}  # fmt: skip


class AssumedConvention(NamedTuple):
    """A convention that the meaning of a mate rests on: what it assumes, and its key in the table if it has one."""

    text: str  # to follow "assumes"
    key: str = ""


def assumed(key: str, choice: str) -> AssumedConvention:
    """A convention of the table; its text names the setting that changes it."""
    return AssumedConvention(f"{CONVENTIONS[key].choices[choice]} (setting `conventions: {key}`)", key)


def conventions_table() -> str:
    """The table of the documentation."""
    lines = ["| key | choices, the default first | source | samples |", "|---|---|---|---|"]
    for key, convention in CONVENTIONS.items():
        choices = "; ".join(f"`{choice}`: {meaning}" for choice, meaning in convention.choices.items())
        lines.append(f"| `{key}` | {choices} | {convention.source} | {convention.samples} |")
    return "\n".join(lines)
