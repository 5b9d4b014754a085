"""What a mate of the self-test refers to: faces by their geometry, and reference geometry by its role."""

from __future__ import annotations

from typing import NamedTuple

ASSEMBLY = ""  # the component of geometry of the assembly itself
X, Y, Z = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)
FRONT, TOP, RIGHT = Z, Y, X  # the default planes of a document with y up, by their normals


class Flat(NamedTuple):
    """A planar face of a part: its normal, and how far it is along the normal from the part's origin [m]."""

    component: str
    normal: tuple[float, float, float]
    offset: float


class Round(NamedTuple):
    """The cylindrical face of that radius [m]."""

    component: str
    radius: float


class Conical(NamedTuple):
    """The conical face of a part."""

    component: str


class Spherical(NamedTuple):
    """The spherical face of a part."""

    component: str


class Corner(NamedTuple):
    """The vertex of a part at a point [m]."""

    component: str
    point: tuple[float, float, float]


class Straight(NamedTuple):
    """The straight edge of a part through two points [m]."""

    component: str
    start: tuple[float, float, float]
    end: tuple[float, float, float]


class Plane(NamedTuple):
    """The default plane with that normal: FRONT, TOP or RIGHT."""

    component: str
    normal: tuple[float, float, float]


class NamedFeature(NamedTuple):
    """Reference geometry by its type name in the feature tree, the first of its kind: `CoordSys`, `RefAxis`."""

    component: str
    type_name: str


class Whole(NamedTuple):
    """A component as a whole."""

    component: str


Entity = Flat | Round | Conical | Spherical | Corner | Straight | Plane | NamedFeature | Whole
ORIGIN, SYSTEM, AXIS = "OriginProfileFeature", "CoordSys", "RefAxis"  # IFeature.GetTypeName2
