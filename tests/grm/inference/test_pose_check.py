"""The check of every mate against the assembled pose: what contradicts it is reported, and nothing else."""

from collections.abc import Callable
from functools import partial

import msgspec
import numpy as np
import pytest
from tests.closed_chains import random_chain
from tests.grm.inference.looking import O, X, Z, at, bearing, codes, understood
from tests.grm.inference.test_mechanisms import MECHANISMS
from tests.live import NAMES, as_capture, recording
from tests.noise import noisy

from swgrm.capture import Capture, MateEntity
from swgrm.inference import Inference
from swgrm_mocks.builder import Assembly, AssemblyComponent, Part
from swgrm_mocks.mates import circle, line, plane, point, shaft, sphere
from swgrm_mocks.samples import SAMPLES, sample
from swgrm_mocks.solids import cylinder

CODE = "mate-contradicted"
replace = msgspec.structs.replace


def message(seen: Inference) -> str:
    """The one contradiction, which must be at Mate1."""
    (found,) = (finding for finding in seen.findings if finding.code == CODE)
    assert found.where.endswith("Mate1")
    return found.message


def mechanism(name: str) -> Capture:
    build, _, _ = MECHANISMS[name]
    return build().assembly.capture()


CAPTURES: dict[str, Callable[[], Capture]] = {
    **{f"sample {name}": partial(sample, name) for name in sorted(SAMPLES)},
    **{f"live {name}": partial(lambda name: as_capture(recording(name)), name) for name in NAMES},
    **{name: partial(mechanism, name) for name in sorted(MECHANISMS)},
    **{f"chain {seed}": partial(lambda seed: random_chain(seed).assembly.capture(), seed) for seed in range(16)},
}


@pytest.mark.parametrize("name", CAPTURES)
@pytest.mark.parametrize("level", [0.0, 1e-8])
def test_nothing_is_reported_where_mates_are_solved(name: str, level: float) -> None:
    assert CODE not in codes(understood(noisy(CAPTURES[name](), level, 3)))


Mated = Callable[[Assembly, AssemblyComponent, AssemblyComponent, float], object]
ANGLED = (np.cos(0.4), np.sin(0.4), 0.0)
SATISFIED: dict[str, Mated] = {  # satisfied if the second part is 0 off along x and z, or turned by 0
    "coincident": lambda s, a, b, e: s.coincident(a.at(plane(O, Z)), b.at(plane((0, 0, e), Z)), name="Mate1"),
    "concentric": lambda s, a, b, e: s.concentric(a.at(shaft(O, Z, 1)), b.at(shaft((e, 0, 0), Z, 1)), name="Mate1"),
    "parallel": lambda s, a, b, e: s.parallel(a.at(plane(O, Z)), b.at(plane(O, (e, 0, 1))), name="Mate1"),
    "distance": lambda s, a, b, e: s.distance(
        a.at(plane(O, Z)), b.at(plane((0, 0, 0.2), Z)), value=0.2 + e, name="Mate1"
    ),
    "distance that is zero": lambda s, a, b, e: s.distance(a.at(point(O)), b.at(point(O)), value=e, name="Mate1"),
    "distance of surfaces": lambda s, a, b, e: s.distance(
        a.at(shaft(O, Z, 0.03)), b.at(shaft((0.2, 0, 0), Z, 0.02)), value=0.15 + e, name="Mate1"
    ),
    "angle": lambda s, a, b, e: s.angle(a.at(plane(O, X)), b.at(plane(O, ANGLED)), value=0.4 + e, name="Mate1"),
    "supplementary angle": lambda s, a, b, e: s.angle(
        a.at(plane(O, X)), b.at(plane(O, ANGLED)), value=np.pi - 0.4 + e, name="Mate1"
    ),
    "tangent": lambda s, a, b, e: s.tangent(
        a.at(plane(O, Z)), b.at(shaft((0, 0, 0.05 + e), X, 0.05)), name="Mate1"
    ),
    "tangent inside": lambda s, a, b, e: s.tangent(
        a.at(shaft(O, Z, 0.05)), b.at(shaft((0.03 + e, 0, 0), Z, 0.02)), name="Mate1"
    ),
    "point on a circle": lambda s, a, b, e: s.coincident(
        a.at(circle(O, Z, 0.05)), b.at(point((0.05 + e, 0, 0))), name="Mate1"
    ),
    "point on a sphere": lambda s, a, b, e: s.coincident(
        a.at(sphere(O, 0.05)), b.at(point((0, 0.05 + e, 0))), name="Mate1"
    ),
    "edge on a cylinder": lambda s, a, b, e: s.coincident(
        a.at(shaft(O, Z, 0.05)), b.at(line((0, 0.05 + e, 0), Z)), name="Mate1"
    ),
    "profile centre": lambda s, a, b, e: s.profile_center(
        a.at(circle(O, Z, 0.05)), b.at(circle((0, 0, 0.02), Z, 0.05)), offset=0.02 + e, name="Mate1"
    ),
    "width": lambda s, a, b, e: s.width(
        *(a.at(plane((0, 0, z), Z)) for z in (-0.1, 0.1)), *(b.at(plane((0, 0, z + e), Z)) for z in (-0.05, 0.05)),
        name="Mate1",
    ),
    "screw": lambda s, a, b, e: s.screw(
        a.at(shaft(O, Z, 1)), b.at(shaft((e, 0, 0), Z, 1)), lead=0.002, name="Mate1"
    ),
    "limit distance": lambda s, a, b, e: s.distance(
        a.at(plane(O, Z)), b.at(plane((0, 0, 0.2), Z)), value=0.2, limits=(0.2 + e, 0.5), name="Mate1"
    ),
    "limit angle": lambda s, a, b, e: s.angle(
        a.at(plane(O, X)), b.at(plane(O, ANGLED)), value=0.4, limits=(0.0, 0.4 - e), name="Mate1"
    ),
}  # fmt: skip


@pytest.mark.trap("G13")
@pytest.mark.parametrize("kind", SATISFIED)
def test_a_mate_that_the_pose_contradicts_is_reported_with_what_was_read(kind: str) -> None:
    def build(off: float) -> Inference:
        assembly = Assembly("pair")
        a, b = assembly.part("a").fixed(), assembly.part("b")
        SATISFIED[kind](assembly, a, b, off)
        return understood(assembly)

    assert CODE not in codes(build(0.0))
    assert CODE not in codes(build(1e-8))
    text = message(build(0.01))
    assert "selection type" in text
    assert "`b-1` (" in text


def test_mates_that_nothing_else_uses_are_checked_too() -> None:
    """A mate between two parts that are rigid together, and one of a bolt that is clamped to its host."""
    for off in (0.0, 0.003):
        assembly = Assembly("bolted")
        plate = assembly.part("plate").fixed()
        bolt = assembly.part(Part("ISO 4762 M6x20", cylinder(0.003, 0.02)))
        assembly.concentric(plate.at(shaft(O, Z, 0.003)), bolt.at(shaft((off, 0, 0), Z, 0.003)), name="Mate1")
        seen = understood(assembly)
        assert seen.fasteners
        assert len(codes(seen).get(CODE, [])) == (off > 0)


def test_coupling_and_lock_mates_are_not_checked() -> None:
    """Couplings relate changes of position, and a lock holds whatever pose it finds."""
    assembly = Assembly("pair")
    a, b = assembly.part("a").fixed(), assembly.part("b", at(0.1, 0.2, 0.3))
    ends = a.at(shaft(O, Z, 0.01)), b.at(shaft((0.3, 0, 0.1), X, 0.02))
    assembly.gear(*ends, ratio=(3, 1))
    assembly.rack_pinion(*ends, diameter=0.3)
    assembly.linear_coupler(*ends, ratio=(1, 2))
    for mate in (assembly.lock, assembly.coordinate, assembly.in_place):
        mate(*ends)
    assert CODE not in codes(assembly)


def shifted(capture: Capture, change: Callable[[MateEntity], MateEntity]) -> Capture:
    """The capture with changed entities of the mate that is called Mate1."""
    documents = []
    for document in capture.documents:
        mates = tuple(
            replace(mate, entities=tuple(map(change, mate.entities))) if mate.name == "Mate1" else mate
            for mate in document.mates
        )
        documents.append(replace(document, mates=mates))
    return replace(capture, documents=tuple(documents))


def sub_assembly(*, flexible: bool) -> Assembly:
    """A door on a frame inside a sub-assembly that is turned and shifted; a flexible one has its door elsewhere."""
    unit = Assembly("unit")
    frame, door = unit.part("frame", at(0.1)).fixed(), unit.part("door", at(0.2))
    own = frame.at(shaft((0.1, 0, 0), Z, 0.01)), door.at(shaft(O, Z, 0.01))
    unit.concentric(*own, name="Mate1")
    unit.distance(frame.at(plane(O, Z)), door.at(plane((0, 0, 0.1), Z)), value=0.1)
    T = at(1.0, 2.0, 3.0)
    T[:3, :3] = [[0, -1, 0], [1, 0, 0], [0, 0, 1]]
    assembly = Assembly("house")
    inserted = assembly.sub(unit, T).fixed()
    if flexible:
        turned = at(0.2)
        turned[:3, :3] = [[np.cos(0.3), -np.sin(0.3), 0], [np.sin(0.3), np.cos(0.3), 0], [0, 0, 1]]
        inserted.flexible(**{"door-1": turned})
    return assembly


@pytest.mark.parametrize("flexible", [False, True])
def test_mates_of_sub_assemblies_are_checked_in_the_space_of_their_document(flexible: bool) -> None:
    capture = sub_assembly(flexible=flexible).capture()
    assert CODE not in codes(understood(capture))

    def in_part(entity: MateEntity) -> MateEntity:
        """As if SolidWorks had returned the coordinates of the part."""
        x, *rest = entity.params
        return replace(entity, params=(x - (0.1 if entity.component == "frame-1" else 0.2), *rest))

    text = message(understood(shifted(capture, in_part)))
    assert "It would hold if its entities were in the coordinates of their components." in text


def test_an_entity_in_another_space_than_the_others_is_named() -> None:
    assembly = Assembly("pair")
    a, b = assembly.part("a", at(0.1)).fixed(), assembly.part("b", at(0.3))
    bearing(assembly, a, b, np.zeros(3))
    assembly.coincident(a.at(point((0.7, 0, 0))), b.at(point((0.5, 0, 0))), name="Mate1")

    def wrong(entity: MateEntity) -> MateEntity:
        return replace(entity, params=(0.5, 0.0, 0.0)) if entity.component == "b-1" else entity

    text = message(understood(shifted(assembly.capture(), wrong)))
    assert "It would hold if its entity on `b-1` were in the coordinates of that component." in text


def test_a_wrong_kind_is_named() -> None:
    """A face that comes with the type of a circle: the point lies in the plane, but not on the circle."""
    assembly = Assembly("pair")
    a, b = assembly.part("a").fixed(), assembly.part("b")
    assembly.coincident(a.at(plane(O, Z)), b.at(point((0.1, 0.2, 0))), name="Mate1")

    def wrong(entity: MateEntity) -> MateEntity:
        return replace(entity, type=2, params=(*entity.params[:6], 0.05)) if entity.type == 3 else entity

    text = message(understood(shifted(assembly.capture(), wrong)))
    assert "It would hold if its circle (type 2) were a plane (type 3)." in text


def test_another_configuration_is_named() -> None:
    assembly = Assembly("pair")
    arm = Part("arm", cylinder(0.1, 0.1))
    arm.configuration("Long", cylinder(0.1, 0.2))
    a, b = assembly.part("a").fixed(), assembly.part(arm, at(), "Long")
    assembly.coincident(a.at(plane(O, Z)), b.at(plane((0, 0, 0.1), Z)), name="Mate1")
    capture = assembly.capture()
    documents = tuple(
        replace(d, read_in="Default", configuration="Long") if d.configuration == "Long" else d
        for d in capture.documents
    )
    text = message(understood(replace(capture, documents=documents)))
    assert "was read in its configuration `Default`, but the assembly uses `Long`." in text


def test_many_contradictions_are_reported_with_few_hints() -> None:
    assembly = Assembly("many")
    a, b = assembly.part("a").fixed(), assembly.part("b")
    for number in range(30):
        assembly.coincident(a.at(plane(O, Z)), b.at(plane((0, 0, 0.01), Z)), name=f"Mate{number}")
    found = [f.message for f in understood(assembly).findings if f.code == CODE]
    assert len(found) == 30
    assert sum("No other space or kind" in text for text in found) == 20
