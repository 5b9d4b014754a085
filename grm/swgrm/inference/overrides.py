"""The user's word over what was inferred: joints flipped, moved, limited, renamed; sensors and props."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

import msgspec
import numpy as np

from swgrm.errors import SettingsError, nearest
from swgrm.findings import Finding, Severity
from swgrm.inference.geometry.twists import Array, exponential, rotation_twist, translation_twist
from swgrm.model import Coupling, Dynamics, Frame, Joint, JointType, Pose, Props, Robot, Sensor
from swgrm.settings import JointSettings, Settings, quantity

replace = msgspec.structs.replace
KINDS = {JointType.PRISMATIC: ("length", "speed", "force")}  # of position, velocity and effort; others turn
TURNING = ("angle", "turning speed", "torque")


class Applied(NamedTuple):
    """A robot as the user wants it, and what there is to say about that."""

    robot: Robot
    findings: tuple[Finding, ...]


def apply(robot: Robot, settings: Settings) -> Applied:
    """The robot with all decisions on joints, sensors and props; unknown names are refused with the nearest."""
    findings: list[Finding] = []
    for name, decided in settings.joints.items():
        _must_know("joint", name, robot.joints)
        robot = _decide(robot, name, decided, findings)
    robot = _rename(robot, {name: decided.name for name, decided in settings.joints.items() if decided.name})
    robot = _add_sensors(robot, settings)
    return Applied(_with_props(robot, settings), tuple(findings))


def _must_know(kind: str, name: str, known: Iterable[str]) -> None:
    names = list(known)
    if name not in names:
        raise SettingsError(f"There is no {kind} `{name}`.{nearest(name, names)}")


def _changed(robot: Robot, name: str, frame: Frame) -> Robot:
    return replace(robot, frames=tuple(frame if f.joint_name == name and f.joint else f for f in robot.frames))


def _decide(robot: Robot, name: str, decided: JointSettings, findings: list[Finding]) -> Robot:
    """One joint's decisions: type, axis, zero, then limits and the rest, in the numbers that the user will see."""
    joint = robot.joints[name].joint
    if joint is None:
        return robot
    if decided.type is not None and decided.type is not joint.type:
        findings.append(
            Finding(
                Severity.WARNING, "type-overruled", name,
                f"is {decided.type} as the settings say; the mates make it {joint.type}",
            )
        )  # fmt: skip
        robot = _changed(robot, name, replace(robot.joints[name], joint=replace(joint, type=decided.type)))
    if decided.flip:
        robot = _flipped(robot, name)
    position, speed, load = KINDS.get(robot.joints[name].joint.type, TURNING)  # type: ignore[union-attr]  # it has one
    if decided.zero is not None:
        robot = _rezeroed(robot, name, quantity(decided.zero, position, f"joints, {name}, zero"))
    frame = robot.joints[name]
    joint = frame.joint
    if joint is None:
        return robot

    def given(field: str, kind: str) -> dict[str, float]:
        value = getattr(decided, field)
        return {} if value is None else {field: quantity(value, kind, f"joints, {name}, {field}")}

    limits = replace(
        joint.limits,
        **given("lower", position), **given("upper", position), **given("velocity", speed), **given("effort", load),
    )  # fmt: skip
    if limits.lower is not None and limits.upper is not None and limits.lower > limits.upper:
        raise SettingsError(
            f"joints, {name}: its lower limit {limits.lower:g} is above its upper one {limits.upper:g}."
        )
    dynamics = joint.dynamics
    if decided.damping is not None or decided.friction is not None:
        old = dynamics or Dynamics()
        dynamics = Dynamics(
            old.damping if decided.damping is None else decided.damping,
            old.friction if decided.friction is None else decided.friction,
        )
    coupling = joint.coupling
    if decided.follows is not None:
        _must_know("joint", decided.follows.joint, robot.joints)
        offset = quantity(decided.follows.offset, position, f"joints, {name}, follows, offset")
        coupling = Coupling(decided.follows.joint, decided.follows.ratio, offset)
    return _changed(
        robot, name, replace(frame, joint=replace(joint, limits=limits, dynamics=dynamics, coupling=coupling))
    )


def _flipped(robot: Robot, name: str) -> Robot:
    """The same motion counted the other way: q' = −q."""

    def changed(frame: Frame) -> Frame:
        joint = frame.joint
        if joint is None:
            return frame
        if frame.joint_name == name:
            x, y, z = joint.axis
            limits = replace(joint.limits, lower=_minus(joint.limits.upper), upper=_minus(joint.limits.lower))
            coupling = joint.coupling and Coupling(joint.coupling.joint, -joint.coupling.ratio, -joint.coupling.offset)
            joint = replace(joint, axis=(-x + 0.0, -y + 0.0, -z + 0.0), limits=limits, coupling=coupling)
        elif joint.coupling and joint.coupling.joint == name:
            joint = replace(joint, coupling=replace(joint.coupling, ratio=-joint.coupling.ratio))
        return replace(frame, joint=joint)

    return replace(robot, frames=tuple(map(changed, robot.frames)))


def _minus(value: float | None) -> float | None:
    return None if value is None else -value + 0.0


def _rezeroed(robot: Robot, name: str, zero: float) -> Robot:
    """The same motion counted from another position: q' = q − zero, transform' = transform · motion(zero)."""

    def changed(frame: Frame) -> Frame:
        joint = frame.joint
        if joint is None:
            return frame
        if frame.joint_name == name:
            frame = replace(frame, transform=Pose.from_matrix(frame.transform.matrix @ _motion(joint, zero)))
            limits = replace(joint.limits, lower=_less(joint.limits.lower, zero), upper=_less(joint.limits.upper, zero))
            coupling = joint.coupling and replace(joint.coupling, offset=joint.coupling.offset - zero)
            joint = replace(joint, limits=limits, coupling=coupling)
        elif joint.coupling and joint.coupling.joint == name:
            shifted = joint.coupling.offset + joint.coupling.ratio * zero
            joint = replace(joint, coupling=replace(joint.coupling, offset=shifted))
        return replace(frame, joint=joint)

    return replace(robot, frames=tuple(map(changed, robot.frames)))


def _less(value: float | None, zero: float) -> float | None:
    return None if value is None else value - zero


def _motion(joint: Joint, q: float) -> Array:  # (4, 4)
    axis = np.array(joint.axis, float) / np.linalg.norm(joint.axis)
    if joint.type is JointType.PRISMATIC:
        return exponential(translation_twist(axis) * q)
    return exponential(rotation_twist(axis, np.zeros(3), joint.pitch / (2 * np.pi)) * q)


def _rename(robot: Robot, names: Mapping[str, str]) -> Robot:
    """Joints by their new names, wherever they are referred to."""
    if not names:
        return robot
    final = [names.get(name, name) for name in robot.joints]
    if twice := sorted({name for name in final if final.count(name) > 1}):
        raise SettingsError(f"joints: two joints would be called `{twice[0]}`.")

    def changed(frame: Frame) -> Frame:
        joint = frame.joint
        if joint is None:
            return frame
        coupling = joint.coupling and replace(
            joint.coupling, joint=names.get(joint.coupling.joint, joint.coupling.joint)
        )
        return replace(frame, joint=replace(joint, name=names.get(frame.joint_name, joint.name), coupling=coupling))

    return replace(robot, frames=tuple(map(changed, robot.frames)))


def _add_sensors(robot: Robot, settings: Settings) -> Robot:
    for name, sensor in settings.sensors.items():
        _must_know("frame", sensor.at, robot.by_id)
        made = Sensor(
            name=name, type=sensor.type, id=sensor.id, update_rate=sensor.update_rate, params=sensor.params,
            props=settings.props.sensors.get(name, {}),
        )  # fmt: skip
        frames = (replace(f, sensors=(*f.sensors, made)) if f.id == sensor.at else f for f in robot.frames)
        robot = replace(robot, frames=tuple(frames))
    return robot


def _with_props(robot: Robot, settings: Settings) -> Robot:
    props = settings.props
    links = [link.name for _, link in robot.links()]
    for kind, names, known in (
        ("link", props.links, links), ("joint", props.joints, robot.joints), ("frame", props.frames, robot.by_id),
        ("sensor", props.sensors, [s.name for f in robot.frames for s in f.sensors]),
    ):  # fmt: skip
        for name in names:
            _must_know(kind, name, known)

    def changed(frame: Frame) -> Frame:
        joint = frame.joint
        if joint is not None and frame.joint_name in props.joints:
            joint = replace(joint, props={**joint.props, **props.joints[frame.joint_name]})
        own = tuple(replace(link, props=_more(link.props, props.links.get(link.name))) for link in frame.links)
        return replace(frame, joint=joint, links=own, props=_more(frame.props, props.frames.get(frame.id)))

    return replace(robot, frames=tuple(map(changed, robot.frames)), props=_more(robot.props, props.robot))


def _more(old: Props, new: Props | None) -> Props:
    return {**old, **new} if new else old
