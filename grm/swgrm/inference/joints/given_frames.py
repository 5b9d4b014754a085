"""Frames that the settings give by numbers: a joint's pose in its parent's frame with its axis, and the base's pose."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from swgrm.errors import SettingsError
from swgrm.findings import Findings
from swgrm.inference.geometry.twists import Array, unit
from swgrm.inference.mechanism.joint_chain import SimpleJoint
from swgrm.model import JointType
from swgrm.settings import JointSettings, PoseSettings, quantity
from swgrm.settings.schema import JointPoseSettings
from swgrm.transforms import axis_angle_matrix, homogeneous

APART = 1e-4  # [m] numbers in files are rounded: what is further apart, or from an axis, is not the same
NOT_PARALLEL = 1e-3  # [rad]
TURNING = (JointType.REVOLUTE, JointType.SCREW)


class GivenFrame(NamedTuple):
    """The frame of a joint: its pose in the assembly as it is posed, and the axis in it, if the settings give one."""

    T: Array  # (4, 4) T_assembly_frame
    axis: Array | None = None  # (3,) in the direction that was inferred
    is_reversed: bool = False  # the settings give the opposite direction


def given_pose(pose: PoseSettings, at: tuple[str, ...]) -> Array:
    """The pose with these numbers: R = Rz(yaw) · Ry(pitch) · Rx(roll).  # (4, 4)."""
    x, y, z = np.eye(3)
    roll, pitch, yaw = (quantity(each, "angle", (*at, "rpy")) for each in pose.rpy)
    R = axis_angle_matrix(z, yaw) @ axis_angle_matrix(y, pitch) @ axis_angle_matrix(x, roll)
    return homogeneous(R, [quantity(each, "length", (*at, "xyz")) for each in pose.xyz])


def given_frame(
    given: JointPoseSettings, decided: JointSettings, simple: SimpleJoint, T_parent: Array, name: str, found: Findings
) -> GivenFrame:
    """The frame of a joint that the settings give by numbers, which are those of the joint's zero.

    What does not fit the inferred axis is a finding: then that axis is used, and the frame is moved onto it.
    """
    at = ("joints", name, "frame")
    T_zero = T_parent @ given_pose(given, at)
    axis, is_reversed = _axis(given, decided, simple, T_zero, name, found)
    T = T_zero @ _assembled(axis, decided, simple, T_zero, is_reversed=is_reversed, name=name)
    off = np.linalg.norm(np.cross(T[:3, 3] - simple.point, simple.axis))
    if simple.type in TURNING and off > APART:
        found.add("joint-frame-numbers", f"joint {name}", distance=off * 1000)
        T[:3, 3] = simple.point + simple.axis * float(simple.axis @ (T[:3, 3] - simple.point))
    return GivenFrame(T, axis, is_reversed)


def _axis(
    given: JointPoseSettings, decided: JointSettings, simple: SimpleJoint, T_zero: Array, name: str, found: Findings
) -> tuple[Array | None, bool]:
    """The given axis in the inferred direction, and whether the given one is opposite to it."""
    if given.axis is None or simple.type is JointType.BALL:
        return None, False
    at = ("joints", name, "frame", "axis")
    if decided.flip:
        raise SettingsError(f"joints, {name}: `axis` in `frame` has a direction. Remove `flip`.", ("joints", name))
    if not np.linalg.norm(given.axis) > 1e-9:
        raise SettingsError(f"{', '.join(at)}: the axis has length zero.", at)
    axis = unit(np.array(given.axis))
    along = T_zero[:3, :3] @ axis
    # At a right angle to the inferred axis, rounding would decide. Then the inferred direction is kept.
    is_reversed = bool(along @ simple.axis < -NOT_PARALLEL)
    angle = float(np.linalg.norm(np.cross(along, simple.axis)))
    if angle > NOT_PARALLEL:
        found.add("joint-axis-numbers", f"joint {name}", angle=float(np.degrees(np.arcsin(min(angle, 1.0)))))
        return None, is_reversed
    return (-axis if is_reversed else axis), is_reversed


def _assembled(
    axis: Array | None, decided: JointSettings, simple: SimpleJoint, T_zero: Array, *, is_reversed: bool, name: str
) -> Array:
    """The motion from the joint's zero to its position in the assembly, in the frame at zero.  # (4, 4)."""
    if decided.zero is None or simple.type in (JointType.BALL, JointType.FIXED):
        return np.eye(4)
    is_slide = simple.type is JointType.PRISMATIC
    zero = quantity(decided.zero, "length" if is_slide else "angle", ("joints", name, "zero"))
    position = zero if is_reversed or decided.flip else -zero
    along = axis if axis is not None else T_zero[:3, :3].T @ simple.axis
    if is_slide:
        return homogeneous(np.eye(3), along * position)
    return homogeneous(axis_angle_matrix(along, position), along * simple.pitch * position)
