"""Generates a synthetic robot from parameters and a seed."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import NamedTuple

from swgrm.errors import SwgrmError
from swgrm.model import (
    Cylinder,
    Frame,
    Inertial,
    Joint,
    JointType,
    Limits,
    Link,
    LoopJoint,
    Pose,
    Robot,
    Tensor,
    Vec3,
)
from swgrm_mocks.synthetic.seeded_random import SeededRandom

X, Y, Z = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)
Range = tuple[float, float]

USUAL_PRISMATIC = (0.2, 0.3)  # the default share of prismatic joints
SHORTEST = 1e-3  # [m] the smallest link length
RADIUS = 0.03  # [m] of every link
DENSITY = 2700.0  # [kg/m³] aluminium
PITCH = (0.002, 0.02)  # [m per revolution] of screws
LOOP_SPAN = 3  # the smallest number of joints in a loop


class Parameters(NamedTuple):
    """The parameters of a synthetic robot; each is a constructor argument of MixedChainGenerator."""

    dof: int
    prismatic_prob: float | None = None  # the share of prismatic joints; None: 20 to 30 %
    link_length_range: Range = (0.1, 0.5)  # [m]
    prismatic_limits: Range = (-0.2, 0.5)  # [m]
    revolute_limits: Range = (-math.pi, math.pi)  # [rad]
    effort: float = 10.0  # [N m or N]
    velocity: float = 1.0  # [rad/s or m/s]
    balls: int = 0  # the number of ball joints
    screws: int = 0  # the number of screw joints
    branches: int = 0  # the number of joints that start a branch
    loops: int = 0  # the number of closed loops

    def check(self) -> None:
        """Raises SwgrmError for the first invalid argument."""
        for good, problem in self._rules():
            if not good:
                raise SwgrmError(problem)

    def _rules(self) -> Iterator[tuple[bool, str]]:
        yield is_integer(self.dof, 1), f"dof is {self.dof!r}: the number of joints must be an integer of at least 1."
        share = self.prismatic_prob
        yield (
            share is None or 0 <= share <= 1,
            f"The share of prismatic joints must be from 0 to 1; it is {share!r}.",
        )
        for name, least in (
            ("link_length_range", SHORTEST),
            ("prismatic_limits", -math.inf),
            ("revolute_limits", -math.inf),
        ):
            lower, upper = getattr(self, name)
            yield math.isfinite(lower) and math.isfinite(upper), f"{name} is ({lower}, {upper}): both must be finite."
            yield lower <= upper, f"{name} is ({lower}, {upper}): the lower bound must not exceed the upper one."
            yield lower >= least, f"{name} is ({lower}, {upper}): a link must be at least {least} m long."
        for name in ("effort", "velocity"):
            value = getattr(self, name)
            yield math.isfinite(value) and value > 0, f"{name} is {value}: it must be greater than 0."
        for name in ("balls", "screws", "branches", "loops"):
            value = getattr(self, name)
            yield is_integer(value, 0), f"{name} is {value!r}: it must be an integer of at least 0."
        yield (
            self.balls + self.screws <= self.dof,
            f"balls and screws are {self.balls} and {self.screws}: there are only {self.dof} joints.",
        )
        yield (
            self.branches < self.dof,
            f"branches is {self.branches}: at most {self.dof - 1} of {self.dof} joints can start a branch.",
        )
        yield (
            not self.loops or self.dof > LOOP_SPAN,
            f"loops is {self.loops}: a loop needs more than {LOOP_SPAN} joints, and dof is {self.dof}.",
        )


def is_integer(value: object, least: int) -> bool:
    """Whether a value is an integer (not a bool) of at least `least`."""
    return isinstance(value, int) and not isinstance(value, bool) and value >= least


def draw_robot(parameters: Parameters, seed: int, name: str) -> Robot:
    """The robot of a seed: links along z, each joint at the end of its parent link."""
    rng = SeededRandom(seed)
    types = _types(parameters, rng)
    lengths = [rng.number(*parameters.link_length_range) for _ in range(parameters.dof + 1)]
    parents = _parents(parameters, rng)
    frames = [Frame(id="link_0", links=(_link(0, lengths[0]),))]
    axes = _axes(types, rng)
    for index, (kind, axis) in enumerate(zip(types, axes, strict=True)):
        frames.append(
            Frame(
                id=f"link_{index + 1}",
                parent=f"link_{parents[index]}",
                transform=Pose((0.0, 0.0, lengths[parents[index]])),
                joint=_joint(f"joint_{index}", kind, axis, parameters, rng),
                links=(_link(index + 1, lengths[index + 1]),),
            )
        )
    return Robot(name=name, frames=tuple(frames), loop_joints=tuple(_loops(parameters, rng, frames)))


def _types(parameters: Parameters, rng: SeededRandom) -> list[JointType]:
    """The joint types in random order; the number of each type is exact."""
    dof, share = parameters.dof, parameters.prismatic_prob
    prismatic = _usual_number(dof, rng) if share is None else round(share * dof)
    kinds = [JointType.BALL] * parameters.balls + [JointType.SCREW] * parameters.screws
    kinds += [JointType.PRISMATIC] * min(prismatic, dof - len(kinds))
    return rng.shuffled(kinds + [JointType.REVOLUTE] * (dof - len(kinds)))


def _usual_number(dof: int, rng: SeededRandom) -> int:
    """The default number of prismatic joints: an integer that is 20 to 30 % of the joints, if there is one.

    With 1, 2, 3 or 6 joints there is none: then one of the two nearest integers, at random, so that the mean over
    all seeds is 25 % of the joints.
    """
    lower, upper = (math.ceil(USUAL_PRISMATIC[0] * dof), math.floor(USUAL_PRISMATIC[1] * dof))
    if lower <= upper:
        return lower + rng.below(upper - lower + 1)
    mean = sum(USUAL_PRISMATIC) / 2 * dof
    return math.floor(mean) + (rng.number(0.0, 1.0) < mean % 1)


def _axes(types: list[JointType], rng: SeededRandom) -> Iterator[Vec3]:
    """Yields the joint axes: prismatic joints along z; successive other joints about different axes."""
    last: Vec3 | None = None
    for kind in types:
        if kind is JointType.PRISMATIC:
            yield Z
        else:
            last = rng.choice([axis for axis in (X, Y, Z) if axis != last])
            yield last


def _parents(parameters: Parameters, rng: SeededRandom) -> list[int]:
    """The parent link of each joint: the previous link, or any earlier one where a branch starts."""
    starts = set(rng.shuffled(range(1, parameters.dof))[: parameters.branches])
    return [rng.below(index) if index in starts else index for index in range(parameters.dof)]


def _joint(name: str, kind: JointType, axis: Vec3, parameters: Parameters, rng: SeededRandom) -> Joint:
    bounds = {
        JointType.PRISMATIC: parameters.prismatic_limits,
        JointType.REVOLUTE: parameters.revolute_limits,
        JointType.SCREW: parameters.revolute_limits,
    }
    lower, upper = bounds.get(kind, (None, None))
    return Joint(
        type=kind,
        name=name,
        axis=Z if kind is JointType.BALL else axis,
        pitch=rng.number(*PITCH) if kind is JointType.SCREW else 0.0,
        limits=Limits(lower, upper, parameters.velocity, parameters.effort),
    )


def _link(index: int, length: float) -> Link:
    """A round bar along z: m = ρ π r² l, Ixx = Iyy = m (3 r² + l²)/12, Izz = m r²/2."""
    middle = Pose((0.0, 0.0, length / 2))
    bar = Cylinder(origin=middle, radius=RADIUS, length=length)
    mass = DENSITY * math.pi * RADIUS * RADIUS * length
    across, along = mass * (3 * RADIUS * RADIUS + length * length) / 12, mass * RADIUS * RADIUS / 2
    inertial = Inertial(mass, middle.pos, Tensor(ixx=across, iyy=across, izz=along))
    return Link(name=f"link_{index}", inertial=inertial, visuals=(bar,), collisions=(bar,))


def _loops(parameters: Parameters, rng: SeededRandom, frames: list[Frame]) -> Iterator[LoopJoint]:
    """Yields ball joints between links at q = 0, where all frames are parallel and differ in z only."""
    heights = {"link_0": 0.0}
    for frame in frames[1:]:
        heights[frame.id] = heights[frame.parent or ""] + frame.transform.pos[2]
    for index in range(parameters.loops):
        first = rng.below(parameters.dof + 1 - LOOP_SPAN)
        last = first + LOOP_SPAN + rng.below(parameters.dof + 1 - LOOP_SPAN - first)
        joint = Joint(type=JointType.BALL, name=f"loop_{index}")
        shift = Pose((0.0, 0.0, heights[f"link_{last}"] - heights[f"link_{first}"]))
        yield LoopJoint(parent=f"link_{first}", child=f"link_{last}", joint=joint, transform=shift)
