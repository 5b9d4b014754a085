"""Random robots for the laws of writers and readers: hypothesis chooses size and seed, the rest is drawn fast."""

from __future__ import annotations

import math
from random import Random

from hypothesis import strategies as st

from swgrm import (
    Box,
    Calibration,
    Capsule,
    Coupling,
    Cylinder,
    Dynamics,
    Frame,
    Inertial,
    Joint,
    JointType,
    Limits,
    Link,
    LoopJoint,
    Material,
    Mesh,
    Pose,
    Robot,
    Safety,
    Sensor,
    Sphere,
    Tensor,
    Transmission,
    TransmissionEnd,
)
from swgrm_exporters.urdf.references import with_references

WORDS = st.from_regex(r"[a-z][a-z0-9_]{0,6}", fullmatch=True)
ANY_NAMES = WORDS | st.text(st.characters(exclude_categories=("Cs", "Cc", "Zs", "Zl", "Zp")), min_size=1, max_size=6)
STRANGE = ["Ärm", "座標系1", "two words", "座標系2", 'q"<&>', "/lead", "a__b", "-", "1st", "Arm-1/Link.2"]


def robots(
    *, strange: bool = False, loops: bool = True, plain: bool = False, most: int = 8
) -> st.SearchStrategy[Robot]:
    """A robot of up to `most` frames with everything that the model holds.

    Strange ones have names that no format takes; plain ones have at most one link on a frame, no capsules, and no
    joint that follows a follower: what URDF can give back exactly.
    """
    return st.builds(
        lambda size, seed: Draw(seed, strange, loops, plain).robot(size), st.integers(1, most), st.integers(0, 1 << 32)
    )


class Draw(Random):
    """Draws the parts of a robot."""

    def __init__(self, seed: int, strange: bool = False, loops: bool = True, plain: bool = False) -> None:
        super().__init__(seed)
        self.strange, self.loops, self.plain = strange, loops, plain

    def maybe(self, value: object, otherwise: object = None) -> object:
        return value if self.random() < 0.5 else otherwise

    def positive(self) -> float:
        return 10 ** self.uniform(-3, 1)

    def vector(self) -> tuple[float, float, float]:
        return tuple(self.choice([0.0, 1.0, self.uniform(-2, 2), self.uniform(-1, 1) * 1e-3]) for _ in range(3))

    def unit(self, size: int) -> tuple[float, ...]:
        v = [self.gauss(0, 1) for _ in range(size)]
        return tuple(x / math.hypot(*v) for x in v)

    def axis(self) -> tuple[float, ...]:
        return self.choice([(1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, -1.0), self.unit(3)])

    def turn(self) -> tuple[float, ...]:
        h = math.sqrt(0.5)
        gimbal_locks = [(0.0, h, 0.0, h), (0.0, -h, 0.0, h), (0.5, 0.5, 0.5, 0.5), (0.5, -0.5, 0.5, 0.5)]
        return self.choice([(0.0, 0.0, 0.0, 1.0), self.choice(gimbal_locks), self.unit(4), self.unit(4)])

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

    def shape(self, materials: list[str]) -> Box | Cylinder | Sphere | Capsule | Mesh:
        common = {"origin": self.pose(), "name": self.choice(["", "body"]), "material": self.choice(materials)}
        kind = self.choice([Box, Cylinder, Sphere, Mesh, Mesh if self.plain else Capsule])
        if kind is Mesh:
            scale = self.choice([(1.0, 1.0, 1.0), (0.001, 0.001, 0.001), (1.0, -1.0, 2.5)])
            return Mesh(uri=self.choice(["package://p/meshes/ä b.stl", "meshes/a.dae"]), scale=scale, **common)
        if kind is Box:
            return Box(size=(self.positive(), self.positive(), self.positive()), **common)
        if kind is Sphere:
            return Sphere(radius=self.positive(), **common)
        return kind(radius=self.positive(), length=self.positive(), **common)

    def joint(self, name: str, leaders: list[str]) -> Joint:
        kind = self.choice(list(JointType))
        if kind is JointType.FIXED:
            return Joint(type=kind, name=name, props=self.props())
        bounds = {"velocity": self.maybe(self.positive()), "effort": self.maybe(self.positive())}
        shared = {
            "type": kind,
            "name": name,
            "dynamics": self.maybe(Dynamics(self.positive(), self.positive())),
            "safety": self.maybe(Safety(self.positive(), self.positive(), -0.5, 0.5)),
            "calibration": self.maybe(Calibration(self.maybe(0.1), 0.25)),
            "props": self.props(),
        }
        if kind is JointType.BALL:
            return Joint(limits=Limits(**bounds), **shared)
        limits = Limits(lower=self.maybe(-self.positive()), upper=self.maybe(self.positive()), **bounds)
        coupling = None
        if leaders and self.random() < 0.3:
            coupling = Coupling(self.choice(leaders), self.uniform(-3, 3), self.uniform(-1, 1))
        pitch = self.choice([1, -1]) * self.uniform(0.001, 0.1) if kind is JointType.SCREW else 0.0
        return Joint(axis=self.axis(), pitch=pitch, limits=limits, coupling=coupling, **shared)

    def link(self, name: str, materials: list[str]) -> Link:
        return Link(
            name=name,
            inertial=self.maybe(self.inertial()),
            visuals=tuple(self.shape(materials) for _ in range(self.choice([0, 1, 2]))),
            collisions=tuple(self.shape([""]) for _ in range(self.choice([0, 1]))),
            props=self.props(),
        )

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
        )
        return Frame(
            id=name,
            parent=self.choice(above) if above else None,
            transform=self.pose() if above else Pose(),
            joint=joint,
            links=tuple(
                self.link(f"{name}_{n}", materials) for n in range(self.choice([0, 1, 1, 1 if self.plain else 2]))
            ),
            sensors=(sensor,) if self.random() < 0.3 else (),
        )

    def materials(self) -> tuple[Material, ...]:
        colour = tuple(self.random() for _ in range(4))
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
        loops = ()
        if self.loops and size > 1 and self.random() < 0.5:
            joint = self.joint("closing", leaders)
            loops = (LoopJoint(parent=names[0], child=names[-1], joint=joint, transform=self.pose()),)
        robot = Robot(
            name="random",
            frames=tuple(frames),
            materials=materials,
            transmissions=transmissions,
            loop_joints=loops,
            props=self.props() | self.references(frames),
        )
        return with_references(robot)

    def references(self, frames: list[Frame]) -> dict[str, str]:
        """Props that name what the robot has."""
        bodies = [frame.links[0].name if frame.links else frame.id for frame in frames]
        joints = [frame.joint_name for frame in frames if frame.joint]
        return {
            "gazebo.reference": self.choice([*bodies, *joints]),
            "gazebo[2].plugin.bodyName.#text": self.choice(bodies),
            "ros2_control.joint.name": self.choice(joints or ["none"]),
        }


AXES = st.integers(0, 1 << 32).map(lambda seed: Draw(seed).axis())
