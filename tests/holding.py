"""What a format gives back of a robot: the lowered robot without the data that the format does not hold."""

from __future__ import annotations

from msgspec.structs import replace

from swgrm.edit import rename
from swgrm.model import Frame, Joint, JointType, Link, LoopJoint, Material, Robot
from swgrm_exporters.lowering import Capabilities, Feature, Lowered


def held(lowered: Lowered, capabilities: Capabilities) -> Robot:
    """The robot that reading must give, under its own names."""
    robot = lowered.robot
    robot = _painted(robot, capabilities)
    used = {shape.material for _, link in robot.links() for shape in link.visuals}
    frames = tuple(_frame(frame, lowered, capabilities) for frame in robot.frames)
    kept = replace(
        robot,
        frames=frames,
        materials=tuple(_material(each, capabilities) for each in robot.materials if each.name in used),
        transmissions=(),
        composite_joints=robot.composite_joints if Feature.COMPOSITES in capabilities.holds else (),
        cut_loops=(),
        conventions=(),
        props={},
        references={},
    )
    kept = plain_loops(kept)
    old = {kind: {e.new: e.old for e in lowered.renamed if e.kind == kind} for kind in ("frame", "link", "joint")}
    names = {link.name for _, link in kept.links()}
    links = {new: was for new, was in old["link"].items() if new in names}
    joints = {new: was for new, was in old["joint"].items() if new in {*kept.joints, *_loop_names(kept)}}
    return rename(kept, frames=old["frame"], links=links, joints=joints)


def _loop_names(robot: Robot) -> list[str]:
    return [loop.joint.name for loop in robot.loop_joints]


def _painted(robot: Robot, capabilities: Capabilities) -> Robot:
    """The robot without materials that are only a texture, where textures are not held."""
    if Feature.TEXTURES in capabilities.holds:
        return robot
    lost = {material.name for material in robot.materials if material.rgba is None}

    def bare(link: Link) -> Link:
        visuals = (replace(each, material="") if each.material in lost else each for each in link.visuals)
        return replace(link, visuals=tuple(visuals))

    return replace(robot, frames=tuple(replace(f, links=tuple(map(bare, f.links))) for f in robot.frames))


def _material(material: Material, capabilities: Capabilities) -> Material:
    return material if Feature.TEXTURES in capabilities.holds else replace(material, texture="")


def plain_loops(robot: Robot) -> Robot:
    """The robot with only what simulators' formats hold of its loop joints."""
    return replace(robot, loop_joints=tuple(_loop(loop) for loop in robot.loop_joints))


def _loop(loop: LoopJoint) -> LoopJoint:
    return replace(loop, joint=_joint(loop.joint, loop.joint.name))


def _frame(frame: Frame, lowered: Lowered, capabilities: Capabilities) -> Frame:
    links = tuple(_link(link, lowered) for link in frame.links if not _is_implied(link, lowered))
    joint = frame.joint and _joint(frame.joint, frame.joint_name)
    if joint is not None and frame.is_rigid:
        joint = Joint(type=JointType.FIXED, name=frame.joint_name)
    sensors = tuple(replace(sensor, props={}, references={}) for sensor in frame.sensors)
    return replace(
        frame,
        links=links,
        joint=joint,
        sensors=sensors if Feature.SENSORS in capabilities.holds else (),
        entity=None,
        geometry=None,
        props={},
        references={},
    )


def _is_implied(link: Link, lowered: Lowered) -> bool:
    return link.name in lowered.implied_links and not (link.visuals or link.collisions)


def _link(link: Link, lowered: Lowered) -> Link:
    inertial = None if link.name in lowered.implied_inertials else link.inertial
    was = next((each.old for each in lowered.renamed if each.kind == "link" and each.new == link.name), link.name)
    if inertial is not None and was in lowered.implied_tensors:
        inertial = replace(inertial, tensor=None, axes=(0.0, 0.0, 0.0, 1.0))
    collisions = tuple(replace(shape, material="") for shape in link.collisions)
    return replace(link, inertial=inertial, collisions=collisions, entity=None, props={}, references={})


def _joint(joint: Joint, name: str) -> Joint:
    """What simulators' formats hold of a joint."""
    kept = Joint(type=joint.type, name=name)
    if joint.type in (JointType.FIXED, JointType.BALL):
        return kept
    return replace(
        kept,
        axis=joint.axis,
        pitch=joint.pitch,
        limits=replace(joint.limits, acceleration=None),
        dynamics=joint.dynamics,
        coupling=joint.coupling,
    )
