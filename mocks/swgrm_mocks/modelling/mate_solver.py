"""The mate solver: poses of the bodies that satisfy all mates, by Gauss-Newton from where the bodies are.

The grounded bodies stay. A value that is driven goes to its target in small steps, so that the bodies follow the branch
that they are on, and couplings add up what they travel. Where a step is not determined, the bodies move least.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from swgrm.inference.geometry.equations import EquationForm, MateEquations, residuals, role_rows
from swgrm.inference.geometry.twists import Array, Ints, cross, exponential
from swgrm_mocks.modelling.mate_terms import DrivenValue, MotionCoupling

SOLVED = 1e-10  # [m or rad]
ITERATIONS = 60
LENGTH = 0.1  # [m] a rotation of one radian weighs as much as this translation
ANGLE_STEP, LENGTH_STEP = 0.2, 0.02  # [rad], [m] of a driven value
LARGEST = 0.5  # [rad, or lengths] of one iteration
BEYOND = 1e-9  # [m or rad] by which a limit may be exceeded


@dataclass
class Limit:
    """A value that may be anywhere in a range."""

    value: DrivenValue
    low: float
    high: float


@dataclass
class MateSystem:
    """The bodies of an assembly, and what all its mates require of them."""

    poses: Array  # (n, 4, 4) T_assembly_body; body 0 is the assembly
    is_grounded: list[bool]
    held: list[MateEquations] = field(default_factory=list)
    values: list[tuple[DrivenValue, float]] = field(default_factory=list)
    limits: list[Limit] = field(default_factory=list)
    couplings: list[MotionCoupling] = field(default_factory=list)

    def solve(self, drives: Sequence[tuple[DrivenValue, float]] = ()) -> bool:
        """Moves the bodies until all mates hold, with the driven values at their targets; whether it succeeded.

        If not, the bodies and the couplings are as they were.
        """
        before, off = self.poses.copy(), [coupling.off for coupling in self.couplings]
        starts = [value.measured(self.poses, target) for value, target in drives]
        travel = [
            abs(target - start) / (ANGLE_STEP if value.equation.form[0] == EquationForm.ALIGN else LENGTH_STEP)
            for (value, target), start in zip(drives, starts, strict=True)
        ]
        count = max(1, int(np.ceil(max(travel, default=0.0) - 1e-9)))
        for k in range(1, count + 1):
            share = k / count
            at = [
                (value, start + share * (target - start)) for (value, target), start in zip(drives, starts, strict=True)
            ]
            if not self._step(at):
                self.poses = before
                for coupling, value in zip(self.couplings, off, strict=True):
                    coupling.off = value
                return False
        return True

    def _step(self, drives: Sequence[tuple[DrivenValue, float]]) -> bool:
        """Solves once, with the limits that are exceeded as equations; whether it succeeded."""
        driven = {id(value) for value, _ in drives}
        fixed = [(value, target) for value, target in self.values if id(value) not in driven]
        active: list[tuple[DrivenValue, float]] = []
        poses: Array = self.poses
        exceeded: list[tuple[DrivenValue, float]] = []
        for _ in range(len(self.limits) + 1):
            stack = [*self.held, *(value.at(target) for value, target in (*fixed, *drives, *active))]
            solved = self._newton(MateEquations.stack(stack) if stack else None)
            if solved is None:
                return False
            poses = solved
            exceeded = [found for limit in self.limits if (found := _exceeded(limit, poses)) is not None]
            new = [found for found in exceeded if id(found[0]) not in {id(value) for value, _ in active}]
            if not new:
                break
            active += new
        for coupling in self.couplings:
            coupling.off = coupling.residual(self.poses, poses)
        self.poses = poses
        return not exceeded

    def _newton(self, stack: MateEquations | None) -> Array | None:
        """Poses that satisfy the equations and couplings, or None."""
        poses = self.poses.copy()
        if stack is None and not self.couplings:
            return poses
        free = [k for k, grounded in enumerate(self.is_grounded) if not grounded]
        column = {body: 6 * k for k, body in enumerate(free)}
        best, since = np.inf, 0
        for _ in range(ITERATIONS):
            off = self._residuals(stack, poses)
            size = float(np.abs(off).max(initial=0.0))
            if size < SOLVED / 100:
                break
            since = 0 if size < 0.7 * best else since + 1
            best = min(best, size)
            if since > 12:
                break
            J = self._jacobian(stack, poses, column)
            poses = _moved(poses, free, _least(J, off))
        solved = float(np.abs(self._residuals(stack, poses)).max(initial=0.0)) < SOLVED
        return poses if solved else None

    def _residuals(self, stack: MateEquations | None, poses: Array) -> Array:
        own = residuals(stack, poses) if stack is not None else np.zeros(0)
        return np.concatenate([own, [coupling.residual(self.poses, poses) for coupling in self.couplings]])

    def _jacobian(self, stack: MateEquations | None, poses: Array, column: dict[int, int]) -> Array:
        """The derivative of the residuals by the bodies' twists (LENGTH · ω, velocity of the origin)."""
        count = 0 if stack is None else len(stack)
        J = np.zeros((count + len(self.couplings), 6 * len(column)))
        if stack is not None:
            rows = role_rows(stack, poses)
            roles: list[tuple[Ints, Array]] = [(stack.first, rows.first), (stack.second, rows.second)]
            if rows.mirror is not None:
                roles.append((stack.mirror, rows.mirror))
            for bodies, own in roles:
                for body, start in column.items():
                    here = np.flatnonzero(bodies == body)
                    J[here, start : start + 6] += _about_origin(own[here], poses[body])
        for k, coupling in enumerate(self.couplings):
            for track, factor in ((coupling.follower, 1.0), (coupling.leader, -coupling.ratio)):
                for body, row in zip((track.body, track.reference), track.row(poses), strict=True):
                    if body in column:
                        start = column[body]
                        J[count + k, start : start + 6] += factor * _about_origin(row[None], poses[body])[0]
        return J

    def freedom(self, body: int) -> int:
        """How many independent motions the mates leave a body: 0 if it is fully defined."""
        if self.is_grounded[body]:
            return 0
        values = [value.at(target) for value, target in self.values]
        stack = [*self.held, *values]
        free = [k for k, grounded in enumerate(self.is_grounded) if not grounded]
        column = {each: 6 * k for k, each in enumerate(free)}
        J = self._jacobian(MateEquations.stack(stack) if stack else None, self.poses, column)
        if not len(J):
            return 6
        _, sizes, Vt = np.linalg.svd(J, full_matrices=True)
        null = Vt[int((sizes > 1e-7).sum()) :, column[body] : column[body] + 6]
        return int(np.linalg.matrix_rank(null, tol=1e-6)) if len(null) else 0

    def relative_rotations(self, first: int, second: int) -> Array:
        """A basis of the rotations that the mates leave the second body relative to the first.  # (k, 3)."""
        free = [k for k, grounded in enumerate(self.is_grounded) if not grounded]
        column = {each: 6 * k for k, each in enumerate(free)}
        stack = [*self.held, *(value.at(target) for value, target in self.values)]
        J = self._jacobian(MateEquations.stack(stack) if stack else None, self.poses, column)
        _, sizes, Vt = np.linalg.svd(J, full_matrices=True)
        null = Vt[int((sizes > 1e-7).sum()) :]
        turns = [null[:, column[body] : column[body] + 3] if body in column else 0.0 for body in (second, first)]
        relative = np.atleast_2d(turns[0] - turns[1]) if len(null) else np.zeros((0, 3))
        if relative.shape[1] != 3:
            return np.zeros((0, 3))
        _, sizes, Vt = np.linalg.svd(relative, full_matrices=False)
        return Vt[sizes > 1e-7]


def _exceeded(limit: Limit, poses: Array) -> tuple[DrivenValue, float] | None:
    value = limit.value.measured(poses, (limit.low + limit.high) / 2)
    if value < limit.low - BEYOND:
        return limit.value, limit.low
    return (limit.value, limit.high) if value > limit.high + BEYOND else None


def _about_origin(rows: Array, T: Array) -> Array:
    """Rows on a twist (ω, v) at the assembly's origin as rows on (LENGTH · ω, v of the body's origin)."""
    force = rows[:, 3:]
    moment = rows[:, :3] - cross(np.broadcast_to(T[:3, 3], force.shape), force)
    return np.concatenate([moment / LENGTH, force], axis=1)


def _least(J: Array, off: Array) -> Array:
    """The smallest step that reduces the residuals, damped while they are large (Levenberg 1944)."""
    damping = min(1e-3, float(np.abs(off).max()) ** 2)
    damped = np.vstack([J, damping * np.eye(J.shape[1])])
    step: Array = np.linalg.lstsq(damped, -np.concatenate([off, np.zeros(J.shape[1])]), rcond=1e-12)[0]
    largest = float(np.abs(step).max(initial=0.0)) / LENGTH
    return step if largest <= LARGEST else step * (LARGEST / largest)


def _moved(poses: Array, free: Sequence[int], step: Array) -> Array:
    result = poses.copy()
    for k, body in enumerate(free):
        turn, shift = step[6 * k : 6 * k + 3] / LENGTH, step[6 * k + 3 : 6 * k + 6]
        turned = exponential(np.concatenate([turn, np.zeros(3)]))[:3, :3] @ poses[body, :3, :3]
        result[body, :3, :3] = _orthonormal(turned)
        result[body, :3, 3] = poses[body, :3, 3] + shift
    return result


def _orthonormal(R: Array) -> Array:
    """The nearest rotation, against the growth of rounding errors."""
    U, _, Vt = np.linalg.svd(R)
    nearest: Array = U @ Vt
    return nearest
