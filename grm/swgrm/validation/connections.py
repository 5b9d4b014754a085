"""Checks of what connects joints and frames: couplings, relations, composite joints, transmissions and loops."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from swgrm.findings import Findings
from swgrm.kinematics.joint_relations import relation_name
from swgrm.model import JointType, Robot
from swgrm.model.composites import chain
from swgrm.validation.checks import TOLERANCE, Checks


def check_connections(robot: Robot, joints: Collection[str], connected: bool, findings: Findings) -> None:
    """Check what refers to joints and frames; `joints` are all names of joints, `connected` is true of a tree."""
    checks = _ConnectionChecks(robot, findings)
    checks.couplings()
    checks.relations(connected)
    checks.composites()
    checks.transmissions(joints)
    checks.loop_frames()
    if connected and robot.loop_joints and not any(f.code == "not-finite" for f in findings):
        checks.loop_gaps()


class _ConnectionChecks(Checks):
    """Each method checks one kind of connection."""

    def couplings(self) -> None:
        joints = self.robot.joints
        leaders = {n: f.joint.coupling for n, f in joints.items() if f.joint and f.joint.coupling}
        follows = {name: coupling.joint for name, coupling in leaders.items()}
        for name, coupling in leaders.items():
            where = f"joint {name}"
            self.finite(where, "coupling", (coupling.ratio, coupling.offset))
            if coupling.ratio == 0:
                self.add("coupling-ratio", where, leader=coupling.joint)
            if coupling.joint == name:
                self.add("coupling-self", where)
            elif coupling.joint not in joints:
                self.add("coupling-missing", where, leader=coupling.joint)
            elif name in _chain(name, follows):
                self.add("coupling-circle", where)
            for each in (name, coupling.joint):
                joint = joints[each].joint if each in joints else None
                if joint is not None and joint.type in (JointType.FIXED, JointType.BALL):
                    self.add("coupling-type", where, joint=each, type=joint.type)

    def relations(self, connected: bool) -> None:
        """Each relation by itself; if all are sound, whether they agree."""
        before = len(self.findings)
        for relation in self.robot.relations:
            where = relation_name(relation)
            if not relation.terms:
                self.add("relation-empty", where)
            if not self.finite(where, "relation", (*relation.terms.values(), relation.offset)):
                continue
            for name, coefficient in relation.terms.items():
                joint = self.robot.joints[name].joint if name in self.robot.joints else None
                if joint is None:
                    self.add("relation-joint", where, joint=name)
                elif joint.type in (JointType.FIXED, JointType.BALL):
                    self.add("relation-type", where, joint=name, type=joint.type)
                if coefficient == 0:
                    self.add("relation-zero", where, joint=name)
        if self.robot.relations and connected and len(self.findings) == before:
            self.agreement()

    def agreement(self) -> None:
        from swgrm.errors import ModelError

        try:
            solution = self.robot.mechanism.kinematics.solution()
        except ModelError:
            return  # reported by the checks of axes and couplings
        for code, numbers in (
            ("relation-redundant", solution.redundant),
            ("relation-contradictory", solution.contradictory),
        ):
            for number in numbers:
                self.add(code, relation_name(self.robot.relations[number]))

    def composites(self) -> None:
        for composite in self.robot.composite_joints:
            where = f"composite joint {composite.name}"
            missing = [name for name in composite.joints if name not in self.robot.joints]
            for name in missing:
                self.add("composite-joint", where, joint=name)
            if not missing and not chain(self.robot, composite):
                joints = ", ".join(f"`{name}`" for name in composite.joints)
                self.add("composite-broken", where, joints=joints, type=composite.type)

    def transmissions(self, joints: Collection[str]) -> None:
        for transmission in self.robot.transmissions:
            for end in transmission.joints:
                if end.name not in joints:
                    self.add("transmission-joint", f"transmission {transmission.name}", joint=end.name)

    def loop_frames(self) -> None:
        ends = [("loop-frame-missing", loop, (loop.parent, loop.child)) for loop in self.robot.loop_joints]
        ends += [("cut-loop-frame", cut.loop, (cut.parent_frame, cut.child_frame)) for cut in self.robot.cut_loops]
        for code, loop, ids in ends:
            for frame_id in ids:
                if frame_id not in self.robot.by_id:
                    self.add(code, f"joint {loop.joint.name}", frame=frame_id)

    def loop_gaps(self) -> None:
        import numpy as np

        from swgrm.errors import ModelError
        from swgrm.transforms import inverse

        try:
            assembled = self.robot.mechanism.assembled
        except ModelError:
            return  # reported by the checks of axes, couplings and relations
        for loop in self.robot.loop_joints:
            if loop.parent in assembled.ids and loop.child in assembled.ids:
                gap = inverse(assembled[loop.parent] @ loop.transform.matrix) @ assembled[loop.child] - np.eye(4)
                if (off := float(np.abs(gap).max())) > TOLERANCE:
                    self.add("loop-open", f"joint {loop.joint.name}", gap=off)


def _chain(name: str, leaders: Mapping[str, str]) -> Iterator[str]:
    seen: set[str] = set()
    while (name := leaders.get(name, "")) and name not in seen:
        seen.add(name)
        yield name
