"""Slot, cam follower and path mates, and entities that SolidWorks describes only by what they refer to."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation
from tests.grm.inference.looking import O, X, Y, Z, at, bearing, codes, joints, names, understood
from tests.grm.inference.test_noise import check
from tests.live import as_capture, recording
from tests.lookups import present

from swgrm.inference import Inference, infer
from swgrm.inference.geometry.twists import Array
from swgrm.model import JointType
from swgrm.solidworks.swconst import swCurveTypes_e, swSlotMateConstraintOptions_e
from swgrm_mocks.builder import Assembly, AssemblyComponent
from swgrm_mocks.mates import (
    LocalEntity,
    by_reference,
    circle,
    cone,
    general_curve,
    line,
    plane,
    point,
    shaft,
    sphere,
)

Option = swSlotMateConstraintOptions_e
HELD = [
    Option.swSlotMateConstraintOption_Centered,
    Option.swSlotMateConstraintOption_Distance,
    Option.swSlotMateConstraintOption_Percent,
]
FREE = Option.swSlotMateConstraintOption_Free
# A slot along x from -40 to 40 mm, 20 mm wide, its bottom at z = -10 mm.
SLOT_FACES = {
    "one side": plane((0.01, 0.01, 0), (0, -1, 0)),
    "the other side": plane((-0.02, -0.01, 0), Y),
    "a drafted side": plane((0.01, 0.01, 0), (0, -np.cos(0.05), np.sin(0.05))),
    "one end": shaft((0.04, 0, 0), Z, 0.01),
    "the other end": shaft((-0.04, 0, 0.003), (0, 0, -1), 0.01),
    "the edge of an end": circle((0.04, 0, 0), Z, 0.01),
    "the bottom": plane((0.02, 0.005, -0.01), Z),
}
TURNED = np.eye(4)
TURNED[:3, :3] = Rotation.from_rotvec([0.3, -0.5, 0.8]).as_matrix()
TURNED[:3, 3] = (0.1, 0.2, 0.3)


def slotted(face: LocalEntity, constraint: int, *, pin_first: bool = False) -> Assembly:
    """A plate with a slot, at some pose, and a pin of 8 mm in it, 7 mm from its middle."""
    assembly = Assembly("slotted")
    plate = assembly.part("plate", TURNED).fixed()
    pin = assembly.part("pin", TURNED @ at(0.007))
    ends = [plate.at(face), pin.at(shaft(O, Z, 0.008))]
    assembly.slot(*(ends[::-1] if pin_first else ends), constraint=constraint, distance=0.007, percent=60)
    return assembly


@pytest.mark.parametrize("pin_first", [False, True])
@pytest.mark.parametrize("constraint", HELD)
@pytest.mark.parametrize("face", sorted(SLOT_FACES))
def test_a_pin_that_is_held_in_a_slot_keeps_its_position_whichever_face_is_given(
    face: str, constraint: int, pin_first: bool
) -> None:
    """It rotates about its own axis and moves along it; it does not move along the slot."""
    seen = check(slotted(SLOT_FACES[face], constraint, pin_first=pin_first).capture(), 3)
    assert seen.mobility == 2
    (joint,) = seen.tree.joints
    assert names(seen) == {"pin-1": "cylindrical"}
    for simple in joint.chain:
        assert np.allclose(np.abs(simple.axis @ TURNED[:3, 2]), 1)
    turning = next(simple for simple in joint.chain if simple.type is JointType.REVOLUTE)
    off = turning.point - (TURNED @ at(0.007))[:3, 3]
    assert np.linalg.norm(np.cross(off, turning.axis)) < 1e-9
    assert not {"mate-unsatisfied", "slot-direction", "slot-assumed"} & codes(seen).keys()


@pytest.mark.parametrize("face", sorted(SLOT_FACES))
def test_a_free_pin_slides_along_its_slot_if_a_side_face_is_given(face: str) -> None:
    seen = check(slotted(SLOT_FACES[face], FREE).capture(), 3)
    has_side = "side" in face
    assert seen.mobility == (3 if has_side else 4)
    assert ("slot-direction" in codes(seen)) is not has_side
    slides = [s.axis for s in seen.tree.joints[0].chain if s.type is JointType.PRISMATIC]
    across = TURNED[:3, 1]
    assert all(np.abs(axis @ across) < 1e-9 for axis in slides) is has_side


def test_which_of_two_equal_axes_is_the_slot_is_assumed_by_their_order() -> None:
    assembly = Assembly("slotted")
    plate, pin = assembly.part("plate").fixed(), assembly.part("pin", at(0.007))
    assembly.slot(plate.at(shaft((0.04, 0, 0), Z, 0.01)), pin.at(shaft(O, Z, 0.01)), constraint=HELD[0], name="Slot1")
    seen = understood(assembly)
    assert codes(seen)["slot-assumed"] == ["Slot1"]
    turning = next(simple for simple in seen.tree.joints[0].chain if simple.type is JointType.REVOLUTE)
    assert np.allclose(turning.point[:2], (0.007, 0))


def test_a_slot_in_a_slot_is_not_understood() -> None:
    assembly = Assembly("slotted")
    plate, other = assembly.part("plate").fixed(), assembly.part("other")
    assembly.slot(plate.at(plane(O, Y)), other.at(plane(O, Y)), name="Slot1")
    assert codes(understood(assembly))["mate-not-understood"] == ["Slot1"]


def cam_drive(cam_face: LocalEntity, follower_face: LocalEntity, height: float) -> Assembly:
    """A cam that turns about z in the origin, and a follower that slides along y, `height` above it."""
    assembly = Assembly("cam")
    base, cam, follower = assembly.part("base").fixed(), assembly.part("cam"), assembly.part("follower", at(0, height))
    bearing(assembly, base, cam, np.zeros(3))
    for normal in (X, Z):
        assembly.coincident(base.at(plane(O, normal)), follower.at(plane(O, normal)))
    assembly.cam(cam.at(cam_face), follower.at(follower_face), name="Cam1")
    return assembly


ECCENTRIC = shaft((0.01, 0.02, 0), Z, 0.05)  # its axis is 22 mm from that of the cam
ABOVE = 0.02 + np.sqrt(0.05**2 - 0.01**2)  # where the y axis leaves it
FOLLOWERS = {
    "point": (point(O), ABOVE),
    "roller": (shaft(O, Z, 0.03), 0.02 + np.sqrt(0.08**2 - 0.01**2)),
    "ball": (sphere(O, 0.03), 0.02 + np.sqrt(0.08**2 - 0.01**2)),
    "flat": (plane(O, Y), 0.07),
    "edge": (line(O, Z), ABOVE),
}


def gap_of(seen: Inference, kind: str, D: dict[int, Array]) -> float:
    """How far the follower is from the axis of the eccentric after a motion of the bodies."""
    cam, follower = D[seen.body_of("cam-1")], D[seen.body_of("follower-1")]
    axis = cam @ [0.01, 0.02, 0, 1]
    end = follower @ [0, FOLLOWERS[kind][1], 0, 1]
    return float(abs(end[1] - axis[1]) if kind == "flat" else np.linalg.norm((end - axis)[:2]))


@pytest.mark.parametrize("kind", sorted(FOLLOWERS))
def test_a_follower_on_an_eccentric_moves_with_it(kind: str) -> None:
    face, height = FOLLOWERS[kind]
    seen = check(cam_drive(ECCENTRIC, face, height).capture(), 5)
    assert seen.mobility == 1
    assert names(seen) == {"cam-1": "revolute", "follower-1": "prismatic"}
    assert codes(seen)["cam-assumed"] == ["Cam1"]
    assert len(seen.robot.loop_joints) == 1
    moved = seen.mechanism.loops[0].displaced
    assert moved
    expected = gap_of(seen, kind, dict.fromkeys(moved[0], np.eye(4)))
    assert all(gap_of(seen, kind, D) == pytest.approx(expected, abs=1e-8) for D in moved)
    rise = [D[seen.body_of("follower-1")][1, 3] for D in moved]
    assert max(map(abs, rise)) > 1e-3


def test_a_contact_that_closes_a_loop_needs_no_more_mates() -> None:
    """The joints between cam and follower are moved by the others, so nobody is asked to add mates or to fix them."""
    seen = understood(cam_drive(ECCENTRIC, *FOLLOWERS["flat"]))
    virtual = [present(frame.joint).why for frame in seen.robot.frames if frame.joint and "_to_" in frame.id]
    reasons = [*virtual, seen.robot.loop_joints[0].joint.why]
    assert len(reasons) > 1
    assert all("closes a loop" in present(each).reason and not present(each).needs_check for each in reasons)


def test_a_follower_on_a_wedge_moves_with_it() -> None:
    assembly = Assembly("wedge")
    base, cam, follower = assembly.part("base").fixed(), assembly.part("cam"), assembly.part("follower", at(0, 0.05))
    for part, normals in ((cam, (Y, Z)), (follower, (X, Z))):
        for normal in normals:
            assembly.coincident(base.at(plane(O, normal)), part.at(plane(O, normal)))
    slope = (-0.6, 0.8, 0)
    assembly.cam(cam.at(plane((0, 0.05 - 0.02 / 0.8, 0), slope)), follower.at(shaft(O, Z, 0.02)))
    seen = check(assembly.capture(), 5)
    assert seen.mobility == 1
    assert names(seen) == {"cam-1": "prismatic", "follower-1": "prismatic"}


def test_a_cam_that_turns_about_its_first_face_has_others_that_are_not_known() -> None:
    seen = understood(cam_drive(shaft(O, Z, 0.05), point(O), 0.05))
    assert codes(seen)["mate-not-understood"] == ["Cam1"]
    assert names(seen) == {"cam-1": "revolute", "follower-1": "prismatic"}
    assert seen.mobility == 2
    (finding,) = [finding for finding in seen.findings if finding.code == "mate-not-understood"]
    assert "cylinder of 50 mm radius about the axis of the cam" in finding.message


def test_the_live_cam_stands_on_such_a_face() -> None:
    seen = infer(as_capture(recording("cam_follower")))
    assert codes(seen)["mate-not-understood"] == ["CamMateCoincident1", "CamMateTangent2"]


def test_a_follower_on_another_face_than_the_first_is_reported_with_what_was_seen() -> None:
    seen = understood(cam_drive(ECCENTRIC, point(O), ABOVE + 0.001))
    (finding,) = [finding for finding in seen.findings if finding.code == "mate-not-understood"]
    assert "a point, is 0.98" in finding.message
    assert "the first face of its cam, a cylinder" in finding.message
    seen = understood(cam_drive(cone(O, Z, 0.3), point(O), 0.05))
    (finding,) = [finding for finding in seen.findings if finding.code == "mate-not-understood"]
    assert "the first face of its cam is a cone, and its follower a point" in finding.message


def carriage_on(path: LocalEntity) -> tuple[Assembly, AssemblyComponent, AssemblyComponent]:
    """A part whose point is on a path of another one, both at some pose."""
    assembly = Assembly("path")
    track, carriage = assembly.part("track", TURNED).fixed(), assembly.part("carriage", TURNED @ at(0.1, 0.05, 0.02))
    assembly.along_path(carriage.at(point(O)), track.at(path), name="Path1")
    return assembly, track, carriage


PATHS = {
    "line": (line((0, 0.05, 0.02), X), "prismatic"),
    "circle": (circle((0.1, 0, 0.02), Z, 0.05), "revolute"),
}


@pytest.mark.parametrize("is_reference", [False, True])
@pytest.mark.parametrize("name", sorted(PATHS))
def test_a_point_moves_along_a_straight_or_circular_path(name: str, is_reference: bool) -> None:
    path, kind = PATHS[name]
    path = by_reference(path) if is_reference else path
    assembly, track, carriage = carriage_on(path)
    seen = check(assembly.capture(), 2)
    assert seen.mobility == 4
    assert codes(seen)["path-assumed"] == ["Path1"]
    assert seen.tree.joints[0].chain[0].type == kind
    if name == "line":
        assembly.parallel(track.at(plane(O, X)), carriage.at(plane(O, X)))
        assembly.parallel(track.at(plane(O, Y)), carriage.at(plane(O, Y)))
    else:
        assembly.parallel(track.at(line(O, Z)), carriage.at(line(O, Z)))
    seen = check(assembly.capture(), 2)
    assert seen.mobility == (1 if name == "line" else 2)


def test_another_path_is_reported_with_what_was_seen() -> None:
    assembly, *_ = carriage_on(general_curve(swCurveTypes_e.BCURVE_TYPE))
    (finding,) = [finding for finding in understood(assembly).findings if finding.code == "mate-not-understood"]
    assert "path mates between a point and a spline are not supported" in finding.message
    assembly, track, carriage = carriage_on(line(O, X))
    assembly.along_path(carriage.at(point(O)), track.at(line(O, X)), track.at(line(O, Y)), name="Path2")
    assert "Path2" in codes(assembly)["mate-not-understood"]


REFERENCES = {
    "line": (line((0.02, 0, 0), X), "cylindrical"),
    "circle": (circle((0.02, 0, 0), X, 0.01), "revolute"),
    "plane": (plane((0.02, 0.03, 0), X), "planar"),
    "cylinder": (shaft((0.02, 0, 0), X, 0.01), "cylindrical"),
    "cone": (cone((0.02, 0, 0), X, 0.3), "revolute"),
    "sphere": (sphere((0.02, 0, 0), 0.01), "ball"),
}


@pytest.mark.parametrize("name", sorted(REFERENCES))
def test_an_entity_without_parameters_is_what_it_refers_to(name: str) -> None:
    """A segment of a 3D sketch arrives as type 13 with zeros; its curve is in the coordinates of its part."""
    entity, expected = REFERENCES[name]
    seen = []
    for first in (entity, by_reference(entity)):
        assembly = Assembly("sketch")
        one, other = assembly.part("one", TURNED).fixed(), assembly.part("other", TURNED @ at(0.02))
        assembly.coincident(one.at(first), other.at(entity._replace(point=O)))
        seen.append(check(assembly.capture(), 1))
    assert names(seen[0]) == names(seen[1]) == {"other-1": expected}
    for plain, referred in zip(*(inference.tree.joints[0].chain for inference in seen), strict=True):
        assert np.allclose(plain.twists, referred.twists)


def test_references_inside_a_flexible_sub_assembly_are_where_its_instance_is() -> None:
    sub = Assembly("sub")
    one, other = sub.part("one", TURNED).fixed(), sub.part("other", TURNED)
    sub.coincident(one.at(by_reference(line(O, X))), other.at(by_reference(line(O, X))))
    assembly = Assembly("whole")
    turned = at(0.2) @ TURNED  # where the instance has the part, unlike the file
    holder = assembly.sub(sub, at(1, 2, 3) @ TURNED).flexible(one_1=turned, other_1=turned @ at(0.03))
    assembly.lock(assembly.part("base").fixed().at(point(O)), (holder / "one-1").at(point(O)))
    (joint,) = understood(assembly).tree.joints
    axis = (at(1, 2, 3) @ TURNED @ turned)[:3, 0]
    assert joints(assembly)[0].name == "cylindrical"
    assert np.allclose(np.abs(joint.chain[0].axis @ axis), 1)
