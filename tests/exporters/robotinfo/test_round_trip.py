"""RobotInfo read into a robot and written again keeps its values; written from a robot and read it is that robot."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from tests.lookups import joint_of
from tests.robots import random_positions, robots

from swgrm.errors import FileError, ModelError, SettingsError
from swgrm.findings import Findings
from swgrm.kinematics.forward import Kinematics
from swgrm.mass.inertia import tensor_matrix
from swgrm.model import Coupling, Frame, Inertial, Joint, JointType, Limits, Link, Pose, Robot, Tensor
from swgrm.settings import converted
from swgrm_exporters.formats import read, write
from swgrm_exporters.robotinfo.fit import fit
from swgrm_exporters.robotinfo.lint import refusals
from swgrm_exporters.robotinfo.options import RobotInfoOptions
from swgrm_exporters.robotinfo.schema import ROOT
from swgrm_exporters.robotinfo.writer import RobotInfoWriter, to_document
from swgrm_exporters.yamltext import dump, parse

ABB = Path(__file__).parents[2] / "golden" / "abb_irb1200.yml"


def leaves(value: Any, place: str = "") -> dict[str, Any]:
    """Every value of a document by its place."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else None
    if inner is None:
        return {place: value}
    return {key: leaf for name, each in inner for key, leaf in leaves(each, f"{place}.{name}").items()}


def rewritten(path: Path, folder: Path) -> dict[str, Any]:
    write(read(path), folder / "again.yml")
    document: dict[str, Any] = parse((folder / "again.yml").read_text())
    return document


def fitted(document: object) -> dict[str, Any]:
    return fit(document, ROOT, Findings())


def choices(**given: object) -> RobotInfoOptions:
    return converted(given, RobotInfoOptions, "robotinfo")


def test_the_standards_example_keeps_every_value(tmp_path: Path) -> None:
    before, after = fitted(parse(ABB.read_text())), fitted(rewritten(ABB, tmp_path))
    assert leaves(before).items() <= leaves(after).items()


def test_the_standards_example_becomes_a_robot_without_findings() -> None:
    findings = Findings()
    robot = read(ABB, findings)
    assert list(findings) == []
    assert robot.name == "abb_robot"
    assert [frame.joint_name for frame in robot.frames if frame.joint] == [f"joint_{n}" for n in range(1, 7)]
    assert joint_of(robot, "joint_2").limits == Limits(-1.745, 2.269, 4.189, 1000.0, 15.0)
    np.testing.assert_allclose(Kinematics(robot).poses()["tool0"][:3, 3], (0.533, 0.0, 0.8891), atol=1e-12)


FULL = """
device_info:
  device: {name: arm, uuid: 11111111-2222-3333-4444-555555555555}
  parent_device: cell
  manufacturer: Maker
  model: {name: M1}
  options: [{option_identifier: o, suboptions: [{suboption_name: s, suboption_level: 2.0}]}]
  serial_number: "0042"
  device_classes: [{class_identifier: {name: robot, uuid: 39b513e7-21b9-4b49-8654-7537473030eb}, subclasses: [cobot]}]
  user_description: "a: text, with [signs]"
  description_resource: {bucket: b, key: k}
  implemented_types: [com.robotraconteur.robotics.robot.Robot]
  device_origin_pose: {parent_frame: world, pose: {orientation: {w: 1, x: 0, y: 0, z: 0}, position: {x: 1, y: 2, z: 3}}}
  tags: [blue]
robot_type: other
robot_capabilities: [homing_command, speed_ratio]
signal_info: [{signal_identifier: di1, signal_type: digital, access_level: readonly, address: [1, 2]}]
parameter_info: [{parameter_identifier: gain, description: "yes", data_units: [{display_units: m}]}]
trajectory_interpolation_modes: [joint]
chains:
- kin_chain_identifier: {name: left, uuid: 99999999-2222-3333-4444-555555555555}
  H: [{x: 0.0, y: 0.0, z: 1.0}]
  P: [{x: 0.0, y: 0.0, z: 0.1}, {x: 0.3, y: 0.0, z: 0.0}]
  link_inertias:
  - {m: 1.0, com: {x: 0.0, y: 0.0, z: 0.05}, ixx: 0.1, ixy: 0.0, ixz: 0.0, iyy: 0.2, iyz: 0.0, izz: 0.25}
  - {m: 2.0, com: {x: 0.1, y: 0.0, z: 0.05}, ixx: 0.1, ixy: 0.01, ixz: 0.0, iyy: 0.2, iyz: 0.0, izz: 0.25}
  link_identifiers: [base, arm_link]
  link_fiducials: [{fiducial_marker: "3", fiducial_pose: {parent_frame: arm_link}, fiducial_scale: 0.5}]
  joint_numbers: [0]
  flange_pose: {orientation: {w: 1.0, x: 0.0, y: 0.0, z: 0.0}, position: {x: 0.0, y: 0.0, z: 0.0}}
  flange_identifier: left_flange
  current_tool:
    device_info: {device: tool}
    tcp: {rotation: {w: 1, x: 0, y: 0, z: 0}, translation: {x: 0, y: 0, z: 1}}
  current_payload: {inertia: {m: 1, com: {x: 0, y: 0, z: 0}, ixx: 1, ixy: 0, ixz: 0, iyy: 1, iyz: 0, izz: 1}}
  tcp_max_velocity: {angular: {x: 1.0, y: 1.0, z: 1.0}, linear: {x: 2.0, y: 2.0, z: 2.0}}
  tcp_max_acceleration: {angular: {x: 3.0, y: 1.0, z: 1.0}, linear: {x: 2.0, y: 2.0, z: 2.0}}
  tcp_reduced_max_velocity: {angular: {x: 4.0, y: 1.0, z: 1.0}, linear: {x: 2.0, y: 2.0, z: 2.0}}
  tcp_reduced_max_acceleration: {angular: {x: 5.0, y: 1.0, z: 1.0}, linear: {x: 2.0, y: 2.0, z: 2.0}}
  description: the left one
- kin_chain_identifier: right
  H: [{x: 0.0, y: 0.0, z: 1.0}, {x: 0.0, y: 1.0, z: 0.0}]
  P: [{x: 0.0, y: 0.0, z: 0.1}, {x: 0.5, y: 0.0, z: 0.0}, {x: 0.0, y: 0.0, z: 0.0}]
  link_inertias:
  - {m: 1.0, com: {x: 0.0, y: 0.0, z: 0.05}, ixx: 0.1, ixy: 0.0, ixz: 0.0, iyy: 0.2, iyz: 0.0, izz: 0.25}
  - {m: 2.0, com: {x: 0.1, y: 0.0, z: 0.05}, ixx: 0.1, ixy: 0.01, ixz: 0.0, iyy: 0.2, iyz: 0.0, izz: 0.25}
  - {m: 0.5, com: {x: 0.1, y: 0.0, z: 0.05}, ixx: 0.1, ixy: 0.01, ixz: 0.0, iyy: 0.2, iyz: 0.0, izz: 0.25}
  link_identifiers: [base, arm_link, slide_link]
  joint_numbers: [0, 1]
  flange_pose: {orientation: {w: 1.0, x: 0.0, y: 0.0, z: 0.0}, position: {x: 0.0, y: 0.0, z: 0.0}}
  flange_identifier: right_flange
joint_info:
- joint_identifier: {name: turn, uuid: 12345678-2222-3333-4444-555555555555}
  joint_type: revolute
  joint_limits: {lower: -1.0, upper: 2.0, home: 0.5, velocity: 1.0, acceleration: 2.0, jerk: 3.0, effort: 4.0,
    reduced_velocity: 0.1, reduced_acceleration: 0.2, reduced_jerk: 0.3, reduced_effort: 0.4}
  default_units: radian
  default_effort_units: ampere
  passive: true
- joint_identifier: slide
  joint_type: prismatic
  joint_limits: {lower: 0.0, upper: 1.0, velocity: 1.0, acceleration: 1.0}
"""


def test_every_field_that_a_file_may_have_survives(tmp_path: Path) -> None:
    (tmp_path / "full.yml").write_text(FULL)
    before, after = fitted(parse(FULL)), fitted(rewritten(tmp_path / "full.yml", tmp_path))
    missing = {place: value for place, value in leaves(before).items() if leaves(after).get(place) != value}
    assert missing == {}


def test_shared_joints_become_one_frame_and_are_in_both_chains(tmp_path: Path) -> None:
    (tmp_path / "full.yml").write_text(FULL)
    robot = read(tmp_path / "full.yml")
    assert [frame.id for frame in robot.frames] == ["base", "arm_link", "left_flange", "slide_link", "right_flange"]
    assert [chain["joint_numbers"] for chain in to_document(robot)["chains"]] == [[0], [0, 1]]


@given(robots(physical=True))
def test_what_is_written_and_read_moves_and_weighs_the_same(robot: Robot) -> None:
    writer = RobotInfoWriter(robot, RobotInfoOptions(), Findings())
    assume(writer.bodies.tips)
    document = writer.document(writer.chains(), alone=False)
    assert [r for r in refusals(document) if "device_info" not in r.place] == []
    again = _read(document)
    kinematics, q = Kinematics(writer.robot), random_positions(writer.robot, np.random.default_rng(1))
    all_q = kinematics.positions(q)
    poses = Kinematics(again).poses({name: value for name, value in all_q.items() if name in again.joints})
    ours = kinematics.poses(q)
    for chain, info in zip(writer.chains(), document["chains"], strict=True):
        T_root = np.linalg.inv(ours[chain.base.id])
        np.testing.assert_allclose(poses[_flange(again, info)], T_root @ ours[chain.flange.id], atol=2e-9)
    assert _total_mass(again) == pytest.approx(_total_mass(robot), rel=1e-11)


def _flange(robot: Robot, info: dict[str, Any]) -> str:
    marks = [
        f for f in robot.frames if f.props.get("robotinfo.kin_chain_identifier.name") == info["kin_chain_identifier"]
    ]
    return marks[0].id


def _total_mass(robot: Robot) -> float:
    return sum(link.inertial.mass for _, link in robot.links() if link.inertial)


def _read(document: dict[str, Any]) -> Robot:
    from tempfile import TemporaryDirectory

    with TemporaryDirectory() as folder:
        (Path(folder) / "r.yml").write_text(dump(document))
        return read(Path(folder) / "r.yml")


# ---- what the readers cannot hold


def arm(*joints: Joint, links: bool = True) -> Robot:
    frames = [Frame(id="base", links=(Link(name="base_link"),) if links else ())]
    for index, joint in enumerate(joints):
        frames.append(Frame(id=f"f{index}", parent=frames[-1].id, joint=joint, transform=Pose((0.1, 0.0, 0.2))))
    return Robot(name="arm", frames=tuple(frames))


def written(robot: Robot, folder: Path, **options: object) -> tuple[dict[str, Any], dict[str, str]]:
    findings = Findings()
    (file,) = write(robot, folder / "r.yml", choices(**options), findings)
    return parse(file.read_text()), {f.code: f.message for f in findings}


REVOLUTE, PRISMATIC = JointType.REVOLUTE, JointType.PRISMATIC
FULL_LIMITS = Limits(-1.0, 1.0, 1.0, 1.0, 1.0)


def test_a_joint_without_limits_gets_wide_ones_and_is_unlimited_when_read(tmp_path: Path) -> None:
    robot = arm(Joint(type=REVOLUTE, name="j"), Joint(type=PRISMATIC, name="s"))
    document, findings = written(robot, tmp_path)
    assert [joint["joint_type"] for joint in document["joint_info"]] == ["revolute", "prismatic"]
    assert "robotinfo-unlimited" in findings
    assert "robotinfo-default" in findings
    again = read(tmp_path / "r.yml")
    assert {name: joint_of(again, name).limits.lower for name in again.joints} == {"j": None, "s": None}


def test_a_velocity_limit_of_zero_is_replaced_by_the_default(tmp_path: Path) -> None:
    limits = Limits(-1.0, 1.0, 0.0, 1.0, 1.0)
    document, findings = written(arm(Joint(type=REVOLUTE, name="j", limits=limits)), tmp_path)
    assert document["joint_info"][0]["joint_limits"]["velocity"] == 10.0
    assert "velocity 10 (1 joint)" in findings["robotinfo-default"]


def test_a_coupled_joint_stays_in_the_chain_as_passive(tmp_path: Path) -> None:
    follower = Joint(type=REVOLUTE, name="b", coupling=Coupling("a", -2.0, 0.1), limits=FULL_LIMITS)
    document, findings = written(arm(Joint(type=REVOLUTE, name="a", limits=FULL_LIMITS), follower), tmp_path)
    assert [joint["passive"] for joint in document["joint_info"]] == [False, True]
    assert findings["robotinfo-coupling"].endswith("it turns 2 × as far as a, the other way, from 5.73°.")


def test_a_screw_is_a_turn_and_a_passive_slide_and_a_ball_three_turns(tmp_path: Path) -> None:
    screw = Joint(type=JointType.SCREW, name="screw", pitch=0.01, limits=FULL_LIMITS)
    document, findings = written(arm(screw, Joint(type=JointType.BALL, name="ball")), tmp_path)
    kinds = [(joint["joint_type"], joint["passive"]) for joint in document["joint_info"]]
    assert kinds == [("revolute", False), ("prismatic", True), *[("revolute", False)] * 3]
    assert {"screw-split", "ball-split", "robotinfo-coupling"} <= set(findings)


def test_numbers_keep_all_their_digits(tmp_path: Path) -> None:
    robot = arm(Joint(type=REVOLUTE, name="j", limits=Limits(-1 / 3, 2 / 3, 1e-7, 1e300, 1.0)))
    document, _ = written(robot, tmp_path)
    assert document["joint_info"][0]["joint_limits"] == {
        "lower": -1 / 3, "upper": 2 / 3, "velocity": 1e-7, "acceleration": 1.0, "effort": 1e300
    }  # fmt: skip


def test_inertias_are_written_per_body_and_a_massless_one_is_zero_and_noted(tmp_path: Path) -> None:
    heavy = Link(name="heavy", inertial=Inertial(2.0, (0.1, 0.0, 0.0), Tensor(ixx=1.0, iyy=2.0, izz=2.5)))
    joint = Joint(type=REVOLUTE, name="j", limits=FULL_LIMITS)
    robot = Robot(name="r", frames=(Frame(id="base"), Frame(id="a", parent="base", joint=joint, links=(heavy,))))
    document, findings = written(robot, tmp_path)
    assert [inertia["m"] for inertia in document["chains"][0]["link_inertias"]] == [0.0, 2.0]
    assert "robotinfo-massless" in findings
    again = read(tmp_path / "r.yml")
    (link,) = again.frame("heavy").links
    assert link.inertial is not None
    np.testing.assert_array_equal(tensor_matrix(link.inertial), np.diag([1.0, 2.0, 2.5]))


def test_a_robot_without_moving_joints_has_no_chain_and_a_finding(tmp_path: Path) -> None:
    document, findings = written(Robot(name="rock", frames=(Frame(id="base"),)), tmp_path)
    assert (document["chains"], document["joint_info"]) == ([], [])
    assert "there are no chains" in findings["robotinfo-refused"]
    with pytest.raises(ModelError, match="no joint that moves below `base`"):
        to_document(Robot(name="rock", frames=(Frame(id="base"),)), RobotInfoOptions(root="base"))


# ---- options


def two_arms() -> Robot:
    def joint(name: str) -> Joint:
        return Joint(type=REVOLUTE, name=name, limits=FULL_LIMITS)

    frames = [Frame(id="base"), Frame(id="torso", parent="base", joint=joint("torso"))]
    for side in ("left", "right"):
        parent = "torso"
        for index in range(3):
            frames.append(Frame(id=f"{side}_{index}", parent=parent, joint=joint(f"{side}_j{index}")))
            parent = frames[-1].id
    return Robot(name="twin", frames=tuple(frames))


def test_two_chains_with_arms_of_their_own_are_a_dual_arm(tmp_path: Path) -> None:
    document, findings = written(two_arms(), tmp_path)
    assert document["robot_type"] == "dual_arm"
    assert document["device_info"]["device_classes"][0]["subclasses"] == ["dual_arm"]
    assert [chain["joint_numbers"] for chain in document["chains"]] == [[0, 1, 2, 3], [0, 4, 5, 6]]
    assert [chain["kin_chain_identifier"] for chain in document["chains"]] == ["left_2", "right_2"]
    assert "robotinfo-misindexed" in findings


def test_one_file_per_chain_on_request(tmp_path: Path) -> None:
    findings = Findings()
    files = write(two_arms(), tmp_path / "twin.yml", RobotInfoOptions(split=True), findings)
    assert [file.name for file in files] == ["twin_left_2.yml", "twin_right_2.yml"]
    documents = [parse(file.read_text()) for file in files]
    assert [document["chains"][0]["joint_numbers"] for document in documents] == [[0, 1, 2, 3]] * 2
    assert [document["robot_type"] for document in documents] == ["serial", "serial"]
    assert "robotinfo-misindexed" not in {finding.code for finding in findings}
    assert len(set(findings)) == len(findings)


def test_a_tip_and_a_root_choose_the_chain_and_what_is_left_out_is_reported(tmp_path: Path) -> None:
    findings = Findings()
    write(two_arms(), tmp_path / "r.yml", RobotInfoOptions(root="torso", tip="left_2"), findings)
    document = parse((tmp_path / "r.yml").read_text())
    assert [joint["joint_identifier"] for joint in document["joint_info"]] == ["left_j0", "left_j1", "left_j2"]
    left_out = [finding.where for finding in findings if finding.code == "robotinfo-joint-left-out"]
    assert left_out == ["joint torso", "joint right_j0", "joint right_j1", "joint right_j2"]


def test_options_give_robot_infos_own_fields(tmp_path: Path) -> None:
    options = {
        "info": {"device_info": {"manufacturer": "Maker", "model": "M1", "serial_number": 42}},
        "joints": {"torso": {"joint_limits": {"home": 0.5, "acceleration": 9}, "passive": True}},
        "chains": [{"tip": "left_2", "info": {"description": "the left", "kin_chain_identifier": "left"}}],
    }
    document, findings = written(two_arms(), tmp_path, **options)
    assert document["device_info"]["serial_number"] == "42"
    assert document["chains"][0]["description"] == "the left"
    torso = document["joint_info"][0]
    assert (torso["passive"], torso["joint_limits"]["home"], torso["joint_limits"]["acceleration"]) == (True, 0.5, 9.0)
    assert "robotinfo-joint-left-out" in findings


def test_derived_uuids_are_the_same_in_every_export_and_differ_by_maker() -> None:
    def model_uuid(maker: str) -> str:
        info = {"device_info": {"manufacturer": maker, "model": "M1"}}
        document = to_document(two_arms(), RobotInfoOptions(info=info))
        uuid: str = document["device_info"]["model"]["uuid"]
        return uuid

    assert model_uuid("A") == model_uuid("A") != model_uuid("B")
    assert "uuid" not in to_document(two_arms())["device_info"]["device"]


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"tips": "x"}, r"no setting `tips`. Did you mean `tip`"),
        ({"info": {"robot_typ": "serial"}}, r"`robot_typ` is not known.* Did you mean `robot_type`"),
        ({"info": {"robot_type": "arm"}}, r"`arm` is not a RobotTypeCode"),
        ({"joints": {"torso": {"joint_limits": {"home": "x"}}}}, r"torso: joint_limits.home: .*: expected a number"),
        ({"joints": {"torse": {}}}, r"no joint `torse`. Did you mean `torso`"),
        ({"joints": {"torso": {"joint_type": "fixed"}}}, r"torso: joint_type: the value follows from the model"),
        ({"info": {"chains": []}}, r"chains: the value follows from the model"),
    ],
)
def test_options_that_do_not_fit_are_refused_with_a_sentence(options: dict[str, Any], sentence: str) -> None:
    with pytest.raises(SettingsError, match=sentence):
        to_document(two_arms(), choices(**options))


def test_props_that_do_not_fit_are_findings(tmp_path: Path) -> None:
    robot = Robot(
        name="r", frames=two_arms().frames, props={"robotinfo.robot_typ": "x", "robotinfo.config_seqno": "[1"}
    )
    findings = Findings()
    write(robot, tmp_path / "r.yml", None, findings)
    assert [finding.where for finding in findings if finding.code == "robotinfo-prop"] == ["robot r"] * 3


def test_a_frame_with_a_chains_props_is_a_flange_and_one_with_others_is_not() -> None:
    def chains(props: dict[str, str]) -> list[object]:
        frames = [*two_arms().frames, Frame(id="grip", parent="left_1", props=props)]
        return [chain["flange_identifier"] for chain in to_document(Robot(name="r", frames=tuple(frames)))["chains"]]

    assert chains({"robotinfo.description": "the hand"}) == ["left_2", "grip", "right_2"]
    assert chains({"robotinfo.device_info.serial_number": "1"}) == ["left_2", "right_2"]


def test_six_axes_with_a_spherical_wrist_are_recognised() -> None:
    robot = read(ABB)
    bare = Robot(name="r", frames=robot.frames)
    (device_class,) = to_document(bare)["device_info"]["device_classes"]
    assert device_class["subclasses"] == ["serial", "serial_six_axis", "serial_six_axis_spherical"]


# ---- files that cannot be read

ONE_JOINT = "chains: [{joint_numbers: [0], H: [{x: 1, y: 0, z: 0}], P: [{x: 1, y: 0, z: 0}, {x: 1, y: 0, z: 0}]}]"


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("a: 1", "not a RobotInfo file"),
        ("[1, 2]", "not a RobotInfo file"),
        ("", "not a RobotInfo file"),
        ("chains: []", "there is no chain"),
        ("chains: [{joint_numbers: [0], H: [], P: []}]", "do not fit: n joints have n axes"),
        ("chains: [{joint_numbers: [0], H: [{x: 1, y: 0}], P: []}]", r"chains\[0\].H\[0\]: .*: `z` is missing"),
        ("chains: [{joint_numbers: [x]}]", r"joint_numbers\[0\]: .*: expected a number"),
        ("chains: [{joint_numbers: [-1]}]", "whole number from 0 on"),
        ("joint_info: []\n" + ONE_JOINT, "there is no joint 0"),
        ("joint_info: [{joint_type: ball}]\n" + ONE_JOINT, "a joint of type ball cannot be read"),
        ("chains: [", "line 2, column 1: this is not YAML"),
        ("chains: 1\nchains: 2", "the key `chains` is here twice"),
    ],
)
def test_a_file_that_cannot_be_read_is_an_error_that_names_the_place(text: str, sentence: str, tmp_path: Path) -> None:
    (tmp_path / "r.yml").write_text(text)
    with pytest.raises(FileError, match=sentence):
        read(tmp_path / "r.yml")


def test_chains_that_disagree_on_a_shared_joint_are_refused(tmp_path: Path) -> None:
    wrong = FULL.replace("P: [{x: 0.0, y: 0.0, z: 0.1}, {x: 0.5", "P: [{x: 0.0, y: 0.0, z: 0.2}, {x: 0.5")
    (tmp_path / "r.yml").write_text(wrong)
    with pytest.raises(FileError, match="joint `turn` differs in another chain"):
        read(tmp_path / "r.yml")


@pytest.mark.parametrize(("w", "y"), [("0.0", "0.0"), (".inf", "0.0")])
def test_a_quaternion_without_direction_is_refused(w: str, y: str, tmp_path: Path) -> None:
    text = ABB.read_text().replace("w: 0.7071067811882787", f"w: {w}").replace("y: 0.7071067811848163", f"y: {y}")
    (tmp_path / "r.yml").write_text(text)
    with pytest.raises(FileError, match="a quaternion has length 1"):
        read(tmp_path / "r.yml")


def test_a_quaternion_that_is_not_of_unit_length_is_reported(tmp_path: Path) -> None:
    (tmp_path / "r.yml").write_text(ABB.read_text().replace("w: 0.7071067811882787", "w: 0.71"))
    findings = Findings()
    read(tmp_path / "r.yml", findings)
    assert [finding.code for finding in findings] == ["robotinfo-quaternion"]


def test_a_settings_file_is_not_a_robot(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="this is a settings file, not a robot"):
        read(tmp_path / "arm.grm.yaml")


def test_unknown_keys_are_reported_with_the_nearest_known_one(tmp_path: Path) -> None:
    (tmp_path / "r.yml").write_text(ABB.read_text().replace("flange_identifier", "flange_identifer"))
    findings = Findings()
    read(tmp_path / "r.yml", findings)
    by_place = {finding.where: finding for finding in findings}
    assert "Did you mean `flange_identifier`?" in by_place["chains[0].flange_identifer"].message


def test_extended_is_kept_and_never_without_a_finding(tmp_path: Path) -> None:
    (tmp_path / "r.yml").write_text(ABB.read_text() + "extended: {note: {a: 1}}\n")
    reading, writing = Findings(), Findings()
    robot = read(tmp_path / "r.yml", reading)
    assert [finding.where for finding in reading if finding.code == "robotinfo-refused"] == ["extended"]
    write(robot, tmp_path / "again.yml", None, writing)
    assert parse((tmp_path / "again.yml").read_text())["extended"] == {"note": {"a": 1}}
    assert [finding.where for finding in writing if finding.code == "robotinfo-refused"] == ["extended"]
