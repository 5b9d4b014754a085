"""Values of props in settings as text: what the user wrote, also where YAML has a number or a boolean."""

from __future__ import annotations

from collections.abc import Mapping

from swgrm.model import Props


def prop_texts(values: Mapping[str, str | bool | int | float]) -> Props:
    """The props as text: `true` and `false`, and numbers in their shortest form that reads back the same."""
    return {key: prop_text(value) for key, value in values.items()}


def prop_text(value: str | bool | int | float) -> str:
    """A value as text."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return repr(value).removesuffix(".0") if isinstance(value, float) else str(value)
