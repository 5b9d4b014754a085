"""The main job on samples: URDF with meshes, the ROS 2 package, what changed, and what is left alone."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from urllib.parse import urlparse
from urllib.request import url2pathname

import msgspec
import pytest
import yaml
from click.testing import CliRunner
from lxml import etree

from swgrm.errors import SettingsError
from swgrm.meshes.agreement import check_meshes
from swgrm.meshes.files import ENCODERS, HAS_COLOURS
from swgrm.model import Mesh, Robot
from swgrm_addin.cli import app
from swgrm_addin.pipeline import Export, export
from swgrm_addin.settings_file import OptionsBySection
from swgrm_exporters.formats import read
from swgrm_exporters.ros2.layout import package_folder


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SWGRM_CACHE", str(tmp_path / "cache"))


def contents(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def exported(
    folder: Path, formats: tuple[str, ...] = ("grm", "urdf"), options: OptionsBySection | None = None
) -> Export:
    return export("mock:arm", folder, formats=formats, options=options)


def mesh_names(root: etree._Element) -> set[str]:
    """The file names of all meshes of a URDF; an element without one is a KeyError."""
    return {str(mesh.attrib["filename"]) for mesh in root.iter("mesh")}


ALL = ("grm", "robotinfo", "moveit", "ros2", "mjcf", "sdf", "usd", "html")


@pytest.mark.parametrize("form", ["stl", "glb"])
def test_no_format_reads_a_mesh_file_of_its_own_export(
    form: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("swgrm.meshes.store.read_bytes", lambda path: pytest.fail(f"{path} was read"))
    for _ in range(2):  # with an empty cache and with a filled one
        done = exported(tmp_path / "out", ALL, {"meshes": {"format": form}})
        assert {".usda", ".html", ".srdf", ".xml", ".sdf"} <= {file.suffix for file in done.files}


def test_meshes_are_not_made_for_formats_without_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    look: OptionsBySection = {"materials": {"colour_cad1eeff": {"rgba": [1, 0, 0, 1]}}}
    with_meshes = exported(tmp_path / "all", ("urdf", "robotinfo"), look)
    monkeypatch.setattr("swgrm.meshes.building.add_meshes", lambda *_, **__: pytest.fail("meshes were made"))
    done = exported(tmp_path / "one", ("robotinfo",), look)
    assert {file.name for file in done.files} == {"arm.yml", "arm.findings.json"}
    assert not (tmp_path / "one" / "meshes").exists()
    assert (tmp_path / "one" / "arm.yml").read_bytes() == (tmp_path / "all" / "arm.yml").read_bytes()
    assert len(with_meshes.files) > 20


def test_a_sample_gets_masses_meshes_and_colours(tmp_path: Path) -> None:
    done = exported(tmp_path / "out")
    robot = read(tmp_path / "out" / "arm.urdf")
    visuals = [shape for _, link in robot.links() for shape in link.visuals]
    meshes = [shape for shape in visuals if isinstance(shape, Mesh)]
    assert meshes
    assert len(meshes) == len(visuals)
    assert all((tmp_path / "out" / mesh.uri).is_file() for mesh in meshes)
    assert all(link.inertial is not None for frame, link in robot.links() if not frame.is_rigid)
    assert len(robot.materials) > 1
    assert check_meshes(robot, tmp_path / "out") == []
    assert set(done.files) == {tmp_path / "out" / name for name in contents(tmp_path / "out") if name != ".swgrm.json"}


@pytest.mark.parametrize("form", ENCODERS)
def test_colours_are_in_the_mesh_file_or_in_the_robot(form: str, tmp_path: Path) -> None:
    done = export("mock:gripper", tmp_path, formats=("urdf",), options={"meshes": {"format": form}})
    painted = {material.name for material in done.robot.materials if material.rgba}
    visuals = [shape for _, link in done.robot.links() for shape in link.visuals]
    assert visuals
    assert all((shape.material in painted) != (form in HAS_COLOURS) for shape in visuals)


def test_the_same_export_gives_the_same_bytes_and_touches_nothing(tmp_path: Path) -> None:
    out = tmp_path / "out"
    exported(out)
    before, times = contents(out), {path: path.stat().st_mtime_ns for path in out.rglob("*.stl")}
    done = exported(out)
    assert contents(out) == before
    assert {path: path.stat().st_mtime_ns for path in out.rglob("*.stl")} == times
    assert done.changes is not None
    assert done.changes.is_same


def test_a_ros2_package_is_complete(tmp_path: Path) -> None:
    out = tmp_path / "arm"
    done = exported(out, formats=("grm", "ros2"))
    files = contents(out / "arm_description")
    manifest = etree.fromstring(files["package.xml"])
    assert (manifest.get("format"), manifest.findtext("name")) == ("3", "arm_description")
    needed = {"joint_state_publisher_gui", "robot_state_publisher", "rviz2", "joint_trajectory_controller", "xacro"}
    assert needed <= {each.text for each in manifest.findall("exec_depend")}
    assert b"DIRECTORY config launch meshes mujoco rviz urdf worlds\n" in files["CMakeLists.txt"]
    view = yaml.safe_load(files["rviz/arm.rviz"])["Visualization Manager"]
    robot = read(out / "arm_description/urdf/arm.urdf")
    root = etree.fromstring(files["urdf/arm.urdf"])
    links = {each.get("name") for each in root.findall("link")}
    assert view["Global Options"]["Fixed Frame"] in links
    assert any(display["Class"] == "rviz_default_plugins/RobotModel" for display in view["Displays"])
    names = mesh_names(root)
    assert all(name.startswith("package://arm_description/meshes/") for name in names)
    assert all((out / name.removeprefix("package://")).is_file() for name in names)
    assert check_meshes(robot, out / "arm_description/urdf") == []
    assert not (out / "meshes").exists()
    for model in (done.robot, read(out / "arm.grm.json")):  # the other formats name the meshes in the package
        assert check_meshes(model, out) == []
        assert all(uri.startswith("arm_description/meshes/") for uri in mesh_uris(model))


def mesh_uris(robot: Robot) -> list[str]:
    return [shape.uri for _, link in robot.links() for shape in link.visuals if isinstance(shape, Mesh)]


def test_the_packages_owner_is_read_from_the_settings_at_every_export(tmp_path: Path) -> None:
    own = {"version": "2.1.0", "maintainer": "Zoë", "email": "zoe@example.com", "license": "MIT"}
    for _ in range(2):
        exported(tmp_path / "arm", formats=("grm", "ros2"), options={"ros2": own})
        manifest = etree.parse(tmp_path / "arm" / "arm_description" / "package.xml").getroot()
        assert [manifest.findtext(tag) for tag in ("version", "maintainer", "license")] == ["2.1.0", "Zoë", "MIT"]
        assert [each.get("email") for each in manifest.findall("maintainer")] == ["zoe@example.com"]
    for wrong in ({"version": "2"}, {"email": "nobody"}, {"licence": "MIT"}):
        with pytest.raises(SettingsError, match="ros2"):
            exported(tmp_path / "wrong", formats=("grm", "ros2"), options={"ros2": wrong})
    assert not (tmp_path / "wrong").exists()


def test_settings_that_a_ros2_package_overrides_are_reported(tmp_path: Path) -> None:
    done = exported(
        tmp_path / "arm",
        formats=("grm", "ros2"),
        options={"urdf": {"meshPaths": "relative", "package": "arm_description"}},
    )
    overridden = [finding.place for finding in done.findings if finding.code == "setting-overridden"]
    assert overridden == ["ros2: urdf.meshPaths"]


def test_the_users_own_files_are_kept_and_old_exports_removed(tmp_path: Path) -> None:
    out = tmp_path / "out"
    exported(out, options={"meshes": {"format": "stl"}})
    (out / "meshes" / "mine.stl").write_bytes(b"mine")
    exported(out, options={"meshes": {"format": "obj", "collision": "box"}})
    files = contents(out)
    assert files["meshes/mine.stl"] == b"mine"
    assert "meshes/base.obj" in files
    assert "meshes/base.stl" not in files


def test_changes_are_reported(tmp_path: Path) -> None:
    out = tmp_path / "out"
    exported(out)
    done = exported(out, options={"mass": {"parts": {"base": {"mass": 1.0}}}})
    assert done.changes is not None
    assert [d.where for d in done.changes.differences if "mass" in d.where] == [
        "robot.frames[base-1].links[base-1].inertial.mass"
    ]


@pytest.mark.parametrize("ros2", [False, True])
def test_changes_of_a_urdf_alone_are_reported(ros2: bool, tmp_path: Path) -> None:
    def done(**options: dict[str, Any]) -> Export:
        return export("mock:arm", tmp_path, formats=("ros2",) if ros2 else ("urdf",), options=options)

    assert done().changes is None
    assert str(done().changes) == "the same"
    changes = done(mass={"parts": {"base": {"mass": 1.0}}}).changes
    assert changes is not None
    assert "robot.frames[base].links[base].inertial.mass" in {each.where for each in changes.differences}
    urdf = tmp_path / ("arm_description/urdf/arm.urdf" if ros2 else "arm.urdf")
    urdf.write_bytes(urdf.read_bytes().replace(b'effort="100"', b'effort="7"', 1))  # edited by hand
    edited = done(mass={"parts": {"base": {"mass": 1.0}}}).changes
    assert edited is not None
    assert [each.where for each in edited.differences] == ["robot.frames[shoulder].joint.limits.effort"]
    urdf.write_bytes(b"<robot")
    assert done().changes is None


def test_a_renamed_robot_is_compared_with_its_former_export(tmp_path: Path) -> None:
    settings = tmp_path / "arm.grm.yaml"
    settings.write_text("robot:\n  name: Greifer\n")
    out = tmp_path / "out"
    export("mock:arm", out, formats=("ros2",))
    changes = export("mock:arm", out, formats=("ros2",), settings=settings).changes
    assert changes is not None
    assert "robot.name: arm against Greifer" in str(changes)
    assert sorted(path.name for path in out.rglob("*.urdf")) == ["greifer.urdf"]


def test_a_changed_mesh_file_is_reported(tmp_path: Path) -> None:
    def done(faces: int) -> Export:
        choices = {"collision": "simplify", "faces": faces}
        return export("mock:arm", tmp_path, formats=("urdf",), options={"meshes": choices})

    done(100)
    changes = done(20).changes
    assert changes is not None
    assert changes.differences
    assert all(each.where.startswith("file meshes/") for each in changes.differences)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"meshes": {"fromat": "stl"}}, "meshes: there is no setting `fromat`. Did you mean `format`"),
        ({"mass": {"parts": {"nothing": {"mass": 1.0}}}}, "There is no component or part `nothing`"),
        ({"urdf": {"precision": 99}}, "urdf, precision: `99` must be at most 17"),
    ],
)
def test_wrong_options_are_errors_and_write_nothing(options: OptionsBySection, message: str, tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match=message):
        exported(tmp_path / "out", options=options)
    assert not (tmp_path / "out").exists() or contents(tmp_path / "out") == {}


def test_absolute_names_are_those_of_the_folder(tmp_path: Path) -> None:
    export("mock:gripper", tmp_path / "out", formats=("urdf",), options={"urdf": {"meshPaths": "absolute"}})
    names = mesh_names(etree.parse(tmp_path / "out" / "gripper.urdf").getroot())
    assert {Path(url2pathname(urlparse(name).path)).parent for name in names} == {tmp_path / "out" / "meshes"}
    assert check_meshes(read(tmp_path / "out" / "gripper.urdf"), tmp_path) == []


@pytest.mark.parametrize(
    "name", ["secret.txt", "../secret.txt", "/etc/passwd", "package://[x/a.stl", "a" * 5000 + ".stl"]
)
def test_only_mesh_files_are_read_whatever_a_robot_refers_to(name: str, tmp_path: Path) -> None:
    for folder in (tmp_path, tmp_path / "in"):
        folder.mkdir(exist_ok=True)
        (folder / "secret.txt").write_text("precious")
    visual = f'<visual><geometry><mesh filename="{name}"/></geometry></visual>'
    inertial = '<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial>'
    urdf = tmp_path / "in" / "r.urdf"
    urdf.write_text(f'<robot name="r"><link name="a">{inertial}{visual}</link></robot>')
    done = export(str(urdf), tmp_path / "out", formats=("urdf",))
    assert {finding.code for finding in done.findings} & {"mesh-absent", "mesh-elsewhere", "mesh-file-missing"}
    assert {Path(file).name for file in contents(tmp_path / "out")} == {"r.urdf", "r.findings.json", ".swgrm.json"}
    assert {finding.code for finding in check_meshes(read(urdf), urdf.parent)} <= {"mesh-absent", "mesh-elsewhere"}


def test_a_urdf_is_exported_with_its_meshes(tmp_path: Path) -> None:
    exported(tmp_path / "one")
    export(str(tmp_path / "one" / "arm.urdf"), tmp_path / "two", formats=("urdf",))
    assert check_meshes(read(tmp_path / "two" / "arm.urdf"), tmp_path / "two") == []
    one, two = ({name for name in contents(tmp_path / name) if name.endswith(".stl")} for name in ("one", "two"))
    assert one == two


def test_the_exit_code_of_diff_depends_on_the_differences(tmp_path: Path) -> None:
    exported(tmp_path / "a")
    exported(tmp_path / "b", options={"mass": {"parts": {"base": {"mass": 1.0}}}})
    a, b = (str(tmp_path / name / "arm.grm.json") for name in ("a", "b"))
    same = CliRunner().invoke(app, ["diff", a, a])
    assert (same.exit_code, same.stdout) == (0, "the same\n")
    other = CliRunner().invoke(app, ["diff", a, b])
    assert other.exit_code == 1
    assert "link base-1: mass 18.04" in other.stdout
    assert CliRunner().invoke(app, ["diff", a, b, "--json"]).stdout.startswith("[")


def test_export_prints_the_changes(tmp_path: Path) -> None:
    command = ["export", "mock:gripper", "-o", str(tmp_path / "out"), "--ros2", "--format", "grm,urdf"]
    assert "since the last export" not in CliRunner().invoke(app, command).stdout
    assert "nothing changed since the last export" in CliRunner().invoke(app, command).stdout


@pytest.mark.parametrize(
    ("name", "legal"),
    [
        ("Arm Ω", "arm_o_description"),
        ("Gréifer", "greifer_description"),
        ("6-axis", "robot_6_axis_description"),
        ("座標", "zuobiao_description"),
        ("x", "x_description"),
        ("my_arm_description", "my_arm_description"),
        ("description", "description_description"),
        ("x" * 300, "x" * 100 + "_description"),
    ],
)
def test_package_names_are_legal(name: str, legal: str) -> None:
    assert package_folder(name) == legal


@pytest.mark.fixtures
@pytest.mark.parametrize(("folder", "code"), [("3_DOF_ARM", 0), ("ORIGINAL_3_DOF_ARM", 1)])
def test_check_compares_meshes_with_inertias(folder: str, code: int, fixtures: Path) -> None:
    (urdf,) = (fixtures / "classic_exporter" / folder).glob("*.urdf")
    result = CliRunner().invoke(app, ["check", str(urdf), "--json"])
    found = msgspec.json.decode(result.stdout)
    flagged = {finding["where"] for finding in found if finding["code"].startswith("mesh-")}
    assert flagged == ({"link link1", "link link2", "link link3"} if code else set())
    assert result.exit_code == (1 if any(finding["severity"] != "note" for finding in found) else 0)
