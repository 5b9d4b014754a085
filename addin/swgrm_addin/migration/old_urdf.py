"""A URDF of the classic exporter, or any other, with the components in the table beside it, if there is one."""

from __future__ import annotations

from pathlib import Path

from swgrm.findings import Findings
from swgrm.model import Frame, JointType, Robot
from swgrm_addin.migration.classic_csv import is_classic, read_csv
from swgrm_addin.migration.old_robot import OldJoint, OldLink, OldRobot, old_robot


def read_urdf(path: Path) -> OldRobot:
    """The robot in a URDF; the classic exporter's table of the same name adds components and reference geometry."""
    from swgrm_exporters.urdf.reader import read

    robot = read(path, Findings())
    found = old_robot(robot.name, str(path), (_link(robot, frame) for frame in robot.frames if not frame.virtual))
    table = path.with_suffix(".csv")
    return with_components(found, read_csv(table)) if table.is_file() and is_classic(table) else found


def with_components(robot: OldRobot, table: OldRobot) -> OldRobot:
    """The robot with the components and reference geometry that the links of the same names have in a table."""
    known = table.by_name

    def link(old: OldLink) -> OldLink:
        row = known.get(old.name)
        if row is None:
            return old
        joint = old.joint and old.joint._replace(axis_name=row.joint.axis_name if row.joint else "")
        return old._replace(components=row.components, coordinate_system=row.coordinate_system, joint=joint)

    return robot._replace(links=tuple(map(link, robot.links)))


def _link(robot: Robot, frame: Frame) -> OldLink:
    inertial = next((link.inertial for link in frame.links if link.inertial), None)
    parent, chain = frame.parent, [frame]
    while parent is not None and robot.by_id[parent].virtual:
        chain.append(robot.by_id[parent])
        parent = robot.by_id[parent].parent
    return OldLink(frame.id, parent or "", _joint(robot, frame, chain) if parent else None, inertial=inertial)


def _joint(robot: Robot, frame: Frame, chain: list[Frame]) -> OldJoint:
    """The joint of a link; of a planar or floating one, which is a chain in our model, only name and type."""
    joint = frame.joint
    if len(chain) > 1 or joint is None:
        names = {each.joint_name for each in chain}
        composite = next((each for each in robot.composite_joints if names & {*each.joints}), None)
        return OldJoint(composite.name if composite else frame.joint_name, composite.type if composite else "fixed")
    kind = str(joint.type)
    if joint.type is JointType.REVOLUTE and joint.limits.lower is None and joint.limits.upper is None:
        kind = "continuous"
    return OldJoint(
        frame.joint_name,
        kind,
        frame.transform,
        None if joint.type is JointType.FIXED else joint.axis,
        joint.limits,
        joint.dynamics,
        joint.safety,
        joint.calibration,
        joint.coupling,
    )
