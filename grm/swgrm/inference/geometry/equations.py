"""The scalar equations that mates are made of: each one's residual, and its row on the relative twist.

An equation relates a point p and a direction a on its *first* body to a point x and a direction b on its *second*:

    ALIGN     (a · b − c) / √(1 − c²) = 0                 an angle between directions
    OFFSET    a · (x − p) − c = 0                         a point's height over a plane fixed in the first body
    DISTANCE  |x − p| − c = 0                             two points
    RADIAL    |(x − p) × a| − c = 0                       a point and a line
    SKEW      (a × b) · (x − p) / |a × b| − c = 0         two lines that are not parallel

c is what the assembled pose measures, so every residual starts at zero. With ξ = (ω, v) the twist of the second
body relative to the first, the derivative of each residual is a row: a couple m gives (m, 0), a force along n
through y gives (y × n, n). In a *mirrored* equation p and a are first reflected in a plane fixed in a third body.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from enum import IntEnum
from functools import cached_property

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from swgrm.inference.geometry.twists import Array, Ints, Mask, cross, dot, move_directions, move_points, unit

NOBODY = -1
LENGTH_TOLERANCE = 1e-6  # [m]
ANGLE_TOLERANCE = 1e-5  # [rad]


class EquationForm(IntEnum):
    """The forms of equation, see the module."""

    ALIGN = 0
    OFFSET = 1
    DISTANCE = 2
    RADIAL = 3
    SKEW = 4


_ALIGN, _OFFSET, _SKEW = (
    int(EquationForm.ALIGN),
    int(EquationForm.OFFSET),
    int(EquationForm.SKEW),
)  # numpy compares plain numbers faster


class MateEquations(Struct, frozen=True, dict=True):
    """A stack of equations, one per index."""

    form: Ints  # (m,)
    mate: Ints  # (m,) which mate each comes from
    first: Ints  # (m,) bodies
    second: Ints  # (m,)
    mirror: Ints  # (m,) the third body, or NOBODY
    p: Array  # (m, 3) on the first
    a: Array  # (m, 3)
    x: Array  # (m, 3) on the second
    b: Array  # (m, 3)
    mirror_point: Array  # (m, 3)
    mirror_normal: Array  # (m, 3)
    c: Array  # (m,) what the assembled pose measures
    intended: Array  # (m,) the value that the mate requires, NaN: the measured one
    steepness: Array  # (m,) √(1 − c²) for ALIGN, so that its residual is an angle; 1 for the others

    def __len__(self) -> int:
        return len(self.form)

    def __getitem__(self, index: Ints | Mask | slice) -> MateEquations:
        if isinstance(index, slice):
            return MateEquations(*(getattr(self, name)[index] for name in self.__struct_fields__))
        rows = index.nonzero()[0] if index.dtype == bool else index
        return MateEquations(*(getattr(self, name).take(rows, 0) for name in self.__struct_fields__))

    @staticmethod
    def stack(parts: Sequence[MateEquations]) -> MateEquations:
        """All equations of all parts, in order."""
        if len(parts) == 1:
            return parts[0]
        return MateEquations(
            *(np.concatenate([getattr(part, name) for part in parts]) for name in MateEquations.__struct_fields__)
        )

    def between(self, shift: Ints) -> MateEquations:
        """The equations between other bodies: each body's number is `shift` larger.  # (m,)."""
        mirror = np.where(self.mirror == NOBODY, NOBODY, self.mirror + shift)
        return replace(self, first=self.first + shift, second=self.second + shift, mirror=mirror)

    @cached_property
    def is_angular(self) -> Mask:
        """Whether each residual is an angle [rad]; the others are lengths [m]."""
        angular: Mask = self.form == _ALIGN
        return angular

    @cached_property
    def curved(self) -> list[int]:
        """The forms besides ALIGN and OFFSET that there are."""
        return sorted(set(self.form[self.form > _OFFSET].tolist()))

    @cached_property
    def has_mirrors(self) -> bool:
        """Whether any equation is mirrored."""
        return bool((self.mirror != NOBODY).any())

    @property
    def is_skew(self) -> Mask:
        """Whether each is about two lines that are not parallel."""
        skew: Mask = self.form == _SKEW
        return skew


def tolerances(equations: MateEquations) -> Array:
    """The tolerance of each equation's residual.  # (m,) [rad or m]."""
    return np.where(equations.is_angular, ANGLE_TOLERANCE, LENGTH_TOLERANCE)


_NO_NORMALS: Array = np.zeros((0, 3))


class PlacedEquations(Struct, frozen=True):
    """The points and directions of a stack of equations where the bodies are, mirrored ones reflected."""

    p: Array
    a: Array
    x: Array
    b: Array
    normal: Array = _NO_NORMALS  # (m, 3) of the mirror, zero without one; (0, 3) where no equation has one
    height: Array = _NO_NORMALS[:, 0]  # (m,) of the mirror along its normal


def place(equations: MateEquations, motions: Array | None = None) -> PlacedEquations:
    """Where points and directions are after each body's motion from the assembled pose.

    Several motions of each body give as many placements.  # motions: (..., bodies, 4, 4)
    """
    p, a, x, b = equations.p, equations.a, equations.x, equations.b
    normal, point = equations.mirror_normal, equations.mirror_point
    if motions is not None:
        T_first, T_second = motions.take(equations.first, -3), motions.take(equations.second, -3)
        p, a = move_points(T_first, p), move_directions(T_first, a)
        x, b = move_points(T_second, x), move_directions(T_second, b)
    if not equations.has_mirrors:
        return PlacedEquations(p, a, x, b)
    if motions is not None:
        T_mirror = motions.take(np.maximum(equations.mirror, 0), -3)
        normal, point = move_directions(T_mirror, normal), move_points(T_mirror, point)
    normal = np.where((equations.mirror == NOBODY)[:, None], 0.0, normal)
    height = dot(normal, point)
    p = p - 2 * normal * (dot(normal, p) - height)[..., None]
    a = a - 2 * normal * dot(normal, a)[..., None]
    return PlacedEquations(p, a, x, b, normal, height)


def measure(equations: MateEquations, placed: PlacedEquations) -> Array:
    """What each equation measures, before its constant is taken off.  # (..., m)."""
    return measured(equations.form, equations.curved, placed.a, placed.b, placed.x - placed.p)


def measured(form: Ints, curved: Collection[int], a: Array, b: Array, gap: Array) -> Array:
    """As `measure`, of directions and x − p; `curved` are the forms besides ALIGN and OFFSET."""
    values = dot(a, np.where((form == _ALIGN)[:, None], b, gap))
    for kind in curved:
        chosen = form == kind
        values[..., chosen] = MEASURES[kind](a[..., chosen, :], b[..., chosen, :], gap[..., chosen, :])
    return values


MEASURES: Mapping[int, Callable[[Array, Array, Array], Array]] = {  # by form: of a, b and x − p
    EquationForm.ALIGN: lambda a, b, _gap: dot(a, b),
    EquationForm.OFFSET: lambda a, _b, gap: dot(a, gap),
    EquationForm.DISTANCE: lambda _a, _b, gap: np.linalg.norm(gap, axis=-1),
    EquationForm.RADIAL: lambda a, _b, gap: np.linalg.norm(cross(gap, a), axis=-1),
    EquationForm.SKEW: lambda a, b, gap: dot(unit(cross(a, b)), gap),
}


def residuals(equations: MateEquations, motions: Array) -> Array:
    """How far each equation is from being satisfied after the bodies' motions.  # (..., m) [rad or m]."""
    return residuals_at(equations, place(equations, motions))


def residuals_at(equations: MateEquations, placed: PlacedEquations) -> Array:
    """As `residuals`, at a given placement."""
    return (measure(equations, placed) - equations.c) / equations.steepness


def wrenches(equations: MateEquations, placed: PlacedEquations) -> Array:
    """The rows at a given placement: a couple for ALIGN, a force along a line for the others.  # (m, 6)."""
    a, b, x = placed.a, placed.b, placed.x
    gap = x - placed.p
    force = a
    through = x
    form = equations.form
    if equations.curved:
        along = dot(a, gap)[:, None] * a
        normal = cross(a, b)
        force = np.choose(form[:, None], [a, a, unit(gap), unit(gap - along), unit(normal)])
        through = np.where(equations.is_skew[:, None], x - b * _slide_to_foot(gap, a, normal), x)
    angular = equations.is_angular[:, None]
    moment = cross(np.where(angular, b, through), force) / equations.steepness[:, None]
    return np.concatenate([moment, np.where(angular, 0.0, force)], axis=1)


def _slide_to_foot(gap: Array, a: Array, normal: Array) -> Array:
    """How far along b from x the common perpendicular of the two lines is, negated.  # (m, 1)."""
    squared = dot(normal, normal)
    triple = dot(cross(gap, a), normal)
    distance: Array = -np.divide(triple, squared, out=np.zeros_like(triple), where=squared > 0)[:, None]
    return distance


def reflected_rows(own: Array, placed: PlacedEquations) -> Array:
    """What the row `own` (on the reflected first body's twist) is on the first body's twist relative to the mirror.

    Reflection in the plane n · y = h turns a twist (ω, v) into (−Sω, S v + 2h n × (−Sω)), with S = I − 2nnᵀ.
    """
    n, h = placed.normal, placed.height[:, None]
    moment, force = own[:, :3], own[:, 3:]
    moment = moment + 2 * h * cross(force, n)
    mirror_force = force - 2 * n * dot(n, force)[:, None]
    mirror_moment = moment - 2 * n * dot(n, moment)[:, None]
    return np.concatenate([-mirror_moment, mirror_force], axis=1)


class RoleRows(Struct, frozen=True):
    """The derivative of each residual by the absolute twist of each of its bodies; they add up to nothing."""

    first: Array  # (m, 6)
    second: Array  # (m, 6)
    mirror: Array | None  # (m, 6), none where no equation is mirrored


def role_rows(equations: MateEquations, motions: Array | None = None) -> RoleRows:
    """The rows of every role, after each body's motion."""
    return role_rows_at(equations, place(equations, motions))


def role_rows_at(equations: MateEquations, placed: PlacedEquations) -> RoleRows:
    """As `role_rows`, at a given placement."""
    own = wrenches(equations, placed)
    if not equations.has_mirrors:
        return RoleRows(-own, own, None)
    seen = np.where((equations.mirror != NOBODY)[:, None], reflected_rows(own, placed), own)
    return RoleRows(-seen, own, seen - own)


def rows_on(equations: MateEquations, body: Ints) -> Array:
    """The derivative of each residual by the absolute twist of one body of each equation.  # body: (m,) → (m, 6)."""
    roles = role_rows(equations)
    total: Array = roles.first * (equations.first == body)[:, None] + roles.second * (equations.second == body)[:, None]
    if roles.mirror is not None:
        total += roles.mirror * (equations.mirror == body)[:, None]
    return total
