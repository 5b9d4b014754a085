"""Screw pairs: cylindrical pairs whose rotation and translation a screw mate couples."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from msgspec.structs import replace

from swgrm.inference.geometry.twists import Ints
from swgrm.inference.mates.types import MateType, PlacedMate
from swgrm.inference.mechanism.body_pairs import BodyPair
from swgrm.inference.mechanism.joint_chain import name_of, screw, twists_of
from swgrm.inference.mechanism.twist_space import TwistSpace
from swgrm.model import JointType


def screw_pitch(mate: PlacedMate) -> float:
    """The advance of a screw mate [m/rad], positive if it is right-handed."""
    return mate.numbers.get("travel", float("nan"))


class ScrewMates:
    """The screw mates of an assembly: a cylindrical pair with one of them is a screw joint."""

    def __init__(self, mates: Iterable[PlacedMate]) -> None:
        screws = (mate for mate in mates if mate.type is MateType.SCREW and len(mate.entities) == 2)
        self._pitches = {mate.entities: pitch for mate in screws if np.isfinite(pitch := screw_pitch(mate)) and pitch}
        self._bodies = np.array([[f.node for f in entities] for entities in self._pitches], np.intp).reshape(-1, 2)

    def refine(self, pair: BodyPair, labels: Ints) -> BodyPair:
        """The pair, as a screw joint if it has a screw mate; `labels` are the bodies of all nodes."""
        if not self._pitches or name_of(pair.chain) != "cylindrical":
            return pair
        own = np.flatnonzero((np.sort(labels[self._bodies], axis=1) == pair.edge).all(axis=1))
        if not len(own):
            return pair
        turning = next(simple for simple in pair.chain if simple.type is JointType.REVOLUTE)
        chain = (screw(turning.axis, turning.point, list(self._pitches.values())[own[0]]),)
        twist_space = TwistSpace(
            twists_of(chain).T, pair.twist_space.centre, pair.twist_space.length, pair.twist_space.tightest
        )
        return replace(pair, chain=chain, twist_space=twist_space, is_refined=True)
