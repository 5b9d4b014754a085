"""Extruded bosses and cuts along one axis: a stack of regions, each a set of loops, with faces and exact moments.

Between two neighbouring heights the region is that of all bosses there, without all cuts. Loops may be nested or apart,
not crossing: those the mock does not model.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from swgrm.transforms import Array
from swgrm_mocks.mates import circle, line, plane, shaft
from swgrm_mocks.modelling.profiles import Loop, ProfileSegment
from swgrm_mocks.modelling.solid_faces import (
    NO_MOMENTS,
    ModelEdge,
    ModelFace,
    ModelSolid,
    Moments,
    NotModelled,
    moved_edge,
    moved_face,
)
from swgrm_mocks.modelling.triangulation import triangulate

LEVEL = 1e-9  # [m] heights nearer than this are one


class Extrusion(NamedTuple):
    """A boss or cut of loops between two heights along the axis."""

    loops: tuple[Loop, ...]
    low: float
    high: float
    is_cut: bool = False


class _Layer(NamedTuple):
    """The region between two heights: its loops, counter-clockwise outside (+1) or clockwise inside (−1)."""

    low: float
    high: float
    sides: dict[Loop, int]


def build(extrusions: Sequence[Extrusion], T_part_axis: Array) -> ModelSolid:
    """The solid of extrusions along the z axis of a frame."""
    layers = _layers(extrusions)
    if not any(layer.sides for layer in layers):
        raise NotModelled("nothing is left of the body")
    corners = np.concatenate([loop.polygon() for layer in layers for loop in layer.sides])
    faces = [*_flat_faces(layers, corners), *_side_faces(layers, corners)]
    exact = sum((_moments(layer) for layer in layers), start=NO_MOMENTS)
    T = T_part_axis
    return ModelSolid.of(
        tuple(moved_face(face, T) for face in faces),
        tuple(moved_edge(e, T) for e in _edges(layers)),
        exact.moved(T),
    )


def _layers(extrusions: Sequence[Extrusion]) -> list[_Layer]:
    levels: list[float] = []
    for height in sorted(h for each in extrusions for h in (each.low, each.high) if math.isfinite(h)):
        if not levels or height - levels[-1] > LEVEL:
            levels.append(height)
    return [_Layer(low, high, _region(extrusions, (low + high) / 2)) for low, high in pairwise(levels)]


def _region(extrusions: Sequence[Extrusion], height: float) -> dict[Loop, int]:
    """The oriented loops of the region at a height; later features act on earlier ones."""
    sides: dict[Loop, int] = {}
    for each in extrusions:
        if each.low < height < each.high:
            for loop, side in _nested(each.loops).items():
                _apply(sides, loop, is_cut=each.is_cut == (side > 0))
    return sides


def _nested(loops: Sequence[Loop]) -> dict[Loop, int]:
    """The loops of one sketch: those inside an odd number of others are holes."""
    depth = {loop: sum(loop.is_inside(other) for other in loops if other is not loop) for loop in loops}
    return {loop: -1 if depth[loop] % 2 else 1 for loop in sorted(loops, key=lambda each: depth[each])}


def _apply(sides: dict[Loop, int], loop: Loop, *, is_cut: bool) -> None:
    if any(loop != other and loop.crosses(other) for other in sides):
        raise NotModelled("its outline crosses that of another feature")
    around = sum(side for other, side in sides.items() if loop != other and loop.is_inside(other))
    covered = [other for other in sides if other != loop and other.is_inside(loop)]
    for other in (*covered, *([loop] if loop in sides else [])):
        del sides[other]
    if is_cut and around > 0:
        sides[loop] = -1
    elif not is_cut and around <= 0:
        sides[loop] = 1


def _moments(layer: _Layer) -> Moments:
    """The moments of a layer: those of its region times those of its height."""
    m = {
        (i, j): sum(side * loop.moment(i, j) for loop, side in layer.sides.items()) for i in range(3) for j in range(3)
    }
    h = [(layer.high ** (k + 1) - layer.low ** (k + 1)) / (k + 1) for k in range(3)]
    first = np.array([m[1, 0] * h[0], m[0, 1] * h[0], m[0, 0] * h[1]])
    xx, yy, zz = m[2, 0] * h[0], m[0, 2] * h[0], m[0, 0] * h[2]
    xy, xz, yz = m[1, 1] * h[0], m[1, 0] * h[1], m[0, 1] * h[1]
    return Moments(m[0, 0] * h[0], first, np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]))


def _flat_faces(layers: Sequence[_Layer], corners: Array) -> Iterator[ModelFace]:
    """Yields the faces across the axis: at every height what is below and not above, and the other way round."""
    none = _Layer(-math.inf, -math.inf, {})
    for below, above in pairwise([none, *layers, none]):
        height = below.high if math.isfinite(below.high) else above.low
        for up, own, other in ((1, below.sides, above.sides), (-1, above.sides, below.sides)):
            for outer, holes in _differences(own, other):
                flat = triangulate(outer.polygon(corners), [hole.polygon(corners) for hole in holes])
                flat = flat if up > 0 else flat[:, ::-1]
                triangles = np.concatenate([flat, np.full((*flat.shape[:2], 1), height)], axis=2)
                area = outer.moment(0, 0) - sum(hole.moment(0, 0) for hole in holes)
                x, y = outer.polygon()[0]
                yield ModelFace(triangles, plane((float(x), float(y), height), (0.0, 0.0, float(up))), area)


def _differences(own: dict[Loop, int], other: dict[Loop, int]) -> list[tuple[Loop, list[Loop]]]:
    """The parts of a region that another one does not cover, each as its outline and its holes."""
    sides = {loop: side for loop, side in own.items() if other.get(loop) != side}
    for loop, side in other.items():
        if own.get(loop) != side and _is_covered(loop, own):
            sides[loop] = -side
    outers = [loop for loop, side in sides.items() if side > 0]
    holes = [loop for loop, side in sides.items() if side < 0]
    outers = [loop for loop in outers if not any(_is_within(loop, out, other) for out in other)]
    found = []
    for outer in sorted(outers, key=lambda each: each.moment(0, 0)):
        mine = [hole for hole in holes if hole.is_inside(outer)]
        holes = [hole for hole in holes if hole not in mine]
        found.append((outer, mine))
    return found


def _is_covered(loop: Loop, region: dict[Loop, int]) -> bool:
    return sum(side for other, side in region.items() if loop == other or loop.is_inside(other)) > 0


def _is_within(loop: Loop, out: Loop, region: dict[Loop, int]) -> bool:
    return region[out] > 0 and loop != out and loop.is_inside(out)


def _side_faces(layers: Sequence[_Layer], corners: Array) -> Iterator[ModelFace]:
    """Yields the faces along the axis, one per segment, over all neighbouring layers that it bounds."""
    for loop, side, low, high in _spans(layers):
        for segment in loop.segments:
            ends = np.vstack([segment.outline(corners), segment.end])
            yield _side_face(segment, ends, side, (low, high))


def _spans(layers: Sequence[_Layer]) -> list[tuple[Loop, int, float, float]]:
    found: list[tuple[Loop, int, float, float]] = []
    for layer in layers:
        for loop, side in layer.sides.items():
            same = next((s for s in found if s[0] == loop and s[1] == side and abs(s[3] - layer.low) < LEVEL), None)
            if same:
                found.remove(same)
            found.append((loop, side, same[2] if same else layer.low, layer.high))
    return found


def _side_face(segment: ProfileSegment, ends: Array, side: int, heights: tuple[float, float]) -> ModelFace:
    low, high = heights
    a, b = ends[:-1], ends[1:]
    bottom_a, bottom_b = (np.column_stack([p, np.full(len(p), low)]) for p in (a, b))
    top_a, top_b = (np.column_stack([p, np.full(len(p), high)]) for p in (a, b))
    triangles = np.concatenate([np.stack([bottom_a, bottom_b, top_b], 1), np.stack([bottom_a, top_b, top_a], 1)])
    triangles = triangles if side > 0 else triangles[:, ::-1]
    if segment.center is None:
        x, y = np.subtract(segment.end, segment.start)
        length = math.hypot(x, y)
        surface = plane((*segment.start, low), (side * y / length, -side * x / length, 0.0))
        return ModelFace(triangles, surface, length * (high - low))
    surface = shaft((*segment.center, low), (0.0, 0.0, 1.0), segment.radius)
    area = segment.radius * abs(segment.angle) * (high - low)
    return ModelFace(triangles, surface, area, outward=side * segment.angle > 0)


def _edges(layers: Sequence[_Layer]) -> Iterator[ModelEdge]:
    for loop, _, low, high in _spans(layers):
        for segment in loop.segments:
            start, end = segment.start, segment.end
            for z in (low, high):
                ends = ((*start, z), (*end, z))
                if segment.center is None:
                    along = np.subtract(end, start) / math.dist(start, end)
                    yield ModelEdge(line((*start, z), (*along.tolist(), 0.0)), ends)
                else:
                    whole = math.dist(start, end) < LEVEL
                    curve = circle((*segment.center, z), (0.0, 0.0, 1.0), segment.radius)
                    yield ModelEdge(curve, () if whole else ends)
            if len(loop.segments) > 1:
                yield ModelEdge(line((*start, low), (0.0, 0.0, 1.0)), ((*start, low), (*start, high)))
