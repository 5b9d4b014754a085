"""Disabled pairs: reasons of robots that are known, states that couplings and loops allow, nothing that can collide."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from msgspec.structs import replace
from tests.exporters.moveit.machines import bar, jaws, link, parallelogram, planar_arm
from tests.exporters.moveit.restated import RestatedAlgorithm, RestatedResult

from swgrm.errors import MissingExtra
from swgrm.findings import Findings
from swgrm.kinematics.forward import Kinematics
from swgrm.kinematics.reachable_states import JointStates, reachable_states
from swgrm.meshes.cache import Cache
from swgrm.meshes.plain_files import encode_stl
from swgrm.meshes.store import MeshFiles
from swgrm.meshes.surface import surface
from swgrm.model import Box, Capsule, Cylinder, Geometry, JointType, Mesh, Pose, Robot, Sphere
from swgrm.transforms import axis_angle_matrix
from swgrm_exporters.lowering import Choices, lower
from swgrm_exporters.moveit import collision_pairs, fcl_library
from swgrm_exporters.moveit.collision_pairs import (
    ALWAYS_STATES,
    PairSampling,
    PairTable,
    adjacent_pairs,
    disabled_pairs,
)
from swgrm_exporters.moveit.fcl_library import PairTest
from swgrm_exporters.moveit.link_solids import NearPairs, boxes_touch, link_solid
from swgrm_exporters.urdf.writer import CAPABILITIES
from swgrm_mocks.solids import box as cuboid

pytest.importorskip("fcl", reason='pip install "swgrm[moveit]"')


def table(robot: Robot, samples: int = 2048, folder: Path = Path()) -> PairTable:
    lowered = lower(robot, CAPABILITIES, Choices(), Findings())
    frames = {each.new: each.old for each in lowered.renamed if each.kind == "frame"}
    return disabled_pairs(robot, lowered.robot, frames, MeshFiles(folder), samples, 1)


def reasons(robot: Robot, samples: int = 2048) -> dict[str, str]:
    return {f"{row.one} {row.other}": row.reason for row in table(robot, samples).rows}


def test_the_pairs_are_kept_until_the_motion_or_a_mesh_file_changes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[Robot] = []

    def counted(robot: Robot, *how: int) -> JointStates:
        made.append(robot)
        return reachable_states(robot, *how)

    monkeypatch.setattr(collision_pairs, "reachable_states", counted)

    def kept(robot: Robot) -> PairTable:
        return disabled_pairs(robot, robot, {}, MeshFiles(tmp_path), 64, 1, Cache(tmp_path / "cache"))

    def with_mesh(limit: float) -> Robot:
        robot = planar_arm(4, limit=limit)
        *others, last = robot.frames
        mesh = Mesh(uri="cube.stl", scale=(0.01, 0.01, 0.01))
        link = replace(last.links[0], collisions=(*last.links[0].collisions, mesh))
        return replace(robot, frames=(*others, replace(last, links=(link,))))

    def write(size: float) -> None:
        cube = surface(cuboid(size, size, size).triangles())
        (tmp_path / "cube.stl").write_bytes(encode_stl(cube))

    write(1.0)
    narrow, wide = with_mesh(0.3), with_mesh(3.1)
    first = kept(narrow)
    assert first == disabled_pairs(narrow, narrow, {}, MeshFiles(tmp_path), 64, 1)
    assert kept(narrow) == first
    assert len(made) == 2
    assert kept(wide) != first
    write(2.0)
    assert kept(wide) == disabled_pairs(wide, wide, {}, MeshFiles(tmp_path), 64, 1)
    assert len(made) == 5


def test_bars_in_a_row_are_adjacent_and_the_rest_follows_from_their_limits() -> None:
    narrow, wide = reasons(planar_arm(4, limit=0.3)), reasons(planar_arm(4, limit=3.1))
    assert narrow == {
        "link_0 link_1": "Adjacent", "link_0 link_2": "Never", "link_0 link_3": "Never", "link_0 link_4": "Never",
        "link_1 link_2": "Adjacent", "link_1 link_3": "Never", "link_1 link_4": "Never",
        "link_2 link_3": "Adjacent", "link_2 link_4": "Never", "link_3 link_4": "Adjacent",
    }  # fmt: skip
    assert set(wide.values()) == {"Adjacent"}, "bars that fold back touch the others in some states"


@pytest.mark.parametrize(("ratio", "wanted"), [(-1.0, None), (1.0, "Never")])
def test_a_coupling_decides_whether_fingers_meet(ratio: float, wanted: str | None) -> None:
    assert reasons(jaws(ratio)).get("left right") == wanted


def test_a_loop_decides_whether_cranks_meet() -> None:
    assert reasons(parallelogram(is_closed=True))["crank rocker"] == "Never"
    assert "crank rocker" not in reasons(parallelogram(is_closed=False))


def test_a_joint_that_closes_a_loop_makes_its_links_adjacent() -> None:
    assert reasons(parallelogram(is_closed=True))["coupler rocker"] == "Adjacent"
    assert reasons(parallelogram(is_closed=False)).get("coupler rocker") != "Adjacent"


def test_links_without_geometry_are_passed_for_adjacency() -> None:
    frames = (
        link("base", None, shapes=bar(1.0)),
        link("empty", "base", (1, 0, 0)),
        link("tool", "empty", (0, 0, 0), bar(1.0), axis=(0, 1, 0)),
    )
    assert reasons(Robot(name="wrist", frames=frames)) == {"base tool": "Adjacent"}


def test_after_the_first_states_one_touch_decides_a_pair() -> None:
    cube = (Box(size=(0.1, 0.1, 0.1)),)
    frames = (link("base", None, shapes=cube), link("slide", "base", (0, 0, 0), cube, JointType.PRISMATIC))
    solids = [solid for name in ("base", "slide") if (solid := link_solid(name, name, cube, MeshFiles(Path())))]
    sampling = PairSampling(Robot(name="slide", frames=frames), solids, set())
    sampling.run(JointStates({"slide_joint": np.repeat([1.0, 0.0], [1 + ALWAYS_STATES, 400])}))
    assert sampling.reasons == {}
    assert sampling.tests == 1


def test_links_that_are_rigid_to_each_other_are_tested_once() -> None:
    ring, cube = (Box(size=(0.5, 0.5, 0.02)),), (Box(size=(0.3, 0.3, 0.3)),)
    frames = (
        link("base", None, shapes=(Box(size=(0.1, 0.1, 0.1), origin=Pose((0, 0, -1))),)),
        link("arm", "base", shapes=ring, low=0.0, high=1.0),
        link("cover", "arm", (3, 0, 0), cube, None),
        link("plate", "cover", (-3, 0, 0), ring, None),
        link("lid", "cover", (0, 3, 0), cube, None),
    )
    found = reasons(Robot(name="overlaps", frames=frames))
    assert {found[pair] for pair in ("arm cover", "cover plate", "cover lid", "arm base")} == {"Adjacent"}
    assert found["arm plate"] == "Default"
    assert found["lid plate"] == "Never"


@pytest.mark.parametrize(("gap", "wanted"), [(0.0, "Default"), (0.0001, "Always"), (0.005, None)])
def test_always_is_more_than_95_percent_of_the_states(gap: float, wanted: str | None) -> None:
    plate = (Box(size=(0.5, 0.5, 0.02)),)
    both = tuple(Box(size=(0.5, 0.5, 0.02), origin=Pose((0, 0, side * (0.02 + gap)))) for side in (-1, 1))
    frames = (
        link("base", None, shapes=(Box(size=(0.1, 0.1, 0.1), origin=Pose((0, 0, -5))),)),
        link("plate", "base", shapes=plate),
        link("slider", "base", shapes=both, kind=JointType.PRISMATIC, low=-0.02, high=0.02),
    )
    assert reasons(Robot(name="slide", frames=frames)).get("plate slider") == wanted


def test_without_samples_only_adjacent_pairs_are_found_and_fcl_is_not_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fcl_library, "find_spec", lambda _: None)
    found = table(planar_arm(3), 0)
    assert [row.reason for row in found.rows] == ["Adjacent"] * 3
    assert (found.links, found.states) == (4, 0)
    with pytest.raises(MissingExtra, match=r'pip install "swgrm\[moveit\]"'):
        table(planar_arm(3), 16)


def test_the_same_seed_gives_the_same_rows() -> None:
    robot = planar_arm(5, limit=1.2)
    assert table(robot) == table(robot)


def test_quick_tests_leave_out_nothing_that_touches(monkeypatch: pytest.MonkeyPatch) -> None:
    robot = planar_arm(5, limit=1.2)
    quick = table(robot, 512)
    monkeypatch.setattr(NearPairs, "find", _everything)
    slow = table(robot, 512)
    assert quick.rows == slow.rows
    assert quick.tests < slow.tests / 5


def _everything(_: object, T: np.ndarray, ones: np.ndarray, __: np.ndarray) -> tuple[np.ndarray, ...]:
    return tuple(each.ravel() for each in np.indices((len(T), len(ones))))


def test_boxes_that_share_a_point_are_never_taken_for_apart() -> None:
    random = np.random.default_rng(2)
    n = 4000
    A, B = (
        np.array(
            [axis_angle_matrix(a / np.linalg.norm(a), float(np.linalg.norm(a))) for a in random.normal(size=(n, 3))]
        )
        for _ in "ab"
    )
    a, b = random.uniform(0.1, 1.0, (n, 3)), random.uniform(0.1, 1.0, (n, 3))
    inner, outer = (random.uniform(-1, 1, (n, 3)) * half for half in (a, b))
    t = (A @ inner[..., None] - B @ outer[..., None])[..., 0]  # a point of the second box is at one of the first
    assert boxes_touch(A, a, B, b, t).all()
    far = t + A[:, :, 0] * (np.linalg.norm(a, axis=1) + np.linalg.norm(b, axis=1))[:, None] * 3
    assert not boxes_touch(A, a, B, b, far).any()


@pytest.mark.parametrize(
    "shape",
    [Box(size=(0.2, 0.4, 0.6)), Cylinder(radius=0.2, length=1.0), Sphere(radius=0.3), Capsule(radius=0.1, length=1.0)],
)
def test_bounds_contain_their_shape(shape: Geometry) -> None:
    solid = link_solid("a", "a", [shape], MeshFiles(Path()))
    assert solid is not None
    ends = {"Box": (0.1, 0.2, 0.3), "Cylinder": (0.2, 0.0, 0.5), "Sphere": (0.0, 0.3, 0.0), "Capsule": (0.0, 0.0, 0.6)}
    point = np.array(ends[type(shape).__name__])
    assert np.linalg.norm(point - solid.centre) <= solid.radius
    assert (np.abs((point - solid.centre) @ solid.axes) <= solid.half + 1e-12).all()


def test_mesh_files_are_read_with_their_scale_and_missing_ones_leave_a_link_without_geometry(tmp_path: Path) -> None:
    cube = "".join(f"v {x} {y} {z}\n" for x in (0, 1) for y in (0, 1) for z in (0, 1))
    faces = ("1 3 4", "1 4 2", "5 6 8", "5 8 7", "1 2 6", "1 6 5", "3 7 8", "3 8 4", "1 5 7", "1 7 3", "2 4 8", "2 8 6")
    (tmp_path / "cube.obj").write_text(cube + "".join(f"f {face}\n" for face in faces))
    solid = link_solid("a", "a", [Mesh(uri="cube.obj", scale=(2.0, 1.0, 1.0))], MeshFiles(tmp_path))
    assert solid is not None
    assert np.allclose(np.sort(solid.half), [0.5, 0.5, 1.0])
    assert link_solid("a", "a", [Mesh(uri="missing.stl")], MeshFiles(tmp_path)) is None
    assert link_solid("a", "a", [], MeshFiles(tmp_path)) is None


def restated(robot: Robot, adjacent: set[tuple[str, str]], trials: int) -> RestatedResult:
    solids = [link_solid(each.name, frame.id, each.collisions, MeshFiles(Path())) for frame, each in robot.links()]
    return RestatedAlgorithm(robot, [each for each in solids if each is not None], adjacent).run(trials, 1)


def test_the_algorithm_of_the_setup_assistant_agrees_but_for_collisions_at_limits() -> None:
    for limit, missed in ((0.3, set()), (2.2, {("link_0", "link_2"), ("link_3", "link_5")})):
        robot = planar_arm(5, limit)
        theirs = restated(robot, adjacent_pairs(robot, set(robot.by_id)), 2000)
        ours = table(robot)
        rows = {(row.one, row.other): str(row.reason) for row in ours.rows}
        assert {pair: str(why) for pair, why in theirs.reasons.items() if pair not in missed} == rows
        assert ours.tests <= theirs.tests, "pairs that are decided are not tested again"
    folded = Kinematics(robot).poses({"link_1_joint": 2.2, "link_2_joint": 2.2})
    (first, _, third, *_) = (link_solid(x.name, f.id, x.collisions, MeshFiles(Path())) for f, x in robot.links())
    assert first is not None
    assert third is not None
    assert PairTest(first.shapes, third.shapes).touches(folded["link_2"]), "what random states missed is a collision"


def test_the_algorithm_of_the_setup_assistant_tests_impossible_states() -> None:
    robot = parallelogram(is_closed=True)
    assert ("crank", "rocker") not in restated(robot, set(), 1000).reasons, "the cranks of a parallelogram never meet"
    assert reasons(robot)["crank rocker"] == "Never"
