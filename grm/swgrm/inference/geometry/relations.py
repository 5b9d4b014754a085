"""The relations that two features can stand in, each as the equations that it is made of.

A relation takes stacks of features (the first of each pair, the second) and gives its equations; the number of
rows and what is left free of six is what `docs/inference.md` tabulates.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from swgrm.inference.geometry.equations import NOBODY, Equations, Form, Placed, measure
from swgrm.inference.geometry.twists import Array, Ints, cross, dot, perpendiculars, unit

MEASURED = float("nan")  # intended: whatever the assembled pose measures


@dataclass(frozen=True, slots=True)
class Features:
    """A stack of points with directions, each on a body."""

    body: Ints  # (m,)
    point: Array  # (m, 3)
    direction: Array  # (m, 3) unit, or zero


@dataclass(frozen=True, slots=True)
class Term:
    """One equation of a relation, on a stack: its form, its two directions, what it should measure."""

    form: Form
    a: Array  # on the first
    b: Array  # on the second
    intended: float = 0.0


Relation = Callable[[Features, Features], list[Term]]


def point_on_point(first: Features, second: Features) -> list[Term]:
    """Two points coincide."""
    along = [np.broadcast_to(axis, first.point.shape) for axis in np.eye(3)]
    return [Term(Form.OFFSET, axis, second.direction) for axis in along]


def point_on_line(first: Features, second: Features) -> list[Term]:
    """A point of the second lies on a line of the first."""
    return [Term(Form.OFFSET, e, second.direction) for e in perpendiculars(first.direction)]


def point_on_plane(first: Features, second: Features) -> list[Term]:
    """A point of the second lies on a plane of the first."""
    return [Term(Form.OFFSET, first.direction, second.direction)]


def parallel(first: Features, second: Features) -> list[Term]:
    """Two directions are parallel."""
    return [Term(Form.ALIGN, e, second.direction) for e in perpendiculars(first.direction)]


def perpendicular(first: Features, second: Features) -> list[Term]:
    """Two directions are perpendicular."""
    return [Term(Form.ALIGN, first.direction, second.direction)]


def inclined(first: Features, second: Features) -> list[Term]:
    """Two directions keep their angle."""
    return [Term(Form.ALIGN, first.direction, second.direction, MEASURED)]


def line_on_line(first: Features, second: Features) -> list[Term]:
    """Two lines coincide."""
    return parallel(first, second) + point_on_line(first, second)


def line_in_plane(first: Features, second: Features) -> list[Term]:
    """A line of the second lies in a plane of the first."""
    return perpendicular(first, second) + point_on_plane(first, second)


def plane_on_plane(first: Features, second: Features) -> list[Term]:
    """Two planes coincide."""
    return parallel(first, second) + point_on_plane(first, second)


def clocked(first: Features, _second: Features) -> list[Term]:
    """Two parallel directions do not turn about each other."""
    e, f = perpendiculars(first.direction)
    return [Term(Form.ALIGN, e, f)]


def circle_on_circle(first: Features, second: Features) -> list[Term]:
    """Two circles share axis and plane."""
    return line_on_line(first, second) + point_on_plane(first, second)


def rigid(first: Features, _second: Features) -> list[Term]:
    """Nothing moves; a feature without a direction serves too."""
    zero = ~first.direction.any(axis=1, keepdims=True)
    d = np.where(zero, np.array([0.0, 0.0, 1.0]), first.direction)
    e, f = perpendiculars(d)
    turns = [Term(Form.ALIGN, e, d), Term(Form.ALIGN, f, d), Term(Form.ALIGN, e, f)]
    return turns + [Term(Form.OFFSET, axis, d, MEASURED) for axis in (e, f, d)]


def held_from_point(first: Features, second: Features) -> list[Term]:
    """Two points keep their distance."""
    return [Term(Form.DISTANCE, first.direction, second.direction, MEASURED)]


def held_from_line(first: Features, second: Features) -> list[Term]:
    """A point of the second keeps its distance from a line of the first."""
    return [Term(Form.RADIAL, first.direction, second.direction, MEASURED)]


def held_from_plane(first: Features, second: Features) -> list[Term]:
    """A point of the second keeps its height over a plane of the first."""
    return [Term(Form.OFFSET, first.direction, second.direction, MEASURED)]


def lines_apart(first: Features, second: Features) -> list[Term]:
    """Two parallel lines keep their distance."""
    return parallel(first, second) + held_from_line(first, second)


def lines_crossing(first: Features, second: Features) -> list[Term]:
    """Two lines that are not parallel keep their distance."""
    return [Term(Form.SKEW, first.direction, second.direction, MEASURED)]


def line_over_plane(first: Features, second: Features) -> list[Term]:
    """A line of the second stays parallel to a plane of the first, at its height."""
    return perpendicular(first, second) + held_from_plane(first, second)


def planes_apart(first: Features, second: Features) -> list[Term]:
    """Two planes stay parallel, at their distance."""
    return parallel(first, second) + held_from_plane(first, second)


def cone_on_plane(first: Features, second: Features) -> list[Term]:
    """A cone of the second keeps touching a plane of the first: its axis keeps angle and height."""
    return inclined(first, second) + held_from_plane(first, second)


def point_on_circle(first: Features, second: Features) -> list[Term]:
    """A point of the second stays on a circle of the first."""
    return point_on_plane(first, second) + held_from_line(first, second)


def line_keeps_plane(first: Features, second: Features) -> list[Term]:
    """A pin's line keeps its direction, and its distance from a slot's plane on the first."""
    e, f = perpendiculars(second.direction)
    turns = [Term(Form.ALIGN, e, second.direction), Term(Form.ALIGN, f, second.direction)]
    return turns + held_from_plane(first, second)


def cross_joint(first: Features, second: Features) -> list[Term]:
    """Two shafts share a point; the cross between them stands perpendicular to both."""
    cross_first = unit(cross(first.direction, second.direction))
    lost = ~cross_first.any(axis=1, keepdims=True)
    cross_first = np.where(lost, perpendiculars(first.direction)[0], cross_first)
    cross_second = unit(cross(second.direction, cross_first))
    return [*point_on_point(first, second), Term(Form.ALIGN, cross_first, cross_second)]


def equations_of(
    relation: Relation, first: Features, second: Features, mate: Ints, mirror: Features | None = None
) -> Equations:
    """The equations of one relation for a stack of feature pairs."""
    count = len(mate)
    seen = first if mirror is None else reflect(first, mirror)
    terms = relation(seen, second)
    none = np.zeros((count, 3))
    mirror = mirror or Features(np.full(count, NOBODY), none, none)
    parts = []
    for term in terms:
        form = np.full(count, int(term.form))
        c = measure(form, Placed(seen.point, term.a, second.point, term.b, none, np.zeros(count)))
        # The first side is stored unreflected, where its body is.
        a = term.a - 2 * mirror.direction * dot(mirror.direction, term.a)[:, None]
        parts.append(
            Equations(
                form,
                mate,
                first.body,
                second.body,
                mirror.body,
                first.point,
                a,
                second.point,
                np.asarray(term.b, float),
                mirror.point,
                mirror.direction,
                c,
                np.full(count, term.intended),
                np.sqrt(np.maximum(1 - c**2, 1e-12)) if term.form is Form.ALIGN else np.ones(count),
            )
        )
    return Equations.stack(parts)


def reflect(features: Features, mirror: Features) -> Features:
    """The features seen in mirrors."""
    n = mirror.direction
    height = dot(n, features.point - mirror.point)[:, None]
    turn = dot(n, features.direction)[:, None]
    return Features(features.body, features.point - 2 * n * height, features.direction - 2 * n * turn)
