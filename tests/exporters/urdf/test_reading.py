"""Reading URDF: its defaults and ranges, and broken or hostile files, which give a sentence each."""

from __future__ import annotations

import time
from pathlib import Path

import numpy as np
import pytest
from msgspec.structs import replace
from tests.lookups import joint_of

from swgrm import Coupling, Dynamics, JointType, Kinematics, Limits, Pose, Robot, Safety, Severity
from swgrm.errors import FileError
from swgrm.findings import Findings
from swgrm.validation import check
from swgrm_exporters.formats import read
from swgrm_exporters.lowering import Merge
from swgrm_exporters.urdf.options import UrdfOptions
from swgrm_exporters.urdf.reader import loads
from swgrm_exporters.urdf.writer import dumps
from swgrm_exporters.urdf.xacro import permitting
from swgrm_exporters.xmltext import LARGEST, XmlProblem

TWO = '<link name="a"/><link name="b">%s</link>'


def text(body: str) -> str:
    return f'<robot name="r">{body}</robot>'


def joint(inner: str = "", kind: str = "continuous", name: str = "j") -> str:
    return f'<joint name="{name}" type="{kind}"><parent link="a"/><child link="b"/>{inner}</joint>'


def one_joint(inner: str = "", kind: str = "continuous") -> Robot:
    return loads(text(TWO % "" + joint(inner, kind)))


def one_link(inner: str) -> Robot:
    return loads(text(f'<link name="a">{inner}</link>'))


# ---- defaults


def test_an_absent_origin_is_the_identity() -> None:
    assert one_joint().frame("b").transform == Pose()
    assert one_joint('<origin rpy="0 0 0"/>').frame("b").transform == Pose()
    assert one_joint('<origin xyz="1 2 3"/>').frame("b").transform == Pose((1.0, 2.0, 3.0))
    box = "<visual><geometry><box size='1 2 3'/></geometry></visual>"
    assert one_link(box).frame("a").links[0].visuals[0].origin == Pose()


def test_an_absent_axis_is_x_and_any_length_is_made_one() -> None:
    assert joint_of(one_joint(), "j").axis == (1.0, 0.0, 0.0)
    assert joint_of(one_joint('<axis xyz="0 0 2"/>'), "j").axis == (0.0, 0.0, 1.0)


def test_limits_dynamics_mimic_and_safety_have_their_defaults() -> None:
    inner = '<limit effort="1" velocity="2" upper="3"/><dynamics friction="4"/><mimic joint="j"/>'
    inner += '<safety_controller k_velocity="5"/>'
    read_joint = joint_of(one_joint(inner, "revolute"), "j")
    assert read_joint.limits == Limits(lower=0.0, upper=3.0, velocity=2.0, effort=1.0)
    assert read_joint.dynamics == Dynamics(0.0, 4.0)
    assert read_joint.coupling == Coupling("j", 1.0, 0.0)
    assert read_joint.safety == Safety(5.0, 0.0, 0.0, 0.0)


def test_continuous_has_no_position_limits_but_effort_and_velocity() -> None:
    limits = joint_of(one_joint('<limit effort="1" velocity="2"/>'), "j").limits
    assert limits == Limits(velocity=2.0, effort=1.0)
    findings = Findings()
    limited = loads(text(TWO % "" + joint('<limit effort="1" velocity="2" lower="-3" upper="3"/>')), findings)
    assert joint_of(limited, "j").limits == limits
    assert [finding.code for finding in findings] == ["limits-dropped"]


def test_materials_are_shared_by_name_and_coloured_ones_without_a_name_get_one() -> None:
    shape = "<geometry><sphere radius='1'/></geometry>"
    inner = (
        f"<visual>{shape}<material name='red'/></visual><visual>{shape}<material name='red'/></visual>"
        f"<visual>{shape}<material name=''><color rgba='0 1 0 1'/></material></visual>"
        f"<visual>{shape}<material name='wood'><texture filename='w.png'/></material></visual>"
    )
    robot = loads(text(f"<material name='red'><color rgba='1 0 0 1'/></material><link name='a'>{inner}</link>"))
    assert [shape.material for shape in robot.frame("a").links[0].visuals] == ["red", "red", "colour_0_1_0_1", "wood"]
    assert {m.name: (m.rgba, m.texture) for m in robot.materials}["wood"] == (None, "w.png")


def test_a_material_described_in_two_ways_is_two_materials() -> None:
    visual = (
        "<visual><geometry><sphere radius='1'/></geometry><material name='m'><color rgba='%s'/></material></visual>"
    )
    findings = Findings()
    visuals = f"{visual % '1 0 0 1'}{visual % '0 0 1 1'}{visual % '0 0 1 1'}"
    robot = loads(text(f"<link name='a'>{visuals}</link>"), findings)
    assert [shape.material for shape in robot.frame("a").links[0].visuals] == ["m", "m_2", "m_2"]
    assert [finding.code for finding in findings] == ["material-conflict"]


def test_a_colour_outside_its_range_is_one_finding_of_the_check() -> None:
    findings = Findings()
    robot = loads(text("<material name='m'><color rgba='255 0 0 1'/></material><link name='a'/>"), findings)
    assert [(finding.code, finding.severity) for finding in check(robot)] == [("rgba-range", Severity.WARNING)]
    assert list(findings) == []


def test_a_mass_without_a_tensor_is_one_finding_of_the_check() -> None:
    findings = Findings()
    robot = loads(text("<link name='a'><inertial><mass value='1'/></inertial></link>"), findings)
    assert [(finding.code, finding.severity) for finding in check(robot)] == [("tensor-missing", Severity.NOTE)]
    assert list(findings) == []


SENSOR = """<sensor name="eye" type="camera" id="7" update_rate="30">
  <parent link="b"/>%s<camera><image width="640" height="480"/></camera></sensor>"""


def test_a_sensor_is_typed_and_its_contents_are_its_parameters() -> None:
    robot = loads(text(TWO % "" + joint() + SENSOR % ""))
    (sensor,) = robot.frame("b").sensors
    assert (sensor.name, sensor.type, sensor.id, sensor.update_rate) == ("eye", "camera", "7", 30.0)
    assert sensor.params == {"camera.image.width": "640", "camera.image.height": "480"}
    assert loads(dumps(robot)) == robot


def test_a_sensor_with_an_origin_gets_a_frame_and_is_written_back_inline() -> None:
    robot = loads(text(TWO % "" + joint() + SENSOR % '<origin xyz="0 0 1"/>'))
    assert robot.frame("eye").transform == Pose((0.0, 0.0, 1.0))
    written = dumps(robot)
    assert b'<link name="eye"' not in written
    assert loads(written) == robot


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        (name, name)
        for name in ("camera", "ray", "imu", "magnetometer", "gps", "force_torque", "contact", "sonar", "rfidtag")
    ]
    + [("rifd", "rfid")],
)
def test_sensor_types_and_the_one_that_is_misspelt(name: str, meant: str) -> None:
    findings = Findings()
    robot = loads(text(f'<link name="a"/><sensor name="s" type="{name}"><parent link="a"/></sensor>'), findings)
    assert robot.frame("a").sensors[0].type == meant
    assert [finding.code for finding in findings] == (["sensor-misspelt"] if name != meant else [])


def test_a_sensor_on_a_joint_is_on_its_child() -> None:
    robot = loads(text(TWO % "" + joint() + '<sensor name="s" type="force_torque"><parent joint="j"/></sensor>'))
    assert [sensor.name for sensor in robot.frame("b").sensors] == ["s"]
    assert b'<parent joint="j"/>' in dumps(robot)


TRANSMISSIONS = [
    """<transmission name="t"><type>transmission_interface/SimpleTransmission</type>
    <joint name="j"><hardwareInterface>A</hardwareInterface><hardwareInterface>B</hardwareInterface></joint>
    <actuator name="m"><hardwareInterface>A</hardwareInterface><mechanicalReduction>50</mechanicalReduction></actuator>
    </transmission>""",
    """<transmission type="pr2_mechanism_model/SimpleTransmission" name="t"><actuator name="m"/><joint name="j"/>
    <mechanicalReduction>-624.36</mechanicalReduction><left name="x" mechanicalReduction="-3"/></transmission>""",
]


@pytest.mark.parametrize("transmission", TRANSMISSIONS)
def test_transmissions_of_both_forms_are_typed_and_kept(transmission: str) -> None:
    robot = loads(text(TWO % "" + joint() + transmission))
    (found,) = robot.transmissions
    assert found.type.endswith("/SimpleTransmission")
    assert [end.name for end in (*found.joints, *found.actuators)] == ["j", "m"]
    assert loads(dumps(robot)) == robot


@pytest.mark.parametrize("axis", ["1 0 0", "0 0 1", "0 0.6 0.8"])
def test_a_planar_joint_is_a_chain_and_is_written_as_planar(axis: str) -> None:
    robot = one_joint(f'<origin xyz="1 0 0" rpy="0.1 0.2 0.3"/><axis xyz="{axis}"/>', "planar")
    kinematics = Kinematics(robot)
    assert kinematics.independent == ("j_u", "j_v", "j")
    at = kinematics.poses({"j_u": 0.3, "j_v": -0.2, "j": 0.7})["b"]
    shift = np.linalg.inv(robot.frame("b_u").transform.matrix) @ at
    normal = np.array(axis.split(), float)
    assert shift[:3, 3] @ normal == pytest.approx(0, abs=1e-12)
    assert np.linalg.norm(shift[:3, 3]) == pytest.approx(np.hypot(0.3, 0.2))
    np.testing.assert_allclose(shift[:3, :3] @ normal, normal, atol=1e-12)
    written = dumps(robot)
    assert b'type="planar"' in written
    assert written.count(b"\n  <link ") == 2
    assert loads(written).is_same_as(robot).is_same


def test_a_floating_joint_is_a_chain_and_is_written_as_floating() -> None:
    robot = one_joint("", "floating")
    assert [frame.joint.type for frame in robot.frames if frame.joint] == [JointType.PRISMATIC] * 3 + [JointType.BALL]
    written = dumps(robot)
    assert b'type="floating"' in written
    assert loads(written) == robot


# ---- broken and hostile

BROKEN = {
    "empty": ("", "the file is empty"),
    "not xml": ("robot", "this is not XML"),
    "cut off": ('<robot name="r"><link name="a">', "this is not XML"),
    "another root": ('<sdf version="1.9"/>', "its first element is <sdf>"),
    "no name": ("<robot><link name='a'/></robot>", "has no `name`"),
    "no links": (text(""), "it has no links"),
    "link without a name": (text("<link/>"), "has no `name`"),
    "two links of one name": (text('<link name="a"/><link name="a"/>'), "two links named `a`"),
    "two joints of one name": (
        text('<link name="a"/><link name="b"/><link name="c"/>' + joint() + joint().replace('"b"', '"c"')),
        "two joints named `j`",
    ),
    "two roots": (text('<link name="a"/><link name="b"/>'), "2 links have no parent"),
    "two parents": (text(TWO % "" + joint() + joint(name="k")), "is the child of two joints"),
    "a circle": (
        text(TWO % "" + joint() + '<joint name="k" type="fixed"><parent link="b"/><child link="a"/></joint>'),
        "form a loop",
    ),
    "a circle beside a tree": (
        text(
            '<link name="r"/>'
            + TWO % ""
            + joint()
            + '<joint name="k" type="fixed"><parent link="b"/><child link="a"/></joint>'
        ),
        "form a loop",
    ),
    "missing link": (text('<link name="a"/>' + joint()), "the child link `b`, which is not there"),
    "missing parent": (text('<link name="b"/>' + joint()), "the parent link `a`, which is not there"),
    "joint without type": (text(TWO % "" + joint().replace(' type="continuous"', "")), "has no `type`"),
    "unknown type": (text(TWO % "" + joint(kind="hinge")), "has the type `hinge`"),
    "no parent": (text(TWO % "" + joint().replace('<parent link="a"/>', "")), "has no <parent>"),
    "word for a number": (text(TWO % "" + joint('<origin xyz="0 0 x"/>')), "not a finite number"),
    "comma": (text(TWO % "" + joint('<origin xyz="0,5 0 0"/>')), "not a finite number"),
    "two numbers": (text(TWO % "" + joint('<origin xyz="0 0"/>')), "3 numbers are expected"),
    "nan": (text(TWO % "" + joint('<origin xyz="nan 0 0"/>')), "not a finite number"),
    "infinite": (text(TWO % "" + joint('<limit effort="1e999" velocity="1"/>')), "not a finite number"),
    "underscores": (text(TWO % "" + joint('<origin xyz="1_0 0 0"/>')), "not a finite number"),
    "no mass": (text("<link name='a'><inertial><inertia ixx='1'/></inertial></link>"), "has no <mass>"),
    "no geometry": (text("<link name='a'><visual/></link>"), "has no <geometry>"),
    "empty geometry": (text("<link name='a'><visual><geometry/></visual></link>"), "contains no shapes"),
    "two forms": (
        text("<link name='a'><visual><geometry><sphere radius='1'/><box size='1 1 1'/></geometry></visual></link>"),
        "contains 2 shapes",
    ),
    "mesh without a file": (
        text("<link name='a'><visual><geometry><mesh/></geometry></visual></link>"),
        "has no `filename`",
    ),
    "sensor nowhere": (
        text('<link name="a"/><sensor name="s" type="imu"><parent link="x"/></sensor>'),
        "which is not there",
    ),
    "undeclared prefix": (text('<link name="a"><x:y/></link>'), "Namespace prefix x"),
    "doctype": ("<!DOCTYPE robot>" + text('<link name="a"/>'), "it has a document type"),
    "entity": ('<!DOCTYPE robot [<!ENTITY e "x">]>' + text('<link name="&e;"/>'), "it has a document type"),
    "laughs": (
        '<!DOCTYPE robot [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">'
        '<!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;"><!ENTITY d "&c;&c;&c;&c;&c;&c;&c;&c;">]>' + text('<link name="&d;"/>'),
        "",
    ),
    "deep": ('<robot name="r">' + "<a>" * 100_000 + "</a>" * 100_000 + "</robot>", "this is not XML"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_file_gives_a_sentence_with_its_line(name: str, tmp_path: Path) -> None:
    content, problem = BROKEN[name]
    file = tmp_path / "robot.urdf"
    file.write_text(content, "utf-8")
    with pytest.raises(FileError) as caught:
        read(file)
    assert problem in str(caught.value)
    assert str(caught.value).startswith(f"{file}: ")
    assert str(caught.value).endswith(".")


def test_no_file_is_read_from_outside(tmp_path: Path) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("secret")
    for declaration in (
        f'<!ENTITY e SYSTEM "{secret.as_uri()}">',
        f'<!ENTITY % p SYSTEM "{secret.as_uri()}"> %p;',
        '<!ENTITY e SYSTEM "http://127.0.0.1:9/">',
    ):
        content = f"<!DOCTYPE robot [{declaration}]>" + text('<link name="a"><note>&e;</note></link>')
        with pytest.raises(XmlProblem) as caught:
            loads(content)
        assert "secret" not in caught.value.problem
    included = (
        '<link name="a"><xi:include xmlns:xi="http://www.w3.org/2001/XInclude" href="secret.txt" parse="text"/></link>'
    )
    assert "secret" not in loads(text(included)).frame("a").links[0].props.values()


def test_a_hundred_megabytes_are_refused_at_once(tmp_path: Path) -> None:
    file = tmp_path / "big.urdf"
    with file.open("wb") as out:
        out.truncate(100 << 20)
    start = time.monotonic()
    with pytest.raises(FileError, match="too large"):
        read(file)
    with pytest.raises(XmlProblem, match="larger"):
        loads(b"<robot>" + b" " * LARGEST)
    assert time.monotonic() - start < 60


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "iso-8859-1"])
def test_encodings_that_are_declared_are_read(encoding: str) -> None:
    content = f'<?xml version="1.0" encoding="{encoding}"?>' + text('<link name="Ärm"/>')
    assert loads(content.encode(encoding)).root.id == "Ärm"


@pytest.mark.parametrize(
    ("declared", "real"), [("utf-8", "latin-1"), ("utf-16", "utf-8"), ("none-such", "utf-8"), ("ascii", "utf-8")]
)
def test_wrong_encodings_are_an_error(declared: str, real: str) -> None:
    content = f'<?xml version="1.0" encoding="{declared}"?>' + text('<link name="Ärm"/>')
    with pytest.raises(XmlProblem, match="this is not XML"):
        loads(content.encode(real))


def test_a_xacro_file_is_named_as_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    monkeypatch.setitem(sys.modules, "xacro", None)
    file = tmp_path / "arm.urdf.xacro"
    file.write_text(
        '<robot name="r" xmlns:xacro="http://ros.org/wiki/xacro"><xacro:property name="x" value="1"/></robot>'
    )
    with permitting(lambda _: True), pytest.raises(FileError, match=r"this is a xacro file, .* Expand it with"):
        read(file)
    file.write_text('<robot name="r"><!-- <xacro:include filename="x"/> --><link name="a"/></robot>')
    assert read(file).root.id == "a"


def test_a_xacro_file_is_expanded_where_xacro_is_installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import sys
    from types import SimpleNamespace

    def process_file(path: str) -> SimpleNamespace:
        if "broken" in path:
            raise ValueError("undefined macro")
        return SimpleNamespace(toxml=lambda: text('<link name="made"/>'))

    monkeypatch.setitem(sys.modules, "xacro", SimpleNamespace(process_file=process_file))
    content = '<robot name="r" xmlns:xacro="http://ros.org/wiki/xacro"><xacro:property name="x" value="1"/></robot>'
    (tmp_path / "arm.urdf.xacro").write_text(content)
    (tmp_path / "broken.xacro").write_text(content)
    with permitting(lambda _: True):
        assert read(tmp_path / "arm.urdf.xacro").root.id == "made"
        with pytest.raises(FileError, match="xacro could not expand it: undefined macro"):
            read(tmp_path / "broken.xacro")


def test_many_of_everything_take_no_longer_than_their_number() -> None:
    """Shapes that made readers quadratic: materials of one name, sensors, followers of followers, a long chain."""
    count = 4000
    shape = "<geometry><sphere radius='1'/></geometry>"
    visual = f"<visual>{shape}<material name='m'><color rgba='%s 0 0 1'/></material></visual>"
    links = "".join(f"<link name='l{n}'>{visual % (n / count)}</link>" for n in range(count))
    parts = "".join(
        f"<joint name='j{n}' type='continuous'><parent link='l{n - 1}'/><child link='l{n}'/>"
        + (f"<mimic joint='j{n - 1}'/>" if n > 1 else "")
        + f"</joint><sensor name='s{n}' type='imu'><parent link='l{n}'/></sensor>"
        for n in range(1, count)
    )
    robot = loads(text(links + parts))
    assert len({shape.material for _, link in robot.links() for shape in link.visuals}) == count
    back = loads(dumps(robot))
    assert joint_of(back, f"j{count - 1}").coupling == Coupling("j1")


@pytest.mark.parametrize("options", [UrdfOptions(merge=Merge.ALL), UrdfOptions(drop_unused_frames=True)])
def test_a_sensors_own_origin_stays_where_it_is_when_its_link_is_merged_or_left_out(options: UrdfOptions) -> None:
    text = """<robot name="r"><link name="base"/><link name="mount"/>
      <joint name="j" type="fixed"><origin xyz="0 0 1" rpy="0 0 1.5707963267948966"/>
        <parent link="base"/><child link="mount"/></joint>
      <sensor name="eye" type="camera"><parent link="mount"/><origin xyz="1 0 0" rpy="0 0 0"/></sensor></robot>"""
    robot = loads(text)
    if options.drop_unused_frames:  # a pure frame
        robot = replace(robot, frames=tuple(replace(f, links=()) if f.id == "mount" else f for f in robot.frames))
    again = loads(dumps(robot, options))
    assert "mount" not in again.by_id
    before, after = (Kinematics(each).poses()["eye"] for each in (robot, again))
    np.testing.assert_allclose(after, before, atol=1e-12)
