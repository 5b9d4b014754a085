"""Mass properties of a SolidWorks with its quirks: the selection, zero mass, wrong tensors, and options put back."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import pytest
from msgspec.structs import replace
from tests.addin.test_reader_law import part_capture, read_from
from tests.lookups import present

from swgrm.capture import Capture, PartShape
from swgrm.codes import CODES
from swgrm.findings import Finding
from swgrm.inertia import tensor_matrix
from swgrm.model import Inertial
from swgrm_addin.pipeline import understand
from swgrm_addin.sources import Source
from swgrm_mocks.builder import STEEL, Part, pose
from swgrm_mocks.samples import sample
from swgrm_mocks.solids import box, cylinder
from swgrm_mocks.solidworks import Fault, MockSolidWorks

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
        present(shape.mass).principal_moments[::-1] for shape in shapes
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
