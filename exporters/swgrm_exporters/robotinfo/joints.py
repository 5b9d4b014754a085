"""A joint as JointInfo, and back."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import NamedTuple

from swgrm.errors import ModelError
from swgrm.findings import Findings
from swgrm.model import Frame, Joint, JointType, Limits, Vec3
from swgrm.model.words import coupling_text
from swgrm_exporters.robotinfo.props import merged, to_props
from swgrm_exporters.robotinfo.schema import YamlMap, YamlValue

TYPES = {
    "revolute": JointType.REVOLUTE,
    "continuous": JointType.REVOLUTE,
    "prismatic": JointType.PRISMATIC,
    "fixed": JointType.FIXED,
}
UNLIMITED = {JointType.REVOLUTE: 2000 * math.pi, JointType.PRISMATIC: 1000.0}  # [rad], [m] what "no limit" becomes
_UNITS = {JointType.REVOLUTE: ("radian", "newton_meter"), JointType.PRISMATIC: ("meter", "newton")}
_LIMITS = ("lower", "upper", "velocity", "acceleration", "effort")


class Assumed(NamedTuple):
    """The limits that are written where the model has none, and the joints that each was written for."""

    values: Mapping[str, float]
    joints: dict[str, list[str]]


def to_info(
    frame: Frame,
    given: YamlMap,
    assumed: Assumed,
    leader: JointType | None,
    findings: Findings,
    *,
    is_passive: bool,
) -> YamlMap:
    """The JointInfo of a frame's joint: what the model knows, and over it what is given.

    The programs that read RobotInfo need limits, velocity and acceleration, and have no couplings: what is written in
    their place is reported, or noted in `assumed`. A joint that follows another, or that a loop determines, is passive.
    """
    joint, name = frame.joint, frame.joint_name
    if joint is None or joint.type not in _UNITS:
        raise ModelError(f"Joint `{name}` is of type {joint and joint.type}: RobotInfo's readers have no such joint.")
    units, effort_units = _UNITS[joint.type]
    if coupling := joint.coupling:
        findings.add("robotinfo-coupling", f"joint {name}", law=coupling_text(coupling, joint.type, leader))
    own = given.get("joint_limits", {})
    known = {
        "joint_identifier": {"name": name},
        "joint_type": str(joint.type),
        "joint_limits": _limits(name, joint, own, assumed, findings),
        "default_units": units,
        "default_effort_units": effort_units,
        "passive": is_passive or joint.coupling is not None,
    }
    return merged(known, given)


def _limits(name: str, joint: Joint, own: YamlMap, assumed: Assumed, findings: Findings) -> YamlMap:
    known = {key: getattr(joint.limits, key) for key in _LIMITS}
    for key, default in assumed.values.items():
        if key not in own and not _is_usable(known[key]):
            assumed.joints.setdefault(key, []).append(name)
            known[key] = default
    wide = UNLIMITED[joint.type]
    missing = [key for key in ("lower", "upper") if known[key] is None and key not in own]
    if missing:
        findings.add("robotinfo-unlimited", f"joint {name}", bounds=" and ".join(missing), value=wide)
    known |= {key: bound for key, bound in (("lower", -wide), ("upper", wide)) if known[key] is None}
    return {key: value for key, value in known.items() if value is not None}


def _is_usable(value: float | None) -> bool:
    """Whether the readers take a limit; URDF files often have 0 where nothing is known."""
    return value is not None and value > 0


def in_si(info: YamlMap) -> YamlMap:
    """The JointInfo with limits in radians or metres; raises UnitProblem for units that have no size in SI."""
    kind = TYPES[info["joint_type"]]
    own, unit = _UNITS.get(kind, ("", ""))[0], info.get("default_units", "implicit")
    if not own or unit in (own, "implicit"):
        return {**info, "default_units": own} if own else info
    if (unit, kind) != ("degree", JointType.REVOLUTE):
        raise UnitProblem("default_units", f"limits in {unit} cannot be converted: a {kind} joint needs {own}")
    limits = info.get("joint_limits", {})
    angles = {key: math.radians(value) for key, value in limits.items() if "effort" not in key}
    return {**info, "default_units": own, "joint_limits": {**limits, **angles}}


class UnitProblem(Exception):
    """A field with a unit that cannot be converted, and the reason."""

    def __init__(self, field: str, problem: str) -> None:
        super().__init__(problem)
        self.field, self.problem = field, problem


def from_info(info: YamlMap, axis: Vec3) -> Joint:
    """The joint that a JointInfo of a known type in SI units describes, about or along an axis."""
    written = info["joint_type"]
    kind = TYPES[written]
    fields = _own_limits(info, kind)
    limits = {key: value for key, value in info.get("joint_limits", {}).items() if key in fields}
    wide = UNLIMITED.get(kind)
    if written == "continuous" or (limits.get("lower"), limits.get("upper")) == (wide and -wide, wide):
        limits = {key: value for key, value in limits.items() if key not in ("lower", "upper")}
    return Joint(type=kind, name=joint_name(info), axis=axis, limits=Limits(**limits), props=_rest(info, kind))


def _own_limits(info: YamlMap, kind: JointType) -> tuple[str, ...]:
    """The limits that the model has: all but an effort in another unit (ampere), which stays with its unit in props."""
    usual = ("implicit", _UNITS.get(kind, ("", ""))[1])
    has_effort = info.get("default_effort_units", "implicit") in usual
    return _LIMITS if has_effort else tuple(key for key in _LIMITS if key != "effort")


def _rest(info: YamlMap, kind: JointType) -> dict[str, str]:
    """What the model's joint has no field for, and what is not as usual."""
    units, effort_units = _UNITS.get(kind, ("", ""))
    usual = {"default_units": units, "default_effort_units": effort_units, "passive": False}
    rest = {key: value for key, value in info.items() if usual.get(key) != value and key != "joint_type"}
    rest["joint_identifier"] = {key: value for key, value in info.get("joint_identifier", {}).items() if key != "name"}
    own = _own_limits(info, kind)
    rest["joint_limits"] = {key: value for key, value in info.get("joint_limits", {}).items() if key not in own}
    return to_props({key: value for key, value in rest.items() if value != {}})


def joint_name(info: Mapping[str, YamlValue]) -> str:
    """The name in a fitted JointInfo."""
    name: str = info.get("joint_identifier", {}).get("name", "")
    return name
