"""The conventions of SolidWorks' mates that a robot rests on, for its file and its summary."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

import msgspec

from swgrm.findings import Finding
from swgrm.inference.mates.types import PlacedMate
from swgrm.model import UsedConvention
from swgrm.settings import ConventionSettings
from swgrm.solidworks.conventions import CONVENTIONS

# A mate at which one of these was found is not used.
NOT_USED = frozenset(
    {
        "coupling-duplicate",
        "coupling-redundant",
        "coupling-unused",
        "mate-not-understood",
        "mate-redundant",
        "mate-unsatisfied",
    }
)
ONLY_WITH = {"limitFlip": "limit-side"}  # a convention that matters only at mates with this finding
_FIELDS = {field.encode_name: field.name for field in msgspec.structs.fields(ConventionSettings)}
WITHOUT_MATE = {"mate-left-out": "coordinateMate"}  # a finding at mates that a convention leaves out


def used_conventions(
    mates: Iterable[PlacedMate], settings: ConventionSettings, findings: Iterable[Finding]
) -> tuple[UsedConvention, ...]:
    """The conventions that the used mates rest on, in the order of the table."""
    codes: dict[str, set[str]] = defaultdict(set)  # by mate
    for finding in findings:
        if finding.where.startswith("mate "):
            codes[finding.where.removeprefix("mate ")].add(finding.code)
    used: dict[str, set[str]] = defaultdict(set)  # mates by convention
    for mate in mates:
        found = codes.get(mate.name, set())
        if mate.conventions and NOT_USED.isdisjoint(found):
            for each in mate.conventions:
                if ONLY_WITH.get(each.key) in (None, *found):
                    used[each.key].add(mate.name)
    for name, found in codes.items():
        for code in found & WITHOUT_MATE.keys():
            used[WITHOUT_MATE[code]].add(name)
    return tuple(_used(key, settings, used[key]) for key in CONVENTIONS if key in used)


def _used(key: str, settings: ConventionSettings, mates: Iterable[str]) -> UsedConvention:
    choice = str(getattr(settings, _FIELDS[key]))
    is_set = choice != next(iter(CONVENTIONS[key].choices))
    return UsedConvention(name=key, choice=choice, is_set=is_set, mates=tuple(sorted(mates)))
