"""The draft of a settings file: live headings, every key with its meaning and default, every inferred value."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from enum import Enum
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from swgrm.errors import FileError
from swgrm.model import Frame, Joint, JointType
from swgrm.settings import Settings
from swgrm_addin.settings_edit import add_lines
from swgrm_addin.settings_file import section_types
from swgrm_addin.settings_meaning import FREE, MEANING
from swgrm_exporters.yamltext import dump_inline, parse

if TYPE_CHECKING:
    from swgrm.inference import Inference
    from swgrm_addin.pipeline import Understanding

Lines = list[str]


def draft(inference: Inference, source: str) -> str:
    """A settings file that changes nothing: headings, and below them every key and what was inferred, as comments."""
    lines = [
        f"# Settings of swgrm for {Path(source).name}.",
        "# What is not set is inferred, or has the value shown. To set a value, remove the # directly before its name.",
        "# Numbers are in SI units or have a unit: 90 deg, 120 mm, 30 rpm, 5 Nm, 12.5 kg. Write 1.5, not 1,5.",
        "# Indent with spaces, as below, not with tabs.",
    ]
    for section, content in _sections(inference, source).items():
        lines += ["", f"{section}:", *content]
    return "".join(line.rstrip() + "\n" for line in lines)


def inferred(understanding: Understanding) -> Inference:
    """What was inferred of a source; an error for a robot file, of which nothing is."""
    if understanding.inference is None:
        raise FileError(
            understanding.source.name,
            "it is a robot file, whose joints were not inferred from mates",
            remedy="Write its settings by hand (docs/settings.md) and name them with --settings, or draft them for the "
            "assembly or capture",
        )
    return understanding.inference


def check_unwritten(path: Path) -> None:
    """Raise an error if a settings file exists."""
    if path.exists():
        remedy = "Use --complete to add what it does not name"
        raise FileError(path, "the file exists, and settings are never overwritten", remedy=remedy)


def completed(text: str, inference: Inference, source: str) -> str:
    """A settings file's text with what was inferred and it does not name; its own lines are kept byte for byte."""
    known = parse(text) or {}
    for section, content in _sections(inference, source).items():
        if section not in known:
            text = add_lines(text, section, content or ["  # nothing was found"])
    present = (known.get("joints") or {}) if "joints" in known else None
    for frame in _moving(inference):
        if present is not None and frame.joint_name not in present:
            text = add_lines(text, "joints", list(_joint_lines(inference, frame)))
    return text


def _sections(inference: Inference, source: str) -> dict[str, Lines]:
    """The lines below the heading of each section."""
    inferred: Mapping[str, Mapping[str, tuple[Any, str]]] = {  # section → key → value and reason
        "export": {"folder": (Path(source.rpartition(":")[2]).stem + "_grm", "")},
        "robot": {"name": (inference.robot.name, "")},
        "base": {"root": (inference.root_name, inference.root_reason)},
    }
    result: dict[str, Lines] = {}
    for section in ("export", "robot", "base"):
        result[section] = list(_keys(section, inferred[section]))
    result["joints"] = [*_joint_help(), *(line for f in _moving(inference) for line in _joint_lines(inference, f))]
    result["fasteners"] = [f"  # {FREE['fasteners']}"]
    result["fasteners"] += [f"  #{dump_inline(name)}: true  # {signs}" for name, signs in inference.fasteners.items()]
    posing = list(inference.posing_mates)
    result["links"] = list(_keys("links", {}))
    result["mates"] = list(
        _keys("mates", {"ignore": (posing, "they lock a joint, perhaps only to pose it")} if posing else {})
    )
    for section, meaning in FREE.items():
        result.setdefault(section, [f"  # {meaning}"])
    for section in ("conventions", "frames", "contacts", *(name for name in section_types() if name != "export")):
        if keys := list(_keys(section, {})):
            result[section] = keys
    return result


def _keys(section: str, inferred: Mapping[str, tuple[Any, str]]) -> Iterator[str]:
    """A commented line for each key of a section: its inferred value or its default, and its meaning."""
    for key, default in _defaults(section).items():
        value, reason = inferred.get(key, (default, ""))
        text = "" if value in (None, "") else f" {dump_inline(value)}"
        remarks = "; ".join(filter(None, [MEANING.get(section, {}).get(key, ""), reason]))
        yield f"  #{key}:{text}" + (f"  # {remarks}" if remarks else "")


def _defaults(section: str) -> dict[str, Any]:
    """The default of each key of a section, as plain data."""
    fields = {field.encode_name: field for field in msgspec.structs.fields(Settings)}
    if section in fields:
        kind: Any = fields[section].type
    else:
        module, _, name = section_types()[section].partition(":")
        kind = getattr(import_module(module), name)
    made = kind()
    values = {field.encode_name: getattr(made, field.name) for field in msgspec.structs.fields(kind)}
    return {key: _plain(value) for key, value in values.items()}


def _plain(value: Any) -> Any:  # noqa: ANN401 - any default
    if isinstance(value, Enum):
        return value.value
    return list(value) if isinstance(value, tuple) else dict(value) if isinstance(value, Mapping) else value


# ---- joints


def _joint_help() -> Iterator[str]:
    yield "  # Each joint may have these settings; the joints below show what was inferred."
    width = max(map(len, MEANING["joints"])) + 1
    yield from (f"  #   {key + ':':{width}} {meaning}" for key, meaning in MEANING["joints"].items())


def _moving(inference: Inference) -> list[Frame]:
    return [frame for frame in inference.robot.frames if frame.joint and not frame.is_rigid]


def _joint_lines(inference: Inference, frame: Frame) -> Iterator[str]:
    joint = frame.joint
    if joint is None:
        return
    first, *more = _why(joint)
    yield f"  {dump_inline(frame.joint_name)}:  # {first}"
    if between := inference.between(frame.joint_name):
        yield f"    between: {dump_inline(list(between))}"
    yield from (f"    # {line}" for line in more)
    yield from (f"    #{key}: {value}" for key, value in _values(joint))


def _why(joint: Joint) -> Iterator[str]:
    yield f"{joint.type}" + (f", {joint.why.freedom}" if joint.why and joint.why.freedom else "")
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
