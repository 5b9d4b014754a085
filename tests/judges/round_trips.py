"""Real robots through mates and back: each one realised as an assembly, and inferred again."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

import msgspec
import numpy as np

from swgrm.errors import SwgrmError
from swgrm.inference import infer
from swgrm.model import Frame, Robot
from swgrm_exporters.formats import read
from swgrm_mocks.realise import realise
from tests.round_trip import Return

EXACT = 1e-9
replace = msgspec.structs.replace


class Outcome(NamedTuple):
    """The numbers of robots, limits and couplings, the failures, and what no mate can represent."""

    robots: int
    failures: list[str]
    limits: int  # of all joints
    limits_not_held: int  # by a limit mate: more than half a turn, no range, or a follower
    couplings: int
    couplings_held: int
    settled: int  # joints whose limits or couplings came through the settings


def go_round(files: Iterable[Path]) -> Outcome:
    """Realise and infer every robot that can be read."""
    robots, failures, limits, not_held, couplings, held, settled = 0, [], 0, 0, 0, 0, 0
    for seed, file in enumerate(files):
        try:
            robot = without_lost_leaders(read(file))
        except SwgrmError:
            continue
        robots += 1
        realised = realise(robot, seed)
        came = Return(robot, realised, infer(realised.capture()))
        try:
            came.check_tree()
            came.check_joints(EXACT)
            came.check_findings()
            held += came.check_couplings()
            settled += came.check_settings()
            worst = came.worst_pose(np.random.default_rng(seed), EXACT)
            assert worst < EXACT, f"poses differ by {worst:.3g}"
        except AssertionError as error:
            failures.append(f"{file.name}: {error}")
        moving = [frame.joint for frame in robot.frames if frame.joint and not frame.is_rigid]
        limits += sum(joint.limits.lower is not None for joint in moving)
        couplings += sum(joint.coupling is not None for joint in moving)
        not_held += len(realised.not_held)
    return Outcome(robots, failures, limits, not_held, couplings, held, settled)


def without_lost_leaders(robot: Robot) -> Robot:
    """The robot without couplings to joints that are not there or do not move, which some real files have."""

    def mended(frame: Frame) -> Frame:
        coupling = frame.joint.coupling if frame.joint else None
        leader = robot.joints.get(coupling.joint) if coupling else None
        is_lost = coupling is not None and (leader is None or leader.is_rigid)
        return replace(frame, joint=replace(frame.joint, coupling=None)) if is_lost and frame.joint else frame

    return replace(robot, frames=tuple(map(mended, robot.frames)))
