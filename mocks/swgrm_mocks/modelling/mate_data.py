"""The feature data of mates that can be changed: IMateFeatureData and the interface of each mate type."""

from __future__ import annotations

import re
from typing import Any

from swgrm.solidworks.api_slice import interfaces
from swgrm.solidworks.swconst import swMateType_e as Sw
from swgrm.solidworks.swconst_calls import swAddMateError_e as Status
from swgrm_mocks.modelling.model_mates import CLOSEST, ModelMate
from swgrm_mocks.modelling.new_mate import Pick
from swgrm_mocks.modelling.topology import picked
from swgrm_mocks.solidworks.dispatch import MockObject

KINDS: dict[int, str] = {
    Sw.swMateCOINCIDENT: "Coincident",
    Sw.swMateCONCENTRIC: "Concentric",
    Sw.swMatePERPENDICULAR: "Perpendicular",
    Sw.swMatePARALLEL: "Parallel",
    Sw.swMateTANGENT: "Tangent",
    Sw.swMateDISTANCE: "Distance",
    Sw.swMateANGLE: "Angle",
    Sw.swMateSYMMETRIC: "Symmetric",
    Sw.swMateCAMFOLLOWER: "CamFollower",
    Sw.swMateGEAR: "Gear",
    Sw.swMateWIDTH: "Width",
    Sw.swMateRACKPINION: "RackPinion",
    Sw.swMateLOCK: "Lock",
    Sw.swMateSCREW: "Screw",
    Sw.swMateLINEARCOUPLER: "LinearCoupler",
    Sw.swMateUNIVERSALJOINT: "UniversalJoint",
    Sw.swMateCOORDINATE: "Coincident",
    Sw.swMateSLOT: "Slot",
    Sw.swMateHINGE: "Hinge",
    Sw.swMatePROFILECENTER: "ProfileCenter",
}
NOTHING: dict[str, Any] = {"double": 0.0, "long": 0, "VARIANT_BOOL": False}
# The members that have objects, in the order of the mate's entities.
OBJECTS = ("EntitiesToMate", "WidthSelection", "TabSelection", "MateEntity1", "MateEntity2", "SymmetryPlane")
REFERENCES = ("ReferenceComponent1", "ReferenceComponent2")


class EditableMateData(MockObject):
    """The feature data of a new or an existing mate: values, and the objects that were picked."""

    def __init__(self, kind: int, mate: ModelMate | None = None) -> None:
        self.kind, self.mate = kind, mate
        self.values: dict[str, Any] = defaults(kind) | (mate.values if mate else {})
        self.objects: dict[tuple[str, int], tuple[Any, ...]] = {}
        self.references: dict[str, Any] = {}
        self.written: set[str] = set()  # the values that were put
        self.status = int(Status.swAddMateError_ErrorUknown)

    def supported_interfaces(self) -> tuple[str, ...]:
        """The interface of its mate type, and the common one."""
        return f"I{KINDS[self.kind]}MateFeatureData", "IMateFeatureData"

    def ErrorStatus(self) -> int:
        return self.status

    def __getattr__(self, member: str) -> Any:
        name = member.removeprefix("put_")
        if name in OBJECTS and member != name:
            return lambda *arguments: self._put_objects(name, *arguments)
        if name in REFERENCES:
            return (
                (lambda item: self.references.update({name: item}))
                if member != name
                else (lambda: self._reference(name))
            )
        field = snake(name)
        if member.startswith("__") or field not in self.__dict__.get("values", {}):
            raise AttributeError(member)
        if member == name:
            return lambda: self.values[field]
        return lambda value: self._put(field, value)

    def _put(self, field: str, value: Any) -> None:
        self.written.add(field)
        self.values[field] = value

    def _put_objects(self, name: str, *arguments: Any) -> None:
        *index, items = arguments
        group = index[0] if index else OBJECTS.index(name)
        self.objects[name, group] = items if isinstance(items, tuple) else (items,)

    def _reference(self, name: str) -> Any:
        return self.references.get(name)

    def picks(self) -> list[Pick]:
        """The entities of the mate in their order; those of an existing mate unless others were put."""
        if self.mate is not None and not self.objects:
            return list(self.mate.picks)
        ordered = sorted(self.objects, key=lambda key: (OBJECTS.index(key[0]), key[1]))
        return [picked(item) for key in ordered for item in self.objects[key] if item is not None]

    def reference_names(self) -> tuple[str, ...]:
        """The reference components of a linear coupler, if both are given."""
        if self.mate is not None and not self.references:
            return self.mate.references
        names = [getattr(self.references.get(name), "name", None) for name in REFERENCES]
        return tuple(name for name in names if name) if all(names) else ()


def defaults(kind: int) -> dict[str, Any]:
    """The values of new feature data: zero, and the closest alignment."""
    members = interfaces()[f"I{KINDS[kind]}MateFeatureData"].members.values()
    types = {m.name: m.returns if m.kind == "get" else m.parameters[-1].type for m in members}
    values = {snake(name): NOTHING[of.content] for name, of in types.items() if of.content in NOTHING}
    return values | ({"mate_alignment": CLOSEST} if "mate_alignment" in values else {})


def snake(name: str) -> str:
    """The field of a member: MateAlignment is mate_alignment."""
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()
