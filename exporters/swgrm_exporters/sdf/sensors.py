"""Sensors in SDF: types, and the parameters that have elements, written and read by the table of `sensor_types`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from swgrm.model import Params, Sensor
from swgrm.model.sensor_types import SENSORS, SdfSensor, SensorType
from swgrm_exporters.sdf.elements import SdfStyle, add_text
from swgrm_exporters.sdf.fields import bound
from swgrm_exporters.xmltext import Element
from swgrm_exporters.xmlwriting import Node, add_node

OWN_TYPE = "custom"  # with the type itself in the attribute `gz:type`
GZ = "http://gazebosim.org/schema"


def _sdf(type_of_sensor: str) -> SdfSensor:
    """What SDF has for a type of the model; one that `SENSORS` does not have is SDF's custom type."""
    known = SENSORS.get(type_of_sensor, SensorType())
    return known.sdf or SdfSensor(OWN_TYPE)


def _types_read() -> Iterator[tuple[str, str]]:
    for own, kind in SENSORS.items():
        if kind.sdf is not None:
            yield from ((name, own) for name in (kind.sdf.type, *kind.sdf.also))


READ_TYPES = dict(_types_read())  # by SDF's type: the model's


def is_on_joint(sensor: Sensor) -> bool:
    """Whether a sensor is an element of a joint, because it measures the joint's force."""
    return _sdf(sensor.type).is_on_joint


def add_sensor(parent: Node, sensor: Sensor, name: str, style: SdfStyle) -> Node:
    """Add a <sensor> of that name, with the parameters that have elements."""
    kind = _sdf(sensor.type).type
    node = add_node(parent, "sensor", {"name": name, "type": kind})
    if kind == OWN_TYPE:
        node.set("xmlns:gz", GZ)
        node.set("gz:type", sensor.type)
    if sensor.update_rate is not None:
        add_text(node, "update_rate", style.numbers.text(sensor.update_rate))
    for field in _sdf(sensor.type).parameters:
        value = value_at(sensor.params, field.own)
        if _is_written(value):
            text = style.numbers.text(value) if isinstance(value, float) else str(value)
            put(node, field.sdf.split("/"), text)
    return node


def assume(node: Node, sensor: Sensor) -> str:
    """Write what a simulator must know and the sensor has no parameter for; returns these values in words."""
    missing = _missing(sensor)
    for field in _sdf(sensor.type).parameters:
        if field.own in missing:
            put(node, field.sdf.split("/"), missing[field.own])
    return ", ".join(f"{key.rpartition('.')[2]} {text}" for key, text in missing.items())


def _missing(sensor: Sensor) -> dict[str, str]:
    """The parameters that are assumed."""
    missing: dict[str, str] = {}
    for field in _sdf(sensor.type).parameters:
        if field.assumed and value_at(sensor.params, field.own) is None:
            missing[field.own] = field.assumed
    return missing


def params_as_read(sensor: Sensor) -> Params:
    """The parameters that reading gives of a sensor that was written, without its note."""
    missing, params = _missing(sensor), {}
    for field in _sdf(sensor.type).parameters:
        value = missing.get(field.own, value_at(sensor.params, field.own))
        if _is_written(value):
            params[field.own] = str(value)
    return params


def _is_written(value: object) -> bool:
    return isinstance(value, str | int | float) and not isinstance(value, bool)


def put(node: Node, path: list[str], text: str) -> None:
    """Add an element with text at a path of tags."""
    for step in path[:-1]:
        below = node.find(step)
        node = add_node(node, step) if below is None else below
    add_text(node, path[-1], text)


def value_at(params: Params, key: str) -> Any:  # noqa: ANN401 - JSON data
    """The value at a path: nested, or under the whole key as URDF's reader has it."""
    if key in params:
        return params[key]
    value: Any = params
    for step in key.split("."):
        value = value.get(step) if isinstance(value, Mapping) else None
    return value


def read_sensor(element: Element, name: str) -> Sensor:
    """The sensor in an element."""
    kind = sensor_type(element)
    params: dict[str, Any] = {}
    for field in _sdf(kind).parameters:
        if (text := element.findtext(field.sdf)) is not None:
            params[field.own] = text.strip()
    return Sensor(name=name, type=kind, update_rate=bound(element, "update_rate"), params=params)


def sensor_type(element: Element) -> str:
    """The model's type of the sensor in an element."""
    kind = (element.get("type") or "").strip()
    if kind == OWN_TYPE:
        kind = element.get(f"{{{GZ}}}type") or kind
    return READ_TYPES.get(kind, kind)
