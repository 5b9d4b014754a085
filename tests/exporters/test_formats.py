"""The table of formats: one line adds a format, which is then read, written and chosen like the others."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from types import ModuleType

import msgspec
import pytest

import swgrm
from swgrm import Frame, Mesh, Robot
from swgrm.errors import FileError, SettingsError, SwgrmError
from swgrm.findings import Findings
from swgrm.model import Joint, JointType, Link
from swgrm.settings import converted
from swgrm_exporters.format import Format, Target
from swgrm_exporters.formats import FORMATS, chosen, named, of_file, read, write
from swgrm_exporters.lowering import Capabilities
from swgrm_exporters.no_options import NoOptions
from swgrm_exporters.ros2.options import PackageOptions
from swgrm_exporters.urdf.options import UrdfOptions
from swgrm_exporters.urdf.reader import loads
from swgrm_exporters.urdf.writer import CAPABILITIES

ARM = Robot(
    name="arm",
    frames=(
        Frame(id="base", links=(Link(name="base", visuals=(Mesh(uri="meshes/base.stl"),)),)),
        Frame(id="turn", parent="base", joint=Joint(type=JointType.REVOLUTE, name="elbow")),
    ),
)


class ListOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Options of the throw-away format."""

    separator: str = "\n"


def read_list(path: Path, findings: Findings) -> Robot:
    names = path.read_text().split()
    findings.add("frames-dropped", f"robot {path.stem}", count=len(names) - 1)
    return Robot(name=path.stem, frames=(Frame(id=names[0]),))


def write_list(robot: Robot, target: Target, options: ListOptions, findings: Findings) -> list[Path]:
    path = target.file(".list")
    path.write_text(options.separator.join(frame.id for frame in robot.frames))
    findings.add("frames-dropped", f"robot {robot.name}", count=0)
    return [path]


@pytest.fixture(name="listed")
def _listed(monkeypatch: pytest.MonkeyPatch) -> Format:
    module = ModuleType("throw_away")
    vars(module).update(read=read_list, write=write_list, ListOptions=ListOptions)
    monkeypatch.setitem(sys.modules, "throw_away", module)
    form = Format(
        name="list",
        title="Names of frames",
        suffixes=(".list", ".names"),
        reader="throw_away:read",
        writer="throw_away:write",
        options_type="throw_away:ListOptions",
    )
    monkeypatch.setitem(FORMATS, "list", form)
    return form


def test_one_line_adds_a_format(listed: Format, tmp_path: Path) -> None:
    findings = Findings()
    assert of_file("robot.list") is of_file("robot.NAMES") is named("list") is listed
    (file,) = write(ARM, tmp_path / "r.names", ListOptions(separator=" "), findings)
    assert (file.name, file.read_text()) == ("r.names", "base turn")
    assert read(file, findings).root.id == "base"
    assert [finding.code for finding in findings] == ["frames-dropped"] * 2
    assert chosen(("list", "grm")) == [FORMATS["grm"], listed]
    assert converted({"separator": ","}, listed.options, "list") == ListOptions(",")
    with pytest.raises(SettingsError, match=r"list: .*`seperator`.*`separator`"):
        converted({"seperator": ","}, listed.options, listed.name)


def test_a_new_format_is_written_only_when_it_is_named(listed: Format) -> None:
    assert listed not in chosen(())
    assert [form.name for form in chosen(())] == ["grm", "urdf", "robotinfo", "html"]


def test_a_format_that_contains_another_is_written_instead_of_it() -> None:
    assert [form.name for form in chosen(("grm", "urdf", "ros2"))] == ["grm", "ros2"]
    assert [form.name for form in chosen(("mjcf", "ros2"))] == ["ros2", "mjcf"]  # its own model of MuJoCo is another
    assert [form.name for form in chosen(("urdf",))] == ["urdf"]


def test_every_format_is_declared_in_full() -> None:
    for name, form in FORMATS.items():
        assert (form.name, bool(form.title), form.can_write) == (name, True, True)
        assert form.can_read == bool(form.suffixes) or name == "html"
        assert isinstance(form.options(), msgspec.Struct)
        assert set(form.contains) <= FORMATS.keys()
    assert Format("toy", "A toy").options is NoOptions
    assert FORMATS["grm"].capabilities == Capabilities()
    assert FORMATS["urdf"].capabilities == FORMATS["ros2"].capabilities == CAPABILITIES
    suffixes = [suffix for form in FORMATS.values() for suffix in form.suffixes]
    assert len(set(suffixes)) == len(suffixes)


def test_a_package_has_the_users_urdf_options_and_overrides_two_of_them(tmp_path: Path) -> None:
    findings = Findings()
    target = Target(tmp_path, "my_arm")
    urdf = UrdfOptions(effort=7.0, package="other")
    files = named("ros2").write(ARM, target, PackageOptions(version="2.0.0"), findings, {"urdf": urdf})
    assert sorted(file.relative_to(tmp_path).as_posix() for file in files) == [
        "CMakeLists.txt", "config/controllers.yaml", "config/gz_bridge.yaml", "launch/control.launch.py",
        "launch/display.launch.py", "launch/gazebo.launch.py", "mujoco/arm.xml", "mujoco/scene.xml", "package.xml",
        "rviz/arm.rviz", "test/test_description.py", "urdf/arm.gazebo.xacro", "urdf/arm.ros2_control.xacro",
        "urdf/arm.urdf", "urdf/arm.urdf.xacro", "urdf/arm_macro.xacro", "worlds/arm.sdf",
    ]  # fmt: skip
    text = (tmp_path / "urdf" / "arm.urdf").read_bytes()
    assert b'effort="7"' in text
    assert b'filename="package://arm_description/meshes/base.stl"' in text
    assert loads(text).joints["elbow"].joint is not None
    assert b"<version>2.0.0</version>" in (tmp_path / "package.xml").read_bytes()
    assert [finding.where for finding in findings if finding.code == "setting-overridden"] == ["urdf.package"]


def test_the_view_is_fixed_to_the_root_as_the_users_options_name_it(tmp_path: Path) -> None:
    robot = Robot(name="r", frames=(Frame(id="a", links=(Link(name="Bäse"),)),))
    named("ros2").write(robot, Target(tmp_path, "r"), None, Findings())
    assert b'<link name="Base"/>' in (tmp_path / "urdf" / "r.urdf").read_bytes()
    assert b"Fixed Frame: Base\n" in (tmp_path / "rviz" / "r.rviz").read_bytes()


def test_files_that_are_staged_name_meshes_where_they_will_be(tmp_path: Path) -> None:
    from swgrm_exporters.urdf.options import MeshPaths

    target = Target(tmp_path, "arm", final=Path("/robots/arm"))
    (file,) = named("urdf").write(ARM, target, UrdfOptions(mesh_paths=MeshPaths.ABSOLUTE), Findings())
    assert file == tmp_path / "arm.urdf"
    assert b'filename="file:///robots/arm/meshes/base.stl"' in file.read_bytes()


def test_unknown_names_and_endings_are_errors(listed: Format, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(SwgrmError, match=r"no format `udrf`\. Did you mean `urdf`\? Known: grm, urdf,"):
        chosen(("udrf",))
    with pytest.raises(FileError, match=r"a\.txt: no known format has this ending\. Use one of: \.grm\.json, \.urdf"):
        read("a.txt")
    with pytest.raises(FileError, match="this is a settings file, not a robot"):
        of_file("arm.grm.yaml")
    monkeypatch.setitem(FORMATS, "list", replace(listed, reader=""))
    with pytest.raises(FileError, match=r"a\.list: the format list can be written, but not read"):
        read("a.list")
    monkeypatch.setitem(FORMATS, "list", replace(listed, writer=""))
    with pytest.raises(FileError, match=r"a\.list: the format list can be read, but not written"):
        write(ARM, "a.list")


def test_options_are_taken_as_plain_data(tmp_path: Path) -> None:
    robot = swgrm.generate(dof=2, seed=1)
    short, long = (write(robot, tmp_path / f"{digits}.urdf", {"precision": digits})[0] for digits in (6, 15))
    assert len(short.read_bytes()) < len(long.read_bytes())
    with pytest.raises(SettingsError, match="urdf, precision"):
        write(robot, tmp_path / "wrong.urdf", {"precision": 99})
    with pytest.raises(SettingsError, match=r"no setting `precison`. Did you mean `precision`"):
        write(robot, tmp_path / "wrong.urdf", {"precison": 9})
    assert not (tmp_path / "wrong.urdf").exists()
