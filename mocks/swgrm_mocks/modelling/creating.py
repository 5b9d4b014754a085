"""New models from templates, and the documents of models."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import msgspec

from swgrm.conventions import CONVENTIONS
from swgrm.settings import ConventionSettings
from swgrm_mocks.modelling.assembly_model import AssemblyModel
from swgrm_mocks.modelling.live_assemblies import LiveAssembly
from swgrm_mocks.modelling.live_documents import LiveDocument
from swgrm_mocks.modelling.live_parts import LivePart
from swgrm_mocks.modelling.part_model import PartModel

if TYPE_CHECKING:
    from swgrm_mocks.solidworks.session import MockSolidWorks


def live_document(session: MockSolidWorks, model: PartModel | AssemblyModel) -> LiveDocument:
    """The document of a model as a COM object."""
    return LivePart(session, model) if isinstance(model, PartModel) else LiveAssembly(session, model)


def new_model(name: str, conventions: Mapping[str, str], *, is_part: bool) -> PartModel | AssemblyModel:
    """An empty part or assembly; mates follow the conventions, by the keys of `swgrm.conventions`."""
    if unknown := sorted(set(conventions) - set(CONVENTIONS)):
        raise ValueError(f"The mock does not have the conventions {', '.join(unknown)}.")
    chosen = msgspec.convert(dict(conventions), ConventionSettings)
    return PartModel(name, "") if is_part else AssemblyModel(name, "", chosen)
