"""Random robots for laws: every joint type, couplings, loops, several links on a frame."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from hypothesis import strategies as st
from msgspec.structs import replace

from swgrm.model import (
    Box,
    Calibration,
    Capsule,
    CompositeJoint,
    CompositeType,
    Coupling,
    CutLoop,
    Cylinder,
    Dynamics,
    Frame,
    Geometry,
    Inertial,
    Joint,
    JointType,
    Limits,
    Link,
    LoopJoint,
    Mesh,
    Pose,
    Relation,
    Robot,
    Safety,
    Sensor,
    Sphere,
    Tensor,
    Transmission,
    TransmissionEnd,
)

SCALAR = (JointType.REVOLUTE, JointType.PRISMATIC, JointType.SCREW)

small = st.floats(-2, 2, allow_subnormal=False).map(lambda v: round(v, 6))
positive = st.floats(0.01, 5).map(lambda v: round(v, 6))
vectors = st.tuples(small, small, small)
text = st.text(st.characters(codec="utf-8", exclude_categories=("C", "Z")), min_size=1, max_size=8)


@st.composite
def unit_vectors(draw: st.DrawFn, size: int = 3) -> tuple[float, ...]:
    """Unit vectors, often along an axis."""
    if draw(st.booleans()):
        index = draw(st.integers(0, size - 1))
        return tuple(1.0 if i == index else 0.0 for i in range(size))
    v = draw(st.tuples(*[small] * size).filter(lambda v: math.hypot(*v) > 0.1))
    return tuple(x / math.hypot(*v) for x in v)


poses = st.builds(Pose, vectors, unit_vectors(4))


@st.composite
def inertials(draw: st.DrawFn) -> Inertial:
    """Physical bodies: the tensor of a few point masses, plus a ball's."""
    mass = draw(positive)
    points = np.array(draw(st.lists(vectors, min_size=3, max_size=4)))
    points -= points.mean(axis=0)
    T = sum((p @ p * np.eye(3) - np.outer(p, p) for p in points), 1e-3 * np.eye(3)) * mass / len(points)
    tensor = Tensor(*(float(T[i, j]) for i, j in ((0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2))))
    return Inertial(mass, draw(vectors), tensor, draw(unit_vectors(4)))


shapes: st.SearchStrategy[Geometry] = st.one_of(
    st.builds(Mesh, uri=text, scale=st.tuples(positive, positive, positive), origin=poses),
    st.builds(Box, size=st.tuples(positive, positive, positive), origin=poses),
    st.builds(Cylinder, radius=positive, length=positive, origin=poses),
    st.builds(Sphere, radius=positive, origin=poses),
    st.builds(Capsule, radius=positive, length=positive, origin=poses),
)


@st.composite
def joints(draw: st.DrawFn, name: str, leaders: list[str]) -> Joint | None:
    """A joint of any type, or none; a scalar one may follow an earlier one."""
    kind = draw(st.sampled_from([None, *JointType]))
    if kind is None:
        return None
    scalar = kind in SCALAR
    limits = (
        Limits(-draw(positive), draw(positive), draw(positive), draw(positive)) if draw(st.booleans()) else Limits()
    )
    coupling = None
    if scalar and leaders and draw(st.integers(0, 3)) == 0:
        coupling = Coupling(draw(st.sampled_from(leaders)), draw(small), draw(small))
    return Joint(
        type=kind,
        name=name,
        axis=draw(unit_vectors()) if scalar else (0.0, 0.0, 1.0),
        pitch=draw(small.filter(bool)) if kind is JointType.SCREW else 0.0,
        limits=limits if scalar else Limits(),
        dynamics=draw(st.none() | st.builds(Dynamics, positive, positive)),
        coupling=coupling,
    )


@st.composite
def robots(draw: st.DrawFn, *, most: int = 8, physical: bool = False) -> Robot:
    """A random tree of frames; `physical` gives every moving frame a mass."""
    frames: list[Frame] = []
    leaders: list[str] = []
    for index in range(draw(st.integers(1, most))):
        name = f"f{index}"
        joint = draw(joints(f"j{index}", leaders)) if index else None
        if joint is not None and joint.type in SCALAR:
            leaders.append(joint.name)
        count = draw(st.integers(0, 2)) or int(physical)
        frames.append(
            Frame(
                id=name,
                name=draw(st.just("") | text),
                parent=f"f{draw(st.integers(0, index - 1))}" if index else None,
                transform=draw(poses),
                joint=joint,
                links=tuple(
                    Link(
                        name=f"l{index}_{n}",
                        inertial=draw(inertials() if physical else st.none() | inertials()),
                        visuals=tuple(draw(st.lists(shapes, max_size=2))),
                        collisions=tuple(draw(st.lists(shapes, max_size=1))),
                        props=draw(st.dictionaries(text, text, max_size=2)),
                    )
                    for n in range(count)
                ),
                sensors=tuple(draw(st.lists(st.builds(Sensor, name=st.just(f"s{index}"), type=text), max_size=1))),
            )
        )
    loops: tuple[LoopJoint, ...] = ()
    if len(frames) > 2 and draw(st.booleans()):
        loops = (LoopJoint(parent="f0", child=frames[-1].id, joint=Joint(type=JointType.BALL, name="loop")),)
    return Robot(name=draw(text), frames=tuple(frames), loop_joints=loops, props=draw(st.dictionaries(text, text)))


@st.composite
def equipped_robots(draw: st.DrawFn, *, most: int = 6) -> Robot:
    """A random robot in which everything that can refer to a joint, frame or link does so."""
    robot = draw(robots(most=most).filter(lambda r: any(map(is_scalar, r.frames))))
    robot = replace(robot, frames=tuple(draw(with_safety(frame)) for frame in robot.frames))
    names = [frame.joint_name for frame in robot.frames if is_scalar(frame)]
    robot = replace(robot, loop_joints=draw(loops(robot, "loop", names)))
    robot = with_cuts(robot, draw(loops(robot, "cut", names)))
    some = st.lists(st.sampled_from(names), min_size=1, max_size=3, unique=True)
    return replace(
        robot,
        relations=(Relation({name: draw(small.filter(bool)) for name in draw(some)}, draw(small)),),
        composite_joints=(CompositeJoint(name="both", type=CompositeType.UNIVERSAL, joints=tuple(draw(some))),),
        transmissions=tuple(draw(st.lists(transmissions(names), max_size=2))),
        **draw(naming_props(robot, names)),
    )


def is_scalar(frame: Frame) -> bool:
    """Whether a frame's joint has a position of one number."""
    return frame.joint is not None and frame.joint.type in SCALAR


@st.composite
def with_safety(draw: st.DrawFn, frame: Frame) -> Frame:
    """A frame with soft limits and calibration, if its joint can have them."""
    if frame.joint is None or not is_scalar(frame):
        return frame
    safety = draw(st.none() | st.builds(Safety, positive, positive, small, small))
    calibration = draw(st.none() | st.builds(Calibration, st.none() | small, st.none() | small))
    return replace(frame, joint=replace(frame.joint, safety=safety, calibration=calibration))


@st.composite
def loops(draw: st.DrawFn, robot: Robot, name: str, leaders: list[str]) -> tuple[LoopJoint, ...]:
    """At most one loop joint between two frames."""
    joint = draw(joints(name, leaders))
    ends = st.sampled_from([frame.id for frame in robot.frames])
    loop = joint and LoopJoint(parent=draw(ends), child=draw(ends), joint=joint, transform=draw(poses))
    return (loop,) if loop else ()


def with_cuts(robot: Robot, cut: tuple[LoopJoint, ...]) -> Robot:
    """The robot with loops that are cut, each with a frame at either side."""
    frames = list(robot.frames)
    for loop in cut:
        frames.append(Frame(id="parent side", parent=loop.parent, transform=loop.transform, virtual=True))
        frames.append(Frame(id="child side", parent=loop.child, virtual=True))
    cuts = tuple(CutLoop(loop=loop, parent_frame="parent side", child_frame="child side") for loop in cut)
    return replace(robot, frames=tuple(frames), cut_loops=cuts)


@st.composite
def transmissions(draw: st.DrawFn, names: list[str]) -> Transmission:
    """A transmission of one or two joints; a reduction may be at any end."""
    reductions = st.none() | small.filter(bool)
    ends = [TransmissionEnd(each, (), draw(reductions)) for each in draw(st.lists(st.sampled_from(names), max_size=2))]
    motors = [TransmissionEnd(f"motor{n}", (), draw(reductions)) for n in range(len(ends))]
    return Transmission(name=draw(text), joints=tuple(ends), actuators=tuple(motors))


@st.composite
def naming_props(draw: st.DrawFn, robot: Robot, names: list[str]) -> dict[str, dict[str, str]]:
    """Props that name a body and a joint, and one that has a joint's name by chance."""
    bodies = [frame.id for frame in robot.frames] + [link.name for _, link in robot.links()]
    joint = draw(st.sampled_from(names))
    props = {"a.body": draw(st.sampled_from(bodies)), "a.joint": joint, "a.text": joint}
    return {"props": props, "references": {"a.body": "link", "a.joint": "joint"}}


def random_positions(robot: Robot, rng: np.random.Generator, shape: tuple[int, ...] = ()) -> dict[str, Any]:
    """Positions of all joints that can be set."""
    positions: dict[str, Any] = {}
    for name, frame in robot.joints.items():
        joint = frame.joint
        assert joint is not None
        if joint.type is JointType.BALL:
            q = rng.normal(size=(*shape, 4))
            positions[name] = q / np.linalg.norm(q, axis=-1, keepdims=True)
        elif joint.type is not JointType.FIXED and joint.coupling is None:
            positions[name] = rng.uniform(-2, 2, shape)
    return positions
