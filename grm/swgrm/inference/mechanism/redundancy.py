"""Redundant pairs: pairs in loops whose mates take no freedom away from what the other pairs leave.

The rows of all equations of a block act on the twists of its bodies. A set of rows can be left out without a change of
the rank if each combination of them is also one of the other rows: if the left null space, seen on these rows alone, is
everything. This must hold at every displacement that the block was solved at, not only as assembled.

Which pairs are left out, where there is a choice, depends on an order of the mates (`joints.mate_evidence`): from the
last mate to the first, those whose rows follow from the mates that are left are implied. A pair is left out if all of
its mates are implied. So a mate at the end of the order that takes nothing away changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from functools import cached_property
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from msgspec.structs import replace

from swgrm.inference.geometry.equations import NOBODY, MateEquations, role_rows, tolerances
from swgrm.inference.geometry.twists import Array, Ints, adjoint, cross
from swgrm.inference.mechanism.body_pairs import BodyPair
from swgrm.inference.mechanism.graph import Edge, blocks
from swgrm.inference.mechanism.loop_blocks import HELD, takes_long
from swgrm.inference.mechanism.solver import KinematicLoop, Mechanism

if TYPE_CHECKING:
    from swgrm.inference.mechanism.sparse_stack import SparseRowStack

DEPENDENT = 1e-3  # of a unit combination of rows: how much of it the other rows must contain to replace it


def redundant_pairs(mechanism: Mechanism, candidates: Collection[Edge]) -> list[Edge]:
    """The candidates that can be left out together without a change of mobility, those with most freedom first."""
    wanted = set(candidates)
    found: list[Edge] = []
    for loop in mechanism.loops:
        own = sorted(wanted.intersection(loop.edges), key=lambda edge: (-_dimension(mechanism, edge), edge))
        if not own or loop.is_irreducible:
            continue
        if _is_single(mechanism, loop):
            found += _left_out_of_single(mechanism, loop, own)[:1]
        else:
            found += _left_out(mechanism, loop, own)
    return found


MateOrder = Callable[[int, Edge], tuple[object, ...]]  # the key of a mate, given the pair that it is in


class ReducedMechanism(NamedTuple):
    """A mechanism without implied pairs, the mates that are implied, and the pairs that were left out."""

    mechanism: Mechanism
    implied: frozenset[int]
    left_out: tuple[BodyPair, ...]


def without_implied_pairs(
    mechanism: Mechanism, order: MateOrder, is_ambiguous: Callable[[KinematicLoop], bool]
) -> ReducedMechanism:
    """The mechanism without the pairs that mates before theirs imply.

    Which mates are implied is found only in blocks from which a pair can be left out, and in those that `is_ambiguous`
    names: in others nothing depends on it.
    """
    implied: set[int] = set()
    edges: list[Edge] = []
    loops: list[KinematicLoop] = []
    for loop in mechanism.loops:
        own = sorted(edge for edge in loop.edges if edge in mechanism.pairs)
        if _is_single(mechanism, loop):
            candidates = _left_out_of_single(mechanism, loop, own)
        else:
            candidates = _replaceable(mechanism, loop, own)
        loops.append(loop if candidates else replace(loop, is_irreducible=True))
        if not candidates and not is_ambiguous(loop):
            continue
        found = _implied_mates(mechanism, loop, order)
        implied |= found
        for edge in candidates:
            pair = mechanism.pairs[edge]
            if not pair.is_refined and found.issuperset(mechanism.equations.mate[pair.numbers].tolist()):
                edges.append(edge)
    left_out = tuple(mechanism.pairs[edge] for edge in edges)
    return ReducedMechanism(without_pairs(replace(mechanism, loops=tuple(loops)), edges), frozenset(implied), left_out)


def _implied_mates(mechanism: Mechanism, loop: KinematicLoop, order: MateOrder) -> set[int]:
    """The mates of a block, from the last of the order to the first, that follow from those that are left.

    The pitch of a screw is in no equation, so nothing replaces the mates of a screw pair.
    """
    edges: dict[int, Edge] = {}
    for edge in loop.edges:
        if edge in mechanism.pairs and not mechanism.pairs[edge].is_refined:
            edges |= dict.fromkeys(mechanism.equations.mate[mechanism.pairs[edge].numbers].tolist(), edge)
    stacks = _stacks(mechanism, loop, by_mate=True)
    implied: set[int] = set()
    for mate in sorted(edges, key=lambda mate: order(mate, edges[mate]), reverse=True):
        if all(stack.is_replaceable((mate, mate)) for stack in stacks):
            implied.add(mate)
            stacks = [stack.without((mate, mate)) for stack in stacks]
    return implied


def without_pairs(mechanism: Mechanism, edges: Collection[Edge]) -> Mechanism:
    """The mechanism without redundant pairs, and with the loops that then remain."""
    if not edges:
        return mechanism
    gone = set(edges)
    pairs = {edge: pair for edge, pair in mechanism.pairs.items() if edge not in gone}
    left = replace(mechanism, pairs=pairs)
    loops: list[KinematicLoop] = []
    for loop in mechanism.loops:
        if gone.isdisjoint(loop.edges):
            loops.append(loop)
            continue
        # The bodies of equations between three bodies stay connected, also where a pair of two of them is left out.
        connected = _triple_edges(mechanism, loop.extra)
        kept = {edge for edge in loop.edges if edge not in gone} | connected
        for rest in blocks(kept):
            if len(rest) > 1 and not pairs.keys().isdisjoint(rest):
                part = replace(
                    loop, edges=tuple(rest), extra=_inside(mechanism, loop.extra, rest), is_irreducible=False
                )
                loops.append(replace(part, mobility=_mobility(left, part)))
    return replace(left, loops=tuple(sorted(loops, key=lambda loop: loop.edges)))


def _sides_of(mechanism: Mechanism, extra: Ints) -> tuple[Ints, Ints, Ints]:
    """The bodies of equations between three bodies.  # (m,) each."""
    eq, labels = mechanism.equations, mechanism.labels
    return labels[eq.first[extra]], labels[eq.second[extra]], labels[eq.mirror[extra]]


def _triple_edges(mechanism: Mechanism, extra: Ints) -> set[Edge]:
    """What equations between three bodies connect: each of these to the others."""
    edges: set[Edge] = set()
    for bodies in zip(*(side.tolist() for side in _sides_of(mechanism, extra)), strict=True):
        edges.update(combinations(sorted(set(bodies)), 2))
    return edges


def _inside(mechanism: Mechanism, extra: Ints, edges: Sequence[Edge]) -> Ints:
    """The equations between three bodies that a part of a block has."""
    bodies = [label for edge in edges for label in edge]
    return extra[np.all([np.isin(side, bodies) for side in _sides_of(mechanism, extra)], axis=0)]


def _dimension(mechanism: Mechanism, edge: Edge) -> int:
    return mechanism.pairs[edge].twist_space.dimension


def _is_single(mechanism: Mechanism, loop: KinematicLoop) -> bool:
    """Whether a block is one closed loop of pairs, which no symmetric mate holds in addition."""
    bodies = {label for edge in loop.edges for label in edge}
    is_ring = len(bodies) == len(loop.edges) and all(edge in mechanism.pairs for edge in loop.edges)
    return is_ring and not len(loop.extra)


def _left_out_of_single(mechanism: Mechanism, loop: KinematicLoop, own: Sequence[Edge]) -> list[Edge]:
    """The pairs without which a single loop, then an open chain, has as many degrees of freedom as with them."""
    total = sum(_dimension(mechanism, edge) for edge in loop.edges)
    return [edge for edge in own if loop.mobility == total - _dimension(mechanism, edge)]


def _stacks(mechanism: Mechanism, loop: KinematicLoop, *, by_mate: bool = False) -> list[_RowStack | SparseRowStack]:
    """The rows of a block's pairs at each displacement; symmetric mates do not replace a pair."""
    pairs_only = replace(loop, extra=loop.extra[:0])
    return [_rows_at(mechanism, pairs_only, D, by_mate=by_mate) for D in loop.displaced]


def _replaceable(mechanism: Mechanism, loop: KinematicLoop, own: Sequence[Edge]) -> list[Edge]:
    """The pairs of a block that can be left out one by one."""
    stacks = _stacks(mechanism, loop)
    return [edge for edge in own if stacks and all(stack.is_replaceable(edge) for stack in stacks)]


def _left_out(mechanism: Mechanism, loop: KinematicLoop, own: Sequence[Edge]) -> list[Edge]:
    """The redundant ones of a block's pairs, found one after another."""
    stacks = _stacks(mechanism, loop)
    found: list[Edge] = []
    for edge in own:
        if stacks and all(stack.is_replaceable(edge) for stack in stacks):
            found.append(edge)
            stacks = [stack.without(edge) for stack in stacks]
    return found


def _mobility(mechanism: Mechanism, loop: KinematicLoop) -> int:
    """The mobility of a part of a block: the largest at its displacements."""
    bodies = {label for edge in loop.edges for label in edge}
    ranks = [_rows_at(mechanism, loop, D).rank for D in loop.displaced]
    return 6 * (len(bodies) - 1) - min(ranks)


class _RowStack:
    """The rows of a block at a displacement, in tolerances, on the twists (ω, v/L) of its bodies."""

    def __init__(self, rows: Array, pair: Ints, projector: Array | None = None) -> None:
        """`pair` is the pair of each row; `projector` is that on the left null space, if known.  # (m, n), (m, 2)."""
        self._rows, self._pair = rows, pair
        if projector is not None:
            self._projector = projector

    @property
    def rank(self) -> int:
        return int((np.linalg.svd(self._rows, compute_uv=False) >= HELD).sum())

    @cached_property
    def _projector(self) -> Array:
        """The projector on the left null space: on combinations of rows that add up to nothing.  # (m, m)."""
        U, values, _ = np.linalg.svd(self._rows)
        spare = U[:, int((values >= HELD).sum()) :]
        return np.asarray(spare @ spare.T)

    def is_replaceable(self, edge: Edge) -> bool:
        """Whether each combination of the rows of a pair is also one of the other rows."""
        own = self._places[edge]
        return bool(np.linalg.eigvalsh(self._projector[np.ix_(own, own)]).min(initial=1.0) > DEPENDENT**2)

    def without(self, edge: Edge) -> _RowStack:
        """The stack without the rows of a pair that is replaceable.

        Combinations without some rows: P − P₁ P₁₁⁻¹ P₁ᵀ, the Schur complement of these rows in the projector P.
        """
        own = self._places[edge]
        kept = np.setdiff1d(np.arange(len(self._pair)), own)
        across = self._projector[np.ix_(own, kept)]
        within = self._projector[np.ix_(own, own)]
        projector = self._projector[np.ix_(kept, kept)] - across.T @ np.linalg.solve(within, across)
        return _RowStack(self._rows[kept], self._pair[kept], projector)

    @cached_property
    def _places(self) -> dict[Edge, Ints]:
        return places_of(self._pair)


def places_of(pair: Ints) -> dict[Edge, Ints]:
    """The rows of each pair, where `pair` is the pair of each row.  # (m, 2)."""
    rows: dict[Edge, list[int]] = {}
    for row, (low, high) in enumerate(pair.tolist()):
        rows.setdefault((low, high), []).append(row)
    return {edge: np.array(places, dtype=np.intp) for edge, places in rows.items()}


class _Entries(NamedTuple):
    """Rows in tolerances, each on the twist of one body at the origin; several may be parts of one row."""

    values: Array  # (k, 6)
    row: Ints  # (k,)
    body: Ints  # (k,)


def _rows_at(
    mechanism: Mechanism, loop: KinematicLoop, D: dict[int, Array], *, by_mate: bool = False
) -> _RowStack | SparseRowStack:
    """The rows of the pairs of a block, and of its equations between three bodies.

    Each row has the pair that it belongs to as its owner; `by_mate`: its mate, twice.
    """
    bodies = {label: k for k, label in enumerate(sorted({label for edge in loop.edges for label in edge}))}
    pairs = [mechanism.pairs[edge] for edge in loop.edges if edge in mechanism.pairs]
    screws, plain = ([pair for pair in pairs if pair.is_refined is refined] for refined in (True, False))
    numbers = np.concatenate([*(pair.numbers for pair in plain), loop.extra]).astype(np.intp)
    chosen = mechanism.equations[numbers]
    nobody = (NOBODY, NOBODY)
    if by_mate:
        owners = [nobody] * (5 * len(screws)) + [(mate, mate) for mate in chosen.mate.tolist()]
    else:
        owners = [pair.edge for pair in screws for _ in range(5)] + [pair.edge for pair in plain for _ in pair.numbers]
        owners += [nobody] * len(loop.extra)
    parts = [_screw_rows(pair, bodies, D, 5 * k) for k, pair in enumerate(screws)]
    if len(numbers):
        parts += _equation_rows(chosen, mechanism.labels, bodies, D, 5 * len(screws))
    placed = [_about_centre(pairs, part) for part in parts]
    return _stack(placed, np.array(owners, dtype=np.intp).reshape(-1, 2), len(bodies))


def _about_centre(pairs: Sequence[BodyPair], entries: _Entries) -> _Entries:
    """Rows on (ω, v/L) about the centre of the pairs, L being their length."""
    centres = np.array([pair.twist_space.centre for pair in pairs])
    centre = centres.mean(axis=0)
    reach = float(np.linalg.norm(centres - centre, axis=1).max())
    length = max(reach, *(pair.twist_space.length for pair in pairs))
    values = entries.values.copy()
    values[:, :3] -= cross(centre, values[:, 3:])
    values[:, 3:] *= length
    return entries._replace(values=values)


def _stack(parts: Sequence[_Entries], owners: Ints, bodies: int) -> _RowStack | SparseRowStack:
    m, n = len(owners), 6 * bodies
    if takes_long(m, n):
        from swgrm.inference.mechanism.sparse_stack import SparseRowStack, sparse_rows_of

        return SparseRowStack(sum(sparse_rows_of(*part, (m, n)) for part in parts), owners)
    rows = np.zeros((m, bodies, 6))
    for values, row, body in parts:
        np.add.at(rows, (row, body), values)
    return _RowStack(rows.reshape(m, n), owners)


def _equation_rows(
    equations: MateEquations, labels: Ints, bodies: dict[int, int], D: dict[int, Array], first_row: int
) -> list[_Entries]:
    """The rows of equations on the twists of their first, second and mirroring bodies."""
    sides = [_places(labels, bodies, side) for side in (equations.first, equations.second, equations.mirror)]
    placed = replace(equations, first=sides[0], second=sides[1], mirror=sides[2])
    roles = role_rows(placed, np.stack([D[label] for label in bodies]))
    tolerance = tolerances(equations)[:, None]
    found = []
    for role, side in zip((roles.first, roles.second, roles.mirror), sides, strict=True):
        if role is not None:
            there = np.flatnonzero(side != NOBODY)
            found.append(_Entries((role / tolerance)[there], first_row + there, side[there]))
    return found


def _places(labels: Ints, bodies: dict[int, int], side: Ints) -> Ints:
    return np.array([bodies[int(labels[node])] if node != NOBODY else NOBODY for node in side], dtype=np.intp)


def _screw_rows(pair: BodyPair, bodies: dict[int, int], D: dict[int, Array], first_row: int) -> _Entries:
    """Rows that leave a pair only its own screw, which its equations do not contain."""
    twist = adjoint(D[pair.edge[0]]) @ pair.twist_space.basis[:, 0]
    across = np.linalg.svd(twist[None])[2][1:] / 1e-6
    places = np.repeat([bodies[label] for label in pair.edge], 5)
    return _Entries(np.concatenate([-across, across]), np.tile(first_row + np.arange(5), 2), places)
