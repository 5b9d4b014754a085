"""Blocks of bodies opened into trees, and batches of blocks of one shape that are computed together.

How the tolerances relate to noise: a mate solver leaves every part off by some ε (up to about 1e-8 m and rad). In a
loop with redundant equations (three of a planar four-bar's six) ε makes these independent of the others, with
singular values of about ε per radian, or per length of the block.

- Rank: each row is divided by its tolerance (1 µm, 10 µrad), so that a singular value is the violation, in tolerances,
  by a motion of one radian or one length. At 1 or more the direction is held, below it is free. Noise is a hundredth
  of that or less, and a true constraint is 1e4 or more. Newton's method has to decide as the null space does: if it
  corrects along a direction that only noise holds, it takes back the whole motion, and the loop seems rigid.
- Closing: only what the held directions can correct must vanish, to 1e-5 tolerances. The rest is ε times the
  displacement; a displacement counts as closed while it is below one tolerance.
- Step: an arch that moves to first order only violates its equations by about L δ² at δ; of second order by L δ³, and
  so on. Newton's method takes it back to where the derivative falls below the rank tolerance: δ = 1e-6, 1e-3, 1e-2 for
  L of about a metre. The first two are far below the steps of `loop_solver`, so such arches do not move. For higher
  orders, what stays open tells them from noise: a tenth of the displacement leaves a tenth of the violation by noise,
  but at most a ten-thousandth of that of an arch (`BlockBatch.only_bends`).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from operator import neg
from typing import NamedTuple

import numpy as np
from msgspec.structs import replace

from swgrm.inference.geometry.equations import (
    LENGTH_TOLERANCE,
    NOBODY,
    MateEquations,
    PlacedEquations,
    place,
    residuals_at,
    role_rows_at,
    tolerances,
)
from swgrm.inference.geometry.twists import Array, Ints, Mask, adjoint, dot, exponential, lengths_of
from swgrm.inference.mechanism.body_pairs import BodyPair
from swgrm.inference.mechanism.graph import Edge, spanning_tree
from swgrm.inference.mechanism.joint_chain import JointChain, ball, prismatic, twist_rows_of
from swgrm.inference.mechanism.twist_structure import alike

ITERATIONS = 25
HELD = 1.0  # [tolerances per radian, or per length of the block] a direction with less than this is free
CLOSED = 1e-5  # [tolerances] a residual below this is closed
BENDS = 1 / 300  # of its violation that a tenth of a displacement leaves: less than this is an arch, more is noise
MOST_RADIANS = 50.0  # that a screw turns by in one unit
NOISY_RADIANS = 5.0  # in one unit, up to which the noise of poses stays far below the tolerances
LONG = 300  # joints from which on those between two bodies are sought, instead of using all
DENSE = 2e8  # operations, about, up to which a block is decomposed densely
SETTLED = 1e-13  # [rad, or lengths of the block] a step below this changes nothing
_IDENTITY: Array = np.eye(4)


def takes_long(m: int, n: int) -> bool:
    """Whether the dense decomposition of m rows of n numbers would take long."""
    return m * n * min(m, n) > DENSE


class JointOrder(NamedTuple):
    """What the joints of a tree multiply with; places count from 1, and 0 is the root."""

    before: Ints  # (n,) of each joint: the place of the joint before it
    last: Ints  # (bodies,) of each body: the place of the last joint that moves it
    levels: Sequence[tuple[Ints, Ints, Ints]]  # joints that are equally far from the root, their places, those before


class LoopBlock:
    """A block of pairs opened into a tree: parents and joints of the bodies, and the equations that close loops."""

    def __init__(
        self, edges: Sequence[Edge], pairs: Sequence[BodyPair], extra: Ints, whole: MateEquations, labels: Ints
    ) -> None:
        """Open a block; `extra` are its equations between three bodies, `labels` the bodies of all nodes."""
        self.pairs = tuple(pairs)
        by_edge = {pair.edge: pair for pair in pairs}
        centres = np.array([pair.twist_space.centre for pair in pairs])
        steps = spanning_tree(edges[0][0], edges, lambda edge: (_complication(by_edge.get(edge)), edge))
        root = edges[0][0]
        self.nodes = {root: 0} | {step.node: index + 1 for index, step in enumerate(steps)}
        self.parents = (0, *(self.nodes[step.parent] for step in steps))
        self.ends = tuple(np.array([self.nodes[edge[side]] for edge in by_edge]) for side in (0, 1))
        rows: list[Sequence[float]] = []
        stops = [0]
        closing = dict(by_edge)
        for step in steps:
            pair = by_edge.get((min(step.node, step.parent), max(step.node, step.parent)))
            own = twist_rows_of(pair.chain if pair and pair.is_exact else _floating(centres[0]))
            rows += own if step.node > step.parent else [tuple(map(neg, row)) for row in reversed(own)]
            stops.append(len(rows))
            if pair and pair.is_exact:
                del closing[pair.edge]
        self.stops = tuple(stops)  # of each body's joints to its parent
        self.twists = np.array(rows)  # (n, 6)
        self.numbers = np.concatenate([*(pair.numbers for pair in closing.values()), extra])  # of closing equations
        self.bodies = tuple(
            tuple(self.nodes[body] if node != NOBODY else NOBODY for node, body in zip(side, on, strict=True))
            for side, on in ((s.tolist(), labels.take(s).tolist()) for s in _sides(whole, self.numbers))
        )
        spread = float(lengths_of(centres - np.add.reduce(centres) / len(centres)).max())
        self.length = max(spread, *(pair.twist_space.length for pair in pairs))
        self.rotates: Mask = np.logical_or.reduce(self.twists[:, :3], axis=1)
        self.is_simple = all(pair.twist_space.dimension == 1 for pair in pairs)
        forms = whole.form.take(self.numbers).tobytes()
        self.shape = (self.parents, self.stops, self.bodies, self.rotates.tobytes(), forms, self.is_simple)

    @cached_property
    def scale(self) -> Array:
        """The unit of each coordinate, see `_scales`.  # (n,)."""
        return _scales(self.twists, self.rotates, self.length)

    @cached_property
    def order(self) -> JointOrder:
        """The joints in the order in which their motions multiply."""
        before: list[int] = []
        last = [0]
        depth = [0]  # of the root, and of each joint
        for body in range(1, len(self.parents)):
            place = last[self.parents[body]]
            for joint in range(self.stops[body - 1], self.stops[body]):
                before.append(place)
                depth.append(depth[place] + 1)
                place = joint + 1
            last.append(place)
        places = np.array(before)
        levels = [np.array(joints) for joints in alike(depth[1:])]
        return JointOrder(places, np.array(last), [(joints, joints + 1, places[joints]) for joints in levels])

    @property
    def is_large(self) -> bool:
        """Whether a dense decomposition of its closing equations would take long."""
        return takes_long(len(self.numbers), len(self.twists))

    def between(self, low: int, high: int) -> tuple[list[int] | slice, Array]:
        """The joints between two bodies, and the scaled sense in which each moves the second.

        Of a short block, all joints: the sense of those that are not between the bodies is 0.
        """
        if len(self.twists) < LONG:
            return slice(None), (self.paths[high] - self.paths[low]) * self.scale
        senses: dict[int, float] = {}
        while low != high:  # parents come before their children
            body, sense = max((low, -1.0), (high, 1.0))
            senses |= dict.fromkeys(range(self.stops[body - 1], self.stops[body]), sense)
            low, high = (self.parents[body], high) if body == low else (low, self.parents[body])
        columns = sorted(senses)
        return columns, np.array([senses[k] for k in columns]) * self.scale[columns]

    @cached_property
    def paths(self) -> Array:
        """Which joints move which body.  # (bodies, n)."""
        paths = np.zeros((len(self.parents), len(self.twists)))
        for body in range(1, len(self.parents)):
            paths[body] = paths[self.parents[body]]
            paths[body, self.stops[body - 1] : self.stops[body]] = 1.0
        return paths


def _sides(equations: MateEquations, numbers: Ints) -> tuple[Ints, Ints, Ints]:
    return equations.first.take(numbers), equations.second.take(numbers), equations.mirror.take(numbers)


def _scales(twists: Array, rotates: Mask, length: Array | float) -> Array:
    """The unit of each coordinate: a radian, or the block's length; of a screw, as many turns as make this length.

    Without that a fine screw moves the block so little that Newton's method would rather take back the motion of all
    other joints.  # (..., n)
    """
    pitch = np.abs(dot(twists[..., :3], twists[..., 3:]))
    is_screw = pitch > LENGTH_TOLERANCE
    radians = np.clip(length / np.where(is_screw, pitch, length), 1.0, MOST_RADIANS) if is_screw.any() else 1.0
    return np.where(rotates, radians, length)


def _floating(point: Array) -> JointChain:
    """Six-DOF placeholder for pairs without an exact joint chain, or connected only through a third body."""
    return (*(prismatic(axis) for axis in np.eye(3)), ball(point))


def _complication(pair: BodyPair | None) -> int:
    """The rank of a pair for the tree: simple pairs first, refined ones always: equations do not hold their pitch."""
    if pair is None:
        return 7
    if pair.is_refined:
        return 0
    return pair.twist_space.dimension if pair.is_exact else 6


class BlockBatch:
    """Blocks of one shape; every array has the block as its first index."""

    def __init__(self, blocks: Sequence[LoopBlock], equations: MateEquations) -> None:
        self.blocks, self._all = blocks, equations
        self._moved: tuple[Array, Array, Array] | None = None
        self._placed: tuple[Array, PlacedEquations] | None = None
        one = blocks[0]
        self.is_simple = one.is_simple
        self._twists = np.array([block.twists for block in blocks])
        lengths = np.array([block.length for block in blocks])[:, None]
        self.scale = _scales(self._twists, np.array([block.rotates for block in blocks]), lengths)
        self._bodies = np.array(one.bodies, dtype=np.intp)
        shift = len(one.parents) * np.arange(len(blocks))[:, None]
        bodies = self._bodies[:, None]  # (3, blocks, m)
        first, second, mirror = np.where(bodies == NOBODY, NOBODY, bodies + shift).reshape(3, -1)
        chosen = equations[np.concatenate([block.numbers for block in blocks])]
        self._equations = replace(chosen, first=first, second=second, mirror=mirror)
        # Noise violates the equations by ε per radian. Where a unit is many radians, as many tolerances are allowed.
        rotations = np.where(np.array([block.rotates for block in blocks]), self.scale, 1.0)
        slack = np.maximum(rotations.max(axis=1) / NOISY_RADIANS, 1.0)
        self._tolerances = tolerances(chosen).reshape(len(blocks), -1) * slack[:, None]

    def chosen(self, numbers: Sequence[int]) -> BlockBatch:
        """Some of the blocks."""
        return type(self)([self.blocks[number] for number in numbers], self._all)

    def motions(self, q: Array) -> tuple[Array, Array]:
        """Each body's motion from the assembled pose, and each joint's twist where it is then; the last are kept."""
        if self._moved and (self._moved[0] == q).all():
            return self._moved[1:]
        order = self.blocks[0].order
        if not q.any():
            D = np.empty((len(q), len(order.last), 4, 4))
            D[:] = _IDENTITY
            self._moved, self._placed = (q.copy(), D, self._twists + 0.0), (D, place(self._equations))
            return self._moved[1:]
        steps = exponential(self._twists * q[..., None])
        after = np.empty((len(q), steps.shape[1] + 1, 4, 4))  # each joint; at first the root
        after[:, 0] = _IDENTITY
        for joints, places, before in order.levels:
            after[:, places] = after.take(before, 1) @ steps.take(joints, 1)
        twists = (adjoint(after.take(order.before, 1)) @ self._twists[..., None])[..., 0]
        self._moved = q.copy(), after.take(order.last, 1), twists
        return self._moved[1:]

    def _residuals(self, D: Array) -> Array:
        """The closing residuals, in tolerances.  # (blocks, m)."""
        off: Array = residuals_at(self._equations, self._place(D)).reshape(len(D), -1) / self._tolerances
        return off

    def _place(self, D: Array) -> PlacedEquations:
        """The closing equations where the bodies are; the last are kept."""
        if self._placed is None or self._placed[0] is not D:
            self._placed = D, place(self._equations, D.reshape(-1, 4, 4))
        return self._placed[1]

    def _jacobian(self, D: Array, twists: Array) -> Array:
        """The derivative of the closing residuals, in tolerances, by the scaled coordinates.  # (blocks, m, n)."""
        roles = role_rows_at(self._equations, self._place(D))
        along = np.swapaxes(twists, 1, 2)
        first, second, mirror = self._paths
        shape = (*self._tolerances.shape, 6)
        if roles.mirror is None:  # the rows on the first are those on the second, negated
            J = roles.second.reshape(shape) @ along * (second - first) + 0.0
        else:
            J = roles.first.reshape(shape) @ along * first + 0.0
            J += roles.second.reshape(shape) @ along * second
            J += roles.mirror.reshape(shape) @ along * mirror
        scaled: Array = J * self.scale[:, None, :] / self._tolerances[..., None]
        return scaled

    @cached_property
    def _paths(self) -> Array:
        """Which joints move the first, second and mirroring body of each closing equation.  # (3, m, n)."""
        return self.blocks[0].paths.take(self._bodies, 0)

    def null_spaces(self, D: Array, twists: Array) -> tuple[list[Array], Array]:
        """The coordinates' rates that keep the loops closed, and how tightly the other directions are held.

        Each column of the rates is about one radian or length; (n, k) for each block. How tightly: the least violation
        by a direction that is held, in tolerances (inf: none).  # (blocks,)
        """
        J = self._jacobian(D, twists)
        _, values, Vt = np.linalg.svd(J, full_matrices=J.shape[1] < J.shape[2])
        held = values >= HELD
        tightest: Array = np.where(held, values, np.inf).min(axis=1, initial=np.inf)
        return [V[rank:].T for V, rank in zip(Vt, held.sum(axis=1).tolist(), strict=True)], tightest

    def close(self, q: Array, closed: float = CLOSED) -> tuple[Array, Array]:
        """The nearest coordinates that keep the loops closed (Newton, smallest steps), and the residual that is left.

        Residuals are in tolerances: below `closed` nothing is corrected, above 1 the loops cannot be closed there.
        """
        q = q.copy()
        left = np.arange(len(q))
        part = self
        for _ in range(ITERATIONS):
            D, twists = part.motions(q[left])
            off = part._residuals(D)
            if not (np.abs(off) >= closed).any():
                if part is self:
                    return q, np.maximum.reduce(np.abs(off), axis=1, initial=0.0)
                break
            step = part._correction(D, twists, off, closed)
            q[left] += step * part.scale
            going_on: Mask = np.abs(step).max(axis=1) >= SETTLED
            if not going_on.all():
                left = left[going_on]
                part = self.chosen(left.tolist()) if len(left) else part
            if not len(left):
                break
        worst: Array = np.abs(self._residuals(self.motions(q)[0])).max(axis=1, initial=0.0)
        return q, worst

    def _correction(self, D: Array, twists: Array, off: Array, closed: float) -> Array:
        """The smallest step that corrects residuals along the directions that are held; none below `closed`."""
        U, values, Vt = np.linalg.svd(self._jacobian(D, twists), full_matrices=False)
        held = values >= HELD
        along = (-off[:, None, :] @ U)[:, 0] * held
        along *= np.maximum.reduce(np.abs(along), axis=1, keepdims=True, initial=0.0) >= closed
        step: Array = ((along / np.where(held, values, 1.0))[:, None, :] @ Vt)[:, 0]
        return step

    def only_bends(self, q: Array, worst: Array) -> Mask:
        """Which blocks only bend within the tolerances at coordinates where `worst` is left: see the module."""
        bends: Mask = worst > CLOSED
        if bends.any():
            numbers = np.flatnonzero(bends)
            nearer = self.chosen(numbers.tolist()).close(q[numbers] / 10, CLOSED * BENDS / 10)[1]
            bends[numbers] = nearer < BENDS * worst[numbers]
        return bends


def batch_of(blocks: Sequence[LoopBlock], equations: MateEquations) -> BlockBatch:
    """Blocks of one shape; a large one is alone, and sparse."""
    if not blocks[0].is_large:
        return BlockBatch(blocks, equations)
    from swgrm.inference.mechanism.sparse_block import SparseBlock

    return SparseBlock(blocks, equations)
