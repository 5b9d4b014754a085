"""Triangle surfaces: welding, removal of degenerate triangles, consistent winding, and volume integrals."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from swgrm.meshes.components import connected, first_nodes

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from swgrm.transforms import Array

    Indices = NDArray[np.int64]

_GRID = 1 << 20  # cells along the largest extent: corners in one cell are merged
_BORDER = 1 / 8  # of a cell: corners of two cells that are nearer than this to their common border are merged too


class Surface(NamedTuple):
    """Vertices, and triangles as vertex indices, counter-clockwise seen from outside."""

    vertices: Array  # (n, 3) [m]
    faces: Indices  # (m, 3)

    @property
    def triangles(self) -> Array:
        """The corners of the triangles.  # (m, 3, 3)."""
        return self.vertices[self.faces]

    @property
    def used_vertices(self) -> Array:
        """The vertices that triangles have.  # (k, 3)."""
        used = np.zeros(len(self.vertices), bool)
        used[self.faces] = True
        return self.vertices if used.all() else self.vertices[used]

    @property
    def size(self) -> float:
        """The diagonal of the bounding box; 0 if the surface is empty.  # [m]."""
        return float(np.linalg.norm(np.ptp(self.vertices, axis=0))) if len(self.vertices) else 0.0

    @property
    def is_closed(self) -> bool:
        """Whether it encloses a volume: every edge occurs as often in one direction as in the other."""
        start, end = _edges(self.faces)
        count = len(self.vertices)
        return len(self.faces) > 0 and np.array_equal(np.sort(start * count + end), np.sort(end * count + start))


def surface(triangles: Array) -> Surface:
    """Triangles (n, 3, 3) as a surface: welded, without degenerate and duplicate ones, wound outwards."""
    welded = weld(triangles)
    return _wound_outwards(_wound_consistently(welded))


def weld(triangles: Array) -> Surface:
    """Merges corners within a millionth of the size, and removes degenerate and duplicate triangles.

    A merged vertex has the position of its first corner.
    """
    corners = np.ascontiguousarray(triangles, float).reshape(-1, 3)
    if not len(corners):
        return Surface(np.zeros((0, 3)), np.zeros((0, 3), np.int64))
    keys, inside = _cells(corners)
    first, numbers = _grouped(keys)
    first, numbers = _merged(first, numbers, _across_borders(keys[first], inside[first]))
    order = np.argsort(first)  # vertices in the order of their first corner
    rank = np.empty(len(order), np.int64)
    rank[order] = np.arange(len(order))
    vertices = corners[first[order]]
    return _compact(Surface(vertices, _valid_faces(vertices, rank[numbers].reshape(-1, 3))))


def welded(given: Surface) -> Surface:
    """The same as `weld(given.triangles)`, for a surface whose triangles mostly share their vertices already.

    A surface with no two vertices to merge, such as one that was welded before, is not welded again. Its vertices are
    put into the order of their first corners, as welding does, and it loses degenerate and duplicate triangles.
    """
    given = _compact(given)
    if not len(given.faces) or not _are_apart(given.vertices):
        return weld(given.triangles)
    ordered = _in_corner_order(given)
    return _compact(Surface(ordered.vertices, _valid_faces(ordered.vertices, ordered.faces)))


def _are_apart(vertices: Array) -> bool:
    """Whether welding would merge none of the vertices (n, 3)."""
    keys, inside = _cells(vertices)
    first, _ = _grouped(keys)
    return len(first) == len(keys) and not len(_across_borders(keys[first], inside[first]))


def _in_corner_order(given: Surface) -> Surface:
    """The surface with its vertices, all of which triangles have, in the order of their first corners."""
    corners = given.faces.reshape(-1)
    first = np.empty(len(given.vertices), np.int64)
    # Where an index occurs several times, numpy keeps the last value: backwards, that is the first corner.
    first[corners[::-1]] = np.arange(len(corners))[::-1]
    order = np.argsort(first)
    rank = np.empty(len(order), np.int64)
    rank[order] = np.arange(len(order))
    return Surface(given.vertices[order], rank[given.faces])


def _cells(points: Array) -> tuple[Indices, Array]:
    """The cell of each point (n, 3) on the grid of welding as one number, and its place in it, from -0.5 to 0.5."""
    low, high = bounds(points)
    extent = float((high - low).max()) or 1.0
    scaled = (points - low) * (_GRID / extent)
    cells = np.rint(scaled).astype(np.int64)
    return (cells[:, 0] << 42) | (cells[:, 1] << 21) | cells[:, 2], scaled - cells


def bounds(points: Array) -> tuple[Array, Array]:
    """The lower and upper corners of the box around points (n, 3); column by column, numpy is much faster."""
    columns = points.T
    return np.array([each.min() for each in columns]), np.array([each.max() for each in columns])


def _grouped(keys: Indices) -> tuple[Indices, Indices]:
    """The first index of each distinct key, sorted by key, and for each index the number of its key."""
    order = np.argsort(keys)
    ordered = keys[order]
    starts = np.flatnonzero(np.concatenate([[True], ordered[1:] != ordered[:-1]]))
    numbers = np.empty(len(keys), np.int64)
    numbers[order] = np.repeat(np.arange(len(starts)), np.diff(np.append(starts, len(keys))))
    return np.minimum.reduceat(order, starts), numbers


def _across_borders(keys: Indices, inside: Array) -> Indices:
    """The pairs of sorted cells with points on either side of a common border, nearer to it than `_BORDER`.

    `inside` are the places of the points in their cells, from -0.5 to 0.5.  # (k, 2)
    """
    near = {0: np.ones(inside.shape, bool), 1: inside > 0.5 - _BORDER, -1: inside < _BORDER - 0.5}
    pairs = [np.zeros((0, 2), np.int64)]
    for x, y, z in product((1, 0, -1), repeat=3):
        if (x, y, z) <= (0, 0, 0):
            continue  # the other side of the same border
        own = np.flatnonzero(near[x][:, 0] & near[y][:, 1] & near[z][:, 2])
        wanted = keys[own] + ((x << 42) + (y << 21) + z)
        place = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
        is_near = near[-x][place, 0] & near[-y][place, 1] & near[-z][place, 2]
        found = (keys[place] == wanted) & is_near
        pairs.append(np.column_stack([own[found], place[found]]))
    return np.concatenate(pairs)


def _merged(first: Indices, numbers: Indices, pairs: Indices) -> tuple[Indices, Indices]:
    """Groups of corners, as `_grouped` does, with those of each pair of groups merged."""
    if not len(pairs):
        return first, numbers
    labels = connected(len(first), pairs)
    lowest = np.full(labels.max() + 1, len(numbers), np.int64)
    np.minimum.at(lowest, labels, first)
    return lowest, labels[numbers]


def _valid_faces(vertices: Array, faces: Indices) -> Indices:
    """The faces that have three different vertices and an area, each once."""
    a, b, c = faces.T
    faces = faces[(a != b) & (b != c) & (c != a)]
    corners = np.ascontiguousarray(vertices.T)[:, faces.T]  # (3, 3, m): by coordinate, then by corner
    sides = corners[:, (1, 2, 0)] - corners
    longest = _squares(sides).max(axis=0, initial=0.0)
    normals = cross(sides[:, 0], sides[:, 1])
    faces = faces[_squares(normals) > (1e-12 * longest) ** 2]
    if not len(faces):
        return faces
    start = faces.argmin(axis=1)[:, None]
    rotated = np.take_along_axis(faces, (start + np.arange(3)) % 3, axis=1)  # smallest index first
    count = len(vertices)
    edges = rotated[:, 0] * count + rotated[:, 1]
    if _all_differ(edges):
        return faces
    first, _ = _grouped(_grouped(edges)[1] * count + rotated[:, 2])  # three indices combined into one integer
    return faces if len(first) == len(faces) else faces[np.sort(first)]


def _squares(vectors: Array) -> Array:
    """The squares |v|² of vectors by coordinate.  # (3, ...) → (...)."""
    x, y, z = vectors
    squares: Array = x * x + y * y + z * z
    return squares


def cross(u: Array, v: Array) -> Array:
    """The cross products u × v of vectors by coordinate.  # (3, ...), (3, ...) → (3, ...)."""
    return np.stack([u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]])


def _all_differ(values: Indices) -> bool:
    ordered = np.sort(values)
    return not (ordered[1:] == ordered[:-1]).any()


def _compact(given: Surface) -> Surface:
    """The surface without unused vertices."""
    used = np.zeros(len(given.vertices), bool)
    used[given.faces] = True
    if used.all():
        return given
    return Surface(given.vertices[used], (np.cumsum(used) - 1)[given.faces])


def _edges(faces: Indices) -> tuple[Indices, Indices]:
    """The start and end of each directed edge: three per face, face by face.  # (3m,), (3m,)."""
    return faces.reshape(-1), np.roll(faces, -1, axis=1).reshape(-1)


def _wound_consistently(given: Surface) -> Surface:
    """Flips faces so that neighbours have their common edge in opposite directions, where the surface is orientable."""
    start, end = _edges(given.faces)
    if _all_differ(start * len(given.vertices) + end):  # no directed edge occurs twice: consistent already
        return given
    flip = _flipped(given.faces, start, end, len(given.vertices))
    faces = given.faces.copy()
    faces[flip] = faces[flip][:, ::-1]
    return Surface(given.vertices, faces)


def _flipped(faces: Indices, start: Indices, end: Indices, vertices: int) -> NDArray[np.bool_]:
    """Which faces to flip, so that all agree with the first face of their component, where they can.

    Each face f is two nodes, 2f as given and 2f + 1 flipped; the edges of a graph connect the sides that agree. A face
    flips if as given it is connected to the flipped side of the first face.
    """
    _, numbers = _grouped(np.minimum(start, end) * vertices + np.maximum(start, end))
    order = np.argsort(numbers, kind="stable")
    order = order[np.bincount(numbers)[numbers[order]] == 2]
    one, other = order[::2], order[1::2]
    alike = (start < end)[one] == (start < end)[other]  # the same direction twice: one of the two faces must flip
    left, right = 2 * (one // 3), 2 * (other // 3)
    edges = np.concatenate([np.stack([left, right + alike], 1), np.stack([left + 1, right + ~alike], 1)])
    flipped: NDArray[np.bool_] = first_nodes(2 * len(faces), edges)[::2] % 2 == 1
    return flipped


def _wound_outwards(given: Surface) -> Surface:
    """Flips all faces of a closed surface if its volume is negative."""
    if not len(given.faces):
        return given
    centred = np.ascontiguousarray((given.vertices - given.vertices.mean(axis=0)).T)
    a, b, c = np.moveaxis(centred[:, given.faces.T], 1, 0)  # (3, m) each, by coordinate
    if np.ascontiguousarray((a * cross(b, c)).T).sum() < 0 and given.is_closed:
        return Surface(given.vertices, given.faces[:, ::-1].copy())
    return given


class Integrals(NamedTuple):
    """The volume integrals of a closed surface at density 1: volume, centroid, and inertia about the centroid."""

    volume: float  # [m³]
    centre: Array  # (3,) [m]
    tensor: Array  # (3, 3) [m⁵]


def volume_integrals(given: Surface) -> Integrals:
    """The volume integrals of a surface, closed by assumption."""
    return triangle_integrals(given.triangles)


def triangle_integrals(triangles: Array) -> Integrals:
    """∫dV, ∫r dV/V and ∫(|r|²1 − r rᵀ)dV about the centre, of triangles (n, 3, 3) that enclose a volume.

    The sum over the tetrahedra of the triangles a, b, c and one point o (here their mean, which avoids cancellation):
    V = a·(b×c)/6, ∫r dV = V s/4 and ∫r rᵀ dV = V (s sᵀ + a aᵀ + b bᵀ + c cᵀ)/20, with s = a + b + c.
    """
    shift = triangles.mean(axis=(0, 1))
    a, b, c = corners = np.moveaxis(triangles - shift, 1, 0)
    total = a + b + c
    volumes = (a * np.cross(b, c)).sum(axis=1) / 6
    volume = volumes.sum()
    with np.errstate(divide="ignore", invalid="ignore"):  # a flat surface has no volume and no centre
        centre = volumes @ total / (4 * volume)
    second = sum((volumes * each.T) @ each for each in (total, *corners)) / 20 - volume * np.outer(centre, centre)
    return Integrals(float(volume), centre + shift, np.trace(second) * np.eye(3) - second)


def placed(given: Surface, T: Array, scale: tuple[float, float, float] = (1.0, 1.0, 1.0)) -> Surface:
    """The surface scaled and then moved by T; mirroring flips its triangles to keep them wound outwards."""
    vertices = given.vertices * np.asarray(scale) @ T[:3, :3].T + T[:3, 3]
    mirrored = np.prod(scale) * np.linalg.det(T[:3, :3]) < 0
    return Surface(vertices, given.faces[:, ::-1].copy() if mirrored else given.faces)


def joined(surfaces: list[Surface]) -> Surface:
    """Several surfaces as one, without welding."""
    if not surfaces:
        return weld(np.zeros((0, 3, 3)))
    offsets = np.cumsum([0, *(len(each.vertices) for each in surfaces[:-1])])
    faces = np.concatenate([each.faces + offset for each, offset in zip(surfaces, offsets, strict=True)])
    return Surface(np.concatenate([each.vertices for each in surfaces]), faces)
