"""The settings file `NAME.grm.yaml`: read against one schema of sections, written with what was inferred and why."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from swgrm.errors import FileError, SettingsError, nearest
from swgrm.model import Frame, Joint, JointType
from swgrm.settings import Settings

if TYPE_CHECKING:
    from swgrm.inference import Inference

SUFFIX = ".grm.yaml"
OTHER_SECTIONS: Mapping[str, str] = {  # beside those of the model: where each part of the program keeps its own
    "export": "swgrm_addin.export:ExportOptions",
    "mass": "swgrm.mass:MassOptions",
    "meshes": "swgrm.meshes.options:MeshOptions",
    "urdf": "swgrm_exporters.urdf.options:UrdfOptions",
    "robotinfo": "swgrm_exporters.robotinfo.options:RobotInfoOptions",
    "ros2": "swgrm_exporters.ros2.options:PackageOptions",
}


class Read(NamedTuple):
    """The settings of the model, and the other sections by name, checked."""

    settings: Settings = Settings()
    sections: Mapping[str, Mapping[str, Any]] = {}


def beside(source: str) -> Path | None:
    """The settings file that belongs to a source, if there is one: NAME.grm.yaml beside NAME.SLDASM or NAME.swcap."""
    path = Path(source)
    found = path.with_name(path.stem + SUFFIX)
    return found if ":" not in source[2:] and found.is_file() else None


def read_settings(path: Path) -> Read:
    """Read a settings file; what is wrong is said with the file, the place, and the nearest word."""
    from swgrm.files import decode_utf8, read_bytes
    from swgrm_exporters.yamltext import YamlProblem, parse

    try:
        data = parse(decode_utf8(path, read_bytes(path)))
    except YamlProblem as problem:
        raise FileError(path, problem.problem, place=problem.place) from None
    if data is None:
        return Read()
    if not isinstance(data, dict):
        raise FileError(
            path, "settings are sections with a name each", remedy="Begin with `joints:` or another section"
        )
    try:
        return _checked(data)
    except SettingsError as error:
        raise FileError(path, str(error)) from None


def _checked(data: dict[Any, Any]) -> Read:
    data = _without_nothing(data)
    own = {field.encode_name for field in msgspec.structs.fields(Settings)}
    known = [*own, *OTHER_SECTIONS]
    for name in data:
        if name not in known:
            raise SettingsError(f"There is no section `{name}`.{nearest(str(name), known)}")
    mine = {name: value for name, value in data.items() if name in own}
    settings = _convert(mine, Settings, "")
    others = {name: value for name, value in data.items() if name in OTHER_SECTIONS}
    for name, value in others.items():
        module, _, kind = OTHER_SECTIONS[name].partition(":")
        _convert(value, getattr(import_module(module), kind), f"{name}: ")
    return Read(settings, others)


def _without_nothing(data: Any) -> Any:  # noqa: ANN401 - any plain value
    """The data without keys that have no value, such as a joint under which every line is still a comment."""
    if isinstance(data, dict):
        return {key: {} if value is None else _without_nothing(value) for key, value in data.items()}
    return data


def _convert(data: Any, kind: Any, where: str) -> Any:  # noqa: ANN401 - a section is of its own type
    try:
        return msgspec.convert(data, kind)
    except msgspec.ValidationError as error:
        raise SettingsError(f"{where}{_sentence(str(error), kind)}") from None


def _sentence(message: str, kind: Any) -> str:  # noqa: ANN401 - a section is of its own type
    """The words of msgspec with the place in front and, for an unknown key, the nearest one."""
    problem, _, place = message.partition(" - at ")
    place = place.strip("`").removeprefix("$").removeprefix(".").replace("[...]", " …")
    hint = ""
    if problem.startswith("Object contains unknown field"):
        hint = nearest(problem.split("`")[1], sorted(_fields(kind)))
    return f"{place + ': ' if place else ''}{problem}.{hint}"


def _fields(kind: Any) -> Iterator[str]:  # noqa: ANN401 - any type that msgspec knows
    """All keys that a section and its parts may have."""
    seen, stack = set(), [msgspec.inspect.type_info(kind)]
    while stack:
        info = stack.pop()
        if isinstance(info, msgspec.inspect.StructType) and info.cls not in seen:
            seen.add(info.cls)
            yield from (field.encode_name for field in info.fields)
            stack += [field.type for field in info.fields]
        elif isinstance(info, msgspec.inspect.DictType):
            stack.append(info.value_type)
        elif isinstance(info, msgspec.inspect.UnionType):
            stack += list(info.types)


def draft(seen: Inference, source: str, known: Settings | None = None) -> str:
    """A settings file that shows what was inferred and why, every line a comment; of what `known` names, nothing."""
    known = known or Settings()
    lines = [] if known != Settings() else list(_head(seen, source))
    joints = [f for f in seen.robot.frames if f.joint and f.joint_name not in known.joints and not f.is_rigid]
    if joints:
        lines.append("joints:")
    for frame in joints:
        lines += _joint_lines(frame)
    judged = {seen.problem.nodes[n].name: signs for n, signs in sorted(seen.fasteners.items())}
    if new := {name: signs for name, signs in judged.items() if name not in known.fasteners}:
        lines += ["fasteners:", *(f"  {_key(name)}: true  # {signs}" for name, signs in new.items())]
    suspects = [f.where for f in seen.findings if f.code == "clocking" and f.where not in known.mates.ignore]
    if suspects:
        lines += ["mates:", "  ignore:  # these freeze a joint, perhaps only to pose the model"]
        lines += [f"    - {_key(name)}" for name in suspects]
    return "".join(f"# {line}".rstrip() + "\n" for line in lines)


def _head(seen: Inference, source: str) -> Iterator[str]:
    yield f"# Settings of swgrm for {Path(source).name}."
    yield "# Every line here is a comment that shows what was inferred: take the # away where you want it otherwise."
    yield "# Numbers may carry units: 90 deg, 120 mm, 30 rpm, 5 Nm."
    yield ""
    yield "export:"
    yield f"  folder: {_key(Path(source.rpartition(':')[2]).stem + '_grm')}  # where to write, seen from this file"
    yield "robot:"
    yield f"  name: {_key(seen.robot.name)}"
    yield "base:"
    root = seen.problem.nodes[seen.tree.bodies[seen.tree.root].main].name
    yield f"  root: {_key(root)}  # {seen.tree.root_reason}"
    yield "  up: y  # the assembly's axis that points up"


def _joint_lines(frame: Frame) -> Iterator[str]:
    if frame.joint is not None:
        first, *more = _why(frame.joint)
        yield f"  {_key(frame.joint_name)}:  # {first}"
        yield from (f"    # {line}" for line in more)
        yield from (f"    {key}: {value}" for key, value in _values(frame.joint))


def _why(joint: Joint) -> Iterator[str]:
    yield f"{joint.type}" + (f", {joint.why.freedom}" if joint.why else "")
    if joint.why:
        yield f"because {joint.why.reason}"
        if joint.why.mates:
            yield f"mates: {', '.join(joint.why.mates)}"


def _values(joint: Joint) -> Iterator[tuple[str, str]]:
    slides = joint.type is JointType.PRISMATIC
    for key, value in (("lower", joint.limits.lower), ("upper", joint.limits.upper)):
        if value is not None:
            yield key, f"{value * 1000:.12g} mm" if slides else f"{math.degrees(value):.12g} deg"
    if joint.coupling:
        yield "follows", f"{{joint: {_key(joint.coupling.joint)}, ratio: {joint.coupling.ratio:.12g}}}"


def _key(name: str) -> str:
    from swgrm_exporters.yamltext import dump_inline

    return dump_inline(name)
