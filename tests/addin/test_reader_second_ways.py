"""Where SolidWorks does not return a value in one way, the reader uses another, and names what is left out."""

from __future__ import annotations

import dataclasses
import math
from array import array
from typing import Any

import pytest
from msgspec.structs import replace
from tests.addin.survival import mesh
from tests.addin.test_reader_law import part_capture, read_from

from swgrm.capture import Capture, CaptureSource
from swgrm.errors import CallError
from swgrm.inference import infer
from swgrm.solidworks.api_slice import Member, interfaces
from swgrm_addin.pipeline import understand
from swgrm_addin.port import Port
from swgrm_addin.reader import Request
from swgrm_addin.sources import Source
from swgrm_mocks.builder import STEEL, Assembly, Part, pose
from swgrm_mocks.mates import ground, plane, shaft
from swgrm_mocks.samples import sample
from swgrm_mocks.solids import box
from swgrm_mocks.solidworks import Fault, MockPointer, MockSolidWorks
from swgrm_mocks.solidworks.components import NamedAssembly
from swgrm_mocks.solidworks.features import MockFeature
from swgrm_mocks.solidworks.shapes import Face2

FOREVER = 10**9


def failing(member: str, kind: Any = "error", at: int = 1, times: int = FOREVER) -> list[Fault]:
    return [Fault(at, kind, times=times, member=member)]


def tool() -> Capture:
    """An assembly of a base and a part with a coordinate system, an axis and a custom property."""
    assembly = Assembly("robot")
    base = assembly.part(Part("base", box(0.1, 0.1, 0.1), STEEL)).fixed()
    part = Part("tool", box(0.1, 0.1, 0.2), STEEL)
    part.coordinate_system("tool0", pose(z=0.2))
    part.axis("spin", (0, 0, 0), (0, 0, 1))
    part.custom_property("maker", '"SW-Title"', resolved="us")
    part.custom_property("colour", "red")
    hand = assembly.part(part, pose(z=0.1))
    assembly.concentric(base.at(shaft((0, 0, 0), (0, 0, 1), 0.01)), hand.at(shaft((0, 0, 0), (0, 0, 1), 0.01)))
    assembly.coincident(base.at(plane((0, 0, 0.05), (0, 0, 1))), hand.at(plane((0, 0, -0.05), (0, 0, -1))))
    return assembly.capture()


# ---- a document that is missing


@pytest.mark.parametrize("kind", ["null", "error", "type"])
def test_a_part_without_its_document_is_read_through_the_component(kind: Any) -> None:
    """Bodies, mass and coordinate systems are those of the component; the robot moves as with the documents."""
    capture = tool()
    world = MockSolidWorks(capture)
    world.connection.faults = failing("IComponent2.GetModelDoc2", kind)
    before = world.state()
    reading = read_from(world)
    assert world.state() == before
    assert [(shape.mass, shape.triangles) for shape in reading.value.shapes] == [
        (shape.mass, shape.triangles) for shape in capture.shapes
    ]
    read, wanted = ({d.path: d for d in each.documents} for each in (reading.value, capture))
    assert read.keys() == wanted.keys()
    assert all(read[path].geometry == wanted[path].geometry for path in wanted)
    assert {(d.material, d.properties) for d in read.values() if d.type == 1} == {("", ())}
    assert {finding.code for finding in reading.findings} == {"document-not-loaded" if kind == "null" else "not-read"}
    assert all("properties and the mates in it are left out" in finding.message for finding in reading.findings)
    robot, expected = (understand(Source("robot", each)).robot for each in (reading.value, capture))
    assert list(robot.joints) == list(expected.joints)
    assert [frame.id for frame in robot.frames] == [frame.id for frame in expected.frames]
    assert [link.inertial for _, link in robot.links()] == [link.inertial for _, link in expected.links()]


def test_a_component_that_returns_neither_document_nor_features_has_no_document() -> None:
    world = MockSolidWorks(tool())
    world.connection.faults = [
        *failing("IComponent2.GetModelDoc2", "null"),
        *failing("IComponent2.FirstFeature", "null"),
        *failing("IComponent2.GetBodies3", "null"),
        *failing("IMassProperty2.Recalculate", "error"),
    ]
    reading = read_from(world)
    assert [document.type for document in reading.value.documents] == [2]
    assert reading.value.shapes == ()
    assert infer(reading.value).robot.frames


def test_the_mates_of_a_sub_assembly_without_its_document_are_not_taken_from_the_component() -> None:
    """SolidWorks returns them without their components."""
    inner, outer = Assembly("inner"), Assembly("outer")
    hub, rod = inner.part(Part("hub", box(1, 1, 1))).fixed(), inner.part(Part("rod", box(1, 1, 1)))
    inner.concentric(hub.at(shaft((0, 0, 0), (0, 0, 1), 0.1)), rod.at(shaft((0, 0, 0), (0, 0, 1), 0.1)))
    outer.sub(inner).fixed()
    world = MockSolidWorks(outer.capture())
    world.connection.faults = failing("IComponent2.GetModelDoc2", "null")
    reading = read_from(world)
    assert {document.path for document in reading.value.documents if document.type == 2} == {outer.path}
    assert {"document-not-loaded", "mates-missing"} == {finding.code for finding in reading.findings}


def test_a_component_in_a_state_that_cannot_be_set_is_not_reported_as_changed() -> None:
    """The state 5 (internal id mismatch) can only be read."""
    assembly = Assembly("mismatch")
    assembly.part(Part("hub", box(1, 1, 1))).state(suppression=5)
    world = MockSolidWorks(assembly.capture(), quirks=["document-null"])
    assert {finding.code for finding in read_from(world).findings} <= {"document-not-loaded"}


# ---- names


def test_the_geometry_of_an_assembly_that_was_never_saved_is_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    assembly = Assembly("Assem1")
    hub = assembly.part(Part("hub", box(1, 1, 1)))
    assembly.coincident(hub.at(plane((0, 0, 0), (0, 0, 1))), ground(plane((0, 0, 0), (0, 0, 1))))
    capture = assembly.capture()
    unsaved = replace(
        capture,
        source=replace(capture.source, path="", title="Assem1"),
        documents=tuple(replace(d, path="") if d.type == 2 else d for d in capture.documents),
    )
    world = MockSolidWorks(unsaved, quirks=["assembly-as-component"])
    monkeypatch.setattr(NamedAssembly, "Name2", lambda _: "ASSEM1")  # names of files do not distinguish case
    result = read_from(world)
    assert result.findings == ()
    (mate,) = next(d for d in result.value.documents if d.type == 2).mates
    assert sorted(str(entity.component) for entity in mate.entities) == ["", "hub-1"]


@pytest.mark.parametrize(
    ("path", "title", "name"),
    [
        ("C:\\Robots\\arm v1.2.SLDASM", "arm v1.2", "arm v1.2"),
        ("", "arm v1.2", "arm v1.2"),
        ("", "arm.sldprt", "arm"),
        ("\\\\server\\share\\Ärm.sldasm", "x", "Ärm"),
        ("C:\\Temp\\swx1\\VC~~\\arm\\plate^arm.sldprt", "plate^arm", "plate^arm"),
        ("", "", ""),
    ],
)
def test_the_name_of_a_document_loses_only_the_extension(path: str, title: str, name: str) -> None:
    """Titles have no extension where Windows hides them."""
    source = CaptureSource(path, title, "Default", 2, "33.0.0", 0, False)
    assert source.name == name


def test_mates_are_named_by_the_tree_and_not_by_calling_them_as_features(monkeypatch: pytest.MonkeyPatch) -> None:
    """A mate may not be a feature, and may answer a feature's members with its own."""
    original = MockPointer.query

    def query(pointer: MockPointer, interface: str) -> MockPointer:
        assert interface != "IFeature"
        return original(pointer, interface)

    monkeypatch.setattr(MockPointer, "query", query)
    for capture in (tool(), sample("traps")):
        reading = read_from(MockSolidWorks(capture))
        assert reading.value.components == capture.components
        assert [f for f in reading.findings if f.code in ("not-read", "mates-missing")] == []


def test_a_mate_that_is_in_no_tree_is_described_by_its_components(monkeypatch: pytest.MonkeyPatch) -> None:
    capture = tool()
    first = next(d for d in capture.documents if d.type == 2).mates[0]
    original = MockFeature.GetFirstSubFeature

    def without_the_first(group: MockFeature) -> MockFeature | None:
        feature = original(group)
        return feature.next if feature is not None and feature.Name() == first.name else feature

    monkeypatch.setattr(MockFeature, "GetFirstSubFeature", without_the_first)
    world = MockSolidWorks(capture)
    world.connection.faults = failing("IFeatureManager.GetFeatures")
    reading = read_from(world)
    (finding,) = [finding for finding in reading.findings if finding.code == "mates-missing"]
    assert "Mates of the components (1)" in finding.message
    assert "concentric of base-1 and tool-1" in finding.message
    assert {name for component in reading.value.components for name in component.mates} == {"Coincident6"}


def test_a_custom_property_that_is_not_evaluated_has_the_value_in_the_list() -> None:
    world = MockSolidWorks(tool())
    world.connection.faults = failing("ICustomPropertyManager.Get6")
    reading = read_from(world)
    found = {each.name: each.resolved for d in reading.value.documents for each in d.properties}
    assert found == {"maker": '"SW-Title"', "colour": "red"}
    assert len(reading.findings) == 2
    assert (
        "custom property maker may not be the evaluated one"
        in reading.findings[0].message + reading.findings[1].message
    )


# ---- opening


def test_a_document_that_is_open_although_the_call_failed_is_read_and_closed() -> None:
    capture = tool()
    world = MockSolidWorks(sample("lead_screw"), capture)
    before = world.state()
    world.connection.faults = failing("ISldWorks.OpenDoc6", "type")
    reading = read_from(world, Request(capture.source.path))
    assert replace(reading.value, failures=()) == capture
    assert [finding.where for finding in reading.findings] == ["ISldWorks.OpenDoc6"]
    assert world.state() == before


# ---- triangles and materials


def test_a_face_without_triangles_has_those_of_a_new_tessellation(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also if the other faces of the body are drawn."""
    capture = tool()
    original = Face2.GetTessTriangles
    monkeypatch.setattr(
        Face2,
        "GetTessTriangles",
        lambda self, metres: None if self.triangles.nbytes and hash(self.triangles) % 2 else original(self, metres),
    )
    reading = read_from(MockSolidWorks(capture))
    assert [mesh(shape.triangles) for shape in reading.value.shapes] == [mesh(s.triangles) for s in capture.shapes]
    assert reading.findings == ()


def test_triangles_that_fail_are_made_anew_and_only_noted() -> None:
    world = MockSolidWorks(tool())
    world.connection.faults = failing("IFace2.GetTessTriangles")
    reading = read_from(world)
    assert {finding.code for finding in reading.findings} == {"default-used"}
    assert all(shape.triangles for shape in reading.value.shapes)


def test_the_material_of_a_body_is_read_in_the_only_configuration() -> None:
    capture = part_capture(Part("plate", box(1, 1, 1), STEEL))
    (shape,) = capture.shapes
    bodies = tuple(replace(body, material="Brass", material_database="db") for body in shape.bodies)
    capture = replace(capture, shapes=(replace(shape, bodies=bodies),))
    reading = read_from(MockSolidWorks(capture, quirks=["only-configuration-unnamed"]))
    assert [body.material for shape in reading.value.shapes for body in shape.bodies] == ["Brass"]


# ---- values as COM returns them


class Answering:
    """A transport that returns one value."""

    def __init__(self, value: Any) -> None:
        self.value = value

    def invoke(self, _target: Any, _member: Member, _args: tuple[Any, ...]) -> Any:
        return self.value

    def query(self, target: Any, _interface: str) -> Any:
        return target

    def release(self) -> None:
        pass


def answered(name: str, value: Any) -> Any:
    """What the port returns for a member that returns this value; as a required one, so that a failure is seen."""
    interface, _, member = name.partition(".")
    (found,) = interfaces()[interface].find(member)
    return Port(Answering(value)).call(
        object(), dataclasses.replace(found, is_optional=False), (None,) * len(found.inputs)
    )


@pytest.mark.parametrize(
    ("member", "value", "expected"),
    [
        ("IMate2.Type", 5.0, 5),  # a number that VARIANT holds as double
        ("IComponent2.GetChildren", None, ()),
        ("IMathPoint.ArrayData", [1, 2, 3], (1.0, 2.0, 3.0)),
        ("IFeature.IsSuppressed2", True, (True,)),  # one item without an array
        ("IFeature.IsSuppressed2", (-1,), (True,)),
        ("IModelDoc2.GetTitle", None, ""),
        ("IModelDocExtension.GetPersistReference3", memoryview(b"ab"), b"ab"),
        ("IFace2.GetTessTriangles", None, b""),
        ("IFace2.GetTessTriangles", tuple(range(9)), array("f", range(9)).tobytes()),
    ],
)
def test_a_value_in_another_form_is_understood(member: str, value: Any, expected: Any) -> None:
    assert answered(member, value) == expected


@pytest.mark.parametrize(
    ("member", "value"),
    [
        ("IMate2.Type", 5.5),
        ("IMate2.Type", math.nan),
        ("IMate2.Type", None),
        ("IMate2.Type", "5"),
        ("IMathPoint.ArrayData", ((1.0, 2.0, 3.0),)),  # an array of two dimensions
        ("IMathPoint.ArrayData", (1.0, None, 3.0)),
        ("IMathPoint.ArrayData", 1.0),
        ("IMathPoint.ArrayData", None),
        ("IFace2.GetTessTriangles", (math.inf, -math.inf, *[0.0] * 7)),  # which have no sum
        ("IFace2.GetTessTriangles", (1e300, *[0.0] * 8)),
        ("IFace2.GetTessTriangles", ("a",) * 9),
        ("IFace2.GetTessTriangles", 7.0),
        ("IModelDocExtension.GetPersistReference3", (-1, 256)),
        ("IModelDoc2.GetTitle", 7),
        ("IComponent2.Name2", ""),
        ("IComponent2.GetChildren", (1.5,)),
        ("IComponent2.GetModelDoc2", "a document"),
    ],
)
def test_a_value_that_cannot_be_used_is_a_failed_call_and_not_a_traceback(member: str, value: Any) -> None:
    with pytest.raises(CallError, match=member.replace(".", r"\.")):
        answered(member, value)
