"""The bodies, faces, edges and vertices of a modelled part as COM objects, and what a mate picks of any object."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from swgrm.capture import EntityGeometry, Face, ReferenceGeometry
from swgrm.transforms import column_matrix
from swgrm_mocks.mates import AXIS, PLANE, LocalEntity, by_reference, point
from swgrm_mocks.modelling.new_mate import Pick, SlotPath, WrongSelection
from swgrm_mocks.modelling.part_model import PartModel, is_slot
from swgrm_mocks.modelling.solid_faces import ModelEdge, ModelFace, ModelSolid
from swgrm_mocks.solidworks.dispatch import MockObject
from swgrm_mocks.solidworks.features import MockReferenceGeometry
from swgrm_mocks.solidworks.references import MockGeometry
from swgrm_mocks.solidworks.shapes import Body2, Face2

if TYPE_CHECKING:
    from swgrm_mocks.modelling.live_documents import LiveDocument

CONE, ORIGIN_SELECTION, SYSTEM_SELECTION, POINT_SELECTION = 7, 22, 61, 6


class Selectable(MockObject):
    """The base class of what can be selected in its document: IEntity."""

    document: LiveDocument

    def Select2(self, append: bool, mark: int) -> bool:
        return self.document.select(self, append=append, mark=mark)


class ModelledFace(Face2, Selectable):
    """IFace2 of a modelled part, in its coordinates."""

    interfaces: ClassVar[tuple[str, ...]] = ("IFace2", "IEntity")

    def __init__(self, document: LiveDocument, face: ModelFace, *, is_drawn: bool) -> None:
        triangles = memoryview(face.triangles.astype("<f4").tobytes())
        super().__init__(Face(len(face.triangles)), triangles, is_drawn=is_drawn)
        self.document, self.face = document, face

    def GetSurface(self) -> MockGeometry:
        return MockGeometry("ISurface", geometry_of(self.face.surface))


class ModelledEdge(Selectable):
    """IEdge of a modelled part."""

    interfaces: ClassVar = ("IEdge", "IEntity")

    def __init__(self, document: LiveDocument, edge: ModelEdge) -> None:
        self.document, self.edge = document, edge

    def GetCurve(self) -> MockGeometry:
        return MockGeometry("ICurve", geometry_of(self.edge.curve))


class ModelledVertex(Selectable):
    """IVertex of a modelled part."""

    interfaces: ClassVar = ("IVertex", "IEntity")

    def __init__(self, document: LiveDocument, at: tuple[float, ...]) -> None:
        self.document, self.at = document, at

    def GetPoint(self) -> tuple[float, ...]:
        return self.at


class ModelledBody(Body2):
    """IBody2 of a modelled part."""

    def __init__(self, document: LiveDocument, part: PartModel, solid: ModelSolid, *, is_drawn: bool) -> None:
        record = part.shape(part.configuration_name, "", "", np.eye(4)).bodies[0]
        faces = tuple(ModelledFace(document, face, is_drawn=is_drawn) for face in solid.faces)
        super().__init__(record, faces)
        self.document, self.part, self.solid = document, part, solid

    def GetEdges(self) -> tuple[ModelledEdge, ...]:
        return tuple(ModelledEdge(self.document, edge) for edge in self.solid.edges)

    def GetVertices(self) -> tuple[ModelledVertex, ...]:
        return tuple(ModelledVertex(self.document, at) for at in self.solid.vertices)

    def GetMassProperties(self, density: float) -> tuple[float, ...]:
        """The centre, the volume, the area and the mass; the moments are left out."""
        exact = self.solid.exact
        area = sum(face.area for face in self.solid.faces)
        return (*(exact.first / exact.volume).tolist(), float(exact.volume), area, density * float(exact.volume))

    def HideBody(self, hide: bool) -> None:
        self.part.hidden = hide
        self.document.touch()


class InComponent(MockObject):
    """An entity or feature of a part, as it is in a component of an assembly."""

    def __init__(self, document: LiveDocument, component: str, inner: Any) -> None:
        self.document, self.component, self.inner = document, component, inner

    def supported_interfaces(self) -> tuple[str, ...]:
        """The interfaces of the entity."""
        return tuple(self.inner.supported_interfaces())

    def Select2(self, append: bool, mark: int) -> bool:
        return self.document.select(self, append=append, mark=mark)

    def __getattr__(self, member: str) -> Any:
        return getattr(self.inner, member)


def geometry_of(entity: LocalEntity) -> EntityGeometry:
    """The curve or surface of an entity, with the numbers of ICurve and ISurface."""
    if entity.type == CONE:
        entity = entity._replace(radii=entity.radii[::-1])  # ISurface.ConeParams: radius, then half-angle
    found = by_reference(entity).geometry
    assert found is not None  # noqa: S101 - by_reference always sets it
    return found


def picked(item: Any) -> Pick:
    """What a mate picks of an object: a face, edge, vertex, reference geometry, or component."""
    if isinstance(item, InComponent):
        return picked(item.inner)._replace(component=item.component)
    if isinstance(item, ModelledFace):
        center = _center(item.face) if item.face.surface.type == 3 else None
        return Pick("", item.face.surface, slot=_slot_path(item), center=center)
    if isinstance(item, ModelledEdge):
        return Pick("", item.edge.curve)
    if isinstance(item, ModelledVertex):
        return Pick("", point(item.at))
    if isinstance(item, MockReferenceGeometry):
        return _of_reference(item.record)
    name = getattr(item, "name", None)
    if isinstance(name, str) and hasattr(item, "put_Transform2"):
        return Pick(name, point((0.0, 0.0, 0.0)))
    raise WrongSelection("it cannot be mated")


def _of_reference(record: ReferenceGeometry) -> Pick:
    if record.kind == "axis":
        start, end = np.array(record.numbers[:3]), np.array(record.numbers[3:6])
        along = (end - start) / np.linalg.norm(end - start)
        return Pick("", LocalEntity(1, AXIS, tuple(start.tolist()), tuple(along.tolist())))
    if record.kind == "point":
        return Pick("", LocalEntity(0, POINT_SELECTION, record.numbers))
    T = column_matrix(record.numbers) if record.numbers else np.eye(4)
    at, z = tuple(T[:3, 3].tolist()), tuple(T[:3, 2].tolist())
    if record.kind == "plane":
        return Pick("", LocalEntity(3, PLANE, at, z))
    selection = SYSTEM_SELECTION if record.kind == "coordinateSystem" else ORIGIN_SELECTION
    return Pick("", LocalEntity(0, selection, at), frame=T)


def _center(face: ModelFace) -> tuple[float, ...]:
    """The middle of a planar face's box in its plane, which is the centre of a rectangle or circle."""
    corners = face.triangles.reshape(-1, 3)
    return tuple(((corners.min(axis=0) + corners.max(axis=0)) / 2).tolist())


def _slot_path(item: ModelledFace) -> SlotPath | None:
    """The slot that a face belongs to: one of the loops along which the part is extruded."""
    part = item.document.model
    if not isinstance(part, PartModel) or part.T_part_axis is None:
        return None
    T = part.T_part_axis
    corners = (item.face.triangles.reshape(-1, 3) - T[:3, 3]) @ T[:3, :3]
    if np.ptp(corners[:, 2]) < 1e-9:
        return None
    for loop in (loop for each in part.extrusions for loop in each.loops if is_slot(loop)):
        outline = np.vstack([segment.at(np.linspace(0.0, 1.0, 97)) for segment in loop.segments])
        near = [np.linalg.norm(outline - corner[:2], axis=1).min() for corner in corners]
        if max(near) < 1e-4:
            ends = [(*segment.center, 0.0) for segment in loop.segments if segment.center is not None]
            first, second = (tuple((T[:3, :3] @ np.array(end) + T[:3, 3]).tolist()) for end in sorted(ends))
            return SlotPath(first, second, tuple(T[:3, 2].tolist()))
    return None
