"""Component patterns are read with their seeds and instances, in one of three ways, and nothing stays rolled back."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from tests.addin.test_reader_law import read_from

from swgrm.capture import Capture, ComponentPattern
from swgrm_addin.reader.patterns import PATTERNS
from swgrm_mocks.builder import Assembly, Part, pose
from swgrm_mocks.large.robots import make_large_robot
from swgrm_mocks.solids import box
from swgrm_mocks.solidworks import Fault, MockSolidWorks

FOREVER = 10**9
ACCESS = "AccessSelections"


def patterned(kind: str = "LocalLPattern", seeds: int = 1, count: int = 3, **fields: Any) -> Capture:
    """A plate with a pattern of pins: so many seeds, so many instances of each."""
    assembly = Assembly("plate")
    assembly.part(Part("plate", box(0.4, 0.4, 0.01))).fixed()
    part = Part("pin", box(0.01, 0.01, 0.02))
    pins = [assembly.part(part, pose(x=0.1 * number)) for number in range(seeds)]
    assembly.pattern(pins, [pose(y=0.02 * place) for place in range(1, count + 1)], kind, **fields)
    return assembly.capture()


def pattern_of(capture: Capture) -> ComponentPattern:
    """The only pattern of a capture."""
    (pattern,) = [pattern for document in capture.documents for pattern in document.patterns]
    return pattern


def calls_of(world: MockSolidWorks, name: str) -> int:
    return sum(count for member, count in world.connection.calls.items() if member.endswith(f".{name}"))


@pytest.mark.parametrize("seeds", [1, 2])
@pytest.mark.parametrize("kind", PATTERNS)
def test_every_kind_is_read_without_rolling_back(kind: str, seeds: int) -> None:
    capture = patterned(kind, seeds, skipped=() if kind == "LocalChainPattern" else (2, 5))
    world = MockSolidWorks(capture)
    reading = read_from(world)
    assert reading.value == capture
    assert len(pattern_of(reading.value).instances) == 3 * seeds
    assert calls_of(world, ACCESS) == calls_of(world, "GetParents") == 0


@pytest.mark.parametrize("quirk", ["component-nodes-named", "pattern-selections"])
@pytest.mark.parametrize("kind", PATTERNS)
def test_quirks_cost_nothing(kind: str, quirk: str) -> None:
    capture = patterned(kind, 2)
    world = MockSolidWorks(capture, quirks=[quirk])
    assert read_from(world).value == capture
    assert calls_of(world, ACCESS) == 0


@pytest.mark.parametrize("kind", PATTERNS)
def test_selections_are_accessed_only_if_nothing_else_returns_the_seeds(kind: str) -> None:
    """The feature is rolled back for this, and restored."""
    capture = patterned(kind, 2)
    world = MockSolidWorks(capture, quirks=["pattern-selections"])
    world.connection.faults = [Fault(1, "null", times=FOREVER, member="IFeature.GetParents")]
    before = world.state()
    reading = read_from(world)
    assert reading.value.documents == capture.documents
    assert calls_of(world, ACCESS) == calls_of(world, "ReleaseSelectionAccess") == 1
    assert world.state() == before


@pytest.mark.parametrize("member", ["SeedComponentArray", ACCESS, "GetTransform"])
@pytest.mark.parametrize("fault", ["error", "null", "type"])
def test_a_failing_member_never_leaves_the_feature_rolled_back(member: str, fault: Any) -> None:
    """Without seeds, the instances are still known; SolidWorks is as it was."""
    capture = patterned(seeds=2)
    world = MockSolidWorks(capture, quirks=["pattern-selections"])
    full_name = f"ILocalLinearPatternFeatureData.{member}"
    world.connection.faults = [
        Fault(1, "null", times=FOREVER, member="IFeature.GetParents"),
        Fault(1, fault, times=FOREVER, member=full_name),
    ]
    before = world.state()
    reading = read_from(world)
    assert world.state() == before
    pattern, expected = pattern_of(reading.value), pattern_of(capture)
    assert pattern.instances == expected.instances
    assert pattern.seeds == (expected.seeds if member == "GetTransform" else ())


def test_a_suppressed_pattern_is_not_opened() -> None:
    world = MockSolidWorks(patterned(suppressed=True))
    pattern = pattern_of(read_from(world).value)
    assert pattern.suppressed
    assert pattern.seeds == pattern.instances == ()
    assert calls_of(world, "GetDefinition") == 0


def test_calls_are_counted_per_pattern_and_per_instance() -> None:
    """The number for a pattern is constant; each instance adds the step to it in the tree, and its name."""

    def calls(count: int) -> Counter[str]:
        world = MockSolidWorks(patterned(count=count))
        read_from(world)
        return world.connection.calls

    step = calls(9)
    step.subtract(calls(8))
    own = {member: count for member, count in step.items() if count and not member.startswith("IComponent2.")}
    assert own["IFeature.GetNextSubFeature"] == own["IFeature.Name"] == 1
    assert sum(count for member, count in own.items() if member.startswith("IFeature.")) == 2


def test_a_large_robot_is_read_as_it_is() -> None:
    capture = make_large_robot("arm", 120, patterns=True, detail=0.05).capture
    assert sum(len(document.patterns) for document in capture.documents) > 10
    assert read_from(MockSolidWorks(capture)).value.documents == capture.documents


@pytest.mark.parametrize("fault", ["error", "type"])
def test_a_fault_at_every_call_of_a_pattern_is_named(fault: Any) -> None:
    """All calls of a member fail; SolidWorks is as it was, or a finding reports that it is not."""
    capture = patterned(seeds=2)
    world = MockSolidWorks(capture, quirks=["pattern-selections"])
    world.connection.faults = [Fault(1, "null", times=FOREVER, member="IFeature.GetParents")]
    read_from(world)
    members = {member for member in world.connection.calls if member.startswith(("IFeature.", "ILocalLinear"))}
    assert len(members) > 10
    for member in members - {"IFeature.GetParents", "IFeature.GetTypeName2", "IFeature.GetNextFeature"}:
        world = MockSolidWorks(capture, quirks=["pattern-selections"])
        world.connection.faults = [
            Fault(1, fault, times=FOREVER, member=member),
            Fault(1, "null", times=FOREVER, member="IFeature.GetParents"),
        ]
        before = world.state()
        reading = read_from(world)
        codes = {finding.code for finding in reading.findings}
        assert world.state() == before or "document-changed" in codes, member
        named = [finding for finding in reading.findings if member in f"{finding.where} {finding.message}"]
        assert named or reading.value.documents == capture.documents, member
