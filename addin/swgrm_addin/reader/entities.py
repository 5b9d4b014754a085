"""Reads the entities of a mate; where SolidWorks does not describe one, the curve or surface that it refers to."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from swgrm.capture import EntityGeometry, MateEntity
from swgrm.errors import CallError
from swgrm.swconst import swCurveTypes_e, swMateEntity2ReferenceType_e, swSurfaceTypes_e
from swgrm.swconst_calls import swSelectType_e
from swgrm_addin.reader.walk import Walk

NUMBERS = {0: 3, 1: 6, 2: 7, 3: 6, 4: 7, 5: 7, 7: 8}  # of an entity, by swMateEntity2ReferenceType_e
POINTS = (
    swMateEntity2ReferenceType_e.swMateEntity2ReferenceType_Point,
    swMateEntity2ReferenceType_e.swMateEntity2ReferenceType_Sphere,
)
EDGE, FACE = int(swSelectType_e.swSelEDGES), int(swSelectType_e.swSelFACES)
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


def read_entity(walk: Walk, entity: Any, name_of: Callable[[Any], str | None]) -> MateEntity:
    """Read one entity; `name_of` returns the name of its component."""
    kind, selection = entity.ReferenceType, entity.ReferenceType2
    nothing: tuple[float, ...] = ()
    params = walk.attempt(lambda: _params(entity, kind), nothing, "the geometry of an entity is unknown")
    geometry = None
    if _describe_nothing(kind, params):
        geometry = walk.attempt(
            lambda: _geometry(walk, entity.Reference, selection), None, "the geometry of an entity is unknown"
        )
    return MateEntity(kind, selection, name_of(entity.ReferenceComponent), params, geometry)


def _params(entity: Any, kind: int) -> tuple[float, ...]:
    numbers: tuple[float, ...] = entity.EntityParams
    if numbers and len(numbers) < NUMBERS.get(kind, 0):
        raise CallError("", "IMateEntity2.EntityParams", f"{len(numbers)} numbers instead of {NUMBERS[kind]}")
    return numbers


def _describe_nothing(kind: int, params: tuple[float, ...]) -> bool:
    """Whether the numbers of an entity are of no use: it is of an unknown kind, or has no direction."""
    return kind not in NUMBERS or (kind not in POINTS and not any(params[3:6]))


def _geometry(walk: Walk, reference: Any, selection: int) -> EntityGeometry | None:
    """The curve of an edge or sketch segment, or the surface of a face, in the coordinates of its document."""
    if reference is None:
        return None
    if selection == FACE:
        return _described(walk.port.cast(reference, "IFace2").GetSurface(), SURFACES)
    if selection == EDGE:
        return _described(walk.port.cast(reference, "IEdge").GetCurve(), CURVES)
    return _described(walk.port.wrap(reference.raw, "ISketchSegment").GetCurve(), CURVES)


def _described(found: Any, numbers: dict[int, Callable[[Any], tuple[float, ...]]]) -> EntityGeometry:
    identity = found.Identity() if found is not None else 0
    return EntityGeometry(identity, numbers[identity](found) if identity in numbers else ())
