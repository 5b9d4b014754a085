"""ITessellation of the mock: the captured triangles, as a new tessellation returns them."""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING, ClassVar

from swgrm.solidworks.api_slice import ComError
from swgrm_mocks.solidworks.dispatch import E_FAIL, MockObject
from swgrm_mocks.solidworks.references import cross

if TYPE_CHECKING:
    from swgrm_mocks.solidworks.shapes import Face2

SIDES = 3


class Tessellation(MockObject):
    """ITessellation: no vertex is shared, and every second triangle is wound the other way round."""

    interfaces: ClassVar = ("ITessellation",)

    def __init__(self, faces: tuple[Face2, ...]) -> None:
        self.faces = faces
        self.points: list[tuple[float, ...]] = []
        self.facets: dict[int, tuple[int, ...]] = {}
        self.settings: dict[str, object] = {}

    def put_NeedFaceFacetMap(self, value: bool) -> None:
        self.settings["map"] = value

    def put_NeedVertexNormal(self, value: bool) -> None:
        self.settings["normals"] = value

    def put_ImprovedQuality(self, value: bool) -> None:
        self.settings["improved"] = value

    def put_CurveChordTolerance(self, value: float) -> None:
        self.settings["chord"] = value

    def put_SurfacePlaneTolerance(self, value: float) -> None:
        self.settings["plane"] = value

    def Tessellate(self) -> bool:
        for face in self.faces:
            numbers = array("f", face.triangles.tobytes())
            first = len(self.points) // SIDES
            self.points += [tuple(numbers[i : i + 3]) for i in range(0, len(numbers), 3)]
            self.facets[id(face)] = tuple(range(first, len(self.points) // SIDES))
        return True

    def GetFaceFacets(self, face: Face2) -> tuple[int, ...]:
        return self.facets.get(id(face), ()) if self.settings.get("map") else ()

    def GetFacetFins(self, facet: int) -> tuple[int, ...]:
        self._check(facet, len(self.points) // SIDES)
        return tuple(SIDES * facet + side for side in range(SIDES))

    def GetFinVertices(self, fin: int) -> tuple[int, ...]:
        self._check(fin, len(self.points))
        facet, side = divmod(fin, SIDES)
        order = (0, 1, 2) if facet % 2 == 0 else (0, 2, 1)
        return SIDES * facet + order[side], SIDES * facet + order[(side + 1) % SIDES]

    def GetVertexPoint(self, vertex: int) -> tuple[float, ...]:
        self._check(vertex, len(self.points))
        return self.points[vertex]

    def GetVertexNormal(self, vertex: int) -> tuple[float, ...]:
        self._check(vertex, len(self.points))
        if not self.settings.get("normals"):
            raise ComError(E_FAIL, "normals were not asked for")
        first = vertex - vertex % SIDES
        corner, second, third = self.points[first : first + SIDES]
        return cross(_difference(second, corner), _difference(third, corner))

    def _check(self, number: int, count: int) -> None:
        if not 0 <= number < count:
            raise ComError(E_FAIL, "the number is out of range")


def _difference(end: tuple[float, ...], start: tuple[float, ...]) -> tuple[float, ...]:
    return tuple(there - here for there, here in zip(end, start, strict=True))
