"""Surfaces: triangles welded, cleaned and wound alike, with their volume integrals."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from swgrm.transforms import Array

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
        start, end = _edges(self.faces)
        count = len(self.vertices)
        return len(self.faces) > 0 and np.array_equal(np.sort(start * count + end), np.sort(end * count + start))


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
    first, numbers = _grouped(keys)
    order = np.argsort(first)  # corners in the order in which they came
    rank = np.empty(len(order), np.int64)
    rank[order] = np.arange(len(order))
    vertices = corners[first[order]]
    return _compact(Surface(vertices, _proper(vertices, rank[numbers].reshape(-1, 3))))


def _grouped(keys: Indices) -> tuple[Indices, Indices]:
    """The first place of each different key, in the keys' order, and for each place the number of its key."""
    order = np.argsort(keys)
    ordered = keys[order]
    starts = np.flatnonzero(np.concatenate([[True], ordered[1:] != ordered[:-1]]))
    numbers = np.empty(len(keys), np.int64)
    numbers[order] = np.repeat(np.arange(len(starts)), np.diff(np.append(starts, len(keys))))
    return np.minimum.reduceat(order, starts), numbers


def _proper(vertices: Array, faces: Indices) -> Indices:
    """The faces that have three different corners and an area, each once."""
    a, b, c = faces.T
    faces = faces[(a != b) & (b != c) & (c != a)]
    T = vertices[faces]
    sides = T[:, 1] - T[:, 0], T[:, 2] - T[:, 1], T[:, 0] - T[:, 2]
    longest = np.maximum.reduce([(side * side).sum(axis=1) for side in sides])
    normals = np.cross(sides[0], sides[1])
    faces = faces[(normals * normals).sum(axis=1) > (1e-12 * longest) ** 2]
    if not len(faces):
        return faces
    start = faces.argmin(axis=1)[:, None]
    turned = np.take_along_axis(faces, (start + np.arange(3)) % 3, axis=1)  # the same triangle begins the same
    count = len(vertices)
    edge_numbers = _grouped(turned[:, 0] * count + turned[:, 1])[1]  # two numbers in one, then three: all fit
    first, _ = _grouped(edge_numbers * count + turned[:, 2])
    return faces if len(first) == len(faces) else faces[np.sort(first)]


def _compact(given: Surface) -> Surface:
    """The surface without corners that no triangle uses."""
    used = np.zeros(len(given.vertices), bool)
    used[given.faces] = True
    if used.all():
        return given
    return Surface(given.vertices[used], (np.cumsum(used) - 1)[given.faces])


def _edges(faces: Indices) -> tuple[Indices, Indices]:
    """Where each directed edge starts and ends: three per face, face by face.  # (3m,), (3m,)."""
    return faces.reshape(-1), np.roll(faces, -1, axis=1).reshape(-1)


def _wound_alike(given: Surface) -> Surface:
    """Neighbours pass their common edge in opposite directions, as far as the surface allows it."""
    start, end = _edges(given.faces)
    directed = np.sort(start * len(given.vertices) + end)
    if not (directed[1:] == directed[:-1]).any():  # no edge is passed twice in one direction: nothing to turn
        return given
    turn = _turned(given.faces, start, end, len(given.vertices))
    faces = given.faces.copy()
    faces[turn] = faces[turn][:, ::-1]
    return Surface(given.vertices, faces)


def _turned(faces: Indices, start: Indices, end: Indices, vertices: int) -> NDArray[np.bool_]:
    """Which faces must turn, so that all agree with the first of their connected part: a walk over neighbours."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import breadth_first_order, connected_components

    _, numbers = _grouped(np.minimum(start, end) * vertices + np.maximum(start, end))
    order = np.argsort(numbers, kind="stable")
    order = order[np.bincount(numbers)[numbers[order]] == 2]
    one, other = order[::2], order[1::2]
    alike = (start < end)[one] == (start < end)[other]  # the same direction twice: one of the two must turn
    left, right = one // 3, other // 3
    turns = dict(zip(zip(left.tolist(), right.tolist(), strict=True), alike.tolist(), strict=True))
    graph = coo_array((np.ones(len(left)), (left, right)), shape=(len(faces), len(faces))).tocsr()
    parity = np.zeros(len(faces), bool)
    parts, labels = connected_components(graph, directed=False)
    for part in range(parts):
        reached, before = breadth_first_order(graph, int(np.argmax(labels == part)), directed=False)
        for face in reached[1:].tolist():
            above = int(before[face])
            parity[face] = parity[above] ^ turns.get((above, face), turns.get((face, above), False))
    return parity


def _outside_out(given: Surface) -> Surface:
    """A closed surface with a positive volume."""
    a, b, c = np.moveaxis(given.triangles - given.vertices.mean(axis=0) if len(given.faces) else given.triangles, 1, 0)
    if (a * np.cross(b, c)).sum() < 0 and given.is_closed:
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
