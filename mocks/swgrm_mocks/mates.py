"""Mates for the builder: entities in a component's own space, and one method per kind of mate."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from swgrm.capture import (
    Angle,
    AnyFeatureData,
    Concentric,
    Distance,
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
from swgrm.swconst import swMateType_e as Type

if TYPE_CHECKING:
    from swgrm.transforms import Array

EDGE, FACE, VERTEX, PLANE, AXIS = 1, 2, 3, 4, 5  # swSelectType_e


class LocalEntity(NamedTuple):
    """A point, line, plane, cylinder…: what was selected, point, direction and radii, in its own space."""

    type: int  # swMateEntity2ReferenceType_e
    selection: int
    point: tuple[float, ...]
    direction: tuple[float, ...] = ()
    radii: tuple[float, ...] = ()

    def of(self, component: str | None, T: Array) -> MateEntity:
        """The entity as a mate has it, in the space of the assembly."""
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
    """A flat face."""
    return LocalEntity(3, FACE, tuple(at), tuple(normal))


def shaft(at: Any, direction: Any, radius: float) -> LocalEntity:
    """A cylindrical face: a shaft or a bore."""
    return LocalEntity(4, FACE, tuple(at), tuple(direction), (radius,))


def sphere(at: Any, radius: float) -> LocalEntity:
    """A spherical face."""
    return LocalEntity(5, FACE, tuple(at), (1.0, 0.0, 0.0), (radius,))


def cone(at: Any, direction: Any, radius: float, second: float) -> LocalEntity:
    """A conical face."""
    return LocalEntity(7, FACE, tuple(at), tuple(direction), (radius, second))


def ground(entity: LocalEntity) -> MateEntity:
    """An entity of the assembly itself: one of its planes, axes or points."""
    selected = entity._replace(selection={3: PLANE, 1: AXIS}.get(entity.type, entity.selection))
    return selected.of("", np.eye(4))


class MateBuilder:
    """The mates of an assembly by name; `suppressed`, `error`, `alignment`, `name`… may be given to each."""

    def mate(
        self, kind: int | None, feature_type: str, *entities: MateEntity, data: AnyFeatureData | None = None,
        name: str = "", **fields: Any,
    ) -> Mate:  # fmt: skip
        """Add a mate: the assembly does."""
        raise NotImplementedError

    def coincident(self, *entities: MateEntity, **fields: Any) -> Mate:
        """Coincident."""
        return self.mate(Type.swMateCOINCIDENT, "MateCoincident", *entities, **fields)

    def concentric(self, *entities: MateEntity, lock_rotation: bool = False, **fields: Any) -> Mate:
        """Concentric, with its rotation locked or not."""
        data = Concentric(lock_rotation, fields.get("alignment", 0))
        return self.mate(Type.swMateCONCENTRIC, "MateConcentric", *entities, data=data, **_aligned(fields))

    def parallel(self, *entities: MateEntity, **fields: Any) -> Mate:
        """Parallel."""
        return self.mate(Type.swMatePARALLEL, "MateParallel", *entities, **fields)

    def perpendicular(self, *entities: MateEntity, **fields: Any) -> Mate:
        """Perpendicular."""
        return self.mate(Type.swMatePERPENDICULAR, "MatePerpendicular", *entities, **fields)

    def tangent(self, *entities: MateEntity, **fields: Any) -> Mate:
        """Tangent."""
        return self.mate(Type.swMateTANGENT, "MateTangent", *entities, **fields)

    def distance(
        self, *entities: MateEntity, value: float, limits: tuple[float, float] | None = None, **fields: Any
    ) -> Mate:
        """Distance, or limit distance, in metres."""
        low, high = limits or (value, value)
        data = Distance(value, high, low, limits is not None, False, fields.get("alignment", 0))
        kind = "MateLimitDistanceDim" if limits else "MateDistanceDim"
        return self._varying(Type.swMateDISTANCE, kind, entities, data, (low - value, high - value), fields)

    def angle(
        self, *entities: MateEntity, value: float, limits: tuple[float, float] | None = None, **fields: Any
    ) -> Mate:
        """Angle, or limit angle, in radians."""
        low, high = limits or (value, value)
        data = Angle(value, high, low, limits is not None, False, fields.get("alignment", 0))
        kind = "MateLimitPlanarAngleDim" if limits else "MatePlanarAngleDim"
        return self._varying(Type.swMateANGLE, kind, entities, data, (low - value, high - value), fields)

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
        """Lock."""
        return self.mate(Type.swMateLOCK, "MateLock", *entities, **fields)

    def hinge(self, *entities: MateEntity, limits: tuple[float, float] | None = None, **fields: Any) -> Mate:
        """Hinge: two cylinders, two planes, and maybe two planes for the angle, in radians."""
        low, high = limits or (0.0, 0.0)
        data = Hinge(0.0, high, low, limits is not None, fields.get("alignment", 0))
        return self.mate(Type.swMateHINGE, "MateHinge", *entities, data=data, **_aligned(fields))

    def gear(self, *entities: MateEntity, ratio: tuple[float, float], reverse: bool = False, **fields: Any) -> Mate:
        """Gear."""
        data = Gear(float(ratio[0]), float(ratio[1]), reverse)
        return self.mate(Type.swMateGEAR, "MateGearDim", *entities, data=data, **fields)

    def rack_pinion(self, *entities: MateEntity, diameter: float, reverse: bool = False, **fields: Any) -> Mate:
        """Rack and pinion, by the pinion's pitch diameter, in metres."""
        data = RackPinion(0, diameter, reverse)
        return self.mate(Type.swMateRACKPINION, "MateRackPinionDim", *entities, data=data, **fields)

    def screw(self, *entities: MateEntity, lead: float, reverse: bool = False, **fields: Any) -> Mate:
        """Screw, by its travel per revolution, in metres."""
        data = Screw(1, lead, reverse, fields.get("alignment", 0))
        return self.mate(Type.swMateSCREW, "MateScrew", *entities, data=data, **_aligned(fields))

    def linear_coupler(
        self, *entities: MateEntity, ratio: tuple[float, float], reverse: bool = False, **fields: Any
    ) -> Mate:
        """Linear coupler."""
        data = LinearCoupler(float(ratio[0]), float(ratio[1]), reverse)
        return self.mate(Type.swMateLINEARCOUPLER, "MateLinearCoupler", *entities, data=data, **fields)

    def universal(self, *entities: MateEntity, **fields: Any) -> Mate:
        """Universal joint."""
        data = UniversalJoint(False)
        return self.mate(Type.swMateUNIVERSALJOINT, "MateUniversalJoint", *entities, data=data, **fields)

    def slot(self, *entities: MateEntity, constraint: int = 0, distance: float = 0.0, **fields: Any) -> Mate:
        """Slot: free, centred, at a distance or a percentage."""
        data = Slot(constraint, distance, 0.0, False, fields.get("alignment", 0))
        return self.mate(Type.swMateSLOT, "MateSlot", *entities, data=data, **_aligned(fields))

    def width(self, *entities: MateEntity, constraint: int = 0, **fields: Any) -> Mate:
        """Width: two planes of the one, two of the other."""
        data = Width(constraint, 0.0, 0.0, False)
        return self.mate(Type.swMateWIDTH, "MateWidth", *entities, data=data, **fields)

    def profile_center(
        self, *entities: MateEntity, offset: float = 0.0, lock_rotation: bool = False, **fields: Any
    ) -> Mate:
        """Profile centre, in metres."""
        data = ProfileCenter(offset, lock_rotation, False, fields.get("alignment", 0))
        return self.mate(Type.swMatePROFILECENTER, "MateProfileCenter", *entities, data=data, **_aligned(fields))

    def symmetric(self, *entities: MateEntity, **fields: Any) -> Mate:
        """Symmetric: two entities about a plane."""
        return self.mate(Type.swMateSYMMETRIC, "MateSymmetric", *entities, **fields)

    def along_path(self, *entities: MateEntity, **fields: Any) -> Mate:
        """Path."""
        return self.mate(Type.swMatePATH, "MatePath", *entities, **fields)

    def cam(self, *entities: MateEntity, **fields: Any) -> Mate:
        """Cam follower."""
        return self.mate(Type.swMateCAMFOLLOWER, "MateCamTangent", *entities, **fields)

    def coordinate(self, *entities: MateEntity, **fields: Any) -> Mate:
        """Coordinate systems on one another."""
        return self.mate(Type.swMateCOORDINATE, "MateCoordinate", *entities, **fields)

    def slider(self, *entities: MateEntity, **fields: Any) -> Mate:
        """Slider."""
        return self.mate(Type.swMateSLIDER, "MateSlider", *entities, **fields)

    def magnetic(self, *entities: MateEntity, **fields: Any) -> Mate:
        """Magnetic."""
        return self.mate(Type.swMateMAGNETIC, "MateMagnetic", *entities, **fields)

    def in_place(self, *entities: MateEntity, **fields: Any) -> Mate:
        """In place: the component was made within the assembly, on this face."""
        bare = [MateEntity(13, entity.selection_type, entity.component or "") for entity in entities]
        return self.mate(None, "MateInPlace", *bare, **fields)


def _aligned(fields: dict[str, Any]) -> dict[str, Any]:
    """Aligned, where nothing else is said."""
    return {"alignment": 0} | fields
