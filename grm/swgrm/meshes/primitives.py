"""Fitting of primitives: the smallest box, cylinder, sphere or capsule that contains points, for candidate axes."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

import numpy as np

from swgrm.model import Box, Capsule, Cylinder, Pose, Sphere
from swgrm.ties import first_largest, first_smallest, principal_axes
from swgrm.transforms import homogeneous

if TYPE_CHECKING:
    from swgrm.transforms import Array

Primitive = Box | Cylinder | Sphere | Capsule
_GROW = 1 + 1e-9  # so that no point is outside after rounding
ROUNDING = 1e-12  # relative: distances that differ by less are equal


def fit(points: Array, kind: str = "auto") -> Primitive:
    """The primitive of a kind with the smallest volume; `auto` tries all kinds."""
    points = _hull_points(points)
    kinds = FITTERS if kind == "auto" else {kind: FITTERS[kind]}
    candidates = [fitter(points, R) for fitter in kinds.values() for R in _axes(points)]
    return candidates[first_smallest([volume(candidate) for candidate in candidates])]


def volume(shape: Primitive) -> float:
    """The volume of a primitive.  # [m³]."""
    if isinstance(shape, Box):
        return math.prod(shape.size)
    if isinstance(shape, Sphere):
        return 4 / 3 * math.pi * shape.radius**3
    round_ends = 4 / 3 * math.pi * shape.radius**3 if isinstance(shape, Capsule) else 0.0
    return math.pi * shape.radius**2 * shape.length + round_ends


def _hull_points(points: Array) -> Array:
    """The vertices of the convex hull; all points if they are coplanar."""
    from scipy.spatial import ConvexHull, QhullError

    try:
        corners: Array = points[np.sort(ConvexHull(points).vertices)]
    except (QhullError, ValueError):
        return points
    return corners


def _axes(points: Array) -> list[Array]:
    """Rotations whose z is each coordinate axis and each principal axis of the points."""
    centred = points - points.mean(axis=0)
    _, principal = principal_axes(centred.T @ centred)
    principal[:, 2] = np.cross(principal[:, 0], principal[:, 1])
    return [np.roll(basis, turn, axis=1) for basis in (np.eye(3), principal) for turn in range(3)]


def _fit_box(points: Array, R: Array) -> Box:
    local = points @ R
    low, high = local.min(axis=0), local.max(axis=0)
    x, y, z = ((high - low) * _GROW).tolist()
    return Box(size=(x, y, z), origin=_pose(R, (low + high) / 2))


def _fit_cylinder(points: Array, R: Array) -> Cylinder:
    local = points @ R
    x, y, radius = enclosing_circle(local[:, :2])
    low, high = float(local[:, 2].min()), float(local[:, 2].max())
    centre = np.array([x, y, (low + high) / 2])
    return Cylinder(radius=radius * _GROW, length=(high - low) * _GROW, origin=_pose(R, centre))


def _fit_capsule(points: Array, R: Array) -> Capsule:
    local = points @ R
    x, y, radius = enclosing_circle(local[:, :2])
    radius *= _GROW
    reach = np.sqrt(np.maximum(radius**2 - ((local[:, :2] - (x, y)) ** 2).sum(axis=1), 0.0))
    high, low = float((local[:, 2] - reach).max()), float((local[:, 2] + reach).min())
    if high < low:
        high = low = (high + low) / 2
    origin = _pose(R, np.array([x, y, (low + high) / 2]))
    return Capsule(radius=radius, length=(high - low) * _GROW, origin=origin)


def _fit_sphere(points: Array, R: Array) -> Sphere:  # noqa: ARG001 - a sphere has no axis
    """Ritter's bounding sphere (1990), from the two most distant extreme points: a few per cent too large."""
    sides = [first_smallest(values) for values in points.T] + [first_largest(values) for values in points.T]
    extremes = points[sides]
    distances = np.linalg.norm(extremes[:, None] - extremes[None], axis=2)
    one, other = np.unravel_index(first_largest(distances.ravel()), distances.shape)
    centre, radius = (extremes[one] + extremes[other]) / 2, float(distances.max()) / 2
    while True:
        offsets = points - centre
        far = np.linalg.norm(offsets, axis=1)
        worst = first_largest(far, ROUNDING)
        if far[worst] <= radius * (1 + ROUNDING):
            break
        grown = (radius + float(far[worst])) / 2
        centre = centre + offsets[worst] * ((grown - radius) / float(far[worst]))
        radius = grown
    return Sphere(radius=radius * _GROW, origin=_pose(np.eye(3), centre, turn=False))


FITTERS: Mapping[str, Callable[[Array, Array], Primitive]] = {
    "box": _fit_box,
    "cylinder": _fit_cylinder,
    "sphere": _fit_sphere,
    "capsule": _fit_capsule,
}


def enclosing_circle(points: Array) -> tuple[float, float, float]:
    """The smallest circle around points in a plane: centre x, y and radius (Welzl 1991)."""
    corners = [(float(x), float(y)) for x, y in _plane_hull(points)]
    circle = (corners[0][0], corners[0][1], 0.0)
    for i, p in enumerate(corners):
        if not _contains(circle, p):
            circle = (p[0], p[1], 0.0)
            for j, q in enumerate(corners[:i]):
                if not _contains(circle, q):
                    circle = _through_two(p, q)
                    for r in corners[:j]:
                        if not _contains(circle, r):
                            circle = _through_three(p, q, r)
    x, y, _ = circle
    return x, y, float(np.hypot(points[:, 0] - x, points[:, 1] - y).max())


Point = tuple[float, float]
Circle = tuple[float, float, float]


def _plane_hull(points: Array) -> Array:
    from scipy.spatial import ConvexHull, QhullError

    try:
        corners: Array = points[ConvexHull(points).vertices]
    except (QhullError, ValueError):
        return points
    return corners


def _contains(circle: Circle, p: Point) -> bool:
    return math.hypot(p[0] - circle[0], p[1] - circle[1]) <= circle[2] * (1 + 1e-12) + 1e-15


def _through_two(p: Point, q: Point) -> Circle:
    return ((p[0] + q[0]) / 2, (p[1] + q[1]) / 2, math.hypot(p[0] - q[0], p[1] - q[1]) / 2)


def _through_three(p: Point, q: Point, r: Point) -> Circle:
    ax, ay, bx, by = q[0] - p[0], q[1] - p[1], r[0] - p[0], r[1] - p[1]
    d = 2 * (ax * by - ay * bx)
    if d == 0:  # collinear: the most distant two
        return max((_through_two(*pair) for pair in ((p, q), (q, r), (p, r))), key=lambda circle: circle[2])
    ux = (by * (ax * ax + ay * ay) - ay * (bx * bx + by * by)) / d
    uy = (ax * (bx * bx + by * by) - bx * (ax * ax + ay * ay)) / d
    return (p[0] + ux, p[1] + uy, math.hypot(ux, uy))


def _pose(R: Array, centre: Array, *, turn: bool = True) -> Pose:
    return Pose.from_matrix(homogeneous(R if turn else np.eye(3), R @ centre))
