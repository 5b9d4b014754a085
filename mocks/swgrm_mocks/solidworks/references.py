"""What the entities of the mock's mates refer to: faces, edges, vertices, sketch segments and reference geometry."""

from __future__ import annotations

import math
from typing import ClassVar

from swgrm.capture import EntityGeometry, MateEntity
from swgrm.solidworks.api_slice import ComError
from swgrm.solidworks.swconst import swCurveTypes_e, swMateEntity2ReferenceType_e, swSurfaceTypes_e
from swgrm.solidworks.swconst_calls import swSelectType_e
from swgrm_mocks.solidworks.dispatch import E_FAIL, MockObject

INTERFACES: dict[int, str] = {
    swSelectType_e.swSelEDGES: "IEdge",
    swSelectType_e.swSelFACES: "IFace2",
    swSelectType_e.swSelVERTICES: "IVertex",
    swSelectType_e.swSelDATUMPLANES: "IRefPlane",
    swSelectType_e.swSelDATUMAXES: "IRefAxis",
    swSelectType_e.swSelDATUMPOINTS: "IRefPoint",
}
POINT = 0  # the identity of a point, which is neither a curve nor a surface
IDENTITIES: dict[int, int] = {
    swMateEntity2ReferenceType_e.swMateEntity2ReferenceType_Point: POINT,
    swMateEntity2ReferenceType_e.swMateEntity2ReferenceType_Line: swCurveTypes_e.LINE_TYPE,
    swMateEntity2ReferenceType_e.swMateEntity2ReferenceType_Circle: swCurveTypes_e.CIRCLE_TYPE,
    swMateEntity2ReferenceType_e.swMateEntity2ReferenceType_Plane: swSurfaceTypes_e.PLANE_TYPE,
    swMateEntity2ReferenceType_e.swMateEntity2ReferenceType_Cylinder: swSurfaceTypes_e.CYLINDER_TYPE,
    swMateEntity2ReferenceType_e.swMateEntity2ReferenceType_Sphere: swSurfaceTypes_e.SPHERE_TYPE,
    swMateEntity2ReferenceType_e.swMateEntity2ReferenceType_Cone: swSurfaceTypes_e.CONE_TYPE,
}


def geometry_in_component(entity: MateEntity, transform: tuple[float, ...] | None) -> EntityGeometry | None:
    """The curve, surface or point of an entity in the coordinates of its component; None for other kinds."""
    identity = IDENTITIES.get(entity.type)
    if entity.geometry is not None or identity is None or not any(entity.params):
        return entity.geometry
    if not all(map(math.isfinite, entity.params)):
        return None
    numbers = (*entity.params, *[0.0] * 8)[:8]
    point, direction, size = numbers[:3], numbers[3:6], numbers[6:]
    if transform is not None:
        origin = transform[9:12]
        shift = tuple(there - start for there, start in zip(point, origin, strict=True))
        point = _in_axes(shift, transform)
        direction = _in_axes(direction, transform)
    parts = {
        POINT: (point,),
        swCurveTypes_e.LINE_TYPE: (point, direction),
        swSurfaceTypes_e.PLANE_TYPE: (direction, point),
        swSurfaceTypes_e.SPHERE_TYPE: (point, size[:1]),
        swSurfaceTypes_e.CONE_TYPE: (point, direction, size[::-1]),  # the radius, then the half-angle
    }.get(identity, (point, direction, size[:1]))
    return EntityGeometry(int(identity), tuple(float(number) for part in parts for number in part))


def _in_axes(vector: tuple[float, ...], transform: tuple[float, ...]) -> tuple[float, ...]:
    """The components of a vector along the axes of a transform's rotation, which are its rows.

    Without numpy: a host that loads the mock must not load it.
    """
    axes = (transform[0:3], transform[3:6], transform[6:9])
    return tuple(sum(along * part for along, part in zip(axis, vector, strict=True)) for axis in axes)


class MathTransform(MockObject):
    """IMathTransform, for row vectors."""

    interfaces: ClassVar = ("IMathTransform",)

    def __init__(self, numbers: tuple[float, ...]) -> None:
        self.numbers = numbers

    def ArrayData(self) -> tuple[float, ...]:
        return self.numbers


class MathPoint(MathTransform):
    """IMathPoint."""

    interfaces: ClassVar = ("IMathPoint",)


class MockReference(MockObject):
    """A face, edge, vertex or sketch segment, or reference geometry, by the selection type of the entity."""

    def __init__(self, selection: int, geometry: EntityGeometry, component: MockObject | None) -> None:
        self.selection, self.geometry, self.component = selection, geometry, component

    def supported_interfaces(self) -> tuple[str, ...]:
        """The interface of its kind, and IEntity."""
        return INTERFACES.get(self.selection, "ISketchSegment"), "IEntity"

    def GetComponent(self) -> MockObject | None:
        return self.component

    def GetCurve(self) -> MockGeometry | None:
        return MockGeometry("ICurve", self.geometry) if self.geometry.identity else None

    def GetSurface(self) -> MockGeometry | None:
        """The surface of a face; the normal of a plane surface may point into the body, unlike that of the face."""
        identity, numbers = self.geometry.identity, self.geometry.numbers
        if identity == swSurfaceTypes_e.PLANE_TYPE and next((n for n in numbers[:3] if abs(n) > 1e-6), 0.0) < 0:
            numbers = (*(-number for number in numbers[:3]), *numbers[3:])
        return MockGeometry("ISurface", EntityGeometry(identity, numbers)) if identity else None

    def Normal(self) -> tuple[float, ...]:
        """The normal of a plane face, out of the body."""
        is_plane = self.geometry.identity == swSurfaceTypes_e.PLANE_TYPE
        return self.geometry.numbers[:3] if is_plane else (0.0, 0.0, 0.0)

    def GetPoint(self) -> tuple[float, ...]:
        return self.geometry.numbers[:3]

    def GetRefPoint(self) -> MathPoint:
        return MathPoint(self.geometry.numbers[:3])

    def GetRefAxisParams(self) -> tuple[float, ...]:
        """The ends of an axis."""
        start, direction = self.geometry.numbers[:3], self.geometry.numbers[3:6]
        end = [from_start + along for from_start, along in zip(start, direction, strict=True)]
        return (*start, *end)

    def Transform(self) -> MathTransform:
        """The frame of a plane, whose z is its normal."""
        z, origin = self.geometry.numbers[:3], self.geometry.numbers[3:6]
        least = min(range(3), key=lambda axis: abs(z[axis]))
        x = cross(tuple(float(axis == least) for axis in range(3)), z)
        length = math.hypot(*x)
        x = tuple(part / length for part in x)
        return MathTransform((*x, *cross(z, x), *z, *origin, 1.0, 0.0, 0.0, 0.0))


def cross(first: tuple[float, ...], second: tuple[float, ...]) -> tuple[float, ...]:
    """The cross product; without numpy, as `_in_axes`."""
    (a, b, c), (x, y, z) = first, second
    return b * z - c * y, c * x - a * z, a * y - b * x


class MockGeometry(MockObject):
    """ICurve or ISurface: the numbers of its own identity, and errors for those of others."""

    def __init__(self, interface: str, geometry: EntityGeometry) -> None:
        self.interface, self.geometry = interface, geometry

    def supported_interfaces(self) -> tuple[str, ...]:
        """ICurve or ISurface."""
        return (self.interface,)

    def Identity(self) -> int:
        return self.geometry.identity

    def LineParams(self) -> tuple[float, ...]:
        return self._numbers(swCurveTypes_e.LINE_TYPE)

    def CircleParams(self) -> tuple[float, ...]:
        return self._numbers(swCurveTypes_e.CIRCLE_TYPE)

    def PlaneParams(self) -> tuple[float, ...]:
        return self._numbers(swSurfaceTypes_e.PLANE_TYPE)

    def CylinderParams(self) -> tuple[float, ...]:
        return self._numbers(swSurfaceTypes_e.CYLINDER_TYPE)

    def ConeParams(self) -> tuple[float, ...]:
        return self._numbers(swSurfaceTypes_e.CONE_TYPE)

    def SphereParams(self) -> tuple[float, ...]:
        return self._numbers(swSurfaceTypes_e.SPHERE_TYPE)

    def _numbers(self, identity: int) -> tuple[float, ...]:
        if self.geometry.identity != identity:
            raise ComError(E_FAIL, "the geometry is of another kind")
        return self.geometry.numbers
