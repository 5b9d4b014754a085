"""Joints, positions and couplings in an engineer's words and units: degrees and millimetres."""

from __future__ import annotations

import math
from collections.abc import Sequence

from swgrm.model import Coupling, Joint, JointType

AXES = "xyz"


def number_text(value: float) -> str:
    """A number with four significant digits and no exponent where it is large: `160.4`, `-14400`; zero has no sign."""
    return f"{value:.0f}" if abs(value) >= 10_000 else f"{value + 0.0:.4g}"


def position_text(kind: JointType, value: float | None) -> str:
    """A joint position: `90°`, or `120 mm` of a prismatic joint; ∞ if there is none."""
    if value is None:
        return "∞"
    return f"{number_text(value * 1000)} mm" if kind is JointType.PRISMATIC else f"{number_text(math.degrees(value))}°"


def range_text(joint: Joint) -> str:
    """The range of a joint: `-17.19° to 160.4°`; empty if it has no limits."""
    lower, upper = joint.limits.lower, joint.limits.upper
    if lower is None and upper is None:
        return ""
    return f"{'−' if lower is None else ''}{position_text(joint.type, lower)} to {position_text(joint.type, upper)}"


def axis_text(axis: Sequence[float]) -> str:
    """A direction: `y` or `−y` along an axis of the frame, otherwise its three components."""
    for name, value in zip(AXES, axis, strict=True):
        if abs(abs(value) - 1) < 1e-9:
            return name if value > 0 else f"−{name}"
    return "(" + ", ".join([f"{round(value, 3) + 0.0:g}" for value in axis]) + ")"


def point_text(point: Sequence[float]) -> str:
    """A point given in metres: `(0, 150, 0) mm`."""
    return "(" + ", ".join([f"{round(value * 1000, 3) + 0.0:g}" for value in point]) + ") mm"


def coupling_text(coupling: Coupling, follower: JointType, leader: JointType | None) -> str:
    """How a joint follows another one: `moves 5 mm per turn of lead_screw_joint, the other way`.

    `leader` is the type of the other joint; None if it is not known.
    """
    slides, ratio = follower is JointType.PRISMATIC, abs(coupling.ratio)
    verb = "moves" if slides else "turns"
    if leader is None:
        text = f"= {coupling.ratio:.4g} · {coupling.joint}"
    elif slides and leader is not JointType.PRISMATIC:
        text = f"moves {ratio * 2000 * math.pi:.4g} mm per turn of {coupling.joint}"
    elif not slides and leader is JointType.PRISMATIC:
        text = f"turns {math.degrees(ratio) / 1000:.4g}° per mm of {coupling.joint}"
    else:
        times = "" if ratio == 1 else f"{ratio:.4g} × "
        text = f"{verb} {times}as far as {coupling.joint}"
    way = ", the other way" if leader is not None and coupling.ratio < 0 else ""
    return text + way + (f", from {position_text(follower, coupling.offset)}" if coupling.offset else "")
