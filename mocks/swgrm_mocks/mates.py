"""Mates for the builder: entities in the coordinates of a component, and one method per mate type."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from swgrm.capture import (
    Angle,
    AnyFeatureData,
    Concentric,
    Distance,
    EntityGeometry,
    Gear,
    Hinge,
    LinearCoupler,
    Mate,
    MateEntity,
    ProfileCenter,
    RackPinion,
    Screw,
    Slot,
    UniversalJoint,
    Width,
)
from swgrm.solidworks.swconst import swMateType_e

if TYPE_CHECKING:
    from swgrm.transforms import Array

UNKNOWN = 13  # swMateEntity2ReferenceType_e of entities without parameters
IDENTITIES = {1: 3001, 2: 3002, 3: 4001, 4: 4002, 5: 4004, 7: 4003}  # swCurveTypes_e, swSurfaceTypes_e by type
EDGE, FACE, VERTEX, PLANE, AXIS = 1, 2, 3, 4, 5  # swSelectType_e


class LocalEntity(NamedTuple):
    """An entity in the coordinates of its component: its type, point, direction and radii."""

    type: int  # swMateEntity2ReferenceType_e
    selection: int
    point: tuple[float, ...]
    direction: tuple[float, ...] = ()
    radii: tuple[float, ...] = ()
    geometry: EntityGeometry | None = None  # instead of parameters

    def of(self, component: str | None, T: Array) -> MateEntity:
        """The mate entity in the coordinates of the assembly, where T is the component's pose."""
        if self.geometry:
            return MateEntity(UNKNOWN, self.selection, component, (0.0,) * 8, self.geometry)
        point = T[:3, :3] @ np.array(self.point) + T[:3, 3]
        direction = T[:3, :3] @ np.array(self.direction) if self.direction else np.array(())
        numbers = tuple(float(x) for x in (*point, *direction, *self.radii))
        return MateEntity(self.type, self.selection, component, numbers)


def point(at: Any) -> LocalEntity:
    """A vertex."""
    return LocalEntity(0, VERTEX, tuple(at))


def line(at: Any, direction: Any) -> LocalEntity:
    """A straight edge."""
    return LocalEntity(1, EDGE, tuple(at), tuple(direction))


def circle(at: Any, normal: Any, radius: float) -> LocalEntity:
    """A circular edge."""
    return LocalEntity(2, EDGE, tuple(at), tuple(normal), (radius,))


def plane(at: Any, normal: Any) -> LocalEntity:
    """A planar face."""
    return LocalEntity(3, FACE, tuple(at), tuple(normal))


def shaft(at: Any, direction: Any, radius: float) -> LocalEntity:
    """A cylindrical face: a shaft or a bore."""
    return LocalEntity(4, FACE, tuple(at), tuple(direction), (radius,))


def sphere(at: Any, radius: float) -> LocalEntity:
    """A spherical face."""
    return LocalEntity(5, FACE, tuple(at), (1.0, 0.0, 0.0), (radius,))


def cone(at: Any, direction: Any, half_angle: float) -> LocalEntity:
    """A conical face: the centre of its base, its axis, and its half-angle in radians."""
    return LocalEntity(7, FACE, tuple(at), tuple(direction), (half_angle, 0.0))


def by_reference(entity: LocalEntity) -> LocalEntity:
    """An entity that SolidWorks describes only by the curve or surface that it refers to."""
    point, direction, radii = (tuple(map(float, numbers)) for numbers in entity[2:5])
    numbers = {3: (*direction, *point), 5: (*point, *radii)}.get(entity.type, (*point, *direction, *radii))
    return entity._replace(geometry=EntityGeometry(IDENTITIES[entity.type], numbers))


def general_curve(identity: int) -> LocalEntity:
    """A curve that is neither straight nor circular: its swCurveTypes_e."""
    return LocalEntity(UNKNOWN, EDGE, (0.0, 0.0, 0.0), geometry=EntityGeometry(identity))


def ground(entity: LocalEntity) -> MateEntity:
    """An entity of the assembly itself: one of its planes, axes or points."""
    selected = entity._replace(selection={3: PLANE, 1: AXIS}.get(entity.type, entity.selection))
    return selected.of("", np.eye(4))


class MateBuilder:
    """Methods that add mates to an assembly; keyword arguments set fields of Mate, such as `suppressed` or `error`."""

    def mate(
        self, kind: int | None, feature_type: str, *entities: MateEntity, data: AnyFeatureData | None = None,
        name: str = "", **fields: Any,
    ) -> Mate:  # fmt: skip
        """Adds a mate; implemented by the assembly."""
        raise NotImplementedError

    def coincident(self, *entities: MateEntity, **fields: Any) -> Mate:
        """Adds a coincident mate."""
        return self.mate(swMateType_e.swMateCOINCIDENT, "MateCoincident", *entities, **fields)

    def concentric(self, *entities: MateEntity, lock_rotation: bool = False, **fields: Any) -> Mate:
        """Adds a concentric mate, optionally with locked rotation."""
        data = Concentric(lock_rotation, fields.get("alignment", 0))
        return self.mate(swMateType_e.swMateCONCENTRIC, "MateConcentric", *entities, data=data, **_aligned(fields))

    def parallel(self, *entities: MateEntity, **fields: Any) -> Mate:
        """Adds a parallel mate."""
        return self.mate(swMateType_e.swMatePARALLEL, "MateParallel", *entities, **fields)

    def perpendicular(self, *entities: MateEntity, **fields: Any) -> Mate:
        """Adds a perpendicular mate."""
        return self.mate(swMateType_e.swMatePERPENDICULAR, "MatePerpendicular", *entities, **fields)

    def tangent(self, *entities: MateEntity, **fields: Any) -> Mate:
        """Adds a tangent mate."""
        return self.mate(swMateType_e.swMateTANGENT, "MateTangent", *entities, **fields)

    def distance(
        self, *entities: MateEntity, value: float, limits: tuple[float, float] | None = None, **fields: Any
    ) -> Mate:
        """Adds a distance mate, or a limit distance mate, in metres."""
        low, high = limits or (value, value)
        data = Distance(value, high, low, limits is not None, False, fields.get("alignment", 0))
        kind = "MateLimitDistanceDim" if limits else "MateDistanceDim"
        return self._varying(swMateType_e.swMateDISTANCE, kind, entities, data, (low - value, high - value), fields)

    def angle(
        self, *entities: MateEntity, value: float, limits: tuple[float, float] | None = None, **fields: Any
    ) -> Mate:
        """Adds an angle mate, or a limit angle mate, in radians."""
        low, high = limits or (value, value)
        data = Angle(value, high, low, limits is not None, False, fields.get("alignment", 0))
        kind = "MateLimitPlanarAngleDim" if limits else "MatePlanarAngleDim"
        return self._varying(swMateType_e.swMateANGLE, kind, entities, data, (low - value, high - value), fields)

    def _varying(
        self, kind: int, feature_type: str, entities: tuple[MateEntity, ...], data: AnyFeatureData,
        variation: tuple[float, float], fields: dict[str, Any],
    ) -> Mate:  # fmt: skip
        low, high = variation
        return self.mate(
            kind,
            feature_type,
            *entities,
            data=data,
            minimum_variation=low,
            maximum_variation=high,
            **_aligned(fields),
        )

    def lock(self, *entities: MateEntity, **fields: Any) -> Mate:
        """Adds a lock mate."""
        return self.mate(swMateType_e.swMateLOCK, "MateLock", *entities, **fields)

    def hinge(self, *entities: MateEntity, limits: tuple[float, float] | None = None, **fields: Any) -> Mate:
        """Adds a hinge mate of two cylinders, two planes, and optionally two planes for the angle, in radians."""
        low, high = limits or (0.0, 0.0)
        data = Hinge(0.0, high, low, limits is not None, fields.get("alignment", 0))
        return self.mate(swMateType_e.swMateHINGE, "MateHinge", *entities, data=data, **_aligned(fields))

    def gear(self, *entities: MateEntity, ratio: tuple[float, float], reverse: bool = False, **fields: Any) -> Mate:
        """Adds a gear mate: the angles are as ratio[0] to ratio[1], so the radii are as ratio[1] to ratio[0]."""
        data = Gear(float(ratio[0]), float(ratio[1]), reverse)
        return self.mate(swMateType_e.swMateGEAR, "MateGearDim", *entities, data=data, **fields)

    def rack_pinion(self, *entities: MateEntity, diameter: float, reverse: bool = False, **fields: Any) -> Mate:
        """Adds a mate of a rack and its pinion with the pitch diameter in metres; if not reversed, both go forward."""
        data = RackPinion(0, diameter, reverse)
        return self.mate(swMateType_e.swMateRACKPINION, "MateRackPinionDim", *entities, data=data, **fields)

    def screw(
        self, *entities: MateEntity, lead: float, reverse: bool = True, revolutions: bool = False, **fields: Any
    ) -> Mate:
        """Adds a screw mate by its lead in metres, or its revolutions per unit; right-handed if reversed."""
        data = Screw(int(not revolutions), lead, reverse, fields.get("alignment", 0))
        return self.mate(swMateType_e.swMateSCREW, "MateScrew", *entities, data=data, **_aligned(fields))

    def linear_coupler(
        self, *entities: MateEntity, ratio: tuple[float, float], reverse: bool = False, **fields: Any
    ) -> Mate:
        """Adds a linear coupler: the first moves ratio[0] while the second moves ratio[1], relative to `references`."""
        data = LinearCoupler(float(ratio[0]), float(ratio[1]), reverse)
        return self.mate(swMateType_e.swMateLINEARCOUPLER, "MateLinearCoupler", *entities, data=data, **fields)

    def universal(self, *entities: MateEntity, **fields: Any) -> Mate:
        """Adds a universal joint mate."""
        data = UniversalJoint(False)
        return self.mate(swMateType_e.swMateUNIVERSALJOINT, "MateUniversalJoint", *entities, data=data, **fields)

    def slot(
        self, *entities: MateEntity, constraint: int = 0, distance: float = 0.0, percent: float = 0.0, **fields: Any
    ) -> Mate:
        """Adds a slot mate: free, centred, at a distance (in metres) or at a percentage."""
        data = Slot(constraint, distance, percent, False, fields.get("alignment", 0))
        return self.mate(swMateType_e.swMateSLOT, "MateSlot", *entities, data=data, **_aligned(fields))

    def width(self, *entities: MateEntity, constraint: int = 0, **fields: Any) -> Mate:
        """Adds a width mate of two planes of each component."""
        data = Width(constraint, 0.0, 0.0, False)
        return self.mate(swMateType_e.swMateWIDTH, "MateWidth", *entities, data=data, **fields)

    def profile_center(
        self, *entities: MateEntity, offset: float = 0.0, lock_rotation: bool = False, **fields: Any
    ) -> Mate:
        """Adds a profile centre mate with its offset in metres."""
        data = ProfileCenter(offset, lock_rotation, False, fields.get("alignment", 0))
        return self.mate(
            swMateType_e.swMatePROFILECENTER, "MateProfileCenter", *entities, data=data, **_aligned(fields)
        )

    def symmetric(self, *entities: MateEntity, **fields: Any) -> Mate:
        """Adds a symmetric mate of two entities about a plane."""
        return self.mate(swMateType_e.swMateSYMMETRIC, "MateSymmetric", *entities, **fields)

    def along_path(self, *entities: MateEntity, **fields: Any) -> Mate:
        """Adds a path mate."""
        return self.mate(swMateType_e.swMatePATH, "MatePath", *entities, **fields)

    def cam(self, *entities: MateEntity, **fields: Any) -> Mate:
        """Adds a cam follower mate."""
        return self.mate(swMateType_e.swMateCAMFOLLOWER, "MateCamTangent", *entities, **fields)

    def coordinate(self, *entities: MateEntity, **fields: Any) -> Mate:
        """Adds a coordinate mate of two coordinate systems."""
        return self.mate(swMateType_e.swMateCOORDINATE, "MateCoordinate", *entities, **fields)

    def slider(self, *entities: MateEntity, **fields: Any) -> Mate:
        """Adds a slider mate."""
        return self.mate(swMateType_e.swMateSLIDER, "MateSlider", *entities, **fields)

    def magnetic(self, *entities: MateEntity, **fields: Any) -> Mate:
        """Adds a magnetic mate."""
        return self.mate(swMateType_e.swMateMAGNETIC, "MateMagnetic", *entities, **fields)

    def in_place(self, *entities: MateEntity, **fields: Any) -> Mate:
        """Adds an in-place mate of a component that was created within the assembly on a face."""
        bare = [MateEntity(13, entity.selection_type, entity.component or "") for entity in entities]
        return self.mate(None, "MateInPlace", *bare, **fields)


def _aligned(fields: dict[str, Any]) -> dict[str, Any]:
    """The fields with `alignment` aligned by default."""
    return {"alignment": 0} | fields
