"""Actuators: those that the model has, and one for each other joint that drives the robot.

A joint drives the robot if a transmission names it or, in a robot without transmissions, if it follows no other and the
driving joints before it do not determine it through the loops. What an actuator does not have follows from the robot:
its type from the transmission, its effort from the limits, its stiffness k from the inertia I and the weight G that it
moves. k = (2π f)² I gives it the natural frequency f; where gravity would then move it by more than SAG, it is stiffer,
up to twice that frequency. The damping is critical: d = 2 √(k I).
"""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np
from msgspec.structs import replace

from swgrm.mass.mass_matrix import Load
from swgrm.model import Actuator, ActuatorType, CompositeType, Joint, JointType, Limits, Robot, Transmission
from swgrm.precision import AMOUNT, POSITION
from swgrm_exporters.numbers import Numbers
from swgrm_exporters.xmlwriting import Node, add_node

SCALAR = (JointType.REVOLUTE, JointType.PRISMATIC, JointType.SCREW)
SAG = {JointType.PRISMATIC: 0.001, JointType.REVOLUTE: 0.01}  # [m or rad] that the robot's weight may move a joint
STIFFEST = 2.0  # times the frequency: beyond it, couplings and loops oscillate at MuJoCo's time steps
INTERFACES = {"Effort": ActuatorType.MOTOR, "Velocity": ActuatorType.VELOCITY, "Position": ActuatorType.POSITION}


def actuators_of(robot: Robot, *, all_joints: bool) -> tuple[Actuator, ...]:
    """The actuators of a robot, each with a type, in the order of the joints."""
    own = {each.joint: each for each in robot.actuators if _is_scalar(robot, each.joint)}
    geared = {end.name: each for each in robot.transmissions for end in each.joints if _is_scalar(robot, end.name)}
    driving = {*own, *geared} if geared or not all_joints else {*own, *driving_joints(robot, tuple(own))}
    names = [frame.joint_name for frame in robot.walk() if frame.joint_name in driving and frame.joint]
    return tuple(_completed(own.get(name, Actuator(joint=name)), geared.get(name)) for name in names)


def driving_joints(robot: Robot, given: tuple[str, ...] = ()) -> list[str]:
    """Joints of one number that together determine the others; given ones first, those near the base next."""
    loops = robot.mechanism.loops
    scalars = [name for name in loops.columns if _is_scalar(robot, name)]
    wanted = [*(name for name in given if name in scalars), *(name for name in scalars if name not in given)]
    if not robot.loop_joints:
        return wanted
    samples = loops.samples()
    J = loops.jacobian(samples[-1]) if samples else np.zeros((0, loops.size))
    found: list[str] = []
    rank = int(np.linalg.matrix_rank(J, tol=1e-7)) if J.size else 0
    for name in wanted:
        row = np.zeros((1, loops.size))
        row[0, loops.columns[name]] = 1.0
        more = np.vstack([J, row])
        if int(np.linalg.matrix_rank(more, tol=1e-7)) > rank:
            J, rank = more, rank + 1
            found.append(name)
    return found


def _is_scalar(robot: Robot, name: str) -> bool:
    """Whether a joint has one number and follows no other; a part of a ball joint cannot be driven alone."""
    joint = robot.joints[name].joint if name in robot.joints else None
    balls = (each.joints for each in robot.composite_joints if each.type is CompositeType.BALL)
    is_part = any(name in joints for joints in balls)
    return joint is not None and joint.type in SCALAR and joint.coupling is None and not is_part


def _completed(actuator: Actuator, transmission: Transmission | None) -> Actuator:
    """The actuator with the type and the gear of its transmission, where it has none of its own."""
    kind, gear = actuator.type, actuator.gear
    if transmission is not None:
        ends = (*transmission.joints, *transmission.actuators)
        interfaces = " ".join(text for end in ends for text in end.hardware_interfaces)
        kind = kind or next((each for word, each in INTERFACES.items() if word in interfaces), None)
        reductions = [end.mechanical_reduction for end in ends if end.mechanical_reduction]
        if gear is None and kind is ActuatorType.MOTOR and len(transmission.joints) == 1 and reductions:
            gear = reductions[0]
    return replace(actuator, type=kind or ActuatorType.POSITION, gear=gear)


def add_actuator(
    parent: Node, actuator: Actuator, joint: Joint, load: Load, frequency: float, numbers: Numbers
) -> None:
    """Add an actuator of a joint that moves that load."""
    gear = actuator.gear or 1.0
    effort = joint.limits.effort if actuator.effort is None else actuator.effort
    values = {"name": actuator.name or actuator.joint, "joint": actuator.joint}
    if gear != 1:
        values["gear"] = numbers.text(gear)
    kind = actuator.type or ActuatorType.POSITION
    if kind is ActuatorType.MOTOR:
        if effort:
            values["ctrlrange"] = numbers.of(AMOUNT, (-effort / abs(gear), effort / abs(gear)))
        add_node(parent, str(kind), values)
        return
    stiffness = _stiffness(joint, load, frequency) if actuator.stiffness is None else actuator.stiffness
    damping = 2 * math.sqrt(stiffness * load.inertia) if actuator.damping is None else actuator.damping
    if kind is ActuatorType.POSITION:
        values["kp"] = _rounded(stiffness / gear**2)
    values["kv"] = _rounded(damping / gear**2)
    add_node(parent, str(kind), values | _ranges(kind, joint.limits, gear, effort, numbers))


def _stiffness(joint: Joint, load: Load, frequency: float) -> float:
    """The stiffness of a position actuator [N m/rad or N/m]."""
    least = (2 * math.pi * frequency) ** 2 * load.inertia
    return max(least, min(load.weight / SAG.get(joint.type, SAG[JointType.REVOLUTE]), STIFFEST**2 * least))


def _rounded(gain: float) -> str:
    return f"{gain:.6g}"  # below what is felt; in loops, the load is known to about nine digits


def _ranges(kind: ActuatorType, limits: Limits, gear: float, effort: float | None, numbers: Numbers) -> dict[str, str]:
    found = {}
    if kind is ActuatorType.POSITION and limits.lower is not None and limits.upper is not None:
        found["ctrlrange"] = numbers.of(POSITION, tuple(sorted((limits.lower * gear, limits.upper * gear))))
    if kind is ActuatorType.VELOCITY and limits.velocity:
        found["ctrlrange"] = numbers.of(AMOUNT, (-limits.velocity * abs(gear), limits.velocity * abs(gear)))
    if effort:
        found["forcerange"] = numbers.of(AMOUNT, (-effort / abs(gear), effort / abs(gear)))
    return found


def control(actuator: Actuator, positions: Mapping[str, float]) -> float:
    """What keeps the robot in a pose: the actuator's position, no velocity, no effort."""
    if actuator.type is not ActuatorType.POSITION:
        return 0.0
    return (actuator.gear or 1.0) * positions.get(actuator.joint, 0.0)
