"""Mate types, and mates with their entities placed in the assembly's space."""

from __future__ import annotations

import math
from collections.abc import Mapping
from enum import StrEnum

import msgspec

from swgrm.capture import Mate
from swgrm.solidworks.conventions import AssumedConvention


class GeometryKind(StrEnum):
    """The kinds of geometry that mates refer to."""

    POINT = "point"
    LINE = "line"
    CIRCLE = "circle"
    PLANE = "plane"
    CYLINDER = "cylinder"
    SPHERE = "sphere"
    CONE = "cone"
    COMPONENT = "component"  # all of it: of mirror component features
    OTHER = "other"


class MateType(StrEnum):
    """The mate types of SolidWorks, as they are called in messages; `mates.table` has what each one means."""

    COINCIDENT = "coincident"
    CONCENTRIC = "concentric"
    PERPENDICULAR = "perpendicular"
    PARALLEL = "parallel"
    TANGENT = "tangent"
    DISTANCE = "distance"
    ANGLE = "angle"
    UNKNOWN = "unknown"
    SYMMETRIC = "symmetric"
    CAM_FOLLOWER = "cam follower"
    GEAR = "gear"
    WIDTH = "width"
    LOCK_TO_SKETCH = "lock to sketch"
    RACK_PINION = "rack and pinion"
    PATH = "path"
    LOCK = "lock"
    SCREW = "screw"
    LINEAR_COUPLER = "linear coupler"
    UNIVERSAL = "universal joint"
    COORDINATE = "coordinate"
    SLOT = "slot"
    HINGE = "hinge"
    SLIDER = "slider"
    PROFILE_CENTER = "profile centre"
    MAGNETIC = "magnetic"
    IN_PLACE = "in place"


class PlacedEntity(msgspec.Struct, frozen=True, gc=False):
    """An entity of a mate: its kind, node, point [m], direction and radius [m], in the assembly's space.

    The point of a cone is the centre of its base, not its apex; its radius is not known.
    """

    kind: GeometryKind
    node: int
    point: tuple[float, float, float]
    direction: tuple[float, float, float] = (0.0, 0.0, 0.0)
    radius: float = 0.0
    described: str = ""  # what it is, if its kind does not tell

    @property
    def name(self) -> str:
        """How sentences name it."""
        return self.described or ("entity without geometry" if self.kind is GeometryKind.OTHER else self.kind)


class PlacedMate(msgspec.Struct, frozen=True, gc=False):
    """A mate between entities, all in the assembly's space."""

    name: str
    type: MateType
    entities: tuple[PlacedEntity, ...]
    owner: int = 0  # the node of the assembly whose document has the mate
    as_filed: tuple[PlacedEntity, ...] | None = None  # in the document's poses, where a flexible instance has others
    value: float | None = None  # [m or rad] the measured value in its document
    minimum: float | None = None  # [m or rad] with `maximum`: a limit mate, which allows a range
    maximum: float | None = None
    lock_rotation: bool = False
    free: bool = False  # a width or slot mate that does not hold the position
    numbers: Mapping[str, float] = {}  # of couplings, see `mates.coupling_numbers`
    conventions: tuple[AssumedConvention, ...] = ()  # that its meaning rests on
    references: tuple[int, ...] = ()  # of a linear coupler: the nodes that its entities move relative to
    is_flipped: bool = False  # a limit whose range is reversed where no geometry decides its direction
    is_from_pose: bool = False  # a limit whose range is given from the assembled pose
    alignment: int = 2  # swMateAlign_e: 0 aligned, 1 anti-aligned, 2 not known
    obstacle: str = ""  # why its entities do not tell what it means
    source: Mate | None = None  # as it was captured; None for a mate that was copied from another part's
    copied_to: int = 0  # the node of the component that it was copied for; 0: it was not copied
    copied_from: int = 0  # the node of the component whose mate it was

    @property
    def folders(self) -> tuple[str, ...]:
        """The mate folders that it is in, in lower case."""
        return tuple(self.source.folder.casefold().split("/")) if self.source and self.source.folder else ()

    @property
    def is_limit(self) -> bool:
        """Whether it allows a range of values instead of one."""
        return self.minimum is not None and self.maximum is not None and not self.minimum >= self.maximum


COUPLINGS = frozenset({MateType.GEAR, MateType.RACK_PINION, MateType.SCREW, MateType.LINEAR_COUPLER})
WITHOUT_DIRECTION = {GeometryKind.POINT, GeometryKind.SPHERE, GeometryKind.COMPONENT, GeometryKind.OTHER}
DIRECTED = frozenset(GeometryKind) - WITHOUT_DIRECTION
FARTHEST = 1e4  # [m] SolidWorks models within 500 m of the origin


class MateNotUnderstood(Exception):
    """A mate that gives no equations; the message is the reason."""


def check_geometry(mate: PlacedMate) -> None:
    """Raise `MateNotUnderstood` for entities with non-finite coordinates or without a direction."""
    for entity in mate.entities:
        numbers = (*entity.point, *entity.direction, entity.radius)
        if not math.hypot(*numbers) <= FARTHEST:  # also where one is not finite
            if not all(map(math.isfinite, numbers)):
                raise MateNotUnderstood(f"its {entity.kind} has coordinates that are not numbers")
            if max(map(abs, numbers)) > FARTHEST:
                raise MateNotUnderstood(f"its {entity.kind} lies farther out than SolidWorks' space reaches")
        if entity.kind in DIRECTED and not math.hypot(*entity.direction) > 1e-9:
            raise MateNotUnderstood(f"its {entity.kind} has a direction of length zero")
