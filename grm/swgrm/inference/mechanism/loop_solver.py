"""Loops solved in joint coordinates at finite displacements: the motion that they leave each of their pairs.

A biconnected block of bodies is opened into a tree of its pairs' own joints; the remaining pairs give equations on
the joints' rates. Bodies move by D_child = D_parent exp(ξ₁q₁) exp(ξ₂q₂) … from the assembled pose. A null space at one
pose is not yet motion: the block is moved along it, corrected by Newton's method, and its null space computed again.
Blocks of one shape (a hundred equal four-bars) are computed together, with the same result as alone.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from swgrm.inference.geometry.equations import ANGLE_TOLERANCE, MateEquations
from swgrm.inference.geometry.twists import Array, Ints, Mask, adjoint, cross
from swgrm.inference.mechanism.body_pairs import BodyPair
from swgrm.inference.mechanism.chain_search import ChainSearch, find_chains
from swgrm.inference.mechanism.graph import Edge
from swgrm.inference.mechanism.joint_chain import JointChain
from swgrm.inference.mechanism.loop_blocks import BlockBatch, LoopBlock, batch_of
from swgrm.inference.mechanism.twist_space import TwistSpace
from swgrm.transforms import inverse

STEP = 0.3  # [rad, or lengths of the block] how far the block is moved to test whether it can move
MOVED = 0.3  # of the step that must be left after correction, to count as motion
AT_ONCE = 256  # pairs, so that the memory for their twists does not grow with the square of a block's size
SAME_PITCH = 1e-3  # relative: a screw whose pitch changes more than this between displacements is not a screw
STILL = ANGLE_TOLERANCE  # [rad, or lengths of the block] a pair that moves less than this, per radian, does not move


class BlockSolution(Struct, frozen=True, eq=False):
    """The mobility of a block, and the motion that it leaves its pairs."""

    mobility: int
    chains: dict[Edge, JointChain]  # of the pairs whose motion the loops reduce
    is_infinitesimal: bool = False  # mobile to first order at the assembled pose, but not finitely
    tightest: float = np.inf  # of a rigid block: the least violation by a direction that is held, in tolerances
    displaced: tuple[dict[int, Array], ...] = ()  # motions of its bodies to where it was solved, by label


class _DisplacedBlock(Struct, frozen=True, eq=False):
    """A block at a displacement: motions of its bodies, twists of its joints, and the free rates."""

    D: Array
    twists: Array
    rates: Array  # (n, k)


def solve_blocks(
    jobs: Sequence[tuple[Sequence[Edge], Sequence[BodyPair], Ints]],
    equations: MateEquations,
    labels: Ints,
    orientation: Callable[[int], Array],
) -> list[BlockSolution]:
    """The solution of each block; a job is its edges, its pairs, and its equations between three bodies."""
    blocks = [LoopBlock(edges, pairs, extra, equations, labels) for edges, pairs, extra in jobs]
    alike: dict[object, list[int]] = defaultdict(list)
    for number, block in enumerate(blocks):
        alike[number if block.is_large else block.shape].append(number)
    solutions: dict[int, BlockSolution] = {}
    for numbers in alike.values():
        batch = batch_of([blocks[number] for number in numbers], equations)
        for number, displaced, free, tightest in zip(numbers, *_displace(batch), strict=True):
            found = _solution_of(blocks[number], displaced, orientation, is_free=free)
            solutions[number] = found if displaced or free else replace(found, tightest=tightest)
    return [solutions[number] for number in range(len(blocks))]


def _displace(batch: BlockBatch) -> tuple[list[list[_DisplacedBlock]], list[bool], list[float]]:
    """Displacements that each block of a batch can reach, whether it is free at first, and how tightly it is held."""
    D, twists = batch.motions(np.zeros(batch.scale.shape))
    free, tightest = batch.null_spaces(D, twists)
    displaced: list[list[_DisplacedBlock]] = [[] for _ in free]
    of_nullity: dict[int, list[int]] = defaultdict(list)
    for number, rates in enumerate(free):
        of_nullity[rates.shape[1]].append(number)
    for nullity, numbers in of_nullity.items():
        if nullity:
            part = batch if len(numbers) == len(free) else batch.chosen(numbers)
            for number, found in zip(numbers, _explore(part, np.stack([free[k] for k in numbers])), strict=True):
                displaced[number] = found
    for number, found in enumerate(displaced):
        # If the assembled pose has no more free rates than the others, it is used as they are.
        if found and not batch.is_simple and free[number].shape[1] == _mobility(found):
            found.append(_DisplacedBlock(D[number], twists[number], free[number]))
    return displaced, [rates.shape[1] > 0 for rates in free], tightest.tolist()


def settled_basis(free: Array) -> Array:
    """The orthonormal basis of free rates that does not depend on how they were computed.  # (..., n, d) each.

    A decomposition gives some basis F: its signs and, where there are several, its directions are arbitrary. With fixed
    vectors W and Fᵀ W = Q R, R having a positive diagonal, F Q is the same for every basis F of the same space.
    """
    n, d = free.shape[-2:]
    W = np.cos(1.7 * np.outer(np.arange(1, n + 1), np.arange(1, d + 1)))
    Q, R = np.linalg.qr(np.swapaxes(free, -1, -2) @ W)
    signs = np.where(np.diagonal(R, axis1=-2, axis2=-1) < 0, -1.0, 1.0)
    basis: Array = free @ (Q * signs[..., None, :])
    return basis


def _mobility(displaced: Sequence[_DisplacedBlock]) -> int:
    return max(int(at.rates.shape[1]) for at in displaced)


def _explore(batch: BlockBatch, free: Array) -> list[list[_DisplacedBlock]]:
    """Finite displacements that each block can reach: one, or two where the motion of a pair may be reduced.

    A block that cannot move has none. `free` are the rates that are free as assembled.  # (blocks, n, k)
    """
    displaced: list[list[_DisplacedBlock]] = [[] for _ in free]
    basis = settled_basis(free)
    wanted = 1 if batch.is_simple else 2
    for k in range(1, 9):
        open_ones = [number for number, found in enumerate(displaced) if len(found) < wanted]
        if not open_ones:
            break
        part = batch if len(open_ones) == len(displaced) else batch.chosen(open_ones)
        weights = np.cos(np.arange(1, free.shape[2] + 1) * (1.7 * k))  # directions that share no symmetry
        direction = basis[open_ones] @ weights
        direction /= np.abs(direction).max(axis=1, keepdims=True)
        step = (STEP if k % 2 else STEP / 5) * (0.3 if batch.is_simple else 1.0)
        q, worst = part.close(step * direction * part.scale)
        moved: Mask = (worst <= 1.0) & (np.abs(q / part.scale).max(axis=1) > MOVED * step)
        moved &= ~part.only_bends(q, np.where(moved, worst, 0.0))
        D, twists = part.motions(q)
        # A block with one free rate that moves has one free rate wherever it goes.
        is_plain = batch.is_simple and free.shape[2] == 1
        rates = list(free[open_ones]) if is_plain else part.null_spaces(D, twists)[0]
        for place in np.flatnonzero(moved).tolist():
            displaced[open_ones[place]].append(_DisplacedBlock(D[place], twists[place], rates[place]))
    return displaced


def _solution_of(
    block: LoopBlock,
    displaced: Sequence[_DisplacedBlock],
    orientation: Callable[[int], Array],
    *,
    is_free: bool,
) -> BlockSolution:
    """The solution of a block; `is_free`: it has free rates as assembled."""
    if not displaced:
        return BlockSolution(0, {pair.edge: () for pair in block.pairs}, is_infinitesimal=is_free)
    moved = _moved(block, displaced)
    chains = _narrowed(block, [pair for pair in block.pairs if pair.twist_space.dimension > 1], displaced, orientation)
    for pair, moves in zip(block.pairs, moved, strict=True):
        # The direction in which the block was displaced may be one in which a pair stands still.
        if pair.twist_space.dimension == 1 and not (moves or any(_turns(block, pair, at) for at in displaced)):
            chains[pair.edge] = ()
    poses = tuple({label: at.D[body] for label, body in block.nodes.items()} for at in displaced)
    return BlockSolution(_mobility(displaced), chains, displaced=poses)


def _moved(block: LoopBlock, displaced: Sequence[_DisplacedBlock]) -> list[bool]:
    """Which pairs are displaced anywhere."""
    low, high = block.ends
    D = np.array([at.D for at in displaced])
    gap = np.abs(D.take(high, 1) - D.take(low, 1))[..., :3, :]
    least = np.array([STILL, STILL, STILL, STILL * block.length])
    moved: list[bool] = np.logical_or.reduce(gap > least, axis=(0, 2, 3)).tolist()
    return moved


def _relative(block: LoopBlock, pairs: Sequence[BodyPair], at: _DisplacedBlock) -> Array:
    """The twists of pairs under the free rates, in the space of their lower bodies.  # (pairs, 6, k)."""
    low, high = (np.array([block.nodes[pair.edge[side]] for pair in pairs]) for side in (0, 1))
    paths = (block.between(*ends) for ends in zip(low.tolist(), high.tolist(), strict=True))
    moved = np.array([at.twists[joints].T @ (weights[:, None] * at.rates[joints]) for joints, weights in paths])
    found: Array = adjoint(inverse(at.D[low])) @ moved
    return found


def _turns(block: LoopBlock, pair: BodyPair, at: _DisplacedBlock) -> bool:
    """Whether a pair moves under the free rates."""
    return bool(_ranks(_relative(block, [pair], at).swapaxes(1, 2) / [1, 1, 1, *[block.length] * 3]).any())


def _narrowed(
    block: LoopBlock,
    pairs: Sequence[BodyPair],
    displaced: Sequence[_DisplacedBlock],
    orientation: Callable[[int], Array],
) -> dict[Edge, JointChain]:
    """The chains that remain of pairs, where the loops leave the same smaller twist space at every displacement.

    Where a pair stands still for a moment (a rocker at its dead centre), a displacement shows less of that space; two
    others must show all of it, where there are two.
    """
    chains: dict[Edge, JointChain] = {}
    searches: dict[Edge, ChainSearch] = {}
    for start in range(0, len(pairs), AT_ONCE):
        for pair, space in _narrower(block, pairs[start : start + AT_ONCE], displaced):
            if space is None:
                chains[pair.edge] = ()
            else:
                searches[pair.edge] = ChainSearch(space, pair.local, orientation(pair.edge[0]))
    fits = zip(searches, find_chains(list(searches.values())), strict=True)
    return chains | {edge: fit.chain for edge, fit in fits if fit.is_exact}


def _narrower(
    block: LoopBlock, pairs: Sequence[BodyPair], displaced: Sequence[_DisplacedBlock]
) -> Iterator[tuple[BodyPair, TwistSpace | None]]:
    """The pairs whose twist spaces the loops reduce, and what is left of them; None: no motion."""
    L, centres = block.length, np.array([pair.twist_space.centre for pair in pairs])
    found = []
    for at in displaced:
        twists = _relative(block, pairs, at).swapaxes(1, 2).copy()  # (pairs, k, 6)
        twists[..., 3:] = (twists[..., 3:] + cross(twists[..., :3], centres[:, None])) / L  # (ω, v/L) about the centre
        found.append(twists)
    ranks = np.array([_ranks(twists) for twists in found])  # (displacements, pairs)
    _, values, Vt = np.linalg.svd(np.concatenate(found, axis=1), full_matrices=False)
    for k, (pair, rank) in enumerate(zip(pairs, (values > STILL).sum(axis=1).tolist(), strict=True)):
        if rank == 0:
            yield pair, None
        elif rank < pair.twist_space.dimension and (ranks[:, k] == rank).sum() >= min(2, len(ranks)):
            if rank == 1 and _changes_pitch(Vt[k, 0], values[k]):
                continue
            basis = Vt[k, :rank].T.copy()
            basis[3:] = basis[3:] * L - cross(basis[:3].T, centres[k]).T
            yield pair, TwistSpace(basis, centres[k], L, np.inf)


def _changes_pitch(twist: Array, values: Array) -> bool:
    """Whether what is left of a pair is nearly one screw, but not the same one at every displacement.

    A pair that slides far while it hardly rotates has a small rotation rate per length of the block. If this rate
    changes, the twists change by less than `STILL`, and the pitch changes all the same. So the change, the second of
    the singular `values`, is compared with the smaller one of the twist's rotation and translation along its axis.
    Where that is itself within `STILL`, the pair slides or rotates.
    """
    w, v = twist[:3], twist[3:]
    rotation = float(np.linalg.norm(w))
    translation = abs(float(w @ v)) / rotation if rotation > STILL else 0.0
    least = min(rotation, translation)
    change = float(values[1:].max(initial=0.0)) / float(values[0])
    return least > STILL and change > SAME_PITCH * least


def _ranks(twists: Array) -> Ints:
    """The numbers of independent twists above the tolerance; 0 if nothing rotates or translates.  # (pairs, k, 6)."""
    ranks: Ints = (np.linalg.svd(twists, compute_uv=False) > STILL).sum(axis=1)
    return ranks
