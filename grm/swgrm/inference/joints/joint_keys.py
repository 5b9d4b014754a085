"""The joints that the settings mean: found by the bodies that they are between, whatever they are called now."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from msgspec.structs import replace

from swgrm.findings import Findings
from swgrm.inference.joints.joint_tree import JointTree, TreeJoint
from swgrm.inference.mechanism.graph import Edge
from swgrm.inference.problem import InferenceProblem
from swgrm.model import JointType
from swgrm.settings import JointSettings, Settings

CODES = ("joint-gone", "joint-renamed", "joint-reversed")  # of the findings of `settle`


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
        """The settings with every joint under the name that it has now; what changed is reported."""
        settled: dict[str, JointSettings] = {}
        for key, decided in settings.joints.items():
            if decided.child and decided.type is JointType.FIXED and not decided.frame:
                continue  # the two components are one body
            by_bodies = len(decided.between) == 2 and not decided.child
            name = self._name(key, decided) if by_bodies else key
            if name and name not in settled:
                settled[name] = decided
        return replace(settings, joints=settled)

    def _name(self, key: str, decided: JointSettings) -> str:
        """The name of the joint between the two components of the settings; "" if there is none."""
        numbers = [self.problem.find(each) for each in decided.between]
        first, second = decided.between
        facts = {"first": first, "second": second}
        if None in numbers:
            return self._gone(key, decided, facts, "are no longer both in the assembly")
        ends = [self.label(number) for number in numbers if number is not None]
        edge = (min(ends), max(ends))
        if edge[0] == edge[1]:
            return self._gone(key, decided, facts, "are one body now")
        names = self.names.get(edge, ())
        if not names:
            return self._gone(key, decided, facts, "have no joint between them now")
        name = key if key in names else _same_place(key, names)
        if name != key:
            self.findings.add("joint-renamed", f"joint {name}", key=key, name=name, **facts)
        if self.joints[edge].parent != ends[0] and _depends_on_direction(decided):
            self.findings.add("joint-reversed", f"joint {name}", **facts)
        return name

    def _gone(self, key: str, decided: JointSettings, facts: Mapping[str, str], why: str) -> str:
        if decided != JointSettings(between=decided.between):
            self.findings.add("joint-gone", f"joint {key}", **facts, why=why)
        return ""


def _same_place(key: str, names: tuple[str, ...]) -> str:
    """The joint of a chain that a key meant, by the number at its end."""
    found = re.search(r"_(\d+)$", key)
    place = int(found[1]) - 1 if found else 0
    return names[place] if 0 <= place < len(names) else names[0]


def _depends_on_direction(decided: JointSettings) -> bool:
    return decided.flip or any(value is not None for value in (decided.zero, decided.lower, decided.upper))
