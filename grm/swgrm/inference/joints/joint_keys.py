"""The joints that the settings mean: found by the bodies that they are between, whatever they are called now."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import NamedTuple

from msgspec.structs import replace

from swgrm.findings import Findings
from swgrm.inference.joints.frames import possible_names
from swgrm.inference.joints.joint_tree import JointTree, TreeJoint
from swgrm.inference.mechanism.graph import Edge
from swgrm.inference.problem import InferenceProblem
from swgrm.model import JointType
from swgrm.settings import JointSettings, Settings

# Of the findings of `settle`.
CODES = ("joint-gone", "joint-renamed", "joint-reversed", "joint-settings-twice")


class _BodyPairJoint(NamedTuple):
    """The joint that connects two bodies."""

    name: str
    is_reversed: bool  # it leads from the second component of the settings to the first


class SettledJoints:
    """Looks joints up by the two components that settings remember."""

    def __init__(
        self,
        problem: InferenceProblem,
        tree: JointTree,
        names: Mapping[Edge, tuple[str, ...]],
        label: Callable[[int], int],
        findings: Findings,
    ) -> None:
        self.problem, self.names, self.label, self.findings = problem, names, label, findings
        self.joints: dict[Edge, TreeJoint] = {joint.pair.edge: joint for joint in tree.joints}

    def settle(self, settings: Settings) -> Settings:
        """The settings with every joint under the name that it has now; what changed is reported.

        Two entries can mean one joint: the joint's own name, and an older name with the same two bodies. The joint's
        own name wins, whatever the order of the entries.
        """
        settled: dict[str, JointSettings] = {}
        renamed: list[tuple[str, _BodyPairJoint]] = []
        for key, decided in settings.joints.items():
            if decided.child and decided.type is JointType.FIXED and not decided.frame:
                continue  # the two components are one body
            if len(decided.between) != 2 or decided.child:
                settled[key] = decided
                continue
            joint = self._joint_between(key, decided)
            if joint is None:
                continue
            if joint.name == key:
                settled[key] = decided
                self._report_direction(joint, decided)
            else:
                renamed.append((key, joint))
        for key, joint in renamed:
            decided = settings.joints[key]
            first, second = decided.between
            facts = {"key": key, "name": joint.name, "first": first, "second": second}
            if joint.name in settled:
                self.findings.add("joint-settings-twice", f"joint {joint.name}", **facts)
                continue
            settled[joint.name] = decided
            self.findings.add("joint-renamed", f"joint {joint.name}", **facts)
            self._report_direction(joint, decided)
        return replace(settings, joints=settled)

    def _joint_between(self, key: str, decided: JointSettings) -> _BodyPairJoint | None:
        """The joint between the two components of the settings; None if there is none, which is reported."""
        numbers = [self.problem.find(component) for component in decided.between]
        if None in numbers:
            self._report_gone(key, decided, "are no longer both in the assembly")
            return None
        ends = [self.label(number) for number in numbers if number is not None]
        edge = (min(ends), max(ends))
        if edge[0] == edge[1]:
            self._report_gone(key, decided, "are one body now")
            return None
        names = self.names.get(edge, ())
        if not names:
            self._report_gone(key, decided, "have no joint between them now")
            return None
        name = key if key in names else _same_place(key, names)
        return _BodyPairJoint(name, is_reversed=self.joints[edge].parent != ends[0])

    def _report_direction(self, joint: _BodyPairJoint, decided: JointSettings) -> None:
        """Report a joint that leads the other way than its settings were written for."""
        if joint.is_reversed and _depends_on_direction(decided):
            first, second = decided.between
            self.findings.add("joint-reversed", f"joint {joint.name}", first=first, second=second)

    def _report_gone(self, key: str, decided: JointSettings, why: str) -> None:
        if decided != JointSettings(between=decided.between):
            first, second = decided.between
            self.findings.add("joint-gone", f"joint {key}", first=first, second=second, why=why)


def nodes_of_joints(problem: InferenceProblem, settings: Settings) -> set[int]:
    """The components that the settings use as the base, or as one of the two of a joint about which they decide."""
    names = {settings.base.root}
    bodies = set()
    for key, decided in settings.joints.items():
        names |= {decided.parent, decided.child}
        if decided != JointSettings(between=decided.between):
            names.update(decided.between)
            bodies.add(key)
    for positions in settings.poses.values():
        bodies.update(positions)
    bodies.update(settings.actuators)
    numbers = {problem.find(name) for name in names if name}
    # A joint that is known by its name alone: that of the body that it moves, and `_joint`.
    moved = {name.rpartition("_joint")[0] for name in bodies if "_joint" in name}
    if moved:
        for number, node in enumerate(problem.nodes):
            if node.name and not moved.isdisjoint(possible_names(node.name)):
                numbers.add(number)
    return {number for number in numbers if number is not None}


def _same_place(key: str, names: tuple[str, ...]) -> str:
    """The joint of a chain that a key meant, by the number at its end."""
    match = re.search(r"_(\d+)$", key)
    index = int(match[1]) - 1 if match else 0
    return names[index] if 0 <= index < len(names) else names[0]


def _depends_on_direction(decided: JointSettings) -> bool:
    return decided.flip or any(value is not None for value in (decided.zero, decided.lower, decided.upper))
