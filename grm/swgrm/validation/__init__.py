"""Validation of a robot: every check, as findings with stable codes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from swgrm.findings import Finding, Findings
from swgrm.model import Robot
from swgrm.validation.bodies import check_bodies
from swgrm.validation.checks import Checks
from swgrm.validation.connections import check_connections


def check(robot: Robot, folder: Path | None = None) -> list[Finding]:
    """Everything that is wrong with a robot, worst first; with a folder, also whether its mesh files exist."""
    findings = Findings()
    joints = [f.joint_name for f in robot.frames if f.joint] + [loop.joint.name for loop in robot.loop_joints]
    connected = _TreeChecks(robot, findings).run(joints)
    check_bodies(robot, folder, findings)
    check_connections(robot, set(joints), connected, findings)
    return sorted(findings, key=lambda f: (-f.severity, f.code, f.where))


class _TreeChecks(Checks):
    """Checks of names and of the tree that the frames form."""

    def run(self, joints: list[str]) -> bool:
        """Check all names and return whether the frames form one tree."""
        robot = self.robot
        self.names("frame-duplicate", "frame", [f.id for f in robot.frames])
        self.names("joint-duplicate", "joint", joints)
        self.names("link-duplicate", "link", [link.name for _, link in robot.links()])
        self.names("sensor-duplicate", "sensor", [sensor.name for f in robot.frames for sensor in f.sensors])
        self.names("material-duplicate", "material", [m.name for m in robot.materials])
        self.names("transmission-duplicate", "transmission", [t.name for t in robot.transmissions])
        self.names("composite-duplicate", "composite joint", [each.name for each in robot.composite_joints])
        return self.tree()

    def names(self, code: str, kind: str, names: list[str]) -> None:
        if len(set(names)) != len(names):
            for name, count in Counter(names).items():
                if count > 1 and name:
                    self.add(code, f"{kind} {name}", count=count)
        for name in names:
            if not name:
                self.add("name-empty", kind, kind=kind)
            elif not name.isprintable() or name != name.strip():
                self.add("name-illegal", f"{kind} {name!r}")

    def tree(self) -> bool:
        """Whether the frames form one tree."""
        robot = self.robot
        roots = [f.id for f in robot.frames if f.parent is None]
        if not roots:
            self.add("root-missing", f"robot {robot.name}")
        elif len(roots) > 1:
            self.add("root-several", f"robot {robot.name}", count=len(roots), frames=", ".join(roots[:5]))
        reached = _reached(robot, roots)
        for frame in robot.frames:
            if frame.id not in reached:
                why = "does not exist" if frame.parent not in robot.by_id else "is not connected either"
                self.add("frame-unreachable", f"frame {frame.id}", parent=frame.parent, reason=why)
        return len(roots) == 1 and len(reached) == len(robot.frames)


def _reached(robot: Robot, roots: Iterable[str]) -> set[str]:
    reached = set(roots)
    stack = list(reached)
    while stack:
        fresh = [child.id for child in robot.children(stack.pop()) if child.id not in reached]
        reached.update(fresh)
        stack += fresh
    return reached
