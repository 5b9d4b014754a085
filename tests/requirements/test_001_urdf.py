"""URDF: one test for each requirement of its specification (docs/requirements.md)."""

from __future__ import annotations

import re
import subprocess
import sys
import unicodedata
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from installer.setup import payload
from msgspec.structs import astuple
from scipy.spatial.transform import Rotation
from tests.lookups import joint_of, of_type, present
from tests.robots import robots

import swgrm
from swgrm import Calibration, Frame, Inertial, Joint, JointType, Limits, Link, Material, Mesh, Pose, Robot, Safety
from swgrm.errors import SettingsError
from swgrm.meshes.overlaps import overlaps
from swgrm.meshes.primitives import fit
from swgrm.meshes.store import MeshFiles
from swgrm.meshes.uris import report_absent, resolve
from swgrm.model import Box, Capsule, Cylinder, Geometry, Sphere, Tensor, Transmission, TransmissionEnd
from swgrm_exporters.lowering import Merge
from swgrm_exporters.urdf.options import NameStyle, UrdfOptions
from swgrm_exporters.urdf.reader import loads
from swgrm_exporters.urdf.writer import dumps
from swgrm_exporters.xmltext import XmlProblem
from swgrm_mocks.builder import STEEL, Assembly, Part, colour, pose
from swgrm_mocks.mates import plane, shaft
from swgrm_mocks.solids import Solid, box


def turntable(**properties: str) -> Assembly:
    """A disc that rotates on a bed; the properties are custom properties of the disc's part, dots as `__`."""
    assembly = Assembly("machine")
    bed = assembly.part(Part("bed", box(1, 1, 0.1), STEEL)).fixed()
    part = Part("disc", box(0.2, 0.2, 0.1), STEEL)
    for name, value in properties.items():
        part.custom_property(name.replace("__", "."), value)
    disc = assembly.part(part, pose(x=0.3, z=0.1))
    assembly.concentric(bed.at(shaft((0.3, 0, 0), (0, 0, 1), 0.01)), disc.at(shaft((0, 0, 0), (0, 0, 1), 0.01)))
    assembly.coincident(bed.at(plane((0, 0, 0.05), (0, 0, 1))), disc.at(plane((0, 0, -0.05), (0, 0, -1))), alignment=1)
    return assembly


def exported(tmp_path: Path, assembly: Assembly, settings: str = "") -> tuple[Robot, str, set[str]]:
    """The robot of an assembly, its URDF, and the codes of the findings."""
    swgrm.save_capture(assembly.capture(), tmp_path / "machine.swcap")
    if settings:
        (tmp_path / "machine.grm.yaml").write_text(settings)
    done = swgrm.export(str(tmp_path / "machine.swcap"), tmp_path / "out", formats=("urdf",))
    return done.robot, (tmp_path / "out" / "machine.urdf").read_text(), {each.code for each in done.findings}


# ---- transmission, safety controller, calibration and limits from SolidWorks

DRIVE = """
joints:
  disc_joint:
    effort: 40 Nm
    acceleration: 90 deg/s²
    safetyController: {kVelocity: 10, kPosition: 15, softLowerLimit: -90 deg, softUpperLimit: 1.5}
    calibration: {rising: 10 deg}
    transmission: {hardwareInterface: hardware_interface/EffortJointInterface, mechanicalReduction: 50, actuator: m1}
"""
INTERFACE = ("hardware_interface/EffortJointInterface",)


def check_drive(robot: Robot, urdf: str) -> None:
    joint = joint_of(robot, "disc_joint")
    assert joint.limits.effort == 40.0
    assert joint.limits.acceleration == pytest.approx(3.14159265 / 2)
    assert present(joint.safety).k_velocity == 10.0
    assert present(joint.safety).soft_lower_limit == pytest.approx(-3.14159265 / 2)
    assert present(present(joint.calibration).rising) == pytest.approx(0.1745329252)
    assert robot.transmissions == (
        Transmission(
            name="disc_joint_transmission",
            type="transmission_interface/SimpleTransmission",
            joints=(TransmissionEnd("disc_joint", INTERFACE),),
            actuators=(TransmissionEnd("m1", INTERFACE, 50.0),),
        ),
    )
    assert '<transmission name="disc_joint_transmission">' in urdf
    assert "<mechanicalReduction>50</mechanicalReduction>" in urdf
    assert '<safety_controller soft_lower_limit="-1.5707' in urdf
    assert '<calibration rising="0.17453' in urdf


def test_transmission_safety_and_calibration_are_given_in_the_settings(tmp_path: Path) -> None:
    robot, urdf, _ = exported(tmp_path, turntable(), DRIVE)
    check_drive(robot, urdf)


def test_transmission_safety_and_calibration_are_given_as_custom_properties(tmp_path: Path) -> None:
    assembly = turntable(
        joint__limit__effort="40 Nm",
        joint__acceleration="90 deg/s²",
        joint__safety_controller__k_velocity="10",
        joint__safety_controller__k_position="15",
        joint__safety_controller__soft_lower_limit="-90 deg",
        joint__safetyController__softUpperLimit="1.5",
        joint__calibration__rising="10 deg",
        joint__transmission__hardwareInterface=INTERFACE[0],
        joint__transmission__mechanicalReduction="50",
        joint__transmission__actuator="m1",
        joint__flatsim__side="left",
    )
    assembly.custom_property("joint.disc_joint.damping", "0.5")
    robot, urdf, codes = exported(tmp_path, assembly)
    check_drive(robot, urdf)
    assert present(joint_of(robot, "disc_joint").dynamics).damping == 0.5
    assert joint_of(robot, "disc_joint").props == {"flatsim.side": "left"}
    assert not [key for _, link in robot.links() for key in (*link.props, *robot.props) if key.startswith("joint.")]
    assert "property-wrong" not in codes


def test_settings_take_precedence_over_custom_properties(tmp_path: Path) -> None:
    assembly = turntable(joint__effort="1 Nm", joint__velocity="2")
    robot, _, _ = exported(tmp_path, assembly, "joints: {disc_joint: {effort: 5}}")
    assert joint_of(robot, "disc_joint").limits == Limits(velocity=2.0, effort=5.0)


@pytest.mark.parametrize(
    ("key", "value", "sentence"),
    [
        ("joint.effort", "5 mm", "`5 mm` is not a torque"),
        ("joint.efort", "5", "There is no such key. Did you mean `effort`?"),
        ("joint.safety_controller.k_velosity", "5", "Did you mean `kVelocity`?"),
        ("joint.velocity", "fast", "`fast` is not a number"),
    ],
)
def test_a_custom_property_that_cannot_be_used_is_reported(key: str, value: str, sentence: str) -> None:
    assembly = turntable(**{key.replace(".", "__"): value})
    understanding = swgrm.understand(assembly.capture())
    (finding,) = (each for each in understanding.findings if each.code == "property-wrong")
    assert (finding.where, key in finding.message) == ("link disc-1", True)
    assert sentence in finding.message
    assert joint_of(understanding.robot, "disc_joint").limits == Limits()


def test_a_custom_property_of_a_joint_that_does_not_exist_is_reported() -> None:
    assembly = turntable()
    assembly.custom_property("joint.disk_joint.effort", "5")
    findings = [each for each in swgrm.understand(assembly.capture()).findings if each.code == "property-wrong"]
    assert ["Did you mean `disc_joint`?" in each.message for each in findings] == [True]


def test_drive_settings_follow_the_joint_when_it_is_renamed(tmp_path: Path) -> None:
    settings = "joints: {disc_joint: {name: spin, flip: true, transmission: {}, safetyController: {kVelocity: 1}}}"
    robot, _, _ = exported(tmp_path, turntable(), settings)
    assert joint_of(robot, "spin").safety == Safety(1.0)
    assert robot.transmissions[0].joints[0].name == "spin"


def test_calibration_in_the_settings_may_have_one_edge(tmp_path: Path) -> None:
    robot, _, _ = exported(tmp_path, turntable(), "joints: {disc_joint: {calibration: {falling: 0.5}}}")
    assert joint_of(robot, "disc_joint").calibration == Calibration(falling=0.5)


def test_a_material_gets_a_texture_from_the_settings(tmp_path: Path) -> None:
    robot, urdf, _ = exported(tmp_path, turntable())
    material = robot.materials[0].name
    settings = f"materials: {{{material}: {{texture: package://machine/wood.png, rgba: [1, 0, 0, 1]}}}}"
    robot, urdf, _ = exported(tmp_path, turntable(), settings)
    assert robot.materials[0].rgba == (1.0, 0.0, 0.0, 1.0)
    assert '<texture filename="package://machine/wood.png"/>' in urdf
    with pytest.raises(SettingsError, match=f"no material `{material}x`. Did you mean `{material}`"):
        exported(tmp_path, turntable(), settings.replace(material, f"{material}x"))


# ---- elements, as the specification lists them

ALL = """<?xml version="1.0" ?>
<robot name="로봇이름">
  <material name="red"><color rgba="1 0 0 0.5"/><texture filename="red.png"/></material>
  <link name="링크1">
    <inertial><origin xyz="0.1 0.2 0.3" rpy="0 0 1.5"/><mass value="2.5"/>
      <inertia ixx="1" ixy="0.1" ixz="0.2" iyy="2" iyz="0.3" izz="2.5"/></inertial>
    <visual name="shell"><origin xyz="0 0 1" rpy="0.5 0 0"/><geometry><box size="1 2 3"/></geometry>
      <material name="red"/></visual>
    <visual><geometry><cylinder radius="0.1" length="0.4"/></geometry></visual>
    <visual><geometry><sphere radius="0.3"/></geometry></visual>
    <visual><geometry><mesh filename="package://p/a.dae" scale="1 2 3"/></geometry></visual>
    <visual><geometry><mesh filename="a.stl"/></geometry></visual>
    <collision name="hull"><origin xyz="1 0 0"/><geometry><box size="1 1 1"/></geometry></collision>
    <collision><geometry><sphere radius="2"/></geometry></collision>
  </link>
  <link name="링크2"/>
  <joint name="관절" type="revolute"><parent link="링크1"/><child link="링크2"/>
    <limit lower="-1" upper="1" effort="5" velocity="2"/></joint>
  <transmission name="t"><type>transmission_interface/SimpleTransmission</type>
    <joint name="관절"><hardwareInterface>hi</hardwareInterface></joint>
    <actuator name="m"><mechanicalReduction>50</mechanicalReduction></actuator></transmission>
  <gazebo reference="링크2"><mu1>0.2</mu1></gazebo>
  <sensor name="eye" type="camera" id="3" update_rate="30"><parent link="링크2"/></sensor>
</robot>"""


def both_ways(text: str) -> tuple[Robot, Robot]:
    """The robot in a URDF text, and the same after writing and reading it again."""
    robot = loads(text)
    return robot, loads(dumps(robot, UrdfOptions(names=NameStyle.KEEP)))


def test_a_robot_has_links_joints_transmissions_and_gazebo_extensions() -> None:
    for robot in both_ways(ALL):
        assert robot.name == "로봇이름"
        assert [link.name for _, link in robot.links()] == ["링크1", "링크2"]
        assert list(robot.joints) == ["관절"]
        kind, ends = "transmission_interface/SimpleTransmission", (TransmissionEnd("관절", ("hi",)),)
        actuators = (TransmissionEnd("m", (), 50.0),)
        assert robot.transmissions == (Transmission(name="t", type=kind, joints=ends, actuators=actuators),)
        assert (robot.props["gazebo.reference"], robot.props["gazebo.mu1"]) == ("링크2", "0.2")
    assert dumps(loads(ALL)).startswith(b"<?xml version='1.0' encoding='utf-8'?>\n<robot name=")


def test_a_link_has_an_inertial_with_origin_mass_and_inertia() -> None:
    for robot in both_ways(ALL):
        inertial = present(robot.root.links[0].inertial)
        assert (inertial.mass, inertial.origin) == (2.5, (0.1, 0.2, 0.3))
        assert inertial.tensor == Tensor(1.0, 0.1, 0.2, 2.0, 0.3, 2.5)
        np.testing.assert_allclose(inertial.axes, [0, 0, np.sin(0.75), np.cos(0.75)], atol=1e-12)


def test_the_origin_of_an_inertial_is_by_default_the_identity() -> None:
    text = '<robot name="r"><link name="a"><inertial>%s<mass value="1"/><inertia/></inertial></link></robot>'
    for origin in ("", "<origin/>", '<origin xyz="0 0 0"/>', '<origin rpy="0 0 0"/>'):
        inertial = present(loads(text % origin).root.links[0].inertial)
        assert (inertial.origin, inertial.axes) == ((0.0, 0.0, 0.0), (0.0, 0.0, 0.0, 1.0))


def test_an_inertial_is_optional() -> None:
    for robot in both_ways('<robot name="r"><link name="a"/></robot>'):
        assert robot.root.links[0].inertial is None


def test_a_link_has_several_visuals_with_name_origin_and_geometry() -> None:
    for robot in both_ways(ALL):
        visuals = robot.root.links[0].visuals
        assert [type(shape) for shape in visuals] == [Box, Cylinder, Sphere, Mesh, Mesh]
        assert (visuals[0].name, visuals[0].origin.pos) == ("shell", (0.0, 0.0, 1.0))
        assert (visuals[1].name, visuals[1].origin) == ("", Pose())


def test_the_geometries_are_box_cylinder_sphere_and_mesh() -> None:
    for robot in both_ways(ALL):
        box_, cylinder, sphere, mesh, plain = robot.root.links[0].visuals
        assert of_type(Box, box_).size == (1.0, 2.0, 3.0)
        assert (of_type(Cylinder, cylinder).radius, of_type(Cylinder, cylinder).length) == (0.1, 0.4)
        assert of_type(Sphere, sphere).radius == 0.3
        assert (of_type(Mesh, mesh).uri, of_type(Mesh, mesh).scale) == ("package://p/a.dae", (1.0, 2.0, 3.0))
        assert of_type(Mesh, plain).scale == (1.0, 1.0, 1.0)


@pytest.mark.parametrize("tag", ["visual", "collision"])
def test_a_visual_without_geometry_is_an_error(tag: str) -> None:
    with pytest.raises(XmlProblem, match=f"<{tag}> .* has no <geometry>"):
        loads(f'<robot name="r"><link name="a"><{tag}/></link></robot>')


@pytest.mark.parametrize("shapes", ["", '<torus radius="1"/>', '<box size="1 1 1"/><sphere radius="1"/>'])
@pytest.mark.parametrize("tag", ["visual", "collision"])
def test_a_geometry_is_one_of_the_shapes(tag: str, shapes: str) -> None:
    with pytest.raises(XmlProblem, match="one is expected"):
        loads(f'<robot name="r"><link name="a"><{tag}><geometry>{shapes}</geometry></{tag}></link></robot>')


def test_box_cylinder_and_sphere_are_about_their_centres() -> None:
    import trimesh.creation

    centre, meshes = np.array([0.5, 1.0, 1.5]), trimesh.creation
    made = {
        "box": meshes.box((1.0, 2.0, 3.0)),
        "cylinder": meshes.cylinder(0.5, 2.0, sections=64),
        "sphere": meshes.icosphere(3, 0.5),
    }
    for kind, mesh in made.items():
        shape = fit(np.asarray(mesh.vertices) + centre, kind)
        np.testing.assert_allclose(shape.origin.pos, centre, atol=1e-6)


def reach(shape: Geometry, folder: Path, axis: int) -> list[bool]:
    """Whether a shape at the origin meets a small ball at -0.55, -0.45, 0.45 and 0.55 m on an axis."""
    found = []
    for at in (-0.55, -0.45, 0.45, 0.55):
        place = Pose((at, 0.0, 0.0) if axis == 0 else (0.0, 0.0, at))
        joint = Joint(type=JointType.REVOLUTE, name="j")
        ball = Link(name="ball", collisions=(Sphere(radius=0.02),))
        base = Frame(id="base", links=(Link(name="base", collisions=(shape,)),))
        robot = Robot(
            name="r", frames=(base, Frame(id="b", parent="base", transform=place, joint=joint, links=(ball,)))
        )
        found.append(bool(overlaps(robot, MeshFiles(folder))))
    return found


def test_shapes_extend_equally_from_their_origin(tmp_path: Path) -> None:
    inside = [False, True, True, False]
    for shape in (Box(size=(1.0, 1.0, 1.0)), Cylinder(radius=0.5, length=1.0), Sphere(radius=0.5)):
        assert [reach(shape, tmp_path, axis) for axis in (0, 2)] == [inside, inside]


def test_the_scale_of_a_mesh_scales_each_axis(tmp_path: Path) -> None:
    import trimesh.creation

    trimesh.creation.box((0.5, 0.5, 0.5)).export(tmp_path / "a.stl")
    text = '<robot name="r"><link name="a"><visual><geometry>%s</geometry></visual></link></robot>'
    for scale, wide in (("", False), ('scale="2 1 1"', True)):
        shape = loads(text % f'<mesh filename="a.stl" {scale}/>').root.links[0].visuals[0]
        assert [any(reach(shape, tmp_path, axis)) for axis in (0, 2)] == [wide, False]


@pytest.mark.parametrize("place", ["inertial", "visual", "collision", "joint"])
def test_rpy_is_about_fixed_axes_in_radians(place: str) -> None:
    rpy = (0.3, -0.7, 1.9)
    origin = '<origin xyz="1 2 3" rpy="0.3 -0.7 1.9"/>'
    at = {each: origin if each == place else "" for each in ("inertial", "visual", "collision", "joint")}
    box_ = '<geometry><box size="1 1 1"/></geometry>'
    text = f"""<robot name="r"><link name="a"/><link name="b">
      <inertial>{at["inertial"]}<mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial>
      <visual>{at["visual"]}{box_}</visual><collision>{at["collision"]}{box_}</collision></link>
      <joint name="j" type="fixed">{at["joint"]}<parent link="a"/><child link="b"/></joint></robot>"""
    expected = Rotation.from_euler("xyz", rpy).as_matrix()  # small letters: about fixed axes
    for robot in both_ways(text):
        frame = robot.frame("b")
        (link,) = frame.links
        inertial = present(link.inertial)
        poses = {
            "inertial": Pose(inertial.origin, inertial.axes),
            "visual": link.visuals[0].origin,
            "collision": link.collisions[0].origin,
            "joint": frame.transform,
        }
        for name, found in poses.items():
            if name == place:
                np.testing.assert_allclose(found.matrix[:3, :3], expected, atol=1e-12)
                np.testing.assert_allclose(found.pos, [1.0, 2.0, 3.0], atol=1e-12)
            else:
                assert found == Pose()


def test_the_origin_of_an_inertial_is_the_centre_of_mass(tmp_path: Path) -> None:
    assembly = Assembly("machine")
    assembly.part(Part("bed", box(0.1, 0.2, 0.3).moved(pose(x=0.4, z=-0.5)), STEEL), pose(y=2.0)).fixed()
    exported(tmp_path, assembly)
    robot = swgrm.load(tmp_path / "out" / "machine.urdf")
    ((frame, link),) = ((frame, link) for frame, link in robot.links() if link.inertial)
    centre = swgrm.poses(robot)[frame.id] @ [*present(link.inertial).origin, 1.0]
    np.testing.assert_allclose(centre[:3], [0.4, 0.5, 2.0], atol=1e-7, err_msg="Y is up in SolidWorks")


def test_visual_collision_material_and_texture_are_optional() -> None:
    for robot in both_ways(ALL.replace('<texture filename="red.png"/>', "")):
        bare = robot.frame("링크2").links[0]
        assert (bare.visuals, bare.collisions) == ((), ())
        assert robot.materials == (Material("red", (1.0, 0.0, 0.0, 0.5)),)
        assert [shape.material for shape in robot.root.links[0].visuals] == ["red", "", "", "", ""]


def test_mesh_files_are_local_files(tmp_path: Path) -> None:
    exported(tmp_path, turntable())
    file = tmp_path / "out" / "machine.urdf"
    uris = re.findall(r'<mesh filename="([^"]+)"', file.read_text())
    assert uris
    assert all(resolve(uri, file.parent) for uri in uris)
    file.write_text(file.read_text().replace(f'"{uris[0]}"', '"http://example.com/a.stl"'))
    findings = swgrm.Findings()
    report_absent(swgrm.load(file), file.parent, findings)
    assert [(each.code, "`http://example.com/a.stl`" in each.message) for each in findings] == [("mesh-absent", True)]


def test_a_material_has_a_name_a_colour_and_a_texture() -> None:
    for robot in both_ways(ALL):
        assert robot.materials == (Material("red", (1.0, 0.0, 0.0, 0.5), "red.png"),)


def test_a_colour_is_four_numbers_from_0_to_1() -> None:
    with pytest.raises(XmlProblem, match="4 numbers are expected"):
        loads(ALL.replace('rgba="1 0 0 0.5"', 'rgba="1 0 0"'))
    for rgba in ("255 0 0 1", "1 0 -0.1 1"):
        findings = swgrm.check(loads(ALL.replace('rgba="1 0 0 0.5"', f'rgba="{rgba}"')))
        assert [each.where for each in findings if each.code == "rgba-range"] == ["material red"]
    assert "rgba-range" not in {each.code for each in swgrm.check(loads(ALL))}


def test_a_material_of_the_robot_is_referenced_by_its_name() -> None:
    for robot in both_ways(ALL):
        assert robot.root.links[0].visuals[0].material == "red"


def test_a_link_has_several_collisions_that_may_differ_from_its_visuals() -> None:
    for robot in both_ways(ALL):
        first, second = robot.root.links[0].collisions
        assert (first.name, first.origin.pos, type(first)) == ("hull", (1.0, 0.0, 0.0), Box)
        assert (second.name, second.origin, type(second)) == ("", Pose(), Sphere)


def test_a_joint_is_read_with_its_parent_child_and_limits() -> None:
    for robot in both_ways(ALL):
        assert robot.frame("링크2").parent == "링크1"
        assert joint_of(robot, "관절").limits == Limits(-1.0, 1.0, 2.0, 5.0)


# ---- sensors


def test_a_sensor_has_a_name_a_type_an_id_and_an_update_rate() -> None:
    for robot in both_ways(ALL):
        (sensor,) = robot.frame("링크2").sensors
        assert (sensor.name, sensor.type, sensor.id, sensor.update_rate) == ("eye", "camera", "3", 30.0)


def test_the_id_and_the_update_rate_of_a_sensor_are_optional() -> None:
    text = '<robot name="r"><link name="a"/><sensor name="s" type="imu"><parent link="a"/></sensor></robot>'
    for robot in both_ways(text):
        (sensor,) = robot.root.sensors
        assert (sensor.id, sensor.update_rate) == ("", None)


@pytest.mark.parametrize("attribute", ["name", "type"])
def test_the_name_and_the_type_of_a_sensor_are_required(attribute: str) -> None:
    text = '<robot name="r"><link name="a"/><sensor name="s" type="imu"><parent link="a"/></sensor></robot>'
    with pytest.raises(XmlProblem, match=f"no `{attribute}`"):
        loads(text.replace({"name": ' name="s"', "type": ' type="imu"'}[attribute], ""))


@pytest.mark.parametrize(
    "kind",
    ["camera", "ray", "imu", "magnetometer", "gps", "force_torque", "contact", "sonar", "rfidtag", "rifd"],
)
def test_every_sensor_type_of_the_specification_is_known(kind: str) -> None:
    findings = swgrm.Findings()
    text = f'<robot name="r"><link name="a"/><sensor name="s" type="{kind}"><parent link="a"/></sensor></robot>'
    robot = loads(text, findings)
    assert robot.root.sensors[0].type == {"rifd": "rfid"}.get(kind, kind)
    assert "sensor-type" not in {each.code for each in swgrm.check(robot)}
    assert [each.code for each in findings] == (["sensor-misspelt"] if kind == "rifd" else [])


def test_a_sensor_of_another_type_is_kept_with_a_finding() -> None:
    for robot in both_ways(ALL.replace('type="camera"', 'type="lidar"')):
        assert robot.frame("링크2").sensors[0].type == "lidar"
        assert [each.where for each in swgrm.check(robot) if each.code == "sensor-type"] == ["sensor eye"]


def test_an_update_rate_that_is_not_a_number_is_an_error() -> None:
    with pytest.raises(XmlProblem, match="update_rate"):
        loads(ALL.replace('update_rate="30"', 'update_rate="often"'))


# ---- names in any script


def test_names_in_any_script_stay_as_they_are_with_the_option() -> None:
    text = dumps(loads(ALL), UrdfOptions(names=NameStyle.KEEP, annotate=False, virtual_inertia=False)).decode()
    for part in ('<robot name="로봇이름">', '<link name="링크1">', '<joint name="관절"', '<child link="링크2"/>'):
        assert part in text
    assert loads(text).is_same_as(loads(ALL)).is_same


@given(robots(strange=True))
def test_every_name_is_kept_with_the_option(robot: Robot) -> None:
    findings = swgrm.Findings()
    dumps(robot, UrdfOptions(names=NameStyle.KEEP, merge=Merge.NONE), findings)
    renamed = [each for each in findings if each.code == "renamed"]
    assert all(any(unicodedata.category(sign)[0] in "CZ" for sign in each.where) for each in renamed)


def test_the_loss_of_a_name_is_a_finding_that_names_the_mapping() -> None:
    findings = swgrm.Findings()
    text = dumps(loads(ALL), UrdfOptions(annotate=False), findings).decode()
    assert text.isascii()
    mapped = {each.where: each.message for each in findings if each.code == "renamed"}
    assert mapped.keys() == {"robot 로봇이름", "frame 링크1", "frame 링크2", "link 링크1", "link 링크2", "joint 관절"}
    assert "`링크1` is written as `LingKeu1`" in mapped["link 링크1"]
    assert all("names: keep" in each.remedy for each in findings if each.code == "renamed")


def test_names_in_any_script_are_kept_in_the_grm_file_and_come_back_from_urdf(tmp_path: Path) -> None:
    robot = loads(ALL)
    swgrm.save(robot, tmp_path / "r.grm.json")
    swgrm.save(robot, tmp_path / "r.urdf")
    assert swgrm.load(tmp_path / "r.grm.json") == robot
    assert swgrm.load(tmp_path / "r.urdf") == robot, "the original names are in the element <swgrm>"


# ---- inertia tensors


def massive(*shapes: Geometry) -> Robot:
    link = Link(name="arm", inertial=Inertial(3.0, (0.1, 0.0, 0.0)), collisions=shapes)
    joint = Joint(type=JointType.REVOLUTE, name="j")
    return Robot(name="r", frames=(Frame(id="base"), Frame(id="arm", parent="base", joint=joint, links=(link,))))


def written_tensor(robot: Robot, findings: swgrm.Findings, *, virtual: bool = True) -> Tensor:
    text = dumps(robot, UrdfOptions(annotate=False, virtual_inertia=virtual), findings)
    return present(present(loads(text).frame("arm").links[0].inertial).tensor)


@pytest.mark.parametrize(
    ("shape", "expected"),
    [
        (Box(size=(1.0, 2.0, 3.0)), (3 * 13 / 12, 3 * 10 / 12, 3 * 5 / 12)),
        (Sphere(radius=0.5), (0.3, 0.3, 0.3)),
        (Cylinder(radius=0.5, length=2.0), (3 * (0.75 + 4) / 12, 3 * (0.75 + 4) / 12, 0.375)),
        (Capsule(radius=0.5, length=1e-12), (0.3, 0.3, 0.3)),
    ],
)
def test_a_mass_without_a_tensor_gets_the_tensor_of_its_shape(shape: Geometry, expected: tuple[float, ...]) -> None:
    findings = swgrm.Findings()
    tensor = written_tensor(massive(shape), findings)
    assert (tensor.ixx, tensor.iyy, tensor.izz) == pytest.approx(expected)
    assert [each.where for each in findings if each.code == "tensor-of-shape"] == ["link arm"]


def test_a_capsule_has_the_tensor_of_a_mesh_of_it() -> None:
    import trimesh

    radius, length = 0.3, 0.9
    mesh = trimesh.creation.capsule(height=length, radius=radius, count=[128, 128])
    moments = np.diag(mesh.moment_inertia) / mesh.mass * 3.0
    tensor = written_tensor(massive(Capsule(radius=radius, length=length)), swgrm.Findings())
    np.testing.assert_allclose([tensor.ixx, tensor.iyy, tensor.izz], moments, rtol=2e-3)


def test_the_tensor_of_several_shapes_is_about_their_common_centre() -> None:
    halves = (
        Box(size=(1.0, 1.0, 1.0), origin=Pose((0.0, 0.0, 0.5))),
        Box(size=(1.0, 1.0, 1.0), origin=Pose((0.0, 0.0, -0.5), (0.0, 0.0, 0.5**0.5, 0.5**0.5))),
    )
    one, two = (written_tensor(massive(*s), swgrm.Findings()) for s in ((Box(size=(1.0, 1.0, 2.0)),), halves))
    np.testing.assert_allclose(astuple(one), astuple(two), atol=1e-12)


def test_a_mass_without_a_tensor_or_a_shape_gets_what_massless_links_get() -> None:
    for shapes in ((), (Mesh(uri="a.stl"),)):
        findings = swgrm.Findings()
        tensor = written_tensor(massive(*shapes), findings)
        assert (tensor.ixx, tensor.iyy, tensor.izz) == (1e-9, 1e-9, 1e-9)
        (finding,) = (each for each in findings if each.code == "tensor-assumed")
        assert (finding.where, finding.severity.name) == ("link arm", "WARNING")
    findings = swgrm.Findings()
    assert written_tensor(massive(), findings, virtual=False) == Tensor()
    assert "tensor-assumed" in {each.code for each in findings}, "never six zeros without a finding"


def test_an_assumed_tensor_is_not_read_back(tmp_path: Path) -> None:
    for shapes in ((), (Box(size=(1.0, 2.0, 3.0), origin=Pose(rot=(0.5, 0.5, 0.5, 0.5))),)):
        robot = massive(*shapes)
        swgrm.save(robot, tmp_path / "r.urdf")
        assert swgrm.load(tmp_path / "r.urdf").is_same_as(robot).is_same
    text = (tmp_path / "r.urdf").read_text()
    (tmp_path / "r.urdf").write_text(text.replace('ixx="', 'ixx="1'))
    edited = swgrm.load(tmp_path / "r.urdf").frame("arm").links[0].inertial
    assert present(edited).tensor is not None, "an edited number is kept"


# ---- meshes with several colours


def painted() -> Assembly:
    part = Part("block", box(0.1, 0.1, 0.1).painted(colour(1, 0, 0)) + two_coloured(), STEEL)
    assembly = Assembly("machine")
    assembly.part(part).fixed()
    return assembly


def two_coloured() -> Solid:
    return box(0.1, 0.1, 0.1).moved(pose(x=0.2)).painted(colour(0, 0, 1))


def test_a_dae_mesh_keeps_several_colours_in_one_file(tmp_path: Path) -> None:
    import trimesh

    robot, urdf, _ = exported(tmp_path, painted(), "meshes: {format: dae}")
    ((_, link),) = robot.links()
    (visual,) = link.visuals
    path = tmp_path / "out" / of_type(Mesh, visual).uri
    assert path.suffix == ".dae"
    assert urdf.count("<visual") == 1
    scene = trimesh.load_scene(path)
    colours = {tuple(mesh.visual.material.main_color.tolist()[:3]) for mesh in scene.geometry.values()}
    assert colours == {(255, 0, 0), (0, 0, 255)}


def test_an_stl_mesh_has_a_file_for_each_colour(tmp_path: Path) -> None:
    robot, urdf, _ = exported(tmp_path, painted())
    ((_, link),) = robot.links()
    assert len({shape.material for shape in link.visuals}) == len(link.visuals) == 2
    assert urdf.count("<material name=") == 4, "two are described, and each is referenced once"


def test_dae_needs_no_extra_in_the_set_up_program() -> None:
    root = Path(__file__).parents[2]
    listed = subprocess.run(
        [sys.executable, root / "installer" / "dependencies.py", "meshes"], capture_output=True, text=True, check=True
    )
    assert "pycollada" in listed.stdout
    assert "meshes" in payload.EXTRAS
