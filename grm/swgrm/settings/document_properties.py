"""Custom properties of SolidWorks documents that concern a joint.

A property `joint.KEY` of a part or sub-assembly belongs to the joint that moves it, a property `joint.NAME.KEY` of the
assembly to the joint of that name. The keys below have the meaning that they have in the settings, also in URDF's own
spelling (`joint.limit.effort`, `joint.safety_controller.k_velocity`); any other key of the form tag.attribute becomes a
prop of the joint.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from msgspec.structs import replace

from swgrm.errors import ModelError, SettingsError, nearest
from swgrm.findings import Findings
from swgrm.model import Frame, Props, Robot
from swgrm.settings.apply import apply
from swgrm.settings.schema import JointSettings, Settings, converted

PREFIX = "joint."
KEYS = (
    "lower", "upper", "effort", "velocity", "acceleration", "damping", "friction",
    "safetyController", "calibration", "transmission",
)  # fmt: skip
_CONTAINER = re.compile(r"(limit|dynamics)\.")  # URDF's elements around the first of them


class JointProperty(NamedTuple):
    """A custom property of a joint: what has it, its whole key, the joint, the key without the prefix, and its text."""

    where: str
    name: str
    joint: str
    key: str
    text: str


def apply_document_properties(robot: Robot, findings: Findings) -> Robot:
    """The robot with the custom properties of its joints applied; one that cannot be used is reported."""
    found = list(_properties(robot, findings))
    robot = _without_properties(robot)
    sections: dict[tuple[str, str], list[JointProperty]] = {}
    for each in found:
        section = _camel(_CONTAINER.sub("", each.key, count=1)).split(".")[0]
        if section in KEYS:
            sections.setdefault((each.joint, section), []).append(each)
        elif "." in each.key:
            robot = apply(robot, _props(each), findings)
        else:
            hint = nearest(section, list(KEYS)) or f" Known: {', '.join(KEYS)}."
            findings.add("property-wrong", each.where, key=each.name, problem=f"There is no such key.{hint}")
    for (joint, _), properties in sections.items():
        try:
            decided = converted(_nested(properties), JointSettings, f"joint {joint}")
            robot = apply(robot, Settings(joints={joint: decided}), findings)
        except (SettingsError, ModelError) as error:
            findings.add("property-wrong", properties[0].where, key=properties[0].name, problem=str(error))
    return robot


def _properties(robot: Robot, findings: Findings) -> Iterator[JointProperty]:
    """The properties of joints; those whose joint does not exist are reported."""
    for name, text in _own(robot.props):
        key = name.removeprefix(PREFIX)
        joint = max((each for each in robot.joints if key.startswith(f"{each}.")), key=len, default="")
        if joint:
            yield JointProperty(f"robot {robot.name}", name, joint, key.removeprefix(f"{joint}."), text)
        else:
            hint = nearest(key.split(".")[0], list(robot.joints))
            problem = f"The property of an assembly names the joint, as joint.NAME.KEY, and there is none.{hint}"
            findings.add("property-wrong", f"robot {robot.name}", key=name, problem=problem)
    for frame in robot.frames:
        holders = [(f"frame {frame.id}", frame.props), *((f"link {link.name}", link.props) for link in frame.links)]
        for where, name, text in ((where, *own) for where, props in holders for own in _own(props)):
            moving = next((each for each in reversed(robot.path(frame.id)) if not each.is_rigid), None)
            if moving is not None:
                yield JointProperty(where, name, moving.joint_name, name.removeprefix(PREFIX), text)
            else:
                findings.add("property-wrong", where, key=name, problem="No joint moves the component.")


def _own(props: Props) -> Iterator[tuple[str, str]]:
    return ((key, text) for key, text in props.items() if key.startswith(PREFIX))


def _without_properties(robot: Robot) -> Robot:
    def kept(props: Props) -> Props:
        return {key: text for key, text in props.items() if not key.startswith(PREFIX)}

    def frame(old: Frame) -> Frame:
        links = tuple(replace(link, props=kept(link.props)) for link in old.links)
        return replace(old, links=links, props=kept(old.props))

    return replace(robot, frames=tuple(map(frame, robot.frames)), props=kept(robot.props))


def _props(each: JointProperty) -> Settings:
    return converted({"props": {"joints": {each.joint: {each.key: each.text}}}}, Settings)


def _nested(properties: list[JointProperty]) -> dict[str, Any]:
    """The properties as nested data: `safetyController.kVelocity` is a key inside another."""
    nested: dict[str, Any] = {}
    for each in properties:
        *path, last = _camel(_CONTAINER.sub("", each.key, count=1)).split(".")
        holder = nested
        for step in path:
            holder = holder.setdefault(step, {})
        holder[last] = _value(each.text)
    return nested


def _value(text: str) -> float | str:
    try:
        return float(text)
    except ValueError:
        return text.strip()


def _camel(key: str) -> str:
    return re.sub(r"_(.)", lambda found: found[1].upper(), key)
