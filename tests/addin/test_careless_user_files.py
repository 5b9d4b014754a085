"""A careless user's files survive, and exit codes tell whether an export is right."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.commands import swgrm

from swgrm import Box, Frame, Inertial, Joint, JointType, Limits, Link, Mesh, Robot, load, save
from swgrm_exporters.formats import read
from swgrm_exporters.ros2.writer import FOLDERS


@pytest.fixture(autouse=True)
def _own_cache(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SWGRM_CACHE", str(tmp_path_factory.getbasetemp() / "cache"))


def test_foreign_and_edited_files_are_kept_as_copies(tmp_path: Path) -> None:
    out = tmp_path / "own"
    (out / "meshes").mkdir(parents=True)
    for name in ("gripper.urdf", "meshes/rack.stl"):
        (out / name).write_text("mine")
    first = swgrm("export", "mock:gripper", "-o", out, "--format", "urdf")
    assert first.returncode == 0, first.stderr
    assert "gripper.urdf.bak" in first.stdout
    assert (out / "gripper.urdf.bak").read_text() == (out / "meshes/rack.stl.bak").read_text() == "mine"
    edited = (out / "gripper.urdf").read_text("utf-8").replace("<robot", "<!-- edited --><robot")
    (out / "gripper.urdf").write_text(edited, "utf-8")
    again = swgrm("export", "mock:gripper", "-o", out, "--format", "urdf")
    assert "nothing changed" not in again.stdout
    assert (out / "gripper.urdf.bak1").read_text("utf-8") == edited
    assert "edited" not in (out / "gripper.urdf").read_text("utf-8")


def test_a_setting_that_only_the_export_uses_is_answered_with_its_line_too(tmp_path: Path) -> None:
    for number, text in enumerate(("meshes: {links: {nope-1: box}}", "materials: {nope: {texture: a.png}}")):
        (tmp_path / "s.yaml").write_text(f"\n{text}\n")
        done = swgrm("export", "mock:four_bar", "-o", tmp_path / f"{number}", "--settings", tmp_path / "s.yaml")
        assert (done.returncode, "s.yaml: line 2: " in done.stderr, "`nope" in done.stderr) == (2, True, True)
        assert not (tmp_path / f"{number}").exists()
    long = swgrm("export", "mock:four_bar", "-o", tmp_path / ("x" * 300))
    assert f"{'x' * 300}: it cannot be written to: file name too long." in long.stderr


def test_the_export_of_another_robot_is_not_removed(tmp_path: Path) -> None:
    out = tmp_path / "out"
    assert swgrm("export", "mock:four_bar", "-o", out, "--format", "urdf").returncode == 0
    other = swgrm("export", "mock:lead_screw", "-o", out, "--format", "urdf")
    assert other.returncode == 2
    assert "out: the folder contains the export of another robot, `four_bar`. Use another folder" in other.stderr
    assert (out / "four_bar.urdf").is_file()
    assert swgrm("export", "mock:lead_screw", "-o", out, "--format", "urdf", "--force").returncode == 0
    assert [file.name for file in out.glob("*.urdf")] == ["lead_screw.urdf"]


def test_an_edited_package_file_stays_and_force_replaces_it(tmp_path: Path) -> None:
    package = tmp_path / "gripper_description" / "package.xml"
    command = ["export", "mock:gripper", "-o", str(tmp_path), "--format", "ros2"]
    swgrm(*command)
    package.write_text(package.read_text("utf-8").replace("TODO: License declaration", "MIT"), "utf-8")
    result = swgrm(*command, "--verbose")
    assert "MIT" in package.read_text("utf-8")
    assert "TODO" in package.with_name("package.xml.new").read_text("utf-8")
    assert "file gripper_description/package.xml: The file was edited, so it stays as it is" in result.stdout
    swgrm(*command, "--force")
    assert "TODO" in package.read_text("utf-8")
    assert not package.with_name("package.xml.new").exists()
    assert not list(tmp_path.rglob("*.bak*"))


@pytest.mark.parametrize("command", [["convert", "mock:gripper", "x.urdf"], ["capture", "mock:arm", "-o", "x.swcap"]])
def test_convert_and_capture_refuse_an_existing_file(command: list[str], tmp_path: Path) -> None:
    file = tmp_path / command[-1]
    file.write_text("mine")
    result = swgrm(*command, cwd=tmp_path)
    assert (result.returncode, file.read_text()) == (2, "mine")
    assert f"{command[-1]}: the file exists. Use another name, or --force to replace it." in result.stderr
    assert list(tmp_path.iterdir()) == [file]
    assert swgrm(*command, "--force", cwd=tmp_path).returncode == 0
    assert file.read_bytes() != b"mine"


def test_convert_takes_the_meshes_along(tmp_path: Path) -> None:
    made = swgrm("convert", "mock:gripper", tmp_path / "one" / "gripper.urdf")
    assert made.returncode == 0, made.stderr
    assert len([shape for _, link in read(tmp_path / "one/gripper.urdf").links() for shape in link.visuals]) > 0
    moved = swgrm("convert", tmp_path / "one" / "gripper.urdf", tmp_path / "two" / "other.urdf")
    assert moved.returncode == 0, moved.stderr
    assert "mesh-file-missing" not in swgrm("check", tmp_path / "two" / "other.urdf").stdout
    assert sorted(file.name for file in (tmp_path / "one/meshes").iterdir()) == sorted(
        file.name for file in (tmp_path / "two/meshes").iterdir()
    )


def test_a_package_of_a_foreign_robot_contains_its_meshes(tmp_path: Path) -> None:
    """Its meshes are in another package; the folders that CMake installs exist."""
    swgrm("convert", "mock:gripper", tmp_path / "hand" / "urdf" / "hand.urdf", "-O", "meshPaths=relative")
    (tmp_path / "hand/urdf/meshes").rename(tmp_path / "hand/meshes")
    urdf = tmp_path / "hand" / "urdf" / "hand.urdf"
    urdf.write_text(urdf.read_text("utf-8").replace('filename="meshes/', 'filename="package://hand/meshes/'), "utf-8")
    result = swgrm("export", urdf, "-o", tmp_path / "package", "--ros2", "--format", "urdf")
    assert result.returncode == 0, result.stderr
    names = {
        shape.uri
        for _, link in read(tmp_path / "package/gripper_description/urdf/gripper.urdf").links()
        for shape in link.visuals
        if isinstance(shape, Mesh)
    }
    assert names
    assert all((tmp_path / "package" / name.removeprefix("package://")).is_file() for name in names)
    assert installed(tmp_path / "package/gripper_description") == {*FOLDERS, "meshes"}


def test_a_package_without_mesh_files_installs_none(tmp_path: Path) -> None:
    link = Link(
        name="l",
        inertial=Inertial(mass=1.0),
        visuals=(Mesh(uri="package://elsewhere/a.stl"), Box(size=(1.0, 1.0, 1.0))),
    )
    save(Robot(name="r", frames=(Frame(id="a", links=(link,)),)), tmp_path / "r.grm.json")
    swgrm("export", tmp_path / "r.grm.json", "-o", tmp_path / "package", "--ros2", "--format", "urdf")
    assert installed(tmp_path / "package/r_description") == {*FOLDERS}


def installed(package: Path) -> set[str]:
    """The folders that CMakeLists.txt installs; each exists."""
    text = (package / "CMakeLists.txt").read_text()
    folders = set(text.partition("DIRECTORY ")[2].partition("DESTINATION")[0].split())
    assert all((package / folder).is_dir() for folder in folders)
    return folders


def test_an_export_with_errors_ends_with_1_and_with_warnings_0(tmp_path: Path) -> None:
    link = Link(name="l", inertial=Inertial(mass=1.0))
    joint = Joint(type=JointType.REVOLUTE, limits=Limits(1.0, -1.0))
    frames = (Frame(id="a", links=(link,)), Frame(id="b", parent="a", joint=joint))
    save(Robot(name="wrong", frames=frames), tmp_path / "wrong.grm.json")
    result = swgrm("export", tmp_path / "wrong.grm.json", "-o", tmp_path / "out", "--format", "grm")
    assert (result.returncode, load(tmp_path / "out" / "wrong.grm.json").name) == (1, "wrong")
    (tmp_path / "out" / "wrong.grm.json").write_text("mine")
    warned = swgrm("export", "mock:gripper", "-o", tmp_path / "gripper")
    assert "warning" in warned.stdout
    assert warned.returncode == 0


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ("mass: {parts: {base: {mass: -3}}}", "line 1: mass, parts, base, mass: `-3.0` must be at least 0."),
        ("mass: {parts: {base: {mass: -3 g}}}", "mass, parts, base, mass: `-0.003` must be at least 0."),
        ("mass: {parts: {base: {mass: .nan}}}", "mass, parts, base, mass: `nan` must be a finite number."),
        ("mass: {parts: {base: {density: 0}}}", "mass, parts, base, density: `0.0` must be above 0."),
        ("joints: {shoulder_joint: {effort: -5 Nm}}", "joints, shoulder_joint, effort: `-5 Nm` is negative."),
        ("joints: {shoulder_joint: {velocity: -3}}", "joints, shoulder_joint, velocity: `-3.0` is negative."),
        ("joints: {shoulder_joint: {damping: -1}}", "joints, shoulder_joint, damping: `-1.0` is negative."),
        ("joints: {shoulder_joint: {friction: -1}}", "joints, shoulder_joint, friction: `-1.0` is negative."),
        ("joints: {a: {}}", "There is no joint `a`."),
        ("joints: {shoulder_joint: {follows: {joint: shoulder_joint}}}", "follows: a joint cannot follow itself."),
        ("robot: {name: ''}", "robot, name: the text is empty. Write a name, or remove the line."),
    ],
)
def test_impossible_settings_are_refused_with_their_place(settings: str, message: str, tmp_path: Path) -> None:
    (tmp_path / "s.grm.yaml").write_text(settings, "utf-8")
    result = swgrm("export", "mock:arm", "-o", tmp_path / "out", "--settings", tmp_path / "s.grm.yaml")
    assert result.returncode == 2
    assert message in result.stderr
    assert not (tmp_path / "out").exists()


def test_settings_that_a_robot_file_cannot_use_are_reported(tmp_path: Path) -> None:
    swgrm("convert", "mock:gripper", tmp_path / "gripper.grm.json")
    text = "robot: {name: hand}\nbase: {up: z}\nmeshes: {collision: box}\nlinks: {rename: {rack-1: comb}}\n"
    (tmp_path / "s.grm.yaml").write_text(text)
    command = ["export", *map(str, [tmp_path / "gripper.grm.json", "-o", tmp_path / "out"])]
    result = swgrm(*command, "--settings", tmp_path / "s.grm.yaml")
    assert result.returncode == 0, result.stderr
    assert "have no effect on a robot file: base, meshes." in result.stdout
    assert "comb" in [link.name for _, link in load(tmp_path / "out" / "hand.grm.json").links()]
