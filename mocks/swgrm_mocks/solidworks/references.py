"""What the entities of the mock's mates refer to: a face, edge or sketch segment with its surface or curve."""

from __future__ import annotations

from swgrm.api import ComError
from swgrm.capture import EntityGeometry
from swgrm.swconst import swCurveTypes_e, swSurfaceTypes_e
from swgrm.swconst_calls import swSelectType_e
from swgrm_mocks.solidworks.dispatch import E_FAIL, MockObject

INTERFACES = {swSelectType_e.swSelEDGES: "IEdge", swSelectType_e.swSelFACES: "IFace2"}


class MockReference(MockObject):
    """A face, edge or sketch segment, by the selection type of the entity."""

    def __init__(self, selection: int, geometry: EntityGeometry) -> None:
        self.selection, self.geometry = selection, geometry

    def supported_interfaces(self) -> tuple[str, ...]:
        """The one interface of its kind."""
        known: dict[int, str] = {int(key): name for key, name in INTERFACES.items()}
        return (known.get(self.selection, "ISketchSegment"),)

    def GetCurve(self) -> MockGeometry | None:
        return MockGeometry("ICurve", self.geometry) if self.geometry.identity else None

    def GetSurface(self) -> MockGeometry | None:
        return MockGeometry("ISurface", self.geometry) if self.geometry.identity else None


class MockGeometry(MockObject):
    """ICurve or ISurface: the numbers of its own identity, and errors for those of others."""

    def __init__(self, interface: str, geometry: EntityGeometry) -> None:
        self.interface, self.geometry = interface, geometry

    def supported_interfaces(self) -> tuple[str, ...]:
        """ICurve or ISurface."""
        return (self.interface,)

    def Identity(self) -> int:
        return self.geometry.identity

    def LineParams(self) -> tuple[float, ...]:
        return self._numbers(swCurveTypes_e.LINE_TYPE)

    def CircleParams(self) -> tuple[float, ...]:
        return self._numbers(swCurveTypes_e.CIRCLE_TYPE)

    def PlaneParams(self) -> tuple[float, ...]:
        return self._numbers(swSurfaceTypes_e.PLANE_TYPE)

    def CylinderParams(self) -> tuple[float, ...]:
        return self._numbers(swSurfaceTypes_e.CYLINDER_TYPE)

    def ConeParams(self) -> tuple[float, ...]:
        return self._numbers(swSurfaceTypes_e.CONE_TYPE)

    def SphereParams(self) -> tuple[float, ...]:
        return self._numbers(swSurfaceTypes_e.SPHERE_TYPE)

    def _numbers(self, identity: int) -> tuple[float, ...]:
        if self.geometry.identity != identity:
            raise ComError(E_FAIL, "the geometry is of another kind")
        return self.geometry.numbers
