"""Files written before schema version 2 are read as what they mean today."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from msgspec.structs import replace
from tests.lookups import present
from tests.same_numbers import must_have_same_numbers

import swgrm
from swgrm import Frame, Joint, JointType, Limits, LoopJoint, Pose, Robot
from swgrm.findings import Findings
from swgrm.model import CompositeType
from swgrm.model.composites import expand
from swgrm.model.grmfile import SCHEMA_VERSION
from swgrm.model.version1 import frame_marks, joint_marks, typed
from swgrm_exporters.formats import read
from swgrm_exporters.loops import cut
from swgrm_exporters.lowering import Choices, lower
from swgrm_exporters.urdf.options import UrdfOptions
from swgrm_exporters.urdf.writer import CAPABILITIES, dumps
from swgrm_mocks.example import example_arm

V1 = Path(__file__).parents[1] / "data" / "v1"
MARKS = ("chain.", "loop.", "swgrm.", "urdf.inline")


def marks(robot: Robot) -> set[str]:
    """The keys of props that have typed fields today."""
    holders = list(robot.frames) + [f.joint for f in robot.frames if f.joint] + [li for _, li in robot.links()]
    return {key for holder in holders for key in holder.props if key.startswith(MARKS)}


def must_be_same(old: Robot, new: Robot) -> None:
    assert marks(old) == set()
    assert (same := old.is_same_as(new)).is_same, str(same)


def test_the_example() -> None:
    must_be_same(swgrm.load(V1 / "example.grm.json"), example_arm())


def test_a_re_rooted_robot_has_virtual_frames_and_can_be_re_rooted_back() -> None:
    old = swgrm.load(V1 / "rerooted.grm.json")
    must_be_same(old, swgrm.reroot(example_arm(), "tool0"))
    assert [f.id for f in old.frames if f.virtual] == [
        f"{name}_joint~" for name in ("spindle", "wrist", "forearm", "column")
    ]
    back = swgrm.reroot(old, "base")
    assert not any(frame.virtual for frame in back.frames)
    assert set(back.by_id) == set(example_arm().by_id)


def test_planar_and_floating_joints_and_a_sensor_with_its_own_pose() -> None:
    old = swgrm.load(V1 / "planar_floating.grm.json")
    urdf = read(V1 / "planar_floating.urdf")
    must_be_same(old, urdf)
    assert {each.name: each.type for each in old.composite_joints} == {"table": "planar", "flight": "floating"}
    assert {f.id for f in old.frames if f.virtual} == {
        *("platform_u", "platform_v", "drone_x", "drone_y", "drone_z", "eye")
    }
    assert dumps(old) == dumps(urdf)
    assert b'<sensor name="eye" type="camera" update_rate="30">\n    <parent link="drone"/>\n    <origin' in dumps(old)


def test_a_robot_that_was_lowered() -> None:
    old = swgrm.load(V1 / "lowered.grm.json")
    lowered = lower(example_arm(), CAPABILITIES, Choices(), Findings()).robot
    must_be_same(old, lowered)
    assert {each.name: each.type for each in old.composite_joints} == {"wrist_joint": "ball", "spindle_joint": "screw"}
    assert [each.loop.joint.name for each in old.cut_loops] == ["guide_loop"]


@pytest.mark.parametrize("name", ["example", "rerooted"])
def test_urdf_is_the_same_bytes_and_is_read_as_the_same(name: str) -> None:
    robot = example_arm() if name == "example" else swgrm.reroot(example_arm(), "tool0")
    before, _, _ = (V1 / f"{name}.urdf").read_text("utf-8").partition("<swgrm>")
    whole = UrdfOptions(reference_geometry=True)
    again = read(V1 / f"{name}.urdf")
    for written in (dumps(robot, whole), dumps(again, whole)):
        elements, _, _ = written.decode().partition("<swgrm>")
        must_have_same_numbers(elements, before)
    assert marks(again) == set()
    assert [f.id for f in again.frames if f.virtual] == [f.id for f in robot.frames if f.virtual]


@pytest.mark.parametrize("name", ["four_bar", "lead_screw", "mobile_base", "stewart"])
def test_inferred_robots_are_saved_as_version_2_and_nothing_else_changes(name: str) -> None:
    text = (V1 / f"{name}.grm.json").read_text("utf-8")
    saved = swgrm.dumps(swgrm.load(V1 / f"{name}.grm.json")).decode()
    assert saved == text.replace('"schemaVersion": 1', f'"schemaVersion": {SCHEMA_VERSION}')
    assert json.loads(saved)["schemaVersion"] == 2


# ---- the marks themselves


def marked(robot: Robot) -> Robot:
    """The robot with properties in the place of typed fields, as version 1 had it."""
    joints, frames = joint_marks(robot, {}), frame_marks(robot, {})

    def changed(frame: Frame) -> Frame:
        joint = frame.joint and replace(frame.joint, props={**frame.joint.props, **joints.get(frame.joint_name, {})})
        return replace(frame, joint=joint, props={**frame.props, **frames.get(frame.id, {})}, virtual=False)

    return replace(robot, frames=tuple(map(changed, robot.frames)), composite_joints=(), cut_loops=())


def composite(kind: CompositeType) -> Robot:
    joint = Joint(type=JointType.SCREW, name="j", axis=(0.0, 0.6, 0.8), pitch=0.01)
    frame = Frame(id="b", parent="a", transform=Pose((1.0, 0.0, 0.0)), joint=joint)
    frames, whole = expand(frame, kind, str, joint.axis)
    return Robot(name="r", frames=(Frame(id="a"), *frames), composite_joints=(whole,))


@pytest.mark.parametrize("kind", CompositeType)
def test_composite_joints_survive_as_marks(kind: CompositeType) -> None:
    assert typed(marked(composite(kind))) == composite(kind)


@pytest.mark.parametrize("kind", [CompositeType.PLANAR, CompositeType.FLOATING])
def test_a_composite_joint_that_was_re_rooted_is_one_again_when_it_is_re_rooted_back(kind: CompositeType) -> None:
    turned = typed(marked(swgrm.reroot(composite(kind), "b")))
    assert turned == swgrm.reroot(composite(kind), "b")
    assert swgrm.check(turned)[0].code == "composite-broken"
    assert swgrm.reroot(turned, "a").is_same_as(composite(kind)).is_same


@pytest.mark.parametrize(
    ("key", "text"), [("chain.type", "knee"), ("chain.name", "other"), ("chain.pitch", "nan"), ("chain.pitch", "wide")]
)
def test_marks_that_do_not_describe_a_joint_stay_props(key: str, text: str) -> None:
    robot = marked(composite(CompositeType.SCREW))
    last = robot.frames[-1]
    joint = present(last.joint)
    damaged = replace(last, joint=replace(joint, props={**joint.props, key: text}))
    robot = replace(robot, frames=(*robot.frames[:-1], damaged))
    assert typed(robot) == robot


@pytest.mark.parametrize(("key", "text"), [("loop.axis", "0 1"), ("loop.limits.lower", "nan"), ("loop.type", "x")])
def test_marks_that_do_not_describe_a_loop_stay_props(key: str, text: str) -> None:
    joint = Joint(type=JointType.REVOLUTE, name="tip", limits=Limits(lower=0.0, upper=1.0))
    loop = LoopJoint(parent="a", child="a", joint=joint)
    robot = cut(Robot(name="r", frames=(Frame(id="a"),), loop_joints=(loop,)), str)
    assert typed(marked(robot)) == robot
    frames = (replace(f, props={**f.props, key: text}) if "loop.axis" in f.props else f for f in marked(robot).frames)
    damaged = replace(marked(robot), frames=tuple(frames))
    assert typed(damaged) == damaged
