"""Typed fields of the model as properties, for files that have nothing else: URDF, and GRM files of version 1.

    chain.type, chain.name, chain.pitch    on the joints of a composite joint
    loop.name, loop.side, loop.type, …     on the two frames at the sides of a cut loop; the one at the parent's side
                                           has all fields of the joint: loop.limits.lower, loop.props.KEY
    swgrm.reroot                           on a virtual frame that re-rooting inserted: the name of its joint
    urdf.inline                            on a virtual frame that only places a sensor

`typed` reads them into the fields. Properties that do not describe a joint or loop stay as they are.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

import msgspec
from msgspec.structs import replace

from swgrm.model import (
    Calibration,
    CompositeJoint,
    CompositeType,
    Coupling,
    CutLoop,
    Dynamics,
    Frame,
    Joint,
    JointType,
    Limits,
    LoopJoint,
    Props,
    Robot,
    Safety,
)
from swgrm.model.composites import simple_joints

TYPE, NAME, PITCH = "chain.type", "chain.name", "chain.pitch"
LOOP_NAME, LOOP_SIDE, LOOP_PROPS = "loop.name", "loop.side", "loop.props."
REROOT, INLINE = "swgrm.reroot", "urdf.inline"
_PARTS: Mapping[str, type[msgspec.Struct]] = {
    "limits": Limits,
    "dynamics": Dynamics,
    "coupling": Coupling,
    "safety": Safety,
    "calibration": Calibration,
}

# ---- from fields to properties


def joint_marks(robot: Robot, original: Mapping[str, str]) -> dict[str, Props]:
    """The properties of joints in composite joints, by the joint's name; `original` are names before renaming."""
    found: dict[str, Props] = {}
    for each in robot.composite_joints:
        marks = {TYPE: str(each.type), NAME: original.get(each.name, each.name)}
        found |= dict.fromkeys(each.joints, marks)
        if each.type is CompositeType.SCREW and each.joints:
            found[each.joints[-1]] = {**marks, PITCH: repr(each.pitch)}
    return found


def frame_marks(robot: Robot, original: Mapping[str, str]) -> dict[str, Props]:
    """The properties of frames that are virtual, by the frame's id; `original` are names of joints before renaming."""
    inner: set[str] = set()  # frames of composite joints that have their own marks
    names = {frame.joint_name: frame.joint_name for frame in robot.frames}
    for each in robot.composite_joints:
        frames = [robot.joints[name] for name in each.joints if name in robot.joints]
        own, parents = {frame.id for frame in frames}, Counter(frame.parent or "" for frame in frames)
        inner |= {parent for parent, count in parents.items() if parent in own or count > 1}
        names |= dict.fromkeys(each.joints, each.name)
    virtual = [frame for frame in robot.frames if frame.virtual and frame.id not in inner]
    found: dict[str, Props] = {
        frame.id: {INLINE: "sensor"}
        if frame.sensors
        else {REROOT: original.get(names[frame.joint_name], names[frame.joint_name])}
        for frame in virtual
    }
    for cut in robot.cut_loops:
        name = {LOOP_NAME: cut.loop.joint.name}
        found[cut.parent_frame] = {**name, LOOP_SIDE: "parent", **dict(_loop_marks(cut.loop.joint))}
        found[cut.child_frame] = {**name, LOOP_SIDE: "child"}
    return found


def _loop_marks(joint: Joint) -> Iterator[tuple[str, str]]:
    yield "loop.type", str(joint.type)
    yield "loop.axis", " ".join(map(repr, joint.axis))
    if joint.type is JointType.SCREW:
        yield "loop.pitch", repr(joint.pitch)
    for part in _PARTS:
        for field, value in (msgspec.to_builtins(getattr(joint, part)) or {}).items():
            if value is not None:
                yield f"loop.{part}.{field}", str(value)
    yield from ((f"{LOOP_PROPS}{key}", value) for key, value in joint.props.items())


# ---- from properties to fields


def typed(robot: Robot) -> Robot:
    """The robot with the properties of this module as typed fields."""
    return _with_virtual_frames(_with_cut_loops(_with_composites(robot)))


def _with_composites(robot: Robot) -> Robot:
    groups: dict[tuple[CompositeType, str], list[Frame]] = {}
    for frame in robot.frames:
        if (marks := _chain_marks(frame)) is not None:
            groups.setdefault(marks, []).append(frame)
    found: list[CompositeJoint] = []
    inner: set[str] = set()
    for (kind, name), frames in groups.items():
        if (composite := _composite(kind, name, frames)) is not None:
            found.append(composite)
            ends = Counter(end for frame in frames for end in (frame.id, frame.parent or ""))
            inner |= {end for end, count in ends.items() if count > 1}
    if not found:
        return robot
    names = {name for each in found for name in each.joints}
    changed = tuple(
        replace(f, virtual=f.virtual or f.id in inner, joint=_unmarked(f.joint) if f.joint_name in names else f.joint)
        for f in robot.frames
    )
    return replace(robot, frames=changed, composite_joints=(*robot.composite_joints, *found))


def _composite(kind: CompositeType, name: str, frames: list[Frame]) -> CompositeJoint | None:
    """The composite of marked joints that form a path, in either direction: the robot may have been re-rooted."""
    types = [each.type for each in simple_joints(kind)]
    path = _path(frames) if len(frames) == len(types) else []
    for members in (path, path[::-1]):
        joints = [each.joint for each in members if each.joint]
        if joints and [joint.type for joint in joints] == types:
            pitch = _pitch(joints[-1].props if kind is CompositeType.SCREW else {})
            own = tuple(each.joint_name for each in members)
            return None if pitch is None else CompositeJoint(name=name, type=kind, joints=own, pitch=pitch)
    return None


def _path(frames: list[Frame]) -> list[Frame]:
    """The frames in the order of the path that their joints form, from the root outwards; empty if it is not a path."""
    at: dict[str, list[Frame]] = {}
    for frame in frames:
        at.setdefault(frame.parent or "", []).append(frame)
        at.setdefault(frame.id, []).append(frame)
    ends = [end for end, joints in at.items() if len(joints) == 1]
    ids = {frame.id for frame in frames}
    here = min(ends, key=lambda end: end in ids, default="")
    path: list[Frame] = []
    while following := [frame for frame in at.get(here, ()) if frame not in path]:
        path.append(following[0])
        here = following[0].id if here == following[0].parent else following[0].parent or ""
    return path if len(path) == len(frames) else []


def _chain_marks(frame: Frame) -> tuple[CompositeType, str] | None:
    props = frame.joint.props if frame.joint else {}
    if TYPE not in props or NAME not in props or props[TYPE] not in CompositeType.__members__.values():
        return None
    return CompositeType(props[TYPE]), props[NAME]


def _pitch(props: Props) -> float | None:
    try:
        return _finite(props.get(PITCH, "0"))
    except ValueError:
        return None


def _unmarked(joint: Joint | None) -> Joint | None:
    props = {key: value for key, value in (joint.props if joint else {}).items() if key not in (TYPE, NAME, PITCH)}
    return joint and replace(joint, props=props)


def _with_cut_loops(robot: Robot) -> Robot:
    ends: dict[str, dict[str, Frame]] = {}
    for frame in robot.frames:
        if LOOP_NAME in frame.props and not robot.children(frame.id):
            ends.setdefault(frame.props[LOOP_NAME], {})[frame.props.get(LOOP_SIDE, "")] = frame
    pairs = {name: pair for name, pair in ends.items() if pair.keys() == {"parent", "child"}}
    joints = {name: joint for name, pair in pairs.items() if (joint := _loop_joint(name, pair["parent"].props))}
    if not joints:
        return robot
    cuts = tuple(_cut_loop(joint, pairs[name]["parent"], pairs[name]["child"]) for name, joint in joints.items())
    sides = {side for cut in cuts for side in (cut.parent_frame, cut.child_frame)}
    frames = tuple(_virtual(f, "loop.") if f.id in sides else f for f in robot.frames)
    return replace(robot, frames=frames, cut_loops=(*robot.cut_loops, *cuts))


def _cut_loop(joint: Joint, parent: Frame, child: Frame) -> CutLoop:
    loop = LoopJoint(parent=parent.parent or "", child=child.parent or "", joint=joint, transform=parent.transform)
    return CutLoop(loop=loop, parent_frame=parent.id, child_frame=child.id)


def _loop_joint(name: str, props: Props) -> Joint | None:
    """The joint that a cut loop's properties describe; None if they do not."""
    try:
        x, y, z = (_finite(text) for text in props["loop.axis"].split())
        parts: dict[str, Any] = {part: _part(part, props) for part in _PARTS}
        return Joint(
            type=JointType(props["loop.type"]),
            name=name,
            axis=(x, y, z),
            pitch=_finite(props.get("loop.pitch", "0")),
            props={key.removeprefix(LOOP_PROPS): value for key, value in props.items() if key.startswith(LOOP_PROPS)},
            **{part: value for part, value in parts.items() if value is not None},
        )
    except (KeyError, ValueError, msgspec.ValidationError):
        return None


def _part(part: str, props: Props) -> msgspec.Struct | None:
    start = f"loop.{part}."
    texts = {key.removeprefix(start): value for key, value in props.items() if key.startswith(start)}
    values = {field: text if field == "joint" else _finite(text) for field, text in texts.items()}
    return msgspec.convert(values, _PARTS[part]) if values else None


def _finite(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        raise ValueError(text)
    return value


def _with_virtual_frames(robot: Robot) -> Robot:
    if not any(REROOT in frame.props or INLINE in frame.props for frame in robot.frames):
        return robot
    frames = tuple(
        _virtual(frame, REROOT)
        if REROOT in frame.props
        else _virtual(frame, INLINE)
        if INLINE in frame.props
        else frame
        for frame in robot.frames
    )
    return replace(robot, frames=frames)


def _virtual(frame: Frame, prefix: str) -> Frame:
    """A virtual frame, without the properties that marked it."""
    props = {key: value for key, value in frame.props.items() if not key.startswith(prefix)}
    return replace(frame, virtual=True, props=props)
