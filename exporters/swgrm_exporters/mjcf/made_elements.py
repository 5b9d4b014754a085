"""The elements that swgrm made for MuJoCo, so that reading does not take them for parts of the robot.

The note of an MJCF file (`swgrm_exporters.notes`) lists them:

    sites     of sensors and loops
    cameras   of sensors
    excluded  pairs of bodies whose contacts are left out, because they overlap or are neighbours
    gains     actuators by name, as they were written: an edited one differs
    equality  equalities by name: the coupling, relation or loop that each expresses
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec
from msgspec.structs import replace

from swgrm.model import Robot, RobotFields
from swgrm_exporters.mjcf.home import HOME
from swgrm_exporters.notes import Plain
from swgrm_exporters.xmltext import Element

NAME = "swgrm"  # of the <custom> text that has the note
LISTS = ("actuators", "ignoredContacts", "poses")  # fields of the robot of which the file has elements as well


def gains(root: Iterable[Any]) -> dict[str, str]:
    """What the actuators of a file are, by name."""
    texts: dict[str, str] = {}
    for section in root:
        if section.tag != "actuator":
            continue
        for actuator in section:
            values = [f"{key}={value}" for key, value in sorted(actuator.items())]
            texts[actuator.get("name", "")] = " ".join([str(actuator.tag), *values])
    return texts


def without_made(robot: Robot, note: Plain, root: Element) -> Robot:
    """The robot that was read, without what swgrm made, and with the actuators, pairs and poses of the note.

    These lists are taken out of the note, so that nothing restores them once more.
    """
    noted = note.get("robot")
    noted = noted if isinstance(noted, dict) else {}
    try:
        fields = msgspec.convert({key: noted.pop(key) for key in LISTS if key in noted}, RobotFields)
    except msgspec.ValidationError:
        fields = RobotFields()
    written, known = gains(root), _mapping(note.get("gains"))
    edited = []
    for actuator in robot.actuators:
        name = actuator.name or actuator.joint
        if written.get(name) != known.get(name):
            edited.append(actuator)
    edited_joints = {actuator.joint for actuator in edited}
    made_pairs = [tuple(pair) for pair in note.get("excluded", ()) if isinstance(pair, list)]
    noted_poses = {HOME, *(pose.name for pose in fields.poses)}
    return replace(
        robot,
        frames=tuple(frame for frame in robot.frames if frame.id not in _made_frames(robot, note)),
        composite_joints=(),
        actuators=(*(each for each in fields.actuators if each.joint not in edited_joints), *edited),
        ignored_contacts=(*fields.ignored_contacts, *(p for p in robot.ignored_contacts if p not in made_pairs)),
        poses=(*fields.poses, *(pose for pose in robot.poses if pose.name not in noted_poses)),
    )


def _made_frames(robot: Robot, note: Plain) -> set[str]:
    """The frames that the reader made for sites that are not frames of the robot, and for cameras."""
    frames, cameras = _mapping(note.get("frames")), _texts(note.get("cameras"))
    made = set(_texts(note.get("sites")))
    for frame in robot.frames:
        if frame.id not in frames and frame.virtual and [each.name in cameras for each in frame.sensors] == [True]:
            made.add(frame.id)
    return made


def _mapping(value: Any) -> Mapping[str, Any]:  # noqa: ANN401 - JSON data
    return value if isinstance(value, dict) else {}


def _texts(value: Any) -> list[str]:  # noqa: ANN401 - JSON data
    return [text for text in value if isinstance(text, str)] if isinstance(value, list) else []
