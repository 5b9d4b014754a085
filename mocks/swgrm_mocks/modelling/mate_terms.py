"""What the mates of an assembly require of its bodies: equations, values that can be driven, limits and couplings.

The equations are those of the inference, in the coordinates of the components: with p and a fixed in the first body and
x and b in the second, the poses of the bodies take the place of their motions.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from swgrm.inference.geometry.equations import NOBODY, EquationForm, MateEquations, measure, place
from swgrm.inference.geometry.relations import equations_of
from swgrm.inference.geometry.twists import Array, Ints, cross, move_directions, move_points, unit
from swgrm.inference.mates.compound import stacked
from swgrm.inference.mates.entity_pairs import RelatedEntities
from swgrm.transforms import axis_angle_matrix, inverse


def equations(related: RelatedEntities, poses: Array, *, targets: Mapping[int, float] | None = None) -> MateEquations:
    """A relation's equations in the coordinates of the bodies, which are at these poses.

    An equation that has no target keeps the value that the relation intends, or else what it measures now.
    """
    mirror = stacked([related.mirror]) if related.mirror else None
    found = equations_of(
        related.relation, stacked([related.first]), stacked([related.second]), np.zeros(1, np.intp), mirror
    )
    wanted = np.where(np.isnan(found.intended), found.c, found.intended)
    for number, value in (targets or {}).items():
        wanted[number] = value
    return _with_targets(localised(found, poses), wanted)


def _with_targets(found: MateEquations, wanted: Array) -> MateEquations:
    angular = found.form == EquationForm.ALIGN
    steepness = np.where(angular, np.sqrt(np.maximum(1 - wanted**2, 1e-12)), 1.0)
    return replace(found, c=wanted, intended=wanted, steepness=steepness)


def localised(found: MateEquations, poses: Array) -> MateEquations:
    """Equations in assembly coordinates in those of the bodies at these poses."""
    return moved(found, inverse(poses))


def moved(found: MateEquations, transforms: Array) -> MateEquations:
    """Equations whose sides are moved by the transforms of their bodies."""
    first, second = transforms[found.first], transforms[found.second]
    mirror = transforms[np.maximum(found.mirror, 0)]
    return replace(
        found,
        p=move_points(first, found.p),
        a=move_directions(first, found.a),
        x=move_points(second, found.x),
        b=move_directions(second, found.b),
        mirror_point=move_points(mirror, found.mirror_point),
        mirror_normal=move_directions(mirror, found.mirror_normal),
    )


def renumbered(found: MateEquations, nodes: Ints) -> MateEquations:
    """Equations between other bodies: `nodes` has the number of each."""
    mirror = np.where(found.mirror == NOBODY, NOBODY, nodes[np.maximum(found.mirror, 0)])
    return replace(found, first=nodes[found.first], second=nodes[found.second], mirror=mirror)


class DrivenValue(Struct, frozen=True):
    """A distance or angle of a mate: one equation whose constant is the value.

    With a normal, an angle is the signed one from a to b about it, so that it can be driven through 0 and 180°.
    """

    equation: MateEquations  # one
    side: float = 1.0  # on which a distance is measured
    normal: Array | None = None  # in the coordinates of the first body

    def at(self, value: float) -> MateEquations:
        """Its equation for a value [m or rad]."""
        if self.normal is not None:
            R = axis_angle_matrix(self.normal, value + np.pi / 2)
            return _with_targets(replace(self.equation, a=(R @ self.equation.a[0])[None]), np.zeros(1))
        is_angle = self.equation.form[0] == EquationForm.ALIGN
        return _with_targets(self.equation, np.array([np.cos(value) if is_angle else self.side * value]))

    def measured(self, poses: Array, near: float | None = None) -> float:
        """Its value at poses; a signed angle is the one nearest to another."""
        placed = place(self.equation, poses)
        if self.normal is not None:
            normal = poses[self.equation.first[0]][:3, :3] @ self.normal
            a, b = placed.a[0], placed.b[0]
            angle = float(np.arctan2(normal @ cross(a, b), a @ b))
            near = np.pi if near is None else near
            return angle + 2 * np.pi * float(np.round((near - angle) / (2 * np.pi)))
        value = float(measure(self.equation, placed)[0])
        if self.equation.form[0] != EquationForm.ALIGN:
            return self.side * value
        return float(np.arctan2(np.linalg.norm(cross(placed.a[0], placed.b[0])), value))

    def mapped(self, transforms: Array, nodes: Ints) -> DrivenValue:
        """The value between other bodies."""
        normal = self.normal
        if normal is not None:
            normal = transforms[self.equation.first[0]][:3, :3] @ normal
        return replace(self, equation=renumbered(moved(self.equation, transforms), nodes), normal=normal)


class Track(NamedTuple):
    """A motion that a coupling follows: of a body relative to a reference, about or along a line of the body."""

    body: int
    reference: int
    kind: Literal["turn", "slide"]
    point: Array  # (3,) in the coordinates of the body
    direction: Array  # (3,) unit

    def travelled(self, before: Array, after: Array) -> float:
        """How far it went between two sets of poses [rad or m]."""
        start, end = (inverse(poses[self.reference]) @ poses[self.body] for poses in (before, after))
        direction = start[:3, :3] @ self.direction
        if self.kind == "slide":
            return float(
                (end[:3, :3] @ self.point + end[:3, 3] - start[:3, :3] @ self.point - start[:3, 3]) @ direction
            )
        from scipy.spatial.transform import Rotation

        return float(Rotation.from_matrix(end[:3, :3] @ start[:3, :3].T).as_rotvec() @ direction)

    def row(self, poses: Array) -> tuple[Array, Array]:
        """The derivative by the twists of its body and of its reference.  # (6,), (6,)."""
        T = poses[self.body]
        direction = T[:3, :3] @ self.direction
        if self.kind == "turn":
            own = np.concatenate([direction, np.zeros(3)])
        else:
            own = np.concatenate([cross(T[:3, :3] @ self.point + T[:3, 3], direction), direction])
        return own, -own


@dataclass
class MotionCoupling:
    """A follower that travels `ratio` times as far as its leader; `off` is what it still has to travel."""

    leader: Track
    follower: Track
    ratio: float
    off: float = 0.0

    def residual(self, before: Array, after: Array) -> float:
        """How far the follower is from where the leader requires it."""
        return self.off + self.follower.travelled(before, after) - self.ratio * self.leader.travelled(before, after)


@dataclass
class MateTerms:
    """What one mate requires of its components, numbered as in `components`."""

    components: tuple[str, ...]
    held: list[MateEquations] = field(default_factory=list)
    value: DrivenValue | None = None
    target: float = 0.0  # of the value, unless it has limits
    limits: tuple[float, float] | None = None
    coupling: MotionCoupling | None = None


def nearest_signed(entities: Sequence[Array]) -> Array:
    """The unit normal of two directions, or zero if they are parallel."""
    normal: Array = cross(unit(entities[0]), unit(entities[1]))
    return unit(normal) if np.linalg.norm(normal) > 1e-6 else np.zeros(3)
