"""Everything that is not URDF's own becomes props and comes back as the elements it was."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree
from msgspec.structs import replace
from tests.lookups import element_at, joint_of

from swgrm import Frame, Inertial, Joint, JointType, Link, Robot, rename
from swgrm.findings import Findings
from swgrm.model.references import holders, texts_of
from swgrm.settings import PropsSettings, Settings
from swgrm.settings import apply as apply_settings
from swgrm_exporters.urdf.options import UrdfOptions
from swgrm_exporters.urdf.props import KeySteps, apply, flatten
from swgrm_exporters.urdf.reader import loads
from swgrm_exporters.urdf.writer import dumps
from swgrm_exporters.xmlwriting import Node, written

JOINT = '<joint name="j" type="continuous"><parent link="base"/><child link="wheel"/><axis xyz="0 0 1"/>%s</joint>'


def robot_text(robot: str = "", link: str = "", joint: str = "") -> str:
    links = f'<link name="base"/><link name="wheel">{link}</link>'
    return f'<robot name="tractor">{robot}{links}{JOINT % joint}</robot>'


PLACES: dict[str, Callable[[Robot], Mapping[str, str]]] = {
    "robot": lambda robot: robot.props,
    "link": lambda robot: robot.frame("wheel").links[0].props,
    "joint": lambda robot: joint_of(robot, "j").props,
}

EXAMPLES = [  # place, element, props: first every example and every key of the specification of props
    ("robot", '<flatsim turning_radius="2.4"/>', {"flatsim.turning_radius": "2.4"}),
    ("robot", '<flatsim><turning radius="2.4"/></flatsim>', {"flatsim.turning.radius": "2.4"}),
    ("link", '<flatsim side="left"/>', {"flatsim.side": "left"}),
    (
        "joint",
        '<flatsim side="left" throttle_max="0.2" throttle_diff="-0.8"/>',
        {"flatsim.side": "left", "flatsim.throttle_max": "0.2", "flatsim.throttle_diff": "-0.8"},
    ),
    ("robot", '<gazebo mu1="0.2"/>', {"gazebo.mu1": "0.2"}),
    ("robot", '<flatsim><color rgba="0 255 100 255"/></flatsim>', {"flatsim.color.rgba": "0 255 100 255"}),
    *(
        ("joint", f'<flatsim {key}="{value}"/>', {f"flatsim.{key}": value})
        for key, value in [
            ("side", "right"),
            ("throttle_max", "0.2"),
            ("throttle_diff", "-0.8"),
            ("steering_diff", "4"),
            ("tank_name", "harvest_bin"),
            ("tank_type", "HARVEST"),
            ("tank_capacity", "10000"),
            ("power_name", "fuel_tank"),
            ("power_type", "BATTERY"),
            ("power_capacity", "150"),
            ("power_consumption_rate", "0.03"),
            ("power_charge_rate", "0"),
            ("hitch_name", "rear_hitch"),
            ("hitch_is_master", "true"),
            ("karosserie_name", "front"),
            ("karosserie_sections", "5"),
            ("karosserie_has_physics", "false"),
        ]
    ),
    # then text, repeated tags, empty elements, mixed content, dots in names, and attributes of the thing itself
    ("robot", "<gazebo><mu1>0.2</mu1></gazebo>", {"gazebo.mu1": "0.2", "gazebo.mu1.#form": "element"}),
    (
        "robot",
        '<gazebo reference="a"><mu1>1</mu1></gazebo><gazebo reference="b"/>',
        {"gazebo.reference": "a", "gazebo.mu1": "1", "gazebo.mu1.#form": "element", "gazebo[2].reference": "b"},
    ),
    ("link", "<self_collide/>", {"self_collide.#text": ""}),
    (
        "link",
        '<a x="1">t<b/>u<b>v</b></a>',
        {"a.x": "1", "a.#text": "t", "a.b.#text": "", "a.b.#tail": "u", "a.b[2].#text": "v"},
    ),
    ("joint", '<a.b c.d="1"/>', {"a\\.b.c\\.d": "1"}),
    ("joint", '<limit effort="1" velocity="1" jerk="5"/>', {"limit.jerk": "5"}),
]


@pytest.mark.parametrize(("place", "element", "props"), EXAMPLES)
def test_elements_become_props_and_come_back(place: str, element: str, props: dict[str, str]) -> None:
    robot = loads(robot_text(**{place: element}))
    assert PLACES[place](robot) == props
    text = dumps(robot, UrdfOptions(annotate=False))
    assert PLACES[place](loads(text)) == props
    holder = etree.fromstring(text)
    if place != "robot":
        holder = element_at(holder, {"link": "link[@name='wheel']", "joint": "joint[@name='j']"}[place])
    tag = etree.fromstring(f"<x>{element}</x>")[0].tag
    ours = [canonical(each) for each in holder.findall(tag)]
    expected = [canonical(each) for each in etree.fromstring(f"<x>{element}</x>") if each.tag == tag]
    assert ours == expected


def canonical(element: etree._Element) -> bytes:
    copy = etree.fromstring(etree.tostring(element, with_tail=False))
    for each in copy.iter():
        each.text = each.text if (each.text or "").strip() else None
        each.tail = (each.tail or "").strip() or None
    return etree.tostring(copy, method="c14n")


def test_core_tags_are_never_props() -> None:
    text = """<robot name="r"><material name="m"><color rgba="1 0 0 1"/></material>
      <link name="base"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial>
        <visual><geometry><box size="1 1 1"/></geometry></visual>
        <collision><geometry><box size="1 1 1"/></geometry></collision></link>
      <link name="tip"/>
      <joint name="j" type="revolute"><origin xyz="0 0 1"/><parent link="base"/><child link="tip"/><axis xyz="0 0 1"/>
        <limit effort="1" velocity="1" lower="-1" upper="1"/><dynamics damping="1"/><mimic joint="j"/>
        <safety_controller k_velocity="1"/><calibration rising="0"/></joint></robot>"""
    robot = loads(text)
    assert robot.props == {}
    assert all(link.props == {} for _, link in robot.links())
    assert joint_of(robot, "j").props == {}


NAMES = st.from_regex(r"[a-z][a-z.]{0,2}", fullmatch=True)
VALUES = st.text(st.characters(codec="utf-8", exclude_categories=["C"]), max_size=4)


@st.composite
def elements(draw: st.DrawFn, depth: int = 3) -> etree._Element:
    element = etree.Element(draw(NAMES), draw(st.dictionaries(NAMES, VALUES, max_size=2)))
    element.text = draw(st.none() | VALUES)
    for _ in range(draw(st.integers(0, 2)) if depth else 0):
        element.append(draw(elements(depth - 1)))
    return element


@given(elements())
def test_any_element_is_the_same_after_props(element: etree._Element) -> None:
    props = dict(flatten(element, "k"))
    holder = Node("holder")
    assert list(apply(holder, props, (), KeySteps({}))) == []
    (made,) = etree.fromstring(written(holder))
    made.tag = element.tag
    assert canonical(made) == canonical(element)


@given(st.dictionaries(st.text(max_size=8), st.text(max_size=4), max_size=4))
def test_any_props_are_written_and_read_or_found_unwritable(props: dict[str, str]) -> None:
    frames = (Frame(id="base", links=(Link(name="base", props=props),)),)
    findings = Findings()
    text = dumps(Robot(name="r", frames=frames), UrdfOptions(annotate=False), findings)
    back = loads(text).frame("base").links[0].props
    unwritable = [finding for finding in findings if finding.code == "prop-unwritable"]
    for key, value in props.items():
        kept = back.get(key)
        normal = value.replace("\r\n", "\n").replace("\r", "\n")
        assert kept is not None or any(f"`{key}`" in finding.message for finding in unwritable) or not normal.strip()


@pytest.mark.parametrize(
    "key", ["", "single", "a b.c", "1a.b", "a..b", "a.b[2]", "a[3].b", "p:a.b", "visual.x", "a.#other", "é"]
)
def test_a_key_that_cannot_be_an_element_is_a_finding(key: str) -> None:
    joint = Joint(type=JointType.REVOLUTE, name="j")
    frames = (Frame(id="base", links=(Link(name="base", props={key: "1"}),)), Frame(id="b", parent="base", joint=joint))
    findings = Findings()
    text = dumps(Robot(name="r", frames=frames), findings=findings)
    assert [f.where for f in findings if f.code == "prop-unwritable"] == ["link base"]
    assert loads(text).frame("base").links[0].props == {}


@pytest.mark.parametrize("key", ["@name", "inertial.mass.value", "@xmlns", "@xmlns:p", "@xmlns:xml", "a.xmlns"])
def test_a_property_never_overwrites_what_is_there_nor_what_xml_reserves(key: str) -> None:
    base = Link(name="base", inertial=Inertial(2.0), props={key: "urn:p"})
    findings = Findings()
    text = dumps(Robot(name="r", frames=(Frame(id="base", links=(base,)),)), findings=findings)
    assert [f.where for f in findings if f.code == "prop-unwritable"] == ["link base"]
    assert loads(text).frame("base").links[0] == replace(base, props={})


@pytest.mark.parametrize(("prefix", "uri"), [("p", ""), ("xml", "urn:p"), ("1", "urn:p"), ("p", "\x01")])
def test_a_namespace_that_cannot_be_declared_is_a_finding(prefix: str, uri: str) -> None:
    robot = Robot(name="r", frames=(Frame(id="a", links=(Link(name="a"),)),), props={f"@xmlns:{prefix}": uri})
    findings = Findings()
    text = dumps(robot, findings=findings)
    assert [f.code for f in findings] == ["prop-unwritable"]
    assert loads(text) == replace(robot, props={})


def test_namespaces_are_declared_again() -> None:
    text = '<robot name="r" version="1.1" xmlns:s="urn:s"><link name="base"><s:contact s:x="1"/></link></robot>'
    robot = loads(text)
    assert robot.props == {"@xmlns:s": "urn:s", "@version": "1.1"}
    assert robot.frame("base").links[0].props == {"s:contact.s:x": "1"}
    assert loads(dumps(robot)) == robot


NAMING = [  # element of the robot, key, the kind of what it names
    ('<gazebo reference="wheel"/>', "gazebo.reference", "link"),
    ('<gazebo/><gazebo reference="j"/>', "gazebo[2].reference", "joint"),
    ('<gazebo><plugin name="p"><bodyName>wheel</bodyName></plugin></gazebo>', "gazebo.plugin.bodyName.#text", "link"),
    (
        "<gazebo><sensor><plugin><a/></plugin><plugin><deep><leftJoint>j</leftJoint></deep></plugin></sensor></gazebo>",
        "gazebo.sensor.plugin[2].deep.leftJoint.#text",
        "joint",
    ),
    ('<gazebo><joint name="x"><parent>wheel</parent></joint></gazebo>', "gazebo.joint.parent.#text", "link"),
    ('<ros2_control><joint name="j"/></ros2_control>', "ros2_control.joint.name", "joint"),
    (
        '<ros2_control><joint name="k"><param name="a">1</param><param name="mimic">j</param></joint></ros2_control>',
        "ros2_control.joint.param[2].#text",
        "joint",
    ),
    ('<sensor name="s" type="camera"><parent joint="j"/></sensor>', "parent.joint", "joint"),
    ('<transmission name="t"><flexJoint name="j"/></transmission>', "flexJoint.name", "joint"),
]


@pytest.mark.parametrize(("element", "key", "kind"), NAMING)
def test_the_reader_declares_what_props_name_and_renaming_follows(element: str, key: str, kind: str) -> None:
    robot = loads(robot_text(robot=element))
    ((holder, references),) = [(each, each.references) for _, each in holders(robot) if each.references]
    assert references == {key: kind}
    renamed = rename(robot, frames={"wheel": "w"}, links={"wheel": "w"}, joints={"j": "new j"})
    ((changed, same),) = [(each, each.references) for _, each in holders(renamed) if each.references]
    assert same == references
    before, after = texts_of(holder), texts_of(changed)
    assert after == {**before, key: {"wheel": "w", "j": "new j"}[before[key]]}


@pytest.mark.parametrize(
    "element",
    [
        "<gazebo><plugin><robotNamespace>wheel</robotNamespace></plugin></gazebo>",
        "<gazebo><plugin><bodyName>elsewhere</bodyName></plugin></gazebo>",
        "<gazebo><plugin><bodyName>j</bodyName></plugin></gazebo>",  # a joint, where a link is named
        '<note link="wheel" jointed="j">wheel</note>',
        '<ros2_control><joint name="k"><param name="initial">j</param></joint></ros2_control>',
    ],
)
def test_text_that_only_looks_like_a_name_stays(element: str) -> None:
    robot = loads(robot_text(robot=element))
    assert robot.references == {}
    renamed = rename(robot, frames={"wheel": "w"}, links={"wheel": "w"}, joints={"j": "new j"})
    assert renamed.props == robot.props


def test_props_that_settings_give_are_recognised_when_urdf_is_written() -> None:
    props = PropsSettings(robot={"gazebo.reference": "Räd", "note.text": "Räd"})
    frames = (Frame(id="base"), Frame(id="Räd", parent="base", links=(Link(name="Räd"),)))
    robot = apply_settings(Robot(name="r", frames=frames), Settings(props=props), Findings())
    assert robot.references == {}
    written = etree.fromstring(dumps(robot))
    assert [element.get("reference") for element in written.iter("gazebo")] == ["Rad"]
    assert [element.get("text") for element in written.iter("note")] == ["Räd"]
    back = loads(dumps(robot))
    assert (back.props, back.references) == (props.robot, {"gazebo.reference": "link"})
