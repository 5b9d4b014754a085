"""Redundant pairs: pairs in loops whose mates take no freedom away from what the other pairs leave.

The rows of all equations of a block act on the twists of its bodies. A set of rows can be left out without a change of
the rank if each combination of them is also one of the other rows: if the left null space, seen on these rows alone, is
everything. This must hold at every displacement that the block was solved at, not only as assembled.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from swgrm.inference.geometry.equations import NOBODY, MateEquations, role_rows, tolerances
from swgrm.inference.geometry.twists import Array, Ints, Mask, adjoint, cross
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
        if own and _is_single(mechanism, loop):
            total = sum(_dimension(mechanism, edge) for edge in loop.edges)
            found += [edge for edge in own if loop.mobility == total - _dimension(mechanism, edge)][:1]
        elif own:
            found += _left_out(mechanism, loop, own)
    return found


def without_pairs(mechanism: Mechanism, edges: Collection[Edge]) -> Mechanism:
    """The mechanism without redundant pairs, and with the loops that then remain."""
    if not edges:
        return mechanism
    loops: list[KinematicLoop] = []
    for loop in mechanism.loops:
        if not set(edges).intersection(loop.edges):
            loops.append(loop)
            continue
        left = blocks(edge for edge in loop.edges if edge not in edges)
        loops += [
            replace(
                loop,
                edges=tuple(rest),
                mobility=_mobility(mechanism, loop, rest),
                extra=_inside(mechanism, loop.extra, rest),
            )
            for rest in left
            if len(rest) > 1
        ]
    pairs = {edge: pair for edge, pair in mechanism.pairs.items() if edge not in edges}
    return replace(mechanism, pairs=pairs, loops=tuple(sorted(loops, key=lambda loop: loop.edges)))


def _inside(mechanism: Mechanism, extra: Ints, edges: Sequence[Edge]) -> Ints:
    """The equations between three bodies that a part of a block has."""
    bodies = [label for edge in edges for label in edge]
    eq, labels = mechanism.equations, mechanism.labels
    sides = (eq.first[extra], eq.second[extra], eq.mirror[extra])
    return extra[np.all([np.isin(labels[side], bodies) for side in sides], axis=0)]


def _dimension(mechanism: Mechanism, edge: Edge) -> int:
    return mechanism.pairs[edge].twist_space.dimension


def _is_single(mechanism: Mechanism, loop: KinematicLoop) -> bool:
    """Whether a block is one closed loop of pairs."""
    bodies = {label for edge in loop.edges for label in edge}
    return len(bodies) == len(loop.edges) and all(edge in mechanism.pairs for edge in loop.edges)


def _left_out(mechanism: Mechanism, loop: KinematicLoop, own: Sequence[Edge]) -> list[Edge]:
    """The redundant ones of a block's pairs, found one after another; symmetric mates do not replace a pair."""
    stacks = [_rows_at(mechanism, replace(loop, extra=loop.extra[:0]), loop.edges, D) for D in loop.displaced]
    found: list[Edge] = []
    for edge in own:
        if stacks and all(stack.is_replaceable(edge) for stack in stacks):
            found.append(edge)
            stacks = [stack.without(edge) for stack in stacks]
    return found


def _mobility(mechanism: Mechanism, loop: KinematicLoop, edges: Sequence[Edge]) -> int:
    """The mobility of a part of a block: the largest at its displacements."""
    bodies = {label for edge in edges for label in edge}
    ranks = [_rows_at(mechanism, loop, edges, D).rank for D in loop.displaced]
    return 6 * (len(bodies) - 1) - min(ranks)


class _RowStack(Struct, frozen=True, eq=False, dict=True):
    """The rows of a block at a displacement, in tolerances, on the twists (ω, v/L) of its bodies."""

    rows: Array  # (m, 6 bodies)
    pair: Ints  # (m, 2) the pair of each row

    def without(self, edge: Edge) -> _RowStack:
        kept = ~self._of(edge)
        return _RowStack(self.rows[kept], self.pair[kept])

    def _of(self, edge: Edge) -> Mask:
        own: Mask = (self.pair == edge).all(axis=1)
        return own

    @property
    def rank(self) -> int:
        return int((np.linalg.svd(self.rows, compute_uv=False) >= HELD).sum())

    @cached_property
    def _spare(self) -> Array:
        """The left null space: combinations of rows that add up to nothing.  # (m, k)."""
        U, values, _ = np.linalg.svd(self.rows)
        return np.asarray(U[:, int((values >= HELD).sum()) :])

    def is_replaceable(self, edge: Edge) -> bool:
        own = self._spare[self._of(edge)]
        return own.shape[0] <= own.shape[1] and bool(np.linalg.svd(own, compute_uv=False).min() > DEPENDENT)


class _Entries(NamedTuple):
    """Rows in tolerances, each on the twist of one body at the origin; several may be parts of one row."""

    values: Array  # (k, 6)
    row: Ints  # (k,)
    body: Ints  # (k,)


def _rows_at(
    mechanism: Mechanism, loop: KinematicLoop, edges: Sequence[Edge], D: dict[int, Array]
) -> _RowStack | SparseRowStack:
    """The rows of some pairs of a block, and of its equations between three bodies if these are all in the pairs."""
    bodies = {label: k for k, label in enumerate(sorted({label for edge in edges for label in edge}))}
    pairs = [mechanism.pairs[edge] for edge in edges if edge in mechanism.pairs]
    screws, plain = ([pair for pair in pairs if pair.is_refined is refined] for refined in (True, False))
    owners = [pair.edge for pair in screws for _ in range(5)] + [pair.edge for pair in plain for _ in pair.numbers]
    numbers = [pair.numbers for pair in plain]
    if len(loop.extra) and set(edges) >= {edge for edge in loop.edges if edge not in mechanism.pairs}:
        numbers.append(loop.extra)
        owners += [(NOBODY, NOBODY)] * len(loop.extra)
    parts = [_screw_rows(pair, bodies, D, 5 * k) for k, pair in enumerate(screws)]
    if numbers:
        chosen = mechanism.equations[np.concatenate(numbers)]
        parts += _equation_rows(chosen, mechanism.labels, bodies, D, 5 * len(screws))
    return _stack([_about_centre(pairs, part) for part in parts], np.array(owners, dtype=np.intp), len(bodies))


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
