"""An understood assembly as migration looks at it: components, their bodies, joints, masses and reference geometry."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from swgrm.errors import SettingsError
from swgrm.inference.joints.frames import placed_geometry
from swgrm.mass.inertia import combine, moved, tensor_matrix
from swgrm.model import Inertial
from swgrm_addin.pipeline import Understanding

if TYPE_CHECKING:
    from swgrm.inference import Inference
    from swgrm.inference.joints.joint_tree import TreeJoint
    from swgrm.transforms import Array

Matches = dict[str, tuple[str, ...]]  # by link: its components, that which names it first
SAME_MASS = 1e-3  # relative: masses and principal moments that identify a part


def plain(name: str) -> str:
    """A name as files of other exporters spell it, without regard to case."""
    return re.sub(r"[^0-9a-z\u0080-\uffff]+", "_", name.casefold()).strip("_")


class JointOfPair(NamedTuple):
    """A joint of the tree between two bodies, and whether it leads from the first to the second."""

    joint: TreeJoint
    is_forward: bool


class AssemblyView:
    """Answers about an understood assembly."""

    def __init__(self, done: Understanding, inference: Inference) -> None:
        self.done, self.inference, self.problem = done, inference, inference.problem
        self.names = [node.name for node in self.problem.nodes[1:]]
        self.parts = [node.name for node in self.problem.nodes[1:] if not node.is_assembly]
        self._inertials = {
            frame.entity.path: [link.inertial for link in frame.links if link.inertial]
            for frame in done.robot.frames
            if frame.entity is not None and frame.entity.kind == "component"
        }

    # ---- components and bodies

    def components_called(self, name: str) -> list[str]:
        """The components of that name, or whose names other exporters spell so; or else of one level of its path.

        What a persistent id contains beside the component's name is not documented: such texts are levels, too.
        """
        for wanted in ([name], name.split("/")):
            exact = [each for each in self.names if each in wanted]
            spelt = {plain(each) for each in wanted}
            if found := exact or [each for each in self.names if plain(each) in spelt]:
                return found
        return []

    def components_like(self, link: str) -> list[str]:
        """The parts that a link of that name may be: by their name, with or without path and instance number."""
        wanted = plain(link)
        levels: list[list[str]] = [[], [], []]
        for name in self.parts:
            leaf = name.rpartition("/")[2]
            for found, form in zip(levels, (name, leaf, re.sub(r"-\d+$", "", leaf)), strict=True):
                if plain(form) == wanted:
                    found.append(name)
        return next(filter(None, levels), [])

    def parts_of(self, components: Iterable[str]) -> tuple[str, ...]:
        """The parts among these components and inside them."""
        found: dict[str, None] = {}
        for component in components:
            found |= dict.fromkeys(p for p in self.parts if p == component or p.startswith(f"{component}/"))
        return tuple(found)

    def bodies_of(self, components: Iterable[str]) -> list[int]:
        """The bodies that the parts of these components are in."""
        return sorted({self.inference.body_of(part) for part in self.parts_of(components)})

    def parts_in(self, body: int) -> tuple[str, ...]:
        """The parts of a body."""
        return tuple(name for name in self.inference.components_of(body) if name in set(self.parts))

    def main_of(self, components: Sequence[str]) -> str:
        """The component that names a link: that of its body, if it is among them, or the first."""
        bodies = self.bodies_of(components)
        name = self.inference.body_name(bodies[0]) if bodies else ""
        return name if name in components else components[0]

    # ---- joints

    def neighbours(self, body: int) -> set[int]:
        """The bodies that have a joint with a body."""
        joints = (*self.inference.tree.joints, *self.inference.tree.loops)
        return {
            end for joint in joints if body in (joint.parent, joint.child) for end in (joint.parent, joint.child)
        } - {body}

    def joint_between(self, first: int, second: int) -> JointOfPair | None:
        """The joint of the tree between two bodies."""
        for joint in self.inference.tree.joints:
            if {joint.parent, joint.child} == {first, second}:
                return JointOfPair(joint, joint.parent == first)
        return None

    def joint_name(self, joint: TreeJoint) -> str:
        """What the settings call a joint of the tree; its first part, if it is a chain."""
        return self.inference.joint_names[joint.pair.edge][0]

    def frame_id(self, body: int) -> str:
        """The frame of a body in the robot."""
        for joint in self.inference.tree.joints:
            if joint.child == body:
                return self.inference.robot.joints[self.inference.joint_names[joint.pair.edge][-1]].id
        return self.inference.robot.root.id

    # ---- mass and geometry

    def inertial_of(self, components: Iterable[str]) -> Inertial | None:
        """The mass properties of components in the assembly's space; None if the mass of one of them is not known."""
        found: list[Inertial] = []
        for part in self.parts_of(components):
            own = self._inertials.get(part, [])
            if not own:
                return None
            found += [moved(each, self.problem.nodes[self.problem.index[part]].T) for each in own]
        return combine(found) if found else None

    def geometry(self, name: str, kind: str) -> tuple[str, Array] | None:
        """The path and the pose of a coordinate system or axis, by its path or by the classic exporter's name for it.

        The classic exporter writes `name <component-1>` for reference geometry inside a component.
        """
        inside = re.fullmatch(r"(.*\S)\s*<(.+)>", name)
        path = f"{inside[2].strip()}/{inside[1].strip()}" if inside else name
        try:
            return path, placed_geometry(self.problem, path, (kind,), ())
        except SettingsError:
            return None


def is_same_part(first: Inertial, second: Inertial) -> bool:
    """Whether two bodies have the same mass and principal moments, which do not depend on frames."""
    if not np.isclose(first.mass, second.mass, rtol=SAME_MASS, atol=0):
        return False
    one, other = (np.linalg.eigvalsh(tensor_matrix(each)) for each in (first, second))
    return bool(np.allclose(one, other, rtol=0, atol=SAME_MASS * max(np.abs(one).max(), np.abs(other).max(), 1e-300)))
