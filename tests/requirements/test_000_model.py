"""The Generalized Robot Model: one test for each requirement of its specification (docs/requirements.md)."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner
from tests.lookups import joint_of, present

import swgrm
from swgrm import Dynamics, Entity, EntityKind, Frame, Inertial, Joint, JointType, Limits, Link, Pose, Robot, Sensor
from swgrm.errors import SettingsError
from swgrm.model import Box, LoopJoint, Mesh, Segment, Sphere, Tensor
from swgrm.model.deepjson import JsonProblem
from swgrm.model.grmfile import dumps, loads
from swgrm.settings import settings_from
from swgrm_addin.cli import app
from swgrm_mocks.builder import STEEL, Assembly, Part, pose
from swgrm_mocks.mates import plane, shaft
from swgrm_mocks.samples import SAMPLES, sample
from swgrm_mocks.solids import box

EXAMPLE: dict[str, Any] = {
    "robotName": "MyRobot",
    "rootFrame": {
        "id": "base_frame",
        "name": "Base Frame",
        "transform": {"pos": [0, 0, 0], "rot": [0, 0, 0, 1]},
        "links": [
            {
                "name": "base_link",
                "inertial": {"mass": 1.0, "origin": [0, 0, 0]},
                "visuals": [{"type": "mesh", "uri": "package://..."}],
            }
        ],
        "children": [
            {
                "id": "arm_frame",
                "joint": {"type": "revolute", "axis": [0, 0, 1], "limits": {"lower": -1.57, "upper": 1.57}},
                "links": [{"name": "arm_link"}],
            }
        ],
    },
}


def saved(robot: Robot) -> Robot:
    return loads(dumps(robot))


def understood(assembly: Assembly) -> Robot:
    return swgrm.understand(assembly.capture()).robot


# ---- core concepts


def test_the_model_represents_what_urdf_cannot() -> None:
    ball, screw = Joint(type=JointType.BALL), Joint(type=JointType.SCREW, pitch=0.01)
    robot = Robot(
        name="r",
        frames=(
            Frame(id="base", links=(Link(name="a"), Link(name="b"))),
            Frame(id="wrist", parent="base", joint=ball),
            Frame(id="nut", parent="base", joint=screw),
        ),
        loop_joints=(LoopJoint(parent="wrist", child="nut", joint=Joint(type=JointType.REVOLUTE, name="loop")),),
    )
    assert saved(robot) == robot


def test_the_model_is_a_hierarchical_frame_tree() -> None:
    robot = loads(json.dumps(EXAMPLE))
    assert robot.root.id == "base_frame"
    assert [frame.id for frame in robot.children("base_frame")] == ["arm_frame"]
    assert [frame.id for frame in robot.path("arm_frame")] == ["base_frame", "arm_frame"]


def test_a_frame_is_a_coordinate_system_with_a_parent_and_a_local_transform() -> None:
    quarter = (0.0, 0.0, 0.5**0.5, 0.5**0.5)
    frames = (
        Frame(id="base"),
        Frame(id="a", parent="base", transform=Pose((1.0, 0.0, 0.0), quarter)),
        Frame(id="b", parent="a", transform=Pose((1.0, 0.0, 0.0))),
    )
    robot = Robot(name="r", frames=frames)
    assert robot.frame("b").parent == "a"
    np.testing.assert_allclose(swgrm.poses(robot)["b"][:3, 3], [1.0, 1.0, 0.0], atol=1e-12)


@pytest.mark.parametrize("kind", list(EntityKind))
def test_a_frame_can_be_linked_to_a_solidworks_entity(kind: EntityKind) -> None:
    assert {str(each) for each in EntityKind} == {"coordinateSystem", "plane", "axis", "point", "component"}
    robot = Robot(name="r", frames=(Frame(id="base", entity=Entity(kind, "arm-1/thing")),))
    assert present(saved(robot).root.entity).kind is kind


def test_a_link_has_mass_centre_of_gravity_and_inertia_tensor() -> None:
    inertial = Inertial(2.0, (0.1, 0.2, 0.3), Tensor(1.0, 0.1, 0.2, 2.0, 0.3, 2.5))
    robot = Robot(name="r", frames=(Frame(id="base", links=(Link(name="l", inertial=inertial),)),))
    assert saved(robot).root.links[0].inertial == inertial


def test_a_link_has_lists_of_visual_and_collision_geometry() -> None:
    shapes = (Mesh(uri="a.stl"), Box(size=(1.0, 2.0, 3.0)))
    link = Link(name="l", visuals=shapes, collisions=(Sphere(radius=0.5), *shapes))
    robot = saved(Robot(name="r", frames=(Frame(id="base", links=(link,)),)))
    assert robot.root.links == (link,)


def test_several_links_can_be_attached_to_one_frame() -> None:
    robot = Robot(name="r", frames=(Frame(id="base", links=(Link(name="a"), Link(name="b"), Link(name="c"))),))
    assert [link.name for link in saved(robot).root.links] == ["a", "b", "c"]


def test_a_frame_can_have_no_link() -> None:
    robot = Robot(name="r", frames=(Frame(id="base"), Frame(id="tool0", parent="base")))
    assert saved(robot).frame("tool0").links == ()


def test_a_joint_constrains_a_child_frame_in_its_parent_frame() -> None:
    joint = Joint(type=JointType.REVOLUTE, name="j")
    frames = (Frame(id="base"), Frame(id="arm", parent="base", transform=Pose((1.0, 0.0, 0.0)), joint=joint))
    robot = Robot(name="r", frames=(*frames, Frame(id="tip", parent="arm", transform=Pose((1.0, 0.0, 0.0)))))
    np.testing.assert_allclose(swgrm.poses(robot, {"j": np.pi / 2})["tip"][:3, 3], [1.0, 1.0, 0.0], atol=1e-12)


def test_the_joint_types_are_fixed_revolute_prismatic_ball_and_screw() -> None:
    assert [str(kind) for kind in JointType] == ["fixed", "revolute", "prismatic", "ball", "screw"]
    for kind in JointType:
        robot = Robot(name="r", frames=(Frame(id="base"), Frame(id="a", parent="base", joint=Joint(type=kind))))
        assert present(saved(robot).frame("a").joint).type is kind


def test_a_joint_has_limits_of_position_velocity_and_effort() -> None:
    limits = Limits(lower=-1.0, upper=2.0, velocity=3.0, effort=4.0)
    joint = Joint(type=JointType.REVOLUTE, name="j", limits=limits)
    robot = saved(Robot(name="r", frames=(Frame(id="base"), Frame(id="a", parent="base", joint=joint))))
    assert joint_of(robot, "j").limits == limits


def test_a_joint_has_damping_and_friction() -> None:
    joint = Joint(type=JointType.PRISMATIC, name="j", dynamics=Dynamics(0.5, 2.0))
    robot = saved(Robot(name="r", frames=(Frame(id="base"), Frame(id="a", parent="base", joint=joint))))
    assert joint_of(robot, "j").dynamics == Dynamics(damping=0.5, friction=2.0)


# ---- sensors


@pytest.mark.parametrize("kind", ["camera", "ray", "imu"])
def test_a_sensor_is_attached_to_a_frame(kind: str) -> None:
    sensor = Sensor(name="s", type=kind, id="1", update_rate=30.0)
    robot = Robot(name="r", frames=(Frame(id="base"), Frame(id="mount", parent="base", sensors=(sensor,))))
    assert saved(robot).frame("mount").sensors == (sensor,)
    assert "sensor-type" not in {finding.code for finding in swgrm.check(robot)}


PARAMS = {
    "camera": {"image": {"width": 640, "height": 480, "format": "R8G8B8"}, "horizontal_fov": 1.047},
    "distortion": [0.1, -0.25, 0.0],
    "visualize": True,
    "rays": [{"min": 0.1, "noisy": False}, {"min": 0.2}],
    "topic": "/scan",
}


def test_sensor_parameters_are_extensible_data() -> None:
    robot = Robot(name="r", frames=(Frame(id="base", sensors=(Sensor(name="s", type="camera", params=PARAMS),)),))
    again = saved(robot).root.sensors[0].params
    assert again == PARAMS
    assert isinstance(again["visualize"], bool)
    assert isinstance(again["camera"]["image"]["width"], int)


def test_sensor_parameters_in_the_settings_are_extensible_data(tmp_path: Path) -> None:
    settings = tmp_path / "arm.grm.yaml"
    sensor = {"type": "camera", "at": "flange-1/camera", "params": PARAMS}
    settings.write_text(f"sensors: {{eye: {json.dumps(sensor)}}}")
    robot = swgrm.export("mock:arm", tmp_path / "out", formats=("grm",), settings=settings).robot
    assert robot.frame("flange-1/camera").sensors[0].params == PARAMS
    assert swgrm.load(tmp_path / "out" / "arm.grm.json").frame("flange-1/camera").sensors[0].params == PARAMS


def test_sensor_parameters_survive_urdf(tmp_path: Path) -> None:
    robot = Robot(name="r", frames=(Frame(id="base", sensors=(Sensor(name="s", type="camera", params=PARAMS),)),))
    swgrm.save(robot, tmp_path / "r.urdf")
    text = (tmp_path / "r.urdf").read_text()
    assert '<image width="640" height="480" format="R8G8B8"/>' in text
    assert '<rays min="0.1" noisy="false"/>' in text
    assert "<topic>/scan</topic>" in text
    assert swgrm.load(tmp_path / "r.urdf") == robot
    (tmp_path / "r.urdf").write_text(text.replace('width="640"', 'width="320"'))
    edited = swgrm.load(tmp_path / "r.urdf").root.sensors[0].params
    assert edited["camera.image.width"] == "320", "an edited value is kept, as text"


def test_two_sensor_parameters_of_one_path_are_reported() -> None:
    sensor = Sensor(name="s", type="ray", params={"a.b": "1", "a": {"b": 2}})
    findings = swgrm.Findings()
    from swgrm_exporters.urdf.writer import dumps as urdf

    urdf(Robot(name="r", frames=(Frame(id="base", sensors=(sensor,)),)), findings=findings)
    assert ("prop-unwritable", "sensor s") in {(each.code, each.where) for each in findings}


# ---- the file


def test_the_example_of_the_specification_loads() -> None:
    robot = loads(json.dumps(EXAMPLE))
    assert (robot.name, robot.root.name, robot.root.transform) == ("MyRobot", "Base Frame", Pose())
    assert robot.root.links[0].inertial == Inertial(1.0)
    assert robot.root.links[0].visuals == (Mesh(uri="package://..."),)
    joint = present(robot.frame("arm_frame").joint)
    assert (joint.type, joint.axis, joint.limits) == (JointType.REVOLUTE, (0.0, 0.0, 1.0), Limits(-1.57, 1.57))


def test_the_example_with_every_default_spelled_out_loads() -> None:
    plain = loads(json.dumps(EXAMPLE))
    complete = json.loads(dumps(plain, complete=True))
    assert complete["rootFrame"]["children"][0]["children"] == []
    assert complete["rootFrame"]["joint"] is None
    assert loads(json.dumps(complete)) == plain
    empty = json.loads(json.dumps(complete).replace("[]", "null").replace('""', "null").replace("{}", "null"))
    assert loads(json.dumps(empty)) == plain, "other programs write null for what is absent"


def test_a_complete_file_has_all_keys(tmp_path: Path) -> None:
    (tmp_path / "in.grm.json").write_text(json.dumps(EXAMPLE))
    command = ["convert", str(tmp_path / "in.grm.json"), str(tmp_path / "out.grm.json"), "--complete"]
    result = CliRunner().invoke(app, command)
    assert result.exit_code == 0, result.output
    data = json.loads((tmp_path / "out.grm.json").read_text())
    arm = data["rootFrame"]["children"][0]
    assert {"id", "name", "transform", "joint", "links", "sensors", "children"} <= arm.keys()
    assert {"type", "axis", "limits", "dynamics"} <= arm["joint"].keys()
    assert {"lower", "upper", "velocity", "effort"} <= arm["joint"]["limits"].keys()
    assert {"name", "inertial", "visuals", "collisions"} <= arm["links"][0].keys()
    exported = CliRunner().invoke(
        app, ["export", "mock:four_bar", "-o", str(tmp_path / "x"), "--format", "grm", "--complete"]
    )
    assert exported.exit_code == 0, exported.output
    assert '"sensors": []' in (tmp_path / "x" / "four_bar.grm.json").read_text()


def test_a_joint_type_in_the_spelling_of_the_prose_gets_a_suggestion() -> None:
    for name in ("Fixed", "Revolute", "Prismatic", "Ball", "Screw"):
        text = json.dumps(EXAMPLE).replace("revolute", name)
        with pytest.raises(JsonProblem, match=f"joint.type: .*Did you mean `{name.lower()}`"):
            loads(text)
        with pytest.raises(SettingsError, match=f"joints, j, type: .*Did you mean `{name.lower()}`"):
            settings_from({"joints": {"j": {"type": name}}})
    with pytest.raises(JsonProblem, match="Known values: ball, fixed, prismatic, revolute, screw"):
        loads(json.dumps(EXAMPLE).replace("revolute", "xyz"))


@pytest.mark.parametrize(
    ("data", "place"),
    [
        ({"props": {"links": {"a.b": {"c.d": [1]}}}}, "props, links, a.b, c.d: "),
        ({"joints": {"a.b": {"limits": 1}}}, "joints, a.b: there is no setting `limits`"),
        ({"props": {"robot": {1: "x"}}}, "props, robot, 1: "),
        ({"sensors": {"eye": {"type": 1, "at": "x"}}}, "sensors, eye, type: "),
    ],
)
def test_messages_name_the_key(data: object, place: str) -> None:
    with pytest.raises(SettingsError) as caught:
        settings_from(data)
    assert str(caught.value).startswith(place)
    assert "[...]" not in str(caught.value)


def test_messages_about_a_file_name_the_key() -> None:
    text = json.dumps(EXAMPLE).replace('"name": "arm_link"', '"name": "arm_link", "props": {"x.y": "", "a.b": 1}')
    with pytest.raises(JsonProblem) as caught:
        loads(text)
    assert caught.value.place == "rootFrame.children[0].links[0].props.a.b"
    relation = json.dumps({**EXAMPLE, "relations": [{"terms": {"j.1": 1.0, "j.2": "x"}}]})
    with pytest.raises(JsonProblem) as caught:
        loads(relation)
    assert caught.value.place == "relations[0].terms.j.2"


# ---- SolidWorks

ENTERED = "mass-of-assembly"


@pytest.mark.parametrize("name", SAMPLES)
def test_a_component_is_a_frame_and_a_link(name: str) -> None:
    """A part has both; a sub-assembly has a frame, and a link only if its mass was entered by hand."""
    capture = sample(name)
    understanding = swgrm.understand(capture)
    robot = understanding.robot
    entered = {each.where.removeprefix("component ") for each in understanding.findings if each.code == ENTERED}
    frames = {f.entity.path: f for f in robot.frames if f.entity and f.entity.kind is EntityKind.COMPONENT}
    left_out = [each.name for each in capture.components if each.suppression == 0 or each.envelope]
    for component in capture.components:
        if any(component.name == each or component.name.startswith(f"{each}/") for each in left_out):
            continue
        has_link = not component.is_assembly or component.name in entered
        paths = [present(link.entity).path for link in frames[component.name].links]
        assert paths == ([component.name] if has_link else [])


def test_a_sub_assembly_with_a_mass_of_its_own_is_a_frame_and_a_link() -> None:
    inner = Assembly("motor")
    inner.part(Part("stator", box(0.1, 0.1, 0.1), STEEL)).fixed()
    inner.override_mass(3.5)
    outer = Assembly("machine")
    outer.part(Part("bed", box(1, 1, 0.1), STEEL)).fixed()
    outer.sub(inner, pose(z=0.2)).fixed()
    robot = understood(outer)
    (link,) = robot.frame("motor-1").links
    assert present(link.inertial).mass == 3.5
    (stator,) = robot.frame("motor-1/stator-1").links
    assert stator.inertial is None


def test_a_sub_assembly_whose_parts_move_is_a_frame_beside_them() -> None:
    inner = Assembly("slide")
    rail = inner.part(Part("rail", box(0.5, 0.1, 0.02), STEEL)).fixed()
    cart = inner.part(Part("cart", box(0.1, 0.1, 0.02), STEEL), pose(z=0.02))
    inner.coincident(rail.at(plane((0, 0, 0.01), (0, 0, 1))), cart.at(plane((0, 0, -0.01), (0, 0, -1))), alignment=1)
    inner.coincident(rail.at(plane((0, 0.05, 0), (0, 1, 0))), cart.at(plane((0, 0.05, 0), (0, 1, 0))))
    outer = Assembly("machine")
    outer.part(Part("bed", box(1, 1, 0.1), STEEL)).fixed()
    outer.sub(inner, pose(z=0.2)).fixed()
    robot = understood(outer)
    assert robot.frame("slide-1").links == ()
    assert robot.frame("slide-1").is_rigid
    moving = [frame.id for frame in robot.path("slide-1/cart-1") if not frame.is_rigid]
    assert len(moving) == 1
    assert [frame.id for frame in robot.path("slide-1/rail-1") if not frame.is_rigid] == []


def test_a_coordinate_system_feature_is_a_pure_frame() -> None:
    part = Part("bed", box(1, 1, 0.1), STEEL)
    part.coordinate_system("tool0", pose(x=0.1))
    assembly = Assembly("machine")
    assembly.part(part).fixed()
    frame = understood(assembly).frame("bed-1/tool0")
    assert present(frame.entity).kind is EntityKind.COORDINATE_SYSTEM
    assert (frame.links, frame.joint, frame.geometry) == ((), None, None)


def test_a_reference_plane_or_axis_is_a_pure_frame_with_simplified_geometry() -> None:
    part = Part("bed", box(1, 1, 0.1), STEEL)
    part.plane("cut", pose(x=0.1))
    part.axis("spin", (0, 0, 0), (0, 0, 0.25))
    part.point("corner", (0.5, 0.5, 0.05))
    assembly = Assembly("machine")
    assembly.part(part).fixed()
    robot = understood(assembly)
    names = {"cut": "Patch", "spin": "Segment", "corner": "Mark"}
    for name, shown in names.items():
        frame = robot.frame(f"bed-1/{name}")
        assert frame.links == ()
        assert type(frame.geometry).__name__ == shown
    assert robot.frame("bed-1/spin").geometry == Segment(0.25)


def test_mates_determine_the_joint_parameters() -> None:
    assembly = Assembly("machine")
    bed = assembly.part(Part("bed", box(1, 1, 0.1), STEEL)).fixed()
    disc = assembly.part(Part("disc", box(0.2, 0.2, 0.1), STEEL), pose(x=0.3, z=0.1))
    assembly.concentric(bed.at(shaft((0.3, 0, 0), (0, 0, 1), 0.01)), disc.at(shaft((0, 0, 0), (0, 0, 1), 0.01)))
    assembly.coincident(bed.at(plane((0, 0, 0.05), (0, 0, 1))), disc.at(plane((0, 0, -0.05), (0, 0, -1))), alignment=1)
    robot = understood(assembly)
    joint = joint_of(robot, "disc_joint")
    assert joint.type is JointType.REVOLUTE
    T = swgrm.poses(robot)["disc"]
    np.testing.assert_allclose(T[:3, :3] @ joint.axis, swgrm.poses(robot)["bed-1"][:3, 2], atol=1e-9)
    assert joint.limits == Limits()
    one, other = plane((0.3, 0, 0), (1, 0, 0)), plane((0, 0, 0), (math.cos(0.4), math.sin(0.4), 0))
    assembly.angle(bed.at(one), disc.at(other), value=0.4, limits=(0.1, 0.9))
    limits = joint_of(understood(assembly), "disc_joint").limits
    assert (limits.lower, limits.upper) == pytest.approx((-0.3, 0.5))
