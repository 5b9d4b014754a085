"""Texts of elements as typed values: numbers, vectors, poses, and our own attributes."""

from __future__ import annotations

import math

from swgrm.model import IDENTITY, Pose
from swgrm_exporters.sdf.elements import OWN
from swgrm_exporters.urdf.rotation import rpy_quaternion
from swgrm_exporters.xmltext import Element, XmlProblem


def own(element: Element, name: str) -> str | None:
    """An attribute that swgrm 0.2 wrote for itself."""
    return element.get(f"{{{OWN}}}{name}")


def named(element: Element) -> str:
    """The name of an element, which it must have."""
    name = element.get("name")
    if name is None or not name.strip():
        raise XmlProblem(f"A <{element.tag}> has no `name`", element)
    return name


def text_of(element: Element, tag: str) -> str:
    """The text of a child, which must be there."""
    text = (element.findtext(tag) or "").strip()
    if not text:
        raise XmlProblem(f'<{element.tag} name="{element.get("name", "")}"> has no <{tag}>', element)
    return text


def number(element: Element | None, tag: str, default: float) -> float:
    """The number in a child; the default if there is none."""
    found = None if element is None else element.find(tag)
    return default if found is None else numbers(found, 1)[0]


def bound(element: Element | None, tag: str, unlimited: float = 1e15) -> float | None:
    """A limit; None if it is absent, infinite, or as large as what the specification has for no limit."""
    found = None if element is None else element.find(tag)
    if found is None:
        return None
    (value,) = numbers(found, 1, finite=False)
    return value if abs(value) < unlimited else None


def numbers(element: Element, count: int, *, finite: bool = True) -> tuple[float, ...]:
    """So many numbers in the text of an element."""
    text = element.text or ""
    try:
        values = tuple(map(float, text.split()))
    except ValueError:
        values = ()
    if len(values) != count or "_" in text or any(math.isnan(v) or (finite and math.isinf(v)) for v in values):
        what = "a number is" if count == 1 else f"{count} numbers are"
        raise XmlProblem(f'<{element.tag}> has the text "{text.strip()[:60]}": {what} expected', element)
    return values


def pose_of(found: Element | None) -> Pose:
    """The pose in a <pose>: position, then roll, pitch and yaw, or a quaternion; the identity if there is none."""
    if found is None or not (found.text or "").strip():
        return IDENTITY
    form = found.get("rotation_format", "euler_rpy")
    if form == "quat_xyzw":
        x, y, z, *rest = numbers(found, 7)
        length = math.hypot(*rest)
        if not 0.5 < length < 2:
            raise XmlProblem("A <pose> has a quaternion whose length is not one", found)
        i, j, k, w = rest
        return Pose((x, y, z), (i, j, k, w))
    if form != "euler_rpy":
        raise XmlProblem(f"A <pose> has the rotation_format `{form}`; quat_xyzw and euler_rpy are known", found)
    x, y, z, *angles = numbers(found, 6)
    unit = math.pi / 180 if found.get("degrees", "false").strip().lower() in ("true", "1") else 1.0
    roll, pitch, yaw = (unit * angle for angle in angles)
    return Pose((x, y, z), rpy_quaternion((roll, pitch, yaw)))
