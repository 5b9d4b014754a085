"""The remark in an MJCF file: what a robot has that MJCF cannot hold, so that reading gives it back.

    <custom><text name="swgrm" data='{"frames": {…}, "robot": {…}, "equality": {…}, "renamed": {…}}'/></custom>

Numbers that MJCF holds are not in it: an edited number is kept.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec
from msgspec.structs import replace

from swgrm.grmfile import plain_fields
from swgrm.model import IDENTITY, Dynamics, Frame, Joint, JointType, Limits, Link, Robot
from swgrm_exporters.lowering import Lowered

NAME = "swgrm"
ROBOT = (
    "transmissions", "composite_joints", "cut_loops", "conventions", "poses", "actuators", "ignored_contacts",
    "materials", "props", "references",
)  # fmt: skip
Plain = dict[str, Any]


def remark_text(lowered: Lowered, equality: Mapping[str, Plain], sites: Mapping[str, str], made: Plain) -> str:
    """The remark on a robot that was lowered.

    `sites` are frames that are sites of another body than their parent; `made` lists elements that follow from the
    robot: sites of sensors and loops, excluded pairs, and the gains of actuators.
    """
    robot = lowered.robot
    held = {name: getattr(Robot(name="", frames=()), name) for name in Robot.__struct_fields__ if name not in ROBOT}
    rest = replace(robot, **{**held, "name": "", "frames": ()})
    frames = {frame.id: _frame(frame, lowered, sites) for frame in robot.frames}
    renamed: dict[str, dict[str, str]] = {}
    for kind, old, new in lowered.renamed:
        if old != new:
            renamed.setdefault(kind, {})[new] = old
    whole: Plain = {
        "frames": {name: plain for name, plain in frames.items() if plain},
        "robot": {key: value for key, value in plain_fields(rest).items() if key not in ("name", "frames")},
        "equality": dict(equality),
        "renamed": renamed,
        "halves": dict(lowered.halves),
        **made,
    }
    return msgspec.json.encode({key: value for key, value in whole.items() if value}).decode()


def _frame(frame: Frame, lowered: Lowered, sites: Mapping[str, str]) -> Plain:
    """What MJCF does not hold of a frame."""
    rest = replace(frame, parent=None, transform=IDENTITY, joint=None, links=(), sensors=frame.sensors, name=frame.name)
    found = {key: value for key, value in plain_fields(rest).items() if key != "id"}
    if frame.id in sites:
        found["parent"] = sites[frame.id]
    if frame.joint is not None and (joint := _joint(frame.joint)):
        found["joint"] = joint
    if frame.id in lowered.implied_links:
        found["link"] = None
    elif frame.links:
        found["link"] = _link(frame.links[0], lowered)
    if frame.id in lowered.implied_inertials:
        found["light"] = True
    return {key: value for key, value in found.items() if value != {} or key == "link"}


def _joint(joint: Joint) -> Plain:
    limits = Limits(velocity=joint.limits.velocity, acceleration=joint.limits.acceleration)
    if joint.type in (JointType.BALL, JointType.FIXED):
        limits = joint.limits
    has_none = joint.dynamics is None or joint.dynamics != Dynamics()
    rest = replace(
        joint, axis=(0.0, 0.0, 1.0), pitch=0.0, limits=limits, coupling=None,
        dynamics=None if has_none else joint.dynamics,
    )  # fmt: skip
    found = plain_fields(rest)
    if joint.type is not JointType.FIXED:
        del found["type"]
        found.pop("name", None)
    return found


def _link(link: Link, lowered: Lowered) -> Plain:
    rest = replace(link, inertial=None, visuals=(), collisions=())
    found = plain_fields(rest)
    del found["name"]
    original = {each.new: each.old for each in lowered.renamed if each.kind == "link"}
    if original.get(link.name, link.name) in lowered.implied_tensors:
        found["tensor"] = False
    for key, shapes in (("visuals", link.visuals), ("collisions", link.collisions)):
        looks = [[shape.name, shape.material] for shape in shapes]
        if any(name or material for name, material in looks):
            found[key] = looks
    return found


def gains(root: Iterable[Any]) -> dict[str, str]:
    """What the actuators of a file are, by name: an edited one differs from the remark."""
    return {
        each.get("name", ""): " ".join([str(each.tag), *(f"{key}={value}" for key, value in sorted(each.items()))])
        for section in root
        if section.tag == "actuator"
        for each in section
    }


def parsed_remark(texts: Sequence[str]) -> Plain:
    """The remark of a file; empty if it has none, or one that cannot be read."""
    for text in texts:
        try:
            found = msgspec.json.decode(text)
        except msgspec.DecodeError:
            continue
        if isinstance(found, dict):
            return found
    return {}
