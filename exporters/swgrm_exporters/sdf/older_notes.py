"""The attributes and elements with the prefix `swgrm:` that swgrm 0.2 wrote, as the note of today."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import msgspec

from swgrm_exporters.notes import Plain
from swgrm_exporters.sdf.elements import OWN
from swgrm_exporters.sdf.fields import own
from swgrm_exporters.sdf.sensors import sensor_type
from swgrm_exporters.xmltext import Element, XmlProblem

OWN_NAMES = {"link": "frame", "frame": "frame", "joint": "name"}  # the attribute with the name of the frame or joint


def note_of_attributes(model: Element) -> Plain:
    """The note that the attributes in a model amount to; empty if it has none."""
    if OWN not in model.nsmap.values():
        return {}
    elements = [element for element in model if element.tag in OWN_NAMES]
    frames: dict[str, Plain] = {}
    for element in elements:
        tag, name = str(element.tag), element.get("name", "")
        if tag != "joint":
            frames.setdefault(name, {}).update(_frame_entry(element))
        elif own(element, "implied") == "true":
            frames.setdefault(element.findtext("child", "").strip(), {})["joint"] = None
        if sensors := list(_sensors(element)):
            frames.setdefault(f"{tag} {name}", {"virtual": True})["sensors"] = sensors
    loops = [_loop(element) for element in model.findall(f"{{{OWN}}}loop")]
    note: Plain = {
        "frames": frames,
        "renamed": _own_names(elements),
        "robot": {"loopJoints": loops} if loops else {},
        "helpers": _names_with(elements, "helper"),
        "closing": _names_with(elements, "loop"),
    }
    return {key: value for key, value in note.items() if value}


def _own_names(elements: Iterable[Element]) -> dict[str, dict[str, str]]:
    renamed: dict[str, dict[str, str]] = {"frame": {}, "joint": {}, "link": {}, "sensor": {}}
    for element in elements:
        tag, name = str(element.tag), element.get("name", "")
        if own_name := own(element, OWN_NAMES[tag]):
            renamed["joint" if tag == "joint" else "frame"][name] = own_name
        if tag == "link" and (own_name := own(element, "name")):
            renamed["link"][name] = own_name
        for sensor in element.findall("sensor"):
            if own_name := own(sensor, "name"):
                renamed["sensor"][f"{name}/{sensor.get('name')}"] = own_name
    return renamed


def _names_with(elements: Iterable[Element], attribute: str) -> list[str]:
    return [element.get("name", "") for element in elements if own(element, attribute) == "true"]


def _frame_entry(element: Element) -> Plain:
    entry: Plain = {}
    if (label := own(element, "label")) is not None:
        entry["name"] = label
    if own(element, "virtual") == "true":
        entry["virtual"] = True
    if element.tag == "frame":
        joint = own(element, "joint")
        return entry if joint is None else {**entry, "joint": {"type": "fixed", "name": joint}}
    link: Plain = {key: looks for key in ("visual", "collision") if (looks := _looks(element, key))}
    inertial = element.find("inertial")
    if inertial is not None and own(inertial, "implied") == "true":
        entry["light"] = True
    if inertial is not None and own(inertial, "tensor") == "implied":
        link["tensor"] = False
    is_implied = own(element, "implied") == "true"
    return {**entry, "link": None if is_implied else {f"{k}s" if k != "tensor" else k: v for k, v in link.items()}}


def _looks(element: Element, tag: str) -> list[list[str | None]]:
    looks: list[list[str | None]] = []
    for shape in element.findall(tag):
        name = "" if own(shape, "unnamed") == "true" else own(shape, "name") or shape.get("name", "")
        looks.append([name, None])  # the file has the material's name
    return looks


def _sensors(element: Element) -> Iterator[Plain]:
    for sensor in element.findall("sensor"):
        name = sensor.get("name", "")
        try:
            params = msgspec.json.decode(sensor.findtext(f"{{{OWN}}}params") or "{}", type=dict)
        except (msgspec.DecodeError, msgspec.ValidationError):
            params = {}
        yield {"name": name, "type": sensor_type(sensor), "id": own(sensor, "id") or "", "params": params}


def _loop(element: Element) -> Plain:
    try:
        return msgspec.json.decode(element.text or "", type=dict)
    except (msgspec.DecodeError, msgspec.ValidationError):
        raise XmlProblem("The loop joint that swgrm has noted cannot be read", element) from None
