"""Texts and values that are equal but for the last digits of their numbers, which depend on the processor."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

import msgspec
import numpy as np
import pytest

NUMBER = re.compile(r"(?<![\w.])[-+]?\d+(?:\.\d*)?(?:[eE][-+]?\d+)?")


def must_have_same_numbers(text: str, expected: str, *, relative: float = 1e-11, absolute: float = 2e-10) -> None:
    """Assert that two texts are the same, but for rounding of their numbers."""
    assert NUMBER.sub("#", text) == NUMBER.sub("#", expected)
    numbers, wanted = ([float(number) for number in NUMBER.findall(each)] for each in (text, expected))
    assert numbers == pytest.approx(wanted, rel=relative, abs=absolute)


def must_have_same_values(value: Any, expected: Any) -> None:
    """Assert that two values, such as captures, are the same, but for rounding of their numbers."""
    found, wanted = _Numbers([], []), _Numbers([], [])
    records = msgspec.to_builtins(value, builtin_types=(bytes,))
    expected_records = msgspec.to_builtins(expected, builtin_types=(bytes,))
    assert _without_numbers(records, found) == _without_numbers(expected_records, wanted)
    assert found.double == pytest.approx(wanted.double, rel=1e-12, abs=1e-12)
    assert found.single == pytest.approx(wanted.single, rel=1e-6, abs=1e-9)


class _Numbers(NamedTuple):
    """The numbers of a value, by their precision."""

    double: list[float]
    single: list[float]  # corners of triangles


def _without_numbers(value: Any, numbers: _Numbers) -> Any:
    """The value with a mark for each number, which is added to the numbers."""
    if isinstance(value, float):
        numbers.double.append(value)
        return "#"
    if isinstance(value, dict):
        if triangles := value.get("triangles"):
            numbers.single.extend(np.frombuffer(triangles, "<f4").astype(float).tolist())
            value = {**value, "triangles": len(triangles)}
        return {key: _without_numbers(member, numbers) for key, member in value.items()}
    if isinstance(value, list | tuple):
        return [_without_numbers(member, numbers) for member in value]
    return value
