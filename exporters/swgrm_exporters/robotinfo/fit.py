"""Compares a RobotInfo document with the schema: returns a clean copy and reports every place that does not fit.

Robot Raconteur's own parser silently ignores unknown keys and misreads some values; here each such place is a
finding. What the programs that read RobotInfo refuse is in `lint`.
"""

from __future__ import annotations

import math
import uuid
from collections.abc import Iterable

from swgrm.errors import nearest, sentence
from swgrm.findings import Findings
from swgrm_exporters.robotinfo.schema import (
    ENUMS,
    NAMED_ARRAYS,
    NUMBERS,
    STRUCTURES,
    FieldType,
    YamlMap,
    YamlValue,
    fields_in_files,
)


def fit(value: YamlValue, kind: FieldType, findings: Findings) -> YamlMap:
    """The value with known keys and typed values only; every place that does not fit is a finding."""
    document = _Fitter(findings).fit(value, kind, "")
    return document if isinstance(document, dict) else {}


class _Wrong(Exception):
    """A value that cannot be understood."""


_ABSENT = object()


class _Fitter:
    """A walk over a document and the schema at once."""

    def __init__(self, findings: Findings) -> None:
        self.findings = findings

    def wrong(self, place: str, problem: str) -> None:
        self.findings.add("robotinfo-wrong", place or "the file", problem=sentence(problem))

    def unknown(self, place: str, key: object, hint: str = "") -> None:
        self.findings.add("robotinfo-unknown-key", _join(place, key), key=key, hint=hint)

    def fit(self, value: YamlValue, kind: FieldType, place: str) -> YamlValue:
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
            self.findings.add("robotinfo-ignored", place or "the file")
            return value
        try:
            return self._scalar(value, kind.name, place)
        except _Wrong as wrong:
            self.wrong(place, str(wrong))
            return _ABSENT

    def _map(self, value: YamlValue, kind: FieldType, place: str) -> YamlValue:
        if not isinstance(value, dict):
            self.wrong(place, f"expected a map, found {_shown(value)}")
            return _ABSENT
        if kind.name == "varvalue":
            return value
        return self._members(((f"{key}", item, kind.item) for key, item in value.items()), place)

    def _several(self, value: YamlValue, kind: FieldType, place: str) -> YamlValue:
        if not isinstance(value, list):
            self.wrong(place, f"expected a list, found {_shown(value)}")
            return _ABSENT
        items = [self.fit(item, kind.item, f"{place}[{index}]") for index, item in enumerate(value)]
        return [item for item in items if item is not _ABSENT]

    def _structure(self, value: YamlValue, name: str, place: str) -> YamlValue:
        if name == "Identifier" and isinstance(value, str | int | float):
            return {"name": str(value)}
        if not isinstance(value, dict):
            self.wrong(place, f"expected a map with keys, found {_shown(value)}")
            return _ABSENT
        fields = fields_in_files(name)
        for key in value:
            if key not in fields:
                self.unknown(place, key, nearest(str(key), list(fields)))
        return self._members(((key, value[key], kind) for key, kind in fields.items() if key in value), place)

    def _members(self, members: Iterable[tuple[str, YamlValue, FieldType]], place: str) -> YamlMap:
        fitted = {key: self.fit(item, kind, _join(place, key)) for key, item, kind in members}
        return {key: item for key, item in fitted.items() if item is not _ABSENT}

    def _named_array(self, value: YamlValue, name: str, place: str) -> YamlValue:
        fields = NAMED_ARRAYS[name]
        if not isinstance(value, dict):
            self.wrong(place, f"expected {', '.join(fields)}, found {_shown(value)}")
            return _ABSENT
        for key in value:
            if key not in fields:
                self.unknown(place, key)
        missing = [key for key in fields if key not in value]
        if missing:
            self.wrong(place, f"`{missing[0]}` is missing; all of {', '.join(fields)} are needed")
            return _ABSENT
        fitted = self._members(((key, value[key], kind) for key, kind in fields.items()), place)
        return fitted if len(fitted) == len(fields) else _ABSENT

    def _scalar(self, value: YamlValue, name: str, place: str) -> YamlValue:
        if name == "string":
            return str(value)
        if name == "UUID":
            return _uuid(value)
        if name in ENUMS:
            return _enum(value, name)
        if name == "bool":
            return self._bool(value, place)
        return _number(value, NUMBERS[name])

    def _bool(self, value: YamlValue, place: str) -> bool:
        if isinstance(value, bool):
            return value
        if isinstance(value, str) and value.lower() in ("true", "false"):
            if value.lower() == "false":
                self.findings.add("robotinfo-misread", place, text=value)
            return value.lower() == "true"
        raise _Wrong(f"expected true or false, found {_shown(value)}.")


def _join(place: str, key: object) -> str:
    return f"{place}.{key}" if place else f"{key}"


def _shown(value: YamlValue) -> str:
    if isinstance(value, dict | list):
        return "a map" if isinstance(value, dict) else "a list"
    return "nothing" if value is None else f"`{str(value)[:40]}`"


def _uuid(value: YamlValue) -> str:
    try:
        return str(uuid.UUID(str(value)))
    except ValueError:
        raise _Wrong(f"{_shown(value)} is not a uuid; it has 32 hexadecimal digits.") from None


def _enum(value: YamlValue, name: str) -> str:
    if value not in ENUMS[name]:
        known = ", ".join(ENUMS[name][:20])
        raise _Wrong(f"{_shown(value)} is not a {name}.{nearest(str(value), list(ENUMS[name]))} Known: {known}.")
    return str(value)


def _number(value: YamlValue, kind: type[float] | type[int]) -> float | int:
    try:
        if isinstance(value, bool) or not isinstance(value, str | int | float):
            raise ValueError
        number = float(value) if kind is float else int(value, 0) if isinstance(value, str) else int(value)
    except (ValueError, OverflowError):
        raise _Wrong(f"expected a number, found {_shown(value)}.") from None
    if math.isnan(number) or (kind is int and (number < 0 or number != float(value))):
        raise _Wrong(f"expected a {'whole number from 0 on' if kind is int else 'number'}, found {_shown(value)}.")
    return number
