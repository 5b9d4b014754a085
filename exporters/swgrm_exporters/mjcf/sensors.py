"""Sensors as MuJoCo has them: elements that measure at a site; a camera is an element of its body."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from swgrm.kinematics.pose_math import compose
from swgrm.model import Params, Pose, Sensor
from swgrm.model.sensor_types import SENSORS, SensorType
from swgrm_exporters.mjcf.elements import CAMERA, RANGE, add_site, place
from swgrm_exporters.names import Pool, ros_legal
from swgrm_exporters.numbers import Numbers
from swgrm_exporters.xmlwriting import Node, add_node

OBJECTS = ("framequat", "framepos")  # these name their site as an object
ASPECT = 4 / 3  # of an image of unknown size


class SensorWriter:
    """Writes sensors, with names that are unique among sites, sensors and cameras."""

    def __init__(self, sites: Pool, numbers: Numbers) -> None:
        self.node, self.numbers = Node("sensor"), numbers
        self.sites: list[str] = []  # that were added
        self.cameras: list[str] = []
        self._sites, self._names, self._cameras = sites, Pool(), Pool()

    def add(self, body: Node, sensor: Sensor, site: str, pose: Pose) -> bool:
        """Write a sensor on a body at a pose, where there is a site; false if the table has no element for it."""
        name = ros_legal(sensor.name) or "sensor"
        if sensor.type == "camera":
            self.cameras.append(self._cameras.fresh(name))
            values = {"name": self.cameras[-1], **place(compose(pose, CAMERA), self.numbers)}
            add_node(body, "camera", values | camera_values(sensor.params, self.numbers))
            return True
        kind = SENSORS.get(sensor.type, SensorType())
        if not kind.mujoco:
            return False
        if kind.looks_ahead:
            site = self._sites.fresh(f"{name}_ray")
            self.sites.append(site)
            add_site(body, site, compose(pose, RANGE), self.numbers)
        for element, ending in kind.mujoco:
            at = {"objtype": "site", "objname": site} if element in OBJECTS else {"site": site}
            add_node(self.node, element, {"name": self._names.fresh(f"{name}{ending}"), **at})
        return True


def camera_values(params: Params, numbers: Numbers) -> dict[str, str]:
    """The field of view across the image's height [deg] and the image's size, as far as the parameters have them."""
    width, height = _number(params, "width"), _number(params, "height")
    across = _number(params, "horizontal_fov") or _number(params, "hfov") or _number(params, "fov")
    found = {}
    if across and 0 < across < math.pi:
        aspect = width / height if width and height else ASPECT
        found["fovy"] = numbers.text(round(math.degrees(2 * math.atan(math.tan(across / 2) / aspect)), 6))
    if width and height and width >= 1 and height >= 1:
        found["resolution"] = f"{int(width)} {int(height)}"
    return found


def _number(params: Mapping[str, Any], name: str) -> float | None:
    """The first number of that name, at any depth; a key may be a path such as `camera.image.width`."""
    for key, value in params.items():
        if isinstance(value, Mapping):
            found = _number(value, name)
        elif key.split(".")[-1] in (name, "#text") and name in key.split("."):
            try:
                found = float(value)
            except (TypeError, ValueError):
                found = None
        else:
            found = None
        if found is not None and math.isfinite(found):
            return found
    return None
