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
from dataclasses import replace
from functools import cached_property

import numpy as np

from swgrm.inference.geometry.equations import LENGTH_TOLERANCE, NOBODY, MateEquations, residuals, role_rows, tolerances
from swgrm.inference.geometry.twists import Array, Ints, Mask, adjoint, dot, exponential
from swgrm.inference.mechanism.body_pairs import BodyPair
from swgrm.inference.mechanism.graph import Edge, spanning_tree
from swgrm.inference.mechanism.joint_chain import JointChain, ball, prismatic, twists_of

ITERATIONS = 25
HELD = 1.0  # [tolerances per radian, or per length of the block] a direction with less than this is free
CLOSED = 1e-5  # [tolerances] a residual below this is closed
BENDS = 1 / 300  # of its violation that a tenth of a displacement leaves: less than this is an arch, more is noise
MOST_RADIANS = 50.0  # that a screw turns by in one unit
SETTLED = 1e-13  # [rad, or lengths of the block] a step below this changes nothing


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
        twists = []
        closing = dict(by_edge)
        for step in steps:
            pair = by_edge.get((min(step.node, step.parent), max(step.node, step.parent)))
            own = twists_of(pair.chain if pair and pair.is_exact else _floating(centres[0]))
            twists.append(own if step.node > step.parent else -own[::-1])
            if pair and pair.is_exact:
                del closing[pair.edge]
        self.stops = (0, *np.cumsum([len(own) for own in twists]).tolist())  # of each body's joints to its parent
        self.twists = np.concatenate(twists)  # (n, 6)
        self.numbers = np.concatenate([*(pair.numbers for pair in closing.values()), extra])  # of closing equations
        self.bodies = tuple(
            tuple(self.nodes[body] if node != NOBODY else NOBODY for node, body in zip(side, on, strict=True))
            for side, on in ((s.tolist(), labels[s].tolist()) for s in _sides(whole, self.numbers))
        )
        spread = float(np.linalg.norm(centres - centres.mean(axis=0), axis=1).max())
        self.length = max(spread, *(pair.twist_space.length for pair in pairs))
        self.rotates = self.twists[:, :3].any(axis=1)
        self.is_simple = all(pair.twist_space.dimension == 1 for pair in pairs)
        forms = whole.form[self.numbers].tobytes()
        self.shape = (self.parents, self.stops, self.bodies, self.rotates.tobytes(), forms, self.is_simple)

    @cached_property
    def scale(self) -> Array:
        """The unit of each coordinate: a radian, or the block's length; of a screw, as many turns as make this length.

        Without that a fine screw moves the block so little that Newton's method would rather take back the motion of
        all other joints. More than `MOST_RADIANS` would let noise hold a direction.  # (n,)
        """
        pitch = np.abs(dot(self.twists[:, :3], self.twists[:, 3:]))
        pitch = np.where(pitch > LENGTH_TOLERANCE, pitch, self.length)
        return np.where(self.rotates, np.clip(self.length / pitch, 1.0, MOST_RADIANS), self.length)

    @cached_property
    def paths(self) -> Array:
        """Which joints move which body.  # (bodies, n)."""
        paths = np.zeros((len(self.parents), len(self.twists)))
        for body in range(1, len(self.parents)):
            paths[body] = paths[self.parents[body]]
            paths[body, self.stops[body - 1] : self.stops[body]] = 1.0
        return paths


def _sides(equations: MateEquations, numbers: Ints) -> tuple[Ints, Ints, Ints]:
    return equations.first[numbers], equations.second[numbers], equations.mirror[numbers]


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
        one = blocks[0]
        self.is_simple = one.is_simple
        self._parents, self._stops, self._paths = one.parents, one.stops, one.paths
        self._twists = np.stack([block.twists for block in blocks])
        self.scale = np.stack([block.scale for block in blocks])
        self._bodies = np.array(one.bodies, dtype=np.intp)
        shift = len(one.parents) * np.repeat(np.arange(len(blocks)), len(one.numbers))
        own = (np.where(side == NOBODY, NOBODY, side + shift) for side in np.tile(self._bodies, len(blocks)))
        first, second, mirror = own
        chosen = equations[np.concatenate([block.numbers for block in blocks])]
        self._equations = replace(chosen, first=first, second=second, mirror=mirror)
        self._tolerances = tolerances(chosen).reshape(len(blocks), -1)

    def chosen(self, numbers: Sequence[int]) -> BlockBatch:
        """Some of the blocks."""
        return BlockBatch([self.blocks[number] for number in numbers], self._all)

    def motions(self, q: Array) -> tuple[Array, Array]:
        """Each body's motion from the assembled pose, and each joint's twist where it is then."""
        steps = exponential(self._twists * q[..., None])
        D = np.empty((len(q), len(self._parents), 4, 4))
        D[:, 0] = np.eye(4)
        before = np.empty_like(steps)
        for body in range(1, len(self._parents)):
            T = D[:, self._parents[body]]
            for column in range(self._stops[body - 1], self._stops[body]):
                before[:, column] = T
                T = T @ steps[:, column]
            D[:, body] = T
        return D, (adjoint(before) @ self._twists[..., None])[..., 0]

    def _residuals(self, D: Array) -> Array:
        """The closing residuals, in tolerances.  # (blocks, m)."""
        off: Array = residuals(self._equations, D.reshape(-1, 4, 4)).reshape(len(D), -1) / self._tolerances
        return off

    def _jacobian(self, D: Array, twists: Array) -> Array:
        """The derivative of the closing residuals, in tolerances, by the scaled coordinates.  # (blocks, m, n)."""
        roles = role_rows(self._equations, D.reshape(-1, 4, 4))
        along = np.swapaxes(twists, 1, 2)
        J = np.zeros((*self._tolerances.shape, twists.shape[1]))
        for rows, bodies in zip((roles.first, roles.second, roles.mirror), self._bodies, strict=True):
            if rows is not None:
                J += rows.reshape(*self._tolerances.shape, 6) @ along * self._paths[bodies]
        scaled: Array = J * self.scale[:, None, :] / self._tolerances[..., None]
        return scaled

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
                break
            U, values, Vt = np.linalg.svd(part._jacobian(D, twists), full_matrices=False)
            held = values >= HELD
            along = (-off[:, None, :] @ U)[:, 0] * held
            along *= np.abs(along).max(axis=1, keepdims=True, initial=0.0) >= closed
            step = ((along / np.where(held, values, 1.0))[:, None, :] @ Vt)[:, 0]
            q[left] += step * part.scale
            going_on: Mask = np.abs(step).max(axis=1) >= SETTLED
            if not going_on.all():
                left = left[going_on]
                part = self.chosen(left.tolist()) if len(left) else part
            if not len(left):
                break
        worst: Array = np.abs(self._residuals(self.motions(q)[0])).max(axis=1, initial=0.0)
        return q, worst

    def only_bends(self, q: Array, worst: Array) -> Mask:
        """Which blocks only bend within the tolerances at coordinates where `worst` is left: see the module."""
        bends: Mask = worst > CLOSED
        if bends.any():
            numbers = np.flatnonzero(bends)
            nearer = self.chosen(numbers.tolist()).close(q[numbers] / 10, CLOSED * BENDS / 10)[1]
            bends[numbers] = nearer < BENDS * worst[numbers]
        return bends
