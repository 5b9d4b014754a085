"""A RobotInfo document held against the schema: a clean copy, and every place where it does not fit.

Robot Raconteur's own parser ignores unknown keys and takes some values for others without a word; here each such
place gets a name. What the real readers refuse is in `lint`.
"""

from __future__ import annotations

import math
import uuid
from enum import StrEnum
from typing import Any, NamedTuple

from swgrm.errors import nearest
from swgrm_exporters.robotinfo.schema import (
    ENUMS,
    NAMED_ARRAYS,
    NUMBERS,
    ROOT,
    STRUCTURES,
    FieldType,
    fields_in_files,
)

Value = Any  # what YAML holds


class Kind(StrEnum):
    """How a place does not fit."""

    UNKNOWN_KEY = "unknown-key"  # every real reader ignores it silently
    IGNORED = "ignored"  # known, but Robot Raconteur's parser drops it
    MISREAD = "misread"  # Robot Raconteur's parser takes it for something else
    WRONG = "wrong"  # it cannot be understood


class Problem(NamedTuple):
    """A place that does not fit."""

    kind: Kind
    place: str
    message: str


class Fitted(NamedTuple):
    """The document with known keys and typed values only, and what was found on the way."""

    document: dict[str, Any]
    problems: tuple[Problem, ...]


def fit(value: Value, kind: FieldType = ROOT) -> Fitted:
    """The value as the schema has it."""
    fitter = _Fitter()
    document = fitter.fit(value, kind, "")
    return Fitted(document if isinstance(document, dict) else {}, tuple(fitter.problems))


class _Wrong(Exception):
    """A value that cannot be understood."""


_ABSENT = object()


class _Fitter:
    """A walk over a document and the schema at once."""

    def __init__(self) -> None:
        self.problems: list[Problem] = []

    def note(self, kind: Kind, place: str, message: str) -> None:
        self.problems.append(Problem(kind, place or "the file", message))

    def fit(self, value: Value, kind: FieldType, place: str) -> Value:
        """The value as its type has it, or _ABSENT with a problem noted."""
        if kind.container == "map":
            return self._map(value, kind, place)
        if kind.container:
            return self._several(value, kind, place)
        if kind.name in STRUCTURES:
            return self._structure(value, kind.name, place)
        if kind.name in NAMED_ARRAYS:
            return self._named_array(value, kind.name, place)
        if kind.name == "varvalue":
            self.note(Kind.IGNORED, place, "Robot Raconteur's parser ignores a value of any type.")
            return value
        try:
            return self._scalar(value, kind.name, place)
        except _Wrong as wrong:
            self.note(Kind.WRONG, place, str(wrong))
            return _ABSENT

    def _map(self, value: Value, kind: FieldType, place: str) -> Value:
        if not isinstance(value, dict):
            self.note(Kind.WRONG, place, f"expected a map, found {_shown(value)}.")
            return _ABSENT
        if kind.name == "varvalue":
            return value
        return self._members(((f"{key}", item, kind.item) for key, item in value.items()), place)

    def _several(self, value: Value, kind: FieldType, place: str) -> Value:
        if not isinstance(value, list):
            self.note(Kind.WRONG, place, f"expected a list, found {_shown(value)}.")
            return _ABSENT
        items = [self.fit(item, kind.item, f"{place}[{index}]") for index, item in enumerate(value)]
        return [item for item in items if item is not _ABSENT]

    def _structure(self, value: Value, name: str, place: str) -> Value:
        if name == "Identifier" and isinstance(value, str | int | float):
            return {"name": str(value)}
        if not isinstance(value, dict):
            self.note(Kind.WRONG, place, f"expected a map with keys, found {_shown(value)}.")
            return _ABSENT
        fields = fields_in_files(name)
        for key in value:
            if key not in fields:
                hint = nearest(str(key), list(fields))
                message = f"the readers ignore the unknown key `{key}`.{hint}"
                self.note(Kind.UNKNOWN_KEY, _join(place, key), message)
        return self._members(((key, value[key], kind) for key, kind in fields.items() if key in value), place)

    def _members(self, members: Any, place: str) -> dict[str, Any]:  # noqa: ANN401 - triples
        fitted = {key: self.fit(item, kind, _join(place, key)) for key, item, kind in members}
        return {key: item for key, item in fitted.items() if item is not _ABSENT}

    def _named_array(self, value: Value, name: str, place: str) -> Value:
        fields = NAMED_ARRAYS[name]
        if not isinstance(value, dict):
            self.note(Kind.WRONG, place, f"expected {', '.join(fields)}, found {_shown(value)}.")
            return _ABSENT
        for key in value:
            if key not in fields:
                self.note(Kind.UNKNOWN_KEY, _join(place, key), f"the readers ignore the unknown key `{key}`.")
        missing = [key for key in fields if key not in value]
        if missing:
            self.note(Kind.WRONG, place, f"`{missing[0]}` is missing; all of {', '.join(fields)} are needed.")
            return _ABSENT
        fitted = self._members(((key, value[key], kind) for key, kind in fields.items()), place)
        return fitted if len(fitted) == len(fields) else _ABSENT

    def _scalar(self, value: Value, name: str, place: str) -> Value:
        if name == "string":
            return str(value)
        if name == "UUID":
            return _uuid(value)
        if name in ENUMS:
            return _enum(value, name)
        if name == "bool":
            return self._bool(value, place)
        return _number(value, NUMBERS[name])

    def _bool(self, value: Value, place: str) -> bool:
        if isinstance(value, bool):
            return value
        if isinstance(value, str) and value.lower() in ("true", "false"):
            if value.lower() == "false":
                self.note(Kind.MISREAD, place, f'Robot Raconteur\'s parser takes the text "{value}" for true.')
            return value.lower() == "true"
        raise _Wrong(f"expected true or false, found {_shown(value)}.")


def _join(place: str, key: object) -> str:
    return f"{place}.{key}" if place else f"{key}"


def _shown(value: Value) -> str:
    if isinstance(value, dict | list):
        return "a map" if isinstance(value, dict) else "a list"
    return "nothing" if value is None else f"`{str(value)[:40]}`"


def _uuid(value: Value) -> str:
    try:
        return str(uuid.UUID(str(value)))
    except ValueError:
        raise _Wrong(f"{_shown(value)} is not a uuid; it has 32 hexadecimal digits.") from None


def _enum(value: Value, name: str) -> str:
    if value not in ENUMS[name]:
        known = ", ".join(ENUMS[name][:20])
        raise _Wrong(f"{_shown(value)} is no {name}.{nearest(str(value), list(ENUMS[name]))} Known: {known}.")
    return str(value)


def _number(value: Value, kind: type[float] | type[int]) -> float | int:
    try:
        if isinstance(value, bool) or not isinstance(value, str | int | float):
            raise ValueError
        number = float(value) if kind is float else int(value, 0) if isinstance(value, str) else int(value)
    except (ValueError, OverflowError):
        raise _Wrong(f"expected a number, found {_shown(value)}.") from None
    if math.isnan(number) or (kind is int and (number < 0 or number != float(value))):
        raise _Wrong(f"expected a {'whole number from 0 on' if kind is int else 'number'}, found {_shown(value)}.")
    return number
