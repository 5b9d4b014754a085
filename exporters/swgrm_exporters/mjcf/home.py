"""Positions of all joints in a named pose: inside their ranges, couplings and relations fulfilled, loops closed."""

from __future__ import annotations

import numpy as np

from swgrm.closed_loops import ClosedLoops
from swgrm.errors import ModelError
from swgrm.model import Joint, NamedPose, Quat, Robot

HOME = "home"


def pose_positions(robot: Robot, pose: NamedPose, *, settable: bool = False) -> dict[str, float | Quat]:
    """The positions of all moving joints in a pose, or of the independent ones alone; others are near zero.

    A joint that the pose does not name is at zero, or at the end of its range that is nearest to zero. Loops are closed
    by the nearest configuration; if there is none, the pose is as given.
    """
    loops = ClosedLoops(robot)
    wanted = loops.start()
    for name in wanted:
        joint = robot.joints[name].joint
        given = pose.positions.get(name)
        if given is not None:
            wanted[name] = np.array(given)
        elif joint is not None and wanted[name].ndim == 0:
            wanted[name] = np.array(_nearest_to_zero(joint))
    closed = loops.closed(wanted) if robot.loop_joints else wanted
    q = wanted if closed is None else closed
    found: dict[str, float | Quat] = {}
    for name, at in q.items():
        x = at.tolist()
        found[name] = (x[0], x[1], x[2], x[3]) if isinstance(x, list) else float(x)
    if settable:
        return found
    scalars = {name: at for name, at in found.items() if not isinstance(at, tuple)}
    try:
        every = loops.kinematics.positions(scalars)
    except ModelError:
        return found
    return {**found, **{name: float(at) for name, at in every.items()}}


def _nearest_to_zero(joint: Joint) -> float:
    low = -np.inf if joint.limits.lower is None else joint.limits.lower
    high = np.inf if joint.limits.upper is None else joint.limits.upper
    return float(min(max(0.0, low), high))
