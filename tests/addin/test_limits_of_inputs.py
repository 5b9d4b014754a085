"""Small inputs that grow without an end, or that break a computation, end with one sentence."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path, PureWindowsPath

import pytest
from tests.commands import swgrm

from swgrm.errors import FileError
from swgrm.meshes.uris import resolve
from swgrm.model import Box, Frame, Inertial, Joint, JointType, Link, Pose, Robot, Tensor
from swgrm.model.grmfile import dumps
from swgrm.storage.files import leaves_machine, read_bytes
from swgrm_addin.settings_file import read_settings
from swgrm_exporters.yamltext import key_line, parse

DEPTH, COPIES = 18, 4  # 4¹⁸ inclusions
PATIENCE = 20.0  # [s] of processor time; without the limits, none of these ended in minutes


def mjcf(number: int) -> str:
    inside = f'<include file="f{number + 1}.xml"/>' * COPIES if number < DEPTH else "<worldbody/>"
    return f"<mujoco>{inside}</mujoco>"


def sdf(number: int) -> str:
    inside = "".join(f"<include><uri>f{number + 1}.sdf</uri><name>m{copy}</name></include>" for copy in range(COPIES))
    content = inside if number < DEPTH else "<link name='a'/>"
    return f'<sdf version="1.9"><model name="m">{content}</model></sdf>'


def usd(number: int) -> str:
    layers = ", ".join([f"@f{number + 1}.usda@"] * COPIES) if number < DEPTH else ""
    return f'#usda 1.0\n(\n    defaultPrim = "a"\n    subLayers = [{layers}]\n)\ndef Xform "a"\n{{\n}}\n'


@pytest.mark.parametrize(("ending", "content"), [("xml", mjcf), ("sdf", sdf), ("usda", usd)])
def test_inclusions_are_counted(tmp_path: Path, ending: str, content: Callable[[int], str]) -> None:
    for number in range(DEPTH + 1):
        (tmp_path / f"f{number}.{ending}").write_text(content(number))
    start = time.process_time()
    done = swgrm("show", tmp_path / f"f0.{ending}")
    assert time.process_time() - start < PATIENCE
    assert done.returncode == 2
    assert "more than 1,000" in done.stderr, done.stderr


# ---- YAML


@pytest.mark.parametrize("text", ["1:30", "-1:30", "1:1:1.5", "1" + ":1" * 500_000])
def test_numbers_to_the_base_60_are_texts(text: str) -> None:
    start = time.process_time()
    assert parse(f"a: {text}") == {"a": text}
    assert time.process_time() - start < PATIENCE


def test_the_line_of_one_key_is_found_however_often_aliases_repeat_it(tmp_path: Path) -> None:
    levels = ["a0: &a0 {x: 1}"]
    levels += [f"a{n}: &a{n} {{{', '.join(f'k{k}: *a{n - 1}' for k in range(10))}}}" for n in range(1, 7)]
    text = "props:\n" + "\n".join(f"  {level}" for level in levels) + "\nrobot: {nam: 1}\n"
    start = time.process_time()
    assert key_line(text, ("robot", "nam")) == 9
    assert key_line(text, ("props", "a6", "k3", "k2")) == 7
    assert key_line(text, ("props", "b")) is None
    (tmp_path / "x.grm.yaml").write_text(text)
    with pytest.raises(FileError, match=r"x\.grm\.yaml: "):
        read_settings(tmp_path / "x.grm.yaml")
    assert time.process_time() - start < PATIENCE


@pytest.mark.parametrize("value", ["!!timestamp x", "!!int x", "!!float x", "!!bool x"])
def test_a_value_that_its_tag_does_not_fit_is_a_sentence(tmp_path: Path, value: str) -> None:
    (tmp_path / "x.grm.yaml").write_text(f"robot:\n  name: {value}\n")
    with pytest.raises(FileError, match=r"x\.grm\.yaml: .*line 2.*cannot be read"):
        read_settings(tmp_path / "x.grm.yaml")


def test_an_integer_of_any_length_is_a_number_or_a_sentence(tmp_path: Path) -> None:
    assert parse("a: " + "9" * 400) == {"a": float("inf")}
    assert parse("a: -" + "9" * 400) == {"a": float("-inf")}
    joints = f"joints:\n- {{name: j, type: revolute, parent: a, child: b, lower: {'9' * 400}}}\n"
    (tmp_path / "arm.joints.yaml").write_text(joints)
    done = swgrm("settings", "mock:arm", "--from", tmp_path / "arm.joints.yaml", "-o", tmp_path / "x.grm.yaml")
    assert "Unexpected error" not in done.stderr


# ---- USD


def prim(attribute: str) -> str:
    body = f'def Xform "a" (prepend apiSchemas = ["PhysicsRigidBodyAPI"])\n{{\n    {attribute}\n}}\n'
    return f'#usda 1.0\n(\n    defaultPrim = "a"\n    metersPerUnit = 1\n)\n{body}'


@pytest.mark.parametrize(
    "text",
    [
        prim(f"int x = {'9' * 5000}"),
        prim("float physics:mass = nan"),
        "#usda 1.0\n(\n    subLayers = [@x\0.usda@]\n)\n",
        "#usda 1.0\n(\n    subLayers = [@//server/share/x.usda@]\n)\n",
    ],
    ids=["a long integer", "a mass that is not a number", "a name with a null byte", "a layer on a server"],
)
def test_odd_usd_files_are_read_or_refused_with_a_sentence(tmp_path: Path, text: str) -> None:
    (tmp_path / "a.usda").write_text(text)
    done = swgrm("show", tmp_path / "a.usda")
    assert "Unexpected error" not in done.stderr
    assert done.returncode == 0 or done.stderr.startswith(f"swgrm: {tmp_path}")
    assert done.returncode == 2 or "mass" not in text


def test_binary_usd_that_our_parser_does_not_read_is_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a.usdc").write_bytes(b"PXR-USDC")
    monkeypatch.setattr("swgrm_exporters.usd.stage._flattened", lambda _: "#usda 1.0\ndef {")
    done = swgrm("show", tmp_path / "a.usdc")
    assert done.stderr.startswith(f"swgrm: {tmp_path / 'a.usdc'}: line ")


# ---- robots that nothing can be computed of

HINGE = Joint(type=JointType.REVOLUTE, name="j")
FORMATS = ("grm", "urdf", "mjcf", "sdf", "usd", "ros2", "robotinfo", "html")


def robot(second: Frame, *more: Frame) -> Robot:
    return Robot(name="r", frames=(Frame(id="base", links=(Link(name="base"),)), second, *more))


def inertial(value: float) -> Robot:
    tensor = Tensor(ixx=value, iyy=value, izz=value, ixy=value / 10)
    link = Link(name="b", inertial=Inertial(value, (value, 0.0, 0.0), tensor), visuals=(Box(size=(1.0, 1.0, 1.0)),))
    return robot(Frame(id="b", parent="base", joint=HINGE, links=(link,)))


ROBOTS = {
    "two frames of one id": robot(Frame(id="b", parent="base", joint=HINGE), Frame(id="b", parent="base")),
    "a frame without an id": robot(Frame(id="", parent="base", joint=HINGE)),
    "masses of 1e145": inertial(1e145),
    "masses of 1e300": inertial(1e300),
    "a position of 1e200": robot(Frame(id="b", parent="base", joint=HINGE, transform=Pose((1e200, 0.0, 0.0)))),
}


@pytest.mark.parametrize("name", ROBOTS)
@pytest.mark.parametrize("form", FORMATS)
def test_a_robot_that_nothing_can_be_computed_of_is_a_sentence(tmp_path: Path, name: str, form: str) -> None:
    file = tmp_path / "r.grm.json"
    file.write_bytes(dumps(ROBOTS[name]))
    for command in (("show",), ("check",), ("export", "-o", tmp_path / "out", "--format", form)):
        done = swgrm(command[0], file, *command[1:])
        assert "Unexpected error" not in done.stderr, done.stderr
    assert done.returncode == 2
    assert done.stderr.startswith(f"swgrm: {file}")
    assert not (tmp_path / "out").exists()


# ---- other machines

HOME = PureWindowsPath("C:/robots/arm.urdf")
ON_SHARE = PureWindowsPath("//vault/robots/arm/arm.urdf")


@pytest.mark.parametrize(
    ("path", "home", "is_refused"),
    [
        (r"\\evil\share\a.stl", HOME, True),
        ("//evil/share/a.stl", HOME, True),
        (r"\\?\UNC\evil\share\a.stl", HOME, True),
        (r"C:\robots\meshes\a.stl", HOME, False),
        (r"D:\meshes\a.stl", HOME, False),
        (r"\\vault\robots\meshes\a.stl", ON_SHARE, False),
        (r"\\VAULT\Robots\meshes\a.stl", ON_SHARE, False),
        (r"\\evil\robots\a.stl", ON_SHARE, True),
    ],
)
def test_a_path_on_another_machine_is_refused_unless_the_robot_is_there(
    path: str, home: PureWindowsPath, is_refused: bool
) -> None:
    assert leaves_machine(home.parent / PureWindowsPath(path), home) is is_refused


@pytest.fixture(name="asked")
def _asked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The paths that the system is asked about."""
    paths: list[str] = []

    def recorded(question: Callable[[Path], bool]) -> Callable[[Path], bool]:
        def ask(path: Path) -> bool:
            paths.append(str(path))
            return question(path)

        return ask

    for name in ("is_file", "is_dir", "exists"):
        monkeypatch.setattr(Path, name, recorded(getattr(Path, name)))
    return paths


@pytest.mark.parametrize("uri", ["//evil/share/a.stl", "file:////evil/share/a.stl"])
def test_no_mesh_on_another_machine_is_looked_at(tmp_path: Path, asked: list[str], uri: str) -> None:
    assert resolve(uri, tmp_path) is None
    assert [path for path in asked if "evil" in path] == []


INCLUDED = "<include><uri>//evil/share/b.sdf</uri></include>"


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.xml", '<mujoco><include file="//evil/share/b.xml"/></mujoco>'),
        ("a.sdf", f'<sdf version="1.9"><model name="m"><link name="a"/>{INCLUDED}</model></sdf>'),
        ("a.usda", '#usda 1.0\n(\n    subLayers = [@//evil/share/b.usda@]\n)\n'),
    ],
)  # fmt: skip
def test_no_inclusion_on_another_machine_is_looked_at(tmp_path: Path, asked: list[str], name: str, text: str) -> None:
    (tmp_path / name).write_text(text)
    done = swgrm("show", tmp_path / name)
    assert "Unexpected error" not in done.stderr
    assert asked
    assert [path for path in asked if "evil" in path] == []


def test_a_name_that_no_file_can_have_is_a_sentence() -> None:
    with pytest.raises(FileError, match="no file can have such a name"):
        read_bytes(Path("a\0b"))
