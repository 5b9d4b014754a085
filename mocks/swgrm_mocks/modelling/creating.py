"""New models from templates, and the documents of models."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING

import msgspec
import numpy as np
from msgspec.structs import replace

from swgrm.settings import ConventionSettings
from swgrm.solidworks.conventions import CONVENTIONS
from swgrm.transforms import Array
from swgrm_mocks.builder import pose, transform_array
from swgrm_mocks.modelling.assembly_model import AssemblyModel
from swgrm_mocks.modelling.live_assemblies import LiveAssembly
from swgrm_mocks.modelling.live_documents import LiveDocument
from swgrm_mocks.modelling.live_parts import LivePart
from swgrm_mocks.modelling.part_model import PartModel

if TYPE_CHECKING:
    from swgrm_mocks.solidworks.session import MockSolidWorks


def _plane(x: tuple[int, int, int], y: tuple[int, int, int]) -> Array:
    """A plane through the origin with these axes."""
    T = np.eye(4)
    T[:3, :3] = np.column_stack([x, y, np.cross(x, y)])
    return T


# The default planes of a template with z up: Front, Top and Right
Z_UP = (_plane((0, 1, 0), (0, 0, 1)), _plane((1, 0, 0), (0, 1, 0)), _plane((-1, 0, 0), (0, 0, 1)))


def live_document(session: MockSolidWorks, model: PartModel | AssemblyModel) -> LiveDocument:
    """The document of a model as a COM object."""
    return LivePart(session, model) if isinstance(model, PartModel) else LiveAssembly(session, model)


def new_model(
    name: str, conventions: Mapping[str, str], *, is_part: bool, quirks: Collection[str] = ()
) -> PartModel | AssemblyModel:
    """An empty part or assembly; mates follow the conventions, by the keys of `swgrm.solidworks.conventions`."""
    if unknown := sorted(set(conventions) - set(CONVENTIONS)):
        raise ValueError(f"The mock does not have the conventions {', '.join(unknown)}.")
    chosen = msgspec.convert(dict(conventions), ConventionSettings)
    model = PartModel(name, "") if is_part else AssemblyModel(name, "", chosen)
    if "z-up" in quirks:
        for number, T in enumerate(Z_UP):
            model.geometry[number] = replace(model.geometry[number], numbers=transform_array(T))
    if "plane-before-front" in quirks:
        model.plane("Template Plane", pose(z=0.5, roll=90.0))
        model.geometry.insert(0, model.geometry.pop())
    return model
