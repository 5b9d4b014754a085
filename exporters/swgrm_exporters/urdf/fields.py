"""Attributes as typed values, and what is left of an element when they are taken."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from swgrm.model import IDENTITY, Pose
from swgrm_exporters.urdf.props import flatten, step
from swgrm_exporters.urdf.rotation import rpy_quaternion
from swgrm_exporters.urdf.schema import REPEATED, Known, UrdfField, UrdfPart
from swgrm_exporters.xmltext import Element, XmlProblem


def required(element: Element, attribute: str) -> str:
    """A required attribute that is not blank."""
    value = element.get(attribute)
    if value is None or not value.strip():
        raise XmlProblem(f"{_named(element)} has no `{attribute}`", element)
    return value


def parts(element: Element) -> dict[str, Element]:
    """The first child of each tag."""
    return {str(inner.tag): inner for inner in reversed(element)}


def child(element: Element, tag: str, among: Mapping[str, Element] | None = None) -> Element:
    """A child that must be there; among the parts, where those are known."""
    found = element.find(tag) if among is None else among.get(tag)
    if found is None:
        raise XmlProblem(f"{_named(element)} has no <{tag}>", element)
    return found


def number(element: Element, attribute: str, default: float | None = None) -> float:
    """One number; without a default it must be there."""
    text = element.get(attribute)
    if text is None:
        if default is None:
            raise XmlProblem(f"{_named(element)} has no `{attribute}`", element)
        return default
    return _parsed(element, attribute, text)


def maybe_number(element: Element, attribute: str) -> float | None:
    """One number, or nothing."""
    text = element.get(attribute)
    return None if text is None else _parsed(element, attribute, text)


def numbers(
    element: Element, attribute: str, count: int, default: tuple[float, ...] | None = None
) -> tuple[float, ...]:
    """So many numbers; without a default they must be there."""
    text = element.get(attribute)
    if text is None:
        if default is None:
            raise XmlProblem(f"{_named(element)} has no `{attribute}`", element)
        return default
    parts = text.split()
    if len(parts) != count:
        problem = f'{_named(element)} has the `{attribute}` "{text[:60]}": {count} numbers are expected'
        raise XmlProblem(problem, element)
    try:
        values = tuple(map(float, parts))
        if "_" not in text and math.isfinite(sum(values)):  # a sum is finite only if all are
            return values
    except ValueError:
        pass
    return tuple(_parsed(element, attribute, part) for part in parts)  # raises for the one that is wrong


def _parsed(element: Element, attribute: str, text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value) or "_" in text:
        problem = f'{_named(element)} has the `{attribute}` "{text[:60]}", which is not a finite number'
        raise XmlProblem(problem, element, "Write it like 0.25 or 2.5e-1")
    return value


def read_part(element: Element, part: UrdfPart, **common: Any) -> Any:  # noqa: ANN401 - of the part's type
    """A part of the model from the attributes of an element, with other fields."""
    values = {field.own: _value(element, field) for field in part.fields}
    return part.type(**values, **common)


def _value(element: Element, field: UrdfField) -> str | float | tuple[float, ...] | None:
    attribute, default = field.attribute, field.default
    if field.size == 0:
        return required(element, attribute)
    if default is None:
        return maybe_number(element, attribute)
    if field.size > 1:
        return numbers(element, attribute, field.size, default if isinstance(default, tuple) else None)
    return number(element, attribute, default if isinstance(default, float) else None)


def origin(found: Element | None) -> Pose:
    """The pose of an <origin>; the identity if there is none."""
    if found is None:
        return IDENTITY
    x, y, z = numbers(found, "xyz", 3, (0.0, 0.0, 0.0))
    roll, pitch, yaw = numbers(found, "rpy", 3, (0.0, 0.0, 0.0))
    return Pose((x, y, z), rpy_quaternion((roll, pitch, yaw)))


def leftovers(element: Element, known: Known, path: str = "") -> dict[str, str]:
    """The attributes and children of an element that URDF does not define, as properties."""
    found: dict[str, str] = {}
    _collect(element, known, path, found)
    return found


def _collect(element: Element, known: Known, path: str, found: dict[str, str]) -> None:
    for name, value in element.items():
        if name not in known.attributes:
            key = step(element, str(name))
            found[f"{path}{key}" if path else f"@{key}"] = str(value)
    counts: dict[str, int] = {}
    for inner in element:
        tag = str(inner.tag)
        counts[tag] = count = counts.get(tag, 0) + 1
        below = known.children.get(tag)
        if below is not None and (count == 1 or tag in REPEATED):
            if len(inner) or not below.attributes.issuperset(inner.keys()):  # most have nothing more
                _collect(inner, below, f"{path}{tag}[{count}]." if count > 1 else f"{path}{tag}.", found)
        else:
            key = f"{path}{step(inner)}"
            found.update(flatten(inner, f"{key}[{count}]" if count > 1 else key))


def _named(element: Element) -> str:
    name = element.get("name")
    if name is None and (parent := element.getparent()) is not None and parent.get("name"):
        return f'The <{element.tag}> of <{parent.tag} name="{parent.get("name")}">'
    return f'<{element.tag} name="{name}">' if name else f"A <{element.tag}>"
