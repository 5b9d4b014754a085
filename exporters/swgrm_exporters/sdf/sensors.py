"""Sensors in SDF: the types, and the parameters that have elements, written and read by one table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from swgrm.model import Params, Sensor
from swgrm_exporters.sdf.elements import SdfStyle, add_text
from swgrm_exporters.sdf.fields import bound
from swgrm_exporters.xmltext import Element
from swgrm_exporters.xmlwriting import Node, add_node

TYPES = {  # the model's, which are those of URDF, and SDF's
    "camera": "camera",
    "ray": "gpu_lidar",
    "imu": "imu",
    "magnetometer": "magnetometer",
    "gps": "navsat",
    "force_torque": "force_torque",
    "contact": "contact",
    "sonar": "sonar",
    "rfidtag": "rfidtag",
    "rfid": "rfid",
}
OWN_TYPE = "custom"  # with the type itself in the attribute `gz:type`
READ_TYPES = {**{sdf: own for own, sdf in TYPES.items()}, "lidar": "ray", "ray": "ray", "gps": "gps"}
ON_JOINT = "force_torque"
GZ = "http://gazebosim.org/schema"


class Field(NamedTuple):
    """A parameter: its path in the model (URDF's attributes), and its path in SDF (elements with text)."""

    own: str
    sdf: str


def _scan(own: str, sdf: str) -> Iterator[Field]:
    for name in ("samples", "resolution", "min_angle", "max_angle"):
        yield Field(f"{own}.{name}", f"{sdf}/{name}")


FIELDS: Mapping[str, tuple[Field, ...]] = {
    "camera": (
        Field("camera.image.hfov", "camera/horizontal_fov"),
        Field("camera.image.width", "camera/image/width"),
        Field("camera.image.height", "camera/image/height"),
        Field("camera.image.format", "camera/image/format"),
        Field("camera.image.near", "camera/clip/near"),
        Field("camera.image.far", "camera/clip/far"),
    ),
    "ray": (
        *_scan("ray.horizontal", "lidar/scan/horizontal"),
        *_scan("ray.vertical", "lidar/scan/vertical"),
        Field("ray.range.min", "lidar/range/min"),
        Field("ray.range.max", "lidar/range/max"),
        Field("ray.range.resolution", "lidar/range/resolution"),
    ),
    "force_torque": (
        Field("force_torque.frame", "force_torque/frame"),
        Field("force_torque.measure_direction", "force_torque/measure_direction"),
    ),
}

ASSUMED: Mapping[str, Mapping[str, str]] = {  # what a simulator must know and CAD does not
    "camera": {
        "camera.image.hfov": "1.047",
        "camera.image.width": "640",
        "camera.image.height": "480",
        "camera.image.near": "0.05",
        "camera.image.far": "100",
    },
    "ray": {
        "ray.horizontal.samples": "640",
        "ray.horizontal.min_angle": "-1.5708",
        "ray.horizontal.max_angle": "1.5708",
        "ray.range.min": "0.08",
        "ray.range.max": "10",
    },
}


def add_sensor(parent: Node, sensor: Sensor, name: str, style: SdfStyle) -> Node:
    """Add a <sensor> of that name, with the parameters that have elements."""
    kind = TYPES.get(sensor.type, OWN_TYPE)
    node = add_node(parent, "sensor", {"name": name, "type": kind})
    if kind == OWN_TYPE:
        node.set("xmlns:gz", GZ)
        node.set("gz:type", sensor.type)
    if sensor.update_rate is not None:
        add_text(node, "update_rate", style.numbers.text(sensor.update_rate))
    for field in FIELDS.get(sensor.type, ()):
        value = value_at(sensor.params, field.own)
        if _is_written(value):
            text = style.numbers.text(value) if isinstance(value, float) else str(value)
            put(node, field.sdf.split("/"), text)
    return node


def assume(node: Node, sensor: Sensor) -> str:
    """Write what a simulator must know and the sensor has no parameter for; returns these values in words."""
    missing = _missing(sensor)
    for field in FIELDS.get(sensor.type, ()):
        if field.own in missing:
            put(node, field.sdf.split("/"), missing[field.own])
    return ", ".join(f"{key.rpartition('.')[2]} {text}" for key, text in missing.items())


def _missing(sensor: Sensor) -> dict[str, str]:
    wanted = ASSUMED.get(sensor.type, {})
    return {key: text for key, text in wanted.items() if value_at(sensor.params, key) is None}


def params_as_read(sensor: Sensor) -> Params:
    """The parameters that reading gives of a sensor that was written, without its note."""
    missing, params = _missing(sensor), {}
    for field in FIELDS.get(sensor.type, ()):
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
    for field in FIELDS.get(kind, ()):
        if (text := element.findtext(field.sdf)) is not None:
            params[field.own] = text.strip()
    return Sensor(name=name, type=kind, update_rate=bound(element, "update_rate"), params=params)


def sensor_type(element: Element) -> str:
    """The model's type of the sensor in an element."""
    kind = (element.get("type") or "").strip()
    if kind == OWN_TYPE:
        kind = element.get(f"{{{GZ}}}type") or kind
    return READ_TYPES.get(kind, kind)
