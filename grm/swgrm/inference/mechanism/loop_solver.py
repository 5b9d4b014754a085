"""What closed mechanisms leave to each of their pairs: loops solved in joint coordinates, at finite displacements.

A biconnected block of bodies is opened into a tree of its pairs' own joints; the pairs left over are equations on
the joints' rates. Bodies go D_child = D_parent exp(ξ₁q₁) exp(ξ₂q₂) … from the assembled pose. Freedom at one pose is
not motion: the block is stepped along its null space, corrected by Newton's method, and looked at again there.
Blocks of one shape (a robot's hundred four-bars) are computed together; each comes out as it would alone.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from swgrm.inference.geometry.equations import ANGLE_TOLERANCE, MateEquations
from swgrm.inference.geometry.twists import Array, Ints, Mask, adjoint, cross
from swgrm.inference.mechanism.body_pairs import BodyPair
from swgrm.inference.mechanism.chain_search import find_chain
from swgrm.inference.mechanism.graph import Edge
from swgrm.inference.mechanism.joint_chain import JointChain
from swgrm.inference.mechanism.loop_blocks import BlockBatch, LoopBlock
from swgrm.inference.mechanism.twist_space import TwistSpace
from swgrm.transforms import inverse

STEP = 0.3  # [rad, or lengths of the block] how far the block is moved to see whether it moves
MOVED = 0.3  # of the step that must be left after correction, to count as motion
STILL = ANGLE_TOLERANCE  # [rad, or lengths of the block] a pair that moves less than this, per radian, stands still


@dataclass(frozen=True, slots=True, eq=False)
class BlockSolution:
    """What a block leaves its pairs."""

    mobility: int
    chains: dict[Edge, JointChain]  # what remains of each pair, where the loops hold part of it
    is_shaky: bool = False  # it has freedom at the assembled pose that leads nowhere


@dataclass(frozen=True, slots=True, eq=False)
class _DisplacedBlock:
    """A block at a displacement: where its bodies and joints are, and how it can go on."""

    D: Array
    twists: Array
    rates: Array  # (n, k)


def solve_blocks(
    jobs: Sequence[tuple[Sequence[Edge], Sequence[BodyPair], Ints]],
    equations: MateEquations,
    labels: Ints,
    orientation: Callable[[int], Array],
) -> list[BlockSolution]:
    """What each block leaves its pairs; a job is its edges, its pairs, and its equations between three bodies."""
    blocks = [LoopBlock(edges, pairs, extra, equations, labels) for edges, pairs, extra in jobs]
    alike: dict[object, list[int]] = defaultdict(list)
    for number, block in enumerate(blocks):
        alike[block.shape].append(number)
    solutions: dict[int, BlockSolution] = {}
    for numbers in alike.values():
        stack = BlockBatch([blocks[number] for number in numbers], equations)
        for number, looks, shaky in zip(numbers, *_look(stack), strict=True):
            solutions[number] = _judge(blocks[number], looks, orientation, is_shaky=shaky)
    return [solutions[number] for number in range(len(blocks))]


def _look(stack: BlockBatch) -> tuple[list[list[_DisplacedBlock]], list[bool]]:
    """The blocks of a stack where they can go, and whether each has freedom as assembled."""
    D, twists = stack.motions(np.zeros(stack.scale.shape))
    free = stack.null_spaces(D, twists)
    looks: list[list[_DisplacedBlock]] = [[] for _ in free]
    of_nullity: dict[int, list[int]] = defaultdict(list)
    for number, rates in enumerate(free):
        of_nullity[rates.shape[1]].append(number)
    for nullity, numbers in of_nullity.items():
        if nullity:
            part = stack if len(numbers) == len(free) else stack.chosen(numbers)
            for number, seen in zip(numbers, _explore(part, np.stack([free[k] for k in numbers])), strict=True):
                looks[number] = seen
    for number, seen in enumerate(looks):
        # Where the assembled pose has no more freedom than others it is as good a place to look as they are.
        if seen and not stack.is_simple and free[number].shape[1] == _mobility(seen):
            seen.append(_DisplacedBlock(D[number], twists[number], free[number]))
    return looks, [rates.shape[1] > 0 for rates in free]


def _mobility(looks: Sequence[_DisplacedBlock]) -> int:
    return max(int(look.rates.shape[1]) for look in looks)


def _explore(stack: BlockBatch, free: Array) -> list[list[_DisplacedBlock]]:
    """The blocks at finite displacements that they can reach, two where a pair may be narrowed; none if none moves.

    `free` are the rates that are free as assembled.  # (blocks, n, k)
    """
    looks: list[list[_DisplacedBlock]] = [[] for _ in free]
    wanted = 1 if stack.is_simple else 2
    for k in range(1, 9):
        open_ones = [number for number, seen in enumerate(looks) if len(seen) < wanted]
        if not open_ones:
            break
        part = stack if len(open_ones) == len(looks) else stack.chosen(open_ones)
        weights = np.cos(np.arange(1, free.shape[2] + 1) * (1.7 * k))  # directions that share no symmetry
        direction = free[open_ones] @ weights
        direction /= np.abs(direction).max(axis=1, keepdims=True)
        step = (STEP if k % 2 else STEP / 5) * (0.3 if stack.is_simple else 1.0)
        q, closed = part.close(step * direction * part.scale)
        moved: Mask = closed & (np.abs(q / part.scale).max(axis=1) > MOVED * step)
        D, twists = part.motions(q)
        # A block that has one freedom, and moves, has one freedom.
        is_plain = stack.is_simple and free.shape[2] == 1
        rates = list(free[open_ones]) if is_plain else part.null_spaces(D, twists)
        for place in np.flatnonzero(moved).tolist():
            looks[open_ones[place]].append(_DisplacedBlock(D[place], twists[place], rates[place]))
    return looks


def _judge(
    block: LoopBlock, looks: Sequence[_DisplacedBlock], orientation: Callable[[int], Array], *, is_shaky: bool
) -> BlockSolution:
    if not looks:
        return BlockSolution(0, {pair.edge: () for pair in block.pairs}, is_shaky)
    moved = np.any([_moved(block, look.D) for look in looks], axis=0).tolist()
    chains: dict[Edge, JointChain] = {}
    for pair, moves in zip(block.pairs, moved, strict=True):
        is_single = pair.twist_space.dimension == 1
        narrowed = _narrow(block, pair, looks, orientation) if not is_single else None if moves else ()
        if narrowed is not None:
            chains[pair.edge] = narrowed
    return BlockSolution(_mobility(looks), chains)


def _moved(block: LoopBlock, D: Array) -> Mask:
    """Which pairs are displaced where the bodies are.  # (pairs,)."""
    low, high = block.ends
    gap = np.abs(D[high] - D[low])[:, :3]
    moved: Mask = (gap[..., :3].max(axis=(1, 2)) > STILL) | (gap[..., 3].max(axis=1) > STILL * block.length)
    return moved


def _relative(block: LoopBlock, pair: BodyPair, look: _DisplacedBlock) -> Array:
    """The pair's twists under the look's rates, in the space of its lower body.  # (6, k)."""
    low, high = (block.nodes[node] for node in pair.edge)
    weights = (block.paths[high] - block.paths[low]) * block.scale
    seen: Array = adjoint(inverse(look.D[low])) @ (look.twists.T @ (weights[:, None] * look.rates))
    return seen


def _narrow(
    block: LoopBlock, pair: BodyPair, looks: Sequence[_DisplacedBlock], orientation: Callable[[int], Array]
) -> JointChain | None:
    """The chain that remains of a pair, if the loops leave it the same smaller freedom wherever it was looked at."""
    L, c = block.length, pair.twist_space.centre
    seen = []
    for look in looks:
        twists = _relative(block, pair, look).T  # (k, 6)
        twists[:, 3:] = (twists[:, 3:] + cross(twists[:, :3], c)) / L  # (ω, v/L) about the pair's centre
        seen.append(twists)
    ranks = [_rank(twists) for twists in seen]
    together = np.concatenate(seen)
    rank = _rank(together)
    if rank == 0:
        return ()
    if rank >= pair.twist_space.dimension or set(ranks) != {rank}:
        return None
    basis = np.linalg.svd(together, full_matrices=False)[2][:rank].T.copy()
    basis[3:] = basis[3:] * L - cross(basis[:3].T, c).T
    reading = find_chain(TwistSpace(basis, c, L, np.inf), pair.local, orientation(pair.edge[0]))
    return reading.chain if reading.is_exact else None


def _rank(twists: Array) -> int:
    """The number of independent twists above the tolerance; fewer than this turn or slide nowhere."""
    return int((np.linalg.svd(twists, compute_uv=False) > STILL).sum()) if len(twists) else 0
