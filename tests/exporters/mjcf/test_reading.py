"""MJCF of others: defaults, includes, orientations, joints of any kind; anything else is a finding or an error."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

import swgrm
from swgrm import ActuatorType, CompositeType, JointType, Mount, poses
from swgrm.errors import FileError
from swgrm.findings import Findings
from swgrm_exporters.mjcf.reader import loads
from swgrm_exporters.xmltext import XmlProblem

ARM = """
<mujoco model="menagerie">
  <compiler meshdir="assets"/>
  <default>
    <joint damping="0.5"/>
    <default class="arm">
      <joint axis="0 1 0" range="-90 90"/>
      <position kp="100" kv="10"/>
      <default class="visual"><geom type="mesh" contype="0" conaffinity="0" group="2"/></default>
      <default class="collision"><geom group="3" type="capsule"/></default>
    </default>
  </default>
  <asset>
    <mesh file="link.stl" scale="0.001 0.001 0.001"/>
    <material name="grey" rgba="0.5 0.5 0.5 1"/>
  </asset>
  <worldbody>
    <light pos="0 0 1"/>
    <geom name="floor" type="plane" size="0 0 0.1"/>
    <body name="base" childclass="arm">
      <geom class="visual" mesh="link" material="grey"/>
      <geom class="collision" size="0.1" fromto="0 0 0 0 0 1"/>
      <body name="upper" pos="0 0 1" euler="0 0 90">
        <inertial pos="0 0 0.1" mass="2" diaginertia="1 2 3" euler="90 0 0"/>
        <joint name="shoulder"/>
        <frame pos="1 0 0"><site name="tip" pos="0 1 0"/></frame>
        <body name="fore" pos="0.5 0 0">
          <inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/>
          <joint name="elbow" pos="0 0 0.2" ref="30" axis="2 0 0"/>
          <joint name="slide" type="slide" range="-0.1 inf" armature="0.1" class="main"/>
          <site name="imu"/>
          <camera name="eye" pos="0 0 1" fovy="60"/>
        </body>
      </body>
    </body>
  </worldbody>
  <contact><exclude body1="base" body2="fore"/></contact>
  <equality>
    <connect name="pin" body1="base" body2="fore" anchor="0 0 0.3"/>
    <joint joint1="slide" joint2="shoulder" polycoef="0.1 0.2 0 0 0"/>
    <joint joint1="slide" joint2="elbow" polycoef="0 1 0 0 0"/>
  </equality>
  <actuator>
    <position class="arm" name="drive" joint="shoulder" gear="2" forcerange="-5 5"/>
    <general joint="elbow"/>
  </actuator>
  <sensor><gyro name="i_gyro" site="imu"/><accelerometer name="i_accel" site="imu"/><clock name="c"/></sensor>
  <keyframe><key name="home" qpos="0.1 0.2 0.3"/></keyframe>
</mujoco>
"""


def test_a_file_of_the_menagerie_s_kind() -> None:
    findings = Findings()
    robot = loads(ARM, findings)
    assert robot.root.id == "base"
    (base,) = robot.root.links
    assert base.visuals[0].material == "grey"
    assert getattr(base.visuals[0], "uri", "") == "assets/link.stl"
    assert getattr(base.collisions[0], "length", 0) == pytest.approx(1.0)
    assert not base.visuals[1:]
    shoulder = robot.joints["shoulder"].joint
    assert shoulder is not None
    assert shoulder.axis == (0.0, 1.0, 0.0)
    assert shoulder.limits.upper == pytest.approx(math.pi / 2)
    assert shoulder.dynamics is not None
    assert shoulder.dynamics.damping == 0.5
    slide = robot.joints["slide"].joint
    assert slide is not None
    assert (slide.limits.lower, slide.limits.upper) == (-0.1, None)
    assert slide.coupling is not None
    assert slide.coupling.joint == "shoulder"
    assert [dict(each.terms) for each in robot.relations] == [{"slide": 1.0, "elbow": -1.0}]
    assert robot.poses[0].positions == {"shoulder": 0.1, "elbow": 0.2, "slide": 0.3}
    (drive,) = robot.actuators
    assert (drive.type, drive.stiffness, drive.damping, drive.effort) == (ActuatorType.POSITION, 400.0, 40.0, 10.0)
    assert robot.ignored_contacts == (("base", "fore"),)
    assert [sensor.type for frame in robot.frames for sensor in frame.sensors] == ["imu", "camera"]
    (finding,) = [each for each in findings if each.code == "mjcf-ignored"]
    assert "1 actuator general" in finding.message
    assert "1 plane" in finding.message
    assert "1 sensor clock" in finding.message


def test_poses_are_those_of_mujoco() -> None:
    """Numbers from MuJoCo 4.0.0: `data.xpos` at shoulder 0, elbow 0.5 rad, slide 0.05 m, without equalities."""
    bare = ARM[: ARM.index("  <contact>")] + "</mujoco>"
    at = poses(loads(bare), {"shoulder": 0.0, "elbow": 0.5, "slide": 0.05})
    turned = 0.5 - math.radians(30)
    R = np.array([[1, 0, 0], [0, math.cos(turned), -math.sin(turned)], [0, math.sin(turned), math.cos(turned)]])
    wanted = np.array([0.5, 0, 0]) + np.array([0, 0, 0.2]) + R @ np.array([0, 0, -0.2 + 0.05])
    quarter = np.array([[0, -1, 0], [1, 0, 0], [0, 0, 1]])
    assert at["fore"][:3, 3] == pytest.approx(np.array([0, 0, 1]) + quarter @ wanted)
    assert at["tip"][:3, 3] == pytest.approx([-1, 1, 1])


@pytest.mark.parametrize(
    "orientation",
    [
        'quat="0.7071067811865476 0 0 0.7071067811865476"', 'axisangle="0 0 2 90"', 'euler="0 0 90"',
        'xyaxes="0 1 0 -1 0 0"',
    ],
)  # fmt: skip
def test_every_form_of_an_orientation(orientation: str) -> None:
    robot = loads(f'<mujoco><worldbody><body name="a" {orientation}/></worldbody></mujoco>')
    assert robot.root.transform.matrix[:3, :3] == pytest.approx(np.array([[0, -1, 0], [1, 0, 0], [0, 0, 1]]), abs=1e-12)


def test_the_z_axis_alone_and_capital_euler_letters() -> None:
    head = '<mujoco><compiler eulerseq="XYZ"/><worldbody>'
    robot = loads(f'{head}<body name="a" zaxis="1 0 0"/></worldbody></mujoco>')
    assert robot.root.transform.matrix[:3, 2] == pytest.approx([1, 0, 0], abs=1e-12)
    down = loads(f'{head}<body name="a" zaxis="0 0 -2"/></worldbody></mujoco>')
    assert down.root.transform.matrix[:3, 2] == pytest.approx([0, 0, -1], abs=1e-12)
    fixed = loads(f'{head}<body name="a" euler="90 90 0"/></worldbody></mujoco>')
    assert fixed.root.transform.matrix[:3, 0] == pytest.approx([0, 0, -1], abs=1e-12)


def test_bases_that_float_move_or_are_several() -> None:
    free = loads('<mujoco><worldbody><body name="a"><freejoint/><geom size="1"/></body></worldbody></mujoco>')
    assert free.mount is Mount.FLOATING
    inertial = free.root.links[0].inertial
    assert inertial is not None
    assert inertial.mass == pytest.approx(1000 * 4 / 3 * math.pi)
    moving = loads('<mujoco><worldbody><body name="a"><joint name="j"/></body></worldbody></mujoco>')
    assert moving.root.id == "world"
    assert moving.joints["j"].id == "a"
    several = loads(
        '<mujoco><worldbody><geom type="box" size="1 1 1"/><body name="a"><joint type="free" name="f"/></body>'
        '<body name="b"><joint name="j" type="ball"/></body></worldbody></mujoco>'
    )
    assert several.root.links[0].collisions
    assert [each.type for each in several.composite_joints] == [CompositeType.FLOATING]
    assert [frame.joint.type for frame in several.frames if frame.id == "b" and frame.joint] == [JointType.BALL]


def test_included_files_and_their_mistakes(tmp_path: Path) -> None:
    (tmp_path / "robot.xml").write_text('<mujoco model="inner"><worldbody><body name="a"/></worldbody></mujoco>')
    scene = tmp_path / "scene.xml"
    scene.write_text(
        '<mujoco model="scene"><include file="robot.xml"/><worldbody><geom type="plane"/></worldbody></mujoco>'
    )
    assert swgrm.load(scene).root.id == "a"
    scene.write_text('<mujoco><include file="scene.xml"/></mujoco>')
    with pytest.raises(FileError, match="includes itself"):
        swgrm.load(scene)
    scene.write_text('<mujoco><include file="none.xml"/></mujoco>')
    with pytest.raises(FileError, match=r"the included file `none\.xml` cannot be read"):
        swgrm.load(scene)


def test_a_file_in_another_folder_includes_its_neighbours(tmp_path: Path) -> None:
    (tmp_path / "parts").mkdir()
    (tmp_path / "scene.xml").write_text('<mujoco><include file="parts/robot.xml"/></mujoco>')
    (tmp_path / "parts" / "robot.xml").write_text(
        '<mujoco><worldbody><include file="arm.xml"/></worldbody><include file="common.xml"/></mujoco>'
    )
    (tmp_path / "parts" / "arm.xml").write_text('<mujoco><body name="arm"/></mujoco>')
    (tmp_path / "common.xml").write_text('<mujoco><contact><exclude body1="arm" body2="arm"/></contact></mujoco>')
    robot = swgrm.load(tmp_path / "scene.xml")
    assert robot.root.id == "arm"
    assert robot.ignored_contacts == (("arm", "arm"),)


def test_shapes_that_mujoco_fits_to_a_mesh_and_bodies_that_it_makes_are_findings() -> None:
    findings = Findings()
    robot = loads(
        '<mujoco><asset><mesh name="m" file="m.stl"/></asset><worldbody><body name="a">'
        '<geom type="capsule" mesh="m"/><geom type="box" size="1 1 1" rgba=""/><attach model="x" body="b"/>'
        "</body></worldbody></mujoco>",
        findings,
    )
    assert sorted(each.code for each in findings) == ["mjcf-geom", "mjcf-inertia", "mjcf-made"]
    (box,) = robot.root.links[0].visuals
    assert box.material == ""


def test_inertia_of_geoms_counts_their_frame_and_may_replace_the_given_one() -> None:
    text = (
        '<mujoco><compiler inertiafromgeom="{}"/><worldbody><body name="a"><inertial pos="0 0 0" mass="1"/>'
        '<frame pos="1 0 0"><geom type="box" size="1 1 1" density="1"/></frame></body></worldbody></mujoco>'
    )
    from_geoms, given = (loads(text.format(each)).root.links[0].inertial for each in ("true", "auto"))
    assert from_geoms is not None
    assert given is not None
    assert [from_geoms.mass, *from_geoms.origin] == pytest.approx([8.0, 1.0, 0.0, 0.0])
    assert given.mass == 1


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("<robot/>", "its first element is <robot>"),
        ("<mujoco/>", "no <worldbody>"),
        ("<mujoco><worldbody/></mujoco>", "no bodies"),
        ('<mujoco><worldbody><body name="a"/><body name="a"/></worldbody></mujoco>', "two bodies named `a`"),
        ('<mujoco><worldbody><body><joint type="screw"/></body></worldbody></mujoco>', "the type `screw`"),
        ('<mujoco><worldbody><body><joint axis="0 0 0"/></body></worldbody></mujoco>', "axis of length zero"),
        ('<mujoco><worldbody><body><joint range="1"/></body></worldbody></mujoco>', "two numbers are expected"),
        ('<mujoco><worldbody><body><joint range="a b"/></body></worldbody></mujoco>', "not a number"),
        ('<mujoco><worldbody><body quat="0 0 0 0"/></worldbody></mujoco>', "quaternion of zeros"),
        ('<mujoco><worldbody><body zaxis="0 0 0"/></worldbody></mujoco>', "direction of length zero"),
        ('<mujoco><worldbody><body><geom type="box" size="1"/></body></worldbody></mujoco>', "1 sizes; 3 are expected"),
        ('<mujoco><worldbody><body><geom size="-1"/></body></worldbody></mujoco>', "negative"),
        ('<mujoco><worldbody><body><geom class="x"/></body></worldbody></mujoco>', "the class `x`"),
        ('<mujoco><compiler coordinate="global"/><worldbody/></mujoco>', "global coordinates"),
        ('<mujoco><include file="x"/></mujoco>', "a file that includes it"),
        (
            '<mujoco><worldbody><body name="a"/></worldbody><equality><weld body1="b"/></equality></mujoco>',
            "the body `b`, which is not there",
        ),
        (
            '<mujoco><worldbody><body/></worldbody><equality><joint joint1="b" joint2="c"/></equality></mujoco>',
            "the joint `b`, which is not there",
        ),
    ],
)
def test_mistakes_are_answered_with_a_sentence(text: str, message: str) -> None:
    with pytest.raises(XmlProblem) as caught:
        loads(text)
    assert message in caught.value.problem


def test_xml_files_are_recognised_by_their_first_element(tmp_path: Path) -> None:
    file = tmp_path / "robot.xml"
    file.write_text('<robot name="r"><link name="a"/></robot>')
    assert swgrm.load(file).name == "r"
    file.write_text('<mujoco model="m"><worldbody><body name="a"/></worldbody></mujoco>')
    assert swgrm.load(file).name == "m"
    file.write_text("<html/>")
    with pytest.raises(FileError, match="its first element is <html>"):
        swgrm.load(file)
    file.write_text("<robot")
    with pytest.raises(FileError, match="not XML"):
        swgrm.load(file)
