"""The MoveIt package: its files agree with the description package, launch files evaluate, and edits are kept."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml
from lxml import etree
from msgspec.structs import replace
from tests.exporters.moveit.machines import link
from tests.exporters.moveit.moveit_modules import FUNCTIONS, loaded, moveit_modules
from tests.launch_api import Launch

from swgrm.errors import FileError, SettingsError
from swgrm.findings import Findings
from swgrm.model import Robot
from swgrm_addin.pipeline import Export, export
from swgrm_exporters.format import Target
from swgrm_exporters.formats import FORMATS, chosen, read
from swgrm_exporters.xmlwriting import Node, comment_node, written

SRDF = "arm_moveit_config/config/arm.srdf"
NO_SAMPLES = {"moveit": {"samples": 0}}  # fcl is not needed


def exported(out: Path, name: str = "arm", **options: Any) -> Export:
    return export(f"mock:{name}", out, formats=("moveit",), options=NO_SAMPLES | options)


@pytest.fixture(scope="module")
def shares(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("share")
    poses = {"home": {"shoulder_joint": 0.5, "forearm_joint": 100}, "folded": {"forearm_joint": -0.3}}
    export("mock:arm", out, formats=("moveit",), options=NO_SAMPLES | {"poses": poses})
    return out


def semantic(out: Path) -> Any:
    return etree.parse(str(out / SRDF)).getroot()


def state(out: Path, name: str) -> dict[str, float]:
    (found,) = semantic(out).iterfind(f"group_state[@name='{name}']")
    return {each.get("name"): float(each.get("value")) for each in found}


def test_moveit_is_written_with_the_package_that_it_needs() -> None:
    assert [form.name for form in chosen(("moveit",))] == ["ros2", "moveit"]
    assert [form.name for form in chosen(("default", "moveit"))] == ["grm", "robotinfo", "ros2", "moveit", "html"]


def test_the_srdf_has_the_group_the_states_and_the_virtual_joint(shares: Path) -> None:
    root = semantic(shares)
    assert [(each.get("base_link"), each.get("tip_link")) for each in root.iter("chain")] == [("base_link", "tool0")]
    virtual = root.find("virtual_joint")
    assert dict(virtual.attrib) == {
        "name": "virtual_joint", "type": "fixed", "parent_frame": "world", "child_link": "base_link"
    }  # fmt: skip
    assert set(state(shares, "zero").values()) == {0.0}
    home = state(shares, "home")
    assert home["shoulder_joint"] == 0.5
    assert home["forearm_joint"] == pytest.approx(1.4), "the end of its range"
    assert state(shares, "folded")["forearm_joint"] == -0.3
    comments = [each.text for each in root.iterchildren(etree.Comment)]
    assert comments == [" Pairs of neighbouring links; no states were sampled. "]


def test_the_files_agree_with_the_description_package(shares: Path) -> None:
    config = loaded(shares, "arm", "arm_moveit_config")
    described = yaml.safe_load((shares / "arm_description/config/controllers.yaml").read_text("utf-8"))
    manager = config.execution["moveit_simple_controller_manager"]
    assert manager["controller_names"] == ["arm_controller"]
    joints = described["arm_controller"]["ros__parameters"]["joints"]
    assert manager["arm_controller"]["joints"] == joints == list(config.limits["joint_limits"])
    assert config.xacro_arguments == {"sim": "mock"}
    assert list(config.kinematics) == ["arm"]
    urdf = read(shares / "arm_description/urdf/arm.urdf")
    for name, limits in config.limits["joint_limits"].items():
        joint = urdf.joints[name].joint
        assert joint is not None
        assert limits["max_velocity"] == (joint.limits.velocity or 10.0)
        assert limits["has_acceleration_limits"] is True
        assert limits["max_acceleration"] == 2 * limits["max_velocity"]


def test_acceleration_limits_are_those_of_the_joints_or_of_the_option(tmp_path: Path) -> None:
    joints = {"shoulder_joint": {"acceleration": 3.0, "velocity": 2.0}}
    done = exported(tmp_path, joints=joints, moveit={"samples": 0, "acceleration": 7.0})
    limits = yaml.safe_load((tmp_path / "arm_moveit_config/config/joint_limits.yaml").read_text("utf-8"))[
        "joint_limits"
    ]
    assert (limits["shoulder_joint"]["max_acceleration"], limits["shoulder_joint"]["max_velocity"]) == (3.0, 2.0)
    assert limits["forearm_joint"]["max_acceleration"] == 7.0
    (finding,) = [each for each in done.findings if each.code == "moveit-acceleration"]
    assert "shoulder_joint" not in finding.message
    assert "forearm_joint" in finding.message


def test_loops_give_passive_joints_and_a_group_of_the_driven_ones(tmp_path: Path) -> None:
    exported(tmp_path, "four_bar")
    root: Any = etree.parse(str(tmp_path / "four_bar_moveit_config/config/four_bar.srdf")).getroot()
    assert [each.get("name") for each in root.iterfind("group/joint")] == ["crank_joint"]
    assert [each.get("name") for each in root.iterfind("passive_joint")] == ["coupler_joint", "rocker_joint"]
    assert root.find("group").get("name") == "mechanism"
    assert yaml.safe_load((tmp_path / "four_bar_moveit_config/config/kinematics.yaml").read_text("utf-8")) == {}


def test_a_list_of_no_controllers_is_not_written(tmp_path: Path) -> None:
    """Launch refuses parameters that are empty lists: their type is not known."""
    actuators = {"crank_joint": {"type": "velocity"}}
    exported(tmp_path, "four_bar", actuators=actuators)
    config = loaded(tmp_path, "four_bar", "four_bar_moveit_config")
    assert "controller_names" not in config.execution["moveit_simple_controller_manager"]
    file = tmp_path / "four_bar_moveit_config/launch/spawn_controllers.launch.py"
    started = Launch(file, tmp_path, moveit_modules(tmp_path)).started
    assert [each.arguments for each in started] == [["joint_state_broadcaster"]]


def test_a_base_that_floats_and_contacts_of_the_settings(tmp_path: Path) -> None:
    options: Any = {"base": {"mount": "floating"}, "contacts": {"exclude": [["wrist_2", "base"]]}}
    exported(tmp_path, "arm", **options, moveit={"samples": 0, "world": "map"})
    root = semantic(tmp_path)
    assert root.find("virtual_joint").get("type") == "floating"
    assert root.find("virtual_joint").get("parent_frame") == "map"
    rows = [dict(each.attrib) for each in root.iterfind("disable_collisions")]
    assert {"link1": "base", "link2": "wrist_2", "reason": "User"} in rows
    view = yaml.safe_load((tmp_path / "arm_moveit_config/config/moveit.rviz").read_text("utf-8"))
    assert view["Visualization Manager"]["Global Options"]["Fixed Frame"] == "map"


def test_a_joint_and_a_link_of_one_name_get_their_own_new_names(tmp_path: Path) -> None:
    parts = [link("base", None), link("turn_1", "base"), link("turn 1", "turn_1"), link("last", "turn 1")]
    names = ["", "first", "second", "turn 1"]
    frames = tuple(replace(f, joint=f.joint and replace(f.joint, name=n)) for f, n in zip(parts, names, strict=True))
    FORMATS["grm"].write(Robot(name="arm", frames=frames), Target(tmp_path, "arm"), None, Findings())
    groups = {"arm": {"base": "turn 1", "tip": "last"}}
    options: dict[str, Any] = {"moveit": {"samples": 0, "groups": groups}, "poses": {"bent": {"turn 1": 0.25}}}
    export(str(tmp_path / "arm.grm.json"), tmp_path / "out", formats=("moveit",), options=options)
    assert state(tmp_path / "out", "bent") == {"turn_1": 0.25}
    assert semantic(tmp_path / "out").find("group/chain").get("base_link") == "turn_1_2"


def test_names_in_the_settings_are_checked_before_anything_is_written(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="there is no link `tool9`"):
        exported(tmp_path / "out", moveit={"samples": 0, "groups": {"arm": {"tip": "tool9"}}})
    assert not (tmp_path / "out").exists()


# ---- launch files


def launched(shares: Path, name: str, **arguments: str) -> Launch:
    file = shares / "arm_moveit_config" / "launch" / f"{name}.launch.py"
    return Launch(file, shares, moveit_modules(shares), **arguments)


def test_the_demo_starts_hardware_controllers_planning_and_rviz(shares: Path) -> None:
    demo = launched(shares, "demo")
    (hardware,) = demo.started
    assert (hardware.package, hardware.executable) == ("controller_manager", "ros2_control_node")
    assert Path(hardware.parameters["file"]) == shares / "arm_description/config/controllers.yaml"
    names = [Path(path).name.removesuffix(".launch.py") for path in demo.included]
    assert names == ["static_virtual_joint_tfs", "rsp", "spawn_controllers", "move_group", "moveit_rviz"]
    assert all(Path(path).is_file() for path in demo.included)
    without = launched(shares, "demo", use_rviz="false")
    assert not any("rviz" in path for path in without.included)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_every_launch_file_evaluates(shares: Path, name: str) -> None:
    started = launched(shares, name).started
    assert started
    manifest = etree.parse(str(shares / "arm_moveit_config" / "package.xml"))
    declared = {each.text for each in manifest.findall("exec_depend")}
    assert {each.package for each in started} <= declared
    if name == "spawn_controllers":
        assert [each.arguments for each in started] == [["arm_controller"], ["joint_state_broadcaster"]]
    if name == "static_virtual_joint_tfs":
        assert started[0].arguments == ["--frame-id", "world", "--child-frame-id", "base_link"]
    if name == "moveit_rviz":
        assert Path(started[0].arguments[1]).is_file()


# ---- the user's own rows


def edited(out: Path, added: str) -> None:
    text = (out / SRDF).read_text("utf-8")
    (out / SRDF).write_text(text.replace("</robot>", f"{added}</robot>"), "utf-8")


def test_rows_of_the_user_are_kept(tmp_path: Path) -> None:
    exported(tmp_path)
    edited(
        tmp_path,
        '<disable_collisions link1="wrist_2" link2="base" reason="User"/>'
        '<disable_collisions link1="base" link2="flange" reason="Never"/>'
        '<enable_collisions link1="base" link2="shoulder"/>'
        '<group name="mine"><joint name="shoulder_joint"/></group>'
        '<group name="placed"><joint name="virtual_joint"/><joint name="own_joint"/><joint name="tool0_fixed"/></group>'
        '<virtual_joint name="own_joint" type="fixed" parent_frame="map" child_link="base_link"/>'
        '<group_state name="ready" group="arm"><joint name="shoulder_joint" value="1"/></group_state>'
        '<group_state name="old" group="arm"><joint name="gone_joint" value="1"/></group_state>'
        '<passive_joint name="flange_joint"/><note/><!-- a remark -->',
    )
    done = exported(tmp_path)
    root = semantic(tmp_path)
    rows = {(each.get("link1"), each.get("link2")): each.get("reason") for each in root.iterfind("disable_collisions")}
    assert rows[("wrist_2", "base")] == "User"
    assert ("base", "flange") not in rows, "what is computed is computed again"
    assert ("base", "shoulder") not in rows, "the user enabled it"
    assert root.find("enable_collisions") is not None
    assert [each.get("name") for each in root.iterfind("group")] == ["arm", "mine", "placed"]
    assert {each.get("name") for each in root.iterfind("group_state")} == {"zero", "home", "ready"}
    assert root.find("passive_joint").get("name") == "flange_joint"
    (dropped,) = [each for each in done.findings if each.code == "srdf-row-dropped"]
    assert "joint `gone_joint`" in dropped.message
    assert (tmp_path / f"{SRDF}.bak").is_file()
    before = (tmp_path / SRDF).read_bytes()
    exported(tmp_path)
    assert (tmp_path / SRDF).read_bytes() == before, "the next export keeps them, too"


def test_a_file_that_was_not_edited_is_written_anew(tmp_path: Path) -> None:
    exported(tmp_path, contacts={"exclude": [["wrist_2", "base"]]})
    assert "User" in (tmp_path / SRDF).read_text("utf-8")
    exported(tmp_path)
    assert "User" not in (tmp_path / SRDF).read_text("utf-8")
    assert not (tmp_path / f"{SRDF}.bak").exists()


def test_an_edited_file_that_cannot_be_read_is_reported_and_kept_as_a_copy(tmp_path: Path) -> None:
    exported(tmp_path)
    (tmp_path / SRDF).write_text("<robot", "utf-8")
    done = exported(tmp_path)
    assert [each.code for each in done.findings if each.code.startswith("srdf")] == ["srdf-unreadable"]
    assert (tmp_path / f"{SRDF}.bak").read_text("utf-8") == "<robot"
    assert semantic(tmp_path).find("group") is not None


def test_edited_yaml_files_stay_as_the_user_has_them(tmp_path: Path) -> None:
    exported(tmp_path)
    file = tmp_path / "arm_moveit_config/config/kinematics.yaml"
    file.write_text("arm: {kinematics_solver: mine}\n", "utf-8")
    exported(tmp_path)
    assert file.read_text("utf-8") == "arm: {kinematics_solver: mine}\n"
    assert (tmp_path / "arm_moveit_config/config/kinematics.yaml.new").is_file()


def test_without_the_description_package_it_is_not_written(tmp_path: Path) -> None:
    done = exported(tmp_path / "both")
    with pytest.raises(FileError, match="the description package is missing"):
        FORMATS["moveit"].write(done.robot, Target(tmp_path / "alone" / "arm_moveit_config", "arm"), None, Findings())


def test_comments_are_written() -> None:
    root = Node("robot")
    root.append(comment_node(" a & b "))
    assert written(root) == b"<?xml version='1.0' encoding='utf-8'?>\n<robot>\n  <!-- a & b -->\n</robot>\n"


def test_the_finding_about_groups_counts_joints_also_of_groups_of_groups(tmp_path: Path) -> None:
    groups = {"manipulator": {"tip": "tool0"}, "whole": {"groups": ["manipulator"]}}
    done = exported(tmp_path, moveit={"samples": 0, "groups": groups})
    (finding,) = (finding for finding in done.findings if finding.code == "moveit-groups")
    assert "manipulator (6), whole (6)" in finding.message
