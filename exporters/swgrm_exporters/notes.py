"""The note in a file: what a robot has that the format does not hold, so that reading gives the robot back.

A note is one JSON text. A format decides where it stands in its file; what it contains follows from the format's
`Capabilities.held`, and `restored` follows it in reading. All names are those in the file:

    frames   by id: fields that the file does not have, in the notation of the GRM file; and
             parent    the frame that this one is on, where the file has it on another one of the same body
             joint     fields of its joint; null: it has none, and the file needed one
             link      fields of its link, and the [name, material] of its shapes; null: it has none
             light     true: the mass was assumed
    robot    fields of the robot
    loops    by name: fields of joints that close loops
    halves   frame with a half of a body, which closes a loop: the frame that has the other half
    renamed  by kind: name in the file → the model's own name; of sensors FRAME/NAME

    frames.ID.joint.assumed  limits that were written because the format needs a number
    frames.ID.link.tensor    the tensor that was assumed, along the link's axes (false in files of swgrm 0.2)

A format may add entries for elements that it made. Numbers that the file holds are not in the note, and an assumed one
is only removed where the file still has it: an edited number is kept.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeVar

import msgspec
import numpy as np
from msgspec.structs import astuple, replace

from swgrm.edit import rename
from swgrm.errors import ModelError
from swgrm.findings import Findings
from swgrm.kinematics.pose_math import compose, invert
from swgrm.mass.inertia import tensor_matrix
from swgrm.model import (
    IDENTITY,
    CompositeType,
    Dynamics,
    Frame,
    Geometry,
    Inertial,
    Joint,
    JointType,
    Link,
    LoopJoint,
    Material,
    Params,
    Pose,
    Robot,
    RobotFields,
    Sensor,
    Tensor,
)
from swgrm.model.composites import collapsed
from swgrm.model.grmfile import plain_fields
from swgrm.model.version1 import typed
from swgrm_exporters.loops import closed
from swgrm_exporters.lowering import TINY, Held, Lowered
from swgrm_exporters.lowering.state import with_links

Plain = dict[str, Any]
Assumed = Mapping[str, Mapping[str, float]]  # by joint: limit → the number that was written
S = TypeVar("S", bound=msgspec.Struct)
PROVENANCE = frozenset({"entity", "geometry", "why", "conventions"})
SAME = 1e-5  # relative: numbers that differ by less are as they were written, also in single precision


# ---- what a file does not hold


def note_of(
    lowered: Lowered,
    held: Held,
    frames: Iterable[Frame] | None = None,
    parents: Mapping[str, str] | None = None,
    assumed: Assumed | None = None,
    **made: Any,  # noqa: ANN401 - JSON data
) -> Plain:
    """The note on a robot that was lowered; empty if there is nothing to note.

    `frames` are those that the file has, if they are not the robot's. `parents` are those of frames that the file has
    on another frame of their body. `assumed` are the limits that the writer added, by joint. `made` are entries of the
    format itself.
    """
    robot, parents, assumed = lowered.robot, parents or {}, assumed or {}
    written_frames = tuple(robot.frames if frames is None else frames)
    if not held.has_provenance:
        held = held.without(PROVENANCE)
        if robot.loop_joints or robot.cut_loops:
            robot = without_provenance(robot)
    renamed: dict[str, dict[str, str]] = {}
    for kind, old, new in lowered.renamed:
        if old != new:
            renamed.setdefault(kind, {})[new] = old
    entries: dict[str, Plain] = {}
    for frame in written_frames:
        entry = _frame_note(frame, lowered, held, assumed.get(frame.joint_name, {}))
        if frame.id in parents:
            entry["parent"] = parents[frame.id]
        if entry:
            entries[frame.id] = entry
    loops: dict[str, Plain] = {}
    for loop in robot.loop_joints if not held.has_whole_loops else ():
        loops[loop.joint.name] = _joint_rest(loop.joint, held.of_joint(loop.joint))
    note: Plain = {
        "frames": entries,
        "robot": _rest(robot, held.robot | {"name", "frames"}),
        "loops": {name: entry for name, entry in loops.items() if entry},
        "renamed": renamed,
        "halves": dict(lowered.halves),
        **made,
    }
    return {key: value for key, value in note.items() if value}


def without_provenance(robot: Robot) -> Robot:
    """The robot without where it comes from: SolidWorks entities, the reasons for joints, and conventions.

    Comparing a file with another one must not show what no other program writes.
    """
    return replace(
        robot,
        frames=tuple(map(_frame_without_provenance, robot.frames)),
        loop_joints=tuple(map(_loop_without_provenance, robot.loop_joints)),
        cut_loops=tuple(replace(cut, loop=_loop_without_provenance(cut.loop)) for cut in robot.cut_loops),
        conventions=(),
    )


def _frame_without_provenance(frame: Frame) -> Frame:
    joint = frame.joint and replace(frame.joint, why=None)
    links = tuple(replace(link, entity=None) for link in frame.links)
    return replace(frame, entity=None, geometry=None, joint=joint, links=links)


def _loop_without_provenance(loop: LoopJoint) -> LoopJoint:
    return replace(loop, joint=replace(loop.joint, why=None))


def note_text(note: Plain) -> str:
    """The note as it stands in a file."""
    return msgspec.json.encode(note).decode()


def parsed_note(texts: Iterable[str | None]) -> Plain:
    """The first text that is a note; empty if there is none."""
    for text in texts:
        try:
            note = msgspec.json.decode(text or "")
        except msgspec.DecodeError:
            continue
        if isinstance(note, dict):
            return note
    return {}


def _rest(data: msgspec.Struct, held: frozenset[str]) -> Plain:
    """The fields that a file does not hold, in the notation of the GRM file."""
    plain = plain_fields(data, without=held)
    for path in held:
        field, _, inner = path.partition(".")
        if inner and field in plain:
            plain[field].pop(inner, None)
            if not plain[field]:
                del plain[field]
    return plain


def _joint_rest(joint: Joint, held: frozenset[str]) -> Plain:
    plain = _rest(joint, held)
    # Dynamics without damping and friction are no dynamics at all in most files.
    if joint.dynamics == Dynamics():
        plain["dynamics"] = {}
    return plain


def _frame_note(frame: Frame, lowered: Lowered, held: Held, assumed: Mapping[str, float]) -> Plain:
    entry = _rest(frame, held.frame | {"id"})
    joint = None if frame.joint is None else _joint_rest(frame.joint, held.of_joint(frame.joint))
    if assumed:
        joint = {**(joint or {}), "assumed": dict(assumed)}
    if frame.joint_name in lowered.implied_joints:
        entry["joint"] = None
    elif joint:
        entry["joint"] = joint
    if frame.id in lowered.implied_links:
        entry["link"] = None
    elif frame.links:
        link = _link_note(frame.links[0], lowered, held)
        if link or _is_empty(frame.links[0]):  # a file may have no element for a link that is empty
            entry["link"] = link
    if frame.id in lowered.implied_inertials:
        entry["light"] = True
    return entry


def _link_note(link: Link, lowered: Lowered, held: Held) -> Plain:
    entry = _rest(link, held.link | {"name"})
    if link.inertial is not None and (link.inertial.tensor is None or _is_tensor_implied(link, lowered)):
        tensor = link.inertial.tensor or Tensor()
        entry["tensor"] = [*astuple(tensor), *link.inertial.axes]
    for key, shapes in (("visuals", link.visuals), ("collisions", link.collisions)):
        if looks := _looks_note(key, shapes, held.shapes):
            entry[key] = looks
    return entry


def _is_tensor_implied(link: Link, lowered: Lowered) -> bool:
    if not lowered.implied_tensors:
        return False
    original = next((each.old for each in lowered.renamed if each[::2] == ("link", link.name)), link.name)
    return original in lowered.implied_tensors


def _looks_note(key: str, shapes: Sequence[Geometry], held: frozenset[str]) -> list[list[str | None]]:
    """The [name, material] of each shape, null for what the file has; empty if there is nothing to note."""
    looks: list[list[str | None]] = []
    for shape in shapes:
        name = None if f"{key}.name" in held else shape.name
        material = None if f"{key}.material" in held else shape.material
        looks.append([name, material])
    is_empty = not any(name or material for name, material in looks)
    return [] if is_empty else looks


# ---- the robot as it was


def restored(
    robot: Robot,
    note: Plain,
    findings: Findings,
    params_as_read: Callable[[Sensor], Params] | None = None,
) -> Robot:
    """The robot with what its note adds; what does not fit the file is left out, piece by piece.

    A format that has elements for the parameters of sensors gives `params_as_read`: what it reads of a sensor that it
    wrote. From that an edited parameter is told. The sensors of other formats are those of the note.
    """
    entries = _mapping(note.get("frames"))
    renamed = _mapping(note.get("renamed"))
    plain = robot
    _report_stale(plain, entries, findings)
    robot = _with_robot_fields(robot, _mapping(note.get("robot")))
    looks = _Looks(plain, robot)
    sensors = _NotedSensors(entries, _mapping(renamed.get("sensor")), params_as_read)
    frames = []
    for frame in robot.frames:
        entry = _mapping(entries.get(frame.id))
        restored_frame = _restored_frame(frame, entry, looks)
        frames.append(sensors.on(restored_frame, frame))
    # URDF has composite joints, cut loops and virtual frames as props of links, which are now those of frames.
    robot = typed(replace(robot, frames=tuple(frames)))
    robot = looks.without_unused(robot)
    robot = _below_their_parents(robot, plain, entries)
    robot = _with_loop_fields(robot, _mapping(note.get("loops")))
    robot = _with_composites_of_file(robot, _mapping(renamed.get("joint")))
    robot = closed(collapsed(robot, {CompositeType.BALL, CompositeType.SCREW}))
    for half, body in _mapping(note.get("halves")).items():
        robot = _whole(robot, half, body)
    return _with_own_names(robot, renamed)


def _mapping(value: Any) -> Mapping[str, Any]:  # noqa: ANN401 - JSON data
    return value if isinstance(value, dict) else {}


def _report_stale(robot: Robot, entries: Mapping[str, Any], findings: Findings) -> None:
    """Report what the note tells of frames that the file no longer has."""
    for frame_id, entry in entries.items():
        if frame_id not in robot.by_id and not _mapping(entry).get("virtual"):
            findings.add("note-stale", f"frame {frame_id}")


def _overlaid(data: S, noted: Mapping[str, Any]) -> S:
    """A part of the model with the fields of a note; unchanged if they do not fit."""
    if not noted:
        return data
    try:
        return msgspec.convert(_merged(plain_fields(data), noted), type(data))
    except msgspec.ValidationError:
        return data


def _merged(plain: Mapping[str, Any], noted: Mapping[str, Any]) -> Plain:
    merged = {**plain, **noted}
    for key, value in noted.items():
        if isinstance(value, dict) and isinstance(plain.get(key), dict):
            merged[key] = _merged(plain[key], value)
    return merged


def _without(entry: Mapping[str, Any], *keys: str) -> Plain:
    return {key: value for key, value in entry.items() if key not in keys}


def _with_robot_fields(robot: Robot, noted: Mapping[str, Any]) -> Robot:
    """The robot with the fields of the note; materials that the file has as well keep the colours of the file."""
    try:
        fields = msgspec.convert(dict(noted), RobotFields)
    except msgspec.ValidationError:
        return robot
    ids = robot.by_id.keys()
    keys = {field.encode_name: field.name for field in msgspec.structs.fields(RobotFields)}
    changes = {keys[key]: getattr(fields, keys[key]) for key in noted}
    if "loop_joints" in changes:
        changes["loop_joints"] = tuple(each for each in fields.loop_joints if {each.parent, each.child} <= ids)
    if "materials" in changes:
        read = {material.name: material for material in robot.materials}
        noted_materials = [_repainted(material, read.get(material.name)) for material in fields.materials]
        names = {material.name for material in noted_materials}
        others = [material for material in robot.materials if material.name not in names]
        changes["materials"] = (*noted_materials, *others)
    return replace(robot, **changes)


def _repainted(noted: Material, read: Material | None) -> Material:
    is_edited = read is not None and read.rgba is not None and not _is_same_colour(noted, read)
    return replace(noted, rgba=read.rgba) if is_edited and read is not None else noted


def _is_same_colour(one: Material, other: Material) -> bool:
    if one.rgba is None or other.rgba is None:
        return one.rgba == other.rgba
    return bool(np.allclose(one.rgba, other.rgba, rtol=0, atol=1e-4))


# ---- frames, joints and links


def _restored_frame(frame: Frame, entry: Mapping[str, Any], looks: _Looks) -> Frame:
    """A frame with the fields that the file does not hold; one that the note does not name is as the file has it."""
    if not entry:
        return frame
    joint, links = frame.joint, frame.links
    if fields := _without(entry, *_PARTS):
        frame = _overlaid(replace(frame, joint=None, links=(), sensors=()), fields)
    joint = _restored_joint(joint, entry)
    if not links and isinstance(entry.get("link"), dict):
        links = (Link(name=frame.id),)
    links = tuple(_restored_link(link, entry, looks) for link in links)
    if links and entry.get("link", ...) is None and _is_empty(links[0]):
        # The props of a frame without a link were written to the link that the file needed.
        return replace(frame, joint=joint, props={**frame.props, **links[0].props}, links=())
    return replace(frame, joint=joint, links=links)


_PARTS = ("parent", "joint", "link", "light", "sensors")


def _is_empty(link: Link) -> bool:
    return not (link.inertial or link.visuals or link.collisions)


def _restored_joint(joint: Joint | None, entry: Mapping[str, Any]) -> Joint | None:
    if "joint" not in entry:
        return joint
    noted = entry["joint"]
    if noted is None:
        is_plain = joint == Joint(type=JointType.FIXED, name=joint.name if joint else "")
        return None if is_plain else joint
    if not isinstance(noted, dict):
        return joint
    if joint is None:
        # Only a fixed joint may be missing in the file: all others are in it.
        return _overlaid(Joint(type=JointType.FIXED), noted) if noted.get("type") == JointType.FIXED else None
    joint = _without_assumed(joint, _mapping(noted.get("assumed")))
    return _overlaid(joint, _without(noted, "type", "name", "assumed"))


def _without_assumed(joint: Joint, assumed: Mapping[str, Any]) -> Joint:
    """The joint without the limits that were assumed, where the file still has them."""
    gone: dict[str, None] = {}
    for name, number in assumed.items():
        value = getattr(joint.limits, name, None)
        if isinstance(number, int | float) and value is not None and _is_same(value, number):
            gone[name] = None
    return replace(joint, limits=replace(joint.limits, **gone)) if gone else joint


def _is_same(value: float, noted: float) -> bool:
    return abs(value - noted) <= SAME * abs(noted)


def _restored_link(link: Link, entry: Mapping[str, Any], looks: _Looks) -> Link:
    noted = _mapping(entry.get("link"))
    inertial = link.inertial
    if entry.get("light") is True and inertial is not None and _is_same(inertial.mass, TINY.mass):
        inertial = None
    if inertial is not None and "tensor" in noted and _is_assumed_tensor(inertial, noted["tensor"]):
        inertial = replace(inertial, tensor=None, axes=Inertial(0.0).axes)
    if inertial is not link.inertial:
        link = replace(link, inertial=inertial)
    if not noted:
        return link
    link = _overlaid(link, _without(noted, "tensor", "visuals", "collisions"))
    return replace(
        link,
        visuals=looks.of(link.visuals, noted.get("visuals")),
        collisions=looks.of(link.collisions, noted.get("collisions")),
    )


def _is_assumed_tensor(inertial: Inertial, noted: Any) -> bool:  # noqa: ANN401 - JSON data
    if noted is False or inertial.tensor is None:
        return True
    try:
        *moments, x, y, z, w = (float(number) for number in noted)
        assumed = Inertial(inertial.mass, tensor=Tensor(*moments), axes=(x, y, z, w))
    except (TypeError, ValueError):
        return False
    written, read = tensor_matrix(assumed), tensor_matrix(inertial)
    return bool(np.abs(written - read).max() <= SAME * np.abs(written).max())


class _Looks:
    """The names and materials of shapes: those of the note, unless a shape was painted in the file."""

    def __init__(self, read: Robot, noted: Robot) -> None:
        self.read = {material.name: material for material in read.materials}
        self.noted = {material.name: material for material in noted.materials}
        self.replaced: set[str] = set()  # materials of the file that have another name in the note

    def of(self, shapes: tuple[Geometry, ...], looks: Any) -> tuple[Geometry, ...]:  # noqa: ANN401 - JSON data
        """The shapes as noted; as in the file if these are not the same shapes."""
        if not isinstance(looks, list) or len(looks) != len(shapes):
            return shapes
        return tuple(self._one(shape, look) for shape, look in zip(shapes, looks, strict=True))

    def _one(self, shape: Geometry, look: Any) -> Geometry:  # noqa: ANN401 - JSON data
        if not isinstance(look, list) or len(look) != 2:
            return shape
        name, material = look
        name = name if isinstance(name, str) else shape.name
        if not isinstance(material, str) or self._is_painted(shape.material, material):
            return replace(shape, name=name)
        if shape.material != material:
            self.replaced.add(shape.material)
        return replace(shape, name=name, material=material)

    def _is_painted(self, read: str, noted: str) -> bool:
        """Whether the file has another colour than it was written with."""
        if read not in self.read or read == noted:
            return False
        return noted not in self.noted or not _is_same_colour(self.noted[noted], self.read[read])

    def without_unused(self, robot: Robot) -> Robot:
        """The robot without the materials of the file whose shapes all have the noted ones."""
        used = {shape.material for _, link in robot.links() for shape in (*link.visuals, *link.collisions)}
        gone = self.replaced - used
        return replace(robot, materials=tuple(each for each in robot.materials if each.name not in gone))


class _NotedSensors:
    """The sensors of a note, by the frame that they are on and by their names."""

    def __init__(
        self, entries: Mapping[str, Any], renamed: Mapping[str, Any], params_as_read: Callable[[Sensor], Params] | None
    ) -> None:
        self.renamed, self.params_as_read = renamed, params_as_read
        self.by_frame: dict[str, tuple[Sensor, ...]] = {}
        self.by_name: dict[str, Sensor] = {}
        for frame_id, entry in entries.items():
            try:
                sensors = msgspec.convert(_mapping(entry).get("sensors", []), tuple[Sensor, ...])
            except msgspec.ValidationError:
                continue
            self.by_frame[frame_id] = sensors
            self.by_name.update((sensor.name, sensor) for sensor in sensors)

    def on(self, frame: Frame, read: Frame) -> Frame:
        """A frame with its sensors: those of the note, or those of the file with what the note adds to each."""
        if self.params_as_read is None:
            return replace(frame, sensors=self.by_frame.get(frame.id, read.sensors))
        if not read.sensors:
            return frame
        # A frame that only places a sensor may have another id in the file, so that the name has to do.
        noted = {**self.by_name, **{sensor.name: sensor for sensor in self.by_frame.get(frame.id, ())}}
        sensors = []
        for sensor in read.sensors:
            own_name = self.renamed.get(f"{frame.id}/{sensor.name}")
            sensor = self._with_noted(sensor, noted.get(sensor.name))
            sensors.append(replace(sensor, name=own_name) if isinstance(own_name, str) else sensor)
        return replace(frame, sensors=tuple(sensors))

    def _with_noted(self, read: Sensor, noted: Sensor | None) -> Sensor:
        if noted is None or noted.type != read.type or self.params_as_read is None:
            return read
        # What the file has otherwise than it was written was edited there.
        written, params = self.params_as_read(noted), noted.params
        for key, value in read.params.items():
            if key not in written or _differs(written[key], value):
                params = {**_without_param(params, key), key: value}
        for key in written.keys() - read.params.keys():
            params = _without_param(params, key)
        return replace(read, id=read.id or noted.id, params=params, props=noted.props, references=noted.references)


def _without_param(params: Params, key: str) -> Params:
    """The parameters without the value at a path, which may be one key or lead through several."""
    rest = {name: value for name, value in params.items() if name != key}
    first, _, more = key.partition(".")
    below = rest.get(first)
    if isinstance(below, Mapping) and more:
        rest[first] = _without_param(below, more)
    return rest


def _differs(written: Any, read: Any) -> bool:  # noqa: ANN401 - JSON data
    try:
        return abs(float(written) - float(read)) > SAME * abs(float(read))
    except (TypeError, ValueError):
        return str(written) != str(read)


# ---- the tree


def _below_their_parents(robot: Robot, plain: Robot, entries: Mapping[str, Any]) -> Robot:
    """Frames that the file has on another frame of their body go below their own parents again."""
    frames = []
    for frame in robot.frames:
        parent = _mapping(entries.get(frame.id)).get("parent")
        T_file_parent = _rigid_pose(plain, frame.parent, parent)
        if T_file_parent is not None:
            frame = replace(frame, parent=parent, transform=compose(invert(T_file_parent), frame.transform))
        frames.append(frame)
    return replace(robot, frames=tuple(frames))


def _rigid_pose(robot: Robot, above: str | None, frame_id: Any) -> Pose | None:  # noqa: ANN401 - JSON data
    """The pose of a frame in one that carries it rigidly; None if that one does not."""
    T_frame = IDENTITY
    while isinstance(frame_id, str) and frame_id in robot.by_id:
        if frame_id == above:
            return T_frame
        frame = robot.by_id[frame_id]
        if not frame.is_rigid:
            return None
        T_frame, frame_id = compose(frame.transform, T_frame), frame.parent
    return None


def _with_loop_fields(robot: Robot, entries: Mapping[str, Any]) -> Robot:
    loops = []
    for loop in robot.loop_joints:
        noted = _without(_mapping(entries.get(loop.joint.name)), "type", "name")
        loops.append(replace(loop, joint=_overlaid(loop.joint, noted)) if noted else loop)
    return replace(robot, loop_joints=tuple(loops))


def _whole(robot: Robot, half: str, body: Any) -> Robot:  # noqa: ANN401 - JSON data
    """The robot with two halves of a body as one, and the joint between them as one that closes a loop."""
    frame = robot.by_id.get(half)
    weld = next((loop for loop in robot.loop_joints if loop.parent == half and loop.child == body), None)
    if frame is None or frame.joint is None or weld is None or frame.parent is None or body not in robot.by_id:
        return robot
    joint = replace(frame.joint, name=frame.joint_name)
    if frame.transform == IDENTITY and weld.transform != IDENTITY:
        # The child was on the base, so that the joint was reversed.
        x, y, z = joint.axis
        flipped = replace(joint, axis=(0.0 - x, 0.0 - y, 0.0 - z))
        loop = LoopJoint(parent=weld.child, child=frame.parent, joint=flipped, transform=invert(weld.transform))
    else:
        loop = LoopJoint(parent=frame.parent, child=weld.child, joint=joint, transform=frame.transform)
    group = robot.mechanism.bodies.frames_with(str(body))
    frames = []
    for other in robot.frames:
        if other.id != half:
            frames.append(_doubled(other) if other.id in group else other)
    loops = tuple(loop if each is weld else each for each in robot.loop_joints)
    return replace(robot, frames=tuple(frames), loop_joints=loops)


def _doubled(frame: Frame) -> Frame:
    def twice(inertial: Inertial) -> Inertial:
        tensor = inertial.tensor and Tensor(*(2 * value for value in astuple(inertial.tensor)))
        return replace(inertial, mass=2 * inertial.mass, tensor=tensor)

    links = (replace(link, inertial=link.inertial and twice(link.inertial)) for link in frame.links)
    return replace(frame, links=tuple(links))


# ---- names


def _with_composites_of_file(robot: Robot, renamed: Mapping[str, Any]) -> Robot:
    """The robot with the names of the file for its composite joints; URDF's <chain> has the model's own names."""
    written = {str(original): name for name, original in renamed.items()}
    composites = []
    for composite in robot.composite_joints:
        joints = tuple(name if name in robot.joints else written.get(name, name) for name in composite.joints)
        composites.append(replace(composite, name=written.get(composite.name, composite.name), joints=joints))
    return replace(robot, composite_joints=tuple(composites))


def _with_own_names(robot: Robot, renamed: Mapping[str, Any]) -> Robot:
    """The robot with the names that it had before they were made legal."""

    def own_names(kind: str, present: Iterable[str]) -> dict[str, str]:
        return distinct_names(present, _mapping(renamed.get(kind)))

    loops = [loop.joint.name for loop in robot.loop_joints if loop.joint.name]
    try:
        named = rename(
            robot,
            frames=own_names("frame", robot.by_id),
            joints=own_names("joint", [*robot.joints, *loops]),
            links=own_names("link", [link.name for _, link in robot.links()]),
        )
    except ModelError:
        return robot
    # A model that was renamed in the file keeps its new name, as everything else that was edited there.
    robot_name = own_names("robot", [robot.name]).get(robot.name, robot.name)
    material_names = dict.fromkeys(material.name for material in named.materials)
    for _, link in named.links():
        material_names |= dict.fromkeys(shape.material for shape in (*link.visuals, *link.collisions))
    new_names = own_names("material", material_names)
    materials = [replace(material, name=new_names.get(material.name, material.name)) for material in named.materials]
    painted = with_links(named, lambda link: _painted(link, new_names))
    return replace(painted, name=robot_name, materials=tuple(materials))


def distinct_names(present: Iterable[str], originals: Mapping[str, Any]) -> dict[str, str]:
    """The names to give back; none at all if two things would have one name."""
    names = list(dict.fromkeys(present))
    table = {name: originals[name] for name in names if isinstance(originals.get(name), str) and originals[name]}
    return table if len({table.get(name, name) for name in names}) == len(names) else {}


def _painted(link: Link, names: Mapping[str, str]) -> Link:
    visuals, collisions = (
        tuple(replace(shape, material=names.get(shape.material, shape.material)) for shape in shapes)
        for shapes in (link.visuals, link.collisions)
    )
    return replace(link, visuals=visuals, collisions=collisions)
