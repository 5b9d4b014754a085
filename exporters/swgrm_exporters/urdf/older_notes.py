"""The element <swgrm> of files that swgrm 0.1 and 0.2 wrote, as the note of today.

    <robot_remark name="Arm Ω"/>                              the robot's own name
    <frame_remark link="arm" id="arm_frame" name="Arm"/>      the frame behind a link; implied="true": it has no link
    <link_remark link="arm" name="Ärm" mass="1e-06"/>         its own name; an inertial that was assumed
    <joint_remark joint="elbow" name="Elbow 1" effort="100"/> its own name; limits that were assumed; implied="true"
    <sensor_remark sensor="eye" params='{"width": 640}'/>     parameters that are more than text, as JSON

Files of 0.1 have the kinds alone: <robot>, <frame> and so on.
"""

from __future__ import annotations

from collections.abc import Mapping

import msgspec
from msgspec.structs import replace

from swgrm.model import Limits, Robot
from swgrm.model.grmfile import plain_fields
from swgrm_exporters.lowering import TINY
from swgrm_exporters.notes import Plain
from swgrm_exporters.xmltext import Element, children

REMARK = "_remark"
IDENTITY_AXES = [0.0, 0.0, 0.0, 1.0]
OWN_NAMES = {"robot": "name", "frame": "id", "link": "name", "joint": "name", "material": "name"}


def note_of_remarks(element: Element, robot: Robot) -> Plain:
    """The note that the remarks on a robot amount to, as it was read."""
    frames: dict[str, Plain] = {}
    renamed: dict[str, dict[str, str]] = {}
    for remark in children(element):
        kind = str(remark.tag).removesuffix(REMARK)
        values = {str(key): str(value) for key, value in remark.items()}
        name = robot.name if kind == "robot" else values.pop("link" if kind == "frame" else kind, "")
        if (own_name := values.get(OWN_NAMES.get(kind, ""))) is not None:
            renamed.setdefault(kind, {})[name] = own_name
        if kind in ("frame", "link"):
            entry = frames.setdefault(name, {})
            entry.update(_frame_entry(values) if kind == "frame" else _link_entry(values, entry))
        elif kind == "joint" and name in robot.joints:
            frames.setdefault(robot.joints[name].id, {})["joint"] = _joint_entry(values)
        elif kind == "sensor":
            _note_sensor(name, values.get("params", ""), robot, frames)
    return {"frames": frames, "renamed": renamed}


def _frame_entry(values: Mapping[str, str]) -> Plain:
    entry: Plain = {"name": values["name"]} if "name" in values else {}
    return entry | ({"link": None} if values.get("implied") == "true" else {})


def _link_entry(values: Mapping[str, str], frame: Plain) -> Plain:
    entry: Plain = {}
    if "mass" in values and _number(values["mass"]) == TINY.mass:
        entry["light"] = True
    texts = ["0"] * 6 if values.get("tensor") == "none" else values.get("tensor", "").split()
    tensor = [_number(text) for text in texts]
    if len(tensor) == 6 and frame.get("link", {}) is not None:
        entry["link"] = {"tensor": [*tensor, *IDENTITY_AXES]}
    return entry


def _joint_entry(values: Mapping[str, str]) -> Plain | None:
    assumed = {key: _number(text) for key, text in values.items() if key in Limits.__struct_fields__}
    return None if values.get("implied") == "true" else {"assumed": assumed}


def _note_sensor(name: str, text: str, robot: Robot, frames: dict[str, Plain]) -> None:
    try:
        params = msgspec.json.decode(text)
    except msgspec.DecodeError:
        return
    for frame in robot.frames:
        sensors = [replace(each, params=params) for each in frame.sensors if each.name == name]
        if sensors and isinstance(params, dict):
            entry = frames.setdefault(frame.id, {})
            entry["sensors"] = [*entry.get("sensors", ()), *map(plain_fields, sensors)]


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None
