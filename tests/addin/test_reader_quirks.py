"""A SolidWorks with any of the mock's quirks gives the same robot, or a finding that names what is lost."""

from __future__ import annotations

from functools import cache
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace
from tests.addin.survival import lines
from tests.addin.test_reader_law import read_from
from tests.contract.full_capture import full_capture
from tests.lookups import present

from swgrm.capture import Capture, EntityGeometry
from swgrm.errors import FileError, SwgrmError
from swgrm.findings import Result
from swgrm.solidworks.swconst import swCurveTypes_e
from swgrm.solidworks.swconst_calls import swFileLoadError_e, swFileLoadWarning_e
from swgrm_addin.pipeline import Understanding, understand
from swgrm_addin.port import Port
from swgrm_addin.reader import Request, read
from swgrm_addin.reader.opening import problems
from swgrm_addin.sources import Source
from swgrm_mocks.builder import Assembly, Part, colour, pose
from swgrm_mocks.mates import ground, line, plane, shaft
from swgrm_mocks.samples import sample
from swgrm_mocks.solids import box, cylinder
from swgrm_mocks.solidworks import Fault, MemoryTransport, MockSolidWorks
from swgrm_mocks.solidworks.quirks import QUIRKS, known_quirks

SAMPLE = "traps"
PATH = sample(SAMPLE).source.path


def reading(*quirks: str, capture: Capture | None = None) -> Result[Capture]:
    """The reading of a file that SolidWorks opens, and which it leaves as it was."""
    world = MockSolidWorks(capture or sample(SAMPLE), opened=False, quirks=quirks)
    before = world.state()
    application = Port(MemoryTransport()).wrap(world.application, "ISldWorks")
    path = (capture or sample(SAMPLE)).source.path
    result = read(application, Request(path, out_of_process=True))
    assert world.state() == before
    return result


@cache
def undisturbed() -> Understanding:
    return understand(Source(SAMPLE, reading().value))


def assert_same_joints(result: Result[Capture], *, except_for: int = 0) -> None:
    expected = lines(undisturbed().robot)
    found = lines(understand(Source(SAMPLE, result.value)).robot)
    assert len(expected.keys() - found.keys()) <= except_for
    for name in expected.keys() & found.keys():
        if not except_for:
            assert expected[name][:4] == found[name][:4]
            assert np.allclose(np.concatenate(expected[name][4:]), np.concatenate(found[name][4:]), atol=1e-9)  # type: ignore[arg-type]


@pytest.mark.parametrize("name", QUIRKS)
def test_a_quirk_costs_what_its_finding_names_and_nothing_else(name: str) -> None:
    quirk = QUIRKS[name]
    if quirk.costs == "refused":
        with pytest.raises(FileError, match=r"open for viewing only.*Open it resolved"):
            reading(name)
        return
    result = reading(name)
    codes = {finding.code for finding in result.findings}
    assert codes <= {quirk.costs, "default-used", "mates-missing"} if quirk.costs else codes == set()
    assert quirk.costs in codes or not quirk.costs
    assert_same_joints(result, except_for=1 if quirk.costs == "not-read" else 0)


def test_every_quirk_has_a_fact_and_its_source() -> None:
    assert len(QUIRKS) > 18
    for quirk in QUIRKS.values():
        assert quirk.fact.endswith(".")
        assert quirk.source
    with pytest.raises(ValueError, match="quirks no-such"):
        known_quirks(["no-such"])


def test_two_quirks_together_are_no_worse() -> None:
    """A sample of the pairs; the bad day below has a dozen at once."""
    names = [name for name, quirk in QUIRKS.items() if quirk.costs not in ("refused", "not-read")]
    for pair in list(combinations(names, 2))[::15]:
        result = reading(*pair)
        allowed = {QUIRKS[name].costs for name in pair} | {"default-used"}
        assert {finding.code for finding in result.findings} <= allowed, pair
        assert_same_joints(result)


# ---- opening


def test_files_are_searched_beside_the_assembly() -> None:
    world = MockSolidWorks(sample(SAMPLE), opened=False)
    folders: list[str] = []
    original = world.load
    world.load = lambda *given: (folders.append(world.working_directory), original(*given))[1]  # type: ignore[method-assign,func-returns-value]
    read_from(world, Request(PATH))
    assert folders == ["C:\\Robots"]
    assert world.working_directory == "C:\\Users\\me\\Documents"


def test_errors_and_warnings_of_a_document_that_opened_are_findings() -> None:
    found = [finding.message for finding in reading("errors-with-document").findings]
    assert found == [
        "SolidWorks opened the file and reported a problem: a file that it refers to was not found.",
        "SolidWorks opened the file and reported a problem: it needs a rebuild.",
    ]


def test_problems_are_decoded_bit_by_bit() -> None:
    errors = swFileLoadError_e.swFileNotFoundError | swFileLoadError_e.swLowResourcesError
    read_only = swFileLoadWarning_e.swFileLoadWarning_ReadOnly  # as it was opened
    assert problems(errors, read_only) == ["a file that it refers to was not found", "SolidWorks is out of memory"]
    assert problems(0, int(swFileLoadWarning_e.swFileLoadWarning_AlreadyOpen)) == []


def test_a_part_of_another_folder_is_named_with_both_paths() -> None:
    first = next(finding for finding in reading("other-file").findings if finding.code == "other-file")
    assert "refers to C:\\Robots\\" in first.message
    assert "loaded C:\\Other\\" in first.message


def test_a_document_that_is_only_a_component_of_another_is_opened_and_left_loaded() -> None:
    """GetOpenDocumentByName also returns documents without a window."""
    capture = sample("four_bar")
    world = MockSolidWorks(capture)
    part = next(document for document in capture.documents if document.type == 1)
    hidden = world.open[0].project.document(part.path)
    assert hidden.Visible() is False
    world.open.append(hidden)
    result = read_from(world, Request(part.path))
    assert "document-left-open" not in {finding.code for finding in result.findings}


# ---- documents that are not loaded


def test_a_null_document_of_a_resolved_component_is_resolved() -> None:
    result = reading("document-null")
    assert len(result.value.documents) == len(sample(SAMPLE).documents)
    assert result.findings == ()


def test_a_component_that_cannot_be_resolved_is_named_with_its_file() -> None:
    world = MockSolidWorks(sample("four_bar"), quirks=["document-null"])
    world.connection.faults = [Fault(1, "null", times=10**9, member="IComponent2.GetModelDoc2")]
    result = read_from(world)
    found = [finding for finding in result.findings if finding.code == "document-not-loaded"]
    parts = {component.path for component in sample("four_bar").components}
    assert len(found) == len(parts)  # once for each file
    assert any("C:\\Robots\\" in finding.message for finding in found)


def test_a_speed_pak_is_named() -> None:
    inner, outer = Assembly("inner"), Assembly("outer")
    inner.part(Part("hub", box(1, 1, 1)))
    outer.sub(inner).state(speed_pak=True)
    result = read_from(MockSolidWorks(outer.capture()))
    assert result.value == outer.capture()
    assert [finding.code for finding in result.findings] == ["speed-pak"]


def test_an_envelope_that_cannot_be_told_from_a_part_is_named() -> None:
    world = MockSolidWorks(sample(SAMPLE))
    world.connection.faults = [Fault(1, times=10**9, member="IComponent2.IsEnvelope")]
    found = [finding for finding in read_from(world).findings if "IsEnvelope" in finding.message]
    assert len(found) == len(sample(SAMPLE).components)
    assert {finding.code for finding in found} == {"not-read"}
    assert "it is taken as a part of the robot" in found[0].message


# ---- entities and triangles


def test_an_entity_that_is_not_described_has_the_curve_of_its_reference() -> None:
    assembly = Assembly("sketch")
    hub = assembly.part(Part("hub", cylinder(0.1, 0.1)))
    assembly.coincident(hub.at(line((0, 0, 0), (0, 0, 1))), ground(line((0, 0, 0), (0, 0, 1))))
    result = reading("unknown-entities", capture=assembly.capture())
    (mate,) = next(d for d in result.value.documents if d.type == 2).mates
    entity = next(entity for entity in mate.entities if entity.component == "")
    assert (entity.type, entity.params) == (13, (0.0,) * 8)
    assert entity.geometry == EntityGeometry(int(swCurveTypes_e.LINE_TYPE), (0.0, 0.0, 0.0, 0.0, 0.0, 1.0))


def test_geometry_is_read_only_where_the_numbers_describe_nothing() -> None:
    port = Port(MemoryTransport())
    read(port.wrap(MockSolidWorks(sample("arm")).application, "ISldWorks"))
    assert port.calls["ISurface.Identity"] == port.calls["ICurve.Identity"] == 0
    assert port.calls["IMateEntity2.Reference"] == port.calls["IMateEntity2.EntityParams"]  # whether each still exists
    port = Port(MemoryTransport())
    read(port.wrap(MockSolidWorks(full_capture()).application, "ISldWorks"))
    assert port.calls["ISurface.Identity"] == 4
    assert port.calls["ICurve.Identity"] == 3


def test_a_reference_that_fails_costs_one_entity_and_is_named() -> None:
    world = MockSolidWorks(full_capture())
    world.connection.faults = [Fault(1, times=10**9, member="ISurface.Identity")]
    result = read_from(world)
    assert {finding.where for finding in result.findings} == {f"mate Path{n}" for n in (3, 4, 5, 6)}
    assert all("the geometry of an entity is unknown" in finding.message for finding in result.findings)


def test_a_body_that_was_never_drawn_is_tessellated_anew() -> None:
    capture = sample("lead_screw")
    result = reading("triangles-empty", capture=capture)
    assert result.findings == ()
    for shape, expected in zip(result.value.shapes, capture.shapes, strict=True):
        one, other = (np.frombuffer(each.triangles, "<f4").reshape(-1, 3, 3) for each in (shape, expected))
        normals = np.cross(one[:, 1] - one[:, 0], one[:, 2] - one[:, 0])
        wanted = np.cross(other[:, 1] - other[:, 0], other[:, 2] - other[:, 0])
        assert np.allclose(normals, wanted)
        assert np.allclose(one.sum(axis=1), other.sum(axis=1))


def test_a_solid_body_without_any_triangles_is_named() -> None:
    world = MockSolidWorks(sample("lead_screw"), quirks=["triangles-empty"])
    world.connection.faults = [Fault(1, times=10**9, member="ITessellation.Tessellate")]
    codes = [finding.code for finding in read_from(world).findings]
    assert codes.count("body-without-triangles") == len(sample("lead_screw").shapes)


def test_a_tolerance_tessellates_every_solid_body() -> None:
    world = MockSolidWorks(sample("lead_screw"))
    port = Port(MemoryTransport())
    result = read(port.wrap(world.application, "ISldWorks"), Request(tolerance=1e-4))
    assert result.findings == ()
    assert port.calls["IFace2.GetTessTriangles"] == 0
    assert port.calls["ITessellation.Tessellate"] == len(sample("lead_screw").shapes)
    assert port.calls["ITessellation.CurveChordTolerance"] == port.calls["ITessellation.Tessellate"]


# ---- what SolidWorks does to the document


def test_a_document_that_solidworks_marks_as_changed_is_a_note() -> None:
    world = MockSolidWorks(sample("four_bar"))
    project = world.open[0].project
    world.progress.Start = lambda *_given: not project.__dict__.update(changed=True)  # type: ignore[method-assign]
    (finding,) = read_from(world).findings
    assert finding.code == "document-marked"
    assert finding.severity.name == "NOTE"


def test_view_only_is_one_sentence_also_for_the_active_document() -> None:
    with pytest.raises(SwgrmError) as error:
        read_from(MockSolidWorks(sample("arm"), quirks=["view-only"]))
    assert str(error.value).count(". ") <= 1
    assert str(error.value).endswith(".")


def test_coordinates_of_a_plane_stay_in_the_assembly() -> None:
    """Entities that are described are not asked for their reference, whose coordinates are those of the part."""
    assembly = Assembly("two")
    one = assembly.part(Part("one", box(1, 1, 1)), pose(x=1))
    two = assembly.part(Part("two", box(1, 1, 1)), pose(y=1))
    assembly.coincident(one.at(plane((0, 0, 0), (0, 0, 1))), two.at(plane((0, 0, 0), (0, 0, 1))))
    assembly.concentric(one.at(shaft((0, 0, 0), (0, 0, 1), 0.1)), two.at(shaft((0, 0, 0), (0, 0, 1), 0.1)))
    result = reading("directions-filled", capture=assembly.capture())
    mates = next(d for d in result.value.documents if d.type == 2).mates
    assert [entity.geometry for mate in mates for entity in mate.entities] == [None] * 4
    assert all(len(entity.params) == 8 for mate in mates for entity in mate.entities)
    assert present(mates[0].entities[0].params[:3]) == replace(mates[0].entities[0]).params[:3]


@pytest.mark.parametrize(
    ("member", "kind", "effect"),
    [
        ("IComponent2.GetBodies3", "null", "its bodies are left out"),
        ("IComponent2.GetBodies3", "length", "it is taken as not cut in the assembly"),
        ("IComponent2.ReferencedConfiguration", "null", "its configuration is unknown"),
        ("IModelDocExtension.CustomPropertyManager", "error", "its custom properties are left out"),
        ("IBody2.GetFaces", "null", "SolidWorks returned no triangles"),
    ],
)
def test_what_is_missing_is_named_even_if_nothing_is_a_proper_answer(member: str, kind: Any, effect: str) -> None:
    world = MockSolidWorks(sample("four_bar"))
    world.connection.faults = [Fault(1, kind, times=10**9, member=member)]
    assert any(effect in finding.message for finding in read_from(world).findings)


# ---- appearances


def painted_features() -> Capture:
    """An assembly of one box, whose faces were made by features of two colours, a face with its own among them."""
    red, green, blue = (colour(*rgb) for rgb in ((1, 0, 0), (0, 1, 0), (0, 0, 1)))
    assembly = Assembly("painted")
    assembly.part(Part("box", box(0.1, 0.1, 0.1, 0.01)))
    capture = assembly.capture()
    (shape,) = capture.shapes
    (body,) = shape.bodies
    looks = [(None, red), (None, red), (green, None), (None, blue), *[(None, None)] * len(body.faces)]
    faces = tuple(
        replace(face, appearance=own, feature_appearance=feature)
        for face, (own, feature) in zip(body.faces, looks, strict=False)
    )
    return replace(capture, shapes=(replace(shape, bodies=(replace(body, faces=faces),)),))


@pytest.mark.parametrize("quirks", [(), ("feature-without-number",), ("only-configuration-unnamed",)])
def test_the_appearances_of_features_are_read(quirks: tuple[str, ...]) -> None:
    capture = painted_features()
    assert reading(*quirks, capture=capture).value.shapes == capture.shapes


def test_the_appearance_of_a_feature_is_read_once() -> None:
    capture = painted_features()
    port = Port(MemoryTransport())
    read(port.wrap(MockSolidWorks(capture).application, "ISldWorks"))
    faces = capture.shapes[0].bodies[0].faces
    looks = {face.feature_appearance for face in faces if face.appearance is None}
    assert port.calls["IFace2.GetFeatureId"] == len(faces) - 1  # not of the face that is painted itself
    assert port.calls["IFace2.GetFeature"] == len(looks)


# ---- mates that lost an entity


def test_an_entity_without_its_reference_is_marked_in_the_capture() -> None:
    capture = sample("four_bar")
    (root,) = [document for document in capture.documents if document.mates]
    first, *others = root.mates
    lost = replace(first, entities=(replace(first.entities[0], lost=True), *first.entities[1:]))
    broken = replace(root, mates=(lost, *others))
    documents = tuple(broken if document is root else document for document in capture.documents)
    broken_capture = replace(capture, documents=documents)
    result = reading(capture=broken_capture)
    assert result.value == broken_capture
    codes = {finding.code: finding.where for finding in understand(Source("four_bar", result.value)).findings}
    assert codes["mate-lost"] == f"mate {first.name}"


# ---- states that falsify a reading


def test_an_exploded_assembly_is_collapsed_while_it_is_read() -> None:
    capture = sample("four_bar")
    world = MockSolidWorks(capture, quirks=["exploded"])
    before = world.state()
    result = read_from(world)
    assert result.value == capture
    assert [finding.code for finding in result.findings] == ["exploded"]
    assert world.state() == before
    assert world.open[0].IsExploded()


def test_an_exploded_assembly_that_does_not_collapse_is_refused() -> None:
    world = MockSolidWorks(sample("four_bar"), quirks=["exploded"])
    world.open[0].ShowExploded = lambda _show: False
    with pytest.raises(SwgrmError, match=r"shown exploded.*Collapse it"):
        read_from(world)


def test_a_sub_assembly_that_is_exploded_in_its_own_window_is_named() -> None:
    capture = sample(SAMPLE)
    world = MockSolidWorks(capture)
    unit = next(component for component in capture.components if component.is_assembly and component.suppression)
    world.open[0].project.exploded[unit.path] = True
    found = {finding.code for finding in read_from(world).findings}
    assert "exploded-inside" in found


def test_an_assembly_that_opens_hollow_is_opened_for_writing_and_read_completely() -> None:
    capture = sample("four_bar")
    result = reading("read-only-hollow", capture=capture)
    assert result.value == capture
    assert [finding.code for finding in result.findings] == ["opened-for-writing"]


def test_a_file_is_opened_read_only_where_that_works() -> None:
    capture = sample("four_bar")
    world = MockSolidWorks(capture, opened=False)
    options: list[int] = []
    application = Port(MemoryTransport()).wrap(world.application, "ISldWorks")
    original = world.load
    world.load = lambda *given: (options.append(1), original(*given))[1]  # type: ignore[method-assign,func-returns-value]
    read(application, Request(capture.source.path))
    assert options == [1]
