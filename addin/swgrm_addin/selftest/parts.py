"""The parts of the self-test as tables of features, so that their volumes, masses and faces are known exactly.

Sketches are on the plane with the axes x and y of the part (Front, or Top in a document with z up); extrusions go along
its normal z. All lengths
are in metres, angles in radians unless a name states otherwise. A new part without a material has the density 1000.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import hypot, pi
from typing import NamedTuple

DENSITY = 1000.0  # [kg/m³] of a part without a material


class Brick(NamedTuple):
    """A rectangle between two corners, extruded by `height` from `start` above the plane."""

    x1: float
    y1: float
    x2: float
    y2: float
    height: float
    start: float = 0.0


class Disc(NamedTuple):
    """A circle, extruded by `height` from `start` above the plane."""

    x: float
    y: float
    radius: float
    height: float
    start: float = 0.0


class Hole(NamedTuple):
    """A circle, cut through everything, which is `depth` thick there."""

    x: float
    y: float
    radius: float
    depth: float


class SlotCut(NamedTuple):
    """A straight slot between two centres, cut through everything, which is `depth` thick there."""

    x1: float
    y1: float
    x2: float
    y2: float
    width: float
    depth: float


class Ball(NamedTuple):
    """A sphere about the origin, revolved about y."""

    radius: float


class Cone(NamedTuple):
    """A cone with its base on the plane y = 0 and its apex at y = `height`, revolved about y."""

    radius: float
    height: float


class System(NamedTuple):
    """A coordinate system at a point, rotated about x, y and z [deg]."""

    x: float
    y: float
    z: float
    turns: tuple[float, float, float] = (0.0, 0.0, 0.0)


class OffsetPlane(NamedTuple):
    """A plane parallel to the first default plane."""

    distance: float


class AxisOf(NamedTuple):
    """An axis through the cylindrical face of that radius."""

    radius: float


class SetMass(NamedTuple):
    """The mass of the part, set by the user [kg]."""

    mass: float


class SetCentre(NamedTuple):
    """The centre of mass of the part, set by the user [m]."""

    x: float
    y: float
    z: float


class SetMoments(NamedTuple):
    """The tensor of the part about its centre of mass, along its axes, set by the user [kg·m²]."""

    xx: float
    yy: float
    zz: float
    xy: float  # the elements of the tensor, not the products of inertia
    xz: float
    yz: float


class CornerSystem(NamedTuple):
    """A coordinate system at a vertex, its x along one edge and its y along another."""

    at: tuple[float, float, float]
    along_x: tuple[float, float, float]  # the other end of the edge
    along_y: tuple[float, float, float]


Feature = (
    Brick
    | Disc
    | Hole
    | SlotCut
    | Ball
    | Cone
    | System
    | CornerSystem
    | OffsetPlane
    | AxisOf
    | SetMass
    | SetCentre
    | SetMoments
)

PARTS: Mapping[str, tuple[Feature, ...]] = {
    # An off-centre boss, so that products of inertia are not zero; a hole; a rotated coordinate system.
    "block": (
        Brick(-0.05, -0.04, 0.05, 0.04, 0.02),
        Brick(0.02, 0.01, 0.04, 0.035, 0.03, 0.02),
        Hole(-0.02, 0.0, 0.01, 0.02),
        System(0.01, 0.02, 0.03, (30.0, 20.0, 10.0)),
        OffsetPlane(0.05),
        CornerSystem((-0.05, -0.04, 0.0), (-0.05, 0.04, 0.0), (-0.05, -0.04, 0.02)),
    ),
    "plate": (Brick(-0.05, -0.04, 0.05, 0.04, 0.02), Hole(0.0, 0.0, 0.01, 0.02), System(0.0, 0.0, 0.02)),
    "lever": (Disc(0.0, 0.0, 0.01, 0.06), Brick(-0.012, -0.012, 0.05, 0.012, 0.01, 0.06), System(0.0, 0.0, 0.0)),
    "slider": (Brick(-0.01, -0.01, 0.02, 0.015, 0.01), System(0.0, 0.0, 0.0)),
    "wheel20": (Disc(0.0, 0.0, 0.02, 0.01), Brick(-0.005, -0.005, 0.015, 0.005, 0.01, 0.01)),
    "wheel10": (Disc(0.0, 0.0, 0.01, 0.01), Brick(-0.005, -0.005, 0.0075, 0.005, 0.01, 0.01)),
    "rod": (Disc(0.0, 0.0, 0.005, 0.06), Brick(-0.008, -0.008, 0.012, 0.008, 0.01, 0.06), AxisOf(0.005)),
    "ball": (Ball(0.015),),
    "cone": (Cone(0.015, 0.03),),
    "slotplate": (Brick(-0.05, -0.03, 0.05, 0.03, 0.01), SlotCut(-0.02, 0.0, 0.02, 0.0, 0.02, 0.01)),
    "bed": (
        Brick(-0.06, -0.04, 0.06, 0.04, 0.01), Hole(-0.015, 0.0, 0.005, 0.01), Hole(0.015, 0.0, 0.004, 0.01),
    ),
    "rackbar": (Brick(-0.01, -0.015, 0.01, 0.015, 0.1), Disc(0.0, 0.0, 0.004, 0.02, 0.1), AxisOf(0.004)),
    "weight": (Brick(-0.05, -0.04, 0.05, 0.04, 0.02), SetMass(2.5)),
    "offcentre": (Brick(-0.05, -0.04, 0.05, 0.04, 0.02), SetCentre(0.012, -0.007, 0.004)),
    "stiff": (Brick(-0.05, -0.04, 0.05, 0.04, 0.02), SetMoments(3e-4, 4e-4, 5e-4, -2e-5, 3e-5, 1e-5)),
    "peg": (Disc(0.0, 0.0, 0.01, 0.02), Brick(-0.012, -0.012, 0.02, 0.012, 0.01, 0.02)),
}  # fmt: skip


class PartSolid(NamedTuple):
    """A solid: its volume [m³], negative if it is taken away, and its centroid [m]."""

    volume: float
    centre: tuple[float, float, float]


def _disc(x: float, y: float, radius: float, height: float, start: float = 0.0) -> PartSolid:
    return PartSolid(pi * radius**2 * height, (x, y, start + height / 2))


def _brick(box: Brick) -> PartSolid:
    volume = (box.x2 - box.x1) * (box.y2 - box.y1) * box.height
    return PartSolid(volume, ((box.x1 + box.x2) / 2, (box.y1 + box.y2) / 2, box.start + box.height / 2))


def _hole(hole: Hole) -> PartSolid:
    disc = _disc(hole.x, hole.y, hole.radius, hole.depth)
    return disc._replace(volume=-disc.volume)


def _slot(slot: SlotCut) -> PartSolid:
    """A rectangle and two half discs."""
    area = hypot(slot.x2 - slot.x1, slot.y2 - slot.y1) * slot.width + pi * slot.width**2 / 4
    return PartSolid(-area * slot.depth, ((slot.x1 + slot.x2) / 2, (slot.y1 + slot.y2) / 2, slot.depth / 2))


SOLIDS: Mapping[type, Callable[..., PartSolid]] = {
    Brick: _brick,
    Disc: lambda disc: _disc(*disc),
    Hole: _hole,
    SlotCut: _slot,
    Ball: lambda ball: PartSolid(4 / 3 * pi * ball.radius**3, (0.0, 0.0, 0.0)),
    Cone: lambda cone: PartSolid(pi * cone.radius**2 * cone.height / 3, (0.0, cone.height / 4, 0.0)),
}


def solid_of(part: str) -> PartSolid:
    """The volume and the centroid of a part of the tables."""
    solids = [SOLIDS[type(feature)](feature) for feature in PARTS[part] if type(feature) in SOLIDS]
    volume = sum(solid.volume for solid in solids)
    moments = [sum(solid.volume * solid.centre[axis] for solid in solids) for axis in range(3)]
    return PartSolid(volume, (moments[0] / volume, moments[1] / volume, moments[2] / volume))
