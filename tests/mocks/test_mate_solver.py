"""Laws of the mock's mate solver: mates hold after every drive, fixed parts stay, and the result is the same twice."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.mocks.mechanisms import P0, Mechanism, X, Y, Z

from swgrm.solidworks.swconst import swMateType_e as Sw
from swgrm.solidworks.swconst_calls import swAddMateError_e as Status
from swgrm_mocks.builder import pose
from swgrm_mocks.mates import circle, cone, line, plane, point, shaft, sphere
from swgrm_mocks.modelling.assembly_model import AssemblyModel
from swgrm_mocks.modelling.mate_records import mate_record
from swgrm_mocks.modelling.new_mate import Pick, SlotPath

HELD = 1e-9  # [m or rad]
FREE = pose(0.11, -0.07, 0.05, 20.0, -15.0, 25.0)
ANGLES = st.lists(st.floats(0.05, 6.0), min_size=1, max_size=4)


def chain(seed: int, length: int) -> tuple[Mechanism, list[str]]:
    """A chain of hinges, sliders, cylindrical and ball joints at random poses, driven by an angle."""
    rng = np.random.default_rng(seed)
    mechanism = Mechanism(pose(*rng.uniform(-0.2, 0.2, 3), *rng.uniform(-180, 180, 3)))
    before, kinds = mechanism.base, ["hinge"]
    for number in range(length):
        kind = "hinge" if number == 0 else str(rng.choice(["hinge", "slider", "cylinder", "ball", "lock"]))
        near = before.T_assembly_self @ pose(*rng.uniform(-0.05, 0.05, 3), *rng.uniform(-30, 30, 3))
        part = mechanism.add(f"part{number}", near)
        if kind == "hinge":
            mechanism.hinge(before, part, at=tuple(rng.uniform(-0.1, 0.1, 3)))
        elif kind == "slider":
            mechanism.slider(before, part)
        elif kind == "cylinder":
            mechanism.mate(Sw.swMateCONCENTRIC, (before, shaft(P0, X, 0.01)), (part, shaft(P0, X, 0.01)))
        elif kind == "ball":
            mechanism.mate(Sw.swMateCOINCIDENT, (before, point(P0)), (part, point((0.05, 0.0, 0.0))))
        else:
            mechanism.mate(Sw.swMateLOCK, (before, point(P0)), (part, point(P0)))
        before = part
        kinds.append(kind)
    return mechanism, kinds


@given(st.integers(0, 2**32 - 1), st.integers(1, 4), ANGLES)
@settings(max_examples=15, deadline=None)
def test_after_any_drive_all_mates_hold_and_the_base_stays(seed: int, length: int, angles: list[float]) -> None:
    results = []
    for _ in range(2):
        mechanism, _kinds = chain(seed, length)
        base = mechanism.base.T_assembly_self.copy()
        first = mechanism.assembly.children[1]
        driver = mechanism.mate(Sw.swMateANGLE, (mechanism.base, plane(P0, X)), (first, plane(P0, X)), angle=angles[0])
        for angle in angles:
            assert mechanism.drive(driver, angle)
            assert mechanism.off() < HELD
            assert (mechanism.base.T_assembly_self == base).all()
            assert driver.terms.value is not None
        results.append(np.stack([child.T_assembly_self for child in mechanism.assembly.children]))
    assert (results[0] == results[1]).all()


@given(st.floats(0.3, 2.8), st.floats(0.3, 2.8))
@settings(max_examples=15, deadline=None)
def test_a_four_bar_follows_its_crank(start: float, end: float) -> None:
    crank, coupler, rocker, ground = 0.03, 0.1, 0.08, 0.09
    mechanism = Mechanism()
    tip = np.array([crank * math.cos(1.0), crank * math.sin(1.0)])
    bars = [
        mechanism.add("crank", pose(yaw=math.degrees(1.0))),
        mechanism.add("coupler", pose(tip[0], tip[1], yaw=30.0)),
    ]
    bars.append(mechanism.add("rocker", pose(ground, yaw=100.0)))
    mechanism.hinge(mechanism.base, bars[0])
    mechanism.hinge(mechanism.base, bars[2], at=(ground, 0.0, 0.0))
    mechanism.hinge(bars[0], bars[1], at=(crank, 0.0, 0.0))
    mechanism.hinge(bars[1], bars[2], at=(coupler, 0.0, 0.0), own=(rocker, 0.0, 0.0))
    driver = mechanism.mate(Sw.swMateANGLE, (mechanism.base, plane(P0, X)), (bars[0], plane(P0, X)), angle=1.0)
    for angle in (start, end):
        assert mechanism.drive(driver, angle)
        assert mechanism.off() < HELD
        assert mechanism.turned(bars[0]) == pytest.approx(angle, abs=1e-9)
    assert mechanism.assembly.system()[1].freedom(3) == 0


CONTACTS = {
    "plane on plane": (Sw.swMateCOINCIDENT, plane(P0, Z), plane((0.01, 0.0, 0.0), Z), 3),
    "line in plane": (Sw.swMateCOINCIDENT, plane(P0, Z), line(P0, X), 4),
    "point on plane": (Sw.swMateCOINCIDENT, plane(P0, Z), point(P0), 5),
    "point on line": (Sw.swMateCOINCIDENT, line(P0, X), point(P0), 4),
    "point on circle": (Sw.swMateCOINCIDENT, circle(P0, Z, 0.03), point(P0), 4),
    "point on cylinder": (Sw.swMateCOINCIDENT, shaft(P0, Z, 0.03), point(P0), 5),
    "line on line": (Sw.swMateCOINCIDENT, line(P0, X), line(P0, Y), 2),
    "ball": (Sw.swMateCONCENTRIC, sphere(P0, 0.01), sphere(P0, 0.01), 3),
    "parallel": (Sw.swMatePARALLEL, plane(P0, Z), plane(P0, Z), 4),
    "perpendicular": (Sw.swMatePERPENDICULAR, plane(P0, Z), plane(P0, Z), 5),
    "tangent cylinder": (Sw.swMateTANGENT, plane(P0, Z), shaft(P0, X, 0.01), 4),
    "tangent sphere": (Sw.swMateTANGENT, plane(P0, Z), sphere(P0, 0.01), 5),
    "tangent cone": (Sw.swMateTANGENT, plane(P0, Z), cone(P0, Z, 0.4)._replace(radii=(0.4, 0.02)), 4),
    "tangent cylinders": (Sw.swMateTANGENT, shaft(P0, Z, 0.01), shaft(P0, Z, 0.02), 5),
    "cam": (Sw.swMateCAMFOLLOWER, shaft(P0, Z, 0.02), point(P0), 5),
    "universal": (Sw.swMateUNIVERSALJOINT, shaft(P0, Z, 0.01), shaft(P0, X, 0.01), 2),
    "lock": (Sw.swMateLOCK, plane(P0, Z), plane(P0, Z), 0),
    "profile centre": (Sw.swMatePROFILECENTER, plane(P0, Z), plane(P0, Z), 1),
    "distance of points": (Sw.swMateDISTANCE, point(P0), point(P0), 5),
    "distance of planes": (Sw.swMateDISTANCE, plane(P0, Z), plane(P0, Z), 3),
    "angle": (Sw.swMateANGLE, plane(P0, Z), plane(P0, Z), 5),
}


@pytest.mark.parametrize("name", CONTACTS)
def test_a_mate_holds_and_leaves_its_degrees_of_freedom(name: str) -> None:
    kind, one, other, free = CONTACTS[name]
    mechanism = Mechanism()
    part = mechanism.add("part", FREE)
    values = {"distance": 0.03} if kind == Sw.swMateDISTANCE else {"angle": 0.4} if kind == Sw.swMateANGLE else {}
    mate = mechanism.mate(kind, (mechanism.base, one), (part, other), **values)
    assert mechanism.off() < HELD
    assert mechanism.assembly.system()[1].freedom(2) == free
    record = mate_record(mechanism.assembly, mate, mechanism.assembly.configuration)
    assert record.type == kind
    assert len(record.entities) == 2


def test_two_coordinate_systems_lock_a_part() -> None:
    mechanism = Mechanism()
    part = mechanism.add("part", FREE)
    mechanism.mate(Sw.swMateCOORDINATE, (mechanism.base, point(P0)), (part, point(P0)), frames=True)
    assert np.abs(part.T_assembly_self - np.eye(4)).max() < HELD


@pytest.mark.parametrize(("option", "value", "at"), [(0, 0.0, None), (1, 0.0, 0.05), (2, 0.02, 0.02), (3, 25.0, 0.025)])
def test_a_pin_in_a_slot(option: int, value: float, at: float | None) -> None:
    mechanism = Mechanism()
    pin = mechanism.add("pin", FREE)
    data = {"constraint": option, "distance": value, "percent": value}
    status, mate = mechanism.try_mate(Sw.swMateSLOT, (mechanism.base, shaft(P0, Z, 0.01)), (pin, shaft(P0, Z, 0.01)))
    assert status == Status.swAddMateError_IncorrectSelections  # the face is not of a slot
    mate.picks[0] = Pick("base-1", shaft(P0, Z, 0.01), slot=SlotPath((0.0, 0.0, 0.0), (0.1, 0.0, 0.0), Z))
    mate.values |= data
    assert mechanism.assembly.add_mate(mate) == Status.swAddMateError_NoError
    assert mechanism.off() < HELD
    assert mechanism.assembly.system()[1].freedom(2) == (3 if at is None else 2)
    if at is not None:
        assert pin.T_assembly_self[0, 3] == pytest.approx(at, abs=HELD)


@pytest.mark.parametrize(
    ("option", "values", "at"),
    [(0, {}, 0.0), (2, {"distance_from_end": 0.01}, -0.02), (3, {"percent_distance_from_end": 25.0}, -0.015)],
)
def test_a_tab_in_a_groove(option: int, values: dict[str, float], at: float) -> None:
    mechanism = Mechanism()
    tab = mechanism.add("tab", pose(0.01, 0.02, 0.03, 5.0, 5.0, 5.0))
    groove = [plane((0.0, 0.0, z), (0.0, 0.0, math.copysign(1.0, -z))) for z in (-0.05, 0.05)]
    faces = [plane((0.0, 0.0, z), (0.0, 0.0, math.copysign(1.0, z))) for z in (-0.02, 0.02)]
    sides = [*((mechanism.base, face) for face in groove), *((tab, face) for face in faces)]
    mechanism.mate(Sw.swMateWIDTH, *sides, constraint_type=option, **values)
    assert mechanism.off() < HELD
    assert tab.T_assembly_self[2, 3] == pytest.approx(at, abs=HELD)


def test_a_free_tab_stays_parallel_to_its_groove() -> None:
    mechanism = Mechanism()
    tab = mechanism.add("tab", FREE)
    sides = [(part, plane((0.0, 0.0, z), Z)) for part in (mechanism.base, tab) for z in (-0.02, 0.02)]
    mechanism.mate(Sw.swMateWIDTH, *sides, constraint_type=1)
    assert mechanism.assembly.system()[1].freedom(2) == 4


def test_a_symmetric_mate_makes_one_slider_mirror_the_other() -> None:
    mechanism = Mechanism()
    parts = [mechanism.add(name, pose(x)) for name, x in (("left", -0.04), ("right", 0.03))]
    for part in parts:
        mechanism.slider(mechanism.base, part)
    mechanism.mate(Sw.swMateSYMMETRIC, *((part, plane(P0, X)) for part in parts), (mechanism.base, plane(P0, X)))
    driver = mechanism.mate(Sw.swMateDISTANCE, (mechanism.base, plane(P0, X)), (parts[1], plane(P0, X)), distance=0.03)
    for distance in (0.05, 0.02):
        assert mechanism.drive(driver, distance)
        assert [part.T_assembly_self[0, 3] for part in parts] == pytest.approx([-distance, distance], abs=HELD)


def test_a_hinge_mate_with_limits_stops_at_them() -> None:
    mechanism = Mechanism()
    part = mechanism.add("part", pose(yaw=10.0))
    pairs = [shaft(P0, Z, 0.01), plane(P0, Z), plane(P0, X)]
    sides = [(each, entity) for entity in pairs for each in (mechanism.base, part)]
    limits = {"angle_selection": True, "min_val": 0.1, "max_val": 0.5, "angle": 0.2}
    mate = mechanism.mate(Sw.swMateHINGE, *sides, **limits)
    assert mechanism.turned(part) == pytest.approx(0.2, abs=HELD)
    assert mechanism.drive(mate, 0.9)
    assert mechanism.turned(part) == pytest.approx(0.5, abs=HELD)
    assert mate.values["angle"] == pytest.approx(0.5, abs=HELD)


def test_a_drive_beyond_the_limit_of_another_mate_is_refused() -> None:
    mechanism = Mechanism()
    part = mechanism.add("part", pose(0.02))
    mechanism.slider(mechanism.base, part)
    ends = (mechanism.base, plane(P0, X)), (part, plane(P0, X))
    limits = {"is_advanced_mate": True, "minimum_distance": 0.01, "maximum_distance": 0.04}
    limit = mechanism.mate(Sw.swMateDISTANCE, *ends, distance=0.02, **limits)
    driver = mechanism.mate(Sw.swMateDISTANCE, *ends, distance=0.02)
    assert mechanism.drive(driver, 0.035)
    assert limit.values["distance"] == pytest.approx(0.035, abs=HELD)
    before = part.T_assembly_self.copy()
    assert not mechanism.drive(driver, 0.06)
    assert (part.T_assembly_self == before).all()
    assert mechanism.off() < HELD


def test_a_part_beyond_a_limit_is_brought_back_by_a_rebuild() -> None:
    mechanism = Mechanism()
    part = mechanism.add("part", pose(0.02))
    mechanism.slider(mechanism.base, part)
    limits = {"is_advanced_mate": True, "minimum_distance": 0.01, "maximum_distance": 0.04}
    mechanism.mate(Sw.swMateDISTANCE, (mechanism.base, plane(P0, X)), (part, plane(P0, X)), distance=0.02, **limits)
    part.T_assembly_self = pose(0.1, 0.01)
    assert mechanism.assembly.rebuild()
    assert part.T_assembly_self[:3, 3] == pytest.approx([0.04, 0.0, 0.0], abs=HELD)


def test_a_mate_that_contradicts_another_is_overdefined_and_changes_nothing() -> None:
    mechanism = Mechanism()
    part = mechanism.add("part", FREE)
    mechanism.slider(mechanism.base, part)
    before = part.T_assembly_self.copy()
    status, _ = mechanism.try_mate(
        Sw.swMateDISTANCE, (mechanism.base, plane(P0, Z)), (part, plane(P0, Z)), distance=0.02
    )
    assert status == Status.swAddMateError_OverDefinedAssembly
    assert (part.T_assembly_self == before).all()
    assert len(mechanism.assembly.model_mates) == 2


def test_a_redundant_mate_is_accepted() -> None:
    mechanism = Mechanism()
    part = mechanism.add("part", FREE)
    mechanism.slider(mechanism.base, part)
    mechanism.mate(Sw.swMatePARALLEL, (mechanism.base, plane(P0, Z)), (part, plane(P0, Z)))
    assert mechanism.off() < HELD


@pytest.mark.parametrize("alignment", [0, 1])
def test_a_part_that_faces_the_wrong_way_is_turned_over(alignment: int) -> None:
    mechanism = Mechanism()
    part = mechanism.add("part", pose(0.01, 0.02, 0.03, 10.0, 180.0 * (1 - alignment)))
    mechanism.mate(Sw.swMateCOINCIDENT, (mechanism.base, plane(P0, Z)), (part, plane(P0, Z)), mate_alignment=alignment)
    assert part.T_assembly_self[2, 2] == pytest.approx(1.0 if alignment == 0 else -1.0, abs=HELD)


def test_a_locked_concentric_mate_holds_the_rotation() -> None:
    mechanism = Mechanism()
    part = mechanism.add("part", pose(0.0, 0.0, 0.1, yaw=40.0))
    sides = (mechanism.base, shaft(P0, Z, 0.01)), (part, shaft(P0, Z, 0.01))
    mechanism.mate(Sw.swMateCONCENTRIC, *sides, lock_rotation=True)
    part.T_assembly_self = pose(0.0, 0.0, 0.2, yaw=70.0)
    assert mechanism.assembly.rebuild()
    assert mechanism.turned(part) == pytest.approx(math.radians(40.0), abs=HELD)
    assert part.T_assembly_self[2, 3] == pytest.approx(0.2, abs=HELD)


def test_the_parts_of_a_flexible_sub_assembly_follow_mates_of_both_assemblies() -> None:
    inner = Mechanism()
    lever = inner.add("lever", pose(yaw=20.0))
    inner.hinge(inner.base, lever)
    outer = Mechanism(pose(0.5))
    sub = outer.assembly.sub(inner.assembly, pose(0.1, 0.2, 0.3, 90.0)).fixed().flexible()
    driver = outer.mate(
        Sw.swMateANGLE,
        (sub / "base-1", plane(P0, X)),
        (sub / "lever-1", plane(P0, X)),
        angle=math.radians(20.0),
    )
    before = sub.T_assembly_self.copy()
    assert outer.drive(driver, 1.0)
    assert outer.off() < HELD
    assert (sub.T_assembly_self == before).all()
    inside = sub.poses["lever-1"]
    assert math.atan2(inside[1, 0], inside[0, 0]) == pytest.approx(1.0, abs=HELD)
    assert inner.turned(lever) == pytest.approx(math.radians(20.0), abs=HELD)  # the file has its own pose


def test_the_parts_of_a_rigid_sub_assembly_move_together() -> None:
    inner = Mechanism()
    lever = inner.add("lever", pose(0.05))
    outer = Mechanism()
    sub = outer.assembly.sub(inner.assembly, pose(0.1))
    driver = outer.mate(Sw.swMateDISTANCE, (outer.base, plane(P0, X)), (sub / "lever-1", plane(P0, X)), distance=0.15)
    assert outer.drive(driver, 0.2)
    assert sub.T_assembly_self[0, 3] == pytest.approx(0.15, abs=HELD)
    assert lever.T_assembly_self[0, 3] == 0.05


def test_a_suppressed_mate_and_a_suppressed_part_hold_nothing() -> None:
    mechanism = Mechanism()
    part, other = mechanism.add("part"), mechanism.add("other")
    first = mechanism.mate(Sw.swMateLOCK, (mechanism.base, point(P0)), (part, point(P0)))
    mechanism.mate(Sw.swMateLOCK, (part, point(P0)), (other, point(P0)))
    assembly: AssemblyModel = mechanism.assembly
    assembly.add_configuration("B")
    assembly.suppressed_in["B"].add(first.id)
    other.state(suppression=0)
    part.T_assembly_self = pose(0.1)
    assert assembly.rebuild()
    assert part.T_assembly_self[0, 3] == 0.1
    assembly.configuration = "Default"
    assert assembly.rebuild()
    assert part.T_assembly_self[0, 3] == pytest.approx(0.0, abs=HELD)
