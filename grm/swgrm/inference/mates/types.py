"""Mates and their entities, as inference sees them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum


class Kind(StrEnum):
    """The kinds of entity that mates refer to."""

    POINT = "point"
    LINE = "line"
    CIRCLE = "circle"
    PLANE = "plane"
    CYLINDER = "cylinder"
    SPHERE = "sphere"
    CONE = "cone"
    OTHER = "other"


class MateType(StrEnum):
    """The mate types of SolidWorks."""

    COINCIDENT = "coincident"
    CONCENTRIC = "concentric"
    PERPENDICULAR = "perpendicular"
    PARALLEL = "parallel"
    TANGENT = "tangent"
    DISTANCE = "distance"
    ANGLE = "angle"
    UNKNOWN = "unknown"
    SYMMETRIC = "symmetric"
    CAM_FOLLOWER = "camFollower"
    GEAR = "gear"
    WIDTH = "width"
    LOCK_TO_SKETCH = "lockToSketch"
    RACK_PINION = "rackPinion"
    PATH = "path"
    LOCK = "lock"
    SCREW = "screw"
    LINEAR_COUPLER = "linearCoupler"
    UNIVERSAL = "universalJoint"
    COORDINATE = "coordinate"
    SLOT = "slot"
    HINGE = "hinge"
    SLIDER = "slider"
    PROFILE_CENTER = "profileCenter"
    MAGNETIC = "magnetic"
    IN_PLACE = "inPlace"


@dataclass(frozen=True, slots=True)
class Feature:
    """An entity of a mate: what it is, on which body, where [m], along what, how big [m]."""

    kind: Kind
    body: int
    point: tuple[float, float, float]
    direction: tuple[float, float, float] = (0.0, 0.0, 0.0)
    radius: float = 0.0


@dataclass(frozen=True, slots=True)
class Mate:
    """A mate between features, all in the assembly's space."""

    name: str
    type: MateType
    features: tuple[Feature, ...]
    as_filed: tuple[Feature, ...] | None = None  # as its document has them, where an instance poses its parts elsewhere
    value: float | None = None  # [m or rad] what it measures in its document
    minimum: float | None = None  # [m or rad] with `maximum`: a limit mate, a range instead of rows
    maximum: float | None = None
    lock_rotation: bool = False
    anti_aligned: bool = False
    free: bool = False  # a width or slot whose place is not held
    numbers: Mapping[str, float] = field(default_factory=dict)  # what couplings carry: ratio, reverse, …

    @property
    def is_limit(self) -> bool:
        """Whether it bounds instead of holding."""
        return self.minimum is not None and self.maximum is not None and not self.minimum >= self.maximum


COUPLINGS = frozenset({MateType.GEAR, MateType.RACK_PINION, MateType.SCREW, MateType.LINEAR_COUPLER})
DIRECTED = frozenset(Kind) - {Kind.POINT, Kind.SPHERE, Kind.OTHER}
FARTHEST = 1e4  # [m] SolidWorks models within 500 m of the origin


class NotUnderstood(Exception):
    """A mate that gives no rows, and why."""


def check_geometry(mate: Mate) -> None:
    """See that a mate's features are somewhere and point somewhere; `NotUnderstood` says which one is not."""
    for feature in mate.features:
        numbers = (*feature.point, *feature.direction, feature.radius)
        if not all(map(math.isfinite, numbers)):
            raise NotUnderstood(f"its {feature.kind} has coordinates that are not numbers")
        if max(map(abs, numbers)) > FARTHEST:
            raise NotUnderstood(f"its {feature.kind} lies farther out than SolidWorks' space reaches")
        if feature.kind in DIRECTED and not math.hypot(*feature.direction) > 1e-9:
            raise NotUnderstood(f"its {feature.kind} has a direction of length zero")
