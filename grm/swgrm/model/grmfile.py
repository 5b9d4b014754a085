"""The GRM file: a robot as nested JSON (`.grm.json`), read, written and described by a JSON Schema."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
from msgspec import NODEFAULT
from msgspec.structs import replace

from swgrm.errors import FileError, ModelError
from swgrm.model import Frame, FrameFields, Robot, RobotFields
from swgrm.model.deepjson import JsonProblem
from swgrm.model.jsontext import convert, parse
from swgrm.model.version1 import typed
from swgrm.storage.files import decode_utf8, read_bytes, write_bytes

SCHEMA_VERSION = 2
SUFFIX = ".grm.json"


class FrameNode(FrameFields, frozen=True, kw_only=True):
    """A frame as the file nests it."""

    children: tuple[FrameNode, ...] = ()


class RobotFile(RobotFields, frozen=True, kw_only=True):
    """A GRM file; one without a version is of version 1."""

    robot_name: str
    root_frame: FrameNode
    schema_version: int = 1


def load(path: Path | str) -> Robot:
    """The robot in a GRM file."""
    data = read_bytes(path)
    try:
        return loads(decode_utf8(path, data).encode())
    except JsonProblem as problem:
        raise FileError(path, problem.problem, place=problem.place) from None


def loads(data: bytes | str) -> Robot:
    """The robot in the text of a GRM file, or a JsonProblem.

    Decoded in one go where that works; frame by frame where the nesting is too deep for that, or to name the place.
    """
    data = data.encode() if isinstance(data, str) else data
    try:
        file = msgspec.json.decode(data, type=RobotFile)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return _load_frame_by_frame(parse(data))
    return _robot(file, _flatten(file.root_frame))


def save(robot: Robot, path: Path | str, *, complete: bool = False) -> None:
    """Write a robot into a GRM file, whole or not at all; `complete` as in `dumps`."""
    write_bytes(path, dumps(robot, complete=complete))


def dumps(robot: Robot, *, complete: bool = False) -> bytes:
    """The text of a robot's GRM file: a line per field, frames indented by their depth, up to 80 spaces.

    A complete file also has the fields that are at their defaults.
    """
    reached = sum(1 for _ in robot.walk())
    if reached != len(robot.frames):
        lost = len(robot.frames) - reached
        raise ModelError(f"Robot `{robot.name}` cannot be saved: its root does not reach {lost} of its frames.")
    try:
        return _text(robot, complete)
    except UnicodeEncodeError as error:
        raise ModelError(f"Robot {robot.name!r} cannot be saved: the text {error.object!r} is not Unicode.") from None


def _text(robot: Robot, complete: bool) -> bytes:
    head = {"schemaVersion": SCHEMA_VERSION, "robotName": robot.name}
    top = replace(robot, frames=())
    head |= {key: value for key, value in _fields(top, complete) if key not in ("name", "frames")}
    lines = b",\n".join(b'  "%b": %b' % (key.encode(), msgspec.json.encode(value)) for key, value in head.items())
    return b"{\n" + lines + b',\n  "rootFrame": ' + b"".join(_nested(robot, complete)) + b"\n}\n"


def schema() -> dict[str, Any]:
    """The JSON Schema of the GRM file."""
    return msgspec.json.schema(RobotFile)


# ---- reading


def _robot(file: RobotFile, frames: Iterable[Frame]) -> Robot:
    """The robot of a file of any known version."""
    _check_version(file.schema_version)
    fields = {name: getattr(file, name) for name in RobotFields.__struct_fields__}
    robot = Robot(name=file.robot_name, frames=tuple(frames), **fields)
    return typed(robot) if file.schema_version == 1 else robot


def _frame(node: FrameNode, parent: str | None) -> Frame:
    return Frame(parent=parent, **{name: getattr(node, name) for name in FrameFields.__struct_fields__})


def _flatten(root: FrameNode) -> Iterator[Frame]:
    stack: list[tuple[FrameNode, str | None]] = [(root, None)]
    while stack:
        node, parent = stack.pop()
        yield _frame(node, parent)
        stack.extend((child, node.id) for child in reversed(node.children))


def _load_frame_by_frame(top: Any) -> Robot:  # noqa: ANN401 - any JSON value
    version = top.get("schemaVersion") if isinstance(top, dict) else None
    if isinstance(version, int):
        _check_version(version)  # before unknown keys, which a newer version may have
    root = top.get("rootFrame") if isinstance(top, dict) else None
    if not isinstance(root, dict):
        convert(top, RobotFile)  # raises, with the place
    file = convert(_without_nulls({**top, "rootFrame": {"id": ""}}), RobotFile)
    frames = []
    stack: list[tuple[Any, str | None, str]] = [(root, None, "rootFrame")]
    while stack:
        value, parent, place = stack.pop()
        children = (value.pop("children", None) or []) if isinstance(value, dict) else []
        node = convert(_without_nulls(value), FrameNode, place)
        if not isinstance(children, list):
            raise JsonProblem(f"{place}.children", "expected an array of frames.")
        frames.append(_frame(node, parent))
        places = [f"{place}.children[{index}]" for index in range(len(children))]
        stack.extend((child, node.id, at) for child, at in reversed(list(zip(children, places, strict=True))))
    return _robot(file, frames)


def _without_nulls(value: Any) -> Any:  # noqa: ANN401 - any JSON value
    """The value without keys that are null: other programs write those for fields that are absent.

    The parameters of a sensor are its own data and stay as they are.
    """
    if isinstance(value, dict):
        present = {key: inner for key, inner in value.items() if inner is not None}
        return {key: inner if key == "params" else _without_nulls(inner) for key, inner in present.items()}
    return [_without_nulls(item) for item in value] if isinstance(value, list) else value


def _check_version(version: int) -> None:
    if version > SCHEMA_VERSION:
        problem = (
            f"version {version} is newer than this swgrm, which reads versions 1 to {SCHEMA_VERSION}. Update swgrm."
        )
        raise JsonProblem("schemaVersion", problem)
    if version < 1:
        raise JsonProblem("schemaVersion", f"version {version} does not exist; the first is 1.")


# ---- writing

_DEEPEST_INDENT = 80  # [spaces] a chain of a thousand joints would otherwise be mostly blanks


def _nested(robot: Robot, complete: bool) -> Iterator[bytes]:
    """The frames as nested JSON, without recursion: the stack holds frames with their indent, and text to come."""
    stack: list[tuple[Frame, bytes] | bytes] = [(robot.root, b"  ")]
    while stack:
        item = stack.pop()
        if isinstance(item, bytes):
            yield item
            continue
        frame, indent = item
        fields = [(key, value) for key, value in _fields(frame, complete) if key != "parent"]
        yield b"{" + b",".join(
            b'\n%b  "%b": %b' % (indent, key.encode(), msgspec.json.encode(value)) for key, value in fields
        )
        children = robot.children(frame.id)
        if not children:
            yield (b',\n%b  "children": []' % indent if complete else b"") + b"\n" + indent + b"}"
            continue
        yield b',\n%b  "children": [' % indent
        inner = (indent + b"    ")[:_DEEPEST_INDENT]
        stack.append(b"\n" + indent + b"  ]\n" + indent + b"}")
        for index, child in reversed(list(enumerate(children))):
            stack += [(child, inner), (b",\n" if index else b"\n") + inner]


class _Field(NamedTuple):
    attribute: str
    key: str
    default: Any


@cache
def _layout(kind: type[msgspec.Struct]) -> tuple[_Field, ...]:
    """A struct's fields; one without a default has a mark as its default that no value equals."""
    return tuple(
        _Field(f.name, f.encode_name, f.default_factory() if f.default_factory is not NODEFAULT else f.default)
        for f in msgspec.structs.fields(kind)
    )


def plain_fields(data: msgspec.Struct, without: frozenset[str] = frozenset()) -> dict[str, Any]:
    """The fields of a part of the model that are not at their defaults, as the file has them; some are left out."""
    if not without:
        return dict(_fields(data, complete=False))
    plain: dict[str, Any] = {}
    for attribute, key, default in _layout(type(data)):
        if key not in without and (value := getattr(data, attribute)) != default:
            plain[key] = _plain(value, False, key)
    return plain


def _fields(data: msgspec.Struct, complete: bool, where: str = "") -> Iterator[tuple[str, Any]]:
    """The fields of a struct that are not at their defaults, or all of them, ready for JSON."""
    if tag := data.__struct_config__.tag:
        yield "type", tag
    for attribute, key, default in _layout(type(data)):
        value = getattr(data, attribute)
        if complete or value != default:
            yield key, _plain(value, complete, f"{where}.{key}")


def _plain(value: Any, complete: bool, where: str) -> Any:  # noqa: ANN401 - any field's value
    if isinstance(value, float):
        if not math.isfinite(value):
            raise ModelError(f"{where.lstrip('.')} is {value}: a GRM file holds finite numbers only.")
        return float(value)  # numpy's numbers are floats too, but JSON's writer does not know them
    if isinstance(value, msgspec.Struct):
        return dict(_fields(value, complete, where))
    if isinstance(value, tuple | list):
        return [_plain(item, complete, f"{where}[{index}]") for index, item in enumerate(value)]
    if isinstance(value, Mapping):
        return {key: _plain(item, complete, f"{where}[{key}]") for key, item in value.items()}
    return value
