"""Convex decomposition of a part by plane cuts, and convex polytopes: how deep two overlap, and cutting one.

A part made in CAD is convex pieces that meet at its planar faces: a plate and a pin meet at the face of the plate.
So the planes of the largest faces are the candidates of cuts, and the cut after which the hulls have the least volume
is made, until cuts no longer pay. The number of pieces is bounded, and so is the time.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np

from swgrm.meshes.common_point import INSIDE, have_common_point
from swgrm.meshes.components import connected
from swgrm.meshes.polytopes import Polytope
from swgrm.meshes.surface import Surface
from swgrm.precision import rounded_points
from swgrm.ties import EQUAL, first_largest, first_smallest, leading_components, principal_axes, steps_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from swgrm.transforms import Array

    Indices = NDArray[np.intp]

PAYS = 0.02  # of the volume of the whole hull: what a cut must save
FACES, FRACTIONS = 16, (0.25, 0.5, 0.75)  # candidates: planes of the largest faces, and places along the principal axes
FLAT = 1e-6  # of the size: points this near to a plane are in it
SAME_PLANE = 1e-6  # of a unit normal, or of the size: planes this near to each other are one
SIMILAR_PLANE = 1e-3  # as SAME_PLANE, of planes that are ordered as one
SAME_FACE = 1e-4  # as SAME_PLANE, of the triangles of a face
SAME_POINT = 1e-9  # of the size: points this near to each other are one
MOST_TRIANGLES = 4000  # above this, vertices are clustered first
CELLS = 96  # of a cluster, along the largest extent


def hull_volume(points: Array) -> float:
    """The volume of the convex hull of points; 0 if they are in a plane.  # [m³]."""
    from scipy.spatial import ConvexHull, QhullError

    try:
        return float(ConvexHull(points).volume)
    except (QhullError, ValueError):
        return 0.0


def _distinct(points: Array) -> Array:
    """The points without repetitions, in order; the two sides of an edge that was cut differ by rounding."""
    size = float(np.ptp(points, axis=0).max(initial=0.0)) or 1.0 if len(points) else 1.0
    cells = np.ascontiguousarray(steps_of(points, SAME_POINT * size))
    rows = cells.view(np.dtype((np.void, 24))).ravel()
    first = np.unique(rows, return_index=True)[1]
    distinct: Array = points[np.sort(first)]
    return distinct


def _enclosed(triangles: Array) -> float:
    """The volume that triangles enclose, if they are closed.  # [m³]."""
    a, b, c = np.moveaxis(triangles - triangles.reshape(-1, 3).mean(axis=0), 1, 0)
    return abs(float((a * np.cross(b, c)).sum()) / 6)


def polytope(points: Array) -> Polytope | None:
    """The convex hull of points; None if it has no volume.

    The faces are in the order of their planes, not in that of the library, which depends on rounding. The vertices are
    rounded after the hull is known: points that were cut in a tilted plane leave it by rounding, and a hull of the
    rounded points would have all of them as vertices.
    """
    from scipy.spatial import ConvexHull, QhullError

    try:
        found = ConvexHull(points)
    except (QhullError, ValueError):
        return None
    size = float(np.ptp(points, axis=0).max())
    keys = steps_of(found.equations / [1, 1, 1, size], SAME_PLANE)
    _, first, groups = np.unique(keys, axis=0, return_index=True, return_inverse=True)
    a, b, c = np.moveaxis(points[found.simplices], 1, 0)
    areas = np.asarray(np.bincount(groups.ravel(), np.linalg.norm(np.cross(b - a, c - a), axis=1) / 2), float)
    # Narrow triangles of one face differ in their normals; these must not decide which of two faces comes first.
    order = np.lexsort(steps_of(found.equations[first] / [1, 1, 1, size], SIMILAR_PLANE).T[::-1])
    planes = found.equations[first][order]
    vertices = rounded_points(points[np.sort(found.vertices)])
    return Polytope(vertices, planes[:, :3], -planes[:, 3], areas[order], float(found.volume))


def cut(body: Polytope, normal: Array, offset: float) -> Polytope | None:
    """The part of a body on the side n · x ≥ d of a plane; None if nothing is left."""
    heights = body.vertices @ normal - offset
    heights[np.abs(heights) <= SAME_POINT * float(np.ptp(heights))] = 0.0  # vertices in the plane
    kept, gone = heights > 0, heights < 0
    if not gone.any():
        return body
    start, end = body.vertices[kept][:, None], body.vertices[gone][None]
    high, low = heights[kept][:, None, None], heights[gone][None, :, None]
    through = (start + high / (high - low) * (end - start)).reshape(-1, 3)  # where the plane crosses the body's chords
    return polytope(np.concatenate([body.vertices[heights >= 0], through]))


def depth(one: Polytope, other: Polytope) -> float:
    """How far two bodies must be moved apart, along the normal of a face of either; negative: their distance.

    The separating axis theorem also needs the cross products of edges. Instead a linear program decides whether a
    point is inside both, where no face separates them.
    """
    return deepest(one, [other])


def face_gap(one: Polytope, other: Polytope) -> float:
    """The distance of two bodies along the normal of a face of either; negative: no face separates them."""
    gaps = (
        (other.vertices @ one.normals.T).min(axis=0) - one.offsets,
        (one.vertices @ other.normals.T).min(axis=0) - other.offsets,
    )
    return float(max(gaps[0].max(), gaps[1].max()))


def deepest(one: Polytope, others: Sequence[Polytope]) -> float:
    """The largest depth of a body in any of several others; as few linear programs as possible are solved."""
    gaps = [face_gap(one, other) for other in others]
    for gap, number in sorted((gap, number) for number, gap in enumerate(gaps)):
        if gap > -2 * INSIDE:  # no ball of this radius fits between the two planes
            return min(-gap, 0.0)
        if have_common_point(one, others[number]):
            return -gap
    return 0.0


def decomposed(body: Surface, most: int, *, holes: bool = False) -> list[Polytope]:
    """At most so many convex pieces that contain a body; with `holes`, rings are cut open too."""
    body = Surface(rounded_points(body.vertices), body.faces)  # so that points of cuts can be equal to vertices
    pieces = [_CutPiece(triangles, _enclosed(triangles), holes) for triangles in _solids(_clustered(body), most)]
    whole = polytope(body.vertices)
    if whole is None:
        return []
    while len(pieces) < most:
        best = pieces[first_largest([piece.gain for piece in pieces])]
        if best.gain < PAYS * whole.volume:
            break
        pieces.remove(best)
        pieces += best.halves
    hulls = (polytope(piece.points) for piece in pieces)
    return [hull for hull in hulls if hull is not None]


class _CutPiece:
    """Triangles of a body on one side of the cuts, with the volume of their hull and the best next cut."""

    def __init__(self, triangles: Array, solid: float = 0.0, holes: bool = False) -> None:
        self.triangles, self.solid, self.holes = triangles, solid, holes  # its own volume, if it is closed
        self.points = _distinct(triangles.reshape(-1, 3))
        self.volume = hull_volume(self.points)  # [m³] of the hull

    @cached_property
    def _best(self) -> tuple[float, list[_CutPiece]]:
        """What the best cut saves [m³], and the two pieces after it."""
        cuts = [self._cut(*plane) for plane in self._planes()]
        best = cuts[first_smallest([_volume(halves) for halves in cuts])] if cuts else []
        gain = self.volume - _volume(best) if best else 0.0
        if self.holes and self.solid and cuts and gain < PAYS * self.volume:  # a ring: only a second cut saves anything
            middle = [self._cut(*plane) for plane in islice(_across(self.points), 1, None, len(FRACTIONS))]
            best = middle[first_largest([sum(half.gain for half in halves) for halves in middle])]
            gain = self.volume - _volume(best) + sum(half.gain for half in best)
        return gain, best

    @property
    def gain(self) -> float:
        return self._best[0]

    @property
    def halves(self) -> list[_CutPiece]:
        return self._best[1]

    def _cut(self, normal: Array, offset: float) -> list[_CutPiece]:
        halves = [clipped(self.triangles, side * normal, side * offset) for side in (1, -1)]
        return [_CutPiece(half, holes=self.holes) for half in halves]

    def _planes(self) -> Iterator[tuple[Array, float]]:
        """Yields the candidate planes n · x = d that have vertices on both sides."""
        if self.volume - self.solid < PAYS * self.volume / 10:
            return  # convex already
        near = FLAT * float(np.ptp(self.points, axis=0).max())
        across = _across(self.points) if self.solid or self.holes else ()  # exact for whole bodies, rough for others
        for normal, offset in (*_largest_faces(self.triangles), *across):
            heights = self.points @ normal - offset
            if heights.min() < -near and heights.max() > near:
                yield normal, offset


def _volume(pieces: list[_CutPiece]) -> float:
    return sum(piece.volume for piece in pieces)


def clipped(triangles: Array, normal: Array, offset: float) -> Array:
    """Triangles that have the hull of the given ones below the plane n · x = d.  # (m, 3, 3).

    Of the faces in the plane, those that look upwards belong to what is below. The cut itself gets no face.
    """
    near = FLAT * float(np.ptp(triangles.reshape(-1, 3), axis=0).max(initial=0.0)) if len(triangles) else 0.0
    heights = triangles @ normal - offset  # (n, 3)
    heights[np.abs(heights) <= near] = 0.0
    below, above = heights < 0, heights > 0
    upwards = np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0]) @ normal > 0
    inside: Array = triangles[(below.any(axis=1) | upwards) & ~above.any(axis=1)]
    crosses = below.any(axis=1) & above.any(axis=1)
    if not crosses.any():
        return inside
    start, high = triangles[crosses], heights[crosses]  # the edges begin at their corners: (k, 3, 3), (k, 3)
    end, low = start[:, (1, 2, 0)], high[:, (1, 2, 0)]
    cuts = high * low < 0
    share = np.where(cuts, high / np.where(cuts, high - low, 1.0), 0.0)[..., None]
    through = rounded_points(start + share * (end - start))
    points = np.stack([start, through], axis=2).reshape(-1, 6, 3)  # around the polygon below: corner, cut, corner, …
    valid = np.stack([high <= 0, cuts], axis=2).reshape(-1, 6)
    for each in (*range(1, 6), *range(6)):  # a point that is not there becomes the one before it
        points[:, each] = np.where(valid[:, each, None], points[:, each], points[:, each - 1])
        valid[:, each] |= valid[:, each - 1]
    return np.concatenate([inside, *(points[:, (0, each, each + 1)] for each in range(1, 5))])


def _largest_faces(triangles: Array) -> list[tuple[Array, float]]:
    """The planes of the largest planar faces, largest first; opposite faces in one plane count together.

    Corners have single precision, which tilts a narrow triangle: the plane of a face is that of its largest triangle.
    """
    normals = np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0])
    areas = np.linalg.norm(normals, axis=1)
    largest_first = _largest_first(areas)
    solid = largest_first[areas[largest_first] > 0]
    normals, areas, corners = normals[solid] / areas[solid, None], areas[solid], triangles[solid, 0]
    leading = leading_components(normals, SAME_FACE)
    normals = normals * np.sign(normals[np.arange(len(normals)), leading])[:, None]
    offsets = (normals * corners).sum(axis=1)
    size = float(np.ptp(triangles.reshape(-1, 3), axis=0).max()) or 1.0
    keys = steps_of(np.column_stack([normals, offsets / size]), SAME_FACE)
    _, first, groups = np.unique(keys, axis=0, return_index=True, return_inverse=True)
    # Opposite faces of a box are equally large: these stay in the order of their planes.
    sizes = np.asarray(np.bincount(groups.ravel(), areas), float)
    planes = first[_largest_first(sizes)[:FACES]]
    return [(normals[plane], float(offsets[plane])) for plane in planes]


def _largest_first(values: Array) -> Indices:
    """The places of values, the largest first; those of equal values stay in order."""
    order: Indices = np.argsort(-steps_of(values, EQUAL * float(values.max(initial=0.0) or 1.0)), kind="stable")
    return order


def _across(points: Array) -> Iterator[tuple[Array, float]]:
    """Yields planes across the principal axes, for bodies without planar faces."""
    centred = points - points.mean(axis=0)
    _, axes = principal_axes(centred.T @ centred)
    for axis in axes.T:
        heights = points @ axis
        for share in FRACTIONS:
            yield axis, float(heights.min() + share * np.ptp(heights))


def _solids(body: Surface, most: int) -> list[Array]:
    """The triangles of each connected solid; the smallest together, if there are too many."""
    labels = connected(len(body.vertices), body.faces[:, ((0, 1), (1, 2))].reshape(-1, 2))
    of_face = labels[body.faces[:, 0]]
    solids = [body.triangles[of_face == label] for label in np.unique(of_face)]
    # The largest boxes first; equal ones, as those of two pins, in the order of the mesh.
    boxes = np.array([np.ptp(triangles.reshape(-1, 3), axis=0).prod() for triangles in solids])
    solids = [solids[number] for number in _largest_first(boxes)]
    few = solids[: most - 1]
    return [*few, np.concatenate(solids[most - 1 :])] if len(solids) >= most else solids


def _clustered(body: Surface) -> Surface:
    """A large body with fewer triangles: the vertices in a cell become the first of them."""
    if len(body.faces) <= MOST_TRIANGLES:
        return body
    low = body.vertices.min(axis=0)
    cells = steps_of(body.vertices - low, float(np.ptp(body.vertices, axis=0).max()) / CELLS)
    _, first, groups = np.unique(cells, axis=0, return_index=True, return_inverse=True)
    faces = groups.ravel()[body.faces]
    kept = (faces[:, 0] != faces[:, 1]) & (faces[:, 1] != faces[:, 2]) & (faces[:, 2] != faces[:, 0])
    return Surface(body.vertices[first], np.unique(faces[kept], axis=0))
