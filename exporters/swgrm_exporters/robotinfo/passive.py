"""The joints of closed loops that need no drive, because the loop determines them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np
from numpy.typing import NDArray

from swgrm.kinematics.closed_loops import joint_twists
from swgrm.kinematics.forward import Poses
from swgrm.model import CompositeType, Frame, JointType, Robot
from swgrm_exporters.loops import loop_path

Array = NDArray[np.float64]
RANK = 1e-7  # singular values below this are zero, lengths in metres


def passive_joints(robot: Robot) -> set[str]:
    """The names of the joints in loops that other joints of the loops determine, or that are idle.

    The loops are cut. At q = 0 the velocities of the tree's joints must close each loop: A q̇ = 0, where a loop's
    rows are the twist of one side against the other, without the motions of the loop's own joint. Joints are taken as
    drives one by one, the most likely first, as long as the others still close the loops: rank A of the others is
    rank A. What remains is passive. A ball joint has no drive. A joint is idle, and passive too, that only spins a rod
    between ball joints on its own axis.
    """
    paths = [loop_path(robot, cut) for cut in robot.cut_loops]
    names = list(dict.fromkeys(name for path in paths for name in path))
    if not names:
        return set()
    poses = robot.mechanism.assembled
    A = _closure(robot, poses, paths, names)
    balls = [each.joints for each in robot.composite_joints if each.type is CompositeType.BALL]
    undriven = {part for ball in balls for part in ball}
    rank = _rank(A)
    driven = np.zeros(len(names), bool)
    for name in sorted(names, key=lambda name: _preference(robot, name)):
        index, joint = names.index(name), robot.joints[name].joint
        if name in undriven or joint is None or joint.coupling:
            continue
        if joint.type is JointType.REVOLUTE and _is_idle(robot, poses, A, names, name, balls):
            continue
        driven[index] = True
        driven[index] = _rank(A[:, ~driven]) == rank
    return {name for name, is_driven in zip(names, driven, strict=True) if not is_driven}


def _closure(robot: Robot, poses: Poses, paths: list[dict[str, float]], names: list[str]) -> Array:
    """The matrix A: six rows per loop, a column per joint; and a row per coupling among the joints."""
    rows = []
    for cut, path in zip(robot.cut_loops, paths, strict=True):
        columns = np.zeros((6, len(names)))
        for name, sign in path.items():
            columns[:, names.index(name)] = sign * _twist(robot.joints[name], poses)
        if cut.loop.joint.type is not JointType.FIXED:
            # The loop's joint allows these motions, so that only what is orthogonal to them must be zero.
            allowed = joint_twists(cut.loop.joint, poses[cut.parent_frame])
            columns = columns - allowed @ np.linalg.pinv(allowed) @ columns
        rows.append(columns)
    rows += list(_couplings(robot, names))
    return np.vstack(rows)


def _couplings(robot: Robot, names: list[str]) -> Iterator[Array]:
    for index, name in enumerate(names):
        joint = robot.joints[name].joint
        if joint and joint.coupling and joint.coupling.joint in names:
            row = np.zeros((1, len(names)))
            row[0, index], row[0, names.index(joint.coupling.joint)] = 1.0, -joint.coupling.ratio
            yield row


def _twist(frame: Frame, poses: Poses) -> Array:
    """The twist (ω, v) of a joint of one number, in the base and about its origin."""
    assert frame.joint is not None  # noqa: S101 - a joint on the path of a loop moves
    return np.asarray(joint_twists(frame.joint, poses[frame.id])[:, 0])


def _is_idle(robot: Robot, poses: Poses, A: Array, names: list[str], name: str, balls: list[tuple[str, ...]]) -> bool:
    """Whether a revolute joint can turn while only ball joints turn with it that are on its axis, about that axis."""
    frame = robot.joints[name]
    T = poses[frame.id]
    axis = _twist(frame, poses)[:3]
    columns = []
    for ball in balls:
        centre = poses[robot.joints[ball[-1]].id][:3, 3]
        if all(part in names for part in ball) and np.linalg.norm(np.cross(centre - T[:3, 3], axis)) < RANK:
            parts = [(names.index(part), robot.joints[part]) for part in ball]
            columns.append(sum(A[:, k] * float(axis @ _twist(part, poses)[:3]) for k, part in parts))
    own = A[:, names.index(name)]
    return _rank(np.column_stack([*columns, own])) == (_rank(np.column_stack(columns)) if columns else 0)


def _preference(robot: Robot, name: str) -> tuple[bool, bool, bool, bool, int]:
    """What makes a joint a likely drive, most likely first: a transmission, an effort, a slide, a range, its place."""
    frame: Frame = robot.joints[name]
    joint = frame.joint
    transmitted = {end.name for each in robot.transmissions for end in each.joints}
    limits: Mapping[str, float | None] = (
        {} if joint is None else {key: getattr(joint.limits, key) for key in ("lower", "upper", "velocity", "effort")}
    )
    return (
        name not in transmitted,
        limits.get("velocity") is None and limits.get("effort") is None,
        joint is None or joint.type is not JointType.PRISMATIC,
        limits.get("lower") is None and limits.get("upper") is None,
        len(robot.path(frame.id)),
    )


def _rank(A: Array) -> int:
    return int(np.linalg.matrix_rank(A, tol=RANK)) if A.size else 0
