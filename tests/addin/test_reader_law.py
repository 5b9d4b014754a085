"""Law: reading the mock of a capture gives that capture, whatever the order of components."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec import Struct
from msgspec.structs import replace
from tests.assemblies import assemblies

from swgrm.capture import Capture, encode
from swgrm.capture.anonymize import anonymized
from swgrm.findings import Result
from swgrm_addin.port import Port
from swgrm_addin.reader import Request, read
from swgrm_mocks.builder import Assembly, Part, pose
from swgrm_mocks.samples import SAMPLES, sample
from swgrm_mocks.solids import box
from swgrm_mocks.solidworks import MemoryTransport, MockSolidWorks

NONE: frozenset[str] = frozenset()


def read_from(world: MockSolidWorks, request: Request | None = None) -> Result[Capture]:
    return read(Port(MemoryTransport()).wrap(world.application, "ISldWorks"), request)


def assert_law(capture: Capture, seed: int, *, needs_query: bool = False, expected: frozenset[str] = NONE) -> None:
    world = MockSolidWorks(capture, seed=seed)
    world.connection.needs_query = needs_query
    before = world.state()
    reading = read_from(world)
    assert list(differences(reading.value, capture, "capture")) == []
    assert encode(reading.value) == encode(capture)
    assert {finding.code for finding in reading.findings} <= expected
    assert world.state() == before


def differences(one: Any, other: Any, place: str) -> Iterator[str]:
    """Where two captures differ, for a message that can be read."""
    if isinstance(one, tuple) and isinstance(other, tuple) and len(one) == len(other):
        for number, (item, its_twin) in enumerate(zip(one, other, strict=True)):
            yield from differences(item, its_twin, f"{place}[{number}]")
    elif isinstance(one, Struct) and type(one) is type(other):
        for field in one.__struct_fields__:
            yield from differences(getattr(one, field), getattr(other, field), f"{place}.{field}")
    elif one != other:
        yield f"{place}: {one!r} instead of {other!r}"


@pytest.mark.parametrize("name", SAMPLES)
@pytest.mark.parametrize("needs_query", [False, True])
def test_a_sample_is_read_as_it_was_captured(name: str, needs_query: bool) -> None:
    for seed in range(3):
        assert_law(sample(name), seed, needs_query=needs_query)


@given(assemblies(), st.integers(0, 1000), st.booleans())
@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
def test_any_assembly_is_read_as_it_was_captured(assembly: Assembly, seed: int, needs_query: bool) -> None:
    assert_law(assembly.capture(), seed, needs_query=needs_query)


@given(assemblies())
@settings(max_examples=50, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
def test_any_anonymous_assembly_is_read_as_it_was_captured(assembly: Assembly) -> None:
    bare = anonymized(assembly.capture())
    plain = replace(
        bare,
        anonymized=False,
        components=tuple(replace(c, named_like_fastener=None, name_hint=None) for c in bare.components),
    )
    assert_law(plain, 0, expected=frozenset({"body-without-triangles"}))  # meshes are removed


@pytest.mark.trap("R1")
def test_every_mate_is_read_once() -> None:
    capture = sample("traps")
    reading = read_from(MockSolidWorks(capture))
    for document in reading.value.documents:
        names = [mate.name for mate in document.mates]
        assert len(names) == len(set(names))
    returned = sum(len(component.mates) for component in capture.components)
    assert returned > sum(len(document.mates) for document in capture.documents)  # each comes more than once


def test_a_part_without_assembly_is_read_as_it_was_captured() -> None:
    part = Part("bracket", box(0.1, 0.2, 0.05, 0.01), ("6061 Alloy", 2700.0))
    part.coordinate_system("tool0", pose(0.1, 0.2, 0.3, 10, 20, 30))
    capture = part_capture(part)
    assert_law(capture, 0)


def part_capture(part: Part) -> Capture:
    """The capture of a part that is opened without an assembly: one document, one shape."""
    import numpy as np

    from swgrm.capture import VERSION, CaptureSource

    source = CaptureSource(part.path, "bracket.SLDPRT", "Default", 1, "34.1.0", 5, False)
    return Capture(
        VERSION, source, (), (part.document("Default"),), (part.shape("Default", "", "", np.eye(4)),)
    )  # fmt: skip
