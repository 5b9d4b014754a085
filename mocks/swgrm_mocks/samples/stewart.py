"""The Stewart platform: six legs, each a rod in a sleeve with a ball joint at each end."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from swgrm.capture import Capture
from swgrm_mocks.builder import ALUMINIUM, STEEL, Assembly, Part, colour, pose
from swgrm_mocks.mates import shaft, sphere
from swgrm_mocks.solids import Solid, ball, cylinder

if TYPE_CHECKING:
    from swgrm.transforms import Array

BALL, ROD, SLEEVE = 0.012, 0.006, 0.012  # [m] radii
AXIS = (0.0, 0.0, 1.0)
HEIGHT = 0.4
UP = pose(roll=-90)  # y is up in SolidWorks


def joints(radius: float, spread: float, offset: float) -> list[Array]:
    """Six points in three pairs on a circle."""
    angles = [math.radians(offset + 120 * pair + side * spread) for pair in range(3) for side in (-1, 1)]
    return [np.array([radius * math.cos(angle), radius * math.sin(angle), 0.0]) for angle in angles]


def pointing(start: Array, end: Array) -> Array:
    """The pose of a frame at the start whose z axis points to the end."""
    z = (end - start) / np.linalg.norm(end - start)
    x = np.cross([0.0, 1.0, 0.0], z)
    x /= np.linalg.norm(x)
    T = np.eye(4)
    T[:3, :3] = np.stack([x, np.cross(z, x), z], axis=1)
    T[:3, 3] = start
    return T


def studs(points: list[Array], height: float) -> Solid:
    """A ball above each point."""
    surfaces = [s for p in points for s in ball(BALL).moved(pose(p[0], p[1], height)).surfaces]
    return Solid(tuple(surfaces))


def build() -> Capture:
    """The capture of the platform, slightly tilted."""
    stewart = Assembly("stewart")
    below, above = joints(0.25, 12.0, 0.0), joints(0.15, 48.0, 0.0)
    base_part = Part("base_plate", cylinder(0.3, 0.02).moved(pose(z=-0.03)) + studs(below, 0.0), STEEL)
    base = stewart.part(base_part, UP).fixed()
    T_platform = pose(x=0.02, z=HEIGHT, roll=4, pitch=-3, yaw=5)
    top = cylinder(0.2, 0.015).moved(pose(z=0.03)) + studs(above, 0.0)
    platform_part = Part("platform", top, ALUMINIUM).painted(colour(0.2, 0.7, 0.4))
    platform_part.coordinate_system("tool0", pose(z=0.0375))
    platform = stewart.part(platform_part, UP @ T_platform)
    sleeve = Part("sleeve", cylinder(SLEEVE, 0.2, ROD).moved(pose(z=0.109)), STEEL).painted(colour(0.3, 0.3, 0.3))
    rod = Part("rod", cylinder(ROD, 0.24).moved(pose(z=-0.13)), STEEL)
    for low, high in zip(below, above, strict=True):
        end = (T_platform @ np.array([*high, 1.0]))[:3]
        T_leg = pointing(low, end)
        T_rod = T_leg.copy()
        T_rod[:3, 3] = end
        lower, upper = stewart.part(sleeve, UP @ T_leg), stewart.part(rod, UP @ T_rod)
        stewart.concentric(base.at(sphere(low, BALL)), lower.at(sphere((0, 0, 0), BALL)))
        stewart.concentric(platform.at(sphere(high, BALL)), upper.at(sphere((0, 0, 0), BALL)))
        stewart.concentric(lower.at(shaft((0, 0, 0.1), AXIS, ROD)), upper.at(shaft((0, 0, -0.1), AXIS, ROD)))
    return stewart.capture()
