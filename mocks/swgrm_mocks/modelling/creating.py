"""New models from templates."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from swgrm.conventions import CONVENTIONS
from swgrm.settings import ConventionSettings
from swgrm_mocks.modelling.assembly_model import AssemblyModel
from swgrm_mocks.modelling.part_model import PartModel


def new_model(name: str, conventions: Mapping[str, str], *, is_part: bool) -> PartModel | AssemblyModel:
    """Returns an empty part or assembly; mates follow the conventions, by the keys of `swgrm.conventions`."""
    if unknown := sorted(set(conventions) - set(CONVENTIONS)):
        raise ValueError(f"The mock does not have the conventions {', '.join(unknown)}.")
    chosen = msgspec.convert(dict(conventions), ConventionSettings)
    return PartModel(name, "") if is_part else AssemblyModel(name, "", chosen)
