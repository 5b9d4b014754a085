"""Mass properties of a SolidWorks with its quirks: the selection, zero mass, wrong tensors, and options put back."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import pytest
from msgspec.structs import replace
from tests.addin.test_reader_law import part_capture, read_from
from tests.lookups import present

from swgrm.capture import Capture, PartShape
from swgrm.findings import Finding
from swgrm.findings.codes import CODES
from swgrm.mass.inertia import tensor_matrix
from swgrm.model import Inertial
from swgrm.transforms import Array
from swgrm_addin.pipeline import understand
from swgrm_addin.port import Port
from swgrm_addin.reader import Request, read
from swgrm_addin.sources import Source
from swgrm_mocks.builder import STEEL, Assembly, Part, pose
from swgrm_mocks.samples import sample
from swgrm_mocks.solids import box, cylinder
from swgrm_mocks.solidworks import Fault, MemoryTransport, MockSolidWorks

BRACKET = Part("bracket", box(0.1, 0.2, 0.05, 0.01) + cylinder(0.03, 0.2).moved(pose(x=0.3, y=0.1)), STEEL)


def with_legacy(capture: Capture) -> Capture:
    """The capture with what IMassProperty returns for each part, which the mock then serves."""
    return replace(capture, shapes=tuple(replace(shape, legacy_mass=_own(shape)) for shape in capture.shapes))


def _own(shape: PartShape) -> object:
    return shape.mass and BRACKET.mass("Default", np.eye(4)) if "bracket" in shape.path else shape.mass


def codes(findings: Iterable[Finding]) -> list[str]:
    return [finding.code for finding in findings]


def inertial_of(capture: Capture) -> tuple[Inertial, list[str]]:
    """The inertial of a robot's only link, and the codes of the findings about mass."""
    result = understand(Source("part", capture))
    (inertial,) = [link.inertial for _, link in result.robot.links() if link.inertial is not None]
    return inertial, [code for code in codes(result.findings) if "mass" in code or "inertia" in code]


@pytest.mark.parametrize("selected", [(), ("base-1",), ("base-1", "shoulder-1")])
def test_mass_does_not_depend_on_what_the_user_selected(selected: tuple[str, ...]) -> None:
    world = MockSolidWorks(sample("arm"), quirks=["selection-adds"])
    world.open[0].project.selection = list(selected)
    before = world.state()
    reading = read_from(world)
    assert reading.value == sample("arm")
    assert reading.findings == ()
    assert world.state() == before
    assert world.open[0].project.selection == list(selected)


def test_a_selection_that_cannot_be_cleared_costs_the_mass_and_is_named() -> None:
    """Without ClearSelection2 the mass would be that of two components; it is read through the part's own document."""
    capture = sample("lead_screw")
    world = MockSolidWorks(capture, quirks=["selection-adds"])
    world.connection.faults = [Fault(1, times=10**9, member="IModelDoc2.ClearSelection2")]
    reading = read_from(world)
    assert set(codes(reading.findings)) == {"not-read"}
    assert all(finding.where.startswith("the shape of") for finding in reading.findings)
    weighed = [shape.mass for shape in reading.value.shapes if shape.mass]
    assert weighed == [shape.mass for shape in capture.shapes][: len(weighed)]
    assert len(weighed) == 1  # the first, before which nothing was selected


def test_the_option_for_hidden_bodies_is_put_back() -> None:
    for before in (False, True):
        world = MockSolidWorks(sample("four_bar"))
        world.include_hidden = before
        seen: list[bool] = []
        world.progress.UpdateProgress = lambda _position, world=world, seen=seen: seen.append(world.include_hidden) or 0  # type: ignore[method-assign,misc] # records
        read_from(world)
        assert seen[-1] is True
        assert world.include_hidden is before


def test_an_option_that_cannot_be_read_is_not_changed() -> None:
    world = MockSolidWorks(sample("four_bar"))
    world.connection.faults = [
        Fault(1, times=10**9, member="IMassProperty2.IncludeHiddenBodiesOrComponents"),
    ]
    reading = read_from(world)
    assert world.include_hidden is False
    assert {finding.code for finding in reading.findings} == {"not-read"}
    assert "the mass of its hidden bodies may be missing" in reading.findings[0].message
    assert [shape.mass for shape in reading.value.shapes] == [shape.mass for shape in sample("four_bar").shapes]


def test_zero_mass_without_an_error_is_a_finding_and_no_mass() -> None:
    world = MockSolidWorks(sample("four_bar"), quirks=["mass-zero"])
    reading = read_from(world)
    assert [shape.mass for shape in reading.value.shapes] == [None] * len(reading.value.shapes)
    zero = [finding for finding in reading.findings if finding.code == "mass-not-calculated"]
    assert len(zero) == len(reading.value.shapes)
    assert "Rebuild the document (Ctrl+Q)" in CODES[zero[0].code].remedy
    assert "volume 0 and surface area 0" in zero[0].message


def test_where_the_assembly_returns_no_mass_the_part_document_does() -> None:
    capture = with_legacy(sample("four_bar"))
    reading = read_from(MockSolidWorks(capture, quirks=["mass-zero"]))
    assert [shape.legacy_mass for shape in reading.value.shapes] == [shape.legacy_mass for shape in capture.shapes]
    result = understand(Source("four_bar", reading.value))
    assert all(link.inertial and link.inertial.mass for frame in result.robot.frames for link in frame.links)
    assert "mass-from-document" in codes(result.findings)
    assert "mass-unknown" not in codes(result.findings)


def test_a_part_document_is_weighed_by_the_interface_that_is_right_for_parts() -> None:
    """IMassProperty2 returns other principal moments for a part document than for the part in an assembly."""
    capture = with_legacy(part_capture(BRACKET))
    right, none = inertial_of(read_from(MockSolidWorks(capture)).value)
    assert none == []
    reading = read_from(MockSolidWorks(capture, quirks=["part-inertia-wrong"]))
    assert present(reading.value.shapes[0].mass) != present(capture.shapes[0].mass)
    assert reading.value.shapes[0].legacy_mass == capture.shapes[0].legacy_mass
    inertial, found = inertial_of(reading.value)
    assert found == ["inertia-chosen"]
    assert tensor_matrix(inertial) == pytest.approx(tensor_matrix(right))


def test_overridden_moments_are_read_in_both_ways() -> None:
    capture = with_legacy(sample("four_bar"))
    shapes = tuple(
        replace(
            shape,
            mass=replace(present(shape.mass), moments_overridden=True),
            legacy_mass=replace(present(shape.legacy_mass), moments_overridden=True),
        )
        for shape in capture.shapes
    )
    capture = replace(capture, shapes=shapes)
    reading = read_from(MockSolidWorks(capture, quirks=["override-inertia-wrong"]))
    assert [shape.legacy_mass for shape in reading.value.shapes] == [shape.legacy_mass for shape in shapes]
    assert [present(shape.mass).principal_moments for shape in reading.value.shapes] == [
        present(present(shape.mass).principal_moments)[::-1] for shape in shapes
    ]
    assert "inertia-chosen" in codes(understand(Source("four_bar", reading.value)).findings)


def test_a_component_that_the_assembly_cuts_has_a_shape_of_its_own() -> None:
    """GetBodies3 marks its bodies as modified in an assembly."""
    capture = read_from(MockSolidWorks(sample("traps"))).value
    cut = [component for component in capture.components if component.assembly_features]
    assert cut
    assert {shape.variant for shape in capture.shapes} >= {component.name for component in cut}


def test_a_bodies_call_that_fails_does_not_cut_a_component() -> None:
    world = MockSolidWorks(sample("traps"))
    world.connection.faults = [Fault(1, times=10**9, member="IComponent2.GetBodies3")]
    reading = read_from(world)
    assert not any(component.assembly_features for component in reading.value.components)
    assert any("it is taken as not cut" in finding.message for finding in reading.findings)


# ---- each property on its own

SECONDARY = (
    "Volume", "SurfaceArea", "Density", "PrincipalMomentsOfInertia", "PrincipalAxesOfInertia", "GetMomentOfInertia",
    "GetOverrideOptions",
)  # fmt: skip


@pytest.mark.parametrize("member", SECONDARY)
def test_a_property_that_fails_costs_only_itself(member: str) -> None:
    capture = sample("arm")
    world = MockSolidWorks(capture)
    world.connection.faults = [Fault(1, times=10**9, member=f"IMassProperty2.{member}")]
    reading = read_from(world)
    assert {finding.code for finding in reading.findings} == {"not-read"}
    found = [present(shape.mass) for shape in reading.value.shapes if shape.bodies]
    expected = [present(shape.mass) for shape in capture.shapes if shape.bodies]
    assert len(found) > 5
    assert [(each.mass, each.center_of_mass) for each in found] == [
        (each.mass, each.center_of_mass) for each in expected
    ]
    before, after = (understand(Source("arm", each)).robot for each in (capture, reading.value))
    for (_, old), (_, new) in zip(before.links(), after.links(), strict=True):
        assert (old.inertial is None) == (new.inertial is None)
        if old.inertial and new.inertial:
            assert tensor_matrix(new.inertial) == pytest.approx(tensor_matrix(old.inertial), rel=1e-6, abs=1e-12)


def test_without_any_moments_mass_and_centre_are_kept() -> None:
    world = MockSolidWorks(sample("four_bar"))
    members = ("PrincipalMomentsOfInertia", "GetMomentOfInertia")
    world.connection.faults = [Fault(1, times=10**9, member=f"IMassProperty2.{member}") for member in members]
    result = understand(Source("four_bar", read_from(world).value))
    inertials = [link.inertial for _, link in result.robot.links() if link.inertial]
    assert inertials
    assert all(inertial.mass > 0 and inertial.tensor is None for inertial in inertials)


def test_a_part_without_solids_has_no_mass_object() -> None:
    """Mass properties of nothing would be those of the whole document."""
    port = Port(MemoryTransport())
    world = MockSolidWorks(part_capture(Part("sketch")))
    reading = read(port.wrap(world.application, "ISldWorks"))
    assert reading.value.shapes[0].mass is None
    assert not port.calls["IModelDocExtension.CreateMassProperty2"]
    assert "not-read" not in codes(reading.findings)


def two_configurations(entered: float) -> Capture:
    """A part in its active configuration, and in another one in which the mass was entered by hand."""
    assembly = Assembly("lengths")
    part = Part("bar", box(0.1, 0.1, 0.1), STEEL).configuration("long", box(0.3, 0.1, 0.1))
    assembly.part(part)
    assembly.part(part, pose(x=1), configuration="long")
    capture = assembly.capture()
    shapes = tuple(
        replace(shape, mass=replace(present(shape.mass), mass=entered)) if shape.configuration == "long" else shape
        for shape in capture.shapes
    )
    return replace(capture, shapes=shapes)


def test_overrides_of_a_configuration_that_is_not_active_are_decided_by_the_mesh() -> None:
    """SolidWorks reports those of the active configuration (live 2023: 3.25 and 5 kg in two configurations)."""
    capture = two_configurations(entered=5.0)
    world = MockSolidWorks(capture)
    reading = read_from(world)
    assert reading.value == capture
    flags = {shape.configuration: present(shape.mass).mass_overridden for shape in reading.value.shapes}
    assert flags == {"Default": False, "long": None}
    result = understand(Source("lengths", reading.value))
    (finding,) = [each for each in result.findings if each.code == "override-unknown"]
    assert finding.where == "part bar.SLDPRT (long)"
    assert "taken as entered: mass." in finding.message
    assert "mesh-mass" not in codes(result.findings)
    masses = sorted(link.inertial.mass for _, link in result.robot.links() if link.inertial)
    assert masses == pytest.approx([5.0, 7.85], rel=0.1)


def test_nothing_is_reported_of_another_configuration_that_agrees_with_its_mesh() -> None:
    capture = two_configurations(entered=0.0)
    assembly_mass = present(capture.shapes[0].mass)
    right = two_configurations(entered=3 * assembly_mass.mass)
    assert "override-unknown" not in codes(understand(Source("lengths", right)).findings)


# ---- few objects, and nothing drawn meanwhile


def test_view_and_tree_are_not_updated_while_masses_are_read_and_are_as_before_afterwards() -> None:
    world = MockSolidWorks(sample("four_bar"))
    project = world.open[0].project
    drawn: list[dict[str, bool]] = []
    original = world.weighed
    world.weighed = lambda *given, **named: (drawn.append(dict(project.drawn)), original(*given, **named))[1]  # type: ignore[method-assign,func-returns-value]
    before = world.state()
    read_from(world)
    assert drawn
    assert all(each == {"EnableGraphicsUpdate": False, "EnableFeatureTree": False} for each in drawn)
    assert world.state() == before


def test_a_view_that_cannot_be_switched_off_costs_time_only() -> None:
    world = MockSolidWorks(sample("four_bar"))
    world.connection.faults = [Fault(1, times=10**9, member="IModelDoc2.ActiveView")]
    reading = read_from(world)
    assert reading.value.shapes == sample("four_bar").shapes
    assert codes(reading.findings) == ["default-used"]


@pytest.mark.parametrize("quirks", [(), ("mass-object-cached",), ("selection-adds",)])
def test_one_object_of_mass_properties_can_be_used_for_all_parts(quirks: tuple[str, ...]) -> None:
    capture = sample("arm")
    world = MockSolidWorks(capture, quirks=quirks)
    port = Port(MemoryTransport())
    before = world.state()
    reading = read(port.wrap(world.application, "ISldWorks"), Request(reuses_mass_object=True))
    assert reading.value.shapes == capture.shapes
    assert world.state() == before
    if not quirks:
        assert port.calls["IModelDocExtension.CreateMassProperty2"] == 1


def test_separate_objects_are_the_default_and_unharmed_by_a_cache() -> None:
    world = MockSolidWorks(sample("arm"), quirks=["mass-object-cached"])
    assert read_from(world).value == sample("arm")


# ---- mirrored parts

REFLECTIONS = [np.diag(signs) for signs in ((-1.0, 1, 1), (1.0, -1, 1), (1.0, 1, -1))]


def pair_of_hands(reflection: Array, *, with_source: bool = True) -> Capture:
    """A bracket of steel and its mirror image, which SolidWorks weighs as water."""
    assembly = Assembly("hands")
    image = BRACKET.mirror_image("bracket_left", reflection)
    if with_source:
        assembly.part(BRACKET)
    assembly.part(image, pose(x=1.0, yaw=30.0))
    return assembly.capture()


@pytest.mark.parametrize("reflection", REFLECTIONS, ids=["x", "y", "z"])
def test_a_mirrored_part_has_the_mass_of_its_source_seen_in_the_mirror(reflection: Array) -> None:
    capture = pair_of_hands(reflection)
    reading = read_from(MockSolidWorks(capture))
    assert reading.value == capture
    result = understand(Source("hands", reading.value))
    (finding,) = [each for each in result.findings if each.code == "mirror-mass"]
    assert finding.where == "part bracket_left.SLDPRT (Default)"
    assert "mirror image of bracket.SLDPRT" in finding.message
    assert "density-default" not in codes(result.findings)
    links = {link.name: present(link.inertial) for _, link in result.robot.links() if link.inertial}
    source, image = links["bracket-1"], links["bracket_left-1"]
    assert image.mass == pytest.approx(source.mass)
    assert image.origin == pytest.approx(reflection @ np.array(source.origin))
    assert tensor_matrix(image) == pytest.approx(reflection @ tensor_matrix(source) @ reflection)


def test_a_mirrored_part_without_its_source_is_named() -> None:
    result = understand(Source("hands", pair_of_hands(REFLECTIONS[0], with_source=False)))
    (finding,) = [each for each in result.findings if each.code == "mirror-without-material"]
    assert "mirror image of bracket.SLDPRT" in finding.message


def test_a_mirrored_part_with_a_material_is_left_as_it_is() -> None:
    capture = pair_of_hands(REFLECTIONS[0])
    documents = tuple(
        replace(document, material="Steel") if document.mirror_of else document for document in capture.documents
    )
    found = codes(understand(Source("hands", replace(capture, documents=documents))).findings)
    assert not {"mirror-mass", "mirror-without-material", "density-default"} & set(found)
