"""The pairs of links that MoveIt need not check for collisions, each with its reason, from states that are possible.

As in MoveIt's Setup Assistant, the first reason that applies is taken:

    Adjacent   a joint connects the links, directly or through links without geometry; also a joint that closes a loop
    Default    they touch in the default state
    Always     they touch in more than 95 % of the first states
    Never      they touch in no state

States are those of `swgrm.kinematics.reachable_states`. A pair that touches in some states and not in others is
decided and not tested again; for the others, spheres and boxes around the links leave out most states before fcl runs.
Two links with one or two joints between them are tested in fewer states, which cover these joints as densely.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

import msgspec
import numpy as np

from swgrm.kinematics.mechanism import RobotMechanism
from swgrm.kinematics.reachable_states import JointStates, reachable_states
from swgrm.meshes.cache import Cache, key
from swgrm.meshes.overlaps import shape_content
from swgrm.meshes.store import MeshFiles
from swgrm.model import Robot
from swgrm_exporters.moveit.fcl_library import PairTest, require_fcl
from swgrm_exporters.moveit.link_solids import LinkSolid, NearPairs, link_solid

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Indices = NDArray[np.int64]
    Mask = NDArray[np.bool_]

ALWAYS_STATES, ALWAYS = 512, 0.95  # of the first states; the share of them above which two links always touch
ONE_JOINT, PER_JOINT = 2048, 2  # states for a pair with one joint between, and how many times more for each further one
BLOCK = 200_000  # pairs times states that are looked at together


class PairReason(StrEnum):
    """Why a pair of links is not checked, in MoveIt's words."""

    ADJACENT = "Adjacent"
    DEFAULT = "Default"
    ALWAYS = "Always"
    NEVER = "Never"
    USER = "User"


class DisabledPair(NamedTuple):
    """Two links that are not checked for collisions, in the order of their names."""

    one: str
    other: str
    reason: str


class PairTable(NamedTuple):
    """The disabled pairs, and how they were found."""

    rows: tuple[DisabledPair, ...]
    links: int  # with collision geometry
    states: int = 0  # that were tested; 0: none
    tests: int = 0  # of two links by fcl


def disabled_pairs(
    robot: Robot,
    named: Robot,
    frames: Mapping[str, str],
    meshes: MeshFiles,
    samples: int,
    seed: int,
    cache: Cache | None = None,
) -> PairTable:
    """The pairs of links that need no check.

    `robot` has the loops, couplings and relations that states must satisfy; `named` is the same robot as the URDF file
    has it, and `frames` are the names in `robot` of its frames that are called otherwise. `meshes` are the files
    that `named` names. Without samples, only adjacent pairs are found, and fcl is not needed.
    """
    shaped = [frame.id for frame in named.frames if any(link.collisions for link in frame.links)]
    adjacent = adjacent_pairs(named, set(shaped))
    if not samples:
        return PairTable(tuple(_rows(dict.fromkeys(adjacent, PairReason.ADJACENT))), len(shaped))
    if shaped:
        require_fcl()
    cache = cache or Cache(None)
    given = msgspec.msgpack.encode((robot, named, dict(frames), samples, seed))
    name = key("moveit pairs", given, *shape_content(named, meshes)) if cache.folder is not None else ""

    def tested() -> PairTable:
        return _tested_pairs(robot, named, frames, meshes, adjacent, reachable_states(robot, samples, seed))

    return cache.kept(name, PairTable, tested) if name else tested()


def _tested_pairs(
    robot: Robot, named: Robot, frames: Mapping[str, str], meshes: MeshFiles, adjacent: set[tuple[str, str]],
    states: JointStates,
) -> PairTable:  # fmt: skip
    solids: list[LinkSolid] = []
    for frame, link in named.links():
        solid = link_solid(link.name, frames.get(frame.id, frame.id), link.collisions, meshes)
        if solid is not None:
            solids.append(solid)
    sampling = PairSampling(robot, sorted(solids), adjacent)
    sampling.run(states)
    return PairTable(tuple(_rows(sampling.reasons)), len(solids), sampling.states, sampling.tests)


def _rows(reasons: Mapping[tuple[str, str], PairReason]) -> Iterable[DisabledPair]:
    return (DisabledPair(*pair, str(reason)) for pair, reason in sorted(reasons.items()))


def adjacent_pairs(robot: Robot, shaped: set[str]) -> set[tuple[str, str]]:
    """The pairs of links that a joint connects; links without geometry, and cut loops, are passed through."""
    edges: dict[str, set[str]] = {frame.id: set() for frame in robot.frames}
    connected = [(frame.id, frame.parent) for frame in robot.frames if frame.parent is not None]
    connected += [(cut.parent_frame, cut.child_frame) for cut in robot.cut_loops]
    for one, other in connected:
        if one in edges and other in edges:
            edges[one].add(other)
            edges[other].add(one)
    found = set()
    for start in shaped:
        stack, seen = [start], {start}
        while stack:
            for each in edges[stack.pop()] - seen:
                seen.add(each)
                if each in shaped:
                    found.add((min(start, each), max(start, each)))
                else:
                    stack.append(each)
    return found


class PairSampling:
    """Tests all pairs of solids in many states; `reasons` has those that need no check."""

    def __init__(self, robot: Robot, solids: list[LinkSolid], adjacent: set[tuple[str, str]]) -> None:
        self.mechanism, self.solids = robot.mechanism, solids
        self.reasons: dict[tuple[str, str], PairReason] = {}
        self.states = self.tests = 0
        names = [solid.name for solid in solids]
        self.reasons.update((pair, PairReason.ADJACENT) for pair in adjacent if {*pair} <= set(names))
        every = [(i, j) for i in range(len(solids)) for j in range(i + 1, len(solids))]
        pairs = [(i, j) for i, j in every if (names[i], names[j]) not in self.reasons]
        ends: Indices = np.array(pairs, np.int64).reshape(-1, 2)
        self._ones, self._others = ends[:, 0], ends[:, 1]
        self._touched = np.zeros(len(pairs), np.int64)  # states in which each pair touches
        self._near = NearPairs(solids)
        self._exact: dict[int, PairTest] = {}

    def run(self, states: JointStates) -> None:
        """Test all pairs in the default state, which is the first, and then in as many states as they need."""
        if not len(self._ones):
            return
        self.states = states.size
        active: Indices = np.arange(len(self._ones))
        active = self._decided(active, self._test(states, 0, 1, active) > 0, PairReason.DEFAULT)
        needed = self._needed(states.size)
        active = self._decided(active, needed[active] <= 1, PairReason.NEVER)
        at, first = 1, min(1 + ALWAYS_STATES, states.size)
        while at < states.size and len(active):
            step = max(16, min(ALWAYS_STATES, BLOCK // len(active)))
            end = min(at + step, first if at < first else states.size)
            self._touched[active] += self._test(states, at, end, active)
            at = end
            if at == first:
                active = self._decided(active, self._touched[active] > ALWAYS * (first - 1), PairReason.ALWAYS)
            if at >= first:
                active = active[self._touched[active] == 0]
                active = self._decided(active, needed[active] <= at, PairReason.NEVER)
        self._decided(active, self._touched[active] == 0, PairReason.NEVER)

    def _needed(self, most: int) -> Indices:
        """The number of states that each pair is tested in, by the number of joints between the links."""
        joints = PathJoints(self.mechanism)
        found = []
        for i, j in zip(self._ones.tolist(), self._others.tolist(), strict=True):
            between = len(joints.between(self.solids[i].frame, self.solids[j].frame))
            found.append(min(most, ONE_JOINT * PER_JOINT ** min(between - 1, 20)) if between else 1)
        return np.array(found, np.int64)

    def _decided(self, pairs: Indices, chosen: Mask, reason: PairReason) -> Indices:
        """Note the reason of the chosen pairs, and return the others."""
        for pair in pairs[chosen].tolist():
            one, other = self.solids[self._ones[pair]].name, self.solids[self._others[pair]].name
            self.reasons[(one, other)] = reason
        return pairs[~chosen]

    def _test(self, states: JointStates, start: int, end: int, pairs: Indices) -> Indices:
        """In how many of some states each pair touches; counting ends where it can no longer be `Always`."""
        frames = [solid.frame for solid in self.solids]
        poses = self.mechanism.kinematics.poses(states.block(start, end), frames)
        T = poses.T[..., [poses.ids[frame] for frame in frames], :, :].reshape(-1, len(frames), 4, 4)
        found, near = self._near.find(T, self._ones[pairs], self._others[pairs])
        T_one_other = np.linalg.inv(T[found, self._ones[pairs][near]]) @ T[found, self._others[pairs][near]]
        touched = np.zeros(len(pairs), np.int64)
        missed = (end - start) - np.bincount(near, minlength=len(pairs))  # the states that the boxes left out
        enough = (1 - ALWAYS) * ALWAYS_STATES if start <= ALWAYS_STATES else -1.0  # later, one touch decides
        for number, pair in enumerate(near.tolist()):
            if touched[pair] + self._touched[pairs[pair]] and missed[pair] > enough:
                continue
            self.tests += 1
            if self._exactly(int(pairs[pair])).touches(T_one_other[number]):
                touched[pair] += 1
            else:
                missed[pair] += 1
        return touched

    def _exactly(self, pair: int) -> PairTest:
        if pair not in self._exact:
            one, other = self.solids[self._ones[pair]], self.solids[self._others[pair]]
            self._exact[pair] = PairTest(one.shapes, other.shapes)
        return self._exact[pair]


class PathJoints:
    """The independent joints that move one frame relative to another; of loops, all joints of the loops."""

    def __init__(self, mechanism: RobotMechanism) -> None:
        robot, loops = mechanism.robot, mechanism.loops
        looped = frozenset(loops.joints)
        self._above: dict[str, frozenset[str]] = {}  # the moving joints from the root to a frame
        self._terms: dict[str, frozenset[str]] = {}
        for frame in robot.walk():
            above = self._above[frame.parent] if frame.parent is not None else frozenset()
            name = frame.joint_name
            self._above[frame.id] = above if frame.is_rigid else above | {name}
            terms = frozenset(loops.terms(frame))
            self._terms[name] = terms | looped if terms & looped else terms

    def between(self, one: str, other: str) -> frozenset[str]:
        """The joints that change the pose of one frame in the other."""
        moving = self._above[one] ^ self._above[other]
        return frozenset().union(*(self._terms[name] for name in moving))
