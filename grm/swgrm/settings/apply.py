"""Settings as edits of a robot: each decision is translated to the function of `swgrm.edit` that carries it out."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping
from typing import NamedTuple, TypeVar

from msgspec.structs import replace

from swgrm.errors import ModelError, SettingsError, nearest
from swgrm.findings import Findings
from swgrm.model import Frame, Joint, JointType, Limits, Link, LoopJoint, Robot, Sensor
from swgrm.model.references import joint_names, link_names, rigid_below
from swgrm.settings.drives import with_drive
from swgrm.settings.materials import with_materials
from swgrm.settings.props import prop_texts
from swgrm.settings.schema import JointSettings, PropsSettings, PropValues, SensorSettings, Settings
from swgrm.settings.simulation import with_simulation
from swgrm.settings.units import Quantity, has_unit, quantity


class JointQuantities(NamedTuple):
    """The kinds of quantity that a joint's position, velocity, effort, damping, acceleration and armature are."""

    position: str
    velocity: str
    effort: str
    damping: str
    acceleration: str
    inertia: str


TRANSLATION = JointQuantities("length", "velocity", "force", "linear damping", "acceleration", "mass")
ROTATION = JointQuantities(
    "angle", "angular velocity", "torque", "rotational damping", "angular acceleration", "moment of inertia"
)
LIMITS: Mapping[str, str] = {
    "lower": "position", "upper": "position", "velocity": "velocity", "effort": "effort",
    "acceleration": "acceleration",
}  # fmt: skip
DYNAMICS: Mapping[str, str] = {"damping": "damping", "friction": "effort", "armature": "inertia"}

POSITIONS = ("lower", "upper")
MANY_TURNS = 4 * math.pi  # [rad]
LONG_TRAVEL = 10.0  # [m]

P = TypeVar("P", Robot, Frame, Joint, Link, Sensor)  # what the settings give props to


def apply(robot: Robot, settings: Settings, findings: Findings) -> Robot:
    """The robot with the decisions on joints, sensors and props; a name that it does not have is a SettingsError."""
    import swgrm.edit as edit

    try:
        name = ""
        for name, decided in settings.joints.items():
            _must_exist("joint", name, joint_names(robot), ("joints", name))
            robot = _edited(robot, name, decided, findings)
        names = {name: decided.name for name, decided in settings.joints.items() if decided.name}
        robot = edit.rename(robot, joints=names)
    except ModelError as error:
        raise SettingsError(f"joints: {error}", ("joints", name)) from None
    robot = _with_link_names(robot, settings.links.rename)
    known = {material.name for material in robot.materials}  # those of meshes follow when the meshes are made
    robot = with_materials(robot, {name: each for name, each in settings.materials.items() if name in known})
    robot = _with_sensors(robot, settings.sensors)
    robot = with_simulation(robot, settings)
    return _with_props(robot, settings.props)


def _with_link_names(robot: Robot, names: Mapping[str, str]) -> Robot:
    """The robot with other names of links; a frame that has the old name gets the new one, too."""
    import swgrm.edit as edit

    if not names:
        return robot
    links, frames = ({*link_names(robot)}, {*robot.by_id})
    for old in names:
        _must_exist("link", old, [*links, *frames], ("links", "rename", old))
    try:
        return edit.rename(
            robot,
            links={old: new for old, new in names.items() if old in links} | _lone_parts(robot, names, links),
            frames={old: new for old, new in names.items() if old in frames},
        )
    except ModelError as error:
        raise SettingsError(f"links, rename: {error}", ("links", "rename")) from None


def _lone_parts(robot: Robot, names: Mapping[str, str], links: Collection[str]) -> dict[str, str]:
    """The links of bodies that consist of one part and are renamed: the part's link gets the name of its body."""
    found = {}
    for old, new in names.items():
        if old not in robot.by_id or robot.frame(old).links or new in links:
            continue
        parts = [link.name for frame in rigid_below(robot, old) for link in frame.links]
        if len(parts) == 1 and parts[0] not in names:
            found[parts[0]] = new
    return found


def _frame_of(robot: Robot, name: str, at: tuple[str, ...]) -> str:
    """The id of the frame that the settings name by its id or, where only one has it, by its name."""
    if name in robot.by_id:
        return name
    alike = [frame.id for frame in robot.frames if frame.name == name]
    if len(alike) > 1:
        raise SettingsError(f"There are several frames `{name}`. Write one of {', '.join(alike)}.", at)
    if not alike:
        _must_exist("frame", name, robot.by_id, at)
    return alike[0]


def _must_exist(kind: str, name: str, known: Iterable[str], at: tuple[str, ...]) -> None:
    names = list(known)
    if name not in names:
        raise SettingsError(f"There is no {kind} `{name}`.{nearest(name, names)}", at)


def _edited(robot: Robot, name: str, decided: JointSettings, findings: Findings) -> Robot:
    """The robot with the decisions on one joint, but for its name.

    Positions are those of the new type. A joint that becomes fixed or ball has none: then they are those of the old
    type, so that `{type: fixed, zero: 30 deg}` fixes it at 30°.
    """
    import swgrm.edit as edit

    before = edit.find_joint(robot, name)
    old = before.type
    new = decided.type or old
    if new is not old:
        findings.add("type-overridden", f"joint {name}", type=new, old=old)
    counted = new if new in edit.SCALAR else old
    robot = edit.set_type(robot, name, counted)
    kinds = TRANSLATION if counted is JointType.PRISMATIC else ROTATION
    if counted in edit.SCALAR:
        robot = edit.flip(robot, name) if decided.flip else robot
        if decided.zero is not None:
            _check_unit(decided, "zero", kinds, name, findings)
            robot = edit.rezero(robot, name, quantity(decided.zero, kinds.position, ("joints", name, "zero")))
    robot = edit.set_type(robot, name, new)
    needs = {"flip": counted, "zero": counted, **dict.fromkeys(POSITIONS, new)}  # a type with one position
    for setting, kind in needs.items():
        if kind not in edit.SCALAR and getattr(decided, setting) not in (None, False):
            findings.add("setting-ignored", f"joint {name}", setting=setting, type=kind)
    if before.limits != Limits() and edit.find_joint(robot, name).limits == Limits() and new is not JointType.FIXED:
        findings.add("limits-of-other-type", f"joint {name}", type=new, old=old)
    for setting in POSITIONS if new in edit.SCALAR else ():
        _check_unit(decided, setting, kinds, name, findings)
    return _bounded(robot, name, decided if new in edit.SCALAR else replace(decided, lower=None, upper=None), kinds)


def _bounded(robot: Robot, name: str, decided: JointSettings, kinds: JointQuantities) -> Robot:
    """The robot with the limits, the dynamics and the coupling that are decided for a joint."""
    import swgrm.edit as edit

    def given(fields: Mapping[str, str]) -> dict[str, float]:
        return {
            field: _not_negative(value, field, quantity(value, getattr(kinds, kind), ("joints", name, field)), name)
            for field, kind in fields.items()
            if (value := getattr(decided, field)) is not None
        }

    if bounds := given(LIMITS):
        robot = edit.limit(robot, name, **bounds)
    if losses := given(DYNAMICS):
        robot = edit.set_dynamics(robot, name, **losses)
    if decided.follows is not None:
        leader, ratio = decided.follows.joint, decided.follows.ratio
        _must_exist("joint", leader, joint_names(robot), ("joints", name, "follows", "joint"))
        if leader == name:
            at = ("joints", name, "follows")
            raise SettingsError(f"{', '.join(at)}: a joint cannot follow itself. Name another joint.", at)
        offset = quantity(decided.follows.offset, kinds.position, ("joints", name, "follows", "offset"))
        robot = edit.follow(robot, name, leader, ratio, offset)
    return with_drive(robot, name, decided, kinds.position)


def _check_unit(decided: JointSettings, setting: str, kinds: JointQuantities, joint: str, findings: Findings) -> None:
    """Report an angle of more than two revolutions, or a travel of many metres, without a unit.

    Degrees and millimetres are likely to be meant. A text such as `'-90'` is a number without a unit, too.
    """
    value = getattr(decided, setting)
    if value is None or has_unit(value):
        return
    size = quantity(value, kinds.position, ("joints", joint, setting))
    if kinds is ROTATION and abs(size) > MANY_TURNS:
        degrees = f"{math.degrees(size):.0f}°"
        findings.add("angle-without-unit", f"joint {joint}", setting=setting, value=f"{size:g}", degrees=degrees)
    if kinds is TRANSLATION and abs(size) >= LONG_TRAVEL:
        findings.add("length-without-unit", f"joint {joint}", setting=setting, value=f"{size:g}")


def _not_negative(value: Quantity, field: str, number: float, joint: str) -> float:
    """The number, which is negative only where it is a position."""
    if number < 0 and field not in POSITIONS:
        at = ("joints", joint, field)
        raise SettingsError(f"{', '.join(at)}: `{value}` is negative. Use zero or a positive number.", at)
    return number


def _with_sensors(robot: Robot, sensors: Mapping[str, SensorSettings]) -> Robot:
    """The robot with more sensors."""
    added: dict[str, list[Sensor]] = {}
    for name, each in sensors.items():
        frame = _frame_of(robot, each.at, ("sensors", name, "at"))
        sensor = Sensor(name=name, type=each.type, id=each.id, update_rate=each.update_rate, params=each.params)
        added.setdefault(frame, []).append(sensor)
    frames = (replace(f, sensors=(*f.sensors, *added[f.id])) if f.id in added else f for f in robot.frames)
    return replace(robot, frames=tuple(frames)) if added else robot


def _with_props(robot: Robot, props: PropsSettings) -> Robot:
    """The robot with more properties on what the settings name."""
    known: Mapping[str, tuple[Iterable[str], Iterable[str]]] = {
        "link": (props.links, link_names(robot)),
        "joint": (props.joints, joint_names(robot)),
        "frame": (props.frames, robot.by_id),
        "sensor": (props.sensors, (sensor.name for frame in robot.frames for sensor in frame.sensors)),
    }
    for kind, (wanted, present) in known.items():
        names = list(present)
        for name in wanted:
            _must_exist(kind, name, names, ("props", f"{kind}s", name))

    def frame(old: Frame) -> Frame:
        new = replace(
            old,
            joint=old.joint and _more(old.joint, props.joints.get(old.joint_name)),
            links=tuple(_more(link, props.links.get(link.name)) for link in old.links),
            sensors=tuple(_more(sensor, props.sensors.get(sensor.name)) for sensor in old.sensors),
        )
        return _more(new, props.frames.get(old.id))

    def loop(old: LoopJoint) -> LoopJoint:
        return replace(old, joint=_more(old.joint, props.joints.get(old.joint.name)))

    changed = replace(robot, frames=tuple(map(frame, robot.frames)), loop_joints=tuple(map(loop, robot.loop_joints)))
    return _more(changed, props.robot)


def _more(holder: P, props: PropValues | None) -> P:
    return replace(holder, props={**holder.props, **prop_texts(props)}) if props else holder
