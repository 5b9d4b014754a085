"""Entities of captured mates placed in the assembly's space, by their parameters or by the geometry of their reference.

SolidWorks gives no parameters for some entities (segments of 3D sketches, general curves): then the curve or surface
that the entity refers to is used, which is in the coordinates of its component.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from swgrm.capture import EntityGeometry, MateEntity
from swgrm.inference.geometry.twists import Array
from swgrm.inference.mates.types import DIRECTED, GeometryKind, PlacedEntity
from swgrm.solidworks.swconst import swCurveTypes_e as Curve
from swgrm.solidworks.swconst import swMateEntity2ReferenceType_e as Reference
from swgrm.solidworks.swconst import swSurfaceTypes_e as Surface

KINDS: Mapping[int, GeometryKind] = {
    Reference.swMateEntity2ReferenceType_Point: GeometryKind.POINT,
    Reference.swMateEntity2ReferenceType_Line: GeometryKind.LINE,
    Reference.swMateEntity2ReferenceType_Circle: GeometryKind.CIRCLE,
    Reference.swMateEntity2ReferenceType_Plane: GeometryKind.PLANE,
    Reference.swMateEntity2ReferenceType_Cylinder: GeometryKind.CYLINDER,
    Reference.swMateEntity2ReferenceType_Sphere: GeometryKind.SPHERE,
    Reference.swMateEntity2ReferenceType_Cone: GeometryKind.CONE,
}
NUMBERS_NEEDED = {GeometryKind.POINT: 3, GeometryKind.SPHERE: 3, GeometryKind.OTHER: 0}  # others: 6
IN_PLACE = np.eye(4)  # a transform that changes nothing, recognised by being this object
NOTHING = (0.0,) * 7


class _Numbers(NamedTuple):
    """Where the numbers of a curve or surface are: the first index of each, and how many there are at least."""

    kind: GeometryKind
    length: int
    point: int = 0
    direction: int = 3
    radius: int | None = None


NO_CURVE = 0  # the identity of what is neither curve nor surface: a point, if it has numbers
GEOMETRY: Mapping[int, _Numbers] = {
    NO_CURVE: _Numbers(GeometryKind.POINT, 3),
    Curve.LINE_TYPE: _Numbers(GeometryKind.LINE, 6),
    Curve.CIRCLE_TYPE: _Numbers(GeometryKind.CIRCLE, 7, radius=6),
    Surface.PLANE_TYPE: _Numbers(GeometryKind.PLANE, 6, point=3, direction=0),
    Surface.CYLINDER_TYPE: _Numbers(GeometryKind.CYLINDER, 7, radius=6),
    Surface.CONE_TYPE: _Numbers(GeometryKind.CONE, 6),
    Surface.SPHERE_TYPE: _Numbers(GeometryKind.SPHERE, 4, radius=3),
}
SEEN: Mapping[int, str] = {
    Reference.swMateEntity2ReferenceType_Set: "set of entities",
    Reference.swMateEntity2ReferenceType_SweptSurface: "swept surface",
    Reference.swMateEntity2ReferenceType_MultipleSurface: "set of surfaces",
    Reference.swMateEntity2ReferenceType_GenSurface: "general surface",
    Reference.swMateEntity2ReferenceType_Ellipse: "ellipse",
    Reference.swMateEntity2ReferenceType_GeneralCurve: "general curve",
    Curve.ELLIPSE_TYPE: "ellipse",
    Curve.INTERSECTION_TYPE: "intersection curve",
    Curve.BCURVE_TYPE: "spline",
    Curve.SPCURVE_TYPE: "curve on a surface",
    Curve.CONSTPARAM_TYPE: "curve on a surface",
    Curve.TRIMMED_TYPE: "part of a curve",
    Surface.TORUS_TYPE: "torus",
    Surface.BSURF_TYPE: "spline surface",
    Surface.BLEND_TYPE: "blend surface",
    Surface.OFFSET_TYPE: "offset surface",
    Surface.EXTRU_TYPE: "extruded surface",
    Surface.SREV_TYPE: "surface of revolution",
}
"""What entities are called that are none of the kinds."""


class EntityFrames(NamedTuple):
    """Where an entity is: its node, and the transforms from two spaces to the one that it is placed in."""

    node: int
    mate: Array  # from the coordinates of the mate's document
    component: Array  # from the coordinates of the entity's own component


def place_entity(entity: MateEntity, frames: EntityFrames) -> PlacedEntity:
    """An entity in the space that its frames lead to."""
    kind = KINDS.get(entity.type, GeometryKind.OTHER)
    numbers = entity.params
    if len(numbers) < NUMBERS_NEEDED.get(kind, 6):
        kind = GeometryKind.POINT if len(numbers) >= 3 else GeometryKind.OTHER
    if entity.geometry and (kind is GeometryKind.OTHER or not any(numbers)):
        return _by_reference(entity.geometry, frames)
    x, y, z, i, j, k, size = (*numbers, *NOTHING)[:7]
    if kind is GeometryKind.CONE:
        size = 0.0  # SolidWorks gives a cone's half-angle here
    if kind not in DIRECTED:
        i, j, k = 0.0, 0.0, 0.0
        size = numbers[3] if len(numbers) == 4 else size
    return _placed(PlacedEntity(kind, frames.node, (x, y, z), (i, j, k), size, SEEN.get(entity.type, "")), frames.mate)


def _by_reference(geometry: EntityGeometry, frames: EntityFrames) -> PlacedEntity:
    where = GEOMETRY.get(geometry.identity)
    numbers = geometry.numbers
    if where is None or len(numbers) < where.length:
        seen = SEEN.get(geometry.identity, "")
        return PlacedEntity(GeometryKind.OTHER, frames.node, (0.0, 0.0, 0.0), described=seen)
    x, y, z = numbers[where.point : where.point + 3]
    i, j, k = numbers[where.direction : where.direction + 3] if where.kind in DIRECTED else (0.0, 0.0, 0.0)
    radius = 0.0 if where.radius is None else numbers[where.radius]
    return _placed(PlacedEntity(where.kind, frames.node, (x, y, z), (i, j, k), radius), frames.component)


def _placed(entity: PlacedEntity, T: Array) -> PlacedEntity:
    if T is IN_PLACE:
        return entity
    x, y, z = (T[:3, :3] @ entity.point + T[:3, 3]).tolist()
    i, j, k = (T[:3, :3] @ entity.direction).tolist()
    return PlacedEntity(entity.kind, entity.node, (x, y, z), (i, j, k), entity.radius, entity.described)
