"""What MoveIt's configuration takes from a description package; a damaged package is a sentence that names its file."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from swgrm.errors import FileError
from swgrm_exporters.moveit.described_package import described_package
from swgrm_exporters.ros2.layout import layout_of

LAYOUT = layout_of("arm")
URDF = """<robot name="arm"><link name="a"/><link name="b"/>
<joint name="j" type="revolute"><parent link="a"/><child link="b"/></joint></robot>"""
CONTROLLERS = """
controller_manager: {ros__parameters: {arm_controller: {type: joint_trajectory_controller/JointTrajectoryController}}}
arm_controller: {ros__parameters: {joints: [j]}}
"""


def package(folder: Path, urdf: str, controllers: str | None) -> Path:
    for name, text in ((LAYOUT.urdf, urdf), (LAYOUT.controllers, controllers)):
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.unlink(missing_ok=True)
        if text is not None:
            file.write_text(text, "utf-8")
    return folder


def test_the_root_the_joints_and_the_controllers_are_read(tmp_path: Path) -> None:
    described = described_package(package(tmp_path, URDF, CONTROLLERS), LAYOUT)
    assert (described.root, described.driven, described.joints) == ("a", ("j",), {"j": "revolute"})


@pytest.mark.parametrize(
    ("urdf", "controllers", "message"),
    [
        ("<robot", CONTROLLERS, "not XML"),
        ("<robot/>", CONTROLLERS, "no link is the root"),
        (URDF.replace('parent link="a"', 'parent link="b"').replace('<link name="a"/>', ""), CONTROLLERS, "no link"),
        (URDF, None, "controllers.yaml"),
        (URDF, "a: [", "controllers.yaml"),
        (URDF, "", "missing or has another type"),
        (URDF, "[]", "missing or has another type"),
        (URDF, CONTROLLERS.replace("[j]", "3"), "missing or has another type"),
        (URDF, CONTROLLERS.replace("arm_controller: {ros__p", "other: {ros__p"), "missing or has another type"),
    ],
)
def test_a_damaged_package_is_a_sentence(tmp_path: Path, urdf: str, controllers: str | None, message: str) -> None:
    with pytest.raises(FileError, match=message):
        described_package(package(tmp_path, urdf, controllers), LAYOUT)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.integers(0, len(CONTROLLERS)), st.text(alphabet="{}[]:,- \n\tj", max_size=4))
def test_whatever_is_inserted_a_file_error_or_a_package_comes_of_it(tmp_path: Path, place: int, text: str) -> None:
    damaged = CONTROLLERS[:place] + text + CONTROLLERS[place:]
    with suppress(FileError):
        described_package(package(tmp_path, URDF, damaged), LAYOUT)
