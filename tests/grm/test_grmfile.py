from __future__ import annotations

import contextlib
import json
import re
from pathlib import Path

import msgspec
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.robots import any_robots

import swgrm
from swgrm import Frame, Joint, JointType, Pose, Robot
from swgrm.errors import FileError, ModelError
from swgrm.model import deepjson
from swgrm.model.deepjson import JsonProblem
from swgrm.model.grmfile import dumps, load, loads, save, schema
from swgrm_mocks.example import example_arm, example_mechanism

SEED_EXAMPLE = """
{
  "robotName": "MyRobot",
  "rootFrame": {
    "id": "base_frame",
    "name": "Base Frame",
    "transform": { "pos": [0,0,0], "rot": [0,0,0,1] },
    "links": [
      {
        "name": "base_link",
        "inertial": { "mass": 1.0, "origin": [0,0,0] },
        "visuals": [{ "type": "mesh", "uri": "package://my_robot/base.stl" }]
      }
    ],
    "children": [
      {
        "id": "arm_frame",
        "joint": {
          "type": "revolute",
          "axis": [0,0,1],
          "limits": { "lower": -1.57, "upper": 1.57 }
        },
        "links": [ {"name": "arm_link"} ]
      }
    ]
  }
}
"""


def chain(length: int) -> Robot:
    return Robot(
        name="chain",
        frames=tuple(
            Frame(
                id=f"f{i}",
                parent=f"f{i - 1}" if i else None,
                transform=Pose((0.0, 0.0, 0.1)),
                joint=Joint(type=JointType.REVOLUTE, axis=(1.0, 0.0, 0.0)) if i else None,
            )
            for i in range(length)
        ),
    )


def test_the_example_of_the_specification_loads_unchanged() -> None:
    robot = loads(SEED_EXAMPLE)
    assert robot.name == "MyRobot"
    assert [frame.id for frame in robot.frames] == ["base_frame", "arm_frame"]
    arm = robot.frame("arm_frame")
    assert arm.parent == "base_frame"
    assert arm.joint is not None
    assert arm.joint.type is JointType.REVOLUTE
    assert (arm.joint.limits.lower, arm.joint.limits.upper) == (-1.57, 1.57)
    assert robot.root.links[0].inertial == swgrm.Inertial(1.0)
    assert robot.root.links[0].visuals == (swgrm.Mesh(uri="package://my_robot/base.stl"),)


@pytest.mark.parametrize(
    "text",
    [SEED_EXAMPLE, dumps(example_arm()).decode(), dumps(example_mechanism()).decode()],
    ids=["seed", "arm", "mechanism"],
)
def test_round_trip_is_byte_for_byte(text: str) -> None:
    once = dumps(loads(text))
    assert dumps(loads(once)) == once


def test_the_examples_use_every_field_of_the_model() -> None:
    used: dict[str, set[str]] = {}

    def look(value: object) -> None:
        if isinstance(value, msgspec.Struct):
            for field in msgspec.structs.fields(value):
                inner = getattr(value, field.name)
                default = field.default if field.default_factory is msgspec.NODEFAULT else {}
                if field.required or inner != default:
                    used.setdefault(type(value).__name__, set()).add(field.name)
                look(inner)
        elif isinstance(value, tuple):
            for item in value:
                look(item)

    look(example_arm())
    look(example_mechanism())
    every = {
        cls.__name__: set(cls.__struct_fields__)
        for cls in vars(swgrm.model).values()
        if isinstance(cls, type) and issubclass(cls, swgrm.model.Data) and cls.__module__ == "swgrm.model"
    }
    for abstract in ("Data", "GeometryFields", "FrameFields", "RobotFields"):
        del every[abstract]
    missing = {f"{name}.{field}" for name, fields in every.items() for field in fields - used.get(name, set())}
    shape_fields = {
        f"{kind}.{field}"
        for kind in ("Box", "Cylinder", "Sphere", "Capsule", "Mesh")
        for field in ("name", "origin", "material")
    }
    assert missing - shape_fields == set()


@given(any_robots(strange=True))
def test_what_is_saved_loads_as_the_same_robot(robot: Robot) -> None:
    text = dumps(robot)
    again = loads(text)
    assert robot.is_same_as(again, 0.0).is_same
    assert {frame.id: frame for frame in again.frames} == {frame.id: frame for frame in robot.frames}
    assert dumps(again) == text


@given(any_robots())
def test_equal_robots_have_equal_bytes(robot: Robot) -> None:
    rebuilt = msgspec.convert(msgspec.to_builtins(robot), Robot)
    assert rebuilt == robot
    assert dumps(rebuilt) == dumps(robot)


@given(any_robots())
def test_the_file_is_plain_json_that_fits_its_schema_s_keys(robot: Robot) -> None:
    data = json.loads(dumps(robot))
    assert set(data) <= set(schema()["$defs"]["RobotFile"]["properties"])


@pytest.mark.parametrize("length", [1000, 5000])
def test_a_deep_chain_loads_saves_and_computes(length: int) -> None:
    robot = chain(length)
    again = loads(dumps(robot))
    assert again == robot
    assert dumps(again) == dumps(robot)
    z = swgrm.poses(again)[f"f{length - 1}"][2, 3]
    assert z == pytest.approx(0.1 * length)


# ---- what JSON can be

json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**53), 2**53)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


@given(json_values, st.sampled_from([None, 1]))
def test_the_iterative_parser_reads_what_the_library_reads(value: object, indent: int | None) -> None:
    text = json.dumps(value, indent=indent, ensure_ascii=bool(indent))
    assert deepjson.parse(text) == json.loads(text)


@given(json_values, st.data())
def test_the_iterative_parser_refuses_what_the_library_refuses(value: object, data: st.DataObject) -> None:
    text = json.dumps(value)
    at = data.draw(st.integers(0, len(text)))
    broken = text[:at] + data.draw(st.sampled_from(["", ",", "}", '"', "1", "[", "nul", " :"])) + text[at + 1 :]
    try:
        expected = json.loads(broken)
    except json.JSONDecodeError:
        with pytest.raises(JsonProblem):
            deepjson.parse(broken)
    else:
        assert deepjson.parse(broken) == expected


# ---- bad input

NESTED = b'{"robotName":"a","rootFrame":' + b'{"id":"a","children":[' * 200_000


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "the file is empty"),
        (b"   \n", "the file is empty"),
        (b"hello", r"line 1, column 1: this is not JSON"),
        (SEED_EXAMPLE[:200].encode(), r"line \d+, column \d+: the text ends in the middle"),
        (b"[" * 10_000_000, "it nests deeper than"),
        (NESTED, "it nests deeper than"),
        (b"[]", "expected an object, got a list"),
        (b'{"robotName": "a"}', "the key `rootFrame` is missing"),
        (b'{"robotName": "a", "rootFrame": 3}', "rootFrame: expected an object, got a whole number"),
        (SEED_EXAMPLE.replace("robotName", "robotNmae").encode(), "unknown key `robotNmae`. Did you mean `robotName`?"),
        (
            SEED_EXAMPLE.replace('"lower"', '"lowest"').encode(),
            r"rootFrame.children\[0\].joint.limits: unknown key `lowest`. Did you mean `lower`?",
        ),
        (
            SEED_EXAMPLE.replace("-1.57", '"left"').encode(),
            r"rootFrame.children\[0\].joint.limits.lower: expected a number or null, got text",
        ),
        (SEED_EXAMPLE.replace("revolute", "hinge").encode(), r"joint.type: `hinge` is not one of the choices"),
        (SEED_EXAMPLE.replace("[0,0,1]", "[0,0]").encode(), r"joint.axis: expected a list of length 3, got 2"),
        (SEED_EXAMPLE.replace("1.57 }", "NaN }").encode(), r"line \d+, column \d+: this is not JSON"),
        (SEED_EXAMPLE.replace("1.57 }", "1e999 }").encode(), r"line \d+, column \d+: the number 1e999 is out of range"),
        (
            SEED_EXAMPLE.replace('"robotName"', '"schemaVersion": 7, "robotName"').encode(),
            "schemaVersion: version 7 is newer than this swgrm, which reads versions 1 to 2. Update swgrm",
        ),
        (
            SEED_EXAMPLE.replace('"children": [', '"children": [5,').encode(),
            r"children\[0\]: expected an object, got a whole number",
        ),
        (
            SEED_EXAMPLE.replace('"children": [', '"children": {}, "x": [').encode(),
            r"unknown key `x`|children: expected",
        ),
        (b"\xff\xfe" + SEED_EXAMPLE.encode("utf-16-le"), "byte 0: it is not UTF-8 text"),
        (SEED_EXAMPLE.replace("MyRobot", "R\xe4d").encode("latin-1"), r"byte \d+: it is not UTF-8 text"),
    ],
    ids=lambda value: None if isinstance(value, bytes) else value[:40],
)
def test_bad_files_are_refused_with_the_place(tmp_path: Path, data: bytes, message: str) -> None:
    path = tmp_path / "bad.grm.json"
    path.write_bytes(data)
    with pytest.raises(FileError, match=message) as caught:
        load(path)
    assert str(caught.value).startswith(str(path))
    assert "\n" not in str(caught.value)


def test_a_place_in_a_deep_file_is_found_too() -> None:
    text = dumps(chain(1500)).replace(b'"id": "f1400"', b'"idd": "f1400"')
    with pytest.raises(JsonProblem, match=r"children\[0\]: unknown key `idd`. Did you mean `id`?"):
        loads(text)


def test_a_folder_a_missing_file_and_a_byte_order_mark(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="it is a folder"):
        load(tmp_path)
    with pytest.raises(FileError, match="no such file"):
        load(tmp_path / "none.grm.json")
    (tmp_path / "bom.grm.json").write_text(SEED_EXAMPLE, encoding="utf-8-sig")
    assert load(tmp_path / "bom.grm.json").name == "MyRobot"


@pytest.mark.parametrize("number", [float("nan"), float("inf"), float("-inf")])
def test_numbers_that_json_does_not_have_are_not_saved(tmp_path: Path, number: float) -> None:
    path = tmp_path / "r.grm.json"
    save(chain(2), path)
    before = path.read_bytes()
    broken = Robot(name="r", frames=(Frame(id="a", transform=Pose((0.0, number, 0.0))),))
    with pytest.raises(ModelError, match=re.escape("transform.pos[1]")):
        save(broken, path)
    assert path.read_bytes() == before
    assert [p.name for p in tmp_path.iterdir()] == ["r.grm.json"]


def test_numbers_from_numpy_are_saved_as_numbers() -> None:
    robot = Robot(name="r", frames=(Frame(id="a", transform=Pose(tuple(np.array([0.1, 0.2, 0.3])))),))
    assert loads(dumps(robot)) == robot


def test_text_that_is_not_unicode_is_not_saved() -> None:
    with pytest.raises(ModelError, match="is not Unicode"):
        dumps(Robot(name="r", frames=(Frame(id="\ud800"),)))


def test_frames_that_the_root_does_not_reach_are_an_error() -> None:
    with pytest.raises(ModelError, match="does not reach 2 of its frames"):
        dumps(Robot(name="r", frames=(Frame(id="a"), Frame(id="b", parent="c"), Frame(id="c", parent="b"))))
    with pytest.raises(ModelError, match="several frames of one id"):
        dumps(Robot(name="r", frames=(Frame(id="a"), Frame(id="b", parent="a"), Frame(id="b", parent="b"))))


@settings(max_examples=30)
@given(any_robots(most=3), st.data())
def test_any_cut_or_damage_is_an_error_or_a_robot_never_a_crash(robot: Robot, data: st.DataObject) -> None:
    text = bytearray(dumps(robot))
    at = data.draw(st.integers(0, len(text) - 1))
    text[at : at + data.draw(st.integers(0, 20))] = data.draw(st.binary(max_size=3))
    with contextlib.suppress(JsonProblem):
        loads(bytes(text))
