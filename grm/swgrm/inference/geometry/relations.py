"""The relations between two entities, each as the equations that it is made of.

A relation takes stacks of entities (the first of each pair, the second) and returns its equations. docs/inference.md
has a table of the degrees of freedom that they leave.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property

import numpy as np
from msgspec import Struct

from swgrm.inference.geometry.equations import NOBODY, EquationForm, MateEquations, measured
from swgrm.inference.geometry.twists import Array, Ints, Mask, cross, dot, perpendiculars, unit

_ALIGN = int(EquationForm.ALIGN)
MEASURED = float("nan")  # intended: whatever the assembled pose measures


class EntityStack(Struct, frozen=True, dict=True):
    """A stack of points with directions, each on a body."""

    node: Ints  # (m,)
    point: Array  # (m, 3)
    direction: Array  # (m, 3) unit, or zero

    def __getitem__(self, rows: slice) -> EntityStack:
        return EntityStack(self.node[rows], self.point[rows], self.direction[rows])

    @cached_property
    def across(self) -> tuple[Array, Array]:
        """Two directions perpendicular to each direction."""
        return perpendiculars(self.direction)


class RelationTerm(Struct, frozen=True):
    """One equation of a relation, on a stack: its form, its two directions, what it should measure."""

    form: EquationForm
    a: Array  # on the first
    b: Array  # on the second
    intended: float = 0.0


Relation = Callable[[EntityStack, EntityStack], list[RelationTerm]]


def point_on_point(first: EntityStack, second: EntityStack) -> list[RelationTerm]:
    """Two points coincide."""
    along = [np.broadcast_to(axis, first.point.shape) for axis in np.eye(3)]
    return [RelationTerm(EquationForm.OFFSET, axis, second.direction) for axis in along]


def point_on_line(first: EntityStack, second: EntityStack) -> list[RelationTerm]:
    """A point of the second lies on a line of the first."""
    return [RelationTerm(EquationForm.OFFSET, e, second.direction) for e in first.across]


def point_on_plane(first: EntityStack, second: EntityStack) -> list[RelationTerm]:
    """A point of the second lies on a plane of the first."""
    return [RelationTerm(EquationForm.OFFSET, first.direction, second.direction)]


def parallel(first: EntityStack, second: EntityStack) -> list[RelationTerm]:
    """Two directions are parallel."""
    return [RelationTerm(EquationForm.ALIGN, e, second.direction) for e in first.across]


def perpendicular(first: EntityStack, second: EntityStack) -> list[RelationTerm]:
    """Two directions are perpendicular."""
    return [RelationTerm(EquationForm.ALIGN, first.direction, second.direction)]


def inclined(first: EntityStack, second: EntityStack) -> list[RelationTerm]:
    """Two directions keep their angle."""
    return [RelationTerm(EquationForm.ALIGN, first.direction, second.direction, MEASURED)]


def line_on_line(first: EntityStack, second: EntityStack) -> list[RelationTerm]:
    """Two lines coincide."""
    return parallel(first, second) + point_on_line(first, second)


def line_in_plane(first: EntityStack, second: EntityStack) -> list[RelationTerm]:
    """A line of the second lies in a plane of the first."""
    return perpendicular(first, second) + point_on_plane(first, second)


def plane_on_plane(first: EntityStack, second: EntityStack) -> list[RelationTerm]:
    """Two planes coincide."""
    return parallel(first, second) + point_on_plane(first, second)


def clocked(first: EntityStack, _second: EntityStack) -> list[RelationTerm]:
    """Two parallel directions do not rotate about each other."""
    e, f = first.across
    return [RelationTerm(EquationForm.ALIGN, e, f)]


def circle_on_circle(first: EntityStack, second: EntityStack) -> list[RelationTerm]:
    """Two circles share axis and plane."""
    return line_on_line(first, second) + point_on_plane(first, second)


def cone_on_cone(first: EntityStack, second: EntityStack) -> list[RelationTerm]:
    """Two cones, or a cone and a circle, share an axis and keep their distance along it.

    The point of a cone is the centre of its base, which coincident cones need not share.
    """
    return line_on_line(first, second) + held_from_plane(first, second)


def rigid(first: EntityStack, _second: EntityStack) -> list[RelationTerm]:
    """Nothing moves; an entity without a direction will do."""
    zero = ~first.direction.any(axis=1, keepdims=True)
    d = np.where(zero, np.array([0.0, 0.0, 1.0]), first.direction)
    e, f = perpendiculars(d)
    turns = [
        RelationTerm(EquationForm.ALIGN, e, d),
        RelationTerm(EquationForm.ALIGN, f, d),
        RelationTerm(EquationForm.ALIGN, e, f),
    ]
    return turns + [RelationTerm(EquationForm.OFFSET, axis, d, MEASURED) for axis in (e, f, d)]


def held_from_point(first: EntityStack, second: EntityStack) -> list[RelationTerm]:
    """Two points keep their distance."""
    return [RelationTerm(EquationForm.DISTANCE, first.direction, second.direction, MEASURED)]


def held_from_line(first: EntityStack, second: EntityStack) -> list[RelationTerm]:
    """A point of the second keeps its distance from a line of the first."""
    return [RelationTerm(EquationForm.RADIAL, first.direction, second.direction, MEASURED)]


def held_from_plane(first: EntityStack, second: EntityStack) -> list[RelationTerm]:
    """A point of the second keeps its height over a plane of the first."""
    return [RelationTerm(EquationForm.OFFSET, first.direction, second.direction, MEASURED)]


def lines_apart(first: EntityStack, second: EntityStack) -> list[RelationTerm]:
    """Two parallel lines keep their distance."""
    return parallel(first, second) + held_from_line(first, second)


def lines_crossing(first: EntityStack, second: EntityStack) -> list[RelationTerm]:
    """Two lines that are not parallel keep their distance."""
    return [RelationTerm(EquationForm.SKEW, first.direction, second.direction, MEASURED)]


def line_over_plane(first: EntityStack, second: EntityStack) -> list[RelationTerm]:
    """A line of the second stays parallel to a plane of the first, at its height."""
    return perpendicular(first, second) + held_from_plane(first, second)


def planes_apart(first: EntityStack, second: EntityStack) -> list[RelationTerm]:
    """Two planes stay parallel, at their distance."""
    return parallel(first, second) + held_from_plane(first, second)


def cone_on_plane(first: EntityStack, second: EntityStack) -> list[RelationTerm]:
    """A cone of the second keeps touching a plane of the first: its axis keeps angle and height."""
    return inclined(first, second) + held_from_plane(first, second)


def point_on_circle(first: EntityStack, second: EntityStack) -> list[RelationTerm]:
    """A point of the second stays on a circle of the first."""
    return point_on_plane(first, second) + held_from_line(first, second)


def line_keeps_plane(first: EntityStack, second: EntityStack) -> list[RelationTerm]:
    """A pin's line keeps its direction, and its distance from a slot's plane on the first."""
    e, f = second.across
    turns = [
        RelationTerm(EquationForm.ALIGN, e, second.direction),
        RelationTerm(EquationForm.ALIGN, f, second.direction),
    ]
    return turns + held_from_plane(first, second)


def cross_joint(first: EntityStack, second: EntityStack) -> list[RelationTerm]:
    """Two shafts share a point; the cross between them is perpendicular to both."""
    cross_first = unit(cross(first.direction, second.direction))
    lost = ~cross_first.any(axis=1, keepdims=True)
    cross_first = np.where(lost, first.across[0], cross_first)
    cross_second = unit(cross(second.direction, cross_first))
    return [*point_on_point(first, second), RelationTerm(EquationForm.ALIGN, cross_first, cross_second)]


def equations_of(
    relation: Relation, first: EntityStack, second: EntityStack, mate: Ints, mirror: EntityStack | None = None
) -> MateEquations:
    """The equations of one relation for a stack of entity pairs."""
    return stack_equations([(relation, len(mate))], first, second, mate, mirror)


def stack_equations(
    groups: Sequence[tuple[Relation, int]],
    first: EntityStack,
    second: EntityStack,
    mate: Ints,
    mirror: EntityStack | None = None,
) -> MateEquations:
    """The equations of a stack of entity pairs, by relations and their terms.

    `groups` are the relations, each with the number of pairs that it has, in the order of the pairs. In `mirror`, a
    pair without one has NOBODY's.
    """
    seen = first if mirror is None else _seen(first, mirror)
    pairs = np.arange(len(mate))
    terms: list[tuple[RelationTerm, slice]] = []
    start = 0
    for relation, count in groups:
        # Evaluated for all pairs: most of it is the same for other relations, and computed once.
        terms += [(term, slice(start, start + count)) for term in relation(seen, second)]
        start += count
    row = np.concatenate([pairs[own] for _, own in terms])
    counts = [own.stop - own.start for _, own in terms]
    form = np.array([int(term.form) for term, _ in terms]).repeat(counts)
    a = np.concatenate([term.a[own] for term, own in terms])
    b = np.concatenate([term.b[own] for term, own in terms])
    x = second.point.take(row, 0)
    curved = {int(term.form) for term, _ in terms if term.form > EquationForm.OFFSET}
    c = measured(form, curved, a, b, x - seen.point.take(row, 0))
    if mirror is None:
        none = np.zeros((len(row), 3))
        plane = EntityStack(np.full(len(row), NOBODY), none, none)
    else:
        plane = EntityStack(mirror.node.take(row), mirror.point.take(row, 0), mirror.direction.take(row, 0))
        a = np.where(_has_mirror(plane), _across(plane.direction, a), a)  # stored unreflected, where its body is
    return MateEquations(
        form,
        mate.take(row),
        first.node.take(row),
        second.node.take(row),
        plane.node,
        first.point.take(row, 0),
        a,
        x,
        b,
        plane.point,
        plane.direction,
        c,
        np.array([term.intended for term, _ in terms]).repeat(counts),
        np.where(form == _ALIGN, np.sqrt(np.maximum(1 - c**2, 1e-12)), 1.0),
    )


def _has_mirror(mirror: EntityStack) -> Mask:
    found: Mask = mirror.node[:, None] != NOBODY
    return found


def _across(normals: Array, vectors: Array) -> Array:
    """The vectors reflected in planes through the origin."""
    return vectors - 2 * normals * dot(normals, vectors)[:, None]


def _seen(entities: EntityStack, mirror: EntityStack) -> EntityStack:
    """The entities, reflected where there is a mirror."""
    image, is_image = reflect(entities, mirror), _has_mirror(mirror)
    point = np.where(is_image, image.point, entities.point)
    return EntityStack(entities.node, point, np.where(is_image, image.direction, entities.direction))


def reflect(entities: EntityStack, mirror: EntityStack) -> EntityStack:
    """The entities reflected in mirrors."""
    n = mirror.direction
    height = dot(n, entities.point - mirror.point)[:, None]
    return EntityStack(entities.node, entities.point - 2 * n * height, _across(n, entities.direction))
