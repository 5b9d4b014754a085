"""The laws of URDF: what is written and read again is the same robot, where URDF can hold it and where it cannot."""

from __future__ import annotations

import math
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree
from msgspec.structs import replace
from tests.exporters.urdf.print_digests import ROBOTS
from tests.lookups import element_at, joint_of
from tests.robots import COMPOSITES, MARKED, robots

from swgrm import (
    Coupling,
    Frame,
    Inertial,
    Joint,
    JointType,
    Kinematics,
    Limits,
    Link,
    Mesh,
    Robot,
    check,
    subtree_inertial,
)
from swgrm.errors import SettingsError
from swgrm.findings import Findings
from swgrm.settings import converted
from swgrm.transforms import quaternion_matrix
from swgrm_exporters.numbers import Numbers
from swgrm_exporters.urdf.options import MeshPaths, UrdfOptions
from swgrm_exporters.urdf.reader import loads
from swgrm_exporters.urdf.rotation import quaternion_rpy, rpy_quaternion
from swgrm_exporters.urdf.writer import dumps

KEEP = UrdfOptions(virtual_inertia=False)
ANGLES = st.floats(-7, 7) | st.sampled_from([0.0, math.pi / 2, -math.pi / 2, math.pi, 1.5707963, math.pi / 2 - 1e-9])


@given(robots(plain=True, composites=MARKED))
def test_a_robot_that_is_written_and_read_is_the_same(robot: Robot) -> None:
    same = loads(dumps(robot)).is_same_as(robot)
    assert same.is_same, str(same)


@given(robots(plain=True, strange=True, composites=MARKED))
def test_names_that_urdf_cannot_have_come_back(robot: Robot) -> None:
    same = loads(dumps(robot)).is_same_as(robot)
    assert same.is_same, str(same)


@given(robots(relations=True, composites=COMPOSITES))
def test_what_was_fitted_once_stays_as_it_is(robot: Robot) -> None:
    once = loads(dumps(robot))
    same = loads(dumps(once)).is_same_as(once)
    assert same.is_same, str(same)


@given(robots(loops=False), st.booleans())
def test_without_remarks_it_is_still_the_same_mechanism(robot: Robot, annotate: bool) -> None:
    back = loads(dumps(robot, UrdfOptions(virtual_inertia=False, annotate=annotate)))
    before, after = subtree_inertial(robot), subtree_inertial(back)
    assert after.mass == pytest.approx(before.mass, rel=1e-9)
    np.testing.assert_allclose(after.origin, before.origin, atol=1e-9)
    assert len(Kinematics(back).independent) == len(Kinematics(robot).independent)


@given(robots())
def test_reading_what_we_write_gives_no_findings(robot: Robot) -> None:
    findings = Findings()
    loads(dumps(robot), findings)
    assert list(findings) == []


def digests(ahead: float, **environment: str) -> list[str]:
    """The hashes of some robots as URDF, written in a process of its own whose clock is `ahead` [s]."""
    command = [sys.executable, "-m", "tests.exporters.urdf.print_digests", str(ahead)]
    root = Path(__file__).parents[3]
    done = subprocess.run(
        command, cwd=root, env=os.environ | environment, capture_output=True, text=True, timeout=120, check=True
    )
    return done.stdout.split()


def test_the_bytes_depend_on_neither_hash_seed_nor_clock_nor_locale_nor_time_zone() -> None:
    one = digests(0.0, PYTHONHASHSEED="1", TZ="Asia/Tokyo", LC_ALL="C")
    other = digests(4e7, PYTHONHASHSEED="2", TZ="America/Los_Angeles", LC_ALL="C.UTF-8", PYTHONUTF8="0")
    assert len(set(one)) == ROBOTS, "the robots differ"
    assert one == other


@given(ANGLES, ANGLES, ANGLES)
def test_roll_pitch_yaw_is_the_same_rotation_at_gimbal_lock_too(roll: float, pitch: float, yaw: float) -> None:
    q = rpy_quaternion((roll, pitch, yaw))
    again = rpy_quaternion(quaternion_rpy(q))
    np.testing.assert_allclose(quaternion_matrix(again), quaternion_matrix(q), atol=2e-12)


@given(ANGLES, ANGLES, ANGLES)
def test_roll_pitch_yaw_agrees_with_its_definition(roll: float, pitch: float, yaw: float) -> None:
    def turn(axis: int, angle: float) -> np.ndarray:
        c, s = math.cos(angle), math.sin(angle)
        R = np.eye(3)
        i, j = [(1, 2), (2, 0), (0, 1)][axis]
        R[i, i], R[i, j], R[j, i], R[j, j] = c, -s, s, c
        return R

    expected = turn(2, yaw) @ turn(1, pitch) @ turn(0, roll)
    np.testing.assert_allclose(quaternion_matrix(rpy_quaternion((roll, pitch, yaw))), expected, atol=1e-12)


@pytest.mark.parametrize("pitch", [math.pi / 2, -math.pi / 2])
def test_at_the_lock_yaw_is_zero(pitch: float) -> None:
    roll, back, yaw = quaternion_rpy(rpy_quaternion((0.3, pitch, 0.2)))
    assert back == pytest.approx(pitch)
    assert yaw == 0.0
    assert roll == pytest.approx(0.3 - math.copysign(0.2, pitch), abs=1e-9)


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_numbers_keep_their_digits(value: float) -> None:
    assert float(Numbers(17).text(value)) == value
    assert float(Numbers().text(value)) == pytest.approx(value, rel=1e-14)
    assert Numbers().text(-0.0) == "0"


@pytest.mark.parametrize(
    ("value", "text"), [(1.0, "1"), (0.1 + 0.2, "0.3"), (1e-9, "1e-09"), (-2.5, "-2.5"), (1e22, "1e+22")]
)
def test_numbers_are_short(value: float, text: str) -> None:
    assert Numbers().text(value) == text


# ---- options


def arm() -> Robot:
    turn = Joint(type=JointType.REVOLUTE, name="turn")
    slide = Joint(type=JointType.PRISMATIC, name="slide")
    frames = (
        Frame(id="base", links=(Link(name="base", inertial=Inertial(1.0)),)),
        Frame(id="a", parent="base", joint=turn),
        Frame(id="b", parent="a", joint=slide),
    )
    return Robot(name="arm", frames=frames)


def xml(robot: Robot, options: UrdfOptions | None = None) -> etree._Element:
    return etree.fromstring(dumps(robot, options))


def attributes(element: etree._Element) -> dict[str, str]:
    return {str(key): str(value) for key, value in element.attrib.items()}


def test_a_revolute_joint_without_limits_is_continuous_and_still_has_effort_and_velocity() -> None:
    joint = element_at(xml(arm()), "joint[@name='turn']")
    assert joint.get("type") == "continuous"
    assert attributes(element_at(joint, "limit")) == {"effort": "100", "velocity": "10"}


def test_defaults_are_written_where_urdf_needs_a_number_with_one_note() -> None:
    findings = Findings()
    text = dumps(arm(), UrdfOptions(effort=7, velocity=8, acceleration=9, unlimited=5), findings)
    limit = element_at(etree.fromstring(text), "joint[@name='slide']/limit")
    expected = {"lower": "-5", "upper": "5", "effort": "7", "velocity": "8", "acceleration": "9"}
    assert attributes(limit) == expected
    (note,) = (f for f in findings if f.code == "limits-assumed")
    assert "effort 7 (2 joints), velocity 8 (2 joints), acceleration 9 (2 joints), lower -5 (1 joint)" in note.message
    assert loads(text) == arm()


def test_a_slide_that_follows_a_limited_joint_has_the_limits_that_this_one_implies() -> None:
    def coupled(frame: Frame) -> Frame:
        if frame.joint is not None and frame.joint_name == "turn":
            return replace(frame, joint=replace(frame.joint, limits=Limits(lower=-1.0, upper=2.0)))
        if frame.joint is not None and frame.joint_name == "slide":
            return replace(frame, joint=replace(frame.joint, coupling=Coupling("turn", -0.5, 0.25)))
        return frame

    robot, findings = replace(arm(), frames=tuple(map(coupled, arm().frames))), Findings()
    text = dumps(robot, findings=findings)
    limit = element_at(etree.fromstring(text), "joint[@name='slide']/limit")
    assert (limit.get("lower"), limit.get("upper")) == ("-0.75", "0.75")
    (note,) = (f for f in findings if f.code == "limits-assumed")
    assert "lower" not in note.message
    assert loads(text) == robot


def test_an_assumed_number_that_was_edited_stays() -> None:
    edited = dumps(arm()).replace(b'effort="100" velocity="10"', b'effort="55" velocity="10"', 1)
    limits = joint_of(loads(edited), "turn").limits
    assert (limits.effort, limits.velocity) == (55.0, None)


@pytest.mark.parametrize("renamed", ['"turn": ""', '"turn": "slide"', '"gone": "x"', '"turn": {}'])
def test_names_in_a_note_that_do_not_fit_are_not_followed(renamed: str) -> None:
    joints = f',"renamed":{{"joint":{{{renamed}}}}}}}</swgrm>'
    edited = dumps(arm()).replace(b"}</swgrm>", joints.encode())
    assert joints.encode() in edited
    assert set(loads(edited).joints) == {"turn", "slide"}


@pytest.mark.parametrize(
    "note", ["[]", "7", "{", '{"frames": [], "robot": 1}', '{"frames": {"a": {"name": 1, "x": 2}}}']
)
def test_a_note_that_cannot_be_read_changes_nothing(note: str) -> None:
    text = dumps(arm(), UrdfOptions(annotate=False))
    edited = text.replace(b"</robot>", f"<swgrm>{note}</swgrm></robot>".encode())
    assert loads(edited) == loads(text)


def test_a_note_on_a_frame_that_is_gone_is_reported() -> None:
    text = dumps(arm()).replace(b'"frames":{', b'"frames":{"gone":{"name":"Gone"},')
    findings = Findings()
    assert loads(text, findings) == arm()
    assert [(each.code, each.where) for each in findings] == [("note-stale", "frame gone")]


def test_a_dummy_root_is_put_above() -> None:
    root = xml(arm(), UrdfOptions(dummy_root="world"))
    assert element_at(root, "link").get("name") == "world"
    back = loads(etree.tostring(root))
    assert back.root.id == "world"
    assert back.frame("base").is_rigid


def test_moving_links_without_mass_get_a_tiny_one_unless_unwanted() -> None:
    assert element_at(xml(arm()), "link[@name='a']/inertial/mass").get("value") == "1e-06"
    assert xml(arm(), KEEP).find("link[@name='a']/inertial") is None


def test_precision_is_the_number_of_digits() -> None:
    frame = Frame(id="x", parent="base", joint=Joint(type=JointType.PRISMATIC, axis=(1 / 3, 2 / 3, 2 / 3)))
    robot = Robot(name="r", frames=(Frame(id="base"), frame))
    assert element_at(xml(robot, UrdfOptions(precision=6)), "joint/axis").get("xyz") == "0.333333 0.666667 0.666667"


def test_what_a_judge_would_refuse_is_reported_by_our_own_check() -> None:
    codes = {finding.code for finding in check(arm())}
    assert "mass-missing" in codes


def meshed(uri: str) -> Robot:
    return Robot(name="arm", frames=(Frame(id="a", links=(Link(name="a", visuals=(Mesh(uri=uri),)),)),))


@pytest.mark.parametrize(
    ("how", "uri", "written"),
    [
        ("keep", "meshes/a.stl", "meshes/a.stl"),
        ("package", "meshes/a.stl", "package://arm/meshes/a.stl"),
        ("package", "package://other/a.stl", "package://other/a.stl"),
        ("relative", "../meshes/./a.stl", "../meshes/a.stl"),
        ("absolute", "../meshes/a b.stl", "file:///robots/arm/meshes/a%20b.stl"),
    ],
)
def test_mesh_files_are_named_as_in_the_options(how: str, uri: str, written: str) -> None:
    text = dumps(meshed(uri), UrdfOptions(mesh_paths=MeshPaths(how)), folder=Path("/robots/arm/urdf"))
    assert element_at(etree.fromstring(text), ".//mesh").get("filename") == written


def test_options_come_from_settings_by_their_names_there() -> None:
    given = {"meshPaths": "package", "package": "p", "merge": "none", "dropUnusedFrames": True}
    options = converted(given, UrdfOptions, "urdf")
    assert (options.mesh_paths, options.choices.merge, options.drop_unused_frames) == ("package", "none", True)
    with pytest.raises(SettingsError, match=r"urdf: there is no setting `mesh_paths`. Did you mean `meshPaths`"):
        converted({"mesh_paths": "package"}, UrdfOptions, "urdf")
    with pytest.raises(SettingsError, match="urdf, precision: `18` must be at most 17"):
        converted({"precision": 18}, UrdfOptions, "urdf")
