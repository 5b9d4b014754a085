"""Joint positions that cover what a robot can do: inside the ranges, couplings and relations fulfilled, loops closed.

Joints outside loops are sampled by a scrambled Halton sequence, stretched a little, so that some of the positions are
at the limits. Joints of loops take closed configurations that walks from the assembled pose reach. States in which a
joint that follows others is outside its own range are left out.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from swgrm.kinematics.loop_walks import LoopWalks
from swgrm.model import Robot

if TYPE_CHECKING:
    from swgrm.kinematics.closed_loops import ClosedLoops
    from swgrm.kinematics.forward import Kinematics
    from swgrm.kinematics.joint_ranges import JointSpan
    from swgrm.transforms import Array

AT_LIMITS = 0.05  # of the positions, at each limit of a joint
LOOP_SHARE = 4  # a closed configuration of the loops is used so often, with other positions of the other joints
LEAST = 0.1  # of the states must fulfil the ranges of followers; else these are not used


class JointStates(NamedTuple):
    """Positions of the independent joints, by name: the default state first; quaternions of ball joints."""

    positions: dict[str, Array]  # (states,), (states, 4)

    @property
    def size(self) -> int:
        """The number of states; one for a robot without joints."""
        return min((len(each) for each in self.positions.values()), default=1)

    def block(self, start: int, end: int) -> dict[str, Array]:
        """Some of the states, the end not included."""
        return {name: each[start:end] for name, each in self.positions.items()}


def reachable_states(robot: Robot, count: int, seed: int) -> JointStates:
    """About `count` states, the same for the same seed: the default state, then those that were sampled."""
    loops, spans = robot.mechanism.loops, robot.mechanism.ranges
    walks = LoopWalks(robot) if robot.loop_joints else None
    looped = walks.joints if walks else ()
    free = [name for name in loops.columns if name not in looped]
    sizes = [loops.columns[name].stop - loops.columns[name].start for name in free]
    u = halton_points(sum(sizes) + 1, max(count, 1), seed)
    found: dict[str, Array] = {}
    at = 1
    for name, size in zip(free, sizes, strict=True):
        found[name] = _rotations(u[:, at : at + 3]) if size == 3 else _stretched(u[:, at], spans[name])
        at += size
    if walks is not None:
        closed = walks.states(math.ceil(count / LOOP_SHARE), np.random.default_rng(seed))
        chosen = (u[:, 0] * len(closed[looped[0]])).astype(int)
        found |= {name: each[chosen] for name, each in closed.items()}
    found = _within_ranges(loops.kinematics, found, spans)
    start = _default(robot, loops, spans)
    return JointStates({name: np.concatenate([start[name][None], found[name]]) for name in start})


def default_state(robot: Robot) -> dict[str, Array]:
    """The independent joints at zero, or in the middle of a range without zero, and the loops closed."""
    return _default(robot, robot.mechanism.loops, robot.mechanism.ranges)


def _default(robot: Robot, loops: ClosedLoops, spans: Mapping[str, JointSpan]) -> dict[str, Array]:
    start = loops.start()
    q = {name: np.array(spans[name].default) if at.ndim == 0 else at for name, at in start.items()}
    closed = loops.closed(q) if robot.loop_joints else q
    return closed if closed is not None else start


def halton_points(dimensions: int, count: int, seed: int) -> Array:
    """Points of a scrambled Halton sequence in the unit cube.  # (count, dimensions).

    The coordinate of the point n in the prime base b is x = Σ π_k(d_k) / b^(k+1), where d_k are the digits of n and
    π_k are random permutations of the digits (A. B. Owen, "A randomized Halton algorithm in R", arXiv:1706.02808).
    Every beginning of the sequence is spread evenly. `scipy.stats` has such sequences too, but loading it takes longer
    than a small export.
    """
    generator = np.random.default_rng(seed)
    points = np.zeros((count, dimensions))
    for column, base in enumerate(_primes(dimensions)):
        digits_left = np.arange(count)
        weight = 1.0 / base
        # Beyond the last digit of n all digits are zero. They are permuted as well, down to the last bit of x.
        while weight > np.finfo(float).eps / base:
            permutation = generator.permutation(base)
            points[:, column] += permutation[digits_left % base] * weight
            digits_left //= base
            weight /= base
    return np.minimum(points, np.nextafter(1.0, 0.0))


def _primes(count: int) -> list[int]:
    primes: list[int] = []
    candidate = 2
    while len(primes) < count:
        if all(candidate % prime for prime in primes):
            primes.append(candidate)
        candidate += 1
    return primes


def _stretched(u: Array, span: JointSpan) -> Array:
    share = u if span.turns else np.clip((u - AT_LIMITS) / (1 - 2 * AT_LIMITS), 0.0, 1.0)
    return np.asarray(span.low + share * (span.high - span.low))


def _rotations(u: Array) -> Array:
    """Quaternions that are uniform over all rotations (Shoemake 1992).  # (n, 4)."""
    a, b = np.sqrt(1 - u[:, 0]), np.sqrt(u[:, 0])
    one, two = 2 * np.pi * u[:, 1], 2 * np.pi * u[:, 2]
    return np.stack([a * np.sin(one), a * np.cos(one), b * np.sin(two), b * np.cos(two)], axis=1)


def _within_ranges(kinematics: Kinematics, q: dict[str, Array], spans: Mapping[str, JointSpan]) -> dict[str, Array]:
    """The states in which joints that follow others are in their ranges."""
    followers = kinematics.followers
    if not followers or not q:
        return q
    scalars = {name: at for name, at in q.items() if at.ndim == 1}
    inside = np.ones(len(next(iter(q.values()))), bool)
    for name, at in kinematics.positions(scalars).items():
        if name in followers:
            inside &= spans[name].contains(at)
    return {name: each[inside] for name, each in q.items()} if inside.mean() >= LEAST else q
