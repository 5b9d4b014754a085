"""Composite joints: expanded to chains of simple joints through virtual frames, and collapsed to one joint again.

The model's own joints are fixed, revolute, prismatic, ball and screw. Other joints with several degrees of freedom are
chains of these, listed in `Robot.composite_joints`; so are ball and screw joints in a robot for a format without them.
All frames of a chain except the last are virtual: no links, no sensors, one child.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping
from itertools import pairwise
from typing import NamedTuple

from msgspec.structs import replace

from swgrm.model import (
    IDENTITY,
    CompositeJoint,
    CompositeType,
    Coupling,
    Frame,
    Joint,
    JointType,
    Limits,
    Robot,
    Transmission,
    Vec3,
)

X, Y, Z = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)


class CompositePart(NamedTuple):
    """One joint of a composite: the suffix of its name (empty: the composite's own name), its type and its axis."""

    suffix: str
    type: JointType
    axis: Vec3


class WholeComposite(NamedTuple):
    """A composite joint whose chain is complete, with the chain's frames from the parent outwards."""

    joint: CompositeJoint
    frames: tuple[Frame, ...]


class Expansion(NamedTuple):
    """The frames that replace a frame, and the composite joint that they express."""

    frames: tuple[Frame, ...]
    joint: CompositeJoint


def simple_joints(kind: CompositeType, axis: Vec3 = Z) -> tuple[CompositePart, ...]:
    """The joints that a composite consists of, from the parent outwards.

    The axis is that of a screw or cylindrical joint, the normal of a planar one, or the second axis of a universal one.
    """
    revolute, prismatic = JointType.REVOLUTE, JointType.PRISMATIC
    u, v = plane_axes(axis)
    return {
        CompositeType.BALL: (
            CompositePart("x", revolute, X),
            CompositePart("y", revolute, Y),
            CompositePart("z", revolute, Z),
        ),
        CompositeType.SCREW: (CompositePart("", revolute, axis), CompositePart("slide", prismatic, axis)),
        CompositeType.CYLINDRICAL: (CompositePart("", revolute, axis), CompositePart("slide", prismatic, axis)),
        CompositeType.UNIVERSAL: (CompositePart("u", revolute, u), CompositePart("", revolute, axis)),
        CompositeType.PLANAR: (
            CompositePart("u", prismatic, u),
            CompositePart("v", prismatic, v),
            CompositePart("", revolute, axis),
        ),
        CompositeType.FLOATING: (
            CompositePart("x", prismatic, X),
            CompositePart("y", prismatic, Y),
            CompositePart("z", prismatic, Z),
            CompositePart("", JointType.BALL, Z),
        ),
    }[kind]


def plane_axes(normal: Vec3) -> tuple[Vec3, Vec3]:
    """Two unit vectors that form a right-handed triple with the normal: x and y, rotated the short way from z to n.

    With n = (a, b, c), c ≥ 0: u = (1 − a²/(1+c), −ab/(1+c), −a), v = (−ab/(1+c), 1 − b²/(1+c), −b). For c < 0, where
    this is ill-conditioned near −z, half a rotation about x comes first, which negates parts of u and v.
    """
    length = math.hypot(*normal) or 1.0
    a, b, c = (value / length for value in normal)
    side = 1.0 if c >= 0 else -1.0
    k = 1.0 / (1.0 + side * c)
    u = (1.0 - a * a * k, -a * b * k, -side * a)
    v = (-side * a * b * k, side * (1.0 - b * b * k), -b)
    return (_positive_zeros(u), _positive_zeros(v))


# ---- expanding


def expand(frame: Frame, kind: CompositeType, fresh: Callable[[str], str], axis: Vec3 = Z) -> Expansion:
    """A frame with a joint of that kind, as a chain of simple joints; `fresh` makes a name unique.

    The joint that has the composite's name keeps position limits and everything else; the three joints of a ball share
    its limits on velocity and effort, and its dynamics.
    """
    members = simple_joints(kind, axis)
    frames: list[Frame] = []
    for index, member in enumerate(members):
        is_last = index == len(members) - 1
        joint = _member(frame, kind, member, fresh, carries=not member.suffix or (kind == "ball" and is_last))
        here = frame if is_last else Frame(id=fresh(f"{frame.id}_{member.suffix or 'turn'}"), virtual=True)
        parent, transform = (frames[-1].id, IDENTITY) if frames else (frame.parent, frame.transform)
        frames.append(replace(here, parent=parent, transform=transform, joint=joint))
    pitch = frame.joint.pitch if frame.joint and kind is CompositeType.SCREW else 0.0
    names = tuple(each.joint_name for each in frames)
    return Expansion(tuple(frames), CompositeJoint(name=frame.joint_name, type=kind, joints=names, pitch=pitch))


def _member(
    frame: Frame, kind: CompositeType, member: CompositePart, fresh: Callable[[str], str], *, carries: bool
) -> Joint:
    """One joint of the chain; the one that carries has all that concerns the whole joint."""
    whole, name = frame.joint or Joint(type=JointType.FIXED), frame.joint_name
    own = fresh(f"{name}_{member.suffix}")
    bare = Joint(type=member.type, name=own, axis=member.axis)
    if carries:
        return replace(whole, name=own if member.suffix else name, type=member.type, axis=member.axis, pitch=0.0)
    if kind is CompositeType.BALL:
        return replace(bare, limits=whole.limits, dynamics=whole.dynamics)
    return _screw_slide(bare, whole, name) if kind is CompositeType.SCREW else bare


def _screw_slide(bare: Joint, screw: Joint, leader: str) -> Joint:
    """The prismatic joint of a screw: it follows the revolute one, with the limits that result from it."""
    ratio = screw.pitch / (2 * math.pi)
    ends = [None if bound is None else bound * ratio for bound in (screw.limits.lower, screw.limits.upper)]
    lower, upper = reversed(ends) if ratio < 0 else ends
    velocity = None if screw.limits.velocity is None else abs(screw.limits.velocity * ratio)
    return replace(bare, coupling=Coupling(leader, ratio), limits=Limits(lower=lower, upper=upper, velocity=velocity))


# ---- collapsing


def whole_composites(robot: Robot) -> Mapping[str, WholeComposite]:
    """The composite joints whose chains are complete, by the id of their last frame."""
    found = {}
    for joint in robot.composite_joints:
        if frames := chain(robot, joint):
            found[frames[-1].id] = WholeComposite(joint, frames)
    return found


def chain(robot: Robot, joint: CompositeJoint) -> tuple[Frame, ...]:
    """The frames of a composite joint from the parent outwards; empty if they do not form a joint of its type."""
    frames = tuple(robot.joints[name] for name in joint.joints if name in robot.joints)
    if not frames or len(frames) != len(joint.joints):
        return ()
    axes = [frame.joint.axis for frame in frames if frame.joint]
    expected = list(simple_joints(joint.type, axes[-1]))
    if joint.type is CompositeType.UNIVERSAL and _are_perpendicular(axes[0], axes[-1]):
        expected[0] = expected[0]._replace(axis=axes[0])
    is_complete = len(frames) == len(expected) and all(map(_is_member, frames, expected))
    is_straight = all(
        robot.children(inner.id) == (outer,) and outer.transform == IDENTITY and is_bare(inner)
        for inner, outer in pairwise(frames)
    )
    return frames if is_complete and is_straight else ()


def collapse(whole: WholeComposite) -> Frame:
    """The chain's last frame, with one joint in the place of the first.

    For a ball or a screw that joint is the model's own. Other types give the joint that has the composite's name; the
    format that has such joints writes it as one.
    """
    joint, (first, *_), last = whole.joint, whole.frames, whole.frames[-1]
    suffixes = [member.suffix for member in simple_joints(joint.type)]
    carrier = whole.frames[suffixes.index("") if "" in suffixes else -1].joint
    assert carrier is not None  # noqa: S101 - a chain consists of joints
    changes: dict[str, object] = {"name": joint.name}
    if joint.type is CompositeType.BALL:
        changes |= {"type": JointType.BALL, "axis": Z}
    if joint.type is CompositeType.SCREW:
        changes |= {"type": JointType.SCREW, "pitch": joint.pitch}
    return replace(last, parent=first.parent, transform=first.transform, joint=replace(carrier, **changes))


def collapsed(robot: Robot, types: Collection[CompositeType]) -> Robot:
    """The robot with its complete composites of those types as single joints."""
    whole = {end: each for end, each in whole_composites(robot).items() if each.joint.type in types}
    if not whole:
        return robot
    inner = {frame.id for each in whole.values() for frame in each.frames[:-1]}
    gone = {each.joint.name for each in whole.values()}
    names = {name: each.joint.name for each in whole.values() for name in each.joint.joints}
    return replace(
        robot,
        frames=tuple(collapse(whole[f.id]) if f.id in whole else f for f in robot.frames if f.id not in inner),
        transmissions=tuple(_driving(each, names) for each in robot.transmissions),
        composite_joints=tuple(each for each in robot.composite_joints if each.name not in gone),
    )


def is_bare(frame: Frame) -> bool:
    """Whether a frame has nothing but its joint, and perhaps empty links."""
    full = any(link.inertial or link.visuals or link.collisions or link.props for link in frame.links)
    return not (full or frame.sensors or frame.entity or frame.geometry or frame.props)


def _driving(transmission: Transmission, names: Mapping[str, str]) -> Transmission:
    """The transmission with the joints of a chain replaced by the composite."""
    ends = {names.get(end.name, end.name): end for end in reversed(transmission.joints)}
    renamed = (replace(end, name=name) for name, end in reversed(ends.items()))
    return replace(transmission, joints=tuple(renamed))


def _is_member(frame: Frame, member: CompositePart) -> bool:
    joint = frame.joint
    near = joint is not None and all(abs(a - b) <= 1e-12 for a, b in zip(joint.axis, member.axis, strict=True))
    return joint is not None and joint.type is member.type and (near or member.type is JointType.BALL)


def _are_perpendicular(a: Vec3, b: Vec3) -> bool:
    return abs(sum(x * y for x, y in zip(a, b, strict=True))) <= 1e-9


def _positive_zeros(v: Vec3) -> Vec3:
    return (v[0] + 0.0, v[1] + 0.0, v[2] + 0.0)
