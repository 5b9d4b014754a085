"""Joints that are several: a chain of simple joints through virtual frames, marked so that it can be one again.

The model holds fixed, revolute, prismatic, ball and screw. URDF also has planar and floating joints, and most formats
have neither ball nor screw. Each is a chain here: all frames of it but the last are virtual (no links, no sensors, one
child), and every joint carries the props `chain.type` and `chain.name`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import NamedTuple

from msgspec.structs import replace

from swgrm.model import IDENTITY, Coupling, Frame, Joint, JointType, Limits, Pose, Robot, Transmission, Vec3

TYPE, NAME, PITCH = "chain.type", "chain.name", "chain.pitch"
X, Y, Z = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)


class Step(NamedTuple):
    """One joint of a chain: what is added to the chain's name (nothing: it has that very name), type and axis."""

    suffix: str
    type: JointType
    axis: Vec3


class Chain(NamedTuple):
    """A marked chain that is whole: what it stands for, and its frames from the parent outwards."""

    kind: str
    name: str
    frames: tuple[Frame, ...]


def steps(kind: str, axis: Vec3 = Z) -> tuple[Step, ...]:
    """The joints that make up one of that kind; the axis is a screw's own, or a planar joint's normal."""
    revolute, prismatic = JointType.REVOLUTE, JointType.PRISMATIC
    if kind == "ball":
        return Step("x", revolute, X), Step("y", revolute, Y), Step("z", revolute, Z)
    if kind == "screw":
        return Step("", revolute, axis), Step("slide", prismatic, axis)
    if kind == "planar":
        u, v = plane_axes(axis)
        return Step("u", prismatic, u), Step("v", prismatic, v), Step("", revolute, axis)
    if kind == "floating":
        return (
            Step("x", prismatic, X),
            Step("y", prismatic, Y),
            Step("z", prismatic, Z),
            Step("", JointType.BALL, Z),
        )
    return ()


def plane_axes(normal: Vec3) -> tuple[Vec3, Vec3]:
    """Two unit vectors that make a right-handed triple with the normal: x and y, turned the short way from z to n.

    With n = (a, b, c), c ≥ 0: u = (1 − a²/(1+c), −ab/(1+c), −a), v = (−ab/(1+c), 1 − b²/(1+c), −b). For c < 0, where
    that way is ill-conditioned near −z, the half turn about x is taken first, which flips a, b, c's part and v.
    """
    length = math.hypot(*normal) or 1.0
    a, b, c = (value / length for value in normal)
    side = 1.0 if c >= 0 else -1.0
    k = 1.0 / (1.0 + side * c)
    u = (1.0 - a * a * k, -a * b * k, -side * a)
    v = (-side * a * b * k, side * (1.0 - b * b * k), -b)
    return (_positive_zeros(u), _positive_zeros(v))


def expand(frame: Frame, kind: str, fresh: Callable[[str], str], axis: Vec3 = Z) -> tuple[Frame, ...]:
    """A frame whose joint is of that kind, as a marked chain; `fresh` makes a wished name unique.

    Position limits and everything else that the joint says stay with the joint that keeps its name; a ball's three
    joints share its bounds on velocity and effort, and its dynamics.
    """
    joint = frame.joint or Joint(type=JointType.FIXED)
    name = frame.joint_name
    marks = {TYPE: kind, NAME: name}
    whole = steps(kind, axis)
    frames: list[Frame] = []
    parent = frame.parent
    for index, step in enumerate(whole):
        last = index == len(whole) - 1
        bare = Joint(type=step.type, name=fresh(f"{name}_{step.suffix}"), axis=step.axis, props=marks)
        carries = not step.suffix or (kind == "ball" and last)
        if carries:
            keep = {
                "name": bare.name if step.suffix else name,
                "type": step.type,
                "axis": step.axis,
                "pitch": 0.0,
            }
            member = replace(joint, **keep, props={**joint.props, **marks})
        elif kind == "ball":
            member = replace(bare, limits=joint.limits, dynamics=joint.dynamics)
        elif kind == "screw":
            member = _slide(bare, joint, name)
        else:
            member = bare
        transform = frame.transform if index == 0 else IDENTITY
        if last:
            frames.append(replace(frame, parent=parent, transform=transform, joint=member))
        else:
            virtual = Frame(
                id=fresh(f"{frame.id}_{step.suffix or 'turn'}"),
                parent=parent,
                transform=transform,
                joint=member,
            )
            frames.append(virtual)
            parent = virtual.id
    return tuple(frames)


def _slide(bare: Joint, screw: Joint, leader: str) -> Joint:
    """A screw's slide: it follows the turn, and gets the bounds that follow from the turn's."""
    ratio = screw.pitch / (2 * math.pi)
    ends = [None if bound is None else bound * ratio for bound in (screw.limits.lower, screw.limits.upper)]
    lower, upper = reversed(ends) if ratio < 0 else ends
    velocity = None if screw.limits.velocity is None else abs(screw.limits.velocity * ratio)
    limits = Limits(lower=lower, upper=upper, velocity=velocity)
    return replace(
        bare, coupling=Coupling(leader, ratio), limits=limits, props={**bare.props, PITCH: repr(screw.pitch)}
    )


def chains(robot: Robot) -> Mapping[str, Chain]:
    """The marked chains that are whole, by the id of their last frame."""
    found = {}
    for frame in robot.frames:
        chain = _chain_ending_at(robot, frame)
        if chain is not None:
            found[frame.id] = chain
    return found


def collapse(chain: Chain) -> Frame:
    """The chain's last frame, on one joint where the first one was.

    For a ball or a screw that joint is the model's own; a planar or floating chain gives its last joint, with what the
    chain's joint says of itself: the format that has such joints knows what to write.
    """
    first, last = chain.frames[0], chain.frames[-1]
    carrier = first if chain.kind == "screw" else last
    joint = carrier.joint
    assert joint is not None and last.joint is not None  # noqa: S101, PT018 - a chain is made of joints
    changes: dict[str, object] = {"name": chain.name, "props": unmarked(joint.props)}
    if chain.kind == "ball":
        changes |= {"type": JointType.BALL, "axis": Z}
    if chain.kind == "screw":
        changes |= {"type": JointType.SCREW, "pitch": float(last.joint.props[PITCH])}
    return replace(last, parent=first.parent, transform=first.transform, joint=replace(joint, **changes))


def collapsed(robot: Robot, kinds: frozenset[str]) -> Robot:
    """The robot with its whole chains of those kinds as single joints."""
    whole = {end: chain for end, chain in chains(robot).items() if chain.kind in kinds}
    if not whole:
        return robot
    inner = {frame.id for chain in whole.values() for frame in chain.frames[:-1]}
    frames = tuple(collapse(whole[f.id]) if f.id in whole else f for f in robot.frames if f.id not in inner)
    names = {f.joint_name: chain.name for chain in whole.values() for f in chain.frames}
    return replace(robot, frames=frames, transmissions=tuple(_driving(each, names) for each in robot.transmissions))


def _driving(transmission: Transmission, names: Mapping[str, str]) -> Transmission:
    """The transmission with the joints of a chain named as the one that they are."""
    ends = {names.get(end.name, end.name): end for end in reversed(transmission.joints)}
    renamed = (replace(end, name=name) for name, end in reversed(ends.items()))
    return replace(transmission, joints=tuple(renamed))


def unmarked(props: Mapping[str, str]) -> dict[str, str]:
    """Props without a chain's marks."""
    return {key: value for key, value in props.items() if key not in (TYPE, NAME, PITCH)}


def _chain_ending_at(robot: Robot, last: Frame) -> Chain | None:
    marks = _marks(last)
    if marks is None or any(_marks(child) == marks for child in robot.children(last.id)):
        return None
    kind, name = marks
    axis = last.joint.axis if last.joint else Z
    expected = steps(kind, axis)
    frames = [last]
    while len(frames) < len(expected):
        inner = robot.by_id.get(frames[0].parent or "")
        if inner is None or _marks(inner) != marks or not _is_virtual(robot, inner):
            return None
        frames.insert(0, inner)
    is_whole = len(frames) == len(expected) and all(_is_step(f, s) for f, s in zip(frames, expected, strict=True))
    is_straight = all(frame.transform == Pose() for frame in frames[1:])
    has_pitch = kind != "screw" or (last.joint is not None and _is_number(last.joint.props.get(PITCH, "")))
    return Chain(kind, name, tuple(frames)) if is_whole and is_straight and has_pitch else None


def _marks(frame: Frame) -> tuple[str, str] | None:
    props = frame.joint.props if frame.joint else {}
    return (props[TYPE], props[NAME]) if TYPE in props and NAME in props else None


def _is_virtual(robot: Robot, frame: Frame) -> bool:
    full = any(link.inertial or link.visuals or link.collisions or link.props for link in frame.links)
    own = full or frame.sensors or frame.entity or frame.geometry or frame.props
    return not own and len(robot.children(frame.id)) == 1


def _is_step(frame: Frame, step: Step) -> bool:
    joint = frame.joint
    near = joint is not None and all(abs(a - b) <= 1e-12 for a, b in zip(joint.axis, step.axis, strict=True))
    return joint is not None and joint.type is step.type and (near or step.type is JointType.BALL)


def _is_number(text: str) -> bool:
    try:
        return math.isfinite(float(text))
    except ValueError:
        return False


def _positive_zeros(v: Vec3) -> Vec3:
    return (v[0] + 0.0, v[1] + 0.0, v[2] + 0.0)
