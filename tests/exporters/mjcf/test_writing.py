"""What an MJCF file contains: actuators with gains of the robot, meshes that MuJoCo reads, sensors, contacts, poses."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pytest
import trimesh
from lxml import etree
from msgspec.structs import replace
from tests.mechanisms import DELTA, FOUR_BAR, RSSR, SLIDER_CRANK

import swgrm
from swgrm import (
    Actuator,
    ActuatorType,
    Capsule,
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
    Mount,
    NamedPose,
    Relation,
    Robot,
    Sensor,
    Sphere,
    Tensor,
    Transmission,
    TransmissionEnd,
)
from swgrm.errors import ModelError
from swgrm.findings import Findings
from swgrm.mass.mass_matrix import loads as joint_loads
from swgrm.mass.mass_matrix import mass_matrix
from swgrm_exporters.format import Target
from swgrm_exporters.lowering import Choices, lower
from swgrm_exporters.mjcf import assets
from swgrm_exporters.mjcf.actuators import driving_joints
from swgrm_exporters.mjcf.options import CAPABILITIES, MjcfOptions
from swgrm_exporters.mjcf.reader import loads
from swgrm_exporters.mjcf.writer import dumps, write


def root_of(robot: Robot, findings: Findings | None = None) -> etree._Element:
    return etree.fromstring(dumps(robot, None, findings))


def test_the_joints_that_drive_a_mechanism_determine_it() -> None:
    assert driving_joints(FOUR_BAR.robot) == ["crank_joint"]
    assert driving_joints(DELTA.robot) == ["arm_0_joint", "arm_1_joint", "arm_2_joint"]
    assert driving_joints(FOUR_BAR.robot, ("rocker_joint",)) == ["rocker_joint"]
    assert driving_joints(RSSR.robot) == ["crank_joint"]


def test_an_actuator_has_the_frequency_of_the_options_or_holds_the_weight() -> None:
    moved = joint_loads(FOUR_BAR.robot, ["crank_joint"])["crank_joint"]
    (drive,) = root_of(FOUR_BAR.robot).findall("actuator/position")
    least = (2 * math.pi * 5) ** 2 * moved.inertia
    assert least <= float(drive.get("kp", 0)) * (1 + 1e-6) <= 4 * least * (1 + 1e-5)
    assert drive.get("ctrlrange") == "-0.6 0.6"
    assert drive.get("forcerange") == "-50 50"


def test_the_load_of_a_pendulum_is_its_inertia_about_the_axis() -> None:
    crank = FOUR_BAR.robot.frames[1]
    arm = Robot(name="arm", frames=(FOUR_BAR.robot.root, crank))
    inertial = crank.links[0].inertial
    assert inertial is not None
    assert inertial.tensor is not None
    wanted = inertial.tensor.iyy + inertial.mass * 0.05**2
    assert mass_matrix(arm).M[0, 0] == pytest.approx(wanted)
    load = joint_loads(arm, ["crank_joint"])["crank_joint"]
    assert load.inertia == pytest.approx(wanted)
    assert load.weight == pytest.approx(inertial.mass * 9.81 * 0.05)
    geared = swgrm.set_dynamics(arm, "crank_joint", armature=0.5)
    assert mass_matrix(geared).M[0, 0] == pytest.approx(wanted + 0.5)
    assert crank.joint is not None
    pitched = replace(crank, joint=replace(crank.joint, pitch=0.5))
    assert mass_matrix(replace(arm, frames=(arm.root, pitched))).M[0, 0] == pytest.approx(wanted), (
        "a hinge does not advance, whatever its pitch"
    )


def test_given_actuators_and_transmissions_decide() -> None:
    velocity = replace(FOUR_BAR.robot, actuators=(Actuator(joint="crank_joint", type=ActuatorType.VELOCITY, gear=3.0),))
    (drive,) = root_of(velocity).findall("actuator/velocity")
    assert drive.get("gear") == "3"
    given = Actuator(joint="crank_joint", stiffness=8.0, damping=0.5, gear=2.0, effort=4.0)
    (drive,) = root_of(replace(FOUR_BAR.robot, actuators=(given,))).findall("actuator/position")
    assert (drive.get("kp"), drive.get("kv"), drive.get("forcerange")) == ("2", "0.125", "-2 2")
    assert drive.get("ctrlrange") == "-1.2 1.2"
    motor = Transmission(
        name="t",
        joints=(TransmissionEnd("rocker_joint", ("hardware_interface/EffortJointInterface",)),),
        actuators=(TransmissionEnd("m", (), 50.0),),
    )
    root = root_of(replace(FOUR_BAR.robot, transmissions=(motor,)))
    assert [(each.tag, each.get("joint"), each.get("gear")) for each in root.findall("actuator/*")] == [
        ("motor", "rocker_joint", "50")
    ]
    assert etree.fromstring(dumps(FOUR_BAR.robot, MjcfOptions(actuators=False))).find("actuator") is None


def test_poses_are_key_frames_with_couplings_fulfilled_and_loops_closed() -> None:
    robot = replace(FOUR_BAR.robot, poses=(NamedPose("home", {"crank_joint": 0.3}), NamedPose("park")))
    keys = {each.get("name"): each for each in root_of(robot).findall("keyframe/key")}
    assert keys.keys() == {"home", "park"}
    crank, coupler, rocker = map(float, keys["home"].get("qpos", "").split())
    at = swgrm.poses(robot, {"crank_joint": crank, "coupler_joint": coupler, "rocker_joint": rocker})
    (loop,) = robot.loop_joints
    assert (at["rocker"] @ loop.transform.matrix)[:3, 3] == pytest.approx(at["coupler_end"][:3, 3], abs=1e-8)
    assert keys["park"].get("qpos") == "0 0 0"
    floating = root_of(replace(RSSR.robot, mount=Mount.FLOATING))
    assert floating.find("worldbody/body/freejoint") is not None
    (key,) = floating.findall("keyframe/key")
    assert key.get("qpos") == "0 0 0 1 0 0 0 0 1 0 0 0 0"


def test_a_joint_whose_range_is_above_zero_starts_at_its_end() -> None:
    frame = FOUR_BAR.robot.frames[1]
    joint = Joint(type=JointType.REVOLUTE, name="j", limits=Limits(lower=0.2, upper=1.0))
    robot = Robot(name="r", frames=(FOUR_BAR.robot.root, replace(frame, joint=joint)))
    (key,) = root_of(robot).findall("keyframe/key")
    assert key.get("qpos") == "0.2"


def test_couplings_and_relations_are_equalities_with_the_faster_joint_first() -> None:
    def turning(name: str, **fields: object) -> Frame:
        joint = Joint(type=JointType.REVOLUTE, name=f"{name}_j", **fields)  # type: ignore[arg-type]
        return Frame(id=name, parent="base", joint=joint, links=FOUR_BAR.robot.frames[1].links)

    frames = (turning("a"), turning("b", coupling=Coupling("a_j", 0.01, 0.5)), turning("c"), turning("d"))
    named = tuple(replace(frame, links=(replace(frame.links[0], name=frame.id),)) for frame in frames)
    relations = (Relation({"a_j": 1.0, "c_j": 1.0, "d_j": -2.0}, 0.1),)
    root = root_of(Robot(name="r", frames=(FOUR_BAR.robot.root, *named), relations=relations))
    (gear,) = root.findall("equality/joint")
    assert (gear.get("joint1"), gear.get("joint2"), gear.get("polycoef")) == ("a_j", "b_j", "-50 100 0 0 0")
    (tendon,) = root.findall("tendon/fixed")
    assert [(each.get("joint"), each.get("coef")) for each in tendon] == [("a_j", "1"), ("c_j", "1"), ("d_j", "-2")]
    (tie,) = root.findall("equality/tendon")
    assert tie.get("polycoef") == "0.1 0 0 0 0"
    assert [each.get("joint") for each in root.findall("actuator/position")] == ["c_j", "d_j"]


def test_a_joint_that_a_relation_determines_may_have_an_actuator() -> None:
    frames = (FOUR_BAR.robot.root, FOUR_BAR.robot.frames[1])
    held = Robot(
        name="r",
        frames=frames,
        relations=(Relation({"crank_joint": 1.0}, 0.2),),
        actuators=(Actuator(joint="crank_joint", stiffness=3.0),),
    )
    root = root_of(held)
    assert [each.get("kp") for each in root.findall("actuator/position")] == ["3"]
    assert [each.get("qpos") for each in root.findall("keyframe/key")] == ["0.2"]


def test_sensors_are_elements_at_sites() -> None:
    params = {"camera": {"horizontal_fov": 1.0, "image": {"width": 640, "height": 480}}}
    kinds = ["imu", "force_torque", "ray", "magnetometer", "contact", "gps", "own_kind"]
    sensors = (Sensor(name="eye", type="camera", params=params), *(Sensor(name=kind, type=kind) for kind in kinds))
    frames = (*FOUR_BAR.robot.frames, Frame(id="head", parent="crank", sensors=sensors))
    findings = Findings()
    root = root_of(replace(FOUR_BAR.robot, frames=frames), findings)
    camera = root.find(".//camera")
    assert camera is not None
    assert camera.get("resolution") == "640 480"
    assert float(camera.get("fovy", 0)) == pytest.approx(math.degrees(2 * math.atan(math.tan(0.5) * 0.75)), abs=1e-5)
    names = [each.get("name") for each in root.findall("sensor/*")]
    assert names[:5] == ["imu_quat", "imu_gyro", "imu_accel", "force_torque_force", "force_torque_torque"]
    assert root.find(".//site[@name='ray_ray']") is not None
    assert [each.where for each in findings if each.code == "mjcf-sensor"] == ["sensor own_kind"]


# ---- meshes


def meshed(tmp_path: Path, *uris: str, material: str = "") -> tuple[etree._Element, Findings]:
    shapes = tuple(Mesh(uri=uri, material=material) for uri in uris)
    link = replace(FOUR_BAR.robot.frames[1].links[0], visuals=shapes, collisions=shapes)
    robot = Robot(
        name="r",
        frames=(replace(FOUR_BAR.robot.root, links=(link,)),),
        materials=(Material("paint", (1.0, 0.0, 0.0, 1.0), "paint.png"),),
    )
    findings = Findings()
    write(robot, Target(tmp_path, "r"), MjcfOptions(), findings)
    return etree.parse(tmp_path / "r.xml").getroot(), findings


def saved(mesh: Any, path: Path, form: str = "stl") -> None:
    path.write_bytes(mesh.export(file_type=form))


def test_meshes_that_mujoco_refuses_are_converted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(assets, "MOST_FACES", 1000)  # 200,000 of MuJoCo take long to make
    box: Any = trimesh.creation.box((0.1, 0.2, 0.3))
    saved(box, tmp_path / "good.stl")
    (tmp_path / "ascii.stl").write_text(box.export(file_type="stl_ascii"))
    saved(trimesh.creation.icosphere(subdivisions=3), tmp_path / "big.stl")
    two: Any = trimesh.Scene([box, trimesh.creation.icosphere(subdivisions=1)])
    looks: Any = trimesh.visual
    for number, mesh in enumerate(two.geometry.values()):
        mesh.visual = looks.TextureVisuals(
            material=looks.material.PBRMaterial(baseColorFactor=[255 * number, 0, 0, 255])
        )
    saved(two, tmp_path / "two.glb", "glb")
    root, findings = meshed(tmp_path, "good.stl", "ascii.stl", "big.stl", "two.glb")
    files = [each.get("file") for each in root.findall("asset/mesh")]
    assert files == [
        "good.stl", "meshes/ascii_mjcf.obj", "meshes/big_mjcf.obj", "meshes/two_1_mjcf.obj", "meshes/two_2_mjcf.obj",
    ]  # fmt: skip
    assert all((tmp_path / str(file)).is_file() for file in files)
    assert sorted(each.where for each in findings if each.code == "mjcf-mesh-converted") == [
        "mesh ascii.stl", "mesh big.stl", "mesh two.glb",
    ]  # fmt: skip
    assert {each.get("rgba") for each in root.findall("worldbody//geom")} >= {"0 0 0 1", "1 0 0 1"}


def test_meshes_without_volume_or_file_are_reported(tmp_path: Path) -> None:
    flat = trimesh.Trimesh([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]], [[0, 1, 2], [0, 2, 3]], process=False)
    saved(flat, tmp_path / "flat.stl")
    triangle = trimesh.Trimesh([[0, 0, 0], [1, 0, 0], [1, 1, 0]], [[0, 1, 2]], process=False)
    saved(triangle, tmp_path / "triangle.stl")
    (tmp_path / "broken.obj").write_text("nothing")
    root, findings = meshed(tmp_path, "flat.stl", "triangle.stl", "broken.obj", "none.stl", material="paint")
    (mesh,) = root.findall("asset/mesh")
    assert mesh.get("inertia") == "shell"
    assert [each.get("class") for each in root.findall("worldbody//geom")] == ["visual"]
    codes = {"mjcf-mesh-flat", "mjcf-mesh-small", "mjcf-mesh-unreadable", "mjcf-mesh-missing", "mjcf-texture"}
    assert {each.code for each in findings} == codes
    (tmp_path / "paint.png").write_bytes(b"png")
    root, _ = meshed(tmp_path, "flat.stl", material="paint")
    assert [each.get("file") for each in root.findall("asset/texture")] == ["paint.png"]


def test_the_floor_is_below_a_robot_that_floats(tmp_path: Path) -> None:
    link = Link(name="ball", inertial=FOUR_BAR.robot.frames[1].links[0].inertial, collisions=(Sphere(radius=0.5),))
    pill = Link(name="pill", collisions=(Capsule(radius=0.1, length=0.2),))
    robot = Robot(name="r", frames=(Frame(id="ball", links=(link, pill)),), mount=Mount.FLOATING)
    write(robot, Target(tmp_path, "r"), MjcfOptions(), Findings())
    floor = etree.parse(tmp_path / "scene.xml").getroot().find("worldbody/geom")
    assert floor is not None
    assert floor.get("pos") == "0 0 -0.5"
    assert not (tmp_path / "other").exists()
    write(robot, Target(tmp_path, "named", ".xml"), MjcfOptions(), Findings())
    assert (tmp_path / "named.xml").is_file()
    assert "r.xml" in (tmp_path / "scene.xml").read_text()


def test_a_user_s_scene_stays_and_export_formats_are_those_of_the_settings(tmp_path: Path) -> None:
    from swgrm_addin.pipeline import export

    options = {"export": {"formats": ["mjcf"]}}
    done = export("mock:four_bar", tmp_path, options=options)
    assert {file.suffix for file in done.files} == {".xml", ".stl", ".obj", ".json"}
    (tmp_path / "scene.xml").write_text("<mujoco/>")
    again = export("mock:four_bar", tmp_path, options=options)
    assert (tmp_path / "scene.xml").read_text() == "<mujoco/>"
    assert (tmp_path / "scene.xml.new").is_file()
    assert "file-kept" in {each.code for each in again.findings}
    assert again.changes is not None
    assert again.changes.is_same


@pytest.mark.parametrize("at", [0.0, 0.5, -40.0])
def test_a_joint_with_equal_limits_is_held_and_comes_back(at: float) -> None:
    """MuJoCo takes a range of equal bounds as none: such a joint would move freely."""
    joint = Joint(type=JointType.PRISMATIC, name="j", limits=Limits(lower=at, upper=at))
    robot = Robot(name="r", frames=(Frame(id="a"), Frame(id="b", parent="a", joint=joint)))
    findings = Findings()
    text = dumps(robot, None, findings)
    element = etree.fromstring(text).find(".//joint")
    assert element is not None
    low, high = map(float, element.get("range", "").split())
    assert low < at < high
    assert high - low == pytest.approx(2e-6 * max(1, abs(at)))
    assert "limits-parted" in {each.code for each in findings}
    assert loads(text).joints["j"].joint == joint


def test_welds_have_their_pose_written() -> None:
    """Without it, Newton takes MuJoCo's default as a pose, and the loop of a slider-crank opens."""
    weld = root_of(SLIDER_CRANK.robot).find("equality/weld")
    assert weld is not None
    assert weld.get("relpose") == "0 0 0 1 0 0 0"


@pytest.mark.parametrize("kind", [JointType.FIXED, JointType.BALL])
def test_a_loop_inside_one_body_is_between_sites(kind: JointType) -> None:
    """MuJoCo refuses an equality of a body with itself."""
    frames = (Frame(id="a"), Frame(id="b", parent="a"), Frame(id="c", parent="a"))
    loop = LoopJoint(parent="b", child="c", joint=Joint(type=kind, name="closing"))
    (equality,) = root_of(Robot(name="r", frames=frames, loop_joints=(loop,))).findall("equality/*")
    assert equality.get("site1")
    assert equality.get("site2")
    assert equality.get("body1") is None


def test_a_drive_bears_what_hangs_on_passive_joints() -> None:
    """A rod on a ball joint turns away from a push, but its whole weight is on the drive."""
    inertial = Inertial(2.0, (0.5, 0.0, 0.0), Tensor(ixx=0.01, iyy=0.2, izz=0.2))
    slide = Joint(type=JointType.PRISMATIC, name="lift")
    frames = (
        Frame(id="base"),
        Frame(id="carriage", parent="base", joint=slide),
        Frame(
            id="rod",
            parent="carriage",
            joint=Joint(type=JointType.BALL, name="hook"),
            links=(Link(name="rod", inertial=inertial),),
        ),
    )
    load = joint_loads(Robot(name="r", frames=frames), ["lift"])["lift"]
    assert load.inertia == pytest.approx(2.0)
    assert load.weight == pytest.approx(2.0 * 9.81, rel=1e-3)


@pytest.mark.parametrize("mass", [1e308, 1e160])
def test_masses_beyond_all_numbers_are_an_error(mass: float) -> None:
    link = Link(name="b", inertial=Inertial(mass, (1e3, 0.0, 0.0), Tensor(ixx=1.0, iyy=1.0, izz=1.0)))
    frames = (Frame(id="a"), Frame(id="b", parent="a", joint=Joint(type=JointType.REVOLUTE, name="j"), links=(link,)))
    with pytest.raises(ModelError, match="too large to compute with"):
        dumps(Robot(name="r", frames=frames))


def test_tensors_beyond_all_numbers_stay_as_they_are() -> None:
    link = Link(name="a", inertial=Inertial(1.0, tensor=Tensor(ixx=math.inf, iyy=1.0, izz=1.0)))
    lowered = lower(Robot(name="r", frames=(Frame(id="a", links=(link,)),)), CAPABILITIES, Choices(), Findings())
    assert lowered.robot.root.links[0].inertial == link.inertial
