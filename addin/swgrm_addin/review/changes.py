"""Changes that a person makes on the page, as edits of the settings file: paths, and values or None to remove them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from swgrm.errors import SwgrmError
from swgrm.settings import Settings
from swgrm_addin.settings_edit import remove_value, set_value
from swgrm_addin.settings_file import section_types

_NUMBER = re.compile(r"\s*([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)(.*)", re.DOTALL)


class Edit(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One key of the settings: its path, such as ["joints", "elbow", "lower"], and its value; None removes it."""

    path: tuple[str, ...]
    value: Any = None


def edited(text: str, edits: Sequence[Edit]) -> str:
    """The text of the settings with all edits.

    A page may decide about the robot, and not about files: where and in which formats it is exported.
    """
    for edit in edits:
        if not edit.path or not all(edit.path):
            raise SwgrmError("A change needs the name of a setting.")
        if edit.path[0] in section_types():
            raise SwgrmError(f"The page cannot change the section `{edit.path[0]}`. Change it in the settings file.")
        text = remove_value(text, edit.path) if edit.value is None else set_value(text, edit.path, edit.value)
    return text


def changeable_sections() -> list[str]:
    """The sections of the settings that a page may change: those about the robot."""
    return [field.encode_name for field in msgspec.structs.fields(Settings)]


def flip(settings: Mapping[str, Any], joint: str) -> list[Edit]:
    """The edits that reverse a joint's axis and keep its range where it is.

    Limits and zero in the settings are counted in the direction of the axis, so they change sign, and the limits
    change places.
    """
    section = settings.get("joints") or {}
    own = section.get(joint) or {}
    at = ("joints", joint)
    edits = [Edit((*at, "flip"), None if own.get("flip") else True)]
    edits += [Edit((*at, "zero"), negated(own["zero"]))] if own.get("zero") is not None else []
    for key, other in (("lower", "upper"), ("upper", "lower")):
        if own.get(key) is not None or own.get(other) is not None:
            edits.append(Edit((*at, key), None if own.get(other) is None else negated(own[other])))
    return edits


def negated(value: object) -> object:
    """A quantity with the other sign: `60 deg` becomes `-60 deg`."""
    if isinstance(value, int | float):
        return -value
    found = _NUMBER.fullmatch(str(value))
    if found is None:
        raise SwgrmError(f"`{value}` is not a number with a unit.")
    number = found[1][1:] if found[1][0] in "+-" else found[1]
    return f"{'' if found[1][0] == '-' else '-'}{number}{found[2]}"
