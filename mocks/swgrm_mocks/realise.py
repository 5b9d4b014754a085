"""Any robot as an assembly: each joint realised by a randomly chosen set of mates that leaves exactly its freedom."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from math import pi
from typing import Any

import numpy as np

from swgrm.capture import Capture, MateEntity
from swgrm.kinematics import Kinematics
from swgrm.model import Frame, JointType, Robot
from swgrm_mocks.builder import Assembly, Part
from swgrm_mocks.mates import Entity, circle, line, plane, point, shaft, sphere
from swgrm_mocks.solids import Numbers

UNLIMITED = 1.0  # [rad or m] how far a joint without limits is posed from zero
MARGIN = 0.01  # [m] the least distance that a limit mate measures


@dataclass(frozen=True, kw_only=True)
class Manner:
    """How a robot is realised."""

    noise: float = 0.0  # [m and rad] added to every entity
    redundant: float = 0.3  # how often a joint gets a second, redundant realisation
    groups: float = 0.2  # how often a frame and some that follow it become a sub-assembly, rigid or flexible
    fasteners: int = 0  # bolts put in here and there
    poses: bool = True  # whether joints are off their zero


@dataclass(frozen=True)
class Realised:
    """An assembly, and how to compare what comes back from it."""

    assembly: Assembly
    positions: Mapping[str, Any]  # the joint positions that it was assembled at
    parts: Mapping[str, str]  # the component that stands for each frame
    realisations: Mapping[str, str]  # the name of what realises each joint
    not_held: tuple[str, ...]  # joints whose limits no limit mate can hold
    coupled: tuple[str, ...]  # joints that follow another by a gear or linear coupler mate

    def capture(self) -> Capture:
        """The capture of the assembly."""
        return self.assembly.capture()


@dataclass
class Place:
    """A joint at the assembled pose, ready to be mated: its axis in the assembly's space, and its two parts."""

    parent: str
    child: str
    origin: Numbers  # (3,) on the axis
    axis: Numbers  # (3,)
    chance: random.Random
    noise: float
    assembly: Assembly
    across: tuple[Numbers, Numbers] = field(init=False)  # two directions that span the plane across the axis

    def __post_init__(self) -> None:
        helper = np.eye(3)[int(np.argmin(np.abs(self.axis)))]
        x = np.cross(helper, self.axis)
        x /= np.linalg.norm(x)
        turn = self.chance.uniform(0, 2 * pi)
        y = np.cross(self.axis, x)
        self.across = (np.cos(turn) * x + np.sin(turn) * y, np.cos(turn) * y - np.sin(turn) * x)

    def along(self) -> Numbers:
        """A random point on the axis."""
        return self.origin + self.axis * self.chance.uniform(-0.1, 0.1)

    def either(self, direction: Numbers) -> Numbers:
        """The direction or its opposite: mates do not care."""
        return direction * self.chance.choice((-1.0, 1.0))

    def in_plane(self, at: Numbers, normal: Numbers) -> Numbers:
        """A random point of the plane through `at`."""
        shift = self.random_vector() * 0.1
        return at + shift - normal * float(normal @ shift)

    def random_vector(self) -> Numbers:
        """A random vector in the unit cube."""
        return np.array([self.chance.uniform(-1, 1) for _ in range(3)])

    def on(self, component: str, make: Callable[..., Entity], at: Numbers, *rest: Any) -> MateEntity:
        """An entity given in the assembly's space, on a part, with noise."""
        at = at + self.random_vector() * self.noise
        if rest and isinstance(rest[0], np.ndarray):
            direction = rest[0] + self.random_vector() * self.noise
            rest = (direction / np.linalg.norm(direction), *rest[1:])
        return make(at, *rest).of(component, np.eye(4))

    def pair(self, make: Callable[..., Entity], at: Callable[[], Numbers], *rest: Any) -> tuple[MateEntity, MateEntity]:
        """The same entity on both parts, each at its own point and to its own side."""
        sides = [
            self.on(part, make, at(), *(self.either(r) if isinstance(r, np.ndarray) else r for r in rest))
            for part in (self.parent, self.child)
        ]
        self.chance.shuffle(sides)
        return sides[0], sides[1]

    def axes(self, make: Callable[..., Entity] = shaft, offset: Numbers | float = 0.0) -> tuple[MateEntity, MateEntity]:
        """The axis on both parts, or a parallel one."""
        radius = () if make is line else (self.chance.uniform(0.002, 0.02),)
        return self.pair(make, lambda: self.along() + offset, self.axis, *radius)

    def planes(self, normal: Numbers, at: Numbers | None = None) -> tuple[MateEntity, MateEntity]:
        """A plane on both parts."""
        through = self.along() if at is None else at
        return self.pair(plane, lambda: self.in_plane(through, normal), normal)

    def points(self, at: Numbers) -> tuple[MateEntity, MateEntity]:
        """A point on both parts."""
        return self.pair(point, lambda: at)

    def mixed(
        self, carrier: Callable[..., Entity], at: Numbers, direction: Numbers, other: Callable[..., Entity], *rest: Any
    ) -> tuple[MateEntity, MateEntity]:
        """One kind of entity on one part, another on the other, whichever is which."""
        parts = [self.parent, self.child]
        self.chance.shuffle(parts)
        return self.on(parts[0], carrier, at, direction), self.on(parts[1], other, *rest)


def _bearing(p: Place) -> None:
    p.assembly.concentric(*p.axes())
    p.assembly.coincident(*p.planes(p.axis))


def _hinge(p: Place) -> None:
    p.assembly.hinge(*p.axes(), *p.planes(p.axis))


def _spaced_bearing(p: Place) -> None:
    gap = p.chance.uniform(0.01, 0.1)
    at = p.along()
    one = p.on(p.parent, plane, p.in_plane(at, p.axis), p.axis)
    other = p.on(p.child, plane, p.in_plane(at + gap * p.axis, p.axis), p.either(p.axis))
    p.assembly.concentric(*p.axes(p.chance.choice((shaft, circle))))
    p.assembly.distance(one, other, value=gap)


def _two_points(p: Place) -> None:
    p.assembly.coincident(*p.points(p.origin + 0.08 * p.axis))
    p.assembly.coincident(*p.points(p.origin - p.chance.uniform(0.05, 0.1) * p.axis))


def _point_and_face(p: Place) -> None:
    at = p.along()
    p.assembly.coincident(*p.points(at))
    p.assembly.coincident(*p.planes(p.axis, at))


def _point_and_parallel(p: Place) -> None:
    p.assembly.coincident(*p.points(p.along()))
    p.assembly.parallel(*p.axes(line))


def _rims(p: Place) -> None:
    at = p.along()
    p.assembly.coincident(*p.pair(circle, lambda: at, p.axis, 0.01))


def _edge_and_stop(p: Place) -> None:
    p.assembly.coincident(*p.axes(line))
    at = p.along()
    p.assembly.coincident(*p.mixed(plane, at, p.axis, point, p.in_plane(at, p.axis)))


def _front_and_rear(p: Place) -> None:
    p.assembly.concentric(*p.axes())
    p.assembly.concentric(*p.axes())
    p.assembly.coincident(*p.planes(p.axis))


def _between_faces(p: Place) -> None:
    at, half = p.along(), p.chance.uniform(0.005, 0.02)
    sides = [p.on(part, plane, p.in_plane(at + s * h * p.axis, p.axis), s * p.axis)
             for part, h in ((p.parent, half), (p.child, half * 0.8)) for s in (1.0, -1.0)]  # fmt: skip
    p.assembly.concentric(*p.axes())
    p.assembly.width(*sides)


def _guide(p: Place) -> None:
    p.assembly.coincident(*p.planes(p.across[0]))
    p.assembly.coincident(*p.planes(p.across[1]))


def _keyed_shaft(p: Place) -> None:
    p.assembly.concentric(*p.axes(), lock_rotation=True)


def _shaft_and_flat(p: Place) -> None:
    p.assembly.concentric(*p.axes())
    p.assembly.parallel(*p.planes(p.across[0]))


def _edge_in_face(p: Place) -> None:
    p.assembly.coincident(*p.axes(line))
    p.assembly.coincident(*p.planes(p.across[0]))


def _point_on_edge(p: Place) -> None:
    at = p.along()
    p.assembly.coincident(*p.mixed(line, p.along(), p.axis, point, at))
    p.assembly.parallel(*p.planes(p.axis))
    p.assembly.parallel(*p.planes(p.across[0]))


def _twin_rails(p: Place) -> None:
    p.assembly.concentric(*p.axes())
    p.assembly.concentric(*p.axes(offset=0.06 * p.across[0]))


def _dovetail(p: Place) -> None:
    slanted = (p.across[0] + 0.7 * p.across[1]) / np.linalg.norm(p.across[0] + 0.7 * p.across[1])
    p.assembly.coincident(*p.planes(p.across[1]))
    p.assembly.coincident(*p.planes(slanted))


def _socket(p: Place) -> None:
    p.assembly.coincident(*p.points(p.origin))


def _spheres(p: Place) -> None:
    p.assembly.concentric(*p.pair(sphere, lambda: p.origin, 0.01))


def _three_faces(p: Place) -> None:
    parts = [p.parent, p.child]
    p.chance.shuffle(parts)
    for normal in (p.axis, *p.across):
        face = p.on(parts[0], plane, p.in_plane(p.origin, normal), normal)
        p.assembly.coincident(face, p.on(parts[1], point, p.origin))


def _edge_and_face(p: Place) -> None:
    parts = [p.parent, p.child]
    p.chance.shuffle(parts)
    p.assembly.coincident(p.on(parts[0], line, p.along(), p.axis), p.on(parts[1], point, p.origin))
    p.assembly.coincident(p.on(parts[0], plane, p.in_plane(p.origin, p.axis), p.axis), p.on(parts[1], point, p.origin))


def _ball_and_vertex(p: Place) -> None:
    parts = [p.parent, p.child]
    p.chance.shuffle(parts)
    p.assembly.concentric(p.on(parts[0], sphere, p.origin, 0.01), p.on(parts[1], point, p.origin))


def _lock(p: Place) -> None:
    p.assembly.lock(*p.points(p.origin))


def _three_planes(p: Place) -> None:
    for normal in (p.axis, *p.across):
        p.assembly.coincident(*p.planes(normal))


def _bolt_pair(p: Place) -> None:
    p.assembly.concentric(*p.axes())
    p.assembly.concentric(*p.axes(offset=0.04 * p.across[0]))
    p.assembly.coincident(*p.planes(p.axis))


def _clocked_flange(p: Place) -> None:
    p.assembly.concentric(*p.axes(), lock_rotation=True)
    p.assembly.coincident(*p.planes(p.axis))


def _three_points(p: Place) -> None:
    for shift in (0.0 * p.axis, 0.05 * p.across[0], 0.06 * p.across[1]):
        p.assembly.coincident(*p.points(p.origin + shift))


def _threaded(make: Callable[..., Entity]) -> Callable[[Place], None]:
    def realise(p: Place) -> None:
        mate = p.assembly.coincident if make is line else p.assembly.concentric
        mate(*p.axes(make))

    return realise


def _rod_and_edge(p: Place) -> None:
    p.assembly.distance(*p.axes(line), value=0.0)


REALISATIONS: Mapping[JointType, Mapping[str, Callable[[Place], None]]] = {
    JointType.REVOLUTE: {
        "bearing": _bearing, "hinge": _hinge, "spaced bearing": _spaced_bearing, "two points": _two_points,
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


def realise(robot: Robot, seed: int = 0, manner: Manner | None = None) -> Realised:
    """The robot as an assembly of parts, one for each frame, mated at random."""
    return _Realiser(robot, random.Random(seed), manner or Manner()).realise()  # noqa: S311 - not for secrets


@dataclass(frozen=True)
class Scope:
    """An assembly that frames stand in: how it names them, and where it has them by itself."""

    assembly: Assembly
    names: dict[str, str]  # by frame
    poses: dict[str, Numbers]
    positions: Mapping[str, Any]


class _Realiser:
    def __init__(self, robot: Robot, chance: random.Random, manner: Manner) -> None:
        self.robot, self.chance, self.manner = robot, chance, manner
        self.kinematics = Kinematics(robot)
        self.positions = {name: self._position(robot.joints[name]) for name in self.kinematics.independent}
        poses = self.kinematics.poses(self.positions)
        self.top = Scope(Assembly("realised"), {}, {f.id: poses[f.id] for f in robot.frames}, self.positions)
        self.inner: dict[str, Scope] = {}  # the sub-assembly of each frame that is in one
        self.numbers = {frame.id: number for number, frame in enumerate(robot.walk())}
        self.realisations: dict[str, str] = {}
        self.not_held: list[str] = []
        self.coupled: list[str] = []

    def _position(self, frame: Frame) -> Any:
        joint = frame.joint
        if joint is None or not self.manner.poses:
            return (0.0, 0.0, 0.0, 1.0) if joint and joint.type is JointType.BALL else 0.0
        if joint.type is JointType.BALL:
            q = np.array([self.chance.gauss(0, 1) for _ in range(4)])
            return tuple(float(x) for x in q / np.linalg.norm(q))
        low = joint.limits.lower if joint.limits.lower is not None else -UNLIMITED
        high = joint.limits.upper if joint.limits.upper is not None else UNLIMITED
        low, high = max(low, -1e3), min(high, 1e3)
        return self.chance.uniform(low + 0.1 * (high - low), high - 0.1 * (high - low))

    def realise(self) -> Realised:
        """Place the parts, mate them, add what does not matter."""
        frames = list(self.robot.walk())
        for frame in self._shuffled(frames):
            if frame.id not in self.inner and frame.parent and self.chance.random() < self.manner.groups:
                self._group(frame)
        for frame in self._shuffled([frame for frame in frames if frame.id not in self.inner]):
            part = self.top.assembly.part(Part(f"part{self.numbers[frame.id]}"), self.top.poses[frame.id])
            self.top.names[frame.id] = (part.fixed() if frame.parent is None else part).name
        for frame in self._shuffled([frame for frame in frames if frame.parent is not None]):
            self._mate(frame)
        for frame in frames:
            self._couple(frame)
        self._add_fasteners()
        return Realised(
            self.top.assembly,
            self.positions,
            self.top.names,
            self.realisations,
            tuple(self.not_held),
            tuple(self.coupled),
        )

    def _shuffled(self, frames: list[Frame]) -> list[Frame]:
        return self.chance.sample(frames, len(frames))

    def _group(self, first: Frame) -> None:
        """A frame and some of its children as a sub-assembly; a flexible one has its parts elsewhere than its file."""
        members = [first, *(f for f in self.robot.children(first.id) if f.id not in self.inner)][:3]
        moving = [f.joint_name for f in members[1:] if f.joint_name in self.positions and not f.is_rigid]
        is_flexible = bool(moving) and self.chance.random() < 0.6
        own = dict(self.positions)
        if is_flexible:
            own |= {name: self._position(self.robot.joints[name]) for name in moving}
        elsewhere = self.kinematics.poses(own)
        offset = np.eye(4)
        offset[:3, 3] = [self.chance.uniform(-0.2, 0.2) for _ in range(3)]
        sub = Assembly(f"group{self.numbers[first.id]}")
        scope = Scope(sub, {}, {}, own)
        here = {}
        for frame in members:
            scope.poses[frame.id] = offset @ np.linalg.inv(elsewhere[first.id]) @ elsewhere[frame.id]
            here[frame.id] = offset @ np.linalg.inv(self.top.poses[first.id]) @ self.top.poses[frame.id]
            inside = sub.part(Part(f"part{self.numbers[frame.id]}"), scope.poses[frame.id])
            scope.names[frame.id] = inside.name
            self.inner[frame.id] = scope
        instance = self.top.assembly.sub(sub, self.top.poses[first.id] @ np.linalg.inv(offset))
        if is_flexible:
            instance.flexible(**{scope.names[f.id].replace("-1", "_1"): here[f.id] for f in members})
        self.top.names.update({f.id: f"{instance.name}/{scope.names[f.id]}" for f in members})

    def _scope(self, frame: Frame) -> Scope:
        """The assembly that mates a frame to its parent: the sub-assembly that holds both, or the whole."""
        own = self.inner.get(frame.id)
        return own if own is not None and frame.parent in own.names else self.top

    def _place(self, frame: Frame, scope: Scope) -> Place:
        T = scope.poses[frame.id]
        axis = np.array(frame.joint.axis if frame.joint and not frame.is_rigid else (0.0, 0.0, 1.0))
        axis = T[:3, :3] @ axis / np.linalg.norm(axis)
        parent = scope.names[frame.parent or ""]
        return Place(parent, scope.names[frame.id], T[:3, 3], axis, self.chance, self.manner.noise, scope.assembly)

    def _mate(self, frame: Frame) -> None:
        scope = self._scope(frame)
        place = self._place(frame, scope)
        kind = frame.joint.type if frame.joint else JointType.FIXED
        ways = sorted(REALISATIONS[kind])
        chosen = [self.chance.choice(ways)]
        if self.chance.random() < self.manner.redundant:
            chosen.append(self.chance.choice(ways))
        for way in chosen:
            REALISATIONS[kind][way](place)
        self.realisations[frame.joint_name] = " and ".join(chosen)
        if kind is JointType.SCREW and frame.joint:
            pitch = frame.joint.pitch
            place.assembly.screw(*place.axes(), lead=abs(pitch), reverse=pitch < 0)
        if frame.joint and kind in LIMITED:
            self._limit(frame, place, float(self.kinematics.positions(scope.positions)[frame.joint_name]))

    def _couple(self, frame: Frame) -> None:
        """A gear or linear coupler mate, where both joints are of one kind and on one parent."""
        coupling = frame.joint.coupling if frame.joint else None
        leader = self.robot.joints.get(coupling.joint) if coupling else None
        if coupling is None or leader is None or leader.parent != frame.parent or self._is_inside(frame, leader):
            return
        first, second = self._place(leader, self.top), self._place(frame, self.top)
        kinds = {joint.type for joint in (leader.joint, frame.joint) if joint}
        along = float(first.axis @ second.axis)
        size = (abs(coupling.ratio), 1.0)
        ends = [p.on(p.child, make, p.along(), p.axis, *more) for p in (first, second)
                for make, more in [(shaft, (0.01,)) if kinds == {JointType.REVOLUTE} else (line, ())]]  # fmt: skip
        if kinds == {JointType.REVOLUTE} and abs(along) > 1 - 1e-9:
            self.top.assembly.gear(*ends, ratio=size, reverse=coupling.ratio * along > 0)
        elif kinds == {JointType.PRISMATIC}:
            self.top.assembly.linear_coupler(*ends, ratio=size[::-1], reverse=coupling.ratio < 0)
        else:
            return
        self.coupled.append(frame.joint_name)

    def _is_inside(self, *frames: Frame) -> bool:
        return any(self._scope(frame) is not self.top for frame in frames)

    def _limit(self, frame: Frame, place: Place, q: float) -> None:
        """A limit mate, where one can hold the joint's limits."""
        joint = frame.joint
        if joint is None or (joint.limits.lower is None and joint.limits.upper is None):
            return
        if joint.limits.lower is None or joint.limits.upper is None or joint.coupling or joint.type is JointType.SCREW:
            self.not_held.append(frame.joint_name)
            return
        low, high = joint.limits.lower - q, joint.limits.upper - q
        if not low <= 0 <= high or high - low < 1e-6 or (joint.type is JointType.REVOLUTE and high - low >= pi - 0.02):
            self.not_held.append(frame.joint_name)
        elif joint.type is JointType.PRISMATIC:
            _limit_distance(place, low, high)
        else:
            _limit_angle(place, low, high)

    def _add_fasteners(self) -> None:
        """Bolts in parts: concentric and seated, so that they could turn if they were not fasteners."""
        for _ in range(self.manner.fasteners):
            host = self.chance.choice(sorted(self.top.names))
            T = self.top.poses[host]
            bolt = self.top.assembly.part(Part("ISO 4762 M4x10").from_toolbox(), T)
            _bearing(
                Place(
                    self.top.names[host],
                    bolt.name,
                    T[:3, 3],
                    T[:3, 2],
                    self.chance,
                    self.manner.noise,
                    self.top.assembly,
                )
            )


def _limit_distance(p: Place, low: float, high: float) -> None:
    start, at = MARGIN - low, p.along()
    one = p.on(p.parent, plane, p.in_plane(at, p.axis), p.axis)
    other = p.on(p.child, plane, p.in_plane(at + start * p.axis, p.axis), p.either(p.axis))
    p.assembly.distance(one, other, value=start, limits=(MARGIN, MARGIN + high - low))


def _limit_angle(p: Place, low: float, high: float) -> None:
    slack = (pi - (high - low)) / 2
    start = slack - low
    turned = np.cos(start) * p.across[0] + np.sin(start) * p.across[1]
    one = p.on(p.parent, plane, p.along() + 0.01 * p.across[0], p.across[0])
    other = p.on(p.child, plane, p.along() + 0.01 * turned, turned)
    p.assembly.angle(one, other, value=start, limits=(slack, slack + high - low))


LIMITED = (JointType.REVOLUTE, JointType.PRISMATIC, JointType.SCREW)
