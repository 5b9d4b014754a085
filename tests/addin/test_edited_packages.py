"""ROS 2 packages that were edited by hand, and a robot that changed since."""

from __future__ import annotations

from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

import pytest
from lxml import etree

from swgrm.findings import Finding
from swgrm_addin.pipeline import Export, export
from swgrm_exporters.formats import FORMATS
from swgrm_exporters.ros2.used_names import used_names

RENAMED = {"joints": {"pinion_joint": {"name": "grip"}}}


def exported(folder: Path, **options: dict[str, Any]) -> Export:
    return export("mock:gripper", folder, formats=("ros2",), options=options)


def about(done: Export, file: Path) -> list[Finding]:
    return [each for each in done.findings if each.where == f"file gripper_description/{file.as_posix()}"]


@pytest.fixture(scope="module")
def first(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    folder = tmp_path_factory.mktemp("first")
    exported(folder)
    package = folder / "gripper_description"
    return {path.relative_to(package).as_posix(): path.read_bytes() for path in package.rglob("*") if path.is_file()}


def edit(folder: Path, name: str, old: str, new: str) -> Path:
    path = folder / "gripper_description" / name
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new), "utf-8")
    return path


OWN = {
    "config/controllers.yaml": ("update_rate: 100", "update_rate: 500"),
    "urdf/gripper.ros2_control.xacro": ("mock_components/GenericSystem", "my_robot/Hardware"),
    "urdf/gripper.urdf.xacro": ("</robot>", '<link name="table"/></robot>'),
    "launch/control.launch.py": ("default_value='true'", "default_value='false'"),
    "rviz/gripper.rviz": ("Distance: 2.0", "Distance: 0.5"),
    "package.xml": ("you@example.com", "zoe@example.com"),
    "mujoco/scene.xml": ("<mujoco", "<mujoco "),
    "worlds/gripper.sdf": ("0 0 10 0 0 0", "0 0 5 0 0 0"),
    "test/test_description.py": ("PACKAGE", "FOLDER"),
}


def test_every_file_of_the_users_own_stays_and_the_rest_is_new(tmp_path: Path, first: dict[str, bytes]) -> None:
    exported(tmp_path)
    edited = {name: edit(tmp_path, name, *change).read_bytes() for name, change in OWN.items()}
    macro = edit(tmp_path, "urdf/gripper_macro.xacro", "<robot", "<!-- mine --><robot").read_bytes()
    done = exported(tmp_path)
    package = tmp_path / "gripper_description"
    for name, data in edited.items():
        assert (package / name).read_bytes() == data
        assert (package / f"{name}.new").read_bytes() == first[name]
        assert [each.code for each in about(done, Path(name))] == ["file-kept"]
    assert (package / "urdf/gripper_macro.xacro").read_bytes() == first["urdf/gripper_macro.xacro"]
    assert (package / "urdf/gripper_macro.xacro.bak").read_bytes() == macro


def test_an_edited_file_that_no_longer_fits_is_reported_until_it_does(tmp_path: Path) -> None:
    exported(tmp_path)
    name = "config/controllers.yaml"
    edit(tmp_path, name, "update_rate: 100", "update_rate: 500")
    for _ in range(2):
        found = about(exported(tmp_path, **RENAMED), Path(name))
        assert [each.code for each in found] == ["file-kept", "kept-file-gone", "kept-file-lacks"]
    assert found[1].message == "The file, which you edited, names `pinion_joint`, which the robot no longer has."
    assert found[2].message.startswith("The file, which you edited, does not name `grip`, which its new version")
    edit(tmp_path, name, "pinion_joint", "grip")
    assert [each.code for each in about(exported(tmp_path, **RENAMED), Path(name))] == ["file-kept"]


def test_files_of_the_moveit_package_are_not_matched() -> None:
    own = FORMATS["ros2"].users_own
    assert any(fnmatchcase("arm_description/config/controllers.yaml", pattern) for pattern in own)
    assert not any(fnmatchcase("arm_moveit_config/config/arm.srdf", pattern) for pattern in own)


def test_a_model_beside_the_package_names_the_meshes_in_it(tmp_path: Path) -> None:
    export("mock:gripper", tmp_path, formats=("mjcf", "ros2"))
    for model in ("gripper.xml", "gripper_description/mujoco/gripper.xml"):
        files = [each.get("file") for each in etree.parse(tmp_path / model).iter("mesh")]
        assert files
        assert all(((tmp_path / model).parent / str(file)).is_file() for file in files)


def test_what_changed_is_reported_in_engineering_words(tmp_path: Path) -> None:
    exported(tmp_path)
    changes = exported(tmp_path, joints={"pinion_joint": {"upper": "100 deg"}}).changes
    assert changes is not None
    assert any("limits.upper" in each.where for each in changes.differences)


@pytest.mark.parametrize(
    ("name", "text", "names"),
    [
        ("a.xacro", '<joint name="${prefix}j1"/><!-- ${prefix}old --><link name="${prefix}a/b"/>', {"j1", "a/b"}),
        ("a.xacro.new", "<param>${prefix}tool0</param>", {"tool0"}),
        (
            "c.yaml",
            "a: {ros__parameters: {joints: [x, y], frame_id: t, rate: 1}}\nb: [{joint: z}]",
            {"x", "y", "t", "z"},
        ),
        ("v.rviz", "Global Options: {Fixed Frame: base_link}", {"base_link"}),
        ("broken.yaml", "a: [", set()),
        ("none.yaml", "", set()),
        ("x.launch.py", "joints: [x]", set()),
    ],
)
def test_names_in_files(name: str, text: str, names: set[str], tmp_path: Path) -> None:
    (tmp_path / name).write_text(text, "utf-8")
    assert used_names(tmp_path / name) == names
    assert used_names(tmp_path / f"other_{name}") == frozenset()
