"""The result of inference: the robot, the findings, and answers about how it was inferred."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from msgspec import Struct

from swgrm.errors import ModelError, nearest_or_all
from swgrm.findings import Finding
from swgrm.inference.joints.joint_tree import JointTree, TreeJoint
from swgrm.inference.mates.types import PlacedMate
from swgrm.inference.mechanism.graph import Edge
from swgrm.inference.mechanism.rigid_groups import RigidGroups
from swgrm.inference.mechanism.solver import KinematicLoop, Mechanism
from swgrm.inference.problem import InferenceProblem
from swgrm.model import Robot
from swgrm.settings import Settings


class BodyConnection(NamedTuple):
    """Components that are one body, by their nodes, and why."""

    nodes: frozenset[int]
    reason: str


class HeldBody(NamedTuple):
    """A body of several parts: its name, how many parts, those that are fixed in SolidWorks, and what holds it."""

    name: str
    parts: int
    fixed: tuple[str, ...]
    reasons: tuple[str, ...]


class Inference(Struct, frozen=True, eq=False):
    """A robot and its findings, with what each stage returned.

    Bodies are known by a label, a number that the joints of the tree refer to.
    """

    robot: Robot
    findings: tuple[Finding, ...]
    fasteners: Mapping[str, str]  # by component name, with the signs of it
    problem: InferenceProblem
    rigid: RigidGroups
    mechanism: Mechanism
    tree: JointTree
    joint_names: Mapping[Edge, tuple[str, ...]]  # of the simple joints of each pair in the tree
    settings: Settings  # with every joint under the name that it has in the robot
    coupling_rank: int = 0  # degrees of freedom that coupling mates take away
    spared: frozenset[int] = frozenset()  # small parts that may be joints only because the settings use them, by node

    @property
    def mobility(self) -> int:
        """The degrees of freedom of the whole mechanism."""
        return self.mechanism.mobility - self.coupling_rank

    @property
    def root_name(self) -> str:
        """The component that names the base, "" if it is the assembly itself."""
        return self.body_name(self.tree.root)

    @property
    def root_reason(self) -> str:
        """Why that body is the base."""
        return self.tree.root_reason

    @property
    def posing_mates(self) -> tuple[str, ...]:
        """The mates that hold a joint or a loop and may be there only to pose the model."""
        codes = ("clocking", "clocking-loop")
        return tuple(f.where.removeprefix("mate ") for f in self.findings if f.code in codes)

    def body_of(self, component: str) -> int:
        """The label of the body that a component is in; "" is the assembly itself."""
        return int(self.mechanism.labels[self.problem.index[component]])

    def body_name(self, label: int) -> str:
        """The component that names a body, "" for the assembly itself."""
        return self.problem.nodes[self.tree.bodies[label].main].name

    def components_of(self, label: int) -> tuple[str, ...]:
        """The components of a body; "" is the assembly itself."""
        return tuple(self.problem.nodes[number].name for number in self.tree.bodies[label].nodes)

    def joint(self, name: str) -> TreeJoint:
        """The joint of the tree that a joint of the robot comes from."""
        for joint in self.tree.joints:
            if name in self.joint_names[joint.pair.edge]:
                return joint
        if name in self.robot.joints:
            raise ModelError(f"The joint `{name}` was not inferred from mates.")
        raise ModelError(f"There is no joint `{name}`.{nearest_or_all(name, list(self.robot.joints))}")

    def between(self, name: str) -> tuple[str, str] | None:
        """The components that name the parent and the child of a joint of the tree, as settings write them."""
        return self.all_between().get(name)

    def all_between(self) -> dict[str, tuple[str, str]]:
        """For each joint of the tree, the components that name its parent and its child."""
        found: dict[str, tuple[str, str]] = {}
        for joint in self.tree.joints:
            first, second = (self.problem.name_of(self.tree.bodies[end].main) for end in (joint.parent, joint.child))
            found |= dict.fromkeys(self.joint_names[joint.pair.edge], (first, second))
        return found

    def mates_of(self, joint: TreeJoint) -> tuple[PlacedMate, ...]:
        """The mates between the two bodies of a joint, limits included, couplings left out."""
        numbers = set(self.mechanism.equations.mate[joint.pair.numbers].tolist())
        ends = [set(self.tree.bodies[label].nodes) for label in (joint.parent, joint.child)]
        for number, mate in enumerate(self.problem.mates):
            if mate.is_limit and all(any(entity.node in end for entity in mate.entities) for end in ends):
                numbers.add(number)
        return tuple(self.problem.mates[number] for number in sorted(numbers))

    def loops_of(self, joint: TreeJoint) -> tuple[KinematicLoop, ...]:
        """The loops that a joint is in."""
        return tuple(loop for loop in self.mechanism.loops if joint.pair.edge in loop.edges)

    def reasons_for_body(self, label: int) -> tuple[str, ...]:
        """Why the components of a body move as one, one sentence part for each connection."""
        return tuple(connection.reason for connection in self.connections_of_body(label))

    def connections_of_body(self, label: int) -> tuple[BodyConnection, ...]:
        """What makes one body of components: rules and settings, then mates, then what is only held, as screws are."""
        inside = set(self.tree.bodies[label].nodes)
        connections: list[BodyConnection] = []
        screwed: list[BodyConnection] = []
        for edge, reason in self.rigid.joined:
            if edge[0] in inside:
                has_fastener = any(self.problem.nodes[number].name in self.fasteners for number in edge)
                (screwed if has_fastener else connections).append(BodyConnection(frozenset(edge), reason))
        for merger in self.mechanism.mergers:
            if merger.nodes[0] in inside:
                ends = " and ".join(self.problem.nodes[n].quoted for n in merger.nodes)
                mates = ", ".join(self.problem.mates[n].name for n in merger.mates)
                verb = "leave" if len(merger.mates) > 1 else "leaves"
                what = f"the loop that {mates} closes leaves" if merger.through_loop else f"{mates} {verb}"
                mated = frozenset(entity.node for n in merger.mates for entity in self.problem.mates[n].entities)
                connections.append(BodyConnection(mated, f"{what} {ends} no degree of freedom"))
        return (*connections, *screwed)

    def held_bodies(self) -> tuple[HeldBody, ...]:
        """The bodies of more than one part, with what holds each together."""
        bodies = []
        for label, body in self.tree.bodies.items():
            nodes = [self.problem.nodes[number] for number in body.nodes]
            parts = sum(not node.is_assembly for node in nodes)
            if parts > 1:
                fixed = tuple(node.name for node in nodes if node.is_fixed and node.name)
                bodies.append(HeldBody(self.body_name(label), parts, fixed, self.reasons_for_body(label)))
        return tuple(bodies)

    def node_name(self, number: int) -> str:
        """A component in backquotes by its node, or 'the assembly'."""
        return self.problem.nodes[number].quoted
