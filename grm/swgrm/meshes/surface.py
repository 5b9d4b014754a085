"""Surfaces: triangles welded, cleaned and wound alike, with their volume integrals."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]
    Indices = NDArray[np.int64]

_GRID = 1 << 20  # cells across the largest extent within which corners are one: a millionth of the size


class Surface(NamedTuple):
    """Corners, and triangles that name them, counter-clockwise seen from outside."""

    vertices: Array  # (n, 3) [m]
    faces: Indices  # (m, 3)

    @property
    def triangles(self) -> Array:
        """The triangles' corners.  # (m, 3, 3)."""
        return self.vertices[self.faces]

    @property
    def size(self) -> float:
        """The diagonal of the box around it; zero if it is empty."""
        return float(np.linalg.norm(np.ptp(self.vertices, axis=0))) if len(self.vertices) else 0.0

    @property
    def is_closed(self) -> bool:
        """Whether every edge is passed as often in one direction as in the other: it encloses a volume."""
        edges = _edges(self.faces) * np.array([len(self.vertices), 1])
        forward, backward = edges.sum(axis=1), _edges(self.faces[:, ::-1]) * np.array([len(self.vertices), 1])
        return len(self.faces) > 0 and np.array_equal(np.sort(forward), np.sort(backward.sum(axis=1)))


def surface(triangles: Array) -> Surface:
    """Triangles (n, 3, 3) as a surface: welded, without degenerate and doubled ones, wound alike, outside out."""
    welded = weld(triangles)
    return _outside_out(_wound_alike(welded))


def weld(triangles: Array) -> Surface:
    """Corners that lie within a millionth of the size are one; triangles that collapse or repeat go.

    Each corner is where its first occurrence was, so that welding moves nothing that need not move.
    """
    corners = np.ascontiguousarray(triangles, float).reshape(-1, 3)
    if not len(corners):
        return Surface(np.zeros((0, 3)), np.zeros((0, 3), np.int64))
    low = corners.min(axis=0)
    extent = float((corners.max(axis=0) - low).max()) or 1.0
    cells = np.rint((corners - low) * (_GRID / extent)).astype(np.int64)
    keys = (cells[:, 0] << 42) | (cells[:, 1] << 21) | cells[:, 2]
    _, first, numbers = np.unique(keys, return_index=True, return_inverse=True)
    order = np.argsort(first, kind="stable")  # corners in the order in which they came
    rank = np.empty(len(order), np.int64)
    rank[order] = np.arange(len(order))
    faces = rank[numbers.reshape(-1)].reshape(-1, 3)
    return _compact(Surface(corners[first[order]], _proper(corners[first[order]], faces)))


def _proper(vertices: Array, faces: Indices) -> Indices:
    """The faces that have three different corners and an area, each once."""
    a, b, c = faces.T
    faces = faces[(a != b) & (b != c) & (c != a)]
    T = vertices[faces]
    doubled = np.linalg.norm(np.cross(T[:, 1] - T[:, 0], T[:, 2] - T[:, 0]), axis=1)
    longest = np.linalg.norm(T - np.roll(T, 1, axis=1), axis=2).max(axis=1, initial=0.0)
    faces = faces[doubled > 1e-12 * longest**2]
    start = faces.argmin(axis=1)[:, None]
    turned = np.take_along_axis(faces, (start + np.arange(3)) % 3, axis=1)  # the same triangle begins the same
    _, kept = np.unique(turned, axis=0, return_index=True)
    return faces[np.sort(kept)]


def _compact(given: Surface) -> Surface:
    """The surface without corners that no triangle uses."""
    used, faces = np.unique(given.faces, return_inverse=True)
    return Surface(given.vertices[used], faces.reshape(-1, 3).astype(np.int64))


def _edges(faces: Indices) -> Indices:
    """The directed edges, three per face, face by face.  # (3m, 2)."""
    return np.stack([faces, np.roll(faces, -1, axis=1)], axis=2).reshape(-1, 2)


def _wound_alike(given: Surface) -> Surface:
    """Neighbours pass their common edge in opposite directions, as far as the surface allows it."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import breadth_first_order, connected_components

    edges = _edges(given.faces)
    forward = edges[:, 0] < edges[:, 1]
    _, undirected, counts = np.unique(np.sort(edges, axis=1), axis=0, return_inverse=True, return_counts=True)
    undirected = undirected.reshape(-1)
    order = np.argsort(undirected, kind="stable")
    order = order[counts[undirected[order]] == 2]
    one, other = order[::2], order[1::2]
    alike = forward[one] == forward[other]  # the same direction twice: one of the two faces must turn
    if not alike.any():
        return given
    count = len(given.faces)
    left, right = one // 3, other // 3
    graph = coo_array((np.where(alike, 2, 1), (left, right)), shape=(count, count)).tocsr()
    graph = graph + graph.T
    parity = np.zeros(count, bool)
    weights = {(int(i), int(j)): turns for i, j, turns in zip(left, right, alike.tolist(), strict=True)}
    parts, labels = connected_components(graph, directed=False)
    for part in range(parts):
        start = int(np.flatnonzero(labels == part)[0])
        reached, before = breadth_first_order(graph, start, directed=False)
        for face in reached[1:].tolist():
            above = int(before[face])
            turns = weights.get((face, above), weights.get((above, face), False))
            parity[face] = parity[above] ^ turns
    faces = given.faces.copy()
    faces[parity] = faces[parity][:, ::-1]
    return Surface(given.vertices, faces)


def _outside_out(given: Surface) -> Surface:
    """A closed surface with a positive volume."""
    if len(given.faces) and given.is_closed and volume_integrals(given).volume < 0:
        return Surface(given.vertices, given.faces[:, ::-1].copy())
    return given


class Integrals(NamedTuple):
    """What a closed surface of density one weighs: volume, centre, and the tensor about the centre."""

    volume: float  # [m³]
    centre: Array  # (3,) [m]
    tensor: Array  # (3, 3) [m⁵]


def volume_integrals(given: Surface) -> Integrals:
    """∫dV, ∫x dV/V and ∫(|r|²1 − r rᵀ)dV about the centre, by the divergence theorem (Eberly 2002, in trimesh)."""
    from trimesh.triangles import mass_properties

    shift = given.vertices.mean(axis=0)  # near the origin nothing cancels
    integrate: Any = mass_properties
    with np.errstate(divide="ignore", invalid="ignore"):  # a flat surface encloses nothing, and has no centre
        found = integrate(given.triangles - shift, density=1.0, skip_inertia=False)
    return Integrals(float(found["volume"]), np.asarray(found["center_mass"]) + shift, np.asarray(found["inertia"]))


def placed(given: Surface, T: Array, scale: tuple[float, float, float] = (1.0, 1.0, 1.0)) -> Surface:
    """The surface elsewhere, scaled first; a mirroring scale turns its triangles, so that outside stays outside."""
    vertices = given.vertices * np.asarray(scale) @ T[:3, :3].T + T[:3, 3]
    mirrored = np.prod(scale) * np.linalg.det(T[:3, :3]) < 0
    return Surface(vertices, given.faces[:, ::-1].copy() if mirrored else given.faces)


def joined(surfaces: list[Surface]) -> Surface:
    """Several surfaces as one, not welded."""
    if not surfaces:
        return weld(np.zeros((0, 3, 3)))
    offsets = np.cumsum([0, *(len(each.vertices) for each in surfaces[:-1])])
    faces = np.concatenate([each.faces + offset for each, offset in zip(surfaces, offsets, strict=True)])
    return Surface(np.concatenate([each.vertices for each in surfaces]), faces)
