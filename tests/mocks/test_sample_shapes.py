"""The shapes of the sample robots: parts do not intersect, and the robots stand as real ones do."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations

import numpy as np
import pytest
from tests.lookups import joint_of

import swgrm
from swgrm import Robot
from swgrm.capture.index import Index
from swgrm.kinematics.forward import Kinematics
from swgrm.meshes.surface import Surface
from swgrm.meshes.tessellation import whole
from swgrm.transforms import Array
from swgrm_addin.pipeline import understand

DEEP = 0.0005  # [m] below a surface; a bore and its shaft, as polygons, intersect by 0.1 mm
ROBOTS = ("arm", "gripper", "four_bar", "mobile_base", "lead_screw")


class Shapes:
    """The parts of a sample and their poses."""

    def __init__(self, name: str) -> None:
        source = swgrm.read(f"mock:{name}")
        assert source.capture is not None
        self.robot: Robot = understand(source).robot
        index = Index(source.capture)
        self.parts: dict[str, Surface] = {}  # by frame
        for frame, _ in self.robot.links():
            shape = index.shape(index.components[frame.entity.path]) if frame.entity else None
            if shape is not None and shape.triangles:
                self.parts[frame.id] = whole(shape)
        self.kinematics = Kinematics(self.robot)

    def positions(self) -> Iterator[dict[str, float]]:
        """As assembled, and each independent joint alone at places of its range."""
        yield {}
        for name in self.kinematics.independent:
            limits = joint_of(self.robot, name).limits
            low, high = limits.lower, limits.upper
            for share in (0.0, 0.35, 0.97):
                yield {name: -3.0 + 6.0 * share if low is None or high is None else low + share * (high - low)}

    def placed(self, q: dict[str, float]) -> dict[str, Array]:
        """The triangles of each part in the base frame, by frame.  # (n, 3, 3) [m]."""
        at = self.kinematics.poses(q)
        return {name: part.triangles @ at[name][:3, :3].T + at[name][:3, 3] for name, part in self.parts.items()}

    def body(self, frame: str) -> str:
        """The frame that moves with it."""
        found = self.robot.frame(frame)
        while found.is_rigid and found.parent is not None:
            found = self.robot.frame(found.parent)
        return found.id

    def moves(self, one: str, other: str, q: dict[str, float]) -> bool:
        """Whether two parts are of different bodies, and are to each other as in no position before."""
        if not q:
            return self.body(one) != self.body(other)
        at, before = (
            np.linalg.solve(poses[one], poses[other]) for poses in map(self.kinematics.poses, (q, dict[str, float]()))
        )
        return not np.allclose(at, before, atol=1e-9)

    def neighbours(self, one: str, other: str) -> bool:
        """Whether a joint is between the bodies of two frames."""
        a, b = self.robot.frame(self.body(one)), self.robot.frame(self.body(other))
        return any(
            lower.parent is not None and self.body(lower.parent) == upper.id for lower, upper in ((a, b), (b, a))
        )


def winding(points: Array, triangles: Array) -> Array:
    """How often closed surfaces contain each point (van Oosterom and Strackee 1983).  # (n,)."""
    a, b, c = (triangles[None, :, corner] - points[:, None] for corner in range(3))
    la, lb, lc = (np.linalg.norm(each, axis=2) for each in (a, b, c))
    above = (a * np.cross(b, c)).sum(axis=2)
    below = la * lb * lc + (a * b).sum(axis=2) * lc + (b * c).sum(axis=2) * la + (c * a).sum(axis=2) * lb
    found: Array = np.arctan2(above, below).sum(axis=1) / (2 * np.pi)
    return found


def below_surface(triangles: Array) -> Array:
    """Points just below the surface, one under each triangle.  # (n, 3)."""
    normals = np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0])
    lengths = np.linalg.norm(normals, axis=1, keepdims=True)
    points: Array = triangles.mean(axis=1) - DEEP * normals / lengths
    return points


def intersecting(one: Array, other: Array) -> bool:
    points = below_surface(one)
    corners = other.reshape(-1, 3)
    near = ((points > corners.min(axis=0)) & (points < corners.max(axis=0))).all(axis=1)
    return bool(near.any()) and bool((winding(points[near], other) > 0.5).any())


@pytest.mark.parametrize("name", ROBOTS)
def test_parts_do_not_intersect_as_each_joint_moves(name: str) -> None:
    shapes = Shapes(name)
    for q in shapes.positions():
        if name == "four_bar" and q:
            continue  # the tree's joints alone do not keep the loop closed
        placed = shapes.placed(q)
        for one, other in permutations(placed, 2):
            free = name == "arm" and q and not shapes.neighbours(one, other)  # it may hit itself, as real ones do
            if shapes.moves(one, other, q) and not free:
                assert not intersecting(placed[one], placed[other]), f"{one} is inside {other} at {q}"


def test_the_check_finds_a_part_inside_another() -> None:
    placed = Shapes("arm").placed({})
    moved = placed["upper_arm-1"] + 0.005
    assert intersecting(moved, placed["shoulder-1"]) or intersecting(placed["shoulder-1"], moved)


def test_the_mobile_base_stands_on_its_wheels_and_casters() -> None:
    placed = Shapes("mobile_base").placed({})
    lowest = {name: triangles[:, :, 2].min() for name, triangles in placed.items()}
    wheels = [name for name in lowest if "wheel" in name]
    assert len(wheels) == 4
    for name, z in lowest.items():
        assert z == pytest.approx(0.0, abs=2e-4) if name in wheels else z > 0.01, name


def test_the_arm_is_above_its_base_plate() -> None:
    shapes = Shapes("arm")
    placed = shapes.placed({})
    assert min(triangles[:, :, 2].min() for triangles in placed.values()) == pytest.approx(0.0, abs=1e-6)
    tool = shapes.kinematics.poses({})["flange-1/tool0"][:3, 3]
    assert tool[2] > 0.25
    assert np.linalg.norm(tool[:2]) > 0.4


def test_the_fingers_of_the_gripper_stay_parallel_and_close() -> None:
    shapes = Shapes("gripper")
    gaps = []
    for q in (-2.0, 0.0, 2.0):
        at = shapes.kinematics.poses({"pinion_joint": q})
        assert np.allclose(at["finger-1"][:3, :3], at["finger-2"][:3, :3])
        placed = shapes.placed({"pinion_joint": q})
        gaps.append(placed["finger-2"][:, :, 0].max() - placed["finger-1"][:, :, 0].min())
    assert np.diff(gaps) == pytest.approx([0.04, 0.04])
