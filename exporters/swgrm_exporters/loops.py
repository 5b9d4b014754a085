"""Loops in a format that has none: two frames at the ends of the cut, marked with all that the joint says, and back.

    <loop name="closing" side="parent" type="revolute" axis="0 0 1"><limits lower="-1" upper="1"/></loop>

The marks are props of the frame at the parent's side, in the model's own words; the other has name and side alone.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any

import msgspec
from msgspec.structs import replace

from swgrm.model import (
    Calibration,
    Coupling,
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

_PARTS: Mapping[str, type[msgspec.Struct]] = {
    "limits": Limits,
    "dynamics": Dynamics,
    "coupling": Coupling,
    "safety": Safety,
    "calibration": Calibration,
}
_NAME, _SIDE, _PROPS = "loop.name", "loop.side", "loop.props."


def sides(loop: LoopJoint, name: str, ids: tuple[str, str]) -> tuple[Frame, Frame]:
    """The two frames that a loop is cut into: where its joint leaves the parent, and where it must meet the child."""
    parent_props = {_NAME: name, _SIDE: "parent", **dict(_marks(loop.joint))}
    parent = Frame(id=ids[0], parent=loop.parent, transform=loop.transform, props=parent_props)
    return parent, Frame(id=ids[1], parent=loop.child, props={_NAME: name, _SIDE: "child"})


def _marks(joint: Joint) -> Iterator[tuple[str, str]]:
    yield "loop.type", str(joint.type)
    yield "loop.axis", " ".join(map(repr, joint.axis))
    if joint.type is JointType.SCREW:
        yield "loop.pitch", repr(joint.pitch)
    for part in _PARTS:
        for field, value in (msgspec.to_builtins(getattr(joint, part)) or {}).items():
            if value is not None:
                yield f"loop.{part}.{field}", str(value)
    yield from ((f"{_PROPS}{key}", value) for key, value in joint.props.items())


def closed(robot: Robot) -> Robot:
    """The robot with the loops closed again that were cut into two marked frames."""
    ends: dict[str, dict[str, Frame]] = {}
    for frame in robot.frames:
        if _NAME in frame.props and not robot.children(frame.id):
            ends.setdefault(frame.props[_NAME], {})[frame.props.get(_SIDE, "")] = frame
    pairs = {name: pair for name, pair in ends.items() if pair.keys() == {"parent", "child"}}
    loops = {name: loop for name, pair in pairs.items() if (loop := _loop(name, pair["parent"], pair["child"]))}
    gone = {frame.id for name in loops for frame in pairs[name].values()}
    frames = tuple(frame for frame in robot.frames if frame.id not in gone)
    return replace(robot, frames=frames, loop_joints=(*robot.loop_joints, *loops.values())) if loops else robot


def _loop(name: str, parent: Frame, child: Frame) -> LoopJoint | None:
    """The loop between two frames; None where their marks do not make a joint."""
    try:
        joint = _joint(name, parent.props)
    except (KeyError, ValueError, msgspec.ValidationError):
        return None
    return LoopJoint(parent=parent.parent or "", child=child.parent or "", joint=joint, transform=parent.transform)


def _joint(name: str, props: Props) -> Joint:
    x, y, z = (_finite(text) for text in props["loop.axis"].split())
    parts: dict[str, Any] = {part: _part(part, props) for part in _PARTS}
    return Joint(
        type=JointType(props["loop.type"]),
        name=name,
        axis=(x, y, z),
        pitch=_finite(props.get("loop.pitch", "0")),
        props={key.removeprefix(_PROPS): value for key, value in props.items() if key.startswith(_PROPS)},
        **{part: value for part, value in parts.items() if value is not None},
    )


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
