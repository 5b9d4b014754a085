"""The exact number of calls that reading takes, as docs/reader.md states it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from swgrm.capture import Capture
from swgrm_addin.port import Port
from swgrm_addin.reader import read
from swgrm_mocks.builder import Assembly, Part, pose
from swgrm_mocks.mates import plane
from swgrm_mocks.samples import SAMPLES, sample
from swgrm_mocks.solids import box
from swgrm_mocks.solidworks import MemoryTransport, MockSolidWorks

PAGE = Path(__file__).parents[2] / "docs" / "reader.md"
FACE = plane((0, 0, 0), (0, 0, 1))


def fleet(components: int, unique: int, mates: int = 0) -> Capture:
    """An assembly of components in a row, made of `unique` parts, with that many mates to the first component."""
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


def stated() -> dict[str, int]:
    """The budget in the documentation."""
    return {
        row[1]: int(row[2]) for row in re.finditer(r"^\| ([^|`]+) \| (\d+) \|$", PAGE.read_text("utf-8"), re.MULTILINE)
    }


class Pair:
    """An assembly of two components of one part, and one of a sub-assembly, to which more is added."""

    def __init__(self) -> None:
        self.assembly, self.box = Assembly("pair"), Part("box", box(0.1, 0.1, 0.1))
        self.sub = Assembly("sub")
        self.sub.part(self.box)
        self.one, self.other = self.assembly.part(self.box), self.assembly.part(self.box, pose(x=1))
        self.assembly.sub(self.sub)
        self.assembly.coincident(self.one.at(FACE), self.other.at(FACE))

    def mate(self, kind: str, **values: Any) -> object:
        return getattr(self.assembly, kind)(self.one.at(FACE), self.other.at(FACE), **values)


def cost(more: Callable[[Pair], object], less: Callable[[Pair], object] = lambda _: None) -> int:
    """The difference in the number of calls."""
    counts = []
    for change in (more, less):
        pair = Pair()
        change(pair)
        counts.append(calls(pair.assembly.capture()).total())
    return counts[0] - counts[1]


def another_sub(parts: int) -> int:
    """The calls for one more component of a sub-assembly with so many parts."""

    def components(pair: Pair, count: int) -> None:
        unit = Assembly("unit")
        for _ in range(parts):
            unit.part(pair.box)
        for _ in range(count):
            pair.assembly.sub(unit)

    return cost(lambda pair: components(pair, 2), lambda pair: components(pair, 1))


MEASURED: dict[str, Callable[[], int]] = {
    "part on the top level of the assembly": lambda: cost(lambda p: p.assembly.part(p.box)),
    "part on a lower level": lambda: another_sub(2) - another_sub(1),
    "sub-assembly on the top level": lambda: 2 * another_sub(1) - another_sub(2),
    "mate of two components, without a definition": lambda: cost(lambda p: p.mate("coincident")),
    "concentric mate": lambda: cost(lambda p: p.mate("concentric")),
    "gear mate": lambda: cost(lambda p: p.mate("gear", ratio=(1, 2))),
    "hinge mate": lambda: cost(lambda p: p.mate("hinge")),
    "distance or angle mate": lambda: cost(lambda p: p.mate("angle", value=1.0)),
    "part in a configuration, with one body of four faces": lambda: cost(
        lambda p: p.assembly.part(Part("new", box(1, 1, 1, 0.1))), lambda p: p.assembly.part(p.box)
    ),
    "further face": lambda: cost(
        lambda p: p.assembly.part(Part("new", box(1, 1, 1, 0.1))), lambda p: p.assembly.part(Part("new", box(1, 1, 1)))
    ),
    "coordinate system, plane or point that the user drew": lambda: cost(lambda p: p.box.plane("x", pose())),
    "axis that the user drew": lambda: cost(lambda p: p.box.axis("x", (0, 0, 0), (1, 0, 0))),
    "component pattern with one seed": lambda: cost(lambda p: p.assembly.pattern_of([p.one], [])),
    "instance of a pattern, besides the component": lambda: cost(
        lambda p: p.assembly.pattern_of([p.one], [p.other]), lambda p: p.assembly.pattern_of([p.one], [])
    ),
    "custom property": lambda: cost(lambda p: p.box.custom_property("x", "y")),
}  # fmt: skip


def test_the_documentation_states_the_budget() -> None:
    assert {what: measure() for what, measure in MEASURED.items()} == stated()


def test_the_calls_per_component_do_not_depend_on_their_number() -> None:
    counts = [calls(fleet(number, 5)).total() for number in (10, 20, 40, 80)]
    assert [after - before for before, after in pairwise(counts)] == [18 * more for more in (10, 20, 40)]


def test_the_calls_per_mate_do_not_depend_on_their_number() -> None:
    counts = [calls(fleet(20, 5, number)).total() for number in (1, 2, 12)]
    assert [after - before for before, after in pairwise(counts)] == [28, 280]


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


@pytest.mark.trap("R37")
def test_shapes_are_as_many_as_parts_in_configurations() -> None:
    counted = calls(fleet(100, 7))
    assert counted["IMassProperty2.Mass"] == 7
    assert counted["IComponent2.GetBodies3"] == 100 + 7  # whether the assembly cuts each component; and the bodies
    assert counted["IComponent2.GetModelDoc2"] == 14  # for the document and for the shape
