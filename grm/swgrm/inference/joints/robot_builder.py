"""From a tree of bodies to the Generalized Robot Model."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import msgspec
import numpy as np

from swgrm.findings import Findings
from swgrm.inference.explain.joint_reasons import why
from swgrm.inference.geometry.twists import Array
from swgrm.inference.joints.facts import JointFacts
from swgrm.inference.joints.frames import (
    UNREADABLE,
    UP,
    UniqueNames,
    body_names,
    component_frame,
    coordinate_system,
    geometry_frames,
    joint_poses,
    moved_along,
    properties,
)
from swgrm.inference.joints.given_frames import GivenFrame, given_frame, given_pose
from swgrm.inference.joints.joint_keys import SettledJoints
from swgrm.inference.joints.joint_tree import JointTree, TreeJoint
from swgrm.inference.joints.limits import LoopKey
from swgrm.inference.joints.scalar_joints import JointKey
from swgrm.inference.mechanism.graph import Edge
from swgrm.inference.mechanism.joint_chain import SimpleJoint
from swgrm.inference.mechanism.solver import Mechanism
from swgrm.inference.problem import GROUND, DefinedJoint, InferenceProblem
from swgrm.model import Coupling, Frame, Joint, JointType, Limits, LoopJoint, Pose, Relation, Robot, Vec3, Why
from swgrm.settings import JointPoseSettings, JointSettings, PoseSettings, Settings
from swgrm.transforms import homogeneous, inverse

BASE = "base"
Z = (0.0, 0.0, 1.0)


class BuiltRobot(NamedTuple):
    """A robot, the names of the joints that each pair of bodies became, and the settings of these joints."""

    robot: Robot
    joint_names: Mapping[Edge, tuple[str, ...]]
    settings: Settings  # with every joint under its name in the robot


def build_robot(
    name: str,
    problem: InferenceProblem,
    mechanism: Mechanism,
    tree: JointTree,
    facts: JointFacts,
    settings: Settings,
    findings: Findings,
) -> BuiltRobot:
    """The robot of a tree of joints."""
    builder = _RobotBuilder(problem, mechanism, tree, facts, settings, findings)
    return BuiltRobot(builder.build(name), builder.names_by_pair, builder.settings)


class _RobotBuilder:
    """The frames of a robot as they are added, with their poses at q = 0 in the assembly's space."""

    def __init__(
        self,
        problem: InferenceProblem,
        mechanism: Mechanism,
        tree: JointTree,
        facts: JointFacts,
        settings: Settings,
        findings: Findings,
    ) -> None:
        self.problem, self.mechanism, self.tree, self.facts = problem, mechanism, tree, facts
        self.settings, self.findings = settings, findings
        self.names = UniqueNames()
        self.frames: list[Frame] = []
        self.T: dict[str, Array] = {}
        self.component_ids: dict[int, str] = {}  # taken first: components keep their names
        self.body_frame: dict[int, str] = {}
        self.joint_names: dict[JointKey, str] = {}
        self.names_by_pair: dict[Edge, tuple[str, ...]] = {}
        self.given_axes: dict[str, Array] = {}  # of joints, in their frames
        self.fixed_frames: dict[int, str] = {}  # of nodes that the settings give a frame of their own in their body

    def build(self, name: str) -> Robot:
        """The robot."""
        for number, node in enumerate(self.problem.nodes):
            self.component_ids[number] = self.names.take(node.name) if number != GROUND else BASE
        self.called = body_names(self.problem, [self.tree.bodies[label].main for label in self._bodies()])
        self._name_joints()
        for joint in self.tree.joints:
            names = (self.joint_names[joint.child, k] for k in range(len(joint.chain)))
            self.names_by_pair[joint.pair.edge] = tuple(names)
        labels = self.mechanism.labels
        known = SettledJoints(self.problem, self.tree, self.names_by_pair, lambda n: int(labels[n]), self.findings)
        self.settings = known.settle(self.settings)
        self._add_base()
        self.poses = self._joint_poses()
        for joint in self.tree.joints:
            self.body_frame[joint.child] = self._add_chain(joint)
            self._add_fixed_frames(joint.child)
        loops = tuple(self._close(joint) for joint in self.tree.loops)
        self._add_components()
        root = self.problem.nodes[GROUND]
        relations = tuple(
            Relation({self.joint_names[key]: value for key, value in relation.terms.items()})
            for relation in self.facts.coupled.relations
        )
        frames, loops = self._placed(loops)
        return Robot(name=name, frames=frames, loop_joints=loops, relations=relations, props=properties(root))

    def _bodies(self) -> list[int]:
        return [self.tree.root, *self.tree.unattached, *(joint.child for joint in self.tree.joints)]

    def _name(self, label: int) -> str:
        return self.called[self.tree.bodies[label].main]

    def _name_joints(self) -> None:
        """Name the joints after the bodies that they move, before they are built: couplings refer to them."""
        names = UniqueNames()
        for joint in self.tree.joints:
            if defined := self._defined(joint):
                self.joint_names[joint.child, 0] = names.take(defined.name)
        for joint in self.tree.joints:
            if self._defined(joint):
                continue
            for k in range(len(joint.chain)):
                suffix = f"_{k + 1}" if len(joint.chain) > 1 else ""
                self.joint_names[joint.child, k] = names.take(f"{self._name(joint.child)}_joint{suffix}")

    def _defined(self, joint: TreeJoint) -> DefinedJoint | None:
        """The definition of a joint in the settings, if there is one."""
        labels = self.mechanism.labels
        for each in self.problem.defined:
            if sorted((int(labels[each.parent]), int(labels[each.child]))) == list(joint.pair.edge):
                return each
        return None

    def _add_base(self) -> None:
        T = homogeneous(UP[self.settings.base.up], np.zeros(3))
        given = self.settings.base.frame
        if isinstance(given, PoseSettings):
            T = given_pose(given, ("base", "frame"))
        elif given:
            T = coordinate_system(self.problem, given, ("base", "frame"))
        self._add(Frame(id=self.names.take(BASE)), T)
        for label in (self.tree.root, *self.tree.unattached):
            self.body_frame[label] = BASE
            self._add_fixed_frames(label)

    def _add(self, frame: Frame, T: Array) -> str:
        """Add a frame and its pose T."""
        self.frames.append(frame)
        self.T[frame.id] = T
        return frame.id

    def _placed(self, loops: Sequence[LoopJoint]) -> tuple[tuple[Frame, ...], tuple[LoopJoint, ...]]:
        """The frames and loop joints with their transforms, which follow from the poses of both ends."""
        ends = [(frame.parent or frame.id, frame.id) for frame in self.frames]
        ends += [(loop.parent, loop.child) for loop in loops]
        T_parent, T = (np.array([self.T[end[side]] for end in ends]) for side in (0, 1))
        transforms = Pose.from_matrices(inverse(T_parent) @ T)
        frames = tuple(
            msgspec.structs.replace(frame, transform=transform) if frame.parent is not None else frame
            for frame, transform in zip(self.frames, transforms, strict=False)
        )
        own = zip(loops, transforms[len(frames) :], strict=True)
        return frames, tuple(msgspec.structs.replace(loop, transform=transform) for loop, transform in own)

    def _joint_poses(self) -> dict[LoopKey, Array]:
        """The poses of all simple joints' frames, for those that the settings do not place."""
        joints = (*self.tree.joints, *self.tree.loops)
        keys = [LoopKey(joint.pair.edge, k) for joint in joints for k in range(len(joint.chain))]
        if not keys:
            return {}
        main = {joint.child: self.problem.nodes[self.tree.bodies[joint.child].main].T for joint in joints}
        T_main = np.array([main[joint.child] for joint in joints for _ in joint.chain])
        return dict(zip(keys, joint_poses([simple for joint in joints for simple in joint.chain], T_main), strict=True))

    def _add_chain(self, joint: TreeJoint) -> str:
        """Add the moving frames of a joint, one per simple joint; returns the last one, which is the body's."""
        parent = self._parent_frame(joint)
        body = self._name(joint.child)
        for k, simple in enumerate(joint.chain):
            is_last = k == len(joint.chain) - 1
            identifier = self.names.take(body if is_last else f"{body}_{k + 1}")
            T = self._place(self.joint_names[joint.child, k], joint, k, parent)
            defined = self._defined(joint)
            if defined and defined.origin is not None:
                T = moved_along(T, simple, defined.origin)
            frame = Frame(id=identifier, parent=parent, joint=self._joint(joint, k, T))
            parent = self._add(frame, T)
        return parent

    def _parent_frame(self, joint: TreeJoint) -> str:
        """The frame of the parent's body, or that which the settings give its component in `between` or `parent`."""
        decided = self.settings.joints.get(self.joint_names[joint.child, 0])
        for name in (decided.parent, *decided.between[:1]) if decided else ():
            if (number := self.problem.find(name)) in self.fixed_frames:
                return self.fixed_frames[number or GROUND]
        return self.body_frame[joint.parent]

    def _place(self, joint_name: str, joint: TreeJoint, k: int, parent: str = "") -> Array:
        """The pose of a joint's frame: as the settings give it for the joint, or that of `joint_poses`."""
        decided = self.settings.joints.get(joint_name)
        if decided is None or not decided.frame:
            return self.poses[LoopKey(joint.pair.edge, k)]
        simple = joint.chain[k]
        if isinstance(decided.frame, JointPoseSettings):
            found = given_frame(decided.frame, decided, simple, self.T[parent], joint_name, self.findings)
            self._given(joint_name, decided, found)
            return found.T
        T = coordinate_system(self.problem, decided.frame, ("joints", joint_name, "frame"))
        off = np.linalg.norm(np.cross(T[:3, 3] - simple.point, simple.axis))
        if simple.type in (JointType.REVOLUTE, JointType.SCREW) and off > 1e-6:
            self.findings.add("joint-frame", f"joint {joint_name}", frame=decided.frame, distance=off * 1000)
            T = T.copy()
            T[:3, 3] = simple.point + simple.axis * float(simple.axis @ (T[:3, 3] - simple.point))
        return T

    def _given(self, joint_name: str, decided: JointSettings, found: GivenFrame) -> None:
        """Keep the axis that the settings give for a joint, and its direction as a setting."""
        if found.axis is not None:
            self.given_axes[joint_name] = found.axis
        if found.is_reversed:
            joints = {**self.settings.joints, joint_name: msgspec.structs.replace(decided, flip=True)}
            self.settings = msgspec.structs.replace(self.settings, joints=joints)

    def _joint(self, joint: TreeJoint, k: int, T: Array, name: str = "") -> Joint:
        simple, key = joint.chain[k], (joint.child, k)
        follow = self.facts.coupled.couplings.get(key) if not name else None
        loop_key = LoopKey(joint.pair.edge, k)
        span = self.facts.loop_ranges.get(loop_key) if name else self.facts.ranges.get(key)
        limiting = [use for use in self.facts.loop_uses if use.joint == loop_key] if name else []
        used = [use.mate for use in limiting] if name else self.facts.mates.get(key, ())
        notes = [use.note for use in limiting if use.note] if name else self.facts.notes.get(key, [])
        numbers = sorted({*self.mechanism.equations.mate[joint.pair.numbers].tolist(), *used})
        limit_numbers = [number for number in numbers if number in used] if span else []
        return Joint(
            type=simple.type,
            name=name or self.joint_names[key],
            axis=self._axis(name or self.joint_names[key], simple, T) if T is not self.poses[loop_key] else Z,
            pitch=simple.pitch * 2 * np.pi,
            limits=Limits(span.lower, span.upper) if span else Limits(),
            coupling=Coupling(self.joint_names[follow.leader], follow.ratio) if follow else None,
            why=self._why(joint, numbers, limit_numbers, notes, closes_loop=bool(name)),
        )

    def _axis(self, joint_name: str, simple: SimpleJoint, T: Array) -> Vec3:
        """The axis of a joint whose frame the settings place; z in the other frames."""
        known = self.given_axes.get(joint_name)
        x, y, z = (T[:3, :3].T @ simple.axis if known is None else known).tolist()
        return Z if abs(z - 1) < 1e-12 or simple.type is JointType.BALL else (x, y, z)

    def _why(
        self,
        joint: TreeJoint,
        numbers: list[int],
        limit_numbers: list[int],
        notes: Sequence[str],
        *,
        closes_loop: bool,
    ) -> Why:
        mates = [self.problem.mates[number] for number in numbers]
        used_mates = [self.problem.mates[number] for number in limit_numbers]
        limiting_mates = [mate for mate in used_mates if mate.is_limit]
        reason = why(joint.pair, joint.chain, mates, limiting_mates, notes, closes_loop=closes_loop)
        return Why(freedom=reason.freedom, reason="the settings define it") if self._defined(joint) else reason

    def _close(self, joint: TreeJoint) -> LoopJoint:
        """A pair outside the tree: its last simple joint closes the loop, those before it move virtual frames."""
        label = f"{self._name(joint.parent)}_to_{self._name(joint.child)}"
        parent = self.body_frame[joint.parent]
        for k in range(len(joint.chain) - 1):
            T = self._place("", joint, k)
            name = self.names.take(f"{label}_{k + 1}")
            parent = self._add(Frame(id=name, parent=parent, joint=self._joint(joint, k, T, f"{name}_joint")), T)
        k = len(joint.chain) - 1
        T = self._place("", joint, k)
        child = self._add(Frame(id=self.names.take(f"{label}_closure"), parent=self.body_frame[joint.child]), T)
        defined = self._defined(joint)
        name = defined.name if defined else f"{label}_loop"
        return LoopJoint(parent=parent, child=child, joint=self._joint(joint, k, T, name))

    def _add_components(self) -> None:
        """Add every component's frame, rigid in its body, under its sub-assembly if that is in the same body."""
        skipped: Counter[str] = Counter()
        labels = self.mechanism.labels
        ids = {GROUND: self.body_frame.get(int(labels[GROUND]), BASE)}
        own = self.fixed_frames
        self._add_geometry(GROUND, ids[GROUND], skipped)
        for number, node in enumerate(self.problem.nodes):
            if number == GROUND:
                continue
            along = labels[node.holder] == labels[number] and node.holder != GROUND and number not in own
            parent = ids[node.holder] if along else own.get(number, self.body_frame[int(labels[number])])
            ids[number] = self.component_ids[number]
            self._add(component_frame(node, ids[number], parent), node.T)
            self._add_geometry(number, ids[number], skipped)
        for kind, count in sorted(skipped.items()):
            if kind == UNREADABLE:
                self.findings.add("geometry-unreadable", "assembly", count=count)
            else:
                self.findings.add("geometry-left-out", "assembly", count=count, kind=kind)

    def _add_fixed_frames(self, label: int) -> None:
        """Add a frame on a body for each fixed joint in it that the settings place by `frame`."""
        own = self.fixed_frames
        for name, decided in self.settings.joints.items():
            if not (decided.child and decided.frame and decided.type is JointType.FIXED):
                continue
            parent_node, child = (self.problem.node_of(end) for end in (decided.parent, decided.child))
            if self.mechanism.labels[child] != label:
                continue
            parent = own.get(parent_node, self.body_frame[label])
            at = ("joints", name, "frame")
            if isinstance(decided.frame, str):
                T = coordinate_system(self.problem, decided.frame, at)
            else:
                T = self.T[parent] @ given_pose(decided.frame, at)
            why = Why(freedom="0 degrees of freedom are left", reason="the settings define it")
            joint = Joint(type=JointType.FIXED, name=name, why=why)
            identifier = self.names.take(body_names(self.problem, [child])[child])
            frame = self._add(Frame(id=identifier, parent=parent, joint=joint), T)
            joined = next((group for group in self.settings.links.join if decided.child in group), (decided.child,))
            own |= {number: frame for each in joined if (number := self.problem.find(each)) is not None}

    def _add_geometry(self, number: int, parent: str, skipped: Counter[str]) -> None:
        node = self.problem.nodes[number]
        if node.document is None:
            return
        for frame in geometry_frames(node, parent, self.names, self.settings.frames, skipped):
            self._add(frame, node.T @ frame.transform.matrix)
