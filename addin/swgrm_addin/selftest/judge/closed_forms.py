"""Volume, centre of mass and inertia of the self-test's parts in closed form, from the tables of their features."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

import numpy as np

from swgrm.transforms import Array
from swgrm_addin.selftest.parts import (
    DENSITY,
    PARTS,
    Ball,
    Brick,
    Cone,
    Disc,
    Hole,
    SetCentre,
    SetMass,
    SetMoments,
    SlotCut,
)


class SolidMoments(NamedTuple):
    """A solid: its volume [m³], its centroid [m], and ∫ x·xᵀ dV about the centroid [m⁵]."""

    volume: float
    centre: Array
    spread: Array

    def negative(self) -> SolidMoments:
        """The solid as something that is taken away."""
        return SolidMoments(-self.volume, self.centre, -self.spread)


class MassTruth(NamedTuple):
    """The mass properties of a part: tensor about the centre of mass, along the part's axes."""

    mass: float
    volume: float
    centre: Array
    tensor: Array


def _box(box: Brick) -> SolidMoments:
    size = np.array([box.x2 - box.x1, box.y2 - box.y1, box.height])
    centre = np.array([(box.x1 + box.x2) / 2, (box.y1 + box.y2) / 2, box.start + box.height / 2])
    volume = float(size.prod())
    return SolidMoments(volume, centre, np.diag(volume * size**2 / 12))


def _cylinder(x: float, y: float, radius: float, height: float, start: float) -> SolidMoments:
    volume = np.pi * radius**2 * height
    across, along = volume * radius**2 / 4, volume * height**2 / 12
    return SolidMoments(volume, np.array([x, y, start + height / 2]), np.diag([across, across, along]))


def _half_disc(x: float, y: float, radius: float, height: float, side: Array) -> SolidMoments:
    """Half of a cylinder: the half towards the unit vector `side`, which is across its axis z."""
    volume = np.pi * radius**2 * height / 2
    off = 4 * radius / (3 * np.pi)
    R = np.array([side, [-side[1], side[0], 0.0], [0.0, 0.0, 1.0]]).T
    across = volume * radius**2 / 4
    spread = np.diag([across - volume * off**2, across, volume * height**2 / 12])
    return SolidMoments(volume, np.array([x, y, height / 2]) + off * side, R @ spread @ R.T)


def _slot(slot: SlotCut) -> SolidMoments:
    """A slot along x: a box and two half discs."""
    box = Brick(slot.x1, slot.y1 - slot.width / 2, slot.x2, slot.y1 + slot.width / 2, slot.depth)
    ends = [
        _half_disc(slot.x1, slot.y1, slot.width / 2, slot.depth, np.array([-1.0, 0.0, 0.0])),
        _half_disc(slot.x2, slot.y2, slot.width / 2, slot.depth, np.array([1.0, 0.0, 0.0])),
    ]
    return combined([_box(box), *ends]).negative()


def _ball(ball: Ball) -> SolidMoments:
    volume = 4 / 3 * np.pi * ball.radius**3
    return SolidMoments(volume, np.zeros(3), np.eye(3) * volume * ball.radius**2 / 5)


def _cone(cone: Cone) -> SolidMoments:
    r, h = cone.radius, cone.height
    volume = np.pi * r**2 * h / 3
    across, along = volume * 3 * r**2 / 20, volume * 3 * h**2 / 80
    return SolidMoments(volume, np.array([0.0, h / 4, 0.0]), np.diag([across, along, across]))


SOLIDS: Mapping[type, Callable[..., SolidMoments]] = {
    Brick: _box,
    Disc: lambda disc: _cylinder(disc.x, disc.y, disc.radius, disc.height, disc.start),
    Hole: lambda hole: _cylinder(hole.x, hole.y, hole.radius, hole.depth, 0.0).negative(),
    SlotCut: _slot,
    Ball: _ball,
    Cone: _cone,
}


def combined(solids: list[SolidMoments]) -> SolidMoments:
    """The union of solids that do not overlap; negative ones are taken away."""
    volume = sum(solid.volume for solid in solids)
    centre = sum((solid.volume * solid.centre for solid in solids), start=np.zeros(3)) / volume
    spread = np.zeros((3, 3))
    for solid in solids:
        d = solid.centre - centre
        spread += solid.spread + solid.volume * np.outer(d, d)
    return SolidMoments(volume, centre, spread)


def mass_truth(part: str) -> MassTruth:
    """The mass properties of a part of the tables.

    A mass that was set scales the tensor, as SolidWorks does; a centre that was set does not change it.
    """
    features = PARTS[part]
    solid = combined([SOLIDS[type(each)](each) for each in features if type(each) in SOLIDS])
    mass = next((each.mass for each in features if isinstance(each, SetMass)), DENSITY * solid.volume)
    spread = solid.spread * mass / solid.volume
    centre, tensor = solid.centre, np.trace(spread) * np.eye(3) - spread
    for each in features:
        if isinstance(each, SetCentre):
            centre = np.array(each)
        if isinstance(each, SetMoments):
            tensor = np.array([[each.xx, each.xy, each.xz], [each.xy, each.yy, each.yz], [each.xz, each.yz, each.zz]])
    return MassTruth(mass, solid.volume, centre, tensor)
