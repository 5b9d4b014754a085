"""What a closed mechanism leaves to each of its pairs: loops solved in joint coordinates, at finite displacements.

A biconnected block of bodies is opened into a tree of its pairs' own joints; the pairs left over are equations on
the joints' rates. Bodies go D_child = D_parent exp(ξ₁q₁) exp(ξ₂q₂) … from the assembled pose. Freedom at one pose is
not motion: the block is stepped along its null space, corrected by Newton's method, and looked at again there.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from swgrm.inference.chains import Chain, ball, slide, twists_of
from swgrm.inference.equations import NOBODY, Equations, residuals, role_rows
from swgrm.inference.freedom import ANGLE_TOLERANCE, Freedom, tolerances
from swgrm.inference.geometry import Array, adjoint, cross, exponential
from swgrm.inference.graph import spanning_tree
from swgrm.inference.pairs import Pair
from swgrm.inference.reading import read
from swgrm.transforms import inverse

STEP = 0.3  # [rad, or lengths of the block] how far the block is moved to see whether it moves
MOVED = 0.3  # of the step that must be left after correction, to count as motion
ITERATIONS = 25
STILL = ANGLE_TOLERANCE  # [rad, or lengths of the block] a pair that moves less than this, per radian, stands still
CLOSED = 1e-11  # [m] a residual below this is closed


@dataclass(frozen=True, slots=True, eq=False)
class Verdict:
    """What a block leaves its pairs."""

    mobility: int
    chains: dict[tuple[int, int], Chain]  # what remains of each pair, where the loops hold part of it
    is_shaky: bool = False  # it has freedom at the assembled pose that leads nowhere


class Block:
    """A block of pairs made ready for computing."""

    def __init__(self, pairs: Sequence[Pair], extra: Equations) -> None:
        self.pairs = {pair.edge: pair for pair in pairs}
        root = min(min(pair.edge) for pair in pairs)
        steps = spanning_tree(root, list(self.pairs), lambda edge: (_complication(self.pairs[edge]), edge))
        self.nodes = {root: 0} | {step.node: index + 1 for index, step in enumerate(steps)}
        self.parents: list[int] = [0]
        self.columns: list[slice] = [slice(0, 0)]  # of each body's joint to its parent
        twists: list[Array] = []
        in_tree = set()
        for step in steps:
            pair = self.pairs[min(step.node, step.parent), max(step.node, step.parent)]
            own = _twists(pair)
            if pair.edge[0] == step.node:
                own = -own[::-1]
            if pair.is_exact:
                in_tree.add(pair.edge)
            start = self.columns[-1].stop
            self.columns.append(slice(start, start + len(own)))
            self.parents.append(self.nodes[step.parent])
            twists.append(own)
        self.twists = np.concatenate(twists)  # (n, 6)
        self.paths = self._paths()
        closing = [self._absolute(pair) for pair in pairs if pair.edge not in in_tree]
        number = np.array(
            [self.nodes.get(node, NOBODY) for node in range(max(self.nodes) + 1)] + [NOBODY], dtype=np.intp
        )
        extra = replace(extra, first=number[extra.first], second=number[extra.second], mirror=number[extra.mirror])
        self.equations = Equations.stack([*closing, extra])
        centres = np.array([pair.freedom.centre for pair in pairs])
        spread = float(np.linalg.norm(centres - centres.mean(axis=0), axis=1).max())
        self.length = max(spread, *(pair.freedom.length for pair in pairs))
        self.tolerances = tolerances(self.equations)
        self.scale = np.where(self.twists[:, :3].any(axis=1), 1.0, self.length)  # of each coordinate

    def _paths(self) -> Array:
        """Which joints move which body.  # (bodies, n)."""
        paths = np.zeros((len(self.parents), len(self.twists)))
        for body, parent in enumerate(self.parents):
            paths[body] = paths[parent]
            paths[body, self.columns[body]] = 1.0
        return paths

    def _absolute(self, pair: Pair) -> Equations:
        number = np.array([self.nodes[pair.edge[0]], self.nodes[pair.edge[1]], NOBODY], dtype=np.intp)
        local = pair.local
        return replace(local, first=number[local.first], second=number[local.second], mirror=number[local.mirror])

    def motions(self, q: Array) -> tuple[Array, Array]:
        """Each body's motion from the assembled pose, and each joint's twist where it is then."""
        steps = exponential(self.twists * q[:, None])
        D = np.tile(np.eye(4), (len(self.parents), 1, 1))
        before = np.empty((len(self.twists), 4, 4))
        for body in range(1, len(self.parents)):
            T = D[self.parents[body]]
            for column in range(self.columns[body].start, self.columns[body].stop):
                before[column] = T
                T = T @ steps[column]
            D[body] = T
        return D, (adjoint(before) @ self.twists[:, :, None])[:, :, 0]

    def jacobian(self, D: Array, twists: Array) -> Array:
        """The derivative of the closing residuals by the scaled coordinates.  # (m, n)."""
        eq, roles = self.equations, role_rows(self.equations, D)
        J = roles.second @ twists.T * self.paths[eq.second] + roles.first @ twists.T * self.paths[eq.first]
        if roles.mirror is not None:
            J += roles.mirror @ twists.T * self.paths[eq.mirror]
        scaled: Array = J * self.scale
        return scaled

    def null_space(self, D: Array, twists: Array) -> Array:
        """The coordinates' rates that keep the loops closed, each column about one radian or length.  # (n, k)."""
        J = self.jacobian(D, twists) / self.tolerances[:, None]
        _, values, Vt = np.linalg.svd(J, full_matrices=True)
        rank = int((values >= 1.0).sum())
        return Vt[rank:].T

    def close(self, q: Array) -> Array | None:
        """The nearest coordinates that keep the loops closed (Newton, smallest steps); none if there are none."""
        for _ in range(ITERATIONS):
            D, twists = self.motions(q)
            left = residuals(self.equations, D)
            if len(left) == 0 or np.abs(left).max() < CLOSED:
                return q
            step = np.linalg.lstsq(self.jacobian(D, twists), -left, rcond=1e-9)[0]
            q = q + step * self.scale
            if np.abs(step).max() < 1e-13:
                break
        left = residuals(self.equations, self.motions(q)[0])
        return q if (np.abs(left) <= self.tolerances).all() else None

    def moved(self, pair: Pair, D: Array) -> bool:
        """Whether the pair is displaced where the bodies are."""
        low, high = self.nodes[pair.edge[0]], self.nodes[pair.edge[1]]
        gap = np.abs(D[high] - D[low])
        return bool(gap[:3, :3].max() > STILL or gap[:3, 3].max() > STILL * self.length)

    def relative(self, pair: Pair, twists: Array, D: Array, rates: Array) -> Array:
        """The pair's twists under the given rates, in the space of its lower body.  # (6, k)."""
        low, high = self.nodes[pair.edge[0]], self.nodes[pair.edge[1]]
        world = twists.T @ ((self.paths[high] - self.paths[low])[:, None] * rates * self.scale[:, None])
        seen: Array = adjoint(inverse(D[low])) @ world
        return seen


def _twists(pair: Pair) -> Array:
    """The twists of a tree pair: its own, or all six where finite motion along its own leaves the mates."""
    return twists_of(pair.chain if pair.is_exact else (*(slide(axis) for axis in np.eye(3)), ball(pair.freedom.centre)))


def _complication(pair: Pair) -> int:
    return pair.freedom.dimension if pair.is_exact else 6


def solve_block(pairs: Sequence[Pair], extra: Equations, references: Mapping[int, Array]) -> Verdict:
    """What the block leaves its pairs; `extra` are its equations between three bodies."""
    block = Block(pairs, extra)
    start = np.zeros(len(block.twists))
    D, twists = block.motions(start)
    free = block.null_space(D, twists)
    looks = [] if free.shape[1] == 0 else _explore(block, free)
    if not looks:
        return Verdict(0, {pair.edge: () for pair in pairs}, is_shaky=free.shape[1] > 0)
    mobility = max(look.rates.shape[1] for look in looks)
    if mobility == free.shape[1] and any(pair.freedom.dimension > 1 for pair in pairs):
        looks.append(_Look(D, twists, free))
    chains = {}
    for pair in pairs:
        narrowed = _narrow(block, pair, looks, references[pair.edge[0]])
        if narrowed is not None:
            chains[pair.edge] = narrowed
    return Verdict(mobility, chains)


@dataclass(frozen=True, slots=True, eq=False)
class _Look:
    """The block at a displacement: where its bodies and joints are, and how it can go on."""

    D: Array
    twists: Array
    rates: Array  # (n, k)


def _explore(block: Block, free: Array) -> list[_Look]:
    """The block at finite displacements that it can reach, two where a pair may be narrowed; none if it cannot move."""
    looks: list[_Look] = []
    is_simple = all(pair.freedom.dimension == 1 for pair in block.pairs.values())
    for k in range(1, 9):
        weights = np.cos(np.arange(1, free.shape[1] + 1) * (1.7 * k))  # directions that share no symmetry
        direction = free @ weights
        direction /= np.abs(direction).max()
        step = (STEP if k % 2 else STEP / 5) * (0.3 if is_simple else 1.0)
        q = block.close(step * direction * block.scale)
        if q is not None and np.abs(q / block.scale).max() > MOVED * step:
            D, twists = block.motions(q)
            # A block that has one freedom, and moves, has one freedom.
            rates = free if is_simple and free.shape[1] == 1 else block.null_space(D, twists)
            looks.append(_Look(D, twists, rates))
        if len(looks) == (1 if is_simple else 2):
            break
    return looks


def _narrow(block: Block, pair: Pair, looks: Sequence[_Look], reference: Array) -> Chain | None:
    """The chain that remains of a pair, if the loops leave it the same smaller freedom wherever it was looked at."""
    if pair.freedom.dimension == 1:
        return None if any(block.moved(pair, look.D) for look in looks) else ()
    L, c = block.length, pair.freedom.centre
    seen = []
    for look in looks:
        twists = block.relative(pair, look.twists, look.D, look.rates).T  # (k, 6)
        twists[:, 3:] = (twists[:, 3:] + cross(twists[:, :3], c)) / L  # (ω, v/L) about the pair's centre
        seen.append(twists)
    ranks = [_rank(twists) for twists in seen]
    together = np.concatenate(seen)
    rank = _rank(together)
    if rank == 0:
        return ()
    if rank >= pair.freedom.dimension or set(ranks) != {rank}:
        return None
    basis = np.linalg.svd(together, full_matrices=False)[2][:rank].T.copy()
    basis[3:] = basis[3:] * L - cross(basis[:3].T, c).T
    reading = read(Freedom(basis, c, L, np.inf), pair.local, reference)
    return reading.chain if reading.is_exact else None


def _rank(twists: Array) -> int:
    """The number of independent twists above the tolerance; fewer than this turn or slide nowhere."""
    return int((np.linalg.svd(twists, compute_uv=False) > STILL).sum()) if len(twists) else 0
