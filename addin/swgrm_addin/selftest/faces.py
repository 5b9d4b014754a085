"""Finds faces, edges and vertices of the self-test's parts by their geometry, and brings them into an assembly."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from swgrm.errors import SolidWorksError
from swgrm.solidworks.swconst import swCurveTypes_e
from swgrm.solidworks.swconst_calls import swBodyType_e
from swgrm_addin.selftest.entities import (
    ASSEMBLY,
    Conical,
    Corner,
    Entity,
    Flat,
    NamedFeature,
    Plane,
    Round,
    Spherical,
    Straight,
    Whole,
)
from swgrm_addin.selftest.planes import default_plane, features

SURFACES = {"plane": 4001, "cylinder": 4002, "cone": 4003, "sphere": 4004}  # swSurfaceTypes_e
LINE = int(swCurveTypes_e.LINE_TYPE)
Point = tuple[float, float, float]  # [m]
SAME = 1e-6  # [m], or of a unit vector
SOLID = int(swBodyType_e.swSolidBody)


def surfaces(document: Any, kind: str) -> Iterator[tuple[Any, Any]]:
    """The faces of a part whose surfaces are of that kind, with their surfaces."""
    for body in solid_bodies(document):
        for face in body.GetFaces():
            surface = face.GetSurface()
            if surface is not None and surface.Identity() == SURFACES[kind]:
                yield face, surface


def find_face(
    document: Any, kind: str, *, radius: float = 0.0, normal: tuple[float, ...] = (), offset: float = 0.0
) -> Any:
    """The first face of a part of that kind; of that radius, or with that normal and offset."""
    for face, surface in surfaces(document, kind):
        if kind == "cylinder" and abs(surface.CylinderParams[6] - radius) > SAME:
            continue
        if kind == "plane" and not _is_at(surface.PlaneParams, normal, offset):
            continue
        return face
    what = f"cylinder of radius {radius * 1000:g} mm" if radius else kind
    raise SolidWorksError(f"SolidWorks returned no face that is a {what}.")


def solid_bodies(document: Any) -> Any:
    """The solid bodies of a part that are visible."""
    return document.port.cast(document, "IPartDoc").GetBodies2(SOLID, True)


def find_vertex(document: Any, point: Point) -> Any:
    """The vertex of a part at a point."""
    for body in solid_bodies(document):
        for vertex in body.GetVertices():
            if math.dist(vertex.GetPoint(), point) < SAME:
                return vertex
    raise SolidWorksError("SolidWorks returned no vertex at a corner of the part.")


def find_edge(document: Any, start: Point, end: Point) -> Any:
    """The straight edge of a part between two points."""
    for body in solid_bodies(document):
        for edge in body.GetEdges():
            curve = edge.GetCurve()
            if curve is not None and curve.Identity() == LINE and _is_through(curve.LineParams, start, end):
                return edge
    raise SolidWorksError("SolidWorks returned no straight edge between two corners of the part.")


def _is_through(line: tuple[float, ...], start: Point, end: Point) -> bool:
    """Whether a line (point, direction) goes through two points."""
    return all(distance_from_line(line, point) < SAME for point in (start, end))


def distance_from_line(line: Sequence[float], point: Sequence[float]) -> float:
    """The distance of a point from a line: |d × (p − a)| / |d|."""
    d, v = line[3:6], [p - a for p, a in zip(point, line[:3], strict=True)]
    normal = d[1] * v[2] - d[2] * v[1], d[2] * v[0] - d[0] * v[2], d[0] * v[1] - d[1] * v[0]
    return math.hypot(*normal) / math.hypot(*d)


def _is_at(params: tuple[float, ...], normal: tuple[float, ...], offset: float) -> bool:
    """Whether a plane (normal, point) is the one with that normal, in either sense, at that offset along it."""
    cosine = sum(a * b for a, b in zip(params[:3], normal, strict=True))
    distance = sum(a * b for a, b in zip(params[3:6], normal, strict=True))
    return abs(abs(cosine) - 1) < SAME and abs(distance - offset) < SAME


def _face_of(**wanted: Any) -> Callable[[Any], Any]:
    return lambda document: find_face(document, **wanted)


def _feature(document: Any, type_name: str) -> Any:
    """The first feature of a document with that type name."""
    for feature in features(document):
        if feature.GetTypeName2() == type_name:
            return feature
    raise SolidWorksError(f"SolidWorks returned no feature of type {type_name}.")


FACES: Mapping[type, Callable[[Any], Callable[[Any], Any]]] = {
    Flat: lambda entity: _face_of(kind="plane", normal=entity.normal, offset=entity.offset),
    Round: lambda entity: _face_of(kind="cylinder", radius=entity.radius),
    Conical: lambda _: _face_of(kind="cone"),
    Spherical: lambda _: _face_of(kind="sphere"),
    Corner: lambda entity: lambda document: find_vertex(document, entity.point),
    Straight: lambda entity: lambda document: find_edge(document, entity.start, entity.end),
}
FEATURES: Mapping[type, Callable[[Any, Any], Any]] = {
    Plane: lambda document, entity: default_plane(document, entity.normal),
    NamedFeature: lambda document, entity: _feature(document, entity.type_name),
}


def in_assembly(document: Any, components: Mapping[str, Any], entity: Entity) -> Any:
    """The object of an assembly that an entity of the tables means, to be selected by a mate."""
    if entity.component == ASSEMBLY and type(entity) in FEATURES:
        return FEATURES[type(entity)](document, entity)
    component = components[entity.component]
    if isinstance(entity, Whole):
        return component
    model = component.GetModelDoc2()
    if model is None:
        raise SolidWorksError(f"SolidWorks returned no document for {entity.component}.")
    if type(entity) in FACES:
        found = component.GetCorrespondingEntity(FACES[type(entity)](entity)(model))
    else:
        found = component.FeatureByName(FEATURES[type(entity)](model, entity).Name)
    if found is None:
        raise SolidWorksError(
            f"SolidWorks returned nothing in the assembly for {type(entity).__name__} of {component}."
        )
    return found
