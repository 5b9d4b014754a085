"""Writes plain values as YAML: block style, as PyYAML writes them, which is loaded only for texts that need quotes."""

from __future__ import annotations

import re
from typing import Any

_PLAIN = re.compile(r"[A-Za-z_](?:[A-Za-z0-9_./ -]{0,98}[A-Za-z0-9_])?|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_WORDS = {"yes", "no", "true", "false", "on", "off", "null"}  # in YAML 1.1 these are no texts


def dump(value: Any) -> str:  # noqa: ANN401 - any plain value
    """The YAML text of a plain value: keys in the order given, numbers with all their digits."""
    if not isinstance(value, dict | list) or not value:
        return _library(value)
    lines: list[str] = []
    try:
        _put(value, "", "", lines)
    except _NeedsLibrary:
        return _library(value)
    return "\n".join([*lines, ""])


class _NeedsLibrary(Exception):
    """A value is not one of those that are written here."""


def _library(value: Any) -> str:  # noqa: ANN401 - any plain value
    from swgrm_exporters.yamltext import dump as library

    return library(value)


def _put(value: Any, margin: str, first: str, lines: list[str]) -> None:  # noqa: ANN401 - any plain value
    """Append the lines of a collection that is not empty; `first` is before its first line instead of the margin."""
    for entry in value.items() if isinstance(value, dict) else value:
        start, inner, deeper = f"{first or margin}- ", entry, f"{margin}  "
        if isinstance(value, dict):
            start, inner = f"{first or margin}{_scalar(entry[0])}:", entry[1]
            deeper = margin if isinstance(inner, list | tuple) else deeper
        first = ""
        if not isinstance(inner, dict | list | tuple) or not inner:
            lines.append(f"{start.rstrip()} {_scalar(inner)}")
        elif isinstance(value, dict):
            lines.append(start)
            _put(inner, deeper, "", lines)
        else:
            _put(inner, deeper, start, lines)


def _scalar(value: Any) -> str:  # noqa: ANN401 - any plain value
    if type(value) is str and _PLAIN.fullmatch(value) and value.lower() not in _WORDS:
        return value
    if type(value) is float and value - value == 0:
        text = repr(value)
        return text if "." in text or "e" not in text else text.replace("e", ".0e", 1)
    if type(value) is bool or value is None:
        return {True: "true", False: "false", None: "null"}[value]
    if type(value) is int:
        return str(value)
    if type(value) in (dict, list, tuple):
        return "{}" if type(value) is dict else "[]"
    raise _NeedsLibrary
