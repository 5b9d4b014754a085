"""Builds parts and assemblies in a mock SolidWorks through the port, as the self-test does."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from swgrm.solidworks.swconst import swMateType_e as Sw
from swgrm.solidworks.swconst_calls import swUserPreferenceStringValue_e
from swgrm_addin.port import Port
from swgrm_mocks.solidworks import MemoryTransport, MockSolidWorks

PLANE, CYLINDER = 4001, 4002  # swSurfaceTypes_e
PART = int(swUserPreferenceStringValue_e.swDefaultTemplatePart)
ASSEMBLY = int(swUserPreferenceStringValue_e.swDefaultTemplateAssembly)
IDENTITY = (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0)


class Modeller:
    """A SolidWorks, and a folder to save documents in."""

    def __init__(self, application: Any, folder: Path) -> None:
        self.application, self.port, self.folder = application, application.port, folder

    @classmethod
    def of_mock(cls, folder: Path, **options: Any) -> Modeller:
        """One with a new mock, which has these options."""
        port = Port(MemoryTransport())
        return cls(port.wrap(MockSolidWorks(**options).application, "ISldWorks"), folder)

    def new(self, template: int) -> Any:
        """A new document."""
        application = self.application
        return application.NewDocument(application.GetUserPreferenceStringValue(template), 0, 0.0, 0.0)

    def save(self, document: Any, name: str) -> str:
        """Saves a document; returns its path."""
        path = str(self.folder / name)
        assert document.Extension.SaveAs3(path, 0, 1, None, None, 0, 0) == (True, 0, 0)
        return path

    def part(self, name: str, *draw: Callable[[Any], object]) -> Any:
        """A part that is saved; each function draws on the Front plane and makes a feature."""
        document = self.new(PART)
        for each in draw:
            each(document)
        self.save(document, f"{name}.SLDPRT")
        return document

    def add(self, assembly: Any, file: Any, *at: float) -> Any:
        """Inserts a file into an assembly, with its origin at a point; returns the component."""
        component = self.port.cast(assembly, "IAssemblyDoc").AddComponent5(
            file.GetPathName(), 0, "", False, "", 0.0, 0.0, 0.0
        )
        numbers = (*IDENTITY, *(*at, 0.0, 0.0, 0.0)[:3], 1.0, 0.0, 0.0, 0.0)
        component.Transform2 = self.application.GetMathUtility().CreateTransform(tuple(map(float, numbers)))
        return component

    def mate(self, assembly: Any, kind: int, interface: str, *entities: Any, **values: Any) -> Any:
        """Adds a mate; returns its feature, or None."""
        owner = self.port.cast(assembly, "IAssemblyDoc")
        data = owner.CreateMateData(int(kind))
        own = self.port.cast(data, f"I{interface}MateFeatureData")
        if entities:
            own.EntitiesToMate = entities
        for name, value in values.items():
            setattr(own, name, value)
        return owner.CreateMate(data)

    def drive(self, assembly: Any, feature: Any, kind: str, value: float) -> bool:
        """Changes the distance or angle of a mate, and rebuilds; whether SolidWorks did."""
        data = self.port.cast(feature.GetDefinition(), f"I{kind}MateFeatureData")
        setattr(data, kind, value)
        done: bool = feature.ModifyDefinition(data, assembly, None)
        assembly.EditRebuild3()
        return done

    def face(self, component: Any, kind: int, is_wanted: Callable[[tuple[float, ...]], bool] = lambda _: True) -> Any:
        """A face of a component in its assembly, by its surface."""
        return component.GetCorrespondingEntity(self.own_face(component.GetModelDoc2(), kind, is_wanted))

    def own_face(self, part: Any, kind: int, is_wanted: Callable[[tuple[float, ...]], bool] = lambda _: True) -> Any:
        """A face of a part, by its surface."""
        return next(
            face
            for face in self.port.cast(part, "IPartDoc").GetBodies2(0, True)[0].GetFaces()
            if (surface := face.GetSurface()).Identity() == kind
            and is_wanted(surface.PlaneParams if kind == PLANE else surface.CylinderParams)
        )


def up(params: tuple[float, ...]) -> bool:
    """Whether a plane faces along z."""
    return params[2] > 0.9


def down(params: tuple[float, ...]) -> bool:
    """Whether a plane faces against z."""
    return params[2] < -0.9


def planes(document: Any) -> list[Any]:
    """The planes of a document."""
    return [feature for feature in features(document) if feature.GetTypeName2() == "RefPlane"]


def mates(document: Any) -> list[Any]:
    """The mates of an assembly that are in no folder."""
    group = next(feature for feature in features(document) if feature.GetTypeName2() == "MateGroup")
    found, feature = [], group.GetFirstSubFeature()
    while feature is not None:
        found.append(feature)
        feature = feature.GetNextSubFeature()
    return found


def features(document: Any) -> Iterator[Any]:
    """Yields the features of a document."""
    feature = document.FirstFeature()
    while feature is not None:
        yield feature
        feature = feature.GetNextFeature()


def sketch(document: Any, draw: Callable[[Any], object], plane: int = 0) -> None:
    """Draws on a default plane."""
    planes(document)[plane].Select2(False, 0)
    manager = document.SketchManager
    manager.InsertSketch(True)
    draw(manager)
    manager.InsertSketch(True)


def rectangle(manager: Any, x1: float, y1: float, x2: float, y2: float) -> None:
    """Draws four lines."""
    corners = (x1, y1, 0.0), (x2, y1, 0.0), (x2, y2, 0.0), (x1, y2, 0.0)
    for start, end in zip(corners, (*corners[1:], corners[0]), strict=True):
        assert manager.CreateLine(*start, *end) is not None


def extrude(document: Any, depth: float, *, start: float = 0.0, reverse: bool = False) -> Any:
    """Extrudes the last sketch."""
    return document.FeatureManager.FeatureExtrusion3(
        True, False, reverse, 0, 0, depth, 0.0, False, False, False, False, 0.0, 0.0, False, False, False, False, True,
        True, True, 3 if start else 0, start, False,
    )  # fmt: skip


def cut(document: Any, *, single: bool = False, end: int = 1, depth: float = 0.0, reverse: bool = False) -> Any:
    """Cuts the last sketch, through everything on both sides unless told otherwise."""
    return document.FeatureManager.FeatureCut4(
        single, False, reverse, end, end, depth, depth, False, False, False, False, 0.0, 0.0, False, False, False,
        False, False, True, True, False, False, False, 0, 0.0, False, False,
    )  # fmt: skip


def revolve(document: Any, angle: float) -> Any:
    """Revolves the last sketch."""
    return document.FeatureManager.FeatureRevolve2(
        True, True, False, False, False, False, 0, 0, angle, 0.0, False, False, 0.0, 0.0, 0, 0.0, 0.0, True, True, True
    )  # fmt: skip


def box(x: float, y: float, z: float, start: float = 0.0) -> Callable[[Any], None]:
    """What makes a box around the origin of the Front plane."""

    def make(document: Any) -> None:
        sketch(document, lambda manager: rectangle(manager, -x / 2, -y / 2, x / 2, y / 2))
        assert extrude(document, z, start=start) is not None

    return make


def disc(radius: float, height: float, start: float = 0.0) -> Callable[[Any], None]:
    """What makes a cylinder about z."""

    def make(document: Any) -> None:
        sketch(document, lambda manager: manager.CreateCircleByRadius(0.0, 0.0, 0.0, radius))
        assert extrude(document, height, start=start) is not None

    return make


def hole(radius: float, x: float = 0.0, y: float = 0.0) -> Callable[[Any], None]:
    """What makes a hole along z."""

    def make(document: Any) -> None:
        sketch(document, lambda manager: manager.CreateCircleByRadius(x, y, 0.0, radius))
        assert cut(document) is not None

    return make


def hinge(modeller: Modeller) -> tuple[Any, Any, Any]:
    """An assembly of a plate and a pin in its hole, and both components; the pin is free to turn."""
    plate = modeller.part("plate", box(0.1, 0.08, 0.02), hole(0.01))
    pin = modeller.part("pin", disc(0.01, 0.06))
    assembly = modeller.new(ASSEMBLY)
    base, moving = modeller.add(assembly, plate), modeller.add(assembly, pin, 0.01, 0.02, 0.03)
    bore, shaft = modeller.face(base, CYLINDER), modeller.face(moving, CYLINDER)
    assert modeller.mate(assembly, Sw.swMateCONCENTRIC, "Concentric", bore, shaft, LockRotation=False)
    sides = modeller.face(base, PLANE, down), modeller.face(moving, PLANE, down)
    assert modeller.mate(assembly, Sw.swMateCOINCIDENT, "Coincident", *sides, MateAlignment=0)
    return assembly, base, moving
