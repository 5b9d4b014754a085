"""Couplings between joints: gear, rack and pinion, screw and linear coupler mates, and symmetry of two movers."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np

from swgrm.inference.mechanism.joint_chain import name_of, screw, twists_of
from swgrm.inference.joints.scalar_joints import Coordinate, Coordinates, Key
from swgrm.inference.geometry.equations import Equations, role_rows
from swgrm.inference.mechanism.twist_space import Freedom
from swgrm.inference.geometry.twists import Array, Ints, cross, unit
from swgrm.inference.mates.types import Feature, Mate, MateType
from swgrm.inference.mechanism.body_pairs import Pair
from swgrm.model import JointType

ALONG = 1e-4  # [rad] a joint whose axis is nearer than this to a feature's is along it


@dataclass(frozen=True, slots=True)
class Follow:
    """A joint that follows another: q_follower = ratio · q_leader."""

    follower: Key
    leader: Key
    ratio: float
    mate: int
    assumption: str = ""  # what the API leaves open and was assumed


class NoCoupling(Exception):
    """A coupling mate that ties no two joints, and why."""


def screw_pitch(mate: Mate) -> float:
    """The advance of a screw mate [m/rad], right-handed unless reversed."""
    return mate.numbers.get("travel", float("nan")) * (-1.0 if mate.numbers.get("reverse") else 1.0)


class Screws:
    """The screw mates of an assembly: a cylindrical pair with one of them is a screw."""

    def __init__(self, mates: Iterable[Mate]) -> None:
        screws = (mate for mate in mates if mate.type is MateType.SCREW and len(mate.features) == 2)
        self._pitches = {mate.features: pitch for mate in screws if np.isfinite(pitch := screw_pitch(mate)) and pitch}
        self._bodies = np.array([[f.body for f in features] for features in self._pitches], np.intp).reshape(-1, 2)

    def refine(self, pair: Pair, labels: Ints) -> Pair:
        """The pair, or the screw that it is; `labels` are the bodies of all nodes."""
        if name_of(pair.chain) != "cylindrical":
            return pair
        own = np.flatnonzero((np.sort(labels[self._bodies], axis=1) == pair.edge).all(axis=1))
        if not len(own):
            return pair
        turning = next(move for move in pair.chain if move.type is JointType.REVOLUTE)
        chain = (screw(turning.axis, turning.point, list(self._pitches.values())[own[0]]),)
        freedom = Freedom(twists_of(chain).T, pair.freedom.centre, pair.freedom.length, pair.freedom.tightest)
        return replace(pair, chain=chain, freedom=freedom, is_refined=True)


def couple(number: int, mate: Mate, coordinates: Coordinates, labels: Ints) -> Follow | None:
    """The coupling that a mate makes; none if it is a screw that its pair already has."""
    if len(mate.features) < 2:
        raise NoCoupling(f"it has {len(mate.features)} of the two entities that it needs")
    if ("travel" if mate.type in (MateType.RACK_PINION, MateType.SCREW) else "ratio") not in mate.numbers:
        raise NoCoupling("its definition could not be read, so its ratio is not known")
    first, second = mate.features[:2]
    types = _TYPES[mate.type]
    if mate.type is MateType.RACK_PINION and _joint(first, types[0], coordinates, labels) is None:
        first, second = second, first
    if mate.type is MateType.SCREW:
        return _couple_screw(number, mate, coordinates, labels)
    one, other = (_joint(f, t, coordinates, labels) for f, t in ((first, types[0]), (second, types[1])))
    if one is None or other is None:
        lost = first if one is None else second
        raise NoCoupling(f"no {types[0 if one is None else 1]} joint moves its {lost.kind} about or along itself")
    ratio, assumption = _RATIOS[mate.type](mate, first, second, one, other)
    if not np.isfinite(ratio) or ratio == 0:
        raise NoCoupling("its ratio is not a number")
    return Follow(other.key, one.key, float(ratio), number, assumption)


_TYPES = {
    MateType.GEAR: (JointType.REVOLUTE, JointType.REVOLUTE),
    MateType.RACK_PINION: (JointType.REVOLUTE, JointType.PRISMATIC),
    MateType.LINEAR_COUPLER: (JointType.PRISMATIC, JointType.PRISMATIC),
    MateType.SCREW: (JointType.REVOLUTE, JointType.PRISMATIC),
}


def _joint(feature: Feature, kind: JointType, coordinates: Coordinates, labels: Ints) -> Coordinate | None:
    """The joint of the feature's body that turns about, or slides along, the feature."""
    direction = unit(np.array(feature.direction, float))
    options = [c for c in coordinates.own(int(labels[feature.body])) if c.move.type is kind]
    aligned = [c for c in options if np.linalg.norm(cross(c.move.axis, direction)) < ALONG]
    if kind is JointType.REVOLUTE:
        aligned = [
            c for c in aligned if np.linalg.norm(cross(np.array(feature.point) - c.move.point, direction)) < 1e-4
        ]
    if not aligned and kind is JointType.PRISMATIC and len(options) == 1:
        return options[0]
    return aligned[0] if aligned else None


def _gear(mate: Mate, _first: Feature, _second: Feature, one: Coordinate, other: Coordinate) -> tuple[float, str]:
    """Teeth in mesh move alike: ω₁r₁ = −ω₂r₂ about one direction; an inner wheel turns the same way."""
    ratio = mate.numbers["ratio"] * (-1.0 if not mate.numbers.get("reverse") else 1.0)
    along = float(one.move.axis @ other.move.axis)
    if abs(along) < 0.9:
        return ratio, "the sense of two gears whose axes are not parallel"
    return ratio * np.sign(along), "that gears which are not reversed turn opposite ways"


def _rack(mate: Mate, _first: Feature, second: Feature, one: Coordinate, other: Coordinate) -> tuple[float, str]:
    """The pitch point's speed along the rack: v = (u × (r − p)) · d per radian; its sign is geometry's."""
    reach = np.array(second.point) - one.move.point
    sense = float(cross(one.move.axis, reach) @ other.move.axis)
    sign = (1.0 if sense >= 0 else -1.0) * (-1.0 if mate.numbers.get("reverse") else 1.0)
    assumption = "that an unreversed rack rolls on its pinion" if abs(sense) > 1e-9 else "the rack's sense"
    return sign * mate.numbers["travel"], assumption


def _coupler(mate: Mate, first: Feature, second: Feature, one: Coordinate, other: Coordinate) -> tuple[float, str]:
    a, b = unit(np.array([first.direction, second.direction], float))
    sense = np.sign(float(one.move.axis @ a) or 1.0) * np.sign(float(other.move.axis @ b) or 1.0)
    return mate.numbers["ratio"] * sense * (-1.0 if mate.numbers.get("reverse") else 1.0), (
        "that an unreversed coupler moves both along their entities"
    )


_RATIOS = {MateType.GEAR: _gear, MateType.RACK_PINION: _rack, MateType.LINEAR_COUPLER: _coupler}


def _couple_screw(number: int, mate: Mate, coordinates: Coordinates, labels: Ints) -> Follow | None:
    """A screw mate between a part that turns and a part that slides: the slide follows the turn."""
    first, second = mate.features[:2]
    bodies = [int(labels[f.body]) for f in (first, second)]
    if any(c.move.type is JointType.SCREW for body in bodies for c in coordinates.own(body)):
        return None
    for turner, slider in ((first, second), (second, first)):
        one = _joint(turner, JointType.REVOLUTE, coordinates, labels)
        other = _joint(slider, JointType.PRISMATIC, coordinates, labels)
        if one is not None and other is not None:
            sense = np.sign(float(one.move.axis @ other.move.axis))
            # A nut held from turning goes back as a right-handed screw turns forward.
            return Follow(
                other.key,
                one.key,
                -screw_pitch(mate) * float(sense),
                number,
                "that an unreversed screw is right-handed",
            )
    raise NoCoupling("it ties neither a cylindrical pair nor a part that turns to one that slides along it")


def couple_symmetric(number: int, equations: Equations, coordinates: Coordinates, labels: Ints) -> Follow | None:
    """Two movers that a symmetric mate makes images of each other, if one speed of theirs follows from the other."""
    bodies = [int(labels[side[0]]) for side in (equations.first, equations.second, equations.mirror)]
    ways = [coordinates.between(bodies[2], body) for body in bodies[:2]]
    if any(len(way) != 1 for way in ways):
        return None
    (one, sign_one), (other, sign_other) = ways[0][0], ways[1][0]
    rows = role_rows(equations)
    rate_one: Array = rows.first @ one.twist * sign_one
    rate_other: Array = rows.second @ other.twist * sign_other
    if not np.abs(rate_other).max() > 1e-9:
        return None
    ratio = -float(rate_one @ rate_other / (rate_other @ rate_other))
    if np.abs(rate_one + ratio * rate_other).max() > 1e-6:
        return None
    return Follow(other.key, one.key, ratio, number)
