"""What a description package describes: the robot as URDF, its model for MuJoCo, and how its joints are driven."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from swgrm.findings import Finding, Findings
from swgrm.model import ActuatorType, JointType, Limits, NamedPose, Robot
from swgrm_exporters.format import Target
from swgrm_exporters.mjcf.home import HOME, pose_positions
from swgrm_exporters.mjcf.options import CAPABILITIES, MjcfOptions
from swgrm_exporters.mjcf.writer import RenderedModel
from swgrm_exporters.mjcf.writer import rendered as rendered_mjcf
from swgrm_exporters.ros2.chains import DrivenChain, driven_chains
from swgrm_exporters.ros2.layout import PackageLayout, layout_of
from swgrm_exporters.urdf.options import UrdfOptions
from swgrm_exporters.urdf.writer import rendered as rendered_urdf
from swgrm_exporters.xmlwriting import Node

INTERFACES = {ActuatorType.POSITION: "position", ActuatorType.VELOCITY: "velocity", ActuatorType.MOTOR: "effort"}
ONE_NUMBER = ("revolute", "continuous", "prismatic")  # URDF's joints that joint_states can hold
# Ball joints are three hinges, as in URDF, so that MuJoCo's hardware has a joint for each of URDF's.
MJCF_CAPABILITIES = CAPABILITIES._replace(joints=CAPABILITIES.joints - {JointType.BALL})


class ControlledJoint(NamedTuple):
    """A joint of the URDF in ros2_control: a driven one has a command interface, others have states only."""

    name: str
    command: str  # position, velocity or effort; empty: none
    limits: Limits
    home: float  # [rad or m]
    leader: str = ""  # the joint that it follows


class RobotDescription(NamedTuple):
    """A robot as its description package has it; all names are those of the URDF."""

    layout: PackageLayout
    urdf: bytes
    tree: Node  # of the URDF
    root: str  # its root link
    robot: Robot  # as it was fitted to URDF
    mjcf: RenderedModel
    joints: tuple[ControlledJoint, ...]
    chains: tuple[DrivenChain, ...]  # of the joints with a position interface

    @property
    def commands(self) -> Mapping[str, str]:
        """The command interface of every driven joint."""
        return {each.name: each.command for each in self.joints if each.command}


def described(
    robot: Robot, target: Target, findings: Findings, urdf: UrdfOptions, mjcf: MjcfOptions
) -> RobotDescription:
    """The description of a robot; `target` is the package's folder, with the mesh files in it."""
    layout = layout_of(robot.name)
    plain = rendered_urdf(robot, urdf, findings, target.place, "urdf", target.meshes)
    model = _model(robot, target, findings, mjcf)
    joints = _controlled(plain.tree, plain.robot, model, findings)
    positioned = {each.name for each in joints if each.command == INTERFACES[ActuatorType.POSITION]}
    chains = driven_chains(plain.robot, positioned, layout.name)
    return RobotDescription(layout, plain.data, plain.tree, plain.root, plain.robot, model, joints, chains)


def _model(robot: Robot, target: Target, findings: Findings, options: MjcfOptions) -> RenderedModel:
    """The model for MuJoCo, in its own folder; only what concerns MuJoCo alone is reported."""
    from swgrm.meshes.carrying import seen_from

    folder = target.folder / "mujoco"
    files = [path for path in target.folder.rglob("*") if path.is_file()]
    folder.mkdir(parents=True, exist_ok=True)  # the meshes are found through it
    own = findings.fresh()
    there = Target(folder, layout_of(robot.name).name, final=target.place / "mujoco", store=target.store)
    made = rendered_mjcf(seen_from(robot, files, target.folder, folder), options, own, there, MJCF_CAPABILITIES)
    findings.extend(each for each in own if _is_of_mujoco(each))
    return made


def _is_of_mujoco(finding: Finding) -> bool:
    return finding.code.startswith("mjcf-")


def _controlled(tree: Node, robot: Robot, model: RenderedModel, findings: Findings) -> tuple[ControlledJoint, ...]:
    """The joints of the URDF for ros2_control; those of several degrees of freedom are left out and reported."""
    commands = {each.joint: INTERFACES[each.type or ActuatorType.POSITION] for each in model.actuators}
    named = next((pose for pose in model.robot.poses if pose.name == HOME), NamedPose(HOME))
    home = pose_positions(model.robot, named)
    found = []
    for element in tree.iterfind("joint"):
        name, kind, mimic = element.get("name", ""), element.get("type", ""), element.find("mimic")
        if kind in ONE_NUMBER:
            joint = robot.joints[name].joint
            at = home.get(name, 0.0)
            found.append(
                ControlledJoint(
                    name,
                    commands.get(name, "") if mimic is None else "",
                    joint.limits if joint else Limits(),
                    0.0 if isinstance(at, tuple) else at,
                    "" if mimic is None else mimic.get("joint", ""),
                )
            )
        elif kind != "fixed":
            findings.add("ros2-joint-left-out", f"joint {name}", type=kind)
    return tuple(found)
