"""Limits of joints as a format needs them: equal ones a little apart."""

from __future__ import annotations

from msgspec.structs import replace

from swgrm.findings import Findings
from swgrm.model import Frame, JointType, Limits
from swgrm_exporters.lowering.state import Capabilities, Choices, Lowered

APART = 1e-6  # [rad or m] to either side, and of the position itself where that is more


def part_limits(state: Lowered, capabilities: Capabilities, _: Choices, findings: Findings) -> Lowered:
    """Limits that are equal hold a joint in its place; where a format takes them as none, they are put apart."""
    if capabilities.equal_limits:
        return state

    def parted(frame: Frame) -> Frame:
        joint = frame.joint
        if joint is None or joint.type not in (JointType.REVOLUTE, JointType.PRISMATIC):
            return frame
        at = joint.limits.lower
        if at is None or at != joint.limits.upper:
            return frame
        findings.add("limits-parted", f"joint {frame.joint_name}", at=at, apart=half(at))
        limits = replace(joint.limits, lower=at - half(at), upper=at + half(at))
        return replace(frame, joint=replace(joint, limits=limits))

    robot = state.robot
    return state._replace(robot=replace(robot, frames=tuple(map(parted, robot.frames))))


def half(at: float) -> float:
    """How far from the position either limit is put."""
    return APART * max(1.0, abs(at))


def joined_limits(limits: Limits) -> Limits:
    """The limits that were read: equal again where they are no further apart than `part_limits` puts them."""
    low, high = limits.lower, limits.upper
    if low is None or high is None or not 0 < high - low <= 2.001 * half((low + high) / 2):
        return limits
    middle = round((low + high) / 2, 12)
    return replace(limits, lower=middle, upper=middle)
