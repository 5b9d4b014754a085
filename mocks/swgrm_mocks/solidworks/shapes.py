"""The bodies, faces and mass properties of the mock."""

from __future__ import annotations

from array import array
from collections.abc import Callable
from itertools import islice
from typing import TYPE_CHECKING, Any, ClassVar

from swgrm.capture import Component, Face, MassProperties, PartBody, PartShape, triangles_by_face
from swgrm.solidworks.api_slice import ComError
from swgrm.solidworks.swconst_calls import swBodyType_e, swUserPreferenceToggle_e
from swgrm_mocks.solidworks.dispatch import E_FAIL, MockObject
from swgrm_mocks.solidworks.tessellation import Tessellation

SIGN = int(swUserPreferenceToggle_e.swUsePositiveInertiaTensorNotation)

if TYPE_CHECKING:
    from swgrm_mocks.solidworks.documents import ModelDoc, Project


class Body2(MockObject):
    """IBody2, in the coordinates of its part."""

    interfaces: ClassVar = ("IBody2",)

    def __init__(self, record: PartBody, faces: tuple[Face2, ...], *, wants_no_name: bool = False) -> None:
        self.record, self.faces, self.wants_no_name = record, faces, wants_no_name

    def GetTessellation(self, faces: tuple[Face2, ...]) -> Tessellation:
        return Tessellation(faces or self.faces)

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

    def GetMaterialPropertyName(self, configuration: str) -> tuple[str, str]:
        if self.wants_no_name and configuration:
            return "", ""
        return self.record.material, self.record.material_database

    def GetFaces(self) -> tuple[Face2, ...]:
        return self.faces


class FaceFeature(MockObject):
    """IFeature that made faces, with its appearance; its number is 0 where this SolidWorks does not return it."""

    interfaces: ClassVar[tuple[str, ...]] = ("IFeature",)

    def __init__(self, number: int, appearance: tuple[float, ...] | None, *, wants_no_name: bool = False) -> None:
        self.number, self.appearance, self.wants_no_name = number, appearance, wants_no_name

    def GetMaterialPropertyValues2(self, _option: int, configurations: tuple[str, ...]) -> tuple[float, ...] | None:
        return None if self.wants_no_name and any(configurations) else self.appearance


class Face2(MockObject):
    """IFace2."""

    interfaces: ClassVar[tuple[str, ...]] = ("IFace2",)

    def __init__(
        self, record: Face, triangles: memoryview, *, is_drawn: bool = True, feature: FaceFeature | None = None
    ) -> None:
        self.record, self.triangles, self.is_drawn, self.feature = record, triangles, is_drawn, feature
        self.on_highlight: Callable[[bool], object] = bool  # set by the component that shows the face

    def GetTessTriangles(self, no_conversion: bool) -> tuple[float, ...] | None:
        if not no_conversion:
            raise ComError(E_FAIL, "the mock supports metres only")
        return tuple(array("f", self.triangles.tobytes())) if self.is_drawn else None

    def MaterialPropertyValues(self) -> tuple[float, ...] | None:
        return self.record.appearance

    def GetFeatureId(self) -> int:
        return self.feature.number if self.feature else 0

    def GetFeature(self) -> FaceFeature | None:
        return self.feature

    def Highlight(self, state: bool) -> None:
        self.on_highlight(state)


class WeighedProperties(MockObject):
    """The members that IMassProperty and IMassProperty2 share."""

    @property
    def values(self) -> MassProperties:
        """The captured mass properties; the mock computes none."""
        raise NotImplementedError

    def principal_axis(self, axis: int) -> tuple[float, ...] | None:
        """One of the captured axes."""
        axes = self.values.principal_axes
        return axes[3 * axis : 3 * axis + 3] if axes is not None else None

    def put_UseSystemUnits(self, value: bool) -> None:
        if not value:
            raise ComError(E_FAIL, "the mock supports SI units only")

    def Mass(self) -> float:
        return self.values.mass

    def Volume(self) -> float | None:
        return self.values.volume

    def SurfaceArea(self) -> float | None:
        return self.values.surface_area

    def Density(self) -> float | None:
        return self.values.density

    def CenterOfMass(self) -> tuple[float, ...]:
        return self.values.center_of_mass

    def GetMomentOfInertia(self, _where: int) -> tuple[float, ...] | None:
        return self.values.moments


class MassProperty(WeighedProperties):
    """IMassProperty of a part's own document: principal moments are wrong until an override was asked for."""

    interfaces: ClassVar = ("IMassProperty",)

    def __init__(self, mass: MassProperties) -> None:
        self.mass, self.is_fresh = mass, False

    @classmethod
    def of(cls, document: ModelDoc) -> MassProperty | None:
        """The mass properties of a part document; None if the capture has none."""
        shapes = (s for s in document.project.capture.shapes if s.path == document.path and not s.variant)
        found = next((s.legacy_mass for s in shapes if s.configuration == document.read_in), None)
        return None if found is None else cls(found)

    @property
    def values(self) -> MassProperties:
        """The captured mass properties."""
        return self.mass

    def AddBodies(self, bodies: tuple[Any, ...]) -> bool:
        return bool(bodies)

    def OverrideMass(self) -> bool:
        return bool(self.mass.mass_overridden)

    def OverrideCenterOfMass(self) -> bool:
        self.is_fresh = True
        return bool(self.mass.center_of_mass_overridden)

    def OverrideMomentsOfInertia(self) -> bool:
        return bool(self.mass.moments_overridden)

    def PrincipleMomentsOfInertia(self) -> tuple[float, ...] | None:
        return self.values.principal_moments if self.is_fresh else (0.0, 0.0, 0.0)

    def PrincipleAxesOfInertia(self, axis: int) -> tuple[float, ...] | None:
        return self.principal_axis(axis) if self.is_fresh else (0.0, 0.0, 0.0)


class MassProperty2(WeighedProperties):
    """IMassProperty2 of a document or of the selected items, in the coordinates of the document."""

    interfaces: ClassVar = ("IMassProperty2",)

    def __init__(self, document: ModelDoc) -> None:
        self.document, self.session = document, document.project.session
        self.preselected = tuple(self.document.project.selection)
        self.selected: tuple[Any, ...] = ()
        self.kept: tuple[Any, ...] = ()  # the first selection
        self.is_stale = False

    @classmethod
    def of(cls, document: ModelDoc) -> MassProperty2 | None:
        """The mass properties of a document; None for a part without solid bodies."""
        is_empty = document.record.type == 1 and cls(document).mass_properties() is None
        return None if is_empty else cls(document)

    @property
    def component(self) -> Any:
        """The record of the selected component; None if bodies or nothing is selected."""
        items = self.kept if self.is_stale else self.selected
        record = items[0].record if items else None
        return record if isinstance(record, Component) else None

    def _shape(self) -> PartShape | None:
        project = self.document.project
        if self.component is None:
            return next((s for s in project.capture.shapes if s.path == self.document.path), None)
        return project.index.shape(self.component)

    def mass_properties(self) -> MassProperties | None:
        """The captured mass properties, or None."""
        shape = self._shape()
        return shape.mass if shape else None

    @property
    def values(self) -> MassProperties:
        """The captured mass properties, as this SolidWorks returns them."""
        shape, mass = self._shape(), self.mass_properties()
        if shape is None or mass is None:
            raise ComError(E_FAIL, "no mass properties are captured")
        if self.component is not None and shape.through != self.component.name:
            raise ComError(E_FAIL, f"the mass properties were captured through {shape.through}")
        return self.session.weighed(mass, is_part=self.component is None, items=len(self.SelectedItems()))

    def IncludeHiddenBodiesOrComponents(self) -> bool:
        return self.session.include_hidden

    def put_IncludeHiddenBodiesOrComponents(self, value: bool) -> None:
        self.session.include_hidden = value  # of the program, not of this object

    def SelectedItems(self) -> tuple[Any, ...]:
        return (*self.selected, *(self.preselected if "selection-adds" in self.session.quirks else ()))

    def put_SelectedItems(self, items: tuple[Any, ...]) -> None:
        self.is_stale = "mass-object-cached" in self.session.quirks and bool(self.selected)
        self.kept = self.kept or items
        self.selected = items
        if "selection-adds" in self.session.quirks:
            self.document.project.selection += items

    def Recalculate(self) -> bool:
        is_assembly = self.component is not None and self.component.is_assembly
        return self.mass_properties() is not None or is_assembly

    def GetMomentOfInertia(self, where: int) -> tuple[float, ...] | None:
        """The elements of the tensor; in the positive notation of a modelled document, the products of inertia."""
        nine = super().GetMomentOfInertia(where)
        if nine is None or self.document.live is None or not self.document.live.preferences.get(SIGN):
            return nine
        return tuple(value if k % 4 == 0 else -value for k, value in enumerate(nine))

    def PrincipalMomentsOfInertia(self) -> tuple[float, ...] | None:
        return self.values.principal_moments

    def PrincipalAxesOfInertia(self, axis: int) -> tuple[float, ...] | None:
        return self.principal_axis(axis)

    def GetOverrideOptions(self) -> OverrideOptions:
        """The overrides of the configuration that is active in the part's document, whichever one is weighed."""
        project, component = self.document.project, self.component
        if component is None or component.is_assembly or project.index.document(component) is None:
            return OverrideOptions(self.mass_properties())
        active = project.document(component.path).read_in
        shapes = [s for s in project.capture.shapes if s.path == component.path and s.configuration == active]
        return OverrideOptions(shapes[0].mass if shapes else self.mass_properties())

    def SetOverrideOptions(self, options: OverrideOptions, _option: int, _configurations: tuple[str, ...]) -> bool:
        if self.document.live is None or self.component is not None:
            raise ComError(E_FAIL, "only the mass of a modelled document can be overridden")
        return self.document.live.override_mass(**options.changes)


class OverrideOptions(MockObject):
    """IMassPropertyOverrideOptions."""

    interfaces: ClassVar = ("IMassPropertyOverrideOptions",)

    def __init__(self, mass: MassProperties | None) -> None:
        self.mass = mass
        self.changes: dict[str, Any] = {}  # fields of MassProperties

    def put_OverrideMass(self, value: bool) -> None:
        self.changes["mass_overridden"] = value

    def put_OverrideCenterOfMass(self, value: bool) -> None:
        self.changes["center_of_mass_overridden"] = value

    def put_OverrideMomentsOfInertia(self, value: bool) -> None:
        self.changes["moments_overridden"] = value

    def SetOverrideMassValue(self, value: float) -> bool:
        self.changes["mass"] = value
        return True

    def SetOverrideCenterOfMassValue(self, value: tuple[float, ...], _system: str) -> bool:
        self.changes["center_of_mass"] = value
        return len(value) == 3

    def SetOverrideMomentsOfInertiaValue(self, _frame: int, value: tuple[float, ...], _system: str) -> bool:
        self.changes["moments"] = value
        return len(value) == 9

    def OverrideMass(self) -> bool:
        return self.mass is not None and bool(self.mass.mass_overridden)

    def OverrideCenterOfMass(self) -> bool:
        return self.mass is not None and bool(self.mass.center_of_mass_overridden)

    def OverrideMomentsOfInertia(self) -> bool:
        return self.mass is not None and bool(self.mass.moments_overridden)


def bodies_of(shape: PartShape | None, kind: int, project: Project) -> tuple[Body2, ...]:
    """The bodies of a shape with their faces: all, or those of one swBodyType_e."""
    if shape is None:
        return ()
    faces = triangles_by_face(shape)
    quirks = project.session.quirks
    is_drawn = "triangles-empty" not in quirks
    configurations = {each.configuration for each in project.capture.shapes if each.path == shape.path}
    wants_no_name = len(configurations) == 1 and "only-configuration-unnamed" in quirks
    features: dict[tuple[float, ...] | None, FaceFeature] = {}
    bodies: list[Body2] = []
    for body in shape.bodies:
        made: list[Face2] = []
        for _, face, data in islice(faces, len(body.faces)):
            look = face.feature_appearance
            number = 0 if "feature-without-number" in quirks else len(features) + 1
            feature = features.setdefault(look, FaceFeature(number, look, wants_no_name=wants_no_name))
            made.append(Face2(face, data, is_drawn=is_drawn, feature=feature))
        bodies.append(Body2(body, tuple(made), wants_no_name=wants_no_name))
    return tuple(body for body in bodies if kind in (swBodyType_e.swAllBodies, body.record.type))
