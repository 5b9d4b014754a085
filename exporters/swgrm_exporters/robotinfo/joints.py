"""A joint as JointInfo, and back."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

from swgrm.errors import ModelError
from swgrm.findings import Severity
from swgrm.model import Frame, Joint, JointType, Limits, Vec3
from swgrm_exporters.robotinfo.props import merged, to_props

Document = dict[str, Any]
Note = Callable[[str, str, str, Severity], None]

TYPES = {
    "revolute": JointType.REVOLUTE,
    "continuous": JointType.REVOLUTE,
    "prismatic": JointType.PRISMATIC,
    "fixed": JointType.FIXED,
}
UNLIMITED = {JointType.REVOLUTE: 2000 * math.pi, JointType.PRISMATIC: 1000.0}  # [rad], [m] what "no limit" becomes
_UNITS = {JointType.REVOLUTE: ("radian", "newton_meter"), JointType.PRISMATIC: ("meter", "newton")}
_LIMITS = ("lower", "upper", "velocity", "acceleration", "effort")


def to_info(frame: Frame, given: Document, defaults: Mapping[str, float], note: Note) -> Document:
    """The JointInfo of a frame's joint: what the model knows, and over it what is given.

    The readers want limits, velocity and acceleration, and know no coupling: what is written in their place is noted.
    """
    joint, name = frame.joint, frame.joint_name
    if joint is None or joint.type not in _UNITS:
        raise ModelError(f"Joint `{name}` is of type {joint and joint.type}: RobotInfo's readers have no such joint.")
    units, effort_units = _UNITS[joint.type]
    if coupling := joint.coupling:
        law = f"{coupling.ratio!r} · `{coupling.joint}` + {coupling.offset!r}"
        message = f"RobotInfo has no couplings: the joint is passive, and whoever moves the robot sets it to {law}."
        note("robotinfo-coupling", name, message, Severity.WARNING)
    own = given.get("joint_limits", {})
    known = {
        "joint_identifier": {"name": name},
        "joint_type": str(joint.type),
        "joint_limits": _limits(name, joint, own, defaults, note),
        "default_units": units,
        "default_effort_units": effort_units,
        "passive": joint.coupling is not None,
    }
    return merged(known, given)


def _limits(name: str, joint: Joint, own: Document, defaults: Mapping[str, float], note: Note) -> Document:
    known = {key: getattr(joint.limits, key) for key in _LIMITS}
    for key, default in defaults.items():
        if key not in own and not _is_usable(known[key]):
            was = f"no {key}" if known[key] is None else f"the {key} {known[key]:g}"
            message = f"the model has {was}, and the readers want one above 0: {default:g} was written."
            note(f"robotinfo-default-{key}", name, message, Severity.NOTE)
            known[key] = default
    wide = UNLIMITED[joint.type]
    missing = [key for key in ("lower", "upper") if known[key] is None and key not in own]
    if missing:
        message = f"the joint has no {' and '.join(missing)} limit, and the readers want one: ±{wide:g} stands for it."
        note("robotinfo-unlimited", name, message, Severity.NOTE)
    known |= {key: bound for key, bound in (("lower", -wide), ("upper", wide)) if known[key] is None}
    return {key: value for key, value in known.items() if value is not None}


def _is_usable(value: float | None) -> bool:
    """Whether the readers take a velocity or an acceleration; URDF files often have 0 where nothing is known."""
    return value is not None and value > 0


def from_info(info: Document, axis: Vec3) -> Joint:
    """The joint that a JointInfo of a known type describes, about or along an axis."""
    written = info["joint_type"]
    kind = TYPES[written]
    limits = {key: value for key, value in info.get("joint_limits", {}).items() if key in _LIMITS}
    wide = UNLIMITED.get(kind)
    if written == "continuous" or (limits.get("lower"), limits.get("upper")) == (wide and -wide, wide):
        limits = {key: value for key, value in limits.items() if key not in ("lower", "upper")}
    return Joint(type=kind, name=joint_name(info), axis=axis, limits=Limits(**limits), props=_rest(info, kind))


def _rest(info: Document, kind: JointType) -> dict[str, str]:
    """What the model's joint has no field for, and what is not as usual."""
    units, effort_units = _UNITS.get(kind, ("", ""))
    usual = {"default_units": units, "default_effort_units": effort_units, "passive": False}
    rest = {key: value for key, value in info.items() if usual.get(key) != value and key != "joint_type"}
    rest["joint_identifier"] = {key: value for key, value in info.get("joint_identifier", {}).items() if key != "name"}
    rest["joint_limits"] = {key: value for key, value in info.get("joint_limits", {}).items() if key not in _LIMITS}
    return to_props({key: value for key, value in rest.items() if value != {}})


def joint_name(info: Mapping[str, Any]) -> str:
    """The name in a fitted JointInfo."""
    name: str = info.get("joint_identifier", {}).get("name", "")
    return name
