"""A robot as it was before it was fitted to MJCF, by the remark in its file."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping
from typing import Any

import msgspec
from msgspec.structs import astuple, replace

from swgrm.composites import collapsed
from swgrm.edit import rename
from swgrm.errors import ModelError
from swgrm.model import (
    IDENTITY,
    CompositeType,
    Frame,
    Geometry,
    Inertial,
    Joint,
    JointType,
    Link,
    LoopJoint,
    Pose,
    Robot,
    RobotFields,
    Tensor,
)
from swgrm.pose_math import compose, invert
from swgrm_exporters.lowering import TINY
from swgrm_exporters.lowering.state import with_links
from swgrm_exporters.mjcf.remarks import ROBOT, Plain, gains
from swgrm_exporters.xmltext import Element


def restored(robot: Robot, remark: Plain, root: Element) -> Robot:
    """The robot with what its remark adds; a remark that does not fit the file is left out, piece by piece."""
    robot = _with_robot_fields(robot, remark, root)
    own = _mapping(remark.get("frames"))
    gone = set(_texts(remark.get("sites")))
    frames = [_frame(frame, _mapping(own.get(frame.id))) for frame in robot.frames if frame.id not in gone]
    robot = _below_their_parents(replace(robot, frames=tuple(frames)), own)
    robot = _without_cameras(robot, set(_texts(remark.get("cameras"))), own)
    robot = collapsed(robot, {CompositeType.SCREW})
    for half, body in _mapping(remark.get("halves")).items():
        robot = _whole(robot, half, body)
    return _renamed(robot, _mapping(remark.get("renamed")))


def _mapping(value: Any) -> Mapping[str, Any]:  # noqa: ANN401 - JSON data
    return value if isinstance(value, dict) else {}


def _texts(value: Any) -> list[str]:  # noqa: ANN401 - JSON data
    return [each for each in value if isinstance(each, str)] if isinstance(value, list) else []


def _with_robot_fields(robot: Robot, remark: Plain, root: Element) -> Robot:
    """The robot with its own fields, without the actuators and excluded pairs of the file that follow from it."""
    try:
        fields = msgspec.convert(_mapping(remark.get("robot")), RobotFields)
    except msgspec.ValidationError:
        return robot
    changes = {name: getattr(fields, name) for name in ROBOT}
    written, known = gains(root), _mapping(remark.get("gains"))
    edited = [each for each in robot.actuators if _is_edited(each.name or each.joint, written, known)]
    theirs = {each.joint for each in edited}
    changes["actuators"] = (*(each for each in fields.actuators if each.joint not in theirs), *edited)
    made = {tuple(pair) for pair in remark.get("excluded", ()) if isinstance(pair, list)}
    added = [pair for pair in robot.ignored_contacts if pair not in made]
    changes["ignored_contacts"] = (*fields.ignored_contacts, *added)
    names = {each.name for each in fields.poses}
    changes["poses"] = (*fields.poses, *(each for each in robot.poses if each.name not in {"home", *names}))
    kept = {each.name for each in fields.materials}
    changes["materials"] = (*fields.materials, *(each for each in robot.materials if each.name not in kept))
    return replace(robot, **changes)


def _is_edited(name: str, written: Mapping[str, str], known: Mapping[str, Any]) -> bool:
    return written.get(name) != known.get(name)


# ---- frames


def _frame(frame: Frame, plain: Mapping[str, Any]) -> Frame:
    """A frame with the fields that MJCF does not hold; one that the remark does not name is as the file has it."""
    if not plain:
        return frame
    fields = {key: value for key, value in plain.items() if key not in ("parent", "joint", "link", "light")}
    try:
        extra = msgspec.convert({"id": frame.id, **fields}, Frame)
    except msgspec.ValidationError:
        return frame
    joint = _joint(frame.joint, plain.get("joint"))
    links = _links(frame, plain)
    return replace(extra, parent=frame.parent, transform=frame.transform, joint=joint, links=links)


def _joint(joint: Joint | None, plain: Any) -> Joint | None:  # noqa: ANN401 - JSON data
    if not isinstance(plain, dict):
        return joint
    try:
        if joint is None:
            extra = msgspec.convert(plain, Joint)
            return extra if extra.type is JointType.FIXED else None
        extra = msgspec.convert({"type": joint.type, **plain}, Joint)
    except msgspec.ValidationError:
        return joint
    given = {name: value for name in ("velocity", "acceleration") if (value := getattr(extra.limits, name)) is not None}
    limits = replace(joint.limits, **given)
    if joint.type is JointType.BALL and "limits" in plain:
        limits = extra.limits
    return replace(
        extra, type=joint.type, name=joint.name, axis=joint.axis, limits=limits, coupling=joint.coupling,
        dynamics=joint.dynamics or extra.dynamics,
    )  # fmt: skip


def _links(frame: Frame, plain: Mapping[str, Any]) -> tuple[Link, ...]:
    link = frame.links[0] if frame.links else Link(name=frame.id)
    if plain.get("light") is True and link.inertial is not None and link.inertial.mass == TINY.mass:
        link = replace(link, inertial=None)
    if "link" not in plain:
        return frame.links if frame.links else ()
    own = plain["link"]
    if own is None:
        return () if link == Link(name=link.name) else (link,)
    fields = {key: value for key, value in own.items() if key not in ("tensor", "visuals", "collisions")}
    try:
        extra = msgspec.convert({"name": link.name, **fields}, Link)
    except msgspec.ValidationError:
        return (link,)
    inertial = link.inertial
    if own.get("tensor") is False and inertial is not None:
        inertial = replace(inertial, tensor=None)
    shapes = {key: _looks(getattr(link, key), own.get(key)) for key in ("visuals", "collisions")}
    return (replace(extra, inertial=inertial, **shapes),)


def _looks(shapes: tuple[Geometry, ...], looks: Any) -> tuple[Geometry, ...]:  # noqa: ANN401 - JSON data
    """The shapes with their own names and materials; if some are missing in the file, with those of the file."""
    if not isinstance(looks, list) or len(looks) != len(shapes):
        return tuple(replace(shape, name="") for shape in shapes) if looks is None else shapes
    return tuple(
        replace(shape, name=str(name), material=str(material))
        for shape, (name, material) in zip(shapes, looks, strict=True)
    )


def _below_their_parents(robot: Robot, own: Mapping[str, Any]) -> Robot:
    """Sites of a body whose frame has another parent go below that one again."""
    places: dict[str, Pose] = {}  # T_body_frame of sites
    frames = []
    for frame in robot.frames:
        parent = _mapping(own.get(frame.id)).get("parent")
        if isinstance(parent, str) and parent in robot.by_id:
            places[frame.id] = frame.transform
            above = robot.by_id[parent]
            T_body_parent = IDENTITY if parent == frame.parent else above.transform
            frame = replace(frame, parent=parent, transform=compose(invert(T_body_parent), frame.transform))
        frames.append(frame)
    return replace(robot, frames=tuple(frames))


def _without_cameras(robot: Robot, cameras: Container[str], own: Container[str]) -> Robot:
    """The robot without the frames that the reader made for cameras that the remark has."""
    made = {
        frame.id
        for frame in robot.frames
        if frame.id not in own and frame.virtual and [each.name in cameras for each in frame.sensors] == [True]
    }
    return replace(robot, frames=tuple(frame for frame in robot.frames if frame.id not in made))


# ---- bodies and names


def _whole(robot: Robot, half: str, body: Any) -> Robot:  # noqa: ANN401 - JSON data
    """The robot with two halves of a body as one, and the joint between them as one that closes a loop."""
    frame = robot.by_id.get(half)
    weld = next((each for each in robot.loop_joints if each.parent == half and each.child == body), None)
    if frame is None or frame.joint is None or weld is None or frame.parent is None or body not in robot.by_id:
        return robot
    joint = replace(frame.joint, name=frame.joint_name)
    if frame.transform == IDENTITY and weld.transform != IDENTITY:
        x, y, z = joint.axis
        flipped = replace(joint, axis=(0.0 - x, 0.0 - y, 0.0 - z))
        loop = LoopJoint(parent=weld.child, child=frame.parent, joint=flipped, transform=invert(weld.transform))
    else:
        loop = LoopJoint(parent=frame.parent, child=weld.child, joint=joint, transform=frame.transform)
    group = robot.mechanism.bodies.frames_with(str(body))
    frames = (_doubled(each) if each.id in group else each for each in robot.frames if each.id != half)
    loops = tuple(loop if each is weld else each for each in robot.loop_joints)
    return replace(robot, frames=tuple(frames), loop_joints=loops)


def _doubled(frame: Frame) -> Frame:
    def twice(inertial: Inertial) -> Inertial:
        tensor = inertial.tensor and Tensor(*(2 * value for value in astuple(inertial.tensor)))
        return replace(inertial, mass=2 * inertial.mass, tensor=tensor)

    links = (replace(link, inertial=link.inertial and twice(link.inertial)) for link in frame.links)
    return replace(frame, links=tuple(links))


def _renamed(robot: Robot, tables: Mapping[str, Any]) -> Robot:
    """The robot with the names that it had before they were made legal."""

    def wanted(kind: str, present: Iterable[str]) -> dict[str, str]:
        names = list(present)
        table = {n: str(_mapping(tables.get(kind))[n]) for n in names if n in _mapping(tables.get(kind))}
        return table if len({table.get(name, name) for name in names}) == len(names) else {}

    links = [link.name for _, link in robot.links()]
    loops = [loop.joint.name for loop in robot.loop_joints if loop.joint.name]
    try:
        named = rename(
            robot,
            frames=wanted("frame", robot.by_id),
            joints=wanted("joint", [*robot.joints, *loops]),
            links=wanted("link", links),
        )
    except ModelError:
        return robot
    # A model that was renamed in the file keeps its new name, as everything else that was edited there.
    robot_name = wanted("robot", [robot.name]).get(robot.name, robot.name)
    material_names = dict.fromkeys(material.name for material in named.materials)
    for _, link in named.links():
        for shape in (*link.visuals, *link.collisions):
            material_names[shape.material] = None
    new_names = wanted("material", material_names)
    materials = [replace(material, name=new_names.get(material.name, material.name)) for material in named.materials]
    painted = with_links(named, lambda link: _painted(link, new_names))
    return replace(painted, name=robot_name, materials=tuple(materials))


def _painted(link: Link, names: Mapping[str, str]) -> Link:
    visuals, collisions = (
        tuple(replace(shape, material=names.get(shape.material, shape.material)) for shape in shapes)
        for shapes in (link.visuals, link.collisions)
    )
    return replace(link, visuals=visuals, collisions=collisions)
