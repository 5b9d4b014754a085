"""Random robots for laws: every joint type, couplings, relations, composite joints, loops and everything else.

For whole robots hypothesis chooses the size and the seed, and `Draw` draws the rest, which is fast.
"""

from __future__ import annotations

import math
import random
from collections.abc import Collection, Iterable
from functools import partial
from itertools import combinations
from random import Random
from typing import Any

import numpy as np
from hypothesis import strategies as st
from msgspec.structs import replace

from swgrm.kinematics.forward import Kinematics
from swgrm.model import (
    Actuator,
    ActuatorType,
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
    Material,
    Mesh,
    NamedPose,
    Pose,
    Quat,
    Relation,
    Robot,
    Safety,
    Sensor,
    Sphere,
    Tensor,
    Transmission,
    TransmissionEnd,
    UsedConvention,
    Vec3,
)
from swgrm.model.composites import expand
from swgrm.solidworks.conventions import CONVENTIONS
from swgrm.typevars import T
from swgrm_exporters.urdf.references import with_references
from tests.lookups import joint_of

LIMITED = (JointType.REVOLUTE, JointType.PRISMATIC)
SCALAR = (JointType.REVOLUTE, JointType.PRISMATIC, JointType.SCREW)

small = st.floats(-2, 2, allow_subnormal=False).map(lambda v: round(v, 6))
positive = st.floats(0.01, 5).map(lambda v: round(v, 6))
vectors = st.tuples(small, small, small)
text = st.text(st.characters(codec="utf-8", exclude_categories=("C", "Z")), min_size=1, max_size=8)


def vec3(values: Iterable[float]) -> Vec3:
    """Three numbers as a vector."""
    x, y, z = values
    return x, y, z


def quat(values: Iterable[float]) -> Quat:
    """Four numbers as a quaternion."""
    x, y, z, w = values
    return x, y, z, w


@st.composite
def unit_vectors(draw: st.DrawFn, size: int = 3) -> tuple[float, ...]:
    """Unit vectors, often along an axis."""
    if draw(st.booleans()):
        index = draw(st.integers(0, size - 1))
        return tuple(1.0 if i == index else 0.0 for i in range(size))
    v = draw(st.tuples(*[small] * size).filter(lambda v: math.hypot(*v) > 0.1))
    return tuple(x / math.hypot(*v) for x in v)


turns = unit_vectors(4).map(quat)
poses = st.builds(Pose, vectors, turns)


@st.composite
def inertials(draw: st.DrawFn) -> Inertial:
    """Physical bodies: the tensor of a few point masses, plus a ball's."""
    mass = draw(positive)
    points = np.array(draw(st.lists(vectors, min_size=3, max_size=4)))
    points -= points.mean(axis=0)
    inertia = sum((p @ p * np.eye(3) - np.outer(p, p) for p in points), 1e-3 * np.eye(3)) * mass / len(points)
    tensor = Tensor(*(float(inertia[i, j]) for i, j in ((0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2))))
    return Inertial(mass, draw(vectors), tensor, draw(turns))


WORDS = st.from_regex(r"[a-z][a-z0-9_]{0,6}", fullmatch=True)
ANY_NAMES = WORDS | st.text(st.characters(exclude_categories=("Cs", "Cc", "Zs", "Zl", "Zp")), min_size=1, max_size=6)
STRANGE = ["Ärm", "座標系1", "two words", "座標系2", 'q"<&>', "/lead", "a__b", "-", "1st", "Arm-1/Link.2"]
MARKED = frozenset({CompositeType.UNIVERSAL, CompositeType.CYLINDRICAL})
COMPOSITES = MARKED | {CompositeType.PLANAR, CompositeType.FLOATING}


def robots(*, most: int = 8, **choices: Any) -> st.SearchStrategy[Robot]:
    """A robot of up to `most` frames with everything that the model holds; the choices, all false by default but loops:

    strange     names that no format takes
    loops       may have a loop joint
    plain       at most one link on a frame, no capsules, no joint that follows a follower: what URDF can give back
    physical    every frame has a body with mass
    relations   may have a relation among joints
    composites  the types of composite joints that it may have
    root_pose   the root may be anywhere in the world
    conventions may rest on conventions of mates
    """
    return st.builds(
        lambda size, seed: Draw(seed, **choices).robot(size), st.integers(1, most), st.integers(0, 1 << 32)
    )


any_robots = partial(robots, relations=True, composites=COMPOSITES, root_pose=True, conventions=True)


class Draw(Random):
    """Draws the parts of a robot; the choices are those of `robots`."""

    def __init__(
        self,
        seed: int,
        *,
        strange: bool = False,
        loops: bool = True,
        plain: bool = False,
        physical: bool = False,
        relations: bool = False,
        composites: Collection[CompositeType] = (),
        root_pose: bool = False,
        conventions: bool = False,
    ) -> None:
        super().__init__(seed)
        self.strange, self.loops, self.plain, self.physical = strange, loops, plain, physical
        self.relations, self.composites, self.root_pose = relations, sorted(composites), root_pose
        self.conventions = conventions

    def maybe(self, value: T) -> T | None:
        return value if self.random() < 0.5 else None

    def positive(self) -> float:
        return 10 ** self.uniform(-3, 1)

    def vector(self) -> Vec3:
        return vec3(self.choice([0.0, 1.0, self.uniform(-2, 2), self.uniform(-1, 1) * 1e-3]) for _ in range(3))

    def unit(self, size: int) -> tuple[float, ...]:
        v = [self.gauss(0, 1) for _ in range(size)]
        return tuple(x / math.hypot(*v) for x in v)

    def axis(self) -> Vec3:
        return self.choice([(1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, -1.0), vec3(self.unit(3))])

    def turn(self) -> Quat:
        h = math.sqrt(0.5)
        gimbal_locks = [(0.0, h, 0.0, h), (0.0, -h, 0.0, h), (0.5, 0.5, 0.5, 0.5), (0.5, -0.5, 0.5, 0.5)]
        return self.choice([(0.0, 0.0, 0.0, 1.0), self.choice(gimbal_locks), quat(self.unit(4)), quat(self.unit(4))])

    def pose(self) -> Pose:
        return Pose(self.vector(), self.turn())

    def props(self) -> dict[str, str]:
        keys = ["flatsim.side", "flatsim.throttle_max", "gazebo.mu1", "a.b.c", "a.b.d", "own.text"]
        return {
            key: self.choice(["left", "0.2", "ä <&\"> '", "two words"])
            for key in self.sample(keys, self.choice([0, 0, 1, 3]))
        }

    def inertial(self) -> Inertial:
        a, b, c = self.positive(), self.positive(), self.positive()
        tensor = Tensor(ixx=b + c, iyy=a + c, izz=a + b, ixy=self.uniform(-0.4, 0.4) * min(a, b, c))
        return Inertial(self.positive(), self.vector(), tensor, self.turn())

    def shape(self, materials: list[str]) -> Geometry:
        origin, name, material = self.pose(), self.choice(["", "body"]), self.choice(materials)
        return replace(self.bare_shape(), origin=origin, name=name, material=material)

    def bare_shape(self) -> Geometry:
        kind = self.choice([Box, Cylinder, Sphere, Mesh, Mesh if self.plain else Capsule])
        if kind is Mesh:
            scale = self.choice([(1.0, 1.0, 1.0), (0.001, 0.001, 0.001), (1.0, -1.0, 2.5)])
            return Mesh(uri=self.choice(["package://p/meshes/ä b.stl", "meshes/a.dae"]), scale=scale)
        if kind is Box:
            return Box(size=(self.positive(), self.positive(), self.positive()))
        if kind is Sphere:
            return Sphere(radius=self.positive())
        round_kind = Cylinder if kind is Cylinder else Capsule
        return round_kind(radius=self.positive(), length=self.positive())

    def joint(self, name: str, leaders: list[str]) -> Joint:
        kind = self.choice(list(JointType))
        if kind is JointType.FIXED:
            return Joint(type=kind, name=name, props=self.props())
        limits = Limits(velocity=self.maybe(self.positive()), effort=self.maybe(self.positive()))
        joint = Joint(
            type=kind,
            name=name,
            limits=limits,
            dynamics=self.maybe(Dynamics(self.positive(), self.positive())),
            safety=self.maybe(Safety(self.positive(), self.positive(), -0.5, 0.5)),
            calibration=self.maybe(Calibration(self.maybe(0.1), 0.25)),
            props=self.props(),
        )
        if kind is JointType.BALL:
            return joint
        limits = replace(limits, lower=self.maybe(-self.positive()), upper=self.maybe(self.positive()))
        coupling = None
        if leaders and self.random() < 0.3:
            coupling = Coupling(self.choice(leaders), self.uniform(-3, 3), self.uniform(-1, 1))
        pitch = self.choice([1, -1]) * self.uniform(0.001, 0.1) if kind is JointType.SCREW else 0.0
        return replace(joint, axis=self.axis(), pitch=pitch, limits=limits, coupling=coupling)

    def link(self, name: str, materials: list[str]) -> Link:
        return Link(
            name=name,
            inertial=self.inertial() if self.physical else self.maybe(self.inertial()),
            visuals=tuple(self.shape(materials) for _ in range(self.choice([0, 1, 2]))),
            collisions=tuple(self.shape([""]) for _ in range(self.choice([0, 1]))),
            props=self.props(),
        )

    def params(self) -> dict[str, object]:
        image = {"width": self.choice([320, 640]), "format": "R8G8B8", "distortion": [self.uniform(-1, 1), 0.0]}
        rays: list[dict[str, object]] = [{"min": self.positive(), "noisy": self.random() < 0.5}, {"min": 0.5}]
        some = {"camera": {"image": image}, "ray": rays, "topic": "/scan", "camera.fov": "1.2"}
        return {key: value for key, value in some.items() if self.random() < 0.5}

    def frame(self, name: str, above: list[str], leaders: list[str], materials: list[str]) -> Frame:
        joint = self.joint(f"{name}_joint", leaders) if above and self.random() < 0.8 else None
        if joint and joint.type not in (JointType.FIXED, JointType.BALL) and not (self.plain and joint.coupling):
            leaders.append(joint.name)
        rate = self.maybe(self.positive())
        sensor = Sensor(
            name=f"{name}_sensor",
            type=self.choice(["camera", "imu", "own_kind"]),
            id=self.choice(["", "7"]),
            update_rate=rate,
            params=self.params(),
        )
        return Frame(
            id=name,
            parent=self.choice(above) if above else None,
            transform=self.pose() if above or self.root_pose else Pose(),
            joint=joint,
            links=tuple(
                self.link(f"{name}_{n}", materials)
                for n in range(self.choice([int(self.physical), 1, 1, 1 if self.plain else 2]))
            ),
            sensors=(sensor,) if self.random() < 0.3 else (),
        )

    def materials(self) -> tuple[Material, ...]:
        colour = (self.random(), self.random(), self.random(), self.random())
        return (
            Material("red", (1.0, 0.0, 0.0, 1.0)),
            Material("wood", texture="w.png"),
            Material("mix", colour, "m.png"),
        )

    def robot(self, size: int) -> Robot:
        names = [self.choice(STRANGE) + str(n) if self.strange else f"f{n}" for n in range(size)]
        materials = self.materials()[: self.choice([0, 3])]
        leaders: list[str] = []
        frames = [
            self.frame(name, names[:n], leaders, ["", *(m.name for m in materials)]) for n, name in enumerate(names)
        ]
        composites = self.composite_joints(frames)
        moving = [frame.joint_name for frame in frames if not frame.is_rigid]
        transmissions = tuple(
            Transmission(
                name=f"drive_{n}",
                type="transmission_interface/SimpleTransmission",
                joints=(TransmissionEnd(name, ("EffortJointInterface",)),),
                actuators=(TransmissionEnd(f"motor_{n}", ("EffortJointInterface",), self.maybe(50.0)),),
            )
            for n, name in enumerate(self.sample(moving, min(2, len(moving))))
        )
        loops: tuple[LoopJoint, ...] = ()
        if self.loops and size > 1 and self.random() < 0.5:
            joint = self.joint("closing", leaders)
            loops = (LoopJoint(parent=names[0], child=names[-1], joint=joint, transform=self.pose()),)
        robot = Robot(
            name="random",
            frames=tuple(frames),
            materials=materials,
            transmissions=transmissions,
            loop_joints=loops,
            relations=self.relations_of(leaders),
            composite_joints=composites,
            conventions=self.used_conventions(),
            props=self.props() | self.references(frames),
        )
        return with_references(robot)

    def composite_joints(self, frames: list[Frame]) -> tuple[CompositeJoint, ...]:
        """Add frames with composite joints."""
        found: list[CompositeJoint] = []
        if not self.composites:
            return ()
        for n, kind in enumerate(self.sample(self.composites, min(len(self.composites), self.choice([0, 1, 2])))):
            carrier = JointType.BALL if kind is CompositeType.FLOATING else JointType.REVOLUTE
            bounds = Limits(velocity=self.maybe(self.positive()), effort=self.maybe(self.positive()))
            joint = Joint(type=carrier, name=f"c{n}_joint", axis=self.axis(), limits=bounds, props=self.props())
            joint = replace(joint, axis=(0.0, 0.0, 1.0)) if carrier is JointType.BALL else joint
            frame = replace(self.frame(f"c{n}", [f.id for f in frames if not f.virtual], [], [""]), joint=joint)
            expansion = expand(frame, kind, lambda name: name, joint.axis)
            frames += expansion.frames
            found.append(expansion.joint)
        return tuple(found)

    def relations_of(self, names: list[str]) -> tuple[Relation, ...]:
        if not self.relations or not names or self.random() < 0.3:
            return ()
        some = self.sample(names, min(len(names), self.choice([1, 2, 3])))
        terms = {name: self.choice([-1, 1]) * self.uniform(0.2, 2) for name in some}
        return (Relation(terms, self.choice([0.0, self.uniform(-1, 1)])),)

    def used_conventions(self) -> tuple[UsedConvention, ...]:
        keys = self.sample(sorted(CONVENTIONS), self.choice([0, 1, 3])) if self.conventions else []
        return tuple(
            UsedConvention(
                name=key,
                choice=self.choice(sorted(CONVENTIONS[key].choices)),
                is_set=self.random() < 0.5,
                mates=tuple(self.sample(["Gear1", "Screw 2", "座標系-1/Rack3"], self.choice([0, 1, 2]))),
            )
            for key in keys
        )

    def references(self, frames: list[Frame]) -> dict[str, str]:
        """Props that name what the robot has."""
        bodies = [frame.links[0].name if frame.links else frame.id for frame in frames]
        joints = [frame.joint_name for frame in frames if frame.joint]
        return {
            "gazebo.reference": self.choice([*bodies, *joints]),
            "gazebo[2].plugin.bodyName.#text": self.choice(bodies),
            "ros2_control.joint.name": self.choice(joints or ["none"]),
        }


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
        transmissions=tuple(draw(st.lists(transmissions(names), min_size=1, max_size=2))),
        poses=(NamedPose("home", {name: draw(small) for name in draw(some)}),),
        actuators=tuple(
            Actuator(joint=name, type=ActuatorType.MOTOR, gear=draw(st.none() | small.filter(bool)))
            for name in draw(some)
        ),
        ignored_contacts=tuple(combinations([link.name for _, link in robot.links()][:3], 2)),
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
    joint = Draw(draw(st.integers(0, 1 << 32))).joint(name, leaders)
    ends = st.sampled_from([frame.id for frame in robot.frames])
    loop = LoopJoint(parent=draw(ends), child=draw(ends), joint=joint, transform=draw(poses))
    return (loop,) if draw(st.booleans()) else ()


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
    some = st.lists(st.sampled_from(names), min_size=1, max_size=2, unique=True)
    ends = [TransmissionEnd(each, (), draw(reductions)) for each in draw(some)]
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
    """Positions of all joints that follow no other; they satisfy the relations."""
    positions: dict[str, Any] = {}
    kinematics = Kinematics(robot)
    for name in kinematics.independent:
        if joint_of(robot, name).type is JointType.BALL:
            q = rng.normal(size=(*shape, 4))
            positions[name] = q / np.linalg.norm(q, axis=-1, keepdims=True)
        else:
            positions[name] = rng.uniform(-2, 2, shape)
    all_scalars = kinematics.positions(positions) if robot.relations else {}
    return positions | {name: np.broadcast_to(q, shape) for name, q in all_scalars.items() if _is_free(robot, name)}


def _is_free(robot: Robot, name: str) -> bool:
    joint = robot.joints[name].joint
    return joint is not None and joint.coupling is None


AXES = st.integers(0, 1 << 32).map(lambda seed: Draw(seed).axis())


def random_tree(seed: int, largest: int = 12) -> Robot:
    """A random tree of frames with joints of all types."""
    chance = random.Random(seed)  # noqa: S311 - tests, not secrets

    def direction(size: int) -> tuple[float, ...]:
        v = np.array([chance.gauss(0, 1) for _ in range(size)])
        return tuple(float(x) for x in v / np.linalg.norm(v))

    def joint() -> Joint:
        kind = chance.choice(list(JointType))
        has_limits = kind in LIMITED and chance.random() < 0.6
        limits = Limits(-chance.uniform(0.1, 1.2), chance.uniform(0.1, 1.2)) if has_limits else Limits()
        pitch = chance.choice((-1, 1)) * chance.uniform(0.002, 0.02) if kind is JointType.SCREW else 0.0
        return Joint(type=kind, axis=vec3(direction(3)), pitch=pitch, limits=limits)

    frames = [Frame(id="f0")]
    for k in range(1, chance.randint(2, largest)):
        pose = Pose(vec3(chance.uniform(-0.3, 0.3) for _ in range(3)), quat(direction(4)))
        frames.append(Frame(id=f"f{k}", parent=f"f{chance.randrange(max(0, k - 3), k)}", transform=pose, joint=joint()))
    return Robot(name="random", frames=tuple(frames))
