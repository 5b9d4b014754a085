"""RobotInfo: one test for each requirement of its specification (docs/requirements.md)."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import yaml
from click.testing import CliRunner
from msgspec.structs import replace
from tests.lookups import joint_of

import swgrm
from swgrm import Coupling, Frame, Inertial, Joint, JointType, Limits, Link, Pose, Robot, Tensor
from swgrm.errors import FileError, SettingsError
from swgrm.model import Transmission, TransmissionEnd
from swgrm_addin.cli import app
from swgrm_exporters.robotinfo.options import ChainOptions, RobotInfoOptions
from swgrm_exporters.robotinfo.writer import to_document
from swgrm_exporters.urdf.options import UrdfOptions

REVOLUTE, PRISMATIC = JointType.REVOLUTE, JointType.PRISMATIC
GOLDEN = Path(__file__).parents[1] / "golden" / "abb_irb1200.yml"
FULL = Limits(-1.0, 1.0, 2.0, 3.0, 4.0)
X, Y, Z = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)


def moving(name: str, parent: str, axis: tuple[float, float, float] = Z, *, limits: Limits = FULL) -> Frame:
    """A frame that a revolute joint moves."""
    joint = Joint(type=REVOLUTE, name=f"{name}_joint", axis=axis, limits=limits)
    links = (Link(name=name, inertial=Inertial(1.0, tensor=Tensor(1.0, 0.0, 0.0, 1.0, 0.0, 1.0))),)
    return Frame(id=name, parent=parent, transform=Pose((0.1, 0.0, 0.2)), joint=joint, links=links)


def arm(count: int, *more: Frame) -> Robot:
    """An arm of so many joints, and more frames."""
    names = ["base", *(f"l{n}" for n in range(1, count + 1))]
    axes = (Z, Y)
    links = [moving(name, parent, axes[n % 2]) for n, (parent, name) in enumerate(pairwise(names))]
    return Robot(name="r", frames=(Frame(id="base", links=(Link(name="base"),)), *links, *more))


def document_of(robot: Robot, options: RobotInfoOptions | None = None) -> dict[str, Any]:
    return to_document(robot, options)


def sample(name: str) -> dict[str, Any]:
    return document_of(swgrm.understand(swgrm.read(f"mock:{name}")).robot)


# ---- the example


def test_the_example_of_the_specification_is_read_and_written_again(tmp_path: Path) -> None:
    robot = swgrm.load(GOLDEN)
    (file,) = swgrm.save(robot, tmp_path / "again.yml")
    before, after = (yaml.safe_load(path.read_text()) for path in (GOLDEN, file))
    before["device_info"]["serial_number"] = str(before["device_info"]["serial_number"])  # the definition has a text
    orientations = [each["chains"][0]["flange_pose"].pop("orientation") for each in (before, after)]
    assert list(orientations[1].values()) == pytest.approx(list(orientations[0].values()), abs=1e-9)  # normalised
    assert after == before
    assert swgrm.load(file) == robot


@pytest.mark.parametrize("field", ["device_info", "robot_type", "robot_capabilities", "chains", "joint_info"])
def test_a_robot_info_has_the_fields_of_the_example(field: str) -> None:
    assert field in document_of(arm(6))


def test_device_info_has_the_device_its_class_and_its_types() -> None:
    info = document_of(arm(6))["device_info"]
    assert info["device"]["name"] == "r"
    assert info["device_classes"][0]["class_identifier"]["name"] == "robot"
    assert info["device_classes"][0]["subclasses"][:2] == ["serial", "serial_six_axis"]
    assert info["implemented_types"] == ["com.robotraconteur.robotics.robot.Robot"]


def test_the_maker_the_model_and_the_serial_number_can_be_given() -> None:
    given = {
        "manufacturer": {"name": "ABB", "uuid": "ee260e78-d731-415a-84ca-4b02c487410c"},
        "model": {"name": "ABB_1200_5_90", "uuid": "9ad3c0ee-ec5e-4057-a297-d340e1484f01"},
        "serial_number": "123456789",
        "user_description": "ABB Robot",
    }
    info = document_of(arm(6), RobotInfoOptions(info={"device_info": given}))["device_info"]
    assert {key: info[key] for key in given} == given


def test_capabilities_are_a_list_of_names() -> None:
    assert document_of(arm(6))["robot_capabilities"] == ["jog_command", "trajectory_command", "position_command"]


@pytest.mark.parametrize(
    ("field", "value", "wrong"),
    [("robot_type", "dual_arm", "dual_armed"), ("robot_capabilities", ["velocity_command"], ["velocitycommand"])],
)
def test_types_and_capabilities_are_the_names_of_the_standard(field: str, value: object, wrong: object) -> None:
    assert document_of(arm(2), RobotInfoOptions(info={field: value}))[field] == value
    with pytest.raises(SettingsError, match=f"{field}.*Did you mean"):
        document_of(arm(2), RobotInfoOptions(info={field: wrong}))


@pytest.mark.parametrize("field", ["signal_info", "parameter_info"])
def test_signals_and_parameters_can_be_given(field: str) -> None:
    kind = {"signal_info": "signal_identifier", "parameter_info": "parameter_identifier"}[field]
    given = {field: [{kind: {"name": "x"}}]}
    assert document_of(arm(2), RobotInfoOptions(info=given))[field] == given[field]


# ---- joints


def test_joint_info_has_identifier_type_limits_units_and_passive() -> None:
    joint = document_of(arm(1))["joint_info"][0]
    assert joint == {
        "joint_identifier": "l1_joint",
        "joint_type": "revolute",
        "joint_limits": {"lower": -1.0, "upper": 1.0, "velocity": 2.0, "acceleration": 4.0, "effort": 3.0},
        "default_units": "radian",
        "default_effort_units": "newton_meter",
        "passive": False,
    }
    slide = document_of(arm(1, *gripper("l1")))["joint_info"][1]
    assert (slide["joint_type"], slide["default_units"], slide["default_effort_units"]) == (
        "prismatic", "meter", "newton",
    )  # fmt: skip


def test_joints_are_in_the_order_of_the_chains() -> None:
    document = document_of(arm(4))
    assert [joint["joint_identifier"] for joint in document["joint_info"]] == [f"l{n}_joint" for n in (1, 2, 3, 4)]
    assert document["chains"][0]["joint_numbers"] == [0, 1, 2, 3]
    document = document_of(two_arms())
    names = ["torso", *(f"{side}_{n}" for side in ("left", "right") for n in range(4))]
    assert [joint["joint_identifier"] for joint in document["joint_info"]] == [f"{name}_joint" for name in names]


def test_effort_gets_the_default_that_urdf_has() -> None:
    robot = arm(2)
    bare = Robot(name="r", frames=(robot.frames[0], moving("l1", "base", limits=Limits(-1.0, 1.0))))
    limits = document_of(bare)["joint_info"][0]["joint_limits"]
    assert (limits["effort"], limits["velocity"]) == (UrdfOptions().effort, UrdfOptions().velocity)
    options = RobotInfoOptions(effort=7.0)
    assert document_of(bare, options)["joint_info"][0]["joint_limits"]["effort"] == 7.0


def test_defaults_of_all_joints_are_one_finding() -> None:
    findings = swgrm.Findings()
    to_document(swgrm.understand(swgrm.read("mock:arm")).robot, findings=findings)
    (finding,) = (each for each in findings if each.code == "robotinfo-default")
    assert re.search(r"effort 100 \(\d joints\)", finding.message)
    assert "acceleration 10 (6 joints)" in finding.message


def test_acceleration_is_set_for_each_joint_in_the_settings(tmp_path: Path) -> None:
    settings = tmp_path / "arm.grm.yaml"
    settings.write_text("joints: {shoulder_joint: {acceleration: 90 deg/s²}, forearm_joint: {acceleration: 3}}")
    swgrm.export("mock:arm", tmp_path / "out", formats=("robotinfo",), settings=settings)
    document = yaml.safe_load((tmp_path / "out" / "arm.yml").read_text())
    found = {each["joint_identifier"]: each["joint_limits"]["acceleration"] for each in document["joint_info"]}
    assert found["shoulder_joint"] == pytest.approx(math.pi / 2)
    assert (found["forearm_joint"], found["upper_arm_joint"]) == (3.0, 10.0)


# ---- passive joints


def driven(document: dict[str, Any]) -> list[str]:
    return [joint["joint_identifier"] for joint in document["joint_info"] if not joint["passive"]]


def test_two_of_the_three_joints_of_a_four_bar_linkage_are_passive() -> None:
    assert driven(sample("four_bar")) == ["crank_joint"]


def test_all_joints_of_a_stewart_platform_but_the_drives_are_passive() -> None:
    assert driven(sample("stewart")) == [f"rod_{n}_joint_1" for n in range(1, 7)]


def test_the_drive_of_a_loop_is_the_joint_with_a_transmission() -> None:
    robot = swgrm.understand(swgrm.read("mock:four_bar")).robot
    ends = (TransmissionEnd("rocker_joint"),)
    robot = replace(robot, transmissions=(Transmission(name="t", joints=ends),))
    assert driven(document_of(robot)) == ["rocker_joint"]


def test_a_joint_outside_loops_is_not_passive_and_a_coupled_one_is() -> None:
    follower = Joint(type=REVOLUTE, name="f", coupling=Coupling("l1_joint"), limits=FULL)
    document = document_of(arm(2, Frame(id="f", parent="l2", joint=follower)))
    assert driven(document) == ["l1_joint", "l2_joint"]


# ---- units


def written_in(tmp_path: Path, units: str, kind: str = "revolute", effort: str = "newton_meter") -> Path:
    joint = {
        "joint_identifier": "j",
        "joint_type": kind,
        "joint_limits": {"lower": -90.0, "upper": 180.0, "velocity": 360.0, "acceleration": 45.0, "effort": 5.0,
                         "home": 30.0},
        "default_units": units,
        "default_effort_units": effort,
    }  # fmt: skip
    zero = {"x": 0.0, "y": 0.0, "z": 0.0}
    flange = {"orientation": {"w": 1.0, "x": 0.0, "y": 0.0, "z": 0.0}, "position": zero}
    chain = {"H": [{"x": 0.0, "y": 0.0, "z": 1.0}], "P": [zero, zero], "joint_numbers": [0], "flange_pose": flange,
             "flange_identifier": "tool0", "kin_chain_identifier": "arm"}  # fmt: skip
    path = tmp_path / "r.yml"
    path.write_text(yaml.safe_dump({"chains": [chain], "joint_info": [joint]}))
    return path


def test_limits_in_degrees_are_converted(tmp_path: Path) -> None:
    robot = swgrm.load(written_in(tmp_path, "degree"))
    limits = joint_of(robot, "j").limits
    expected = (-math.pi / 2, math.pi, 2 * math.pi, 5.0, math.pi / 4)
    assert (limits.lower, limits.upper, limits.velocity, limits.effort, limits.acceleration) == pytest.approx(expected)
    joint = document_of(robot)["joint_info"][0]
    assert joint["default_units"] == "radian"
    assert joint["joint_limits"]["home"] == pytest.approx(math.pi / 6)


@pytest.mark.parametrize("units", ["radian", "implicit"])
def test_limits_in_si_are_read_as_they_are(units: str, tmp_path: Path) -> None:
    assert joint_of(swgrm.load(written_in(tmp_path, units)), "j").limits.upper == 180.0


@pytest.mark.parametrize(
    ("units", "kind"),
    [("ticks_rot", "revolute"), ("meter", "revolute"), ("degree", "prismatic"), ("nanoticks_lin", "prismatic")],
)
def test_units_that_cannot_be_converted_are_an_error(units: str, kind: str, tmp_path: Path) -> None:
    with pytest.raises(FileError, match=rf"joint_info\[0\].default_units: limits in {units} cannot be converted"):
        swgrm.load(written_in(tmp_path, units, kind))


def test_an_effort_in_ampere_is_not_taken_for_a_torque(tmp_path: Path) -> None:
    robot = swgrm.load(written_in(tmp_path, "radian", effort="ampere"))
    assert joint_of(robot, "j").limits.effort is None
    joint = document_of(robot)["joint_info"][0]
    assert (joint["joint_limits"]["effort"], joint["default_effort_units"]) == (5.0, "ampere")


# ---- the kind of robot


def wheeled(*axes: tuple[float, float, float], forks: Sequence[Limits] = ()) -> str:
    free = Limits(velocity=1.0, effort=1.0, acceleration=1.0)
    frames = [Frame(id="base", links=(Link(name="base"),))]
    frames += [moving(f"wheel_{n}", "base", axis, limits=free) for n, axis in enumerate(axes)]
    for n, limits in enumerate(forks):
        frames += [moving(f"fork_{n}", "base", Z, limits=limits), moving(f"caster_{n}", f"fork_{n}", Y, limits=free)]
    kind: str = document_of(Robot(name="r", frames=tuple(frames)))["robot_type"]
    return kind


def test_the_mobile_base_is_a_differential_drive() -> None:
    assert sample("mobile_base")["robot_type"] == "differential_drive"


def test_wheeled_robots_are_recognised_by_their_joints_and_axes() -> None:
    free, steered = Limits(velocity=1.0), Limits(-0.5, 0.5, 1.0)
    slanted = [(math.cos(angle), math.sin(angle), 0.0) for angle in (0.0, 2.0944, 4.1888)]
    assert wheeled(Y, Y) == "differential_drive"
    assert wheeled(Y, (0.0, -1.0, 0.0), forks=[free]) == "differential_drive"
    assert wheeled(Y, Y, Y, Y) == "differential_drive", "skid steering"
    assert wheeled(*slanted) == "planar", "omnidirectional wheels"
    assert wheeled(forks=[free, free]) == "planar", "driven forks"
    assert wheeled(Y, Y, forks=[steered, steered]) == "other", "a steering has no type of its own"
    assert wheeled(Z, Z) == "other", "vertical axes are not wheels"


@pytest.mark.parametrize("count", [1, 6, 7])
def test_one_chain_is_serial(count: int) -> None:
    assert document_of(arm(count))["robot_type"] == "serial"


def test_two_arms_are_dual_arm() -> None:
    left = [moving(f"left_{n}", "base" if n == 0 else f"left_{n - 1}") for n in range(7)]
    right = [moving(f"right_{n}", "base" if n == 0 else f"right_{n - 1}") for n in range(7)]
    document = document_of(Robot(name="r", frames=(Frame(id="base"), *left, *right)))
    assert document["robot_type"] == "dual_arm"
    assert document["device_info"]["device_classes"][0]["subclasses"] == ["dual_arm", "dual_arm_fourteen_axis"]


# ---- chains


def gripper(parent: str) -> tuple[Frame, ...]:
    slide = Joint(type=PRISMATIC, name="finger_1_joint", limits=FULL)
    other = Joint(type=PRISMATIC, name="finger_2_joint", limits=FULL, coupling=Coupling("finger_1_joint", -1.0))
    return (
        Frame(id="finger_1", parent=parent, joint=slide, links=(Link(name="finger_1"),)),
        Frame(id="finger_2", parent=parent, joint=other, links=(Link(name="finger_2"),)),
    )


def test_the_arm_of_an_arm_with_a_gripper_is_the_first_chain() -> None:
    document = document_of(arm(6, *gripper("l6")))
    chains = [(chain["flange_identifier"], len(chain["joint_numbers"])) for chain in document["chains"]]
    assert chains == [("l6", 6), ("finger_1", 7), ("finger_2", 7)]
    assert document["chains"][0]["joint_numbers"] == [0, 1, 2, 3, 4, 5]
    assert document["robot_type"] == "serial"
    assert document["device_info"]["device_classes"][0]["subclasses"][:2] == ["serial", "serial_six_axis"]


def test_the_chain_of_the_arm_ends_at_the_frame_called_tool0_or_flange() -> None:
    for name in ("tool0", "flange"):
        frame = Frame(id=f"l6/{name}", parent="l6", transform=Pose((0.0, 0.0, 0.3)), name=f"l6/{name}")
        first = document_of(arm(6, frame, *gripper("l6")))["chains"][0]
        assert first["flange_identifier"] == f"l6/{name}"
        assert first["P"][-1]["z"] == pytest.approx(0.3)


def two_arms() -> Robot:
    """Two arms on a torso that rotates; the frames of the arms alternate."""
    arms = [
        moving(f"{side}_{n}", "torso" if n == 0 else f"{side}_{n - 1}") for n in range(4) for side in ("left", "right")
    ]
    return Robot(name="r", frames=(Frame(id="base"), moving("torso", "base"), *arms))


def test_two_arms_on_a_torso_have_no_chain_to_the_torso() -> None:
    document = document_of(two_arms())
    assert [chain["flange_identifier"] for chain in document["chains"]] == ["left_3", "right_3"]
    numbers = [chain["joint_numbers"] for chain in document["chains"]]
    assert numbers == [[0, 1, 2, 3, 4], [0, 5, 6, 7, 8]], "shared joints are in both chains, until the arms diverge"


def test_link_identifiers_name_the_main_part_of_a_body() -> None:
    bolt = Frame(id="bolt", parent="base", links=(Link(name="bolt", inertial=Inertial(0.01)),))
    plate = Frame(id="plate", parent="base", links=(Link(name="plate", inertial=Inertial(5.0)),))
    frames = (Frame(id="base"), bolt, plate, moving("l1", "base"))
    assert document_of(Robot(name="r", frames=frames))["chains"][0]["link_identifiers"] == ["plate", "l1"]
    assert sample("arm")["chains"][0]["link_identifiers"][0] == "base-1"


@pytest.mark.parametrize(
    "field", ["kin_chain_identifier", "H", "P", "joint_numbers", "flange_pose", "flange_identifier", "link_inertias"]
)
def test_a_chain_has_the_fields_of_the_specification(field: str) -> None:
    assert field in document_of(arm(3))["chains"][0]


def test_h_has_n_unit_axes_and_p_has_n_plus_one_steps() -> None:
    chain = document_of(arm(5))["chains"][0]
    assert (len(chain["H"]), len(chain["P"])) == (5, 6)
    assert all(math.hypot(*axis.values()) == pytest.approx(1.0) for axis in chain["H"])


def test_the_product_of_exponentials_gives_the_pose_of_the_flange() -> None:
    rotated = Pose((0.1, 0.2, 0.3), (0.5, 0.5, 0.5, 0.5))
    slide = replace(moving("l4", "l3", X), joint=Joint(type=PRISMATIC, name="l4_joint", axis=X, limits=FULL))
    robot = arm(3, replace(slide, transform=rotated), Frame(id="tool0", parent="l4", transform=rotated))
    robot = replace(robot, frames=tuple(replace(f, transform=rotated) if f.parent else f for f in robot.frames))
    document = document_of(robot)
    (chain,) = document["chains"]
    from scipy.spatial.transform import Rotation

    q = [0.3, -0.4, 0.5, 0.6]
    R, p = np.eye(3), np.array(list(chain["P"][0].values()))
    for joint, axis, step, value in zip(document["joint_info"], chain["H"], chain["P"][1:], q, strict=True):
        h = np.array(list(axis.values()))
        if joint["joint_type"] == "prismatic":
            p = p + R @ h * value
        else:
            R = R @ Rotation.from_rotvec(h * value).as_matrix()
        p = p + R @ np.array(list(step.values()))
    turn = chain["flange_pose"]["orientation"]
    R = R @ Rotation.from_quat([turn[key] for key in "xyzw"]).as_matrix()
    T = swgrm.poses(robot, {f"l{n + 1}_joint": value for n, value in enumerate(q)})["tool0"]
    np.testing.assert_allclose(T[:3, 3], p, atol=1e-12)
    np.testing.assert_allclose(T[:3, :3], R, atol=1e-12)


def test_link_inertias_are_those_of_the_links() -> None:
    inertias = document_of(arm(2))["chains"][0]["link_inertias"]
    assert [each["m"] for each in inertias] == [0.0, 1.0, 1.0]
    inertial = Inertial(2.0, (0.1, 0.2, 0.3), Tensor(1.0, 0.01, 0.02, 2.0, 0.03, 2.5))
    rotated = replace(moving("l1", "base"), transform=Pose((0.0, 0.0, 1.0), (0.5, 0.5, 0.5, 0.5)))  # x to y to z to x
    frames = (Frame(id="base"), replace(rotated, links=(Link(name="l1", inertial=inertial),)))
    entry = document_of(Robot(name="r", frames=frames))["chains"][0]["link_inertias"][1]
    com, moments = list(entry.pop("com").values()), {key: float(value) for key, value in entry.items()}
    assert com == pytest.approx([0.3, 0.1, 0.2]), "the frames of RobotInfo are parallel to the base"
    assert moments == pytest.approx(
        {"m": 2.0, "ixx": 2.5, "ixy": 0.02, "ixz": 0.03, "iyy": 1.0, "iyz": 0.01, "izz": 2.0}
    )


RATE = {"angular": dict.fromkeys("xyz", 1.0), "linear": dict.fromkeys("xyz", 2.0)}
GIVEN: dict[str, object] = {
    "description": "left arm",
    "current_tool": {"device_info": {"device": {"name": "gripper"}}},
    "current_payload": {"device_info": {"device": {"name": "box"}}},
    "tcp_max_velocity": RATE,
    "tcp_max_acceleration": RATE,
    "tcp_reduced_max_velocity": RATE,
    "tcp_reduced_max_acceleration": RATE,
}


@pytest.mark.parametrize("field", GIVEN)
def test_the_other_fields_of_a_chain_can_be_given(field: str) -> None:
    options = RobotInfoOptions(chains=(ChainOptions("l2", info={field: GIVEN[field]}),))
    assert document_of(arm(2), options)["chains"][0][field] == GIVEN[field]


@pytest.mark.parametrize(
    ("field", "value"),
    [("link_fiducials", [{"fiducial_marker": "m1", "fiducial_scale": 0.5}]), ("extended", {"note": "x"})],
)
def test_fiducials_and_extended_fields_can_be_given(field: str, value: object, tmp_path: Path) -> None:
    options = RobotInfoOptions(chains=(ChainOptions("l2", info={field: value}),))
    document = document_of(arm(2), options)
    assert document["chains"][0][field] == value
    file = tmp_path / "r.yml"
    file.write_text(yaml.safe_dump(document))
    assert document_of(swgrm.load(file))["chains"][0][field] == value, "they are kept when the file is read"


@pytest.mark.parametrize("field", ["kin_chain_identifier", "flange_identifier"])
def test_the_identifiers_of_a_chain_and_its_flange_can_be_empty(field: str, tmp_path: Path) -> None:
    file = written_in(tmp_path, "radian")
    document = yaml.safe_load(file.read_text())
    for without in (True, False):
        document["chains"][0].pop(field, None)
        if not without:
            document["chains"][0][field] = ""
        file.write_text(yaml.safe_dump(document))
        assert list(swgrm.load(file).joints) == ["j"]
    assert document_of(swgrm.load(file))["chains"][0][field] == ""


def test_a_urdf_file_is_converted_to_robot_info(tmp_path: Path) -> None:
    swgrm.save(arm(6), tmp_path / "r.urdf")
    result = CliRunner().invoke(app, ["convert", str(tmp_path / "r.urdf"), str(tmp_path / "r.yml")])
    assert result.exit_code == 0, result.output
    found, expected = yaml.safe_load((tmp_path / "r.yml").read_text()), document_of(arm(6))
    assert found["joint_info"] == expected["joint_info"]
    for field in ("H", "P"):
        one, other = ([list(each.values()) for each in data["chains"][0][field]] for data in (found, expected))
        np.testing.assert_allclose(one, other, atol=1e-12)
