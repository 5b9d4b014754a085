"""Small mechanisms with closed loops, as plain robots: what simulators are asked to move."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from swgrm.model import Frame, Inertial, Joint, JointType, Limits, Link, LoopJoint, Pose, Robot, Tensor, Vec3
from swgrm.transforms import axis_angle_matrix, homogeneous, inverse

Y, X = (0.0, 1.0, 0.0), (1.0, 0.0, 0.0)


class LoopedMechanism(NamedTuple):
    """A robot with loops, the joints that drive it, and its degrees of freedom."""

    robot: Robot
    driven: tuple[str, ...]
    mobility: int


def rod(name: str, to: Vec3, mass: float) -> Link:
    """A link whose mass is that of a slender rod from its frame's origin to a point, 20 mm thick."""
    d = np.array(to)
    I = mass / 12 * ((d @ d) * np.eye(3) - np.outer(d, d)) + mass * 1e-4 / 2 * np.eye(3)  # noqa: E741 - its symbol
    tensor = Tensor(*(float(I[i, j]) for i, j in ((0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2))))
    x, y, z = (d / 2).tolist()
    return Link(name=name, inertial=Inertial(mass, (x, y, z), tensor))


def frame(name: str, parent: str, at: Vec3, joint: Joint, to: Vec3, mass: float = 0.3) -> Frame:
    return Frame(id=name, parent=parent, transform=Pose(at), joint=joint, links=(rod(name, to, mass),))


def turn(name: str, axis: Vec3 = Y, limits: Limits = Limits()) -> Joint:  # noqa: B008 - it is immutable
    return Joint(type=JointType.REVOLUTE, name=name, axis=axis, limits=limits)


def ball(name: str) -> Joint:
    return Joint(type=JointType.BALL, name=name)


BASE = Frame(
    id="base", links=(Link(name="base", inertial=Inertial(5.0, (0, 0, 0), Tensor(ixx=0.1, iyy=0.1, izz=0.1))),)
)
SWING = Limits(lower=-0.6, upper=0.6, effort=50.0)


def four_bar() -> LoopedMechanism:
    """Crank 0.1 m, coupler 0.25 m and rocker, all about y; the coupler's end is pinned to the rocker."""
    frames = (
        BASE,
        frame("crank", "base", (0, 0, 0), turn("crank_joint", limits=SWING), (0.0, 0, 0.1)),
        frame("coupler", "crank", (0, 0, 0.1), turn("coupler_joint"), (0.25, 0, 0.05)),
        frame("rocker", "base", (0.25, 0, 0), turn("rocker_joint"), (0.0, 0, 0.15)),
    )
    pin = LoopJoint(parent="rocker", child="coupler_end", joint=turn("pin"), transform=Pose((0, 0, 0.15)))
    end = Frame(id="coupler_end", parent="coupler", transform=Pose((0.25, 0, 0.05)))
    return LoopedMechanism(
        Robot(name="four_bar_linkage", frames=(*frames, end), loop_joints=(pin,)), ("crank_joint",), 1
    )


def slider_crank() -> LoopedMechanism:
    """Crank 0.1 m and rod 0.3 m about y; the piston slides along x: the loop is closed at the slider."""
    drop = math.sqrt(0.3**2 - 0.1**2)
    frames = (
        BASE,
        frame("crank", "base", (0, 0, 0), turn("crank_joint", limits=SWING), (0, 0, 0.1)),
        frame("rod", "crank", (0, 0, 0.1), turn("rod_joint"), (drop, 0, -0.1)),
        frame("piston", "rod", (drop, 0, -0.1), turn("piston_joint"), (0.05, 0, 0), 0.5),
    )
    slide = Joint(type=JointType.PRISMATIC, name="slide", axis=X, limits=Limits(lower=-0.2, upper=0.2))
    loop = LoopJoint(parent="base", child="piston", joint=slide, transform=Pose((drop, 0, 0)))
    return LoopedMechanism(Robot(name="slider_crank", frames=frames, loop_joints=(loop,)), ("crank_joint",), 1)


def rssr() -> LoopedMechanism:
    """A spatial linkage: crank about y and rocker about x, joined by a rod with ball joints; the rod turns freely."""
    frames = (
        BASE,
        frame("crank", "base", (0, 0, 0), turn("crank_joint", limits=SWING), (0, 0, 0.1)),
        frame("rod", "crank", (0, 0, 0.1), ball("rod_joint"), (0.25, 0.15, 0.1)),
        frame("rocker", "base", (0.25, 0.15, 0), turn("rocker_joint", X), (0, 0, 0.2)),
    )
    loop = LoopJoint(parent="rocker", child="rod_end", joint=ball("closing"), transform=Pose((0, 0, 0.2)))
    end = Frame(id="rod_end", parent="rod", transform=Pose((0.25, 0.15, 0.1)))
    return LoopedMechanism(Robot(name="rssr", frames=(*frames, end), loop_joints=(loop,)), ("crank_joint",), 2)


def rssr_bearing() -> LoopedMechanism:
    """The same linkage, cut at the rocker's bearing: only two points on its axis keep the rocker there."""
    frames = (
        BASE,
        frame("crank", "base", (0, 0, 0), turn("crank_joint", limits=SWING), (0, 0, 0.1)),
        frame("rod", "crank", (0, 0, 0.1), ball("rod_joint"), (0.25, 0.15, 0.1)),
        frame("rocker", "rod", (0.25, 0.15, 0.1), ball("rocker_joint"), (0, 0, -0.2)),
    )
    bearing = LoopJoint(parent="base", child="rocker_end", joint=turn("bearing", X), transform=Pose((0.25, 0.15, 0.0)))
    end = Frame(id="rocker_end", parent="rocker", transform=Pose((0, 0, -0.2)))
    return LoopedMechanism(
        Robot(name="rssr_bearing", frames=(*frames, end), loop_joints=(bearing,)), ("crank_joint",), 2
    )


def bennett() -> LoopedMechanism:
    """Bennett's linkage: four revolute joints, no two parallel, that move although counting forbids it."""
    a, b, alpha = 0.2, 0.3, 0.5
    beta = math.asin(b / a * math.sin(alpha))
    lengths, twists = (a, b, a, b), (alpha, beta, alpha, beta)
    angles = _bennett_angles(alpha, beta, 1.0)
    T = np.eye(4)
    frames, parent, at = [BASE], "base", Pose()
    for number in range(4):
        name = f"bar_{number}"
        T = homogeneous(axis_angle_matrix((0, 0, 1), angles[number]), (0, 0, 0))
        reach = T @ homogeneous(axis_angle_matrix((1, 0, 0), twists[number]), (lengths[number], 0, 0))
        to = (lengths[number], 0.0, 0.0)
        if number < 3:
            transform = Pose.from_matrix(at.matrix @ T)
            joint = turn(f"joint_{number}", (0.0, 0.0, 1.0), SWING if number == 0 else Limits())
            frames.append(Frame(id=name, parent=parent, transform=transform, joint=joint, links=(rod(name, to, 0.3),)))
            parent = name
            at = Pose.from_matrix(homogeneous(axis_angle_matrix((1, 0, 0), twists[number]), (lengths[number], 0, 0)))
        else:
            closing = Pose.from_matrix(inverse(reach))
    end = Frame(id="last", parent=parent, transform=at)
    loop = LoopJoint(parent="base", child="last", joint=turn("closing", (0.0, 0.0, 1.0)), transform=closing)
    return LoopedMechanism(Robot(name="bennett", frames=(*frames, end), loop_joints=(loop,)), ("joint_0",), 1)


def _bennett_angles(alpha: float, beta: float, theta: float) -> tuple[float, ...]:
    """θ₁ and θ₂ = −θ₄ with tan(θ₁/2) tan(θ₂/2) = sin((β+α)/2) / sin((β−α)/2), θ₃ = −θ₁ (all modulo a turn)."""
    k = math.sin((beta + alpha) / 2) / math.sin((beta - alpha) / 2)
    other = 2 * math.atan(k / math.tan(theta / 2))
    return theta, other, 2 * math.pi - theta, 2 * math.pi - other


def delta() -> LoopedMechanism:
    """A Delta robot: three arms, each with two rods of ball joints, and a platform that only shifts.

    The platform hangs on the first rod by a universal pair; every rod turns about itself.
    """
    frames: list[Frame] = [BASE]
    loops: list[LoopJoint] = []
    base_radius, platform_radius, arm, half = 0.15, 0.05, 0.15, 0.03
    drop = math.sqrt(0.35**2 - (base_radius + arm - platform_radius) ** 2)
    for number in range(3):
        R = axis_angle_matrix((0, 0, 1), 2 * math.pi * number / 3)
        place = Pose.from_matrix(homogeneous(R, R @ np.array([base_radius, 0, 0])))
        joint = turn(f"arm_{number}_joint", limits=SWING)
        frames.append(
            Frame(
                id=f"arm_{number}", parent="base", transform=place, joint=joint,
                links=(rod(f"arm_{number}", (arm, 0.0, 0.0), 0.3),),
            )
        )  # fmt: skip
        reach = (platform_radius - base_radius - arm, 0.0, -drop)
        for side, y in (("left", half), ("right", -half)):
            name = f"rod_{number}_{side}"
            frames.append(frame(name, f"arm_{number}", (arm, y, 0.0), ball(f"{name}_joint"), reach, 0.05))
            frames.append(Frame(id=f"{name}_end", parent=name, transform=Pose(reach)))
            corner = Pose.from_matrix(homogeneous(R, R @ np.array([platform_radius, y, 0.0])))
            if (number, side) == (0, "left"):
                x, yy, z = corner.pos
                inertial = Inertial(0.5, (-x, -yy, -z), Tensor(ixx=5e-4, iyy=5e-4, izz=1e-3))
                link = Link(name="platform", inertial=inertial)
                frames.append(Frame(id="platform", parent=f"{name}_end", joint=ball("platform_joint"), links=(link,)))
                first = np.array(corner.pos)
            else:
                x, yy, z = (np.array(corner.pos) - first).tolist()
                loops.append(
                    LoopJoint(
                        parent="platform", child=f"{name}_end", joint=ball(f"{name}_loop"),
                        transform=Pose((x, yy, z), corner.rot),
                    )
                )  # fmt: skip
    driven = tuple(f"arm_{number}_joint" for number in range(3))
    return LoopedMechanism(Robot(name="delta", frames=tuple(frames), loop_joints=tuple(loops)), driven, 9)


FOUR_BAR, SLIDER_CRANK, RSSR, BENNETT, DELTA = four_bar(), slider_crank(), rssr(), bennett(), delta()
RSSR_BEARING = rssr_bearing()
MECHANISMS: Mapping[str, LoopedMechanism] = {
    each.robot.name: each for each in (FOUR_BAR, SLIDER_CRANK, RSSR, RSSR_BEARING, BENNETT, DELTA)
}
