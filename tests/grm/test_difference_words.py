"""Differences in an engineer's words: every difference is named, in degrees, millimetres and kilograms."""

from __future__ import annotations

from hypothesis import given
from msgspec.structs import replace
from tests.robots import robots

from swgrm import Actuator, Coupling, Frame, Inertial, Joint, JointType, Limits, Link, Pose, Robot, Sensor
from swgrm.model.comparison import compare
from swgrm.model.difference_words import lines


def arm(joint: Joint, mass: float = 1.0, position: float = 0.0) -> Robot:
    link = Link(name="lower", inertial=Inertial(mass=mass))
    moved = Frame(id="b", parent="a", joint=joint, links=(link,), transform=Pose((position, 0.0, 0.0)))
    return Robot(name="r", frames=(Frame(id="a"), moved))


def words(old: Robot, new: Robot) -> list[str]:
    return list(lines(compare(old, new)))


TURN = Joint(type=JointType.REVOLUTE, name="turn", limits=Limits(-1.5707963267948966, 1.0))


def test_limits_masses_and_positions_have_units() -> None:
    other = arm(replace(TURN, limits=Limits(-1.3962634015954636, 1.0, effort=5.0)), 2.5, 0.1)
    assert words(arm(TURN), other) == [
        "frame b: position (0, 0, 0) mm → (100, 0, 0) mm",
        "turn: lower limit -90° → -80°",
        "link lower: mass 1 kg → 2.5 kg",
        "turn: effort none → 5 Nm",
    ]


def test_another_type_of_joint_has_its_own_units() -> None:
    slide = replace(TURN, type=JointType.PRISMATIC, limits=Limits(-0.1, 1.0))
    assert words(arm(TURN), arm(slide)) == ["turn: type revolute → prismatic", "turn: lower limit -90° → -100 mm"]


def test_a_turned_frame_and_a_coupling() -> None:
    follows = arm(replace(TURN, coupling=Coupling("x", 2.0)))
    quarter = replace(follows.frames[1], transform=Pose(rot=(0.0, 0.0, 0.7071067811865476, 0.7071067811865476)))
    assert words(arm(TURN), replace(follows, frames=(follows.frames[0], quarter))) == [
        "frame b: turned by 90°",
        "turn: follows none → x",
        "turn: ratio none → 2",
        "turn: offset none → 0°",
    ]


def test_an_object_that_only_one_robot_has_is_one_line() -> None:
    small = Robot(name="r", frames=arm(TURN).frames[:1])
    assert words(arm(TURN), small) == ["frame b: only in the old robot"]
    assert words(small, arm(TURN)) == ["frame b: only in the new robot"]


def test_sensors_actuators_contacts_and_axes_are_named_without_python() -> None:
    old = arm(TURN)
    seen = replace(
        old.frames[1], sensors=(Sensor(name="eye", type="camera"),), joint=replace(TURN, axis=(1.0, 0.0, 0.0))
    )
    actuators, contacts = (Actuator(joint="turn", effort=2.0),), (("lower", "upper"),)
    new = replace(old, frames=(old.frames[0], seen), actuators=actuators, ignored_contacts=contacts)
    assert sorted(words(old, new)) == [
        "actuator turn: only in the new robot",
        "robot: ignored contacts none → (lower, upper)",
        "sensor eye: only in the new robot",
        "turn: axis (0, 0, 1) → (1, 0, 0)",
    ]


@given(robots(), robots())
def test_there_are_words_if_and_only_if_robots_differ(left: Robot, right: Robot) -> None:
    assert words(left, left) == []
    assert bool(words(left, right)) == bool(compare(left, right).differences)
