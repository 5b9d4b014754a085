"""Cameras as prims: USD's look along −z with y up, the model's along x with z up."""

from __future__ import annotations

import math

from swgrm.model import Pose, Sensor
from swgrm_exporters.sdf.sensors import value_at
from swgrm_exporters.usd.text import UsdPrim, single

T_SENSOR_CAMERA = Pose(rot=(0.5, -0.5, -0.5, 0.5))  # columns −y, z, −x: right, up and back of the camera
APERTURE = 20.955  # [mm] USD's default width of the film


def add_camera(parent: UsdPrim, name: str, sensor: Sensor) -> None:
    """Add a camera; the field of view is that of the sensor if it has one."""
    prim = parent.child(name, "Camera")
    prim.display(sensor.name)
    prim.place(T_SENSOR_CAMERA)
    width, height = (_number(sensor, f"camera.image.{key}") for key in ("width", "height"))
    view = _number(sensor, "camera.image.hfov")
    if view is not None and 0 < view < math.pi:
        prim.put("float focalLength", single(APERTURE / 2 / math.tan(view / 2)))
        prim.put("float horizontalAperture", single(APERTURE))
        if width and height:
            prim.put("float verticalAperture", single(APERTURE * height / width))
    near, far = (_number(sensor, f"camera.image.{key}") for key in ("near", "far"))
    if near is not None and far is not None:
        prim.put("float2 clippingRange", f"({single(near)}, {single(far)})")


def _number(sensor: Sensor, key: str) -> float | None:
    try:
        return float(value_at(sensor.params, key))
    except (TypeError, ValueError):
        return None
