"""Joints that close loops in SDF: as joints, as links that Gazebo welds, as Drake's constraints, or cut."""

from __future__ import annotations

import numpy as np
from msgspec.structs import replace

from swgrm.findings import Findings
from swgrm.kinematics.pose_math import compose
from swgrm.model import JointType, LoopJoint, Pose, Robot, Vec3
from swgrm.precision import LENGTH
from swgrm.transforms import inverse
from swgrm_exporters.loops import cut
from swgrm_exporters.names import Pool
from swgrm_exporters.sdf.elements import SdfStyle, add_text
from swgrm_exporters.sdf.options import SdfLoops, SdfVersion
from swgrm_exporters.xmlwriting import Node, add_node

CLOSED = 1e-9  # [m, rad] how far the two sides of a loop may be apart at zero
SPREAD = 0.05  # [m] between the points that fix a direction
_AS_POINTS = (JointType.FIXED, JointType.REVOLUTE, JointType.BALL)  # what Drake's ball constraints can express
_SYSTEMS = {
    SdfVersion.NEW: ("gz-sim-detachable-joint-system", "gz::sim::systems::DetachableJoint"),
    SdfVersion.FORTRESS: ("ignition-gazebo-detachable-joint-system", "ignition::gazebo::systems::DetachableJoint"),
}


def holdable(robot: Robot, form: SdfLoops, findings: Findings) -> Robot:
    """The robot with those loops cut that the form cannot express; each is reported."""
    lost = [loop for loop in robot.loop_joints if not _can_hold(robot, loop, form)]
    if lost:
        rest = tuple(loop for loop in robot.loop_joints if loop not in lost)
        robot = replace(cut(replace(robot, loop_joints=tuple(lost)), Pool(robot.by_id).fresh), loop_joints=rest)
    for loop in lost:
        findings.add("sdf-loop-cut", f"joint {loop.joint.name}", type=loop.joint.type, form=form, reason=_WHY[form])
    if robot.loop_joints and form is SdfLoops.JOINT:
        findings.add("sdf-loop-joint", f"robot {robot.name}", count=len(robot.loop_joints))
    return robot


_WHY = {
    SdfLoops.JOINT: "the loop is not closed where all joints are at zero, which SDF requires",
    SdfLoops.DETACHABLE: "the loop is not closed where all joints are at zero, which SDF requires",
    SdfLoops.DRAKE: "Drake has constraints for fixed, revolute and ball joints only",
}


def _can_hold(robot: Robot, loop: LoopJoint, form: SdfLoops) -> bool:
    if form is SdfLoops.DRAKE:
        return loop.joint.type in _AS_POINTS
    parent, child = (robot.mechanism.zero_poses[side].matrix for side in (loop.parent, loop.child))
    apart = inverse(parent) @ child - loop.transform.matrix
    return bool(np.abs(apart).max() < CLOSED)


class SdfEnds:
    """The two bodies of a loop joint by their names in the file, with the joint's pose in the first."""

    def __init__(self, loop: LoopJoint, parent: tuple[str, Pose], child: tuple[str, Pose]) -> None:
        self.loop, self.parent, self.child = loop, parent[0], child[0]
        self.T_parent_joint = compose(parent[1], loop.transform)
        self.T_child_joint = child[1]


def add_constraints(model: Node, ends: SdfEnds, style: SdfStyle) -> None:
    """Add Drake's ball constraints: one point for a ball, two on a revolute joint's axis, three for a fixed one."""
    for point in _points(ends.loop):
        node = add_node(model, "drake:ball_constraint")
        add_text(node, "drake:ball_constraint_body_A", ends.parent)
        add_text(node, "drake:ball_constraint_body_B", ends.child)
        for tag, pose in (("p_AP", ends.T_parent_joint), ("p_BQ", ends.T_child_joint)):
            x, y, z, _ = (pose.matrix @ (*point, 1.0)).tolist()
            add_text(node, f"drake:ball_constraint_{tag}", style.numbers.of(LENGTH, (x, y, z)))


def _points(loop: LoopJoint) -> list[Vec3]:
    """The points, in the joint's frame, that coincide when the loop is closed."""
    if loop.joint.type is JointType.BALL:
        return [(0.0, 0.0, 0.0)]
    if loop.joint.type is JointType.REVOLUTE:
        x, y, z = (SPREAD * value for value in loop.joint.axis)
        return [(-x, -y, -z), (x, y, z)]
    return [(0.0, 0.0, 0.0), (SPREAD, 0.0, 0.0), (0.0, SPREAD, 0.0)]


def add_weld(model: Node, link: str, child: str, version: SdfVersion) -> Node:
    """Add the system of Gazebo that welds a small link to the body on the other side of the loop."""
    file, name = _SYSTEMS[version]
    plugin = add_node(model, "plugin", {"filename": file, "name": name})
    add_text(plugin, "parent_link", link)
    add_text(plugin, "child_model", "__model__")
    add_text(plugin, "child_link", child)
    return plugin
