"""The published algorithm of MoveIt's Setup Assistant (compute_default_collisions.cpp), restated with the same tools.

Joints move independently to uniform random states, and in each state all pairs of links that are not disabled yet are
checked: the default state, blocks of 200 states until none finds a pair that always collides, then the trials for
`Never`. Poses, the quick tests with spheres and boxes, and fcl are those of swgrm, many states at once, so that only
the algorithms differ.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from swgrm.kinematics.forward import Kinematics
from swgrm.kinematics.joint_ranges import joint_spans
from swgrm.model import Robot
from swgrm_exporters.moveit.collision_pairs import PairReason
from swgrm_exporters.moveit.fcl_library import PairTest
from swgrm_exporters.moveit.link_solids import LinkSolid, NearPairs

if TYPE_CHECKING:
    from numpy.typing import NDArray

SMALL_TRIALS, FRACTION = 200, 0.95
Pair = tuple[str, str]


class RestatedResult(NamedTuple):
    """The reasons of the disabled pairs, how many states were checked, and how many tests of two links that took."""

    reasons: dict[Pair, PairReason]
    states: int
    tests: int


class RestatedAlgorithm:
    """Computes the disabled pairs of solids as the Setup Assistant does."""

    def __init__(self, robot: Robot, solids: list[LinkSolid], adjacent: set[Pair]) -> None:
        self.kinematics, self.solids = Kinematics(robot), sorted(solids)
        self.spans = {name: span for name, span in joint_spans(robot).items() if name in self.kinematics.independent}
        self.reasons = dict.fromkeys(adjacent, PairReason.ADJACENT)
        self.near = NearPairs(self.solids)
        every = [(i, j) for i in range(len(solids)) for j in range(i + 1, len(solids))]
        self.ends = np.array([pair for pair in every if self.name(*pair) not in adjacent], np.int64).reshape(-1, 2)
        self.exact = [PairTest(self.solids[i].shapes, self.solids[j].shapes) for i, j in self.ends]
        self.tests = 0

    def name(self, i: int, j: int) -> Pair:
        return self.solids[i].name, self.solids[j].name

    def run(self, trials: int, seed: int) -> RestatedResult:
        random, states = np.random.default_rng(seed), 1
        active = np.arange(len(self.ends))
        default = {name: np.array([span.default]) for name, span in self.spans.items()}
        active = self._disabled(active, self._counts(default, active) > 0, PairReason.DEFAULT)
        seen = np.zeros(len(self.ends), bool)
        while True:
            counts = self._counts(self._drawn(random, SMALL_TRIALS), active)
            states += SMALL_TRIALS
            seen[active] |= counts > 0
            always = counts > FRACTION * SMALL_TRIALS
            active = self._disabled(active, always, PairReason.ALWAYS)
            if not always.any():
                break
        for start in range(0, trials, SMALL_TRIALS):
            count = min(SMALL_TRIALS, trials - start)
            seen[active] |= self._counts(self._drawn(random, count), active) > 0
        self._disabled(active, ~seen[active], PairReason.NEVER)
        return RestatedResult(self.reasons, states + trials, self.tests)

    def _disabled(self, pairs: NDArray[np.int64], chosen: NDArray[np.bool_], why: PairReason) -> NDArray[np.int64]:
        self.reasons.update({self.name(*self.ends[pair]): why for pair in pairs[chosen]})
        return pairs[~chosen]

    def _drawn(self, random: np.random.Generator, count: int) -> dict[str, np.ndarray]:
        return {name: random.uniform(span.low, span.high, count) for name, span in self.spans.items()}

    def _counts(self, q: dict[str, np.ndarray], pairs: NDArray[np.int64]) -> NDArray[np.int64]:
        """In how many states each pair collides."""
        poses = self.kinematics.poses(q)
        T = poses.T[..., [poses.ids[solid.frame] for solid in self.solids], :, :]
        states, near = self.near.find(T, *self.ends[pairs].T)
        T_one, T_other = (T[states, self.ends[pairs][near, side]] for side in (0, 1))
        counts = np.zeros(len(pairs), np.int64)
        for pair, relative in zip(near.tolist(), np.linalg.inv(T_one) @ T_other, strict=True):
            self.tests += 1
            counts[pair] += self.exact[pairs[pair]].touches(relative)
        return counts
