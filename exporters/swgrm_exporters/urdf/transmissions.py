"""Transmissions, read and written: the newer form with elements and the older one with attributes."""

from __future__ import annotations

import math
from collections.abc import Iterator

from swgrm.model import Transmission, TransmissionEnd
from swgrm_exporters.numbers import Numbers
from swgrm_exporters.urdf.props import KeySteps, apply, flatten, numbered, step
from swgrm_exporters.xmltext import Element, children
from swgrm_exporters.xmlwriting import Node, add_node

ENDS = ("joint", "actuator")


def read_transmission(element: Element) -> Transmission:
    """The transmission that an element describes; what the model has no field for is in its props."""
    kind = (element.findtext("type") or element.get("type") or "").strip()
    joints, actuators = (tuple(_read_end(each) for each in element.iterfind(tag)) for tag in ENDS)
    rest = dict(_others(element, {"type", *ENDS}))
    return Transmission(name=element.get("name", ""), type=kind, joints=joints, actuators=actuators, props=rest)


def _read_end(element: Element) -> TransmissionEnd:
    interfaces = tuple((each.text or "").strip() for each in element.iterfind("hardwareInterface"))
    reduction = _one_number(element.findall("mechanicalReduction"))
    taken = {"hardwareInterface"} | ({"mechanicalReduction"} if reduction is not None else set())
    return TransmissionEnd(element.get("name", ""), interfaces, reduction, dict(_others(element, taken)))


def _one_number(elements: list[Element]) -> float | None:
    """The number in the text of the only element; other text is kept as a property."""
    try:
        value = float(elements[0].text or "") if len(elements) == 1 else math.nan
    except ValueError:
        return None
    return value if math.isfinite(value) else None


def _others(element: Element, taken: set[str]) -> Iterator[tuple[str, str]]:
    """The properties of an element but for its name and what was taken."""
    for name, value in element.attrib.items():
        if name != "name":
            yield f"@{step(element, str(name))}", str(value)
    for inner, key in numbered(list(children(element))):
        if inner.tag not in taken:
            yield from flatten(inner, key)


def write_transmission(
    root: Node, transmission: Transmission, numbers: Numbers, steps: KeySteps
) -> Iterator[tuple[str, str]]:
    """Write a transmission; gives the properties that cannot be written, each with the reason."""
    element = add_node(root, "transmission", {"name": transmission.name} if transmission.name else {})
    if transmission.type and transmission.props.get("@type") != transmission.type:
        add_node(element, "type").text = transmission.type
    for tag, ends in zip(ENDS, (transmission.joints, transmission.actuators), strict=True):
        for end in ends:
            inner = add_node(element, tag, {"name": end.name})
            for interface in end.hardware_interfaces:
                add_node(inner, "hardwareInterface").text = interface
            if end.mechanical_reduction is not None:
                add_node(inner, "mechanicalReduction").text = numbers.text(end.mechanical_reduction)
            yield from apply(inner, end.props, (), steps)
    yield from apply(element, transmission.props, ("type", *ENDS), steps)
