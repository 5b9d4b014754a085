"""Settings for simulators: how the base is mounted, named poses, actuators and contacts that are left out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from msgspec.structs import replace

from swgrm.errors import SettingsError, nearest
from swgrm.model import Actuator, JointType, NamedPose, Quat, Robot
from swgrm.model.references import body_names
from swgrm.settings.units import Quantity, quantity

if TYPE_CHECKING:
    from swgrm.settings.schema import ActuatorSettings, PositionSettings, Settings

SLIDE: Mapping[str, str] = {"stiffness": "linear stiffness", "damping": "linear damping", "effort": "force"}
TURN: Mapping[str, str] = {"stiffness": "rotational stiffness", "damping": "rotational damping", "effort": "torque"}


def with_simulation(robot: Robot, settings: Settings) -> Robot:
    """The robot with what the settings decide for simulators; names that it does not have are SettingsErrors."""
    names = {name: each.name for name, each in settings.joints.items() if each.name}
    poses = [_pose(robot, name, positions, names) for name, positions in settings.poses.items()]
    actuators = [_actuator(robot, name, each, names) for name, each in settings.actuators.items()]
    pairs = [_pair(robot, pair) for pair in settings.contacts.exclude]
    kept_poses = (each for each in robot.poses if each.name not in settings.poses)
    driven = {each.joint for each in actuators}
    return replace(
        robot,
        mount=settings.base.mount or robot.mount,
        poses=(*kept_poses, *poses),
        actuators=(*(each for each in robot.actuators if each.joint not in driven), *actuators),
        ignored_contacts=tuple(dict.fromkeys((*robot.ignored_contacts, *pairs))),
    )


def _pose(robot: Robot, name: str, positions: Mapping[str, PositionSettings], names: Mapping[str, str]) -> NamedPose:
    found = {}
    for joint, position in positions.items():
        at = ("poses", name, joint)
        own, kind = _moving(robot, joint, names, at)
        if (kind is JointType.BALL) != isinstance(position, tuple):
            form = "a quaternion [x, y, z, w]" if kind is JointType.BALL else "one number"
            raise SettingsError(f"{', '.join(at)}: the position of a {kind} joint is {form}.", at)
        found[own] = _position(position, kind, at)
    return NamedPose(name, found)


def _position(position: PositionSettings, kind: JointType, at: tuple[str, ...]) -> float | Quat:
    if not isinstance(position, tuple):
        return quantity(position, "length" if kind is JointType.PRISMATIC else "angle", at)
    length = sum(each * each for each in position) ** 0.5
    if not 0 < length < float("inf"):
        raise SettingsError(f"{', '.join(at)}: a quaternion of zeros is not a rotation. Write [0, 0, 0, 1].", at)
    x, y, z, w = (each / length for each in position)
    return (x, y, z, w)


def _moving(robot: Robot, name: str, names: Mapping[str, str], at: tuple[str, ...]) -> tuple[str, JointType]:
    """The name and type of a moving joint of the tree; `names` are those that the settings change."""
    own = names.get(name, name)
    joint = robot.joints[own].joint if own in robot.joints else None
    moving = [each for each, frame in robot.joints.items() if not frame.is_rigid]
    if joint is None or own not in moving:
        raise SettingsError(f"{', '.join(at)}: there is no moving joint `{name}`.{nearest(name, moving)}", at)
    return own, joint.type


def _actuator(robot: Robot, joint: str, decided: ActuatorSettings, names: Mapping[str, str]) -> Actuator:
    at = ("actuators", joint)
    own, kind = _moving(robot, joint, names, at)
    kinds = SLIDE if kind is JointType.PRISMATIC else TURN

    def given(value: Quantity | None, key: str) -> float | None:
        if value is None:
            return None
        number = quantity(value, kinds[key], (*at, key))
        if number < 0:
            raise SettingsError(f"{', '.join((*at, key))}: `{value}` is negative. Use zero or more.", (*at, key))
        return number

    if decided.gear == 0:
        raise SettingsError(f"{', '.join(at)}, gear: a gear of zero moves nothing. Leave it out.", (*at, "gear"))
    return Actuator(
        joint=own,
        name=decided.name,
        type=decided.type,
        stiffness=given(decided.stiffness, "stiffness"),
        damping=given(decided.damping, "damping"),
        effort=given(decided.effort, "effort"),
        gear=decided.gear,
    )


def _pair(robot: Robot, pair: tuple[str, str]) -> tuple[str, str]:
    known = body_names(robot)
    for name in pair:
        if name not in known:
            at = ("contacts", "exclude")
            raise SettingsError(f"{', '.join(at)}: there is no link `{name}`.{nearest(name, sorted(known))}", at)
    return pair
