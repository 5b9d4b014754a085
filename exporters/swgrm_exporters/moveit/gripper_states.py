"""Where a gripper is open and closed: the ends of its joint's range, by the distance between its fingers."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations

import numpy as np

from swgrm.errors import ModelError
from swgrm.model import Frame, Robot
from swgrm_exporters.moveit.groups import FINGER, PlanningGroup, PlanningGroups, is_gripper

OPEN, CLOSED = "open", "closed"
SAME = 1e-6  # [m] fingers that move less do not open


def gripper_states(robot: Robot, groups: PlanningGroups) -> dict[tuple[str, str], dict[str, float]]:
    """The states `open` and `closed` of groups with one driven joint that is limited and moves fingers.

    `robot` is the robot as the URDF has it, where loops are cut: fingers of loops have no such states.
    """
    found: dict[tuple[str, str], dict[str, float]] = {}
    if robot.cut_loops:
        return found
    spans = robot.mechanism.ranges
    for group in groups.groups:
        moved = [robot.joints[name] for name in (*group.joints, *group.followers)]
        if len(group.joints) != 1 or not is_gripper(moved) or spans[group.joints[0]].turns:
            continue
        span = spans[group.joints[0]]
        apart = [_distance(robot, group, moved, at) for at in (span.low, span.high)]
        if apart[0] is not None and apart[1] is not None and abs(apart[0] - apart[1]) > SAME:
            ends = (span.low, span.high) if apart[0] > apart[1] else (span.high, span.low)
            found |= {(name, group.name): {group.joints[0]: at} for name, at in zip((OPEN, CLOSED), ends, strict=True)}
    return found


def _distance(robot: Robot, group: PlanningGroup, moved: list[Frame], at: float) -> float | None:
    """The mean distance of the fingers' mass centres; of a single one, to that of the link that carries it."""
    fingers = [frame for frame in moved if any(FINGER.search(name) for name in _names(frame))] or moved
    if len(fingers) == 1 and fingers[0].parent is not None:
        fingers = [*fingers, robot.frame(fingers[0].parent)]
    try:
        poses = robot.mechanism.kinematics.poses(_settable(robot, group, at))
    except ModelError:
        return None
    centres = [poses[frame.id][:3, :3] @ _centre(frame) + poses[frame.id][:3, 3] for frame in fingers]
    distances = [float(np.linalg.norm(a - b)) for a, b in combinations(centres, 2)]
    return sum(distances) / len(distances) if distances else None


def _settable(robot: Robot, group: PlanningGroup, at: float) -> Mapping[str, float]:
    return {name: at for name in group.joints if name in robot.mechanism.kinematics.independent}


def _names(frame: Frame) -> list[str]:
    return [frame.id, *(link.name for link in frame.links)]


def _centre(frame: Frame) -> np.ndarray:
    masses = [link.inertial for link in frame.links if link.inertial is not None]
    return np.array(masses[0].origin if masses else (0.0, 0.0, 0.0))
