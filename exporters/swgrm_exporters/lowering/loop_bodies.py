"""Loop joints that a format cannot close directly: they move a half of their body, which is welded to the other half.

A prismatic loop, for example, has no constraint of its own in MuJoCo. The joint becomes one of the tree and moves a
half of the body, with half of its mass; a fixed loop joint welds the halves. A tiny body instead of a half would leave
gaps of millimetres in simulation.
"""

from __future__ import annotations

from typing import NamedTuple

from msgspec.structs import astuple, replace

from swgrm.findings import Findings
from swgrm.kinematics.pose_math import invert
from swgrm.mass.inertia import combine, moved
from swgrm.model import (
    IDENTITY,
    Frame,
    Inertial,
    Joint,
    JointType,
    Link,
    LoopJoint,
    Pose,
    Robot,
    Tensor,
)
from swgrm.model.references import joints_in_use
from swgrm.transforms import inverse
from swgrm_exporters.lowering.state import Capabilities, Choices, Lowered
from swgrm_exporters.names import Pool


def split_loop_bodies(state: Lowered, capabilities: Capabilities, _: Choices, findings: Findings) -> Lowered:
    """Loop joints of types that the format cannot close, or that others refer to, become joints of the tree."""
    robot = state.robot
    if not capabilities.loops or not robot.loop_joints:
        return state
    used = {name for name, _ in joints_in_use(robot)} | {each.joint for each in robot.actuators}
    frames, joints = Pool(robot.by_id), Pool([*robot.joints, *(loop.joint.name for loop in robot.loop_joints)])
    halves: dict[str, str] = {}
    for index, loop in enumerate(robot.loop_joints):
        name = loop.joint.name
        is_used = bool(loop.joint.coupling) or (name != "" and name in used)
        if loop.joint.type in capabilities.loop_joints and not (is_used and capabilities.loop_joints < set(JointType)):
            continue
        name = name or joints.fresh(f"loop_{index + 1}")
        split = _split(robot, loop, name, frames.fresh(f"{name}_half"), joints.fresh(f"{name}_weld"))
        robot, halves[split.half] = split.robot, split.body
        findings.add("loop-body-split", f"joint {name}", type=loop.joint.type, body=split.body, half=split.half)
    return state._replace(robot=robot, halves=halves)


class _Split(NamedTuple):
    """A robot with a body in two halves: the frame of the new half, and that of the old one."""

    robot: Robot
    half: str
    body: str


def _split(robot: Robot, loop: LoopJoint, name: str, half: str, weld: str) -> _Split:
    """The robot with a loop joint as one of the tree; the body on its moving side is halved.

    T_parent_child(q) = X · M(q). If the child is on the base, the joint is reversed, so that the base stays whole:
    T_child_parent(q) = M(q)⁻¹ · X⁻¹, and M(q)⁻¹ is the motion about the opposite axis.
    """
    joint = replace(loop.joint, name=name)
    if _is_base(robot, loop.child) and not _is_base(robot, loop.parent):
        x, y, z = joint.axis
        flipped = replace(joint, axis=(0.0 - x, 0.0 - y, 0.0 - z))
        new = Frame(id=half, parent=loop.child, joint=flipped, virtual=True)
        body, T_half_body = loop.parent, invert(loop.transform)
    else:
        new = Frame(id=half, parent=loop.parent, transform=loop.transform, joint=joint, virtual=True)
        body, T_half_body = loop.child, IDENTITY
    group = set(robot.mechanism.bodies.frames_with(body))
    inertial = _half_inertial(robot, body, group, T_half_body)
    links = () if inertial is None else (Link(name=half, inertial=inertial),)
    fixed = Joint(type=JointType.FIXED, name=weld)
    closing = LoopJoint(parent=half, child=body, joint=fixed, transform=T_half_body)
    frames = (_halved(frame) if frame.id in group else frame for frame in robot.frames)
    loops = tuple(closing if each is loop else each for each in robot.loop_joints)
    return _Split(replace(robot, frames=(*frames, replace(new, links=links)), loop_joints=loops), half, body)


def _is_base(robot: Robot, frame_id: str) -> bool:
    bodies = robot.mechanism.bodies
    return bodies.body_of[frame_id] == bodies.base


def _half_inertial(robot: Robot, body: str, group: set[str], T_half_body: Pose) -> Inertial | None:
    """Half of the mass of a body, seen from the frame of its new half; None if it has none."""
    bodies = robot.mechanism.bodies
    T_half_head = T_half_body.matrix @ inverse(bodies.pose_in_body(body).matrix)
    parts = [
        moved(link.inertial, T_half_head @ bodies.pose_in_body(frame.id).matrix)
        for frame, link in robot.links()
        if frame.id in group and link.inertial is not None
    ]
    return _half(combine(parts)) if parts else None


def _half(inertial: Inertial) -> Inertial:
    tensor = inertial.tensor and Tensor(*(value / 2 for value in astuple(inertial.tensor)))
    return replace(inertial, mass=inertial.mass / 2, tensor=tensor)


def _halved(frame: Frame) -> Frame:
    links = (replace(link, inertial=link.inertial and _half(link.inertial)) for link in frame.links)
    return replace(frame, links=tuple(links))
