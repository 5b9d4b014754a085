"""Converts a robot to an assembly: each joint is realised by a random choice of mates with the same DOF."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass
from math import pi
from typing import TYPE_CHECKING, Any

import numpy as np

from swgrm.capture import Capture
from swgrm.model import Frame, JointType, Robot
from swgrm_mocks.builder import Assembly, Part
from swgrm_mocks.mates import line
from swgrm_mocks.realisations import REALISATIONS, JointPlacement, bearing, limit_angle, limit_distance

if TYPE_CHECKING:
    from swgrm.transforms import Array

UNLIMITED = 1.0  # [rad or m] the range of positions of a joint without limits


@dataclass(frozen=True, kw_only=True)
class RealisationOptions:
    """Options for realising a robot as an assembly."""

    noise: float = 0.0  # [m and rad] added to every entity
    redundant: float = 0.3  # the probability that a joint gets a second, redundant realisation
    groups: float = 0.2  # the probability that a frame and its children become a rigid or flexible sub-assembly
    fasteners: int = 0  # the number of bolts that are added
    poses: bool = True  # whether joints have random positions instead of zero


@dataclass(frozen=True)
class Realised:
    """An assembly, with the facts that are needed to compare it with the inferred robot."""

    assembly: Assembly
    positions: Mapping[str, Any]  # the joint positions of the assembled pose
    parts: Mapping[str, str]  # the component of each frame
    realisations: Mapping[str, str]  # the names of each joint's realisations
    not_held: tuple[str, ...]  # joints whose limits cannot be expressed as a limit mate
    coupled: tuple[str, ...]  # joints that are coupled by a gear or linear coupler mate

    def capture(self) -> Capture:
        """The capture of the assembly."""
        return self.assembly.capture()


def realise(robot: Robot, seed: int = 0, options: RealisationOptions | None = None) -> Realised:
    """The robot as an assembly of one part per frame, with randomly chosen mates."""
    return _Realiser(robot, random.Random(seed), options or RealisationOptions()).realise()  # noqa: S311 - not for secrets


@dataclass(frozen=True)
class Scope:
    """An assembly with the names and poses of the frames in it."""

    assembly: Assembly
    names: dict[str, str]  # by frame
    poses: dict[str, Array]
    positions: Mapping[str, Any]


class _Realiser:
    def __init__(self, robot: Robot, rng: random.Random, options: RealisationOptions) -> None:
        self.robot, self.rng, self.options = robot, rng, options
        self.kinematics = robot.mechanism.kinematics
        self.positions = {name: self._position(robot.joints[name]) for name in self.kinematics.independent}
        poses = self.kinematics.poses(self.positions)
        self.top = Scope(Assembly("realised"), {}, {f.id: poses[f.id] for f in robot.frames}, self.positions)
        self.sub_assemblies: dict[str, Scope] = {}  # the sub-assembly of each frame that is in one
        self.numbers = {frame.id: number for number, frame in enumerate(robot.walk())}
        self.realisations: dict[str, str] = {}
        self.not_held: list[str] = []
        self.coupled: list[str] = []

    def _position(self, frame: Frame) -> Any:
        joint = frame.joint
        if joint is None or not self.options.poses:
            return (0.0, 0.0, 0.0, 1.0) if joint and joint.type is JointType.BALL else 0.0
        if joint.type is JointType.BALL:
            q = np.array([self.rng.gauss(0, 1) for _ in range(4)])
            return tuple(float(x) for x in q / np.linalg.norm(q))
        low = joint.limits.lower if joint.limits.lower is not None else -UNLIMITED
        high = joint.limits.upper if joint.limits.upper is not None else UNLIMITED
        low, high = max(low, -1e3), min(high, 1e3)
        return self.rng.uniform(low + 0.1 * (high - low), high - 0.1 * (high - low))

    def realise(self) -> Realised:
        """Places the parts, adds the mates, and adds fasteners."""
        frames = list(self.robot.walk())
        for frame in self._shuffled(frames):
            if frame.id not in self.sub_assemblies and frame.parent and self.rng.random() < self.options.groups:
                self._group(frame)
        for frame in self._shuffled([frame for frame in frames if frame.id not in self.sub_assemblies]):
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
        return self.rng.sample(frames, len(frames))

    def _group(self, first: Frame) -> None:
        """Makes a sub-assembly of a frame and some of its children; if flexible, its parts are posed differently."""
        members = [first, *(f for f in self.robot.children(first.id) if f.id not in self.sub_assemblies)][:3]
        moving = [f.joint_name for f in members[1:] if f.joint_name in self.positions and not f.is_rigid]
        is_flexible = bool(moving) and self.rng.random() < 0.6
        own = dict(self.positions)
        if is_flexible:
            own |= {name: self._position(self.robot.joints[name]) for name in moving}
        other_poses = self.kinematics.poses(own)
        offset = np.eye(4)
        offset[:3, 3] = [self.rng.uniform(-0.2, 0.2) for _ in range(3)]
        sub = Assembly(f"group{self.numbers[first.id]}")
        scope = Scope(sub, {}, {}, own)
        here = {}
        for frame in members:
            scope.poses[frame.id] = offset @ np.linalg.inv(other_poses[first.id]) @ other_poses[frame.id]
            here[frame.id] = offset @ np.linalg.inv(self.top.poses[first.id]) @ self.top.poses[frame.id]
            inside = sub.part(Part(f"part{self.numbers[frame.id]}"), scope.poses[frame.id])
            scope.names[frame.id] = inside.name
            self.sub_assemblies[frame.id] = scope
        component = self.top.assembly.sub(sub, self.top.poses[first.id] @ np.linalg.inv(offset))
        if is_flexible:
            component.flexible(**{scope.names[f.id].replace("-1", "_1"): here[f.id] for f in members})
        self.top.names.update({f.id: f"{component.name}/{scope.names[f.id]}" for f in members})

    def _scope(self, frame: Frame) -> Scope:
        """The assembly with the mates of a frame and its parent: their common sub-assembly, or the root."""
        own = self.sub_assemblies.get(frame.id)
        return own if own is not None and frame.parent in own.names else self.top

    def _place(self, frame: Frame, scope: Scope) -> JointPlacement:
        T = scope.poses[frame.id]
        axis = np.array(frame.joint.axis if frame.joint and not frame.is_rigid else (0.0, 0.0, 1.0))
        axis = T[:3, :3] @ axis / np.linalg.norm(axis)
        parent = scope.names[frame.parent or ""]
        return JointPlacement(
            parent, scope.names[frame.id], T[:3, 3], axis, self.rng, self.options.noise, scope.assembly
        )

    def _mate(self, frame: Frame) -> None:
        scope = self._scope(frame)
        place = self._place(frame, scope)
        kind = frame.joint.type if frame.joint else JointType.FIXED
        choices = sorted(REALISATIONS[kind])
        chosen = [self.rng.choice(choices)]
        if self.rng.random() < self.options.redundant:
            chosen.append(self.rng.choice(choices))
        for name in chosen:
            REALISATIONS[kind][name](place)
        self.realisations[frame.joint_name] = " and ".join(chosen)
        if kind is JointType.SCREW and frame.joint:
            pitch = frame.joint.pitch
            place.assembly.screw(*place.axes(), lead=abs(pitch), reverse=pitch > 0)
        if frame.joint and kind in LIMITED:
            self._limit(frame, place, float(self.kinematics.positions(scope.positions)[frame.joint_name]))

    def _couple(self, frame: Frame) -> None:
        """Adds a gear or linear coupler mate if both joints have the same type and the same parent."""
        coupling = frame.joint.coupling if frame.joint else None
        leader = self.robot.joints.get(coupling.joint) if coupling else None
        if coupling is None or leader is None or leader.parent != frame.parent or self._is_inside(frame, leader):
            return
        first, second = self._place(leader, self.top), self._place(frame, self.top)
        kinds = {joint.type for joint in (leader.joint, frame.joint) if joint}
        along = float(first.axis @ second.axis)
        size = (1.0, abs(coupling.ratio))
        ends = [p.on(p.child, line, p.along(), p.axis) for p in (first, second)]
        if kinds == {JointType.REVOLUTE} and abs(along) > 1 - 1e-9:
            self.top.assembly.gear(*ends, ratio=size, reverse=coupling.ratio * along > 0)
        elif kinds == {JointType.PRISMATIC}:
            carriers = (first.parent, second.parent)
            self.top.assembly.linear_coupler(*ends, ratio=size, reverse=coupling.ratio < 0, references=carriers)
        else:
            return
        self.coupled.append(frame.joint_name)

    def _is_inside(self, *frames: Frame) -> bool:
        return any(self._scope(frame) is not self.top for frame in frames)

    def _limit(self, frame: Frame, place: JointPlacement, q: float) -> None:
        """Adds a limit mate if one can express the joint's limits."""
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
            limit_distance(place, low, high)
        else:
            limit_angle(place, low, high)

    def _add_fasteners(self) -> None:
        """Adds bolts with concentric and coincident mates, so that they could rotate if they were not fasteners."""
        for _ in range(self.options.fasteners):
            host = self.rng.choice(sorted(self.top.names))
            T = self.top.poses[host]
            bolt = self.top.assembly.part(Part("ISO 4762 M4x10").from_toolbox(), T)
            bearing(
                JointPlacement(
                    self.top.names[host],
                    bolt.name,
                    T[:3, 3],
                    T[:3, 2],
                    self.rng,
                    self.options.noise,
                    self.top.assembly,
                )
            )


LIMITED = (JointType.REVOLUTE, JointType.PRISMATIC, JointType.SCREW)
