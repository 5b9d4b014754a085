"""The samples are robots as they stand: what a new user looks at before reading anything."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import trimesh

from swgrm import Mesh, poses
from swgrm.meshes.overlaps import overlaps
from swgrm.meshes.store import MeshFiles
from swgrm_addin.pipeline import export, read, understand


def lowest(sample: str, folder: Path) -> dict[str, float]:
    """The height of the lowest point of each link that has a visual mesh [m], at the assembled pose."""
    robot = export(f"mock:{sample}", folder, formats=("grm",)).robot
    at, found = poses(robot), dict[str, float]()
    for frame, link in robot.links():
        for shape in link.visuals:
            if isinstance(shape, Mesh):
                points = np.asarray(trimesh.load_mesh(folder / shape.uri).vertices)
                placed = trimesh.transform_points(points, at[frame.id] @ shape.origin.matrix)
                found[link.name] = min(float(placed[:, 2].min()), found.get(link.name, np.inf))
    return found


def test_the_arm_stands_upright_on_its_base(tmp_path: Path) -> None:
    heights = lowest("arm", tmp_path)
    assert heights["base-1"] == pytest.approx(0.0, abs=1e-6)
    assert min(heights.values()) > -1e-6
    assert poses(understand(read("mock:arm")).robot)["flange-1/tool0"][2, 3] > 0.3


def test_the_mobile_base_stands_on_its_wheels_and_casters(tmp_path: Path) -> None:
    heights = lowest("mobile_base", tmp_path)
    wheels = {name: height for name, height in heights.items() if "wheel" in name}
    assert len(wheels) == 4
    assert list(wheels.values()) == pytest.approx([min(heights.values())] * 4, abs=1e-3)


def test_the_fingers_of_the_gripper_close_in_parallel() -> None:
    robot = understand(read("mock:gripper")).robot
    before, after = poses(robot), poses(robot, {"pinion_joint": 0.5})
    moved = [after[finger] - before[finger] for finger in ("finger_1", "finger_2")]
    for each in moved:
        assert each[:3, :3] == pytest.approx(np.zeros((3, 3)), abs=1e-9)
        assert np.linalg.norm(each[:3, 3]) == pytest.approx(0.005)
    assert moved[0] == pytest.approx(-moved[1], abs=1e-9)


@pytest.mark.parametrize("sample", ["arm", "gripper", "lead_screw"])
def test_no_collision_shapes_of_a_sample_overlap(sample: str, tmp_path: Path) -> None:
    robot = export(f"mock:{sample}", tmp_path, formats=("grm",)).robot
    assert overlaps(robot, MeshFiles(tmp_path)) == ()
