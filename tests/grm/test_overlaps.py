"""The pairs of bodies whose collision shapes overlap."""

from __future__ import annotations

from pathlib import Path

import pytest

from swgrm import (
    Box,
    Capsule,
    Coupling,
    Cylinder,
    Frame,
    Joint,
    JointType,
    Limits,
    Link,
    LoopJoint,
    Pose,
    Robot,
    Sphere,
)
from swgrm.kinematics.body_motion import BodyMotion, positions
from swgrm.kinematics.joint_ranges import joint_span
from swgrm.meshes.cache import Cache
from swgrm.meshes.overlaps import Overlap, overlaps
from swgrm.meshes.plain_files import encode_stl
from swgrm.meshes.store import MeshFiles
from swgrm.meshes.surface import Surface, surface
from swgrm.model import Geometry, Mesh
from swgrm_mocks.solids import box as cuboid

HERE = MeshFiles(Path())
CUBE = Box(size=(0.1, 0.1, 0.1))


def frame(name: str, parent: str | None = None, at: tuple[float, float, float] = (0, 0, 0), shape: Geometry = CUBE,
          **joint: object) -> Frame:  # fmt: skip
    moving = Joint(name=f"{name}_joint", **{"type": JointType.REVOLUTE, **joint}) if parent else None  # type: ignore[arg-type] # fields of a joint
    link = Link(name=name, collisions=(shape,))
    return Frame(id=name, parent=parent, transform=Pose(at), joint=moving, links=(link,))


def pairs(*frames: Frame, loops: tuple[LoopJoint, ...] = ()) -> set[tuple[str, str]]:
    robot = Robot(name="r", frames=frames, loop_joints=loops)
    return {(each.one, each.other) for each in overlaps(robot, HERE)}


def test_bodies_that_overlap_as_assembled_whatever_connects_them() -> None:
    base, arm = frame("base"), frame("arm", "base", (1, 0, 0))
    assert pairs(base, arm, frame("hand", "arm", (-0.95, 0, 0), type=JointType.PRISMATIC)) == {("base", "hand")}


def test_neighbours_are_tested_through_the_range_of_their_joint() -> None:
    lever = Box(size=(0.4, 0.02, 0.02), origin=Pose((0.3, 0, 0)))
    base = frame("base", shape=Box(size=(0.1, 0.1, 0.1), origin=Pose((0, 0.3, 0))))
    assert pairs(base, frame("arm", "base", shape=lever)) == {("base", "arm")}
    assert pairs(base, frame("arm", "base", shape=lever, limits=Limits(lower=-1.0, upper=0.3))) == set()


def test_bodies_that_only_meet_elsewhere_can_collide() -> None:
    lever = Box(size=(0.4, 0.02, 0.02), origin=Pose((0.3, 0, 0)))
    base = frame("base", shape=Box(size=(0.1, 0.1, 0.1), origin=Pose((0, 0.3, 0))))
    small = frame("arm", "base", (0, 0, 1), shape=Sphere(radius=0.01))
    assert pairs(base, small, frame("hand", "arm", (0, 0, -1), shape=lever)) == set()


def test_a_coupling_makes_neighbours_and_holds() -> None:
    """Two slides side by side that follow each other do not meet; if one goes the other way, they do."""

    def follower(ratio: float) -> Frame:
        coupling = Coupling(joint="one_joint", ratio=ratio)
        return frame("two", "base", (0.15, 0, 0), type=JointType.PRISMATIC, axis=(1.0, 0.0, 0.0), coupling=coupling)

    base = frame("base", shape=Sphere(radius=0.01, origin=Pose((0, 0, 5))))
    limits = Limits(lower=0.0, upper=0.1)
    one = frame("one", "base", type=JointType.PRISMATIC, axis=(1.0, 0.0, 0.0), limits=limits)
    assert pairs(base, one, follower(1.0)) == set()
    assert pairs(base, one, follower(-1.0)) == {("one", "two")}


def test_the_bodies_at_a_joint_that_closes_a_loop_are_neighbours() -> None:
    base, one = frame("base", at=(0, 0, 5)), frame("one", "base", (1, 0, 0))
    two = frame("two", "base", (-1, 0, 0))
    loop = LoopJoint(parent="one", child="two", joint=Joint(type=JointType.REVOLUTE, name="loop"))
    assert ("one", "two") in BodyMotion(Robot(name="r", frames=(base, one, two), loop_joints=(loop,))).neighbours


@pytest.mark.parametrize(
    ("kind", "limits"),
    [
        (JointType.PRISMATIC, Limits(lower=0.5)),
        (JointType.PRISMATIC, Limits(upper=-0.5)),
        (JointType.REVOLUTE, Limits(lower=4.0)),
        (JointType.SCREW, Limits(upper=-4.0)),
        (JointType.REVOLUTE, Limits(-0.2, 0.3)),
        (JointType.PRISMATIC, Limits()),
    ],
)
def test_a_joint_moves_inside_its_limits(kind: JointType, limits: Limits) -> None:
    joint = Joint(type=kind, limits=limits)
    at, span = positions(joint), joint_span(joint)
    assert (at.min(), at.max()) == (span.low, span.high)
    assert limits.lower is None or at.min() == limits.lower
    assert limits.upper is None or at.max() == limits.upper


def test_a_hinge_with_one_limit_overlaps_on_the_permitted_side_of_it() -> None:
    post, hand = (Box(size=(0.4, 0.4, 0.4), origin=Pose(at)) for at in ((0, -1, 0), (1, 0, 0)))  # they meet at 3/2 π
    met = {limits: pairs(frame("base", shape=post), frame("arm", "base", shape=hand, limits=limits))
           for limits in (Limits(lower=4.0), Limits(upper=4.0), Limits(5.4, 6.0))}  # fmt: skip
    assert met == {Limits(lower=4.0): {("base", "arm")}, Limits(upper=4.0): {("base", "arm")}, Limits(5.4, 6.0): set()}


@pytest.mark.parametrize(
    ("shape", "reach"),
    [
        (Box(size=(0.2, 0.2, 0.2)), 0.1),
        (Cylinder(radius=0.1, length=1.0), 0.1),
        (Sphere(radius=0.1), 0.1),
        (Capsule(radius=0.1, length=1.0), 0.1),
    ],
)
def test_every_shape_reaches_as_far_as_it_is(shape: Geometry, reach: float) -> None:
    for gap, meets in ((0.002, False), (-0.003, True)):
        other = Box(size=(0.2, 0.2, 0.2), origin=Pose((reach + 0.1 + gap, 0, 0)))
        frames = (
            frame("a", shape=shape),
            frame("b", "a", shape=other, type=JointType.PRISMATIC, limits=Limits(0.0, 0.0)),
        )
        assert bool(pairs(*frames)) == meets


def test_the_depth_is_that_of_the_overlap() -> None:
    robot = Robot(name="r", frames=(frame("a"), frame("b", "a", (0.08, 0, 0), type=JointType.PRISMATIC,
                                                      axis=(0.0, 1.0, 0.0), limits=Limits(0.0, 0.0))))  # fmt: skip
    (found,) = overlaps(robot, HERE)
    assert found.depth == pytest.approx(0.02)
    assert found.are_neighbours


def test_overlaps_are_kept_by_the_content_of_shapes_and_joints(tmp_path: Path) -> None:
    def found(shape: Geometry, upper: float) -> tuple[tuple[Overlap, ...], int]:
        limits = Limits(0.0, upper)
        slide = frame("b", "a", (0.15, 0, 0), shape, type=JointType.PRISMATIC, axis=(-1.0, 0.0, 0.0), limits=limits)
        cache = Cache(tmp_path / "cache")
        return overlaps(Robot(name="r", frames=(frame("a"), slide)), MeshFiles(tmp_path), cache), cache.hits

    assert found(CUBE, 0.0) == ((), 0)
    assert found(CUBE, 0.0) == ((), 1)
    (deep,), hits = found(CUBE, 0.07)
    assert deep.depth == pytest.approx(0.02)
    assert hits == 0
    assert found(CUBE, 0.07) == ((deep,), 1)
    triangles = surface(cuboid(0.1, 0.1, 0.1).triangles())
    for size, meets in ((1.0, False), (3.0, True)):  # another content of the same file
        (tmp_path / "part.stl").write_bytes(encode_stl(Surface(size * triangles.vertices, triangles.faces)))
        shapes, hits = found(Mesh(uri="part.stl"), 0.0)
        assert (bool(shapes), hits) == (meets, 0)
