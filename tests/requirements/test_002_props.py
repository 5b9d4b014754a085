"""URDF props: one test for each requirement of their specification (docs/requirements.md)."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.lookups import joint_of, present

import swgrm
from swgrm import Coupling, Dynamics, Frame, Inertial, Joint, JointType, Link, Robot, Safety
from swgrm.errors import FileError
from swgrm.model.grmfile import dumps as grm_text
from swgrm.model.grmfile import loads as from_grm_text
from swgrm.model.props import PropHolder, merge_props
from swgrm.settings import settings_from
from swgrm_addin.settings_file import read_settings
from swgrm_exporters.urdf.reader import loads
from swgrm_exporters.urdf.writer import dumps

TRACTOR = """<robot name="tractor">
  <flatsim turning_radius="2.4"><turning radius="2.5"/><color rgba="0 255 100 255"/></flatsim>
  <material name="red"><color rgba="1 0 0 1"/></material>
  <link name="base">
    <inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial>
    <visual><geometry><box size="1 1 1"/></geometry><material name="red"/></visual>
    <collision><geometry><box size="1 1 1"/></geometry></collision>
  </link>
  <link name="rear_left_wheel_link"><flatsim side="left"/></link>
  <joint name="rear_left_wheel_joint" type="continuous">
    <origin xyz="0 1 0"/><parent link="base"/><child link="rear_left_wheel_link"/><axis xyz="0 1 0"/>
    <limit effort="1" velocity="1"/><dynamics damping="0.1" friction="0.2"/>
    <safety_controller k_velocity="1"/><calibration rising="0.1"/>
    <flatsim side="left" throttle_max="0.2" throttle_diff="-0.8"/>
  </joint>
</robot>"""


def again(robot: Robot) -> Robot:
    return loads(dumps(robot))


# ---- where props are


def test_model_link_and_joint_have_props() -> None:
    for robot in (loads(TRACTOR), again(loads(TRACTOR))):
        assert robot.props["flatsim.turning_radius"] == "2.4"
        assert robot.frame("rear_left_wheel_link").links[0].props == {"flatsim.side": "left"}
        joint = joint_of(robot, "rear_left_wheel_joint")
        assert joint.props["flatsim.side"] == "left"
        assert (joint.limits.effort, joint.dynamics, joint.safety) == (1.0, Dynamics(0.1, 0.2), Safety(1.0))
        (base,) = robot.root.links
        assert (present(base.inertial).mass, base.visuals[0].material, len(base.collisions)) == (1.0, "red", 1)


def test_props_are_a_map_of_strings_that_is_serialized() -> None:
    robot = loads(TRACTOR)
    back = from_grm_text(grm_text(robot))
    assert back == robot
    assert all(isinstance(text, str) for item in back.props.items() for text in item)


def test_robot_level_props() -> None:
    assert loads(TRACTOR).props["flatsim.turning_radius"] == "2.4"


def test_nested_tags_are_flattened_by_concatenating_tag_names() -> None:
    assert loads(TRACTOR).props["flatsim.turning.radius"] == "2.5"


def test_link_level_props() -> None:
    assert loads(TRACTOR).frame("rear_left_wheel_link").links[0].props == {"flatsim.side": "left"}


def test_joint_level_props() -> None:
    assert joint_of(loads(TRACTOR), "rear_left_wheel_joint").props == {
        "flatsim.side": "left",
        "flatsim.throttle_max": "0.2",
        "flatsim.throttle_diff": "-0.8",
    }


def test_core_elements_are_not_props() -> None:
    robot = loads(TRACTOR)
    assert {key.split(".")[0] for key in robot.props} == {"flatsim"}
    assert robot.root.links[0].props == {}
    assert {key.split(".")[0] for key in joint_of(robot, "rear_left_wheel_joint").props} == {"flatsim"}


def test_a_mimic_is_not_a_prop() -> None:
    other = """<link name="right"/><joint name="right_joint" type="continuous"><parent link="base"/>
      <child link="right"/><mimic joint="rear_left_wheel_joint" multiplier="-2" offset="0.5"/></joint></robot>"""
    joint = joint_of(loads(TRACTOR.replace("</robot>", other)), "right_joint")
    assert joint.props == {}
    assert joint.coupling == Coupling("rear_left_wheel_joint", -2.0, 0.5)


def test_values_remain_strings() -> None:
    props = joint_of(loads(TRACTOR.replace('"0.2"', '"0.20"')), "rear_left_wheel_joint").props
    assert props["flatsim.throttle_max"] == "0.20"


FLATSIM = {
    "robot": {"flatsim.color.rgba": "0 255 100 255", "flatsim.turning_radius": "2.4"},
    "robot, a key for each number": {f"flatsim.color.{name}": "255" for name in "rgba"},
    "wheel": {"flatsim.side": "left", "flatsim.throttle_max": "0.2", "flatsim.throttle_diff": "-0.8"},
    "steering": {"flatsim.steering_diff": "4"},
    "tank": {"flatsim.tank_name": "harvest_bin", "flatsim.tank_type": "HARVEST", "flatsim.tank_capacity": "10000"},
    "power": {
        "flatsim.power_name": "fuel_tank",
        "flatsim.power_type": "FUEL",
        "flatsim.power_capacity": "150",
        "flatsim.power_consumption_rate": "0.03",
        "flatsim.power_charge_rate": "0",
    },
    "hitch": {"flatsim.hitch_name": "rear_hitch", "flatsim.hitch_is_master": "true"},
    "karosserie": {
        "flatsim.karosserie_name": "front",
        "flatsim.karosserie_sections": "5",
        "flatsim.karosserie_has_physics": "false",
    },
}


@pytest.mark.parametrize("kind", FLATSIM)
def test_the_flatsim_keys_are_written_and_read(kind: str) -> None:
    props = FLATSIM[kind]
    if kind.startswith("robot"):
        robot = Robot(name="r", frames=(Frame(id="base", links=(Link(name="base"),)),), props=props)
        assert again(robot).props == props
        return
    joint = Joint(type=JointType.FIXED if kind == "karosserie" else JointType.REVOLUTE, name="j", props=props)
    frames = (Frame(id="base"), Frame(id="a", parent="base", joint=joint, links=(Link(name="a"),)))
    text = dumps(Robot(name="r", frames=frames)).decode()
    attributes = " ".join(f'{key.removeprefix("flatsim.")}="{value}"' for key, value in props.items())
    assert f"<flatsim {attributes}/>" in text
    assert joint_of(loads(text), "j").props == props


# ---- merging


def merged(**sides: str) -> tuple[Robot, list[swgrm.Finding]]:
    """A frame with a link for each side, written as URDF and read again; and the conflicts."""
    links = tuple(
        Link(name=name, inertial=Inertial(1.0), props={"flatsim.side": side, f"own.{name}": "1"})
        for name, side in sides.items()
    )
    findings = swgrm.Findings()
    robot = loads(dumps(Robot(name="r", frames=(Frame(id="base", links=links),)), findings=findings))
    return robot, [each for each in findings if each.code == "prop-conflict"]


def test_a_conflict_of_merged_links_is_a_finding_that_names_both() -> None:
    robot, (finding,) = merged(plate="left", bolt="right")
    for word in ("flatsim.side", "left", "plate", "right", "bolt", "merged.flatsim.side"):
        assert f"`{word}`" in finding.message
    assert robot.root.links[0].props == {
        "flatsim.side": "left",
        "own.plate": "1",
        "own.bolt": "1",
        "merged.name": "bolt",
        "merged.flatsim.side": "right",
    }


def test_equal_values_of_merged_links_are_not_a_conflict() -> None:
    robot, conflicts = merged(plate="left", bolt="left")
    assert not conflicts
    assert robot.root.links[0].props["flatsim.side"] == "left"


def test_each_further_link_has_its_own_element() -> None:
    robot, conflicts = merged(a="1", b="2", c="3")
    props = robot.root.links[0].props
    assert len(conflicts) == 2
    assert (props["merged.name"], props["merged.flatsim.side"]) == ("b", "2")
    assert (props["merged[2].name"], props["merged[2].flatsim.side"]) == ("c", "3")


KEYS = st.sampled_from(["a.b", "a.c", "@own", "merged.name", "merged.a.b", "merged[2].a.b"])
HOLDERS = st.lists(st.builds(PropHolder, st.text("xyz", min_size=1), st.dictionaries(KEYS, st.text("12")), st.just({})))


@given(HOLDERS)
def test_no_value_is_lost_in_merging(holders: list[PropHolder]) -> None:
    props, _, conflicts = merge_props(holders)
    for holder in holders:
        for key, value in holder.props.items():
            assert props[key] == value or any(
                (each.key, each.other, each.other_of) == (key, value, holder.name) and props[each.new_key] == value
                for each in conflicts
            )


def test_a_conflict_of_a_frame_and_its_link_is_a_finding_too() -> None:
    link = Link(name="arm", props={"a.b": "1"})
    findings = swgrm.Findings()
    robot = Robot(name="r", frames=(Frame(id="base", links=(link,), props={"a.b": "2", "c.d": "3"}),))
    props = loads(dumps(robot, findings=findings)).root.links[0].props
    assert "prop-conflict" in {each.code for each in findings}
    assert (props["a.b"], props["merged.name"], props["merged.a.b"], props["c.d"]) == ("1", "base", "2", "3")


# ---- settings


def test_numbers_and_booleans_in_settings_are_written_as_the_user_wrote_them(tmp_path: Path) -> None:
    file = tmp_path / "arm.grm.yaml"
    file.write_text("props: {robot: {a.b: 0.20, a.c: true, a.d: 1e3, a.e: Yes, a.f: 007, a.g: 'x', a.h: 2026-01-01}}")
    done = swgrm.export("mock:arm", tmp_path / "out", formats=("urdf",), settings=file)
    given = {key: text for key, text in done.robot.props.items() if key.startswith("a.")}
    assert given == {
        "a.b": "0.20", "a.c": "true", "a.d": "1e3", "a.e": "Yes", "a.f": "007", "a.g": "x", "a.h": "2026-01-01",
    }  # fmt: skip
    assert '<a b="0.20" c="true"' in (tmp_path / "out" / "arm.urdf").read_text()


def test_numbers_and_booleans_are_props_in_python_too() -> None:
    settings = settings_from({"props": {"robot": {"a.b": 0.2, "a.c": True, "a.d": 3, "a.e": 2.0}}})
    robot = swgrm.understand(Robot(name="r", frames=(Frame(id="base"),)), settings).robot
    assert robot.props == {"a.b": "0.2", "a.c": "true", "a.d": "3", "a.e": "2"}


@pytest.mark.parametrize("value", ["[0, 255]", "{x: 1}", ""])
def test_an_error_about_a_prop_names_the_key_and_the_remedy(value: str, tmp_path: Path) -> None:
    file = tmp_path / "x.grm.yaml"
    file.write_text(f"props: {{robot: {{flatsim.color: {value}}}}}")
    with pytest.raises(FileError, match=r"props, robot, flatsim\.color: .* write several numbers as text") as caught:
        read_settings(file)
    assert str(file) in str(caught.value)


# ---- Gazebo, and repeated elements


def test_the_text_of_a_gazebo_element_is_reachable_by_its_plain_key() -> None:
    text = '<robot name="r"><gazebo reference="a"><mu1>0.2</mu1></gazebo><link name="a"/></robot>'
    robot = loads(text)
    assert robot.props["gazebo.mu1"] == "0.2"
    assert b"<mu1>0.2</mu1>" in dumps(robot)
    assert again(robot).props == robot.props


def test_a_gazebo_attribute_has_the_same_key_and_stays_an_attribute() -> None:
    robot = loads('<robot name="r"><gazebo mu1="0.2"/><link name="a"/></robot>')
    assert robot.props == {"gazebo.mu1": "0.2"}
    assert b'<gazebo mu1="0.2"/>' in dumps(robot)


def test_an_attribute_and_an_element_of_one_name_are_both_kept() -> None:
    robot = loads('<robot name="r"><gazebo mu1="1"><mu1>2</mu1></gazebo><link name="a"/></robot>')
    assert robot.props == {"gazebo.mu1": "1", "gazebo.mu1.#text": "2"}
    assert again(robot).props == robot.props


def test_gazebo_elements_can_be_given_as_custom_properties_or_settings() -> None:
    settings = settings_from({"props": {"links": {"a": {"gazebo.mu1": 0.2, "gazebo.mu1.#form": "element"}}}})
    robot = swgrm.understand(Robot(name="r", frames=(Frame(id="a", links=(Link(name="a"),)),)), settings).robot
    assert b"<mu1>0.2</mu1>" in dumps(robot)


REPEATED = """<robot name="r"><link name="a"/>
  <gazebo reference="a"><mu1>0.2</mu1></gazebo>
  <gazebo reference="b"><mu2>0.3</mu2><plugin name="p"><rate>50</rate><rate>60</rate></plugin></gazebo>
  <tank name="one"/><tank name="two" size="3"/>
</robot>"""


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("gazebo.mu1", "0.2"),
        ("gazebo.mu2", "0.3"),
        ("gazebo[2].mu2", "0.3"),
        ("gazebo[1].mu1", "0.2"),
        ("gazebo.plugin.rate", "50"),
        ("gazebo[2].plugin.rate[2]", "60"),
        ("tank.name", "one"),
        ("tank[2].name", "two"),
        ("tank.size", "3"),
        ("tank[1].size", None),
        ("gazebo.mu3", None),
    ],
)
def test_repeated_elements_are_reachable_by_the_plain_key(key: str, value: str | None) -> None:
    assert swgrm.prop(loads(REPEATED).props, key) == value


def test_all_values_of_repeated_elements_are_reachable() -> None:
    props = loads(REPEATED).props
    assert list(swgrm.all_props(props, "tank.name")) == ["one", "two"]
    assert list(swgrm.all_props(props, "gazebo.reference")) == ["a", "b"]
    assert list(swgrm.all_props(props, "gazebo.plugin.rate")) == ["50", "60"]


def test_nested_structures_are_not_lost() -> None:
    text = REPEATED.replace("<rate>50</rate>", "<deep><er at='1'>x</er></deep>")
    robot = loads(text)
    assert present(swgrm.prop(robot.props, "gazebo.plugin.deep.er.at")) == "1"
    assert again(robot).props == robot.props
