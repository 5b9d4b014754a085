"""A joint as JointInfo, and back."""

from __future__ import annotations

import math
from collections.abc import Mapping

from swgrm.errors import ModelError
from swgrm.findings import Findings
from swgrm.model import Frame, Joint, JointType, Limits, Vec3
from swgrm.words import coupling_text
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


def to_info(
    frame: Frame, given: YamlMap, defaults: Mapping[str, float], leader: JointType | None, findings: Findings
) -> YamlMap:
    """The JointInfo of a frame's joint: what the model knows, and over it what is given.

    The programs that read RobotInfo need limits, velocity and acceleration, and have no couplings: what is written in
    their place is reported.
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
        "joint_limits": _limits(name, joint, own, defaults, findings),
        "default_units": units,
        "default_effort_units": effort_units,
        "passive": joint.coupling is not None,
    }
    return merged(known, given)


def _limits(name: str, joint: Joint, own: YamlMap, defaults: Mapping[str, float], findings: Findings) -> YamlMap:
    known = {key: getattr(joint.limits, key) for key in _LIMITS}
    for key, default in defaults.items():
        if key not in own and not _is_usable(known[key]):
            findings.add("robotinfo-default", f"joint {name}", quantity=key, value=default)
            known[key] = default
    wide = UNLIMITED[joint.type]
    missing = [key for key in ("lower", "upper") if known[key] is None and key not in own]
    if missing:
        findings.add("robotinfo-unlimited", f"joint {name}", bounds=" and ".join(missing), value=wide)
    known |= {key: bound for key, bound in (("lower", -wide), ("upper", wide)) if known[key] is None}
    return {key: value for key, value in known.items() if value is not None}


def _is_usable(value: float | None) -> bool:
    """Whether the readers take a velocity or an acceleration; URDF files often have 0 where nothing is known."""
    return value is not None and value > 0


def from_info(info: YamlMap, axis: Vec3) -> Joint:
    """The joint that a JointInfo of a known type describes, about or along an axis."""
    written = info["joint_type"]
    kind = TYPES[written]
    limits = {key: value for key, value in info.get("joint_limits", {}).items() if key in _LIMITS}
    wide = UNLIMITED.get(kind)
    if written == "continuous" or (limits.get("lower"), limits.get("upper")) == (wide and -wide, wide):
        limits = {key: value for key, value in limits.items() if key not in ("lower", "upper")}
    return Joint(type=kind, name=joint_name(info), axis=axis, limits=Limits(**limits), props=_rest(info, kind))


def _rest(info: YamlMap, kind: JointType) -> dict[str, str]:
    """What the model's joint has no field for, and what is not as usual."""
    units, effort_units = _UNITS.get(kind, ("", ""))
    usual = {"default_units": units, "default_effort_units": effort_units, "passive": False}
    rest = {key: value for key, value in info.items() if usual.get(key) != value and key != "joint_type"}
    rest["joint_identifier"] = {key: value for key, value in info.get("joint_identifier", {}).items() if key != "name"}
    rest["joint_limits"] = {key: value for key, value in info.get("joint_limits", {}).items() if key not in _LIMITS}
    return to_props({key: value for key, value in rest.items() if value != {}})


def joint_name(info: Mapping[str, YamlValue]) -> str:
    """The name in a fitted JointInfo."""
    name: str = info.get("joint_identifier", {}).get("name", "")
    return name
