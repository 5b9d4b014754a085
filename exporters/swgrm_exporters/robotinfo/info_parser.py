"""What Robot Raconteur's InfoParser refuses: each value by its type, as Python and numpy convert it."""

from __future__ import annotations

import uuid
from collections.abc import Iterator

from swgrm_exporters.robotinfo.schema import (
    ENUMS,
    IN_FILES,
    NAMED_ARRAYS,
    NUMBERS,
    ROOT,
    STRUCTURES,
    FieldType,
    YamlValue,
    fields_in_files,
)

Complaints = Iterator[tuple[str, str]]  # places and reasons


def parser_complaints(value: YamlValue, kind: FieldType = ROOT, place: str = "") -> Complaints:
    """The places that Robot Raconteur's parser refuses, and why."""
    where = place or "the file"
    if kind.container == "map":
        if value or not isinstance(value, dict | list | str):
            yield where, "it crashes on a map that is not empty"
    elif kind.container:
        yield from _parse_several(value, kind, where)
    elif kind.name in STRUCTURES:
        yield from _parse_structure(value, kind.name, where)
    elif kind.name in NAMED_ARRAYS:
        yield from _parse_named_array(value, kind.name, where)
    else:
        yield from _parse_scalar(value, kind.name, where)


def _parse_scalar(value: YamlValue, name: str, place: str) -> Complaints:
    if name == "UUID" and not _is_uuid(value):
        yield place, "badly formed uuid"
    elif name in ENUMS and str(value) not in ENUMS[name]:
        yield place, f"`{str(value)[:40]}` is not a value of {name}"
    elif name in NUMBERS and not is_number(value, name):
        yield place, "expected a number"


def _parse_several(value: YamlValue, kind: FieldType, place: str) -> Complaints:
    if kind.container == "array" and kind.name in NUMBERS:
        if not all(_is_in_array(item, kind.name) for item in (value if isinstance(value, list) else [value])):
            yield place, "expected a list of numbers"
    elif not isinstance(value, list | dict | str):
        yield place, "expected a list"
    elif isinstance(value, dict) and value and kind.container == "array":
        yield place, "expected a list, found a map"
    else:
        for index, item in enumerate(value):
            yield from parser_complaints(item, kind.item, f"{place}[{index}]")


def _parse_structure(value: YamlValue, name: str, place: str) -> Complaints:
    if name == "Identifier" and isinstance(value, str | int | float):
        return
    fields = fields_in_files(name)
    if isinstance(value, dict):
        for key, kind in fields.items():
            optional = value.get(key) is None and (name, key) in IN_FILES and key not in STRUCTURES[name]
            if key in value and not optional:
                yield from parser_complaints(value[key], kind, f"{place}.{key}" if place != "the file" else key)
    elif not isinstance(value, list | str) or name == "DeviceInfo" or any(field in value for field in fields):
        yield place, "expected a map with keys"


def _parse_named_array(value: YamlValue, name: str, place: str) -> Complaints:
    for key, kind in NAMED_ARRAYS[name].items():
        if not isinstance(value, dict) or key not in value:
            yield place, f"`{key}` is missing"
        elif kind.name in NAMED_ARRAYS:
            yield from _parse_named_array(value[key], kind.name, f"{place}.{key}")
        elif value[key] is not None and not is_number(value[key], "double"):
            yield f"{place}.{key}", "expected a number"


def _is_uuid(value: YamlValue) -> bool:
    try:
        return bool(uuid.UUID(str(value)))
    except ValueError:
        return False


def is_number(value: YamlValue, name: str) -> bool:
    """Whether Python itself makes a number of it; everything is true or false."""
    try:
        {"bool": bool}.get(name, float)(value)
        if NUMBERS[name] is int:
            int(value, 0) if isinstance(value, str) else int(value)
    except (TypeError, ValueError, OverflowError):
        return False
    return True


def _is_in_array(item: YamlValue, name: str) -> bool:
    """Whether numpy makes a number of it; a text of a whole number is decimal there."""
    if NUMBERS[name] is float:
        return item is None or is_number(item, name)
    if isinstance(item, str):
        return item.isdigit()
    return is_number(item, name) and int(item) >= 0
