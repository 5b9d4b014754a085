"""The draft of a settings file: every inferred value with its reason, as comments."""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from swgrm.model import Frame, Joint, JointType
from swgrm.settings import Settings
from swgrm_exporters.yamltext import dump_inline

if TYPE_CHECKING:
    from swgrm.inference import Inference


def draft(inference: Inference, source: str, known: Settings | None = None) -> str:
    """A settings file with everything that was inferred and why, as comments; what `known` contains is left out."""
    known = known or Settings()
    lines = [] if known != Settings() else list(_head(inference, source))
    joints = [f for f in inference.robot.frames if f.joint and f.joint_name not in known.joints and not f.is_rigid]
    if joints:
        lines.append("joints:")
    for frame in joints:
        lines += _joint_lines(frame)
    if new := {name: signs for name, signs in inference.fasteners.items() if name not in known.fasteners}:
        lines += ["fasteners:", *(f"  {dump_inline(name)}: true  # {signs}" for name, signs in new.items())]
    suspects = [name for name in inference.posing_mates if name not in known.mates.ignore]
    if suspects:
        lines += ["mates:", "  ignore:  # these mates lock a joint, perhaps only to pose the assembly"]
        lines += [f"    - {dump_inline(name)}" for name in suspects]
    return "".join(f"# {line}".rstrip() + "\n" for line in lines)


def _head(inference: Inference, source: str) -> Iterator[str]:
    yield f"# Settings of swgrm for {Path(source).name}."
    yield "# The lines below are comments that show what was inferred. To change a value, remove the # and edit it."
    yield "# Numbers may have units: 90 deg, 120 mm, 30 rpm, 5 Nm."
    yield ""
    yield "export:"
    folder = Path(source.rpartition(":")[2]).stem + "_grm"
    yield f"  folder: {dump_inline(folder)}  # to write into, relative to this file"
    yield "robot:"
    yield f"  name: {dump_inline(inference.robot.name)}"
    yield "base:"
    yield f"  root: {dump_inline(inference.root_name)}  # {inference.root_reason}"
    yield "  up: y  # the assembly's axis that points up"


def _joint_lines(frame: Frame) -> Iterator[str]:
    if frame.joint is not None:
        first, *more = _why(frame.joint)
        yield f"  {dump_inline(frame.joint_name)}:  # {first}"
        yield from (f"    # {line}" for line in more)
        yield from (f"    {key}: {value}" for key, value in _values(frame.joint))


def _why(joint: Joint) -> Iterator[str]:
    yield f"{joint.type}" + (f", {joint.why.freedom}" if joint.why else "")
    if joint.why:
        yield f"because {joint.why.reason}"
        if joint.why.mates:
            yield f"mates: {', '.join(joint.why.mates)}"


def _values(joint: Joint) -> Iterator[tuple[str, str]]:
    is_prismatic = joint.type is JointType.PRISMATIC
    for key, value in (("lower", joint.limits.lower), ("upper", joint.limits.upper)):
        if value is not None:
            yield key, f"{value * 1000:.12g} mm" if is_prismatic else f"{math.degrees(value):.12g} deg"
    if joint.coupling:
        yield "follows", f"{{joint: {dump_inline(joint.coupling.joint)}, ratio: {joint.coupling.ratio:.12g}}}"
