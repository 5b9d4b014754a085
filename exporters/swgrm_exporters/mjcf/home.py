"""Positions of all joints in a named pose: inside their ranges, couplings and relations fulfilled, loops closed."""

from __future__ import annotations

import numpy as np

from swgrm.errors import ModelError
from swgrm.kinematics.joint_ranges import joint_span
from swgrm.model import NamedPose, Quat, Robot
from swgrm.precision import CLOSING, POSITION, GivenNumbers, Precision, numbers_of, rounded_numbers

HOME = "home"


def pose_positions(robot: Robot, pose: NamedPose, *, settable: bool = False) -> dict[str, float | Quat]:
    """The positions of all moving joints in a pose, or of the independent ones alone; others are near zero.

    A joint that the pose does not name is at zero, or at the end of its range that is nearest to zero. Loops are closed
    by the nearest configuration; if there is none, the pose is as given.
    """
    loops = robot.mechanism.loops
    wanted = loops.start()
    for name in wanted:
        joint = robot.joints[name].joint
        given = pose.positions.get(name)
        if given is not None:
            wanted[name] = np.array(given)
        elif joint is not None and wanted[name].ndim == 0:
            wanted[name] = np.array(joint_span(joint).nearest_to_zero)
    closed = loops.closed(wanted) if robot.loop_joints else wanted
    q = wanted if closed is None else closed
    found: dict[str, float | Quat] = {}
    for name, at in q.items():
        x = at.tolist()
        found[name] = (x[0], x[1], x[2], x[3]) if isinstance(x, list) else float(x)
    precision = CLOSING if robot.loop_joints else POSITION
    known = numbers_of(pose, robot)
    found = {name: _rounded(at, precision, known) for name, at in found.items()}
    if settable:
        return found
    scalars = {name: at for name, at in found.items() if not isinstance(at, tuple)}
    try:
        every = loops.kinematics.positions(scalars)
    except ModelError:
        return found
    return {**found, **{name: _rounded(float(at), precision, known) for name, at in every.items()}}


def _rounded(at: float | Quat, precision: Precision, given: GivenNumbers) -> float | Quat:
    if isinstance(at, tuple):
        return rounded_numbers(at, precision, given)
    return rounded_numbers((at,), precision, given)[0]
