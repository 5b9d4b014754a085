"""Planning groups and end effectors: what a robot's chains are called, and what the settings say instead."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from itertools import chain
from typing import Any

import pytest
from msgspec.structs import replace
from tests.exporters.moveit.machines import link

from swgrm.errors import SettingsError
from swgrm.model import Coupling, Frame, Joint, JointType, LoopJoint, Robot
from swgrm.settings import converted
from swgrm_exporters.loops import cut
from swgrm_exporters.moveit.chosen_groups import NewNames, with_chosen
from swgrm_exporters.moveit.gripper_states import gripper_states
from swgrm_exporters.moveit.group_names import limb_of, side_of
from swgrm_exporters.moveit.groups import PlanningGroups, inferred_groups
from swgrm_exporters.moveit.options import MoveitOptions
from swgrm_exporters.ros2.chains import driven_chains

SLIDE = JointType.PRISMATIC


def row(names: list[str], parent: str) -> list[Frame]:
    """Links in a row, each on the one before."""
    return [link(name, above, (0, 0, 0.1)) for name, above in zip(names, [parent, *names], strict=False)]


def arm(prefix: str, parent: str, count: int = 6) -> list[Frame]:
    return row([f"{prefix}{number}" for number in range(1, count + 1)], parent)


def jaws(prefix: str, parent: str) -> list[Frame]:
    first = link(f"{prefix}finger_1", parent, (0, 0.05, 0.1), kind=SLIDE, low=0.0, high=0.04, axis=(0, 1, 0))
    follows = Coupling(f"{prefix}finger_1_joint", -1.0)
    second = link(f"{prefix}finger_2", parent, (0, -0.05, 0.1), kind=SLIDE, axis=(0, 1, 0), follows=follows)
    return [first, second]


def tool(name: str, parent: str) -> Frame:
    return link(name, parent, (0, 0, 0.1), kind=None)


def robot(*frames: Frame) -> Robot:
    return Robot(name="robot", frames=(link("base", None), *frames))


def looped(of: Robot, *pins: tuple[str, str]) -> Robot:
    """The robot with pins between frames, as the URDF has them: cut."""
    pin = Joint(type=JointType.REVOLUTE)
    return cut(replace(of, loop_joints=tuple(LoopJoint(parent=a, child=b, joint=pin) for a, b in pins)), str)


def groups(of: Robot, passive: Collection[str] = ()) -> PlanningGroups:
    moving = {name: frame.joint for name, frame in of.joints.items() if not frame.is_rigid and frame.joint}
    driven = [name for name, joint in moving.items() if not joint.coupling and name not in passive]
    return inferred_groups(of, driven_chains(of, driven, "robot"), "base_link")


ARM_WITH_GRIPPER = robot(*arm("a", "base"), tool("tool0", "a6"), *jaws("", "a6"))


def test_an_arm_with_a_gripper() -> None:
    found = groups(ARM_WITH_GRIPPER)
    first, second = found.groups
    assert (first.name, first.base, first.tip) == ("arm", "base_link", "tool0")
    assert first.joints == tuple(f"a{n}_joint" for n in range(1, 7))
    assert (second.name, second.joints, second.followers) == ("gripper", ("finger_1_joint",), ("finger_2_joint",))
    assert not second.is_chain
    (effector,) = found.end_effectors
    assert effector == ("gripper", "gripper", "tool0", "arm")


def test_a_gripper_is_open_where_its_fingers_are_further_apart() -> None:
    states = gripper_states(ARM_WITH_GRIPPER, groups(ARM_WITH_GRIPPER))
    assert states == {
        ("open", "gripper"): {"finger_1_joint": 0.04}, ("closed", "gripper"): {"finger_1_joint": 0.0}
    }  # fmt: skip


def test_a_last_joint_that_moves_a_jaw_is_a_gripper_of_its_own() -> None:
    jaw = link("jaw", "a5", (0, 0, 0.1), low=-0.2, high=1.5, axis=(1, 0, 0))
    found = groups(robot(*arm("a", "base", 5), jaw))
    assert [(each.name, len(each.joints), each.tip) for each in found.groups] == [("arm", 5, "a5"), ("gripper", 1, "")]
    assert found.end_effectors[0].parent_link == "a5"


@pytest.mark.parametrize(
    ("frames", "pin"),
    [
        ([link("crank", "a6"), link("coupler", "crank"), link("rocker", "a6")], ("rocker", "coupler")),
        ([link("crank", "a6"), link("coupler", "crank"), link("rocker", "coupler")], ("a6", "rocker")),
    ],
    ids=["cut in the middle", "cut at the palm"],
)
def test_a_gripper_with_a_loop_leaves_the_arm_an_arm(frames: list[Frame], pin: tuple[str, str]) -> None:
    found = groups(looped(robot(*arm("a", "base"), *frames), pin), ["coupler_joint", "rocker_joint"])
    first, second = found.groups
    assert (first.name, first.base, first.tip) == ("arm", "base_link", "a6")
    assert first.joints == tuple(f"a{n}_joint" for n in range(1, 7))
    assert (second.name, second.joints) == ("gripper", ("crank_joint",))
    assert found.end_effectors == (("gripper", "gripper", "a6", "arm"),)


def test_branches_that_loops_couple_are_one_chain() -> None:
    legs = [row([f"l{n}", f"l{n}_rod"], "base") for n in range(4)]
    wheel = row(["wheel", "tyre"], "base")
    of = looped(robot(*chain.from_iterable(legs), *wheel), ("l0_rod", "l1_rod"), ("l2_rod", "l3_rod"), ("l1", "l2_rod"))
    driven = ["l0_joint", "l1_joint", "l2_joint", "l3_joint", "wheel_joint", "tyre_joint"]
    found = driven_chains(of, driven, "robot")
    assert [each.joints for each in found] == [tuple(driven[:4]), tuple(driven[4:])]
    shared = driven_chains(of, ["l0_joint", "l3_joint", "tyre_joint", "wheel_joint"], "robot")
    assert [each.joints for each in shared] == [("l0_joint", "l3_joint"), ("wheel_joint", "tyre_joint")]


def test_two_arms_on_a_torso_are_named_by_their_sides() -> None:
    sides = [[*arm(f"{side}_arm_", "waist", 7), *jaws(f"{side}_", f"{side}_arm_7")] for side in ("left", "right")]
    found = groups(robot(link("waist", "base"), *sides[0], *sides[1]))
    assert [each.name for each in found.groups] == ["torso", "left_arm", "right_arm", "left_gripper", "right_gripper"]
    assert [(each.name, each.parent_group) for each in found.end_effectors] == [
        ("left_gripper", "left_arm"), ("right_gripper", "right_arm")
    ]  # fmt: skip
    assert found.groups[1].base == "waist", "the chain of an arm begins where it is mounted"


def test_legs_are_named_by_the_words_of_their_joints() -> None:
    legs = [row([f"{leg}_hip", f"{leg}_thigh", f"{leg}_knee"], "base") for leg in ("FL", "FR", "RL", "RR")]
    assert [each.name for each in groups(robot(*chain.from_iterable(legs))).groups] == [
        "fl_leg",
        "fr_leg",
        "rl_leg",
        "rr_leg",
    ]


def test_a_hand_with_fingers_of_several_joints_is_one_group() -> None:
    fingers = [row([f"f{number}_{part}" for part in "abc"], "a6") for number in range(3)]
    found = groups(robot(*arm("a", "base"), *chain.from_iterable(fingers)))
    assert [(each.name, len(each.joints)) for each in found.groups] == [("arm", 6), ("hand", 9)]


@pytest.mark.parametrize(
    ("frames", "name"),
    [
        ([link("x", "base", kind=SLIDE), link("y", "x", kind=SLIDE, axis=(0, 1, 0))], "axes"),
        ([link("x", "base", kind=SLIDE), link("y", "base", kind=SLIDE, axis=(0, 1, 0))], "gripper"),
        ([link("pan", "base"), link("tilt", "pan", axis=(0, 1, 0))], "axes"),
        ([link("left_wheel", "base"), link("right_wheel", "base")], "wheels"),
        ([link("screw", "base"), link("nut", "base", kind=SLIDE, follows=Coupling("screw_joint", 0.01))], "mechanism"),
        (jaws("", "base"), "gripper"),
    ],
)
def test_a_robot_of_one_short_chain_is_named_by_what_it_does(frames: list[Frame], name: str) -> None:
    (found,) = groups(robot(*frames)).groups
    assert found.name == name


def test_names_tell_side_and_limb() -> None:
    assert side_of(["l_shoulder_pan_joint", "l_elbow_joint"]) == "left"
    assert side_of(["RHipYaw", "RKneePitch"]) == "right"
    assert side_of(["left_right_joint"]) == ""
    assert side_of([]) == ""
    assert limb_of(["hip_joint", "knee_joint"]) == "leg"
    assert limb_of(["joint_1"]) == "arm"


# ---- the settings


NEW_NAMES = NewNames({"the tool": "tool0", "first": "a1"}, {"first": "a2_joint"})


def chosen(options: Mapping[str, Any]) -> PlanningGroups:
    given = converted(options, MoveitOptions, "moveit")
    return with_chosen(groups(ARM_WITH_GRIPPER), given, ARM_WITH_GRIPPER, "base_link", NEW_NAMES)


def test_groups_of_the_settings_replace_those_inferred() -> None:
    options = {
        "groups": {"manipulator": {"base": "a1", "tip": "the tool"}, "hand": {"joints": ["finger_1_joint"]},
                   "all": {"groups": ["manipulator", "hand"]}},
        "endEffectors": {"grip": {"group": "hand", "parent": "tool0", "parentGroup": "manipulator"}},
    }  # fmt: skip
    found = chosen(options)
    assert [each.name for each in found.groups] == ["manipulator", "hand", "all"]
    assert (found.groups[0].base, found.groups[0].tip, len(found.groups[0].joints)) == ("a1", "tool0", 5)
    assert found.end_effectors == (("grip", "hand", "tool0", "manipulator"),)
    assert chosen({"groups": {"arm": {"tip": "tool0"}}}).end_effectors == (), "its group is gone"
    assert chosen({}) == groups(ARM_WITH_GRIPPER)


def test_links_and_joints_of_one_name_are_told_apart() -> None:
    found = chosen({"groups": {"chain": {"base": "first", "tip": "a6"}, "one": {"joints": ["first"]}}})
    assert (found.groups[0].base, found.groups[1].joints) == ("a1", ("a2_joint",))


def test_groups_of_groups_have_all_joints_once() -> None:
    arm, hand = {"joints": ["a1_joint", "a2_joint"]}, {"joints": ["a2_joint", "finger_1_joint"]}
    found = chosen({"groups": {"all": {"groups": ["both"]}, "both": {"groups": ["x", "y"]}, "x": arm, "y": hand}})
    assert found.joints_of(found.named("all")) == ("a1_joint", "a2_joint", "finger_1_joint")


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"groups": {"a": {"tip": "tool1"}}}, "moveit, groups, a, tip: there is no link `tool1`."),
        ({"groups": {"a": {}}}, "a group has either a `tip`, or `joints`, or `groups`"),
        ({"groups": {"a": {"tip": "tool0", "joints": ["a1_joint"]}}}, "a group has either"),
        ({"groups": {"a": {"base": "a1", "joints": ["a1_joint"]}}}, "a `base` needs a `tip`"),
        ({"groups": {"a": {"base": "tool0", "tip": "a1"}}}, "the tip `a1` is not beyond the base `tool0`"),
        ({"groups": {"a": {"base": "a6", "tip": "tool0"}}}, "no joint moves between"),
        ({"groups": {"a": {"joints": ["finger_2_joint"]}}}, "there is no joint that moves and follows no other"),
        ({"groups": {"a": {"groups": ["b"]}}}, "there is no group `b`"),
        ({"groups": {"a": {"groups": ["a"]}}}, "moveit, groups, a, groups: the group contains itself (`a` – `a`)."),
        ({"groups": {"a": {"groups": ["b"]}, "b": {"groups": ["a"]}}}, "the group contains itself (`a` – `b` – `a`)"),
        ({"endEffectors": {"e": {"group": "grippr", "parent": "tool0"}}}, "there is no group `grippr`"),
        ({"endEffectors": {"e": {"group": "gripper", "parent": "x"}}}, "endEffectors, e, parent: there is no link `x`"),
        ({"endEffectors": {"e": {"group": "gripper", "parent": "a6", "parentGroup": "x"}}}, "there is no group `x`"),
    ],
)  # fmt: skip
def test_names_that_the_robot_does_not_have_are_answered(options: Mapping[str, Any], sentence: str) -> None:
    with pytest.raises(SettingsError) as error:
        chosen(options)
    assert sentence in str(error.value)
