"""Reads the entities of a mate; where SolidWorks does not describe one, the curve or surface that it refers to."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from swgrm.capture import EntityGeometry, MateEntity
from swgrm.errors import CallError
from swgrm.solidworks.swconst import swCurveTypes_e, swMateEntity2ReferenceType_e, swSurfaceTypes_e
from swgrm.solidworks.swconst_calls import swSelectType_e
from swgrm_addin.reader.walk import Walk

NUMBERS = {0: 3, 1: 6, 2: 7, 3: 6, 4: 7, 5: 7, 7: 8}  # of an entity, by swMateEntity2ReferenceType_e
POINTS = (
    swMateEntity2ReferenceType_e.swMateEntity2ReferenceType_Point,
    swMateEntity2ReferenceType_e.swMateEntity2ReferenceType_Sphere,
)
CURVES: dict[int, Callable[[Any], tuple[float, ...]]] = {
    swCurveTypes_e.LINE_TYPE: lambda curve: curve.LineParams,
    swCurveTypes_e.CIRCLE_TYPE: lambda curve: curve.CircleParams,
}
SURFACES: dict[int, Callable[[Any], tuple[float, ...]]] = {
    swSurfaceTypes_e.PLANE_TYPE: lambda surface: surface.PlaneParams,
    swSurfaceTypes_e.CYLINDER_TYPE: lambda surface: surface.CylinderParams,
    swSurfaceTypes_e.CONE_TYPE: lambda surface: surface.ConeParams,
    swSurfaceTypes_e.SPHERE_TYPE: lambda surface: surface.SphereParams,
}


def read_entity(walk: Walk, entity: Any, component: str | None) -> MateEntity:
    """Read one entity of a component."""
    kind, selection = entity.ReferenceType, entity.ReferenceType2
    params, geometry, is_lost = _described_by_numbers(walk, entity, kind, selection)
    return MateEntity(kind, selection, component, params, geometry, is_lost)


def _described_by_numbers(
    walk: Walk, entity: Any, kind: int, selection: int
) -> tuple[tuple[float, ...], EntityGeometry | None, bool]:
    """The numbers of an entity, the geometry that it refers to if they are of no use, and whether it lost that."""
    error: CallError | None = None
    params: tuple[float, ...] = ()
    try:
        params = _params(entity, kind)
    except CallError as raised:
        error = raised
    if not _describe_nothing(kind, params):
        is_lost = walk.attempt(lambda: entity.Reference is None, False, "a missing entity is not noticed")
        return params, None, is_lost
    unknown = "the geometry of an entity is unknown"
    geometry = walk.attempt(lambda: _geometry(walk, entity.Reference, selection), None, unknown)
    if error is not None:
        if geometry is None or not geometry.numbers:
            walk.not_read(error, unknown)
        else:
            walk.port.note_default(error)
    return params, geometry, False


def _params(entity: Any, kind: int) -> tuple[float, ...]:
    numbers: tuple[float, ...] = entity.EntityParams
    if len(numbers) < NUMBERS.get(kind, 0):
        raise CallError("", "IMateEntity2.EntityParams", f"{len(numbers)} numbers instead of {NUMBERS[kind]}")
    return numbers


def _describe_nothing(kind: int, params: tuple[float, ...]) -> bool:
    """Whether the numbers of an entity are of no use: it is of an unknown kind, or has no point or no direction."""
    return kind not in NUMBERS or len(params) < 3 or (kind not in POINTS and not any(params[3:6]))


def _geometry(walk: Walk, reference: Any, selection: int) -> EntityGeometry | None:
    """The geometry that an entity refers to, in the coordinates of its component's document."""
    if reference is None:
        return None
    interface, described = REFERENCES.get(selection, SKETCH_SEGMENT)
    # The IID of a sketch segment is not known.
    of_kind = walk.port.wrap(reference.raw, interface) if interface == SKETCH_SEGMENT[0] else None
    return described(of_kind or walk.port.cast(reference, interface))


def _face(face: Any) -> EntityGeometry:
    """The surface of a face; a plane with the normal of the face, since that of its surface may point into the body."""
    surface = _described(face.GetSurface(), SURFACES)
    if surface.identity != swSurfaceTypes_e.PLANE_TYPE:
        return surface
    normal = face.Normal
    return EntityGeometry(surface.identity, (*normal, *surface.numbers[3:])) if any(normal) else surface


def _edge(edge: Any) -> EntityGeometry:
    return _described(edge.GetCurve(), CURVES)


def _plane(plane: Any) -> EntityGeometry:
    """A reference plane: its normal is the z of its frame."""
    numbers = plane.Transform.ArrayData
    return EntityGeometry(int(swSurfaceTypes_e.PLANE_TYPE), (*numbers[6:9], *numbers[9:12]))


def _axis(axis: Any) -> EntityGeometry:
    """A reference axis, from its start to its end."""
    numbers = axis.GetRefAxisParams()
    direction = [end - start for start, end in zip(numbers[:3], numbers[3:], strict=True)]
    return EntityGeometry(int(swCurveTypes_e.LINE_TYPE), (*numbers[:3], *direction))


def _point(numbers: tuple[float, ...]) -> EntityGeometry:
    return EntityGeometry(0, numbers)


Description = Callable[[Any], EntityGeometry]
SKETCH_SEGMENT: tuple[str, Description] = ("ISketchSegment", _edge)
REFERENCES: dict[int, tuple[str, Description]] = {
    swSelectType_e.swSelEDGES: ("IEdge", _edge),
    swSelectType_e.swSelFACES: ("IFace2", _face),
    swSelectType_e.swSelVERTICES: ("IVertex", lambda vertex: _point(vertex.GetPoint())),
    swSelectType_e.swSelDATUMPLANES: ("IRefPlane", _plane),
    swSelectType_e.swSelDATUMAXES: ("IRefAxis", _axis),
    swSelectType_e.swSelDATUMPOINTS: ("IRefPoint", lambda point: _point(point.GetRefPoint().ArrayData)),
}
"""What an entity refers to, by its selection type: the interface, and what describes it; others: a sketch segment."""


def _described(found: Any, numbers: dict[int, Callable[[Any], tuple[float, ...]]]) -> EntityGeometry:
    identity = found.Identity() if found is not None else 0
    return EntityGeometry(identity, numbers[identity](found) if identity in numbers else ())
