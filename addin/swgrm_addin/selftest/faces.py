"""Finds the faces of the self-test's parts by their geometry, and brings them into an assembly."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from swgrm.errors import SolidWorksError
from swgrm.swconst import swBodyType_e
from swgrm_addin.selftest.entities import ASSEMBLY, Conical, Entity, Flat, NamedFeature, Plane, Round, Spherical, Whole

SURFACES = {"plane": 4001, "cylinder": 4002, "cone": 4003, "sphere": 4004}  # swSurfaceTypes_e
SAME = 1e-6  # [m], or of a unit vector
SOLID = int(swBodyType_e.swSolidBody)


def surfaces(document: Any, kind: str) -> Iterator[tuple[Any, Any]]:
    """The faces of a part whose surfaces are of that kind, with their surfaces."""
    part = document.port.cast(document, "IPartDoc")
    for body in part.GetBodies2(SOLID, True):
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


def _is_at(params: tuple[float, ...], normal: tuple[float, ...], offset: float) -> bool:
    """Whether a plane (normal, point) is the one with that normal, in either sense, at that offset along it."""
    cosine = sum(a * b for a, b in zip(params[:3], normal, strict=True))
    distance = sum(a * b for a, b in zip(params[3:6], normal, strict=True))
    return abs(abs(cosine) - 1) < SAME and abs(distance - offset) < SAME


def _face_of(**wanted: Any) -> Callable[[Any], Any]:
    return lambda document: find_face(document, **wanted)


def _feature(document: Any, type_name: str, number: int = 0) -> Any:
    from swgrm_addin.selftest.documents import features

    found = [feature for feature in features(document) if feature.GetTypeName2() == type_name]
    if len(found) <= number:
        raise SolidWorksError(f"SolidWorks returned no feature of type {type_name}.")
    return found[number]


FACES: Mapping[type, Callable[[Any], Callable[[Any], Any]]] = {
    Flat: lambda entity: _face_of(kind="plane", normal=entity.normal, offset=entity.offset),
    Round: lambda entity: _face_of(kind="cylinder", radius=entity.radius),
    Conical: lambda _: _face_of(kind="cone"),
    Spherical: lambda _: _face_of(kind="sphere"),
}
FEATURES: Mapping[type, Callable[[Any], tuple[str, int]]] = {
    Plane: lambda entity: ("RefPlane", entity.number),
    NamedFeature: lambda entity: (entity.type_name, 0),
}


def in_assembly(document: Any, components: Mapping[str, Any], entity: Entity) -> Any:
    """The object of an assembly that an entity of the tables means, to be selected by a mate."""
    if entity.component == ASSEMBLY and type(entity) in FEATURES:
        return _feature(document, *FEATURES[type(entity)](entity))
    component = components[entity.component]
    if isinstance(entity, Whole):
        return component
    model = component.GetModelDoc2()
    if model is None:
        raise SolidWorksError(f"SolidWorks returned no document for {entity.component}.")
    if type(entity) in FACES:
        found = component.GetCorrespondingEntity(FACES[type(entity)](entity)(model))
    else:
        found = component.FeatureByName(_feature(model, *FEATURES[type(entity)](entity)).Name)
    if found is None:
        raise SolidWorksError(
            f"SolidWorks returned nothing in the assembly for {type(entity).__name__} of {component}."
        )
    return found
