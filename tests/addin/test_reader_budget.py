"""How many calls reading costs, exactly: what docs/reader.md says."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import pytest

from swgrm.capture import Capture
from swgrm_addin.port import Port
from swgrm_addin.reader import read
from swgrm_mocks.builder import Assembly, Part, pose
from swgrm_mocks.mates import plane
from swgrm_mocks.samples import SAMPLES, sample
from swgrm_mocks.solids import box
from swgrm_mocks.solidworks import MemoryTransport, MockSolidWorks

PER_PART_INSTANCE = 18  # with IsFixed, at the top level
PER_MATE = 40  # of a plane on a plane, both ends named by their components' GetMates


def fleet(components: int, unique: int, mates: int = 0) -> Capture:
    """So many instances of so many parts in a row, so many of them mated to the first."""
    assembly = Assembly("fleet")
    parts = [Part(f"part{n}", box(0.1, 0.1, 0.1)) for n in range(unique)]
    for number in range(components):
        assembly.part(parts[number % unique], pose(x=number))
    face = plane((0, 0, 0), (0, 0, 1))
    for number in range(mates):
        assembly.coincident(assembly.children[0].at(face), assembly.children[1 + number % (components - 1)].at(face))
    return assembly.capture()


def calls(capture: Capture) -> Counter[str]:
    port = Port(MemoryTransport())
    read(port.wrap(MockSolidWorks(capture).application, "ISldWorks"))
    port.calls.pop("IUserProgressBar.UpdateProgress")  # at most a hundred, whatever the size
    return port.calls


def test_a_component_costs_the_same_however_many_there_are() -> None:
    counts = [calls(fleet(number, 5)).total() for number in (10, 20, 40, 80)]
    assert [after - before for before, after in pairwise(counts)] == [
        10 * PER_PART_INSTANCE,
        20 * PER_PART_INSTANCE,
        40 * PER_PART_INSTANCE,
    ]


def test_a_mate_costs_the_same_however_many_there_are() -> None:
    counts = [calls(fleet(20, 5, number)).total() for number in (1, 2, 12)]
    per_mate = counts[1] - counts[0]
    assert counts[2] - counts[1] == 10 * per_mate
    assert per_mate <= PER_MATE


@pytest.mark.parametrize("name", SAMPLES)
def test_mass_and_tessellation_are_read_once_per_shape(name: str) -> None:
    capture = sample(name)
    counted = calls(capture)
    parts = [shape for shape in capture.shapes if shape.bodies]
    weighed = [shape for shape in capture.shapes if shape.mass]
    faces = sum(len(body.faces) for shape in capture.shapes for body in shape.bodies)
    assert counted["IMassProperty2.Mass"] == len(weighed)
    assert counted["IBody2.GetFaces"] == len(parts)
    assert counted["IFace2.GetTessTriangles"] == faces


def test_shapes_are_as_many_as_parts_in_configurations() -> None:
    counted = calls(fleet(100, 7))
    assert counted["IMassProperty2.Mass"] == counted["IComponent2.GetBodies3"] == 7
    assert counted["IComponent2.GetModelDoc2"] == 14  # for the document and for the shape
