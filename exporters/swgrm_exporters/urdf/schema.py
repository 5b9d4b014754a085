"""What URDF itself knows, as data: tags with their attributes and children. All else is props."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple


class Known(NamedTuple):
    """The attributes of an element that have a meaning, and its children."""

    attributes: frozenset[str] = frozenset()
    children: Mapping[str, Known] = {}


def known(attributes: str = "", **children: Known) -> Known:
    """A row of the table."""
    return Known(frozenset(attributes.split()), children)


ORIGIN = known("xyz rpy")
GEOMETRY = known(
    box=known("size"),
    cylinder=known("radius length"),
    sphere=known("radius"),
    capsule=known("radius length"),
    mesh=known("filename scale"),
)
MATERIAL = known("name", color=known("rgba"), texture=known("filename"))

LINK = known(
    "name",
    inertial=known(origin=ORIGIN, mass=known("value"), inertia=known("ixx ixy ixz iyy iyz izz")),
    visual=known("name", origin=ORIGIN, geometry=GEOMETRY, material=MATERIAL),
    collision=known("name", origin=ORIGIN, geometry=GEOMETRY),
)
JOINT = known(
    "name type",
    origin=ORIGIN,
    parent=known("link"),
    child=known("link"),
    axis=known("xyz"),
    limit=known("lower upper effort velocity acceleration"),
    dynamics=known("damping friction"),
    mimic=known("joint multiplier offset"),
    safety_controller=known("k_velocity k_position soft_lower_limit soft_upper_limit"),
    calibration=known("rising falling"),
)
SENSOR = known("name type id update_rate", parent=known("link"), origin=ORIGIN)
ROBOT = known("name", link=LINK, joint=JOINT, material=MATERIAL, sensor=SENSOR, transmission=known("name"))

REPEATED = frozenset({"visual", "collision"})  # these may occur several times; a second one of any other tag is props
OWN_TAG = "swgrm"  # the element in which swgrm keeps what URDF has no element for
