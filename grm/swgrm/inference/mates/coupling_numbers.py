"""The numbers of coupling mates by SolidWorks' conventions, with signs that refer to the directions of the entities.

`ratio`: the second entity moves that many times as far as the first (gears: about, couplers: along its direction).
`travel` [m/rad]: of a rack along its direction per turn of the pinion about its own; of a screw, positive right-handed.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from swgrm.capture import Gear, LinearCoupler, RackPinion, Screw
from swgrm.inference.geometry.twists import Array, cross, unit
from swgrm.inference.mates.types import GeometryKind, PlacedEntity
from swgrm.settings import ConventionSettings
from swgrm.solidworks.conventions import AssumedConvention, assumed
from swgrm.solidworks.swconst import swRackPinionMateDistanceOptions_e as RackOption
from swgrm.solidworks.swconst import swScrewMateDistanceOptions_e as ScrewOption

LENGTHS: Mapping[int, float] = {  # swLengthUnit_e: [m]
    0: 1e-3, 1: 1e-2, 2: 1.0, 3: 0.0254, 4: 0.3048, 5: 0.3048, 6: 1e-10, 7: 1e-9, 8: 1e-6, 9: 2.54e-5, 10: 2.54e-8,
}  # fmt: skip
ROUND = (GeometryKind.CYLINDER, GeometryKind.CIRCLE)
SAME_RATIO = 0.01  # relative: radii this near to a gear mate's ratio are meant by it


class MateReading(NamedTuple):
    """What a mate's definition is read with."""

    conventions: ConventionSettings
    unit: float  # [m] the linear unit of the document that owns the mate
    entities: tuple[PlacedEntity, ...]
    references: tuple[int, ...]  # the nodes that a linear coupler's entities move relative to, if it has any


class CouplingNumbers(NamedTuple):
    """The numbers of a coupling mate, and the conventions that they rest on."""

    numbers: Mapping[str, float]
    conventions: tuple[AssumedConvention, ...]


def gear(data: Gear, reading: MateReading) -> CouplingNumbers:
    """Gears that are not reversed turn opposite ways."""
    way = reading.conventions.gear_ratio
    size = _quotient(data.gear_ratio_denominator, data.gear_ratio_numerator)
    by_radii = _ratio_of_radii(reading.entities)
    if way == "numerator":
        size = _quotient(1.0, size)
    elif way == "radii" and (_is_same(size, by_radii) or _is_same(1 / by_radii, size)):
        size = by_radii
    elif way == "radii":
        way = "denominator"
    sense, is_known = _facing(reading.entities)
    conventions = [assumed("gearRatio", way)] if abs(abs(size) - 1) > SAME_RATIO else []
    if not is_known:
        conventions.append(AssumedConvention("the direction of rotation of two gears whose axes are not parallel"))
    return CouplingNumbers({"ratio": -sense * size * _sign(data.reverse)}, tuple(conventions))


def contradicting_radii(numbers: Mapping[str, float], entities: tuple[PlacedEntity, ...]) -> bool:
    """Whether the radii of two gears suggest the reciprocal of their ratio: the mate may be the wrong way round."""
    ratio, by_radii = abs(numbers["ratio"]), _ratio_of_radii(entities)
    return _is_same(1 / by_radii, ratio) and not _is_same(by_radii, ratio)


def _ratio_of_radii(entities: tuple[PlacedEntity, ...]) -> float:
    """How far the second of two gears turns per turn of the first if they roll on their radii; NaN if not known."""
    radii = [entity.radius for entity in entities[:2] if entity.kind in ROUND and entity.radius > 0]
    return radii[0] / radii[1] if len(radii) == 2 else float("nan")


def _is_same(a: float, b: float) -> bool:
    """Whether two ratios agree; false where one is not known."""
    return abs(_quotient(a, b) - 1) < SAME_RATIO


def _facing(entities: tuple[PlacedEntity, ...]) -> tuple[float, bool]:
    """+1 if the directions of two gears agree, else −1, and whether this is known: their axes are parallel.

    The directions of bevel gears agree if both point away from where their axes meet, or both towards it.
    """
    if len(entities) < 2:
        return 1.0, True
    a, b = unit(np.array([entities[0].direction, entities[1].direction], float))
    if abs(along := float(a @ b)) > 0.9:
        return float(np.sign(along)), True
    p, x = (np.array(entity.point) for entity in entities[:2])
    normal: Array = cross(a, b)
    size = float(normal @ normal)
    if not size > 0:
        return 1.0, True
    # How far each point lies along its own direction from the common perpendicular of the two axes.
    first = -float(cross(x - p, b) @ normal) / size
    second = -float(cross(x - p, a) @ normal) / size
    if min(abs(first), abs(second)) < 1e-6:
        return 1.0, False
    return float(np.sign(first * second)), False


def linear_coupler(data: LinearCoupler, reading: MateReading) -> CouplingNumbers:
    """Both parts move along the directions of their entities; the numbers are their displacements."""
    ratio = _quotient(data.coupler_ratio_denominator, data.coupler_ratio_numerator) * _sign(data.reverse)
    conventions = [AssumedConvention("that an unreversed coupler moves both parts along their entities")]
    if not reading.references or reading.conventions.coupler_reference == "parent":
        conventions.append(assumed("couplerReference", reading.conventions.coupler_reference))
    own = {"parent": 1.0} if reading.conventions.coupler_reference == "parent" else {}
    return CouplingNumbers({"ratio": ratio, **own}, tuple(conventions))


def rack_pinion(data: RackPinion, reading: MateReading) -> CouplingNumbers:
    """The rack's travel by the pinion's pitch diameter, or per revolution."""
    is_diameter = data.diameter_type == RackOption.swPinionPitchDiameter
    travel = data.diameter_val / 2 if is_diameter else data.diameter_val / (2 * np.pi)
    way = reading.conventions.rack_sense
    sense = 1.0
    if way == "rolling" and len(reading.entities) >= 2:
        rack, pinion = rack_and_pinion(reading.entities)
        reach = np.subtract(rack.point, pinion.point)
        sense = 1.0 if float(cross(np.array(pinion.direction), reach) @ np.array(rack.direction)) >= 0 else -1.0
    return CouplingNumbers({"travel": sense * travel * _sign(data.reverse)}, (assumed("rackSense", way),))


def rack_and_pinion(entities: tuple[PlacedEntity, ...]) -> tuple[PlacedEntity, PlacedEntity]:
    """The rack and the pinion: SolidWorks has the rack first, unless only the first entity is round."""
    first, second = entities[:2]
    return (second, first) if first.kind in ROUND and second.kind not in ROUND else (first, second)


def screw(data: Screw, reading: MateReading) -> CouplingNumbers:
    """A screw's travel, positive if it is right-handed."""
    unit_way, sense_way = reading.conventions.screw_unit, reading.conventions.screw_sense
    conventions = [assumed("screwSense", sense_way)]
    lead = data.revolution_val
    if data.revolution_type != ScrewOption.swDistancePerRevolution:
        lead = _quotient(reading.unit if unit_way == "document" else 1.0, data.revolution_val)
        conventions.append(assumed("screwUnit", unit_way))
    is_right = data.reverse == (sense_way == "reversedIsRight")
    return CouplingNumbers({"travel": _sign(not is_right) * lead / (2 * np.pi)}, tuple(conventions))


def _sign(is_reversed: bool) -> float:
    return -1.0 if is_reversed else 1.0


def _quotient(a: float, b: float) -> float:
    return a / b if b else float("nan")
