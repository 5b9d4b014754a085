"""Tessellates a body anew, where its display triangles are missing or too coarse."""

from __future__ import annotations

from array import array
from typing import Any

from swgrm.errors import CallError

MEMBER = "IBody2.GetTessellation"
Point = tuple[float, float, float]


def tessellated(body: Any, faces: tuple[Any, ...], tolerance: float) -> list[bytes]:
    """The triangles of each face of a body, nine 32-bit floats each, in the coordinates of the part [m].

    `tolerance` is the largest distance of a triangle from the face [m]; 0 leaves it to SolidWorks.
    """
    made = body.GetTessellation(faces)
    if made is None:
        raise CallError("", MEMBER, "no object was returned")
    made.NeedFaceFacetMap = True
    made.NeedVertexNormal = True
    made.ImprovedQuality = True
    if tolerance:
        made.CurveChordTolerance = tolerance
        made.SurfacePlaneTolerance = tolerance
    if not made.Tessellate():
        raise CallError("", "ITessellation.Tessellate", "it did not succeed")
    vertices = _Vertices(made)
    return [_packed(vertices.facet(number) for number in made.GetFaceFacets(face)) for face in faces]


class _Vertices:
    """The vertices of a tessellation, each read once."""

    def __init__(self, made: Any) -> None:
        self.made = made
        self.points: dict[int, Point] = {}

    def facet(self, number: int) -> tuple[Point, ...]:
        """The corners of a triangle, counter-clockwise seen from outside."""
        ids = [self.made.GetFinVertices(fin)[0] for fin in self.made.GetFacetFins(number)]
        one, two, three = (self.point(vertex) for vertex in ids)
        along = _cross(_minus(two, one), _minus(three, one))
        outward = sum(a * b for a, b in zip(along, self.made.GetVertexNormal(ids[0]), strict=True))
        return (one, two, three) if outward >= 0 else (one, three, two)

    def point(self, vertex: int) -> Point:
        if vertex not in self.points:
            x, y, z = self.made.GetVertexPoint(vertex)
            self.points[vertex] = x, y, z
        return self.points[vertex]


def _packed(facets: Any) -> bytes:
    return array("f", [number for facet in facets for point in facet for number in point]).tobytes()


def _minus(one: Point, other: Point) -> Point:
    return one[0] - other[0], one[1] - other[1], one[2] - other[2]


def _cross(a: Point, b: Point) -> Point:
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]
