"""Realisations of joints by mates: each leaves exactly the degrees of freedom of the joint between two parts."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from math import pi
from typing import TYPE_CHECKING, Any

import numpy as np

from swgrm.capture import MateEntity
from swgrm.model import JointType
from swgrm_mocks.builder import Assembly
from swgrm_mocks.mates import LocalEntity, circle, line, plane, point, shaft, sphere

if TYPE_CHECKING:
    from swgrm.transforms import Array

MARGIN = 0.01  # [m] the smallest distance of a limit mate


@dataclass
class JointPlacement:
    """A joint in the assembled pose: its axis in the coordinates of the assembly, and its two parts."""

    parent: str
    child: str
    origin: Array  # (3,) on the axis
    axis: Array  # (3,)
    rng: random.Random
    noise: float
    assembly: Assembly
    across: tuple[Array, Array] = field(init=False)  # two directions perpendicular to the axis

    def __post_init__(self) -> None:
        helper = np.eye(3)[int(np.argmin(np.abs(self.axis)))]
        x = np.cross(helper, self.axis)
        x /= np.linalg.norm(x)
        angle = self.rng.uniform(0, 2 * pi)
        y = np.cross(self.axis, x)
        self.across = (np.cos(angle) * x + np.sin(angle) * y, np.cos(angle) * y - np.sin(angle) * x)

    def along(self) -> Array:
        """A random point on the axis."""
        return self.origin + self.axis * self.rng.uniform(-0.1, 0.1)

    def either(self, direction: Array) -> Array:
        """The direction or its opposite at random; mates allow both."""
        return direction * self.rng.choice((-1.0, 1.0))

    def in_plane(self, at: Array, normal: Array) -> Array:
        """A random point of the plane through `at`."""
        shift = self.random_vector() * 0.1
        return at + shift - normal * float(normal @ shift)

    def random_vector(self) -> Array:
        """A random vector with components from -1 to 1."""
        return np.array([self.rng.uniform(-1, 1) for _ in range(3)])

    def on(self, component: str, make: Callable[..., LocalEntity], at: Array, *rest: Any) -> MateEntity:
        """An entity of a part, given in the coordinates of the assembly, with noise."""
        at = at + self.random_vector() * self.noise
        if rest and isinstance(rest[0], np.ndarray):
            direction = rest[0] + self.random_vector() * self.noise
            rest = (direction / np.linalg.norm(direction), *rest[1:])
        return make(at, *rest).of(component, np.eye(4))

    def pair(
        self, make: Callable[..., LocalEntity], at: Callable[[], Array], *rest: Any
    ) -> tuple[MateEntity, MateEntity]:
        """The same entity on both parts, each with its own point and direction, in random order."""
        sides = [
            self.on(part, make, at(), *(self.either(r) if isinstance(r, np.ndarray) else r for r in rest))
            for part in (self.parent, self.child)
        ]
        self.rng.shuffle(sides)
        return sides[0], sides[1]

    def axes(
        self, make: Callable[..., LocalEntity] = shaft, offset: Array | float = 0.0
    ) -> tuple[MateEntity, MateEntity]:
        """The axis, or a parallel line, on both parts."""
        radius = () if make is line else (self.rng.uniform(0.002, 0.02),)
        return self.pair(make, lambda: self.along() + offset, self.axis, *radius)

    def planes(self, normal: Array, at: Array | None = None) -> tuple[MateEntity, MateEntity]:
        """A plane on both parts."""
        through = self.along() if at is None else at
        return self.pair(plane, lambda: self.in_plane(through, normal), normal)

    def points(self, at: Array) -> tuple[MateEntity, MateEntity]:
        """A point on both parts."""
        return self.pair(point, lambda: at)

    def mixed(
        self,
        carrier: Callable[..., LocalEntity],
        at: Array,
        direction: Array,
        other: Callable[..., LocalEntity],
        *rest: Any,
    ) -> tuple[MateEntity, MateEntity]:
        """Two different entities on the two parts, assigned at random."""
        parts = [self.parent, self.child]
        self.rng.shuffle(parts)
        return self.on(parts[0], carrier, at, direction), self.on(parts[1], other, *rest)


def bearing(p: JointPlacement) -> None:
    """Adds a concentric mate and a coincident mate of two faces."""
    p.assembly.concentric(*p.axes())
    p.assembly.coincident(*p.planes(p.axis))


def _hinge(p: JointPlacement) -> None:
    p.assembly.hinge(*p.axes(), *p.planes(p.axis))


def _spaced_bearing(p: JointPlacement) -> None:
    gap = p.rng.uniform(0.01, 0.1)
    at = p.along()
    one = p.on(p.parent, plane, p.in_plane(at, p.axis), p.axis)
    other = p.on(p.child, plane, p.in_plane(at + gap * p.axis, p.axis), p.either(p.axis))
    p.assembly.concentric(*p.axes(p.rng.choice((shaft, circle))))
    p.assembly.distance(one, other, value=gap)


def _two_points(p: JointPlacement) -> None:
    p.assembly.coincident(*p.points(p.origin + 0.08 * p.axis))
    p.assembly.coincident(*p.points(p.origin - p.rng.uniform(0.05, 0.1) * p.axis))


def _point_and_face(p: JointPlacement) -> None:
    at = p.along()
    p.assembly.coincident(*p.points(at))
    p.assembly.coincident(*p.planes(p.axis, at))


def _point_and_parallel(p: JointPlacement) -> None:
    p.assembly.coincident(*p.points(p.along()))
    p.assembly.parallel(*p.axes(line))


def _rims(p: JointPlacement) -> None:
    at = p.along()
    p.assembly.coincident(*p.pair(circle, lambda: at, p.axis, 0.01))


def _edge_and_stop(p: JointPlacement) -> None:
    p.assembly.coincident(*p.axes(line))
    at = p.along()
    p.assembly.coincident(*p.mixed(plane, at, p.axis, point, p.in_plane(at, p.axis)))


def _front_and_rear(p: JointPlacement) -> None:
    p.assembly.concentric(*p.axes())
    p.assembly.concentric(*p.axes())
    p.assembly.coincident(*p.planes(p.axis))


def _between_faces(p: JointPlacement) -> None:
    at, half = p.along(), p.rng.uniform(0.005, 0.02)
    sides = [p.on(part, plane, p.in_plane(at + s * h * p.axis, p.axis), s * p.axis)
             for part, h in ((p.parent, half), (p.child, half * 0.8)) for s in (1.0, -1.0)]  # fmt: skip
    p.assembly.concentric(*p.axes())
    p.assembly.width(*sides)


def _guide(p: JointPlacement) -> None:
    p.assembly.coincident(*p.planes(p.across[0]))
    p.assembly.coincident(*p.planes(p.across[1]))


def _keyed_shaft(p: JointPlacement) -> None:
    p.assembly.concentric(*p.axes(), lock_rotation=True)


def _shaft_and_flat(p: JointPlacement) -> None:
    p.assembly.concentric(*p.axes())
    p.assembly.parallel(*p.planes(p.across[0]))


def _edge_in_face(p: JointPlacement) -> None:
    p.assembly.coincident(*p.axes(line))
    p.assembly.coincident(*p.planes(p.across[0]))


def _point_on_edge(p: JointPlacement) -> None:
    at = p.along()
    p.assembly.coincident(*p.mixed(line, p.along(), p.axis, point, at))
    p.assembly.parallel(*p.planes(p.axis))
    p.assembly.parallel(*p.planes(p.across[0]))


def _twin_rails(p: JointPlacement) -> None:
    p.assembly.concentric(*p.axes())
    p.assembly.concentric(*p.axes(offset=0.06 * p.across[0]))


def _dovetail(p: JointPlacement) -> None:
    slanted = (p.across[0] + 0.7 * p.across[1]) / np.linalg.norm(p.across[0] + 0.7 * p.across[1])
    p.assembly.coincident(*p.planes(p.across[1]))
    p.assembly.coincident(*p.planes(slanted))


def _socket(p: JointPlacement) -> None:
    p.assembly.coincident(*p.points(p.origin))


def _spheres(p: JointPlacement) -> None:
    p.assembly.concentric(*p.pair(sphere, lambda: p.origin, 0.01))


def _three_faces(p: JointPlacement) -> None:
    parts = [p.parent, p.child]
    p.rng.shuffle(parts)
    for normal in (p.axis, *p.across):
        face = p.on(parts[0], plane, p.in_plane(p.origin, normal), normal)
        p.assembly.coincident(face, p.on(parts[1], point, p.origin))


def _edge_and_face(p: JointPlacement) -> None:
    parts = [p.parent, p.child]
    p.rng.shuffle(parts)
    p.assembly.coincident(p.on(parts[0], line, p.along(), p.axis), p.on(parts[1], point, p.origin))
    p.assembly.coincident(p.on(parts[0], plane, p.in_plane(p.origin, p.axis), p.axis), p.on(parts[1], point, p.origin))


def _ball_and_vertex(p: JointPlacement) -> None:
    parts = [p.parent, p.child]
    p.rng.shuffle(parts)
    p.assembly.concentric(p.on(parts[0], sphere, p.origin, 0.01), p.on(parts[1], point, p.origin))


def _lock(p: JointPlacement) -> None:
    p.assembly.lock(*p.points(p.origin))


def _three_planes(p: JointPlacement) -> None:
    for normal in (p.axis, *p.across):
        p.assembly.coincident(*p.planes(normal))


def _bolt_pair(p: JointPlacement) -> None:
    p.assembly.concentric(*p.axes())
    p.assembly.concentric(*p.axes(offset=0.04 * p.across[0]))
    p.assembly.coincident(*p.planes(p.axis))


def _clocked_flange(p: JointPlacement) -> None:
    p.assembly.concentric(*p.axes(), lock_rotation=True)
    p.assembly.coincident(*p.planes(p.axis))


def _three_points(p: JointPlacement) -> None:
    for shift in (0.0 * p.axis, 0.05 * p.across[0], 0.06 * p.across[1]):
        p.assembly.coincident(*p.points(p.origin + shift))


def _threaded(make: Callable[..., LocalEntity]) -> Callable[[JointPlacement], None]:
    def realise(p: JointPlacement) -> None:
        mate = p.assembly.coincident if make is line else p.assembly.concentric
        mate(*p.axes(make))

    return realise


def _rod_and_edge(p: JointPlacement) -> None:
    p.assembly.distance(*p.axes(line), value=0.0)


REALISATIONS: Mapping[JointType, Mapping[str, Callable[[JointPlacement], None]]] = {
    JointType.REVOLUTE: {
        "bearing": bearing, "hinge": _hinge, "spaced bearing": _spaced_bearing, "two points": _two_points,
        "point and face": _point_and_face, "point and parallel": _point_and_parallel, "rims": _rims,
        "edge and stop": _edge_and_stop, "front and rear": _front_and_rear, "between faces": _between_faces,
    },
    JointType.PRISMATIC: {
        "guide": _guide, "keyed shaft": _keyed_shaft, "shaft and flat": _shaft_and_flat,
        "edge in face": _edge_in_face, "point on edge": _point_on_edge, "twin rails": _twin_rails,
        "dovetail": _dovetail,
    },
    JointType.BALL: {
        "socket": _socket, "spheres": _spheres, "three faces": _three_faces, "edge and face": _edge_and_face,
        "ball and vertex": _ball_and_vertex,
    },
    JointType.SCREW: {
        "threaded shaft": _threaded(shaft), "threaded rim": _threaded(circle), "threaded edge": _threaded(line),
        "rod and edge": _rod_and_edge,
    },
    JointType.FIXED: {
        "lock": _lock, "three planes": _three_planes, "bolt pair": _bolt_pair, "clocked flange": _clocked_flange,
        "three points": _three_points,
    },
}  # fmt: skip


def limit_distance(p: JointPlacement, low: float, high: float) -> None:
    """Adds a limit distance mate that allows a translation from low to high, in metres."""
    start, at = MARGIN - low, p.along()
    one = p.on(p.parent, plane, p.in_plane(at, p.axis), p.axis)
    other = p.on(p.child, plane, p.in_plane(at + start * p.axis, p.axis), p.either(p.axis))
    p.assembly.distance(one, other, value=start, limits=(MARGIN, MARGIN + high - low))


def limit_angle(p: JointPlacement, low: float, high: float) -> None:
    """Adds a limit angle mate that allows a rotation from low to high, in radians, by less than π."""
    slack = (pi - (high - low)) / 2
    start = slack - low
    rotated = np.cos(start) * p.across[0] + np.sin(start) * p.across[1]
    one = p.on(p.parent, plane, p.along() + 0.01 * p.across[0], p.across[0])
    other = p.on(p.child, plane, p.along() + 0.01 * rotated, rotated)
    p.assembly.angle(one, other, value=start, limits=(slack, slack + high - low))
