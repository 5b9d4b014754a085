"""A member that fails for good costs no joint where SolidWorks has another way to the same fact."""

from __future__ import annotations

import random
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from tests.addin.survival import Case, Undisturbed, cases, tried, undisturbed
from tests.addin.test_reader_law import read_from
from tests.addin.test_reader_second_ways import FOREVER, failing

from swgrm.capture import Capture, Distance, Document, Mate
from swgrm.errors import CallError
from swgrm.inference.mates.placed_entities import EntityFrames, place_entity
from swgrm.inference.mates.types import PlacedEntity
from swgrm.solidworks.api_slice import interfaces
from swgrm.transforms import Array, column_matrix
from swgrm_addin.port import Port
from swgrm_addin.reader import Request, read
from swgrm_addin.reader.ways import MATE_TYPES, WAYS, NothingReturned, ask_otherwise
from swgrm_mocks.builder import STEEL, Assembly, Part, pose
from swgrm_mocks.mates import LocalEntity, circle, cone, ground, line, plane, point, shaft, sphere
from swgrm_mocks.samples import SAMPLES, sample
from swgrm_mocks.solids import box
from swgrm_mocks.solidworks import Fault, MemoryTransport, MockSolidWorks

MEMBERS = (
    "IComponent2.GetChildren",
    "IComponent2.Transform2",
    "IFeature.GetFirstSubFeature",
    "IFeature.GetNextFeature",
    "IFeature.GetNextSubFeature",
    "IFeature.GetSpecificFeature2",
    "IFeature.GetTypeName2",
    "IFeature.IsSuppressed2",
    "IFeature.Name",
    "IMate2.GetMateEntityCount",
    "IMate2.Type",
    "IMateEntity2.EntityParams",
    "IMateEntity2.ReferenceComponent",
    "IMateEntity2.ReferenceType",
    "IModelDoc2.FirstFeature",
    *(f"IAngleMateFeatureData.{name}" for name in ("Angle", "FlipDimension", "IsAdvancedMate")),
    *(f"IAngleMateFeatureData.{name}" for name in ("MaximumAngle", "MinimumAngle")),
    *(f"IDistanceMateFeatureData.{name}" for name in ("Distance", "FlipDimension", "IsAdvancedMate")),
    *(f"IDistanceMateFeatureData.{name}" for name in ("MaximumDistance", "MinimumDistance")),
)
"""Members whose failing costs no joint, in whatever way they fail."""
SECOND = frozenset(
    {
        "IAssemblyDoc.GetComponents",
        "IComponent2.GetTotalTransform",
        "IDimension.SystemValue",
        "IEntity.GetComponent",
        "IFace2.Normal",
        "IFeature.GetErrorCode",
        "IFeature.GetNameForSelection",
        "IFeature.GetSpecificFeature",
        "IFeature.GetTypeName",
        "IFeature.IGetFirstSubFeature",
        "IFeature.IGetNextFeature",
        "IFeature.IGetNextSubFeature",
        "IFeature.IsSuppressed",
        "IFeatureManager.GetFeatures",
        "IModelDoc2.Parameter",
        "IVertex.GetPoint",
    }
)
"""Members that only second ways call."""


@pytest.fixture(scope="module", params=["arm", "gripper"])
def base(request: pytest.FixtureRequest) -> Undisturbed:
    return undisturbed(request.param)


@pytest.fixture(scope="module")
def traps() -> Undisturbed:
    return undisturbed("traps")


def one_way(base: Undisturbed, member: str) -> list[Case]:
    """The case of a member in a way that is drawn; none if the reading does not call it."""
    possible = [case for case in cases(base) if case.member == member]
    return [random.SystemRandom().choice(possible)] if possible else []


def test_the_members_of_mates_that_fail_for_good_cost_no_joint(base: Undisturbed) -> None:
    """Each member in one way, which is drawn anew in every run."""
    chosen = [case for member in MEMBERS for case in one_way(base, member)]
    assert len(chosen) > len(MEMBERS) // 2
    results = {case: tried(base, case) for case in chosen}
    assert {case: result for case, result in results.items() if result.wrong or not result.has_all_joints} == {}


@pytest.mark.parametrize("member", ["IMateEntity2.ReferenceType", "IFeature.GetNextFeature", "IFeature.Name"])
def test_they_cost_no_joint_of_a_difficult_assembly(traps: Undisturbed, member: str) -> None:
    """It has an entity without a component, a warning, unknown kinds and sub-assemblies."""
    (case,) = one_way(traps, member)
    result = tried(traps, case)
    assert (result.wrong, result.has_all_joints) == ("", True), case


@pytest.mark.parametrize("member", ["IMate2.Type", "IMate2.GetMateEntityCount", "IMateEntity2.EntityParams"])
def test_a_mate_with_an_entity_of_an_unknown_component_is_named(traps: Undisturbed, member: str) -> None:
    """Which component it belongs to is found by comparing these members."""
    (case,) = one_way(traps, member)
    assert tried(traps, case).wrong == "", case


@pytest.mark.parametrize("suppression", [0, 2])
@pytest.mark.parametrize("returns_mates", [True, False])
def test_only_components_of_the_tree_must_return_mates(suppression: int, returns_mates: bool) -> None:
    """The tree has no components of a suppressed sub-assembly, so none of it returns the mate."""
    inner = Assembly("inner")
    inner.part(Part("rod", box(0.1, 0.1, 0.2), STEEL))
    outer = Assembly("outer")
    outer.part(Part("base", box(0.1, 0.1, 0.2), STEEL))
    sub = outer.sub(inner).state(suppression=suppression)
    top = plane((0, 0, 0), (0, 0, 1))
    outer.coincident((sub / "rod-1").at(top), ground(top))
    world = MockSolidWorks(outer.capture())
    if not returns_mates:
        world.connection.faults = [Fault(1, "null", times=FOREVER, member="IComponent2.GetMates")]
    reported = [finding.message for finding in read_from(world).findings if finding.code == "not-read"]
    assert len(reported) == (suppression == 2 and not returns_mates)
    assert all("IComponent2.GetMates" in message for message in reported)


@pytest.mark.parametrize("name", SAMPLES)
def test_an_undisturbed_reading_takes_no_second_way(name: str) -> None:
    port = Port(MemoryTransport())
    world = MockSolidWorks(sample(name))
    reading = read(port.wrap(world.application, "ISldWorks"), Request())
    assert SECOND & set(port.calls) == set()
    assert {finding.code for finding in reading.findings} & {"default-used", "not-read"} == set()


def test_the_second_ways_are_members_of_the_slice() -> None:
    known = {str(member) for interface in interfaces().values() for member in interface.members.values()}
    assert set(MEMBERS) | SECOND <= {name.partition("(")[0] for name in known}
    assert all(len(ways) > 1 for ways in WAYS.values())


# ---- what an entity refers to

ENTITIES: dict[str, LocalEntity] = {
    "vertex": point((0.01, 0.02, 0.03)),
    "edge": line((0.01, 0.02, 0.03), (0.0, 0.6, 0.8)),
    "circle": circle((0.01, 0.02, 0.03), (0.0, -0.6, 0.8), 0.004),
    "plane": plane((0.01, 0.02, 0.03), (-0.6, 0.0, 0.8)),
    "cylinder": shaft((0.01, 0.02, 0.03), (0.6, 0.0, -0.8), 0.004),
    "sphere": sphere((0.01, 0.02, 0.03), 0.004),
    "cone": cone((0.01, 0.02, 0.03), (0.0, 0.6, 0.8), 0.3),
}


def mated(entity: LocalEntity, T: Array) -> Capture:
    """An assembly of a part at a pose, with a mate of one of its entities and the same entity of the assembly."""
    assembly = Assembly("robot")
    part = assembly.part(Part("arm", box(0.1, 0.1, 0.2), STEEL), T)
    assembly.coincident(part.at(entity), ground(entity))
    return assembly.capture()


def placed(capture: Capture) -> list[PlacedEntity]:
    """The entities of the mate in the space of the assembly, as the inference places them."""
    ((mate,),) = [document.mates for document in capture.documents if document.mates]
    poses = {component.name: column_matrix(component.transform or ()) for component in capture.components}
    poses[""] = np.eye(4)
    frames = [EntityFrames(0, np.eye(4), poses[entity.component or ""]) for entity in mate.entities]
    return list(map(place_entity, mate.entities, frames))


ANGLES = st.floats(-180, 180)


@pytest.mark.parametrize("member", ["IMateEntity2.EntityParams", "IMateEntity2.ReferenceType"])
@pytest.mark.parametrize("kind", ENTITIES)
@given(roll=ANGLES, yaw=ANGLES, x=st.floats(-10, 10))
@settings(max_examples=15, deadline=None)
def test_an_entity_is_placed_alike_by_what_it_refers_to(
    member: str, kind: str, roll: float, yaw: float, x: float
) -> None:
    """Also where the surface of a plane face has the opposite normal."""
    capture = mated(ENTITIES[kind], pose(x=x, z=0.2, roll=roll, yaw=yaw))
    world = MockSolidWorks(capture)
    world.connection.faults = failing(member)
    reading = read_from(world)
    assert {(finding.code, finding.where) for finding in reading.findings} == {("default-used", member)}
    for entity, wanted in zip(placed(reading.value), placed(capture), strict=True):
        assert entity.kind is wanted.kind
        assert np.allclose(entity.point, wanted.point, atol=1e-9)
        assert np.allclose(entity.direction, wanted.direction, atol=1e-9)
        assert entity.radius == pytest.approx(wanted.radius)


def test_an_entity_that_refers_to_nothing_is_named() -> None:
    world = MockSolidWorks(mated(ENTITIES["plane"], pose(x=1)))
    world.connection.faults = [*failing("IMateEntity2.EntityParams"), *failing("IMateEntity2.Reference")]
    findings = read_from(world).findings
    assert {finding.code for finding in findings} == {"not-read"}
    assert all("the geometry of an entity is unknown" in finding.message for finding in findings)


# ---- the features of a document


def in_folders() -> Capture:
    assembly = Assembly("robot")
    base = assembly.part(Part("base", box(0.1, 0.1, 0.1), STEEL)).fixed()
    for number in range(4):
        arm = assembly.part(Part(f"arm{number}", box(0.1, 0.1, 0.2), STEEL), pose(x=number))
        assembly.coincident(base.at(ENTITIES["vertex"]), arm.at(ENTITIES["vertex"]), folder="joints")
    return assembly.capture()


def assembly_of(capture: Capture) -> Document:
    (document,) = (document for document in capture.documents if document.mates)
    return document


def with_document(capture: Capture, changed: Document) -> Capture:
    documents = tuple(changed if document.path == changed.path else document for document in capture.documents)
    return replace(capture, documents=documents)


@pytest.mark.parametrize("first", ["GetNextFeature", "GetFirstSubFeature", "GetNextSubFeature"])
def test_features_that_end_early_are_read_from_the_list_of_the_feature_manager(first: str) -> None:
    """SolidWorks returns the list in any order; all is read but the folders, which only the order shows."""
    capture = in_folders()
    for seed in range(5):
        world = MockSolidWorks(capture, seed=seed)
        world.connection.faults = failing(f"IFeature.{first}", "null")
        reading = read_from(world)
        document, wanted = assembly_of(reading.value), assembly_of(capture)
        assert document.mates == tuple(replace(mate, folder="") for mate in wanted.mates)
        assert document.geometry == wanted.geometry
        assert {finding.code for finding in reading.findings} == {"default-used"}


def test_mates_that_are_in_no_list_are_named() -> None:
    world = MockSolidWorks(in_folders())
    world.connection.faults = [
        *failing("IFeature.GetFirstSubFeature", "null"),
        *failing("IFeatureManager.GetFeatures"),
    ]
    reading = read_from(world)
    assert {finding.code for finding in reading.findings} == {"not-read", "mates-missing"}
    assert all(not document.mates for document in reading.value.documents)


# ---- the values of a mate


def limited() -> Capture:
    assembly = Assembly("robot")
    base = assembly.part(Part("base", box(0.1, 0.1, 0.1), STEEL)).fixed()
    arm = assembly.part(Part("arm", box(0.1, 0.1, 0.2), STEEL), pose(z=0.25))
    sides = base.at(plane((0, 0, 0), (0, 0, 1))), arm.at(plane((0, 0, 0), (0, 0, 1)))
    assembly.distance(*sides, value=0.25, limits=(0.125, 0.5), flipped=True)
    assembly.angle(*sides, value=0.5, limits=(0.25, 1.5))
    assembly.distance(*sides, value=0.25)
    return assembly.capture()


def test_the_limits_of_a_mate_without_its_definition_are_its_dimension_and_variations() -> None:
    capture = limited()
    world = MockSolidWorks(capture)
    world.connection.faults = failing("IFeature.GetDefinition")
    reading = read_from(world)
    mates, wanted = assembly_of(reading.value).mates, assembly_of(capture).mates
    # The mate itself tells that it is flipped, which the builder does not write into the definition.
    first = wanted[0]
    assert isinstance(first.data, Distance)
    assert mates == (replace(first, data=replace(first.data, flip_dimension=True)), *wanted[1:])
    assert {finding.code for finding in reading.findings} == {"default-used"}


@pytest.mark.parametrize("member", ["IModelDoc2.Parameter", "IDimension.SystemValue"])
def test_a_mate_without_any_value_is_named(member: str) -> None:
    world = MockSolidWorks(limited())
    world.connection.faults = [*failing("IFeature.GetDefinition"), *failing(member)]
    reading = read_from(world)
    assert [mate.data for mate in assembly_of(reading.value).mates] == [None] * 3
    assert all("IFeature.GetDefinition" in finding.message for finding in reading.findings)


def test_the_variations_are_not_taken_for_limits_of_other_mates() -> None:
    """A hinge has its limits in its definition only."""
    capture = sample("arm")
    world = MockSolidWorks(capture)
    world.connection.faults = failing("IHingeMateFeatureData.MaxVal")
    findings = {finding.where: finding.message for finding in read_from(world).findings}
    (where,) = findings
    assert where.startswith("mate Hinge")
    assert "its values are unknown" in findings[where]


def test_a_mate_of_an_unknown_name_and_type_is_left_out() -> None:
    capture = in_folders()
    document = assembly_of(capture)
    renamed = replace(document, mates=tuple(replace(mate, feature_type="MateNew") for mate in document.mates))
    world = MockSolidWorks(
        replace(capture, documents=tuple(renamed if d is document else d for d in capture.documents))
    )
    world.connection.faults = failing("IMate2.Type")
    reading = read_from(world)
    assert all(not found.mates for found in reading.value.documents)
    assert {finding.code for finding in reading.findings} == {"not-read"}


def test_the_mock_names_the_types_of_mates_alike() -> None:
    named = {mate.feature_type: mate.type for name in SAMPLES for mate in mates_of(sample(name))}
    known = {name: number for name, number in named.items() if name in MATE_TYPES}
    assert len(known) > 8
    assert {name: int(MATE_TYPES[name]) for name in known} == known


def mates_of(capture: Capture) -> list[Mate]:
    return [mate for document in capture.documents for mate in document.mates]


# ---- the mechanism


def refuse(member: str) -> Callable[[], object]:
    def way() -> object:
        raise CallError("", member, "refused")

    return way


def test_a_failure_is_noted_only_if_another_way_was_taken() -> None:
    port = Port(MemoryTransport())
    first = CallError("", "IMate2.Type", "refused")
    with pytest.raises(CallError) as raised:
        ask_otherwise(port, first, [refuse("second"), refuse("third")])
    assert raised.value is first
    assert port.defaults == {}
    assert ask_otherwise(port, first, [refuse("second"), lambda: 5]) == 5
    assert dict(port.defaults) == {("IMate2.Type", "refused"): 1}


def test_nothing_is_a_proper_answer_if_no_way_has_more() -> None:
    port = Port(MemoryTransport())
    assert ask_otherwise(port, NothingReturned("IFeature.Name"), [lambda: None]) is None
    assert ask_otherwise(port, NothingReturned("IFeature.Name"), [refuse("second")]) is None
    assert port.defaults == {}
    assert ask_otherwise(port, NothingReturned("IFeature.Name"), [lambda: "Mate1"]) == "Mate1"
    assert dict(port.defaults) == {("IFeature.Name", "no object was returned"): 1}


def test_entities_are_counted_up_to_the_first_that_is_refused() -> None:
    """A mate of one entity is none: then it is left out, and named."""
    capture = in_folders()
    world = MockSolidWorks(capture)
    world.connection.faults = failing("IMate2.GetMateEntityCount")
    assert [len(mate.entities) for mate in mates_of(read_from(world).value)] == [2] * 4
    world = MockSolidWorks(capture)
    world.connection.faults = [*failing("IMate2.GetMateEntityCount"), *failing("IMate2.MateEntity")]
    reading = read_from(world)
    assert mates_of(reading.value) == []
    assert {f"mate {mate.name}" for mate in mates_of(capture)} <= {finding.where for finding in reading.findings}


def test_an_error_that_may_be_a_warning_is_named() -> None:
    capture = in_folders()
    document = assembly_of(capture)
    first, *others = document.mates
    failed = replace(document, mates=(replace(first, error=47, warning=True), *others))
    world = MockSolidWorks(with_document(capture, failed))
    world.connection.faults = [Fault(1, times=FOREVER, member="IFeature.GetErrorCode2")]
    reading = read_from(world)
    assert [(mate.error, mate.warning) for mate in mates_of(reading.value)] == [(47, False), *[(0, False)] * 3]
    assert [f.where for f in reading.findings if f.code == "not-read"] == [f"mate {first.name}"]
