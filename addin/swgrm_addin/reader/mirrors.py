"""Reads the mirror component features of an assembly, and the source of a part that is a mirror image."""

from __future__ import annotations

from typing import Any

from swgrm.capture import MirrorFeature
from swgrm.errors import CallError
from swgrm_addin.reader.walk import Walk

MIRROR = "MirrorCompFeat"  # GetTypeName2
MIRRORED_PART = "MirrorStock"  # the feature of a part of the opposite hand
INTERFACE = "IMirrorComponentFeatureData"


def read_mirror(walk: Walk, document: Any, feature: Any, known: MirrorFeature) -> MirrorFeature:
    """The feature, of which name and identifiers are known, with what it mirrors; a suppressed one is not opened."""
    definition = None if known.suppressed else feature.GetDefinition()
    if definition is None:
        return known
    data = walk.port.cast(definition, INTERFACE)
    with walk.guard.undone(f"the feature {known.name}", data.ReleaseSelectionAccess):
        if not data.AccessSelections(document, None):  # this rolls the feature back
            raise CallError("", f"{INTERFACE}.AccessSelections", "access to its selections was denied")
        return MirrorFeature(
            known.name,
            known.id,
            known.persistent_id,
            plane=walk.attempt(lambda: _plane(walk, data), (), "its plane is unknown"),
            copied=_names(
                (*data.ComponentsToInstanceAlignToComponentOrigin, *data.ComponentsToInstanceAlignToSelection)
            ),
            opposite_hand=_names(data.OppositeHandComponents),
        )


def read_mirrored_part(walk: Walk, feature: Any) -> str:
    """The file of the part whose mirror image a part is; "" if the feature does not contain it."""
    definition = feature.GetDefinition()
    return "" if definition is None else str(walk.port.cast(definition, "IMirrorPartFeatureData").PathName)


def _plane(walk: Walk, data: Any) -> tuple[float, ...]:
    plane = data.MirrorPlane
    numbers: tuple[float, ...] = () if plane is None else walk.port.cast(plane, "IRefPlane").Transform.ArrayData
    return numbers


def _names(components: tuple[Any, ...]) -> tuple[str, ...]:
    """The names of components, sorted, each once."""
    return tuple(sorted({component.Name2 for component in components}))
