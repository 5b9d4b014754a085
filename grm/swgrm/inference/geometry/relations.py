"""The relations between two entities, each as the equations that it is made of.

A relation takes stacks of entities (the first of each pair, the second) and returns its equations. docs/inference.md
has a table of the degrees of freedom that they leave.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from swgrm.inference.geometry.equations import NOBODY, EquationForm, MateEquations, PlacedEquations, measure
from swgrm.inference.geometry.twists import Array, Ints, cross, dot, perpendiculars, unit

MEASURED = float("nan")  # intended: whatever the assembled pose measures


@dataclass(frozen=True, slots=True)
class EntityStack:
    """A stack of points with directions, each on a body."""

    node: Ints  # (m,)
    point: Array  # (m, 3)
    direction: Array  # (m, 3) unit, or zero


@dataclass(frozen=True, slots=True)
class RelationTerm:
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
    return [RelationTerm(EquationForm.OFFSET, e, second.direction) for e in perpendiculars(first.direction)]


def point_on_plane(first: EntityStack, second: EntityStack) -> list[RelationTerm]:
    """A point of the second lies on a plane of the first."""
    return [RelationTerm(EquationForm.OFFSET, first.direction, second.direction)]


def parallel(first: EntityStack, second: EntityStack) -> list[RelationTerm]:
    """Two directions are parallel."""
    return [RelationTerm(EquationForm.ALIGN, e, second.direction) for e in perpendiculars(first.direction)]


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
    e, f = perpendiculars(first.direction)
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
    e, f = perpendiculars(second.direction)
    turns = [
        RelationTerm(EquationForm.ALIGN, e, second.direction),
        RelationTerm(EquationForm.ALIGN, f, second.direction),
    ]
    return turns + held_from_plane(first, second)


def cross_joint(first: EntityStack, second: EntityStack) -> list[RelationTerm]:
    """Two shafts share a point; the cross between them is perpendicular to both."""
    cross_first = unit(cross(first.direction, second.direction))
    lost = ~cross_first.any(axis=1, keepdims=True)
    cross_first = np.where(lost, perpendiculars(first.direction)[0], cross_first)
    cross_second = unit(cross(second.direction, cross_first))
    return [*point_on_point(first, second), RelationTerm(EquationForm.ALIGN, cross_first, cross_second)]


def equations_of(
    relation: Relation, first: EntityStack, second: EntityStack, mate: Ints, mirror: EntityStack | None = None
) -> MateEquations:
    """The equations of one relation for a stack of entity pairs."""
    count = len(mate)
    seen = first if mirror is None else reflect(first, mirror)
    terms = relation(seen, second)
    none = np.zeros((count, 3))
    mirror = mirror or EntityStack(np.full(count, NOBODY), none, none)
    parts = []
    for term in terms:
        form = np.full(count, int(term.form))
        c = measure(form, PlacedEquations(seen.point, term.a, second.point, term.b, none, np.zeros(count)))
        # The first side is stored unreflected, where its body is.
        a = term.a - 2 * mirror.direction * dot(mirror.direction, term.a)[:, None]
        parts.append(
            MateEquations(
                form,
                mate,
                first.node,
                second.node,
                mirror.node,
                first.point,
                a,
                second.point,
                np.asarray(term.b, float),
                mirror.point,
                mirror.direction,
                c,
                np.full(count, term.intended),
                np.sqrt(np.maximum(1 - c**2, 1e-12)) if term.form is EquationForm.ALIGN else np.ones(count),
            )
        )
    return MateEquations.stack(parts)


def reflect(entities: EntityStack, mirror: EntityStack) -> EntityStack:
    """The entities reflected in mirrors."""
    n = mirror.direction
    height = dot(n, entities.point - mirror.point)[:, None]
    normal_part = dot(n, entities.direction)[:, None]
    return EntityStack(entities.node, entities.point - 2 * n * height, entities.direction - 2 * n * normal_part)
