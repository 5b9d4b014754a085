"""The differences between two robots in an engineer's words: `shoulder_joint: lower limit -90° → -80°`."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from swgrm.model import Frame, JointType, Robot
from swgrm.model.comparison import Comparison, Difference, item_name, plain_value
from swgrm.model.words import point_text, position_text

_FRAME = re.compile(r"robot\.frames\[(?P<id>.*?)\](?:\.|$)(?P<rest>.*)", re.DOTALL)
_PART = re.compile(r"(?P<kind>link|sensor)s\[(?P<id>.*?)\](?:\.|$)(?P<rest>.*)", re.DOTALL)
_OTHER = re.compile(r"robot\.(?P<kind>\w+)\[(?P<id>.*?)\](?:\.|$)(?P<rest>.*)", re.DOTALL)
_KINDS = {"loop_joints": "loop joint", "materials": "material", "relations": "relation", "cut_loops": "cut loop",
          "composite_joints": "composite joint", "transmissions": "transmission", "props": "prop",
          "conventions": "convention", "poses": "pose", "actuators": "actuator"}  # fmt: skip
_FOLDED = {  # what lies below these is one line: (pattern of the place, words)
    "visuals": re.compile(r"visuals\b.*", re.DOTALL),
    "collision shapes": re.compile(r"collisions\b.*", re.DOTALL),
    "the reason": re.compile(r"why\b.*", re.DOTALL),
    "the inertia tensor": re.compile(r"inertial\.(tensor|axes)\b.*", re.DOTALL),
    "props": re.compile(r"(props|references)\b.*", re.DOTALL),
}


class _Place(NamedTuple):
    """An object, the rest of the place below it, and the joint types in both robots, which decide about units."""

    subject: str
    rest: str
    kinds: tuple[JointType | None, JointType | None] = (None, None)
    is_missing: str = ""  # the robot that does not have the object


def in_words(comparison: Comparison, old: Robot, new: Robot) -> list[str]:
    """One line per difference; an object that only one robot has is one line, and so are its meshes."""
    return list(dict.fromkeys(_line(each, _place(each.where, old, new)) for each in comparison.differences))


def _place(where: str, old: Robot, new: Robot) -> _Place:
    if found := _FRAME.fullmatch(where):
        return _in_frame(found["id"], found["rest"], old, new)
    if found := _OTHER.fullmatch(where):
        name, key = f"{_KINDS.get(found['kind'], found['kind'])} {found['id']}", found["id"]
        holders = [_named(robot, found["kind"]) for robot in (old, new)]
        return _Place(
            name, found["rest"], is_missing=_missing(*(holder is None or key in holder for holder in holders))
        )
    return _Place("robot", where.removeprefix("robot."))


def _named(robot: Robot, field: str) -> set[str] | None:
    """The names of the things in a field of the robot; None if they have none."""
    things = getattr(robot, field, ())
    names = {item_name(each) for each in things} if isinstance(things, tuple) else set(things)
    return None if "" in names else names


def _in_frame(key: str, rest: str, old: Robot, new: Robot) -> _Place:
    frames = [robot.by_id.get(key) for robot in (old, new)]
    if absent := _missing(*(frame is not None for frame in frames)):
        return _Place(f"frame {key}", rest, is_missing=absent)
    if found := _PART.fullmatch(rest):
        parts = [getattr(frame, f"{found['kind']}s") for frame in frames]
        has = [found["id"] in map(item_name, each) for each in parts]
        return _Place(f"{found['kind']} {found['id']}", found["rest"], is_missing=_missing(*has) if any(has) else "")
    if rest.startswith("joint."):
        has = [frame is not None and frame.joint is not None for frame in frames]
        old_kind, new_kind = (frame.joint.type if frame and frame.joint else None for frame in frames)
        kinds = (old_kind or new_kind, new_kind or old_kind)
        return _Place(_joint_name(frames), rest.removeprefix("joint."), kinds, _missing(*has))
    return _Place(f"frame {key}", rest)


def _joint_name(frames: list[Frame | None]) -> str:
    return next((frame.joint_name for frame in reversed(frames) if frame and frame.joint), "joint")


def _missing(in_old: bool, in_new: bool) -> str:
    return "" if in_old and in_new else "new" if in_old else "old" if in_new else ""


def _line(difference: Difference, place: _Place) -> str:
    if place.is_missing:
        return f"{place.subject}: only in the {'old' if place.is_missing == 'new' else 'new'} robot"
    for words, pattern in _FOLDED.items():
        if pattern.fullmatch(place.rest):
            return f"{place.subject}: {words} {'differs' if words.startswith('the ') else 'differ'}"
    if place.rest == "transform.rot":
        return f"{place.subject}: turned by {_turn(difference):.4g}°"
    name, text = _FIELDS.get(place.rest, (place.rest.replace(".", " ").replace("_", " "), _plain))
    values = (difference.left, difference.right)
    old, new = (_shown(plain_value(value), text, kind) for value, kind in zip(values, place.kinds, strict=True))
    return f"{place.subject}: {name} {old} → {new}".replace("  ", " ")


def _turn(difference: Difference) -> float:
    """The angle between two orientations [deg]."""
    a, b = (plain_value(value) for value in (difference.left, difference.right))
    if not isinstance(a, tuple) or not isinstance(b, tuple):
        return math.nan
    return math.degrees(2 * math.acos(min(1.0, abs(sum(x * y for x, y in zip(a, b, strict=True))))))


def _shown(value: object, text: Callable[[object, JointType | None], str], kind: JointType | None) -> str:
    return "none" if value is None else text(value, kind)


def _plain(value: object, _: JointType | None) -> str:
    if isinstance(value, tuple):
        texts = [_plain(each, None) for each in value]
        return f"({', '.join(texts)})" if all(isinstance(each, float | str) for each in value) else ", ".join(texts)
    return f"{value + 0.0:.6g}" if isinstance(value, float) else str(value)


def _position(value: object, kind: JointType | None) -> str:
    return position_text(kind or JointType.REVOLUTE, value) if isinstance(value, float | int) else str(value)


def _point(value: object, _: JointType | None) -> str:
    return point_text(value) if isinstance(value, tuple) else str(value)


def _unit(turning: str, sliding: str) -> Callable[[object, JointType | None], str]:
    return lambda value, kind: f"{_plain(value, kind)} {sliding if kind is JointType.PRISMATIC else turning}".rstrip()


_FIELDS: Mapping[str, tuple[str, Callable[[object, JointType | None], str]]] = {
    "limits.lower": ("lower limit", _position),
    "limits.upper": ("upper limit", _position),
    "limits.velocity": ("velocity limit", _unit("rad/s", "m/s")),
    "limits.effort": ("effort", _unit("Nm", "N")),
    "limits.acceleration": ("acceleration limit", _unit("rad/s²", "m/s²")),
    "dynamics.damping": ("damping", _unit("Nms/rad", "Ns/m")),
    "dynamics.friction": ("friction", _unit("Nm", "N")),
    "dynamics.armature": ("armature", _unit("kg m²", "kg")),
    "coupling.joint": ("follows", _plain),
    "coupling.ratio": ("ratio", _plain),
    "coupling.offset": ("offset", _position),
    "inertial.mass": ("mass", _unit("kg", "kg")),
    "inertial.origin": ("centre of mass", _point),
    "transform.pos": ("position", _point),
    "pitch": ("pitch", _unit("m per turn", "m per turn")),
}


def lines(comparison: Comparison) -> Iterator[str]:
    """The lines of a comparison, in words where the robots are known."""
    if comparison.old is None or comparison.new is None:
        yield from map(str, comparison.differences)
        return
    known = [each for each in comparison.differences if each.where.startswith("robot.")]
    yield from in_words(comparison._replace(differences=tuple(known)), comparison.old, comparison.new)
    yield from (str(each) for each in comparison.differences if not each.where.startswith("robot."))
