"""From a tree of bodies to the Generalized Robot Model."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

import msgspec
import numpy as np

from swgrm.errors import SettingsError, nearest
from swgrm.findings import Severity
from swgrm.inference.mechanism.joint_chain import Move
from swgrm.inference.joints.scalar_joints import Key
from swgrm.inference.joints.couplings import Follow
from swgrm.inference.joints.frames import UP, Names, body_names, component_frame, geometry_frames, joint_pose, properties
from swgrm.inference.geometry.twists import Array
from swgrm.inference.mechanism.graph import Edge
from swgrm.inference.joints.limits import Range
from swgrm.inference.options import Options
from swgrm.inference.problem import GROUND, Problem, column_matrix
from swgrm.inference.explain.joint_reasons import why
from swgrm.inference.mechanism.solver import Mechanism
from swgrm.inference.joints.joint_tree import Tree, TreeJoint
from swgrm.model import Coupling, Frame, Joint, JointType, Limits, LoopJoint, Pose, Robot
from swgrm.transforms import homogeneous, inverse

BASE = "base"


@dataclass(slots=True, eq=False)
class Known:
    """What is known of the joints beside their chains."""

    ranges: dict[Key, Range] = field(default_factory=dict)
    follows: dict[Key, Follow] = field(default_factory=dict)  # by follower
    notes: dict[Key, list[str]] = field(default_factory=dict)
    mates: dict[Key, list[int]] = field(default_factory=dict)  # limit and coupling mates


class Builder:
    """Frames in the making: where each is at q = 0, in the assembly's space."""

    def __init__(self, problem: Problem, mechanism: Mechanism, tree: Tree, known: Known, options: Options) -> None:
        self.problem, self.mechanism, self.tree, self.known, self.options = problem, mechanism, tree, known, options
        self.names = Names()
        self.frames: list[Frame] = []
        self.T: dict[str, Array] = {}
        self.component_ids: dict[int, str] = {}  # taken first: components keep their names
        self.body_frame: dict[int, str] = {}
        self.joint_names: dict[Key, str] = {}
        self.names_by_pair: dict[Edge, tuple[str, ...]] = {}

    def build(self, name: str) -> Robot:
        """The robot."""
        for number, node in enumerate(self.problem.nodes):
            self.component_ids[number] = self.names.take(node.name) if number != GROUND else BASE
        self.called = body_names(self.problem, [self.tree.bodies[label].main for label in self._bodies()])
        self._name_joints()
        self._add_base()
        for joint in self.tree.joints:
            self.body_frame[joint.child] = self._add_chain(joint)
            names = (self.joint_names[joint.child, k] for k in range(len(joint.chain)))
            self.names_by_pair[joint.pair.edge] = tuple(names)
        loops = tuple(self._close(joint) for joint in self.tree.loops)
        self._add_components()
        root = self.problem.nodes[GROUND]
        return Robot(name=name, frames=tuple(self.frames), loop_joints=loops, props=properties(root))

    def _bodies(self) -> list[int]:
        return [self.tree.root, *self.tree.unattached, *(joint.child for joint in self.tree.joints)]

    def _name(self, label: int) -> str:
        return self.called[self.tree.bodies[label].main]

    def _name_joints(self) -> None:
        """Joints are called after the body that they move, so that couplings can name them before they are made."""
        names = Names()
        for joint in self.tree.joints:
            for k in range(len(joint.chain)):
                suffix = f"_{k + 1}" if len(joint.chain) > 1 else ""
                self.joint_names[joint.child, k] = names.take(f"{self._name(joint.child)}_joint{suffix}")

    def _add_base(self) -> None:
        T = homogeneous(UP[self.options.up], np.zeros(3))
        if self.options.base_frame:
            T = self._drawn(self.options.base_frame)
        self._add(Frame(id=self.names.take(BASE)), T)
        for label in (self.tree.root, *self.tree.unattached):
            self.body_frame[label] = BASE

    def _drawn(self, name: str) -> Array:
        """The pose of a coordinate system that the user drew, by its name or path."""
        drawn = {}
        for node in self.problem.nodes:
            for item in node.document.geometry if node.document else ():
                if item.kind == "coordinateSystem" and len(item.numbers) >= 12:
                    path = f"{node.name}/{item.name}" if node.name else item.name
                    drawn[path] = node.T @ column_matrix(item.numbers)
        if name not in drawn:
            raise SettingsError(f"There is no coordinate system `{name}`.{nearest(name, list(drawn))}")
        return drawn[name]

    def _add(self, frame: Frame, T: Array) -> str:
        """Take a frame into the table; its transform follows from where it and its parent are."""
        if frame.parent is not None:
            frame = msgspec.structs.replace(frame, transform=Pose.from_matrix(inverse(self.T[frame.parent]) @ T))
        self.frames.append(frame)
        self.T[frame.id] = T
        return frame.id

    def _add_chain(self, joint: TreeJoint) -> str:
        """The moving frames of a joint, one per move; the last one is the body's."""
        parent = self.body_frame[joint.parent]
        body = self._name(joint.child)
        for k, move in enumerate(joint.chain):
            is_last = k == len(joint.chain) - 1
            identifier = self.names.take(body if is_last else f"{body}_{k + 1}")
            T = self._place(self.joint_names[joint.child, k], move, joint.child)
            frame = Frame(id=identifier, parent=parent, joint=self._joint(joint, k, T))
            parent = self._add(frame, T)
        return parent

    def _place(self, joint_name: str, move: Move, child: int) -> Array:
        """Where a joint's frame stands: at the coordinate system that the user drew for it, or by the rule."""
        T_main = self.problem.nodes[self.tree.bodies[child].main].T
        if not (drawn := self.options.joint_frames.get(joint_name)):
            return joint_pose(move, T_main)
        T = self._drawn(drawn)
        off = np.linalg.norm(np.cross(T[:3, 3] - move.point, move.axis))
        if move.type in (JointType.REVOLUTE, JointType.SCREW) and off > 1e-6:
            self.problem.find(
                Severity.WARNING, "joint-frame", joint_name,
                f"the coordinate system `{drawn}` lies {off * 1000:.3g} mm off the axis that the mates make: "
                "it is moved onto the axis",
            )  # fmt: skip
            T = T.copy()
            T[:3, 3] = move.point + move.axis * float(move.axis @ (T[:3, 3] - move.point))
        return T

    def _joint(self, joint: TreeJoint, k: int, T: Array, name: str = "") -> Joint:
        move, key = joint.chain[k], (joint.child, k)
        follow = self.known.follows.get(key) if not name else None
        span = self.known.ranges.get(key) if not name else None
        numbers = sorted({*self.mechanism.equations.mate[joint.pair.numbers].tolist(), *self.known.mates.get(key, ())})
        x, y, z = (T[:3, :3].T @ move.axis).tolist()
        axis = (0.0, 0.0, 1.0) if abs(z - 1) < 1e-12 else (x, y, z)
        return Joint(
            type=move.type,
            name=name or self.joint_names[key],
            axis=axis if move.type is not JointType.BALL else (0.0, 0.0, 1.0),
            pitch=move.pitch * 2 * np.pi,
            limits=Limits(span.lower, span.upper) if span else Limits(),
            coupling=Coupling(self.joint_names[follow.leader], follow.ratio) if follow else None,
            why=why(
                joint.pair, joint.chain, [self.problem.mates[n] for n in numbers],
                self.known.notes.get(key, []) if not name else [],
            ),
        )  # fmt: skip

    def _close(self, joint: TreeJoint) -> LoopJoint:
        """A pair left over: its last move closes the loop, those before it move virtual frames."""
        label = f"{self._name(joint.parent)}_to_{self._name(joint.child)}"
        parent = self.body_frame[joint.parent]
        for k, move in enumerate(joint.chain[:-1]):
            T = self._place("", move, joint.child)
            name = self.names.take(f"{label}_{k + 1}")
            parent = self._add(Frame(id=name, parent=parent, joint=self._joint(joint, k, T, f"{name}_joint")), T)
        k = len(joint.chain) - 1
        T = self._place("", joint.chain[k], joint.child)
        child = self._add(Frame(id=self.names.take(f"{label}_closure"), parent=self.body_frame[joint.child]), T)
        transform = Pose.from_matrix(inverse(self.T[parent]) @ T)
        return LoopJoint(
            parent=parent, child=child, joint=self._joint(joint, k, T, f"{label}_loop"), transform=transform
        )

    def _add_components(self) -> None:
        """Every component's frame, rigid in its body, under the sub-assembly that holds it if that moves along."""
        skipped: Counter[str] = Counter()
        labels = self.mechanism.labels
        ids = {GROUND: self.body_frame.get(int(labels[GROUND]), BASE)}
        self._add_geometry(GROUND, ids[GROUND], skipped)
        for number, node in enumerate(self.problem.nodes):
            if number == GROUND:
                continue
            along = labels[node.holder] == labels[number] and node.holder != GROUND
            parent = ids[node.holder] if along else self.body_frame[int(labels[number])]
            ids[number] = self.component_ids[number]
            self._add(component_frame(node, ids[number], parent), node.T)
            self._add_geometry(number, ids[number], skipped)
        for kind, count in sorted(skipped.items()):
            what = "of SolidWorks' own planes and origins" if kind == "default" else f"{kind} features"
            self.problem.find(Severity.NOTE, "geometry-left-out", self.problem.nodes[0].name or "assembly",
                              f"{count} {what} were left out")  # fmt: skip

    def _add_geometry(self, number: int, parent: str, skipped: Counter[str]) -> None:
        node = self.problem.nodes[number]
        for frame in geometry_frames(node, parent, self.names, self.options, skipped):
            self._add(frame, node.T @ frame.transform.matrix)


def component_ids(robot: Robot) -> Mapping[str, str]:
    """The frames of components, by the component's name."""
    return {f.entity.path: f.id for f in robot.frames if f.entity is not None and f.entity.kind == "component"}
