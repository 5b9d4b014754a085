"""Names inside props: which keys name a link, frame or joint of the robot, and how those follow when it is renamed.

A key names a body where its attribute, or the tag of its text or `name`, has one of the words link, body, frame or
reference in it, and a joint where it has joint or reference: `gazebo.reference`, `ros2_control.joint.name`,
`gazebo.plugin.bodyName.#text`. The value must be the name and nothing else.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from typing import NamedTuple

from msgspec.structs import replace

from swgrm.model import Frame, Joint, Link, Props, Robot, Sensor, Transmission

_BODY, _JOINT = re.compile("link|body|frame|reference", re.IGNORECASE), re.compile("joint|reference", re.IGNORECASE)
_NAMELESS = frozenset({"#text", "name"})  # the tag before says what it is

Names = Mapping[str, str]
Change = Callable[[Props], Props]


class Kinds(NamedTuple):
    """What a key may name."""

    body: bool
    joint: bool


class Reference(NamedTuple):
    """A property that names a part of the robot: where it stands, its key, and the name."""

    where: str
    key: str
    name: str


@lru_cache(maxsize=4096)
def kinds(key: str) -> Kinds:
    """What a key may name."""
    *tags, last = key.split(".")
    word = tags[-1] if tags and last in _NAMELESS else last
    return Kinds(bool(_BODY.search(word)), bool(_JOINT.search(word)))


def references(robot: Robot, of: Robot | None = None) -> Iterator[Reference]:
    """The properties that name a link, frame or joint of the robot, or of another."""
    named = of or robot
    bodies, joints = {*named.by_id, *(link.name for _, link in named.links())}, set(joint_names(named))
    for where, props in _holders(robot):
        for key, name in props.items():
            if (name in bodies and kinds(key).body) or (name in joints and kinds(key).joint):
                yield Reference(where, key, name)


def joint_names(robot: Robot) -> Iterator[str]:
    """The names of all joints, those of loops too."""
    yield from robot.joints
    yield from (loop.joint.name for loop in robot.loop_joints if loop.joint.name)


def names(robot: Robot) -> set[str]:
    """The names that a robot's frames, links and joints have."""
    return {*robot.by_id, *joint_names(robot), *(link.name for _, link in robot.links())}


def followed(
    robot: Robot, *, frames: Names | None = None, links: Names | None = None, joints: Names | None = None
) -> Robot:
    """The robot whose props name what will be called so; where a link and a frame have one name, the link is meant."""
    links, joints = links or {}, joints or {}
    bodies = {**(frames or {}), **{link.name: links.get(link.name, link.name) for _, link in robot.links()}}
    changed = {old for table in (bodies, joints) for old, new in table.items() if old != new}

    def change(props: Props) -> Props:
        if changed.isdisjoint(props.values()):
            return props
        return {key: _new(key, name) for key, name in props.items()}

    def _new(key: str, name: str) -> str:
        if name in bodies and kinds(key).body:
            return bodies[name]
        return joints.get(name, name) if kinds(key).joint else name

    return _with_props(robot, change) if changed else robot


def _holders(robot: Robot) -> Iterator[tuple[str, Props]]:
    """Everything that has props, with what it is called."""
    yield f"robot {robot.name}", robot.props
    for frame in robot.frames:
        yield f"frame {frame.id}", frame.props
        if frame.joint is not None:
            yield f"joint {frame.joint_name}", frame.joint.props
        yield from ((f"link {link.name}", link.props) for link in frame.links)
        for sensor in frame.sensors:
            yield f"sensor {sensor.name}", {**sensor.params, **sensor.props}
    yield from ((f"joint {loop.joint.name}", loop.joint.props) for loop in robot.loop_joints)
    for each in robot.transmissions:
        yield f"transmission {each.name}", each.props
        yield from ((f"transmission {each.name}", end.props) for end in (*each.joints, *each.actuators))


def _with_props(robot: Robot, change: Change) -> Robot:
    def joint(old: Joint) -> Joint:
        return replace(old, props=change(old.props)) if old.props else old

    def link(old: Link) -> Link:
        return replace(old, props=change(old.props)) if old.props else old

    def sensor(old: Sensor) -> Sensor:
        return replace(old, params=change(old.params), props=change(old.props))

    def frame(old: Frame) -> Frame:
        return replace(
            old,
            joint=old.joint and joint(old.joint),
            links=tuple(map(link, old.links)),
            sensors=tuple(map(sensor, old.sensors)),
            props=change(old.props),
        )

    def transmission(old: Transmission) -> Transmission:
        joints, actuators = (
            tuple(replace(end, props=change(end.props)) for end in ends) for ends in (old.joints, old.actuators)
        )
        return replace(old, joints=joints, actuators=actuators, props=change(old.props))

    return replace(
        robot,
        frames=tuple(map(frame, robot.frames)),
        loop_joints=tuple(replace(loop, joint=joint(loop.joint)) for loop in robot.loop_joints),
        transmissions=tuple(map(transmission, robot.transmissions)),
        props=change(robot.props),
    )
