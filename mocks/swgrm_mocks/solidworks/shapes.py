"""The bodies, faces and mass properties of the mock."""

from __future__ import annotations

from array import array
from itertools import islice
from typing import TYPE_CHECKING, Any, ClassVar

from swgrm.api import ComError
from swgrm.capture import Face, MassProperties, PartBody, PartShape, triangles_by_face
from swgrm_mocks.solidworks.dispatch import E_FAIL, MockObject

if TYPE_CHECKING:
    from swgrm_mocks.solidworks.documents import ModelDoc


class Body2(MockObject):
    """IBody2, in the coordinates of its part."""

    interfaces: ClassVar = ("IBody2",)

    def __init__(self, record: PartBody, faces: tuple[Face2, ...]) -> None:
        self.record, self.faces = record, faces

    def Name(self) -> str:
        return self.record.name

    def GetType(self) -> int:
        return self.record.type

    def Visible(self) -> bool:
        return self.record.visible

    def GetBodyBox(self) -> tuple[float, ...] | None:
        return self.record.box

    def MaterialPropertyValues2(self) -> tuple[float, ...] | None:
        return self.record.appearance

    def GetMaterialPropertyName(self, _configuration: str) -> tuple[str, str]:
        return self.record.material, self.record.material_database

    def GetFaces(self) -> tuple[Face2, ...]:
        return self.faces


class Face2(MockObject):
    """IFace2."""

    interfaces: ClassVar = ("IFace2",)

    def __init__(self, record: Face, triangles: memoryview) -> None:
        self.record, self.triangles = record, triangles

    def GetTessTriangles(self, no_conversion: bool) -> tuple[float, ...]:
        if not no_conversion:
            raise ComError(E_FAIL, "the mock supports metres only")
        return tuple(array("f", self.triangles.tobytes()))

    def MaterialPropertyValues(self) -> tuple[float, ...] | None:
        return self.record.appearance


class MassProperty2(MockObject):
    """IMassProperty2 of a document or of the selected component, in the coordinates of the document."""

    interfaces: ClassVar = ("IMassProperty2",)

    def __init__(self, document: ModelDoc) -> None:
        self.document = document
        self.selected: Any = None

    @classmethod
    def of(cls, document: ModelDoc) -> MassProperty2 | None:
        """Returns the mass properties of a document; None for a part without solid bodies."""
        is_empty = document.record.type == 1 and cls(document).mass_properties() is None
        return None if is_empty else cls(document)

    def _shape(self) -> PartShape | None:
        project = self.document.project
        if self.selected is None:
            return next((s for s in project.capture.shapes if s.path == self.document.path), None)
        return project.index.shape(self.selected.record)

    def mass_properties(self) -> MassProperties | None:
        """Returns the captured mass properties, or None."""
        shape = self._shape()
        return shape.mass if shape else None

    @property
    def values(self) -> MassProperties:
        """The captured mass properties; the mock computes none."""
        shape, mass = self._shape(), self.mass_properties()
        if shape is None or mass is None:
            raise ComError(E_FAIL, "no mass properties are captured")
        if self.selected is not None and shape.through != self.selected.record.name:
            raise ComError(E_FAIL, f"the mass properties were captured through {shape.through}")
        return mass

    def put_UseSystemUnits(self, value: bool) -> None:
        if not value:
            raise ComError(E_FAIL, "the mock supports SI units only")

    def put_IncludeHiddenBodiesOrComponents(self, value: bool) -> None:
        if not value:
            raise ComError(E_FAIL, "the mock supports mass properties with hidden bodies only")

    def put_SelectedItems(self, items: tuple[Any, ...]) -> None:
        self.selected = items[0] if items else None

    def Recalculate(self) -> bool:
        is_assembly = self.selected.record.is_assembly if self.selected else False
        return self.mass_properties() is not None or is_assembly

    def Mass(self) -> float:
        return self.values.mass

    def Volume(self) -> float:
        return self.values.volume

    def SurfaceArea(self) -> float:
        return self.values.surface_area

    def Density(self) -> float:
        return self.values.density

    def CenterOfMass(self) -> tuple[float, ...]:
        return self.values.center_of_mass

    def PrincipalMomentsOfInertia(self) -> tuple[float, ...]:
        return self.values.principal_moments

    def PrincipalAxesOfInertia(self, axis: int) -> tuple[float, ...]:
        return self.values.principal_axes[3 * axis : 3 * axis + 3]

    def GetMomentOfInertia(self, _where: int) -> tuple[float, ...]:
        return self.values.moments

    def GetOverrideOptions(self) -> OverrideOptions:
        return OverrideOptions(self.mass_properties())


class OverrideOptions(MockObject):
    """IMassPropertyOverrideOptions."""

    interfaces: ClassVar = ("IMassPropertyOverrideOptions",)

    def __init__(self, mass: MassProperties | None) -> None:
        self.mass = mass

    def OverrideMass(self) -> bool:
        return self.mass is not None and self.mass.mass_overridden

    def OverrideCenterOfMass(self) -> bool:
        return self.mass is not None and self.mass.center_of_mass_overridden

    def OverrideMomentsOfInertia(self) -> bool:
        return self.mass is not None and self.mass.moments_overridden


def bodies_of(shape: PartShape | None) -> tuple[Body2, ...]:
    """Returns the bodies of a shape with their faces."""
    if shape is None:
        return ()
    faces = triangles_by_face(shape)
    return tuple(
        Body2(body, tuple(Face2(face, triangles) for _, face, triangles in islice(faces, len(body.faces))))
        for body in shape.bodies
    )
