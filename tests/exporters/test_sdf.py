"""SDF written and read again: what it can hold comes back, and what it cannot is reported."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from tests.holding import given_back
from tests.robots import any_robots, robots

from swgrm.findings import Findings
from swgrm.kinematics.forward import Kinematics
from swgrm.model import (
    Box,
    Coupling,
    Frame,
    Inertial,
    Joint,
    JointType,
    Limits,
    Link,
    LoopJoint,
    Material,
    Mesh,
    Params,
    Pose,
    Robot,
    Sensor,
    Sphere,
    Tensor,
)
from swgrm.transforms import inverse
from swgrm_exporters import formats
from swgrm_exporters.format import Target
from swgrm_exporters.formats import named
from swgrm_exporters.sdf.options import Dialect, SdfLoops, SdfMeshPaths, SdfOptions, SdfVersion
from swgrm_exporters.sdf.reader import loads
from swgrm_exporters.sdf.writer import dumps, fitted
from swgrm_exporters.xmltext import XmlProblem

FORMS = st.sampled_from([*SdfLoops])


def closed(robot: Robot) -> Robot:
    """The robot with its loops closed where every joint is at zero."""
    poses: dict[str, np.ndarray] = {}
    for frame in robot.walk():
        above = poses[frame.parent] if frame.parent is not None else np.eye(4)
        poses[frame.id] = above @ frame.transform.matrix
    loops = (
        replace(loop, transform=Pose.from_matrix(inverse(poses[loop.parent]) @ poses[loop.child]))
        for loop in robot.loop_joints
    )
    return replace(robot, loop_joints=tuple(loops))


@given(robots(strange=True), FORMS, st.sampled_from([*Dialect]))
def test_a_robot_comes_back(robot: Robot, form: SdfLoops, dialect: Dialect) -> None:
    robot, options = closed(robot), SdfOptions(loops=form, dialect=dialect)
    again = loads(dumps(robot, options))
    expected = given_back(fitted(robot, options, Findings()))
    assert (comparison := expected.is_same_as(again)).is_same, str(comparison)


@given(any_robots(strange=True))
def test_every_frame_stays_where_it_is(robot: Robot) -> None:
    again = loads(dumps(replace(robot, relations=())))
    before, after = Kinematics(replace(robot, relations=())), Kinematics(again)
    drawn = np.random.default_rng(1)
    q = {name: drawn.uniform(-1, 1) for name in before.independent if name in _scalar(robot)}
    one, other = before.poses(q), after.poses(q)
    common = [frame for frame in robot.by_id if frame in again.by_id]
    assert len(common) > len(robot.frames) / 3
    assert max(float(np.abs(one[frame] - other[frame]).max()) for frame in common) < 1e-9


def _scalar(robot: Robot) -> set[str]:
    return {name for name, frame in robot.joints.items() if frame.joint and frame.joint.type != "ball"}


# ---- files of others


def model(inside: str, version: str = "1.11") -> str:
    return f'<sdf version="{version}"><model name="m">{inside}</model></sdf>'


LINK = "<inertial><mass>2</mass></inertial>"
OFFSET = model(
    f"""<frame name="mount" attached_to="a"><pose>0 0 1 0 0 1.5707963267948966</pose></frame>
    <link name="a">{LINK}</link><link name="b"><pose>1 0 0 0 0 0</pose>{LINK}</link>
    <joint name="j" type="revolute"><pose>-1 0 0 0 0 0</pose><parent>mount</parent><child>b</child>
      <axis><xyz expressed_in="mount">1 0 0</xyz>
      <limit><lower>-1e16</lower><upper>inf</upper><effort>-1</effort></limit></axis></joint>"""
)


def test_a_joint_away_from_its_link_gets_a_frame_of_its_own() -> None:
    robot = loads(OFFSET)
    joint = robot.joints["j"].joint
    assert joint is not None
    assert joint.axis == pytest.approx((0, 1, 0))  # x of `mount` is y of the model
    assert joint.limits == Limits()
    assert (robot.root.id, robot.frame("j").parent, robot.frame("b").parent) == ("a", "mount", "j")
    poses = Kinematics(robot).poses({"j": np.pi / 2})
    assert poses["b"][:3, 3] == pytest.approx((0, 0, -1))  # from x = 1, about y through the origin


def test_the_positions_of_a_follower_count_from_the_reference() -> None:
    mimic = '<mimic joint="j1"><multiplier>2</multiplier><offset>3</offset><reference>0.5</reference></mimic>'
    joints = "".join(
        f'<joint name="j{n}" type="continuous"><parent>l{n - 1}</parent><child>l{n}</child>'
        f"<axis><xyz>0 0 2</xyz>{more}</axis></joint>"
        for n, more in ((1, ""), (2, mimic))
    )
    robot = loads(model("".join(f'<link name="l{n}">{LINK}</link>' for n in range(3)) + joints))
    joint = robot.joints["j2"].joint
    assert joint is not None
    assert joint.coupling == Coupling("j1", 2.0, 2.0)
    assert joint.axis == (0.0, 0.0, 1.0)


def test_a_second_joint_to_a_link_closes_a_loop() -> None:
    links = "".join(f'<link name="l{n}"><pose>{n} 0 0 0 0 0</pose>{LINK}</link>' for n in range(3))
    ends = (("a", "l0", "l1"), ("b", "l1", "l2"), ("c", "l0", "l2"))
    joints = "".join(
        f'<joint name="{name}" type="ball"><parent>{parent}</parent><child>{child}</child></joint>'
        for name, parent, child in ends
    )
    (loop,) = loads(model(links + joints)).loop_joints
    assert (loop.joint.name, loop.parent, loop.child, loop.transform.pos) == ("c", "l0", "l2", (2.0, 0.0, 0.0))


def test_a_base_that_moves_in_the_world_hangs_on_a_frame_of_the_world() -> None:
    ends = "<parent>world</parent><child>a</child>"
    joint = f'<joint name="rail" type="prismatic">{ends}<axis><xyz>1 0 0</xyz></axis></joint>'
    robot = loads(model(f'<pose>0 0 3 0 0 0</pose><link name="a">{LINK}</link>{joint}'))
    assert (robot.root.id, robot.frame("a").parent, robot.frame("a").transform.pos) == ("world", "world", (0, 0, 3))


def test_models_inside_models_have_names_with_their_path(tmp_path: Path) -> None:
    (tmp_path / "hand").mkdir()
    (tmp_path / "hand" / "model.config").write_text("<model><sdf version='1.11'>hand.sdf</sdf></model>")
    (tmp_path / "hand" / "hand.sdf").write_text(
        f'<sdf version="1.11"><model name="hand"><link name="palm">{LINK}</link></model></sdf>'
    )
    text = model(
        f"""<link name="a">{LINK}</link>
        <include><uri>model://hand</uri><pose>0 0 1 0 0 0</pose></include><include><uri>model://none</uri></include>
        <joint name="j" type="fixed"><parent>a</parent><child>hand::palm</child></joint><wheel_slip/><self_collide/>"""
    )
    findings = Findings()
    robot = loads(text, findings, tmp_path)
    assert robot.frame("hand::palm").transform.pos == (0.0, 0.0, 1.0)
    codes = {(each.code, each.where) for each in findings}
    assert ("sdf-include", "include model://none") in codes
    assert ("sdf-ignored", "element model/wheel_slip") in codes


def test_what_is_read_of_links_is_what_the_specification_defines() -> None:
    findings = Findings()
    shapes = """<visual name="v"><geometry><box/></geometry><material><diffuse>1 0 0</diffuse></material></visual>
        <collision name="c"><geometry><plane/></geometry></collision>"""
    camera = "<pose>0 0 1 0 0 0</pose><camera><horizontal_fov>1.2</horizontal_fov></camera>"
    sensor = f'<sensor name="eye" type="camera">{camera}</sensor>'
    robot = loads(model(f'<link name="a">{shapes}{sensor}</link>'), findings)
    (link,) = robot.root.links
    assert link.inertial == Inertial(1.0, tensor=Tensor(ixx=1.0, iyy=1.0, izz=1.0))
    assert (link.visuals[0].material, link.collisions) == ("colour_1_0_0_1", ())
    assert robot.frame("eye").sensors[0].params == {"camera.image.hfov": "1.2"}
    assert {"sdf-mass-default", "sdf-shape"} <= {each.code for each in findings}


WRONG = {
    "<urdf/>": r"an SDF file's is <sdf>",
    "<sdf/>": "it has no models",
    model(""): "the model has no links",
    model("<link/>"): "A <link> has no `name`",
    model('<link name="a"/><link name="b"/>'): "2 links are not the child of a joint",
    model('<link name="a"/><frame name="a"/>'): "Two elements of the model are called `a`",
    model('<link name="a"><pose>1 2</pose></link>'): r'"1 2": 6 numbers are expected',
    model('<link name="a"><pose rotation_format="x">1</pose></link>'): "rotation_format `x`",
    model('<link name="a"><pose relative_to="b"/></link>'): "names `b`, which is not there",
    model('<link name="a"><pose relative_to="f"/></link><frame name="f"><pose relative_to="a"/></frame>'): "itself",
    model('<link name="a"/><frame name="f" attached_to="g"/><frame name="g" attached_to="f"/>'): "not attached",
    model('<link name="a"/><joint name="j" type="fixed"><parent>a</parent></joint>'): "has no <child>",
    model('<link name="a"/><joint name="j" type="x"><parent>world</parent><child>a</child></joint>'): "the type `x`",
}


@pytest.mark.parametrize("text", WRONG)
def test_mistakes_are_answered_with_a_sentence(text: str) -> None:
    with pytest.raises(XmlProblem, match=WRONG[text]):
        loads(text)


# ---- options


def screw() -> Robot:
    base = Frame(id="base", links=(Link(name="base", inertial=Inertial(1.0)),))
    joint = Joint(type=JointType.SCREW, name="nut", pitch=0.005)
    follower = Joint(type=JointType.REVOLUTE, name="wheel", coupling=Coupling("nut", 2.0, 0.5))
    frames = (base, Frame(id="slide", parent="base", joint=joint), Frame(id="w", parent="base", joint=follower))
    return Robot(name="press", frames=frames)


def test_older_files_have_the_pitch_in_their_own_unit_and_no_followers() -> None:
    findings = Findings()
    text = dumps(screw(), SdfOptions(version=SdfVersion.FORTRESS), findings)
    assert b"<thread_pitch>-1256.63706143592</thread_pitch>" in text
    assert b"<mimic" not in text
    assert b"<upper>1e+16</upper>" in text
    assert "sdf-mimic" in {each.code for each in findings}
    joint = loads(text).joints["nut"].joint
    assert joint is not None
    assert joint.pitch == pytest.approx(0.005)


def test_drake_has_its_own_element_for_followers() -> None:
    text = dumps(screw(), SdfOptions(dialect=Dialect.DRAKE))
    assert b'<drake:mimic joint="nut" multiplier="2" offset="0.5"/>' in text
    again = loads(text.replace(b"<mimic", b"<other").replace(b"</mimic", b"</other")).joints["wheel"].joint
    assert again is not None
    assert again.coupling == Coupling("nut", 2.0, 0.5)


@pytest.mark.parametrize("kind", ["camera", "ray"])
def test_what_a_sensor_lacks_is_assumed_reported_and_not_read_back(kind: str) -> None:
    near: dict[str, Params] = {"camera": {"camera": {"image": {"near": 0}}}, "ray": {"ray.range.min": 0}}
    for params in ({}, near[kind]):
        robot = Robot(name="r", frames=(Frame(id="a", sensors=(Sensor(name="eye", type=kind, params=params),)),))
        findings = Findings()
        text = dumps(robot, SdfOptions(), findings).decode()
        assert loads(text).frame("a").sensors == robot.frames[0].sensors
        (assumed,) = [each for each in findings if each.code == "sdf-sensor-assumed"]
        far = "<far>100</far>" if kind == "camera" else "<max>10</max>"
        assert far in text
        assert f"{'far 100' if kind == 'camera' else 'max 10'} in SDF" in assumed.message
        assert ("min 0.08" in assumed.message or "near 0.05" in assumed.message) == (params == {})
        edited = loads(text.replace(far, far.replace("10", "70"))).frame("a").sensors[0].params
        key = "camera.image.far" if kind == "camera" else "ray.range.max"
        assert edited == {**params, key: "700" if kind == "camera" else "70"}
    bare = loads(dumps(robot, SdfOptions(annotate=False))).frame("a").sensors[0].params
    assert len(bare) == 5  # a file without our remarks has numbers only


def test_links_joints_and_frames_share_one_set_of_names() -> None:
    tip = Frame(id="arm_joint", parent="arm")
    joint = Joint(type=JointType.REVOLUTE, limits=Limits(effort=1.0))
    arm = Frame(id="arm", parent="base", joint=joint, links=(Link(name="arm", inertial=Inertial(1.0)),))
    robot = Robot(name="r", frames=(Frame(id="base"), arm, tip))
    text = dumps(robot).decode()
    for name in ('<link name="arm"', '<joint name="arm_joint"', '<frame name="arm_joint_frame"'):
        assert name in text
    assert "continuous" not in text
    again = loads(text)
    assert {*again.by_id} == {"base", "arm", "arm_joint"}
    assert list(again.joints) == ["arm"]


def test_the_folder_is_a_model_of_gazebo(tmp_path: Path) -> None:
    mesh = Link(name="base", visuals=(Mesh(uri="meshes/a.stl"),))
    robot = Robot(name="arm", frames=(Frame(id="base", links=(mesh,)),))
    files = named("sdf").write(robot, Target(tmp_path, "arm"), SdfOptions(mesh_paths=SdfMeshPaths.MODEL), Findings())
    assert [file.name for file in files] == ["arm.sdf", "model.config"]
    assert b"<uri>model://arm/meshes/a.stl</uri>" in files[0].read_bytes()
    assert b'<sdf version="1.11">arm.sdf</sdf>' in files[1].read_bytes()
    assert formats.read(files[0]).root.id == "base"


def test_loops_that_a_form_cannot_express_are_cut_and_reported() -> None:
    loop = LoopJoint(parent="base", child="slide", joint=Joint(type=JointType.PRISMATIC, name="rail"))
    robot = replace(screw(), loop_joints=(loop,))
    for form, code in ((SdfLoops.JOINT, "sdf-loop-joint"), (SdfLoops.DRAKE, "sdf-loop-cut")):
        findings = Findings()
        text = dumps(robot, SdfOptions(loops=form), findings)
        assert code in {each.code for each in findings}
        assert (b'<frame name="rail_parent_side"' in text) == (form is SdfLoops.DRAKE)
        assert loads(text).loop_joints == robot.loop_joints
    findings = Findings()
    moved = replace(loop, transform=Pose((0.0, 0.0, 0.1)))
    again = loads(dumps(replace(robot, loop_joints=(moved,)), SdfOptions(annotate=False), findings))
    assert "sdf-loop-cut" in {each.code for each in findings}
    assert {"rail_parent_side", "rail_child_side"} <= {*again.by_id}


def test_gazebo_welds_a_small_link_to_close_a_loop() -> None:
    loop = LoopJoint(parent="base", child="slide", joint=Joint(type=JointType.REVOLUTE, name="pin"))
    text = dumps(replace(screw(), loop_joints=(loop,)), SdfOptions(loops=SdfLoops.DETACHABLE))
    assert b'<link name="pin_closing"' in text
    assert b"<child_link>slide</child_link>" in text
    again = loads(text)
    assert "pin_closing" not in again.by_id
    assert [each.joint.name for each in again.loop_joints] == ["pin"]


def test_what_was_edited_in_the_file_counts_more_than_the_note() -> None:
    red = Material("red", (1.0, 0.0, 0.0, 1.0))
    shapes = (Box(size=(0.1, 0.1, 0.1), material="red"), Sphere(radius=0.1, material="red"))
    light = Frame(id="arm", parent="base", joint=Joint(type=JointType.REVOLUTE, name="hinge"))
    robot = Robot(
        name="r", frames=(Frame(id="base", links=(Link(name="base", visuals=shapes),)), light), materials=(red,)
    )
    text = dumps(robot).decode()
    assert loads(text) == loads(dumps(loads(text)))
    # Somebody paints the first shape blue, and gives the arm a mass.
    painted = loads(text.replace("<diffuse>1 0 0 1</diffuse>", "<diffuse>0 0 1 1</diffuse>", 1))
    assert [shape.material for shape in painted.root.links[0].visuals] == ["colour_0_0_1_1", "red"]
    heavy = loads(text.replace("<mass>1e-06</mass>", "<mass>3</mass>"))
    assert [link.inertial and link.inertial.mass for link in heavy.frame("arm").links] == [3.0]
    assert loads(text).frame("arm").links == ()
