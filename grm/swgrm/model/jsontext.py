"""JSON into typed data, with errors that name the place, the problem and the nearest known key."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import msgspec
import msgspec.inspect as inspect

import swgrm.model.deepjson as deepjson
from swgrm.errors import nearest
from swgrm.model.deepjson import JsonProblem, line_and_column
from swgrm.typevars import T

_AT = re.compile(r"(?P<problem>.*?)(?: - at `\$(?P<path>.*)`)?", re.DOTALL)
_UNKNOWN = re.compile(r"Object contains unknown field `(.*)`", re.DOTALL)
_MISSING = re.compile(r"Object missing required field `(.*)`", re.DOTALL)
_BYTE = re.compile(r" \(byte (\d+)\)")
_TYPES = {  # the library's names of types, in words
    "float": "a number", "int": "a whole number", "str": "text", "bool": "true or false", "array": "a list",
    "object": "an object", "null": "null",
}  # fmt: skip
_TYPE = re.compile(r"`((?:float|int|str|bool|array|object|null)(?: \| \w+)*)`")
_CHOICE = re.compile(r"invalid (?:enum )?value '(.*)'\.", re.DOTALL)
_STEP = re.compile(r"\.[^.\[\]]+|\[[^\]]*\]")
_GAP = "[...]"
Step = str | int  # a key, or the number of an item


def decode(data: bytes, kind: type[T]) -> T:
    """Decodes a JSON text as a type; raises JsonProblem."""
    try:
        return msgspec.json.decode(data, type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return convert(parse(data), kind)


def parse(data: bytes) -> Any:  # noqa: ANN401 - any JSON value
    """Decodes a JSON text of any depth as plain Python values; raises JsonProblem."""
    if not data.strip():
        raise JsonProblem("", "the file is empty.")
    try:
        text = data.decode()
        return msgspec.json.decode(text)
    except UnicodeDecodeError as error:
        raise JsonProblem(f"byte {error.start}", "it is not UTF-8 text.") from None
    except (RecursionError, msgspec.ValidationError):  # too deep, or a number out of range: deepjson reports the place
        return deepjson.parse(text)
    except msgspec.DecodeError as error:
        raise _malformed(error, data) from None


def convert(value: object, kind: type[T], place: str = "") -> T:
    """Converts plain Python values to a type; raises JsonProblem."""
    try:
        return msgspec.convert(value, kind)
    except msgspec.ValidationError as error:
        raise _invalid(error, value, kind, place) from None
    except RecursionError:
        raise JsonProblem(place, "it is nested too deeply.") from None


def _malformed(error: msgspec.DecodeError, data: bytes) -> JsonProblem:
    found = _BYTE.search(str(error))
    if found is None:
        return JsonProblem(line_and_column(data, len(data)), "the text ends in the middle; the file is truncated.")
    problem = _BYTE.sub("", str(error)).removeprefix("JSON is malformed: ")
    return JsonProblem(line_and_column(data, int(found[1])), f"this is not JSON: {problem}.")


def _invalid(error: msgspec.ValidationError, value: object, kind: object, place: str) -> JsonProblem:
    found = _AT.fullmatch(str(error))
    assert found is not None  # noqa: S101 - the pattern matches every text
    problem = found["problem"]
    steps = _with_keys(_STEP.findall(found["path"] or ""), value, kind)
    if unknown := _UNKNOWN.fullmatch(problem):
        known = sorted(_known_keys(kind, steps))
        hint = nearest(unknown[1], known) or f" Known keys: {', '.join(known)}."
        problem = f"unknown key `{unknown[1]}`.{hint}"
    elif missing := _MISSING.fullmatch(problem):
        problem = f"the key `{missing[1]}` is missing."
    else:
        problem = _TYPE.sub(lambda each: " or ".join(_TYPES.get(name, name) for name in each[1].split(" | ")), problem)
        problem = f"{problem[:1].lower()}{problem[1:]}."
        if choice := _CHOICE.fullmatch(problem):
            known = _known_values(kind, steps)
            problem = f"`{choice[1]}` is not one of the choices."
            problem += nearest(choice[1], known) or f" Known values: {', '.join(known)}."
    path = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in steps)
    return JsonProblem((place + path).removeprefix("."), problem)


def _with_keys(path: list[str], value: Any, kind: Any) -> list[Step]:  # noqa: ANN401 - JSON data, and a type
    """The steps to an error, with the keys of maps, which msgspec leaves out as `[...]`.

    The map's entries are tried one by one: the first that alone still gives an error has the key.
    """
    steps: list[Step] = []
    for step in path:
        if step != _GAP:
            steps.append(int(step[1:-1]) if step[0] == "[" else step[1:])
            continue
        for key, entry in _at(value, steps).items():
            alone = _replaced(value, steps, {key: entry})
            try:
                msgspec.convert(alone, kind)
            except msgspec.ValidationError:
                value, steps = alone, [*steps, str(key)]
                break
    return steps


def _at(value: Any, steps: list[Step]) -> Any:  # noqa: ANN401 - JSON data
    """The value at a place in it."""
    for step in steps:
        value = value[step]
    return value


def _replaced(value: Any, steps: list[Step], new: object) -> Any:  # noqa: ANN401 - JSON data
    """The value with another one at a place in it."""
    if not steps:
        return new
    first, *rest = steps
    if isinstance(value, list | tuple):
        return [_replaced(each, rest, new) if index == first else each for index, each in enumerate(value)]
    return {**value, first: _replaced(value[first], rest, new)}


def _known_keys(kind: object, steps: list[Step]) -> set[str]:
    """The keys that the type allows at a path."""
    structs = [each for each in _types(kind, steps) if isinstance(each, inspect.StructType)]
    return {field.encode_name for each in structs for field in each.fields}


def _known_values(kind: object, steps: list[Step]) -> list[str]:
    """The texts that the type allows at a path: of an enumeration, a literal, or the tag of a struct."""
    holders = [each for each in _types(kind, steps[:-1]) if isinstance(each, inspect.StructType)]
    found = {each.tag for each in holders if steps and each.tag_field == steps[-1]}
    for each in _types(kind, steps):
        if isinstance(each, inspect.EnumType):
            found |= {member.value for member in each.cls}
        elif isinstance(each, inspect.LiteralType):
            found |= set(each.values)
    return sorted(map(str, found))


def _types(kind: object, steps: list[Step]) -> list[inspect.Type]:
    """The types that a value at a path may have."""
    types = _options(inspect.type_info(kind))
    for step in steps:
        types = [option for each in types for inner in _inside(each, step) for option in _options(inner)]
    return types


def _options(info: inspect.Type) -> list[inspect.Type]:
    return list(info.types) if isinstance(info, inspect.UnionType) else [info]


def _inside(info: inspect.Type, step: Step) -> Iterator[inspect.Type]:
    if isinstance(info, inspect.StructType):
        yield from (field.type for field in info.fields if field.encode_name == step)
    elif isinstance(info, inspect.VarTupleType | inspect.ListType):
        yield info.item_type
    elif isinstance(info, inspect.DictType):
        yield info.value_type
