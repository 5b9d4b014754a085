"""Sensors, read: each on the link or joint that it names, one with an <origin> of its own on an own frame."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from msgspec.structs import replace

from swgrm.findings import Findings
from swgrm.model import Frame, Pose, Sensor
from swgrm_exporters.urdf.fields import leftovers, maybe_number, origin, required
from swgrm_exporters.urdf.schema import SENSOR
from swgrm_exporters.xmltext import Element, XmlProblem

MISSPELT = {"rifd": "rfid"}  # as the specification's own list has it


def place_sensors(
    frames: list[Frame], elements: Iterable[Element], fresh: Callable[[str], str], findings: Findings
) -> list[Frame]:
    """The frames with the sensors on them."""
    by_id = {frame.id: frame for frame in frames}
    by_joint = {frame.joint_name: frame.id for frame in frames if frame.joint is not None}
    root = next(frame.id for frame in frames if frame.parent is None)
    own: list[Frame] = []
    sensors: dict[str, list[Sensor]] = {}
    for element in elements:
        sensor = _sensor(element, findings)
        link = _link(element, sensor.name, by_id, by_joint)
        if link is None:
            findings.add("sensor-unplaced", f"sensor {sensor.name}")
        pose = origin(element.find("origin"))
        if pose == Pose():
            sensors.setdefault(link or root, []).append(sensor)
        else:
            place = fresh(sensor.name)
            own.append(Frame(id=place, parent=link or root, transform=pose, sensors=(sensor,), virtual=True))
    carrying = [replace(f, sensors=tuple(sensors[f.id])) if f.id in sensors else f for f in frames]
    return [*carrying, *own]


def _link(element: Element, name: str, by_id: Mapping[str, Frame], by_joint: Mapping[str, str]) -> str | None:
    """The link that a sensor is on: the one it names, or the child of the joint it names; None if it names none."""
    parent = element.find("parent")
    if parent is None:
        return None
    joint = parent.get("joint") if parent.get("link") is None else None
    wanted = joint if joint is not None else required(parent, "link")
    link = by_joint.get(wanted) if joint is not None else wanted
    if link not in by_id:
        what = "link" if joint is None else "joint"
        raise XmlProblem(f'<sensor name="{name}"> is on the {what} `{wanted}`, which is not there', element)
    return link


def _sensor(element: Element, findings: Findings) -> Sensor:
    name, kind = required(element, "name"), required(element, "type")
    if kind in MISSPELT:
        findings.add("sensor-misspelt", f"sensor {name}", type=kind, meant=MISSPELT[kind])
    rest = leftovers(element, SENSOR)
    own = {key: value for key, value in rest.items() if key.startswith("@")}
    return Sensor(
        name=name,
        type=MISSPELT.get(kind, kind),
        id=element.get("id", ""),
        update_rate=maybe_number(element, "update_rate"),
        params={key: value for key, value in rest.items() if key not in own},
        props=own,
    )
