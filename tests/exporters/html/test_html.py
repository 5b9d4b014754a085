"""The 3D page as a file: what is in it, and that nothing in it can break out or reach the network."""

from __future__ import annotations

import base64
import json
import re
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.robots import robots

from swgrm import Frame, Robot
from swgrm.findings import Findings
from swgrm.kinematics.forward import Kinematics
from swgrm.meshes.files import encode
from swgrm.meshes.surface import Surface, weld
from swgrm.meshes.tessellation import ColouredSurface
from swgrm.model import Box, Capsule, Coupling, Cylinder, Joint, JointType, Link, Material, Mesh, Pose, Relation, Sphere
from swgrm_addin.pipeline import export
from swgrm_exporters.format import Target
from swgrm_exporters.html.buffers import pack
from swgrm_exporters.html.options import HtmlOptions
from swgrm_exporters.html.simplify import clustered, simplified
from swgrm_exporters.html.writer import write


def unpacked(data: bytes) -> tuple[Surface, np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """The surface, the corners' normals and the edges in the bytes of a mesh, read independently of the writer."""
    corners, triangles, edges, width = np.frombuffer(data, "<u4", 4).tolist()
    low, size = np.frombuffer(data, "<f4", 6, 16).reshape(2, 3).astype(float)
    at = 40
    points = np.frombuffer(data, "<u2", 4 * corners, at).reshape(-1, 4)[:, :3] / 65535 * size + low
    at += 8 * corners
    normals = np.frombuffer(data, "i1", 4 * corners, at).reshape(-1, 4)[:, :3] / 127
    at += 4 * corners
    faces = np.frombuffer(data, f"<u{width}", triangles, at).reshape(-1, 3).astype(np.int64)
    at += -(-triangles * width // 4) * 4
    lines = np.frombuffer(data, f"<u{width}", edges, at).reshape(-1, 2)
    assert at + edges * width == len(data)
    return Surface(points, faces), normals, lines


def data_of(path: Path) -> dict[str, Any]:
    """The data in a page."""
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', path.read_text("utf-8"), re.S)
    assert found is not None
    data: dict[str, Any] = json.loads(found[1])
    return data


def page_of(robot: Robot, folder: Path, options: HtmlOptions | None = None, findings: Findings | None = None) -> Path:
    collector = Findings(format="html") if findings is None else findings
    (path,) = write(robot, Target(folder, "robot"), options or HtmlOptions(), collector)
    return path


def grid(count: int) -> Surface:
    """A wavy sheet with that many cells along each side."""
    x, y = np.meshgrid(np.linspace(0, 1, count + 1), np.linspace(0, 1, count + 1))
    points = np.stack([x, y, 0.1 * np.sin(6 * x) * np.cos(5 * y)], axis=-1)
    a, b, c, d = points[:-1, :-1], points[:-1, 1:], points[1:, 1:], points[1:, :-1]
    quads = np.stack([a, b, c, a, c, d], axis=2).reshape(-1, 3, 3)
    return weld(quads)


def box(size: float = 1.0) -> Surface:
    import trimesh

    return weld(np.asarray(trimesh.creation.box((size, 2 * size, 3 * size)).triangles))


def test_a_packed_box_has_its_faces_normals_and_edges() -> None:
    surface, normals, edges = unpacked(pack(box()))
    assert len(surface.faces) == 12
    assert len(surface.vertices) == 24  # three normals at each of eight corners
    assert len(edges) == 12  # no diagonal
    assert np.allclose(np.abs(normals).max(axis=1), 1)
    T = surface.triangles
    flat = np.cross(T[:, 1] - T[:, 0], T[:, 2] - T[:, 0])
    assert (np.einsum("ij,ikj->ik", flat, normals[surface.faces]) > 0).all()  # wound outwards, as the normals point


@given(st.floats(1e-4, 1e3), st.integers(0, 2**32 - 1))
def test_a_packed_surface_is_the_surface_within_its_rounding(scale: float, seed: int) -> None:
    corners = np.random.default_rng(seed).normal(size=(20, 3, 3)) * scale
    given_surface = weld(corners)
    surface, normals, _ = unpacked(pack(given_surface))
    step = np.ptp(given_surface.vertices, axis=0).max() / 65535
    assert np.abs(surface.triangles - given_surface.triangles).max() < 2 * step
    assert np.allclose(np.linalg.norm(normals, axis=1), 1, atol=0.02)


def test_smooth_faces_share_a_normal() -> None:
    import trimesh

    ball = weld(np.asarray(trimesh.creation.icosphere(subdivisions=3).triangles))
    surface, normals, edges = unpacked(pack(ball))
    assert len(surface.vertices) == len(ball.vertices)
    assert len(edges) == 0
    assert np.allclose(normals, surface.vertices, atol=0.02)


def test_a_large_mesh_has_wide_indices() -> None:
    sheet = grid(300)
    surface, _, _ = unpacked(pack(sheet))
    assert len(surface.vertices) > 1 << 16
    assert len(surface.faces) == len(sheet.faces)


@pytest.mark.parametrize("simplify", [simplified, clustered])
def test_a_simplified_surface_is_small_and_near(simplify: Any) -> None:
    sheet = grid(60)
    fewer = simplify(sheet, 1000)
    assert 200 < len(fewer.faces) <= 1000
    assert np.allclose(fewer.vertices.min(axis=0), sheet.vertices.min(axis=0), atol=0.08)
    assert np.allclose(fewer.vertices.max(axis=0), sheet.vertices.max(axis=0), atol=0.08)


def test_a_robot_over_the_budget_is_simplified_with_a_note(tmp_path: Path) -> None:
    shape = Mesh(uri="sheet.stl")
    (tmp_path / "sheet.stl").write_bytes(encode([ColouredSurface((1, 0, 0, 1), grid(40))], "stl"))
    robot = Robot(name="r", frames=(Frame(id="base", links=(Link(name="base", visuals=(shape,)),)),))
    findings = Findings(format="html")
    data = data_of(page_of(robot, tmp_path, HtmlOptions(max_triangles=500), findings))
    (mesh,) = data["meshes"].values()
    surface, _, _ = unpacked(zlib.decompress(base64.b64decode(mesh)))
    assert len(surface.faces) <= 500
    assert [found.code for found in findings] == ["html-simplified"]
    whole = data_of(page_of(robot, tmp_path))
    (mesh,) = whole["meshes"].values()
    assert len(unpacked(zlib.decompress(base64.b64decode(mesh)))[0].faces) == 3200


def test_the_drawings_of_a_large_robot_stay_when_one_part_changes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And they are made again if the library that simplifies has been installed."""
    simplified_surfaces: list[int] = []
    monkeypatch.setenv("SWGRM_CACHE", str(tmp_path / "cache"))

    def recorded(surface: Surface, triangles: int) -> Surface:
        simplified_surfaces.append(len(surface.faces))
        return clustered(surface, triangles)

    def drawn(*sizes: int) -> list[int]:
        for name, size in zip("abcd", sizes, strict=True):
            (tmp_path / f"{name}.stl").write_bytes(encode([ColouredSurface((1, 0, 0, 1), grid(size))], "stl"))
        shapes = tuple(Mesh(uri=f"{name}.stl") for name in "abcd")
        robot = Robot(name="r", frames=(Frame(id="base", links=(Link(name="base", visuals=shapes),)),))
        simplified_surfaces.clear()
        page_of(robot, tmp_path, HtmlOptions(max_triangles=2000))
        return sorted(simplified_surfaces)

    monkeypatch.setattr("swgrm_exporters.html.shapes.simplified", recorded)
    assert drawn(40, 41, 42, 43) == [3200, 3362, 3528, 3698]
    assert drawn(40, 41, 42, 43) == []
    assert drawn(40, 41, 42, 44) == [3872]
    monkeypatch.setattr("swgrm_exporters.html.shapes.is_installed", lambda: False)
    assert drawn(40, 41, 42, 44) == [3200, 3362, 3528, 3872]


def test_every_kind_of_shape_is_drawn_once(tmp_path: Path) -> None:
    moved = Pose((1.0, 2.0, 3.0), (0.0, 0.0, 1.0, 0.0))
    shapes = (
        Box(size=(1, 2, 3)),
        Box(size=(1, 2, 3), origin=moved, material="red"),
        Cylinder(radius=0.5, length=2),
        Sphere(radius=0.5),
        Capsule(radius=0.5, length=1),
    )
    link = Link(name="body", visuals=shapes, collisions=(Sphere(radius=0.5),))
    robot = Robot(name="r", frames=(Frame(id="base", links=(link,)),), materials=(Material("red", (1, 0, 0, 1)),))
    data = data_of(page_of(robot, tmp_path))
    drawn = data["scene"]["frames"][0]["links"][0]
    assert len(data["meshes"]) == 4
    assert [shape.get("rgba") for shape in drawn["visuals"]] == [None, [1, 0, 0, 1], None, None, None]
    assert drawn["visuals"][1]["pos"] == [1, 2, 3]
    assert drawn["collisions"][0]["mesh"] == drawn["visuals"][3]["mesh"]
    sizes = [
        np.ptp(unpacked(zlib.decompress(base64.b64decode(data["meshes"][shape["mesh"]])))[0].vertices, axis=0)
        for shape in drawn["visuals"]
    ]
    assert np.allclose(sizes, [(1, 2, 3), (1, 2, 3), (1, 1, 2), (1, 1, 1), (1, 1, 2)], atol=0.01)
    without = data_of(page_of(robot, tmp_path, HtmlOptions(collisions=False)))
    assert "collisions" not in without["scene"]["frames"][0]["links"][0]


def test_missing_and_broken_meshes_are_notes(tmp_path: Path) -> None:
    (tmp_path / "broken.stl").write_bytes(b"solid nothing")
    (tmp_path / "broken.obj").write_bytes(b"\0\1\2")
    shapes = tuple(Mesh(uri=uri) for uri in ("gone.stl", "broken.stl", "broken.obj", "../../../etc/passwd"))
    robot = Robot(name="r", frames=(Frame(id="base", links=(Link(name="base", visuals=shapes),)),))
    findings = Findings(format="html")
    data = data_of(page_of(robot, tmp_path, findings=findings))
    assert data["meshes"] == {}
    assert {found.code for found in findings} <= {"html-mesh-missing", "html-mesh-unreadable"}
    assert {found.where for found in findings if found.code == "html-mesh-missing"} == {
        "mesh gone.stl",
        "mesh ../../../etc/passwd",
    }


HOSTILE = "</script><script>alert(1)</script><!-- @DATA@ \u2028 \"' &amp; <img src=x onerror=alert(1)>"


def test_hostile_names_stay_text(tmp_path: Path) -> None:
    robot = Robot(
        name=HOSTILE,
        frames=(
            Frame(id=HOSTILE, links=(Link(name=HOSTILE),)),
            Frame(id="b", parent=HOSTILE, joint=Joint(type=JointType.REVOLUTE, name=HOSTILE)),
        ),
    )
    path = page_of(robot, tmp_path)
    text = path.read_text("utf-8")
    assert text.count("</script>") == 2
    assert "<img" not in text
    assert data_of(path)["scene"]["robot"] == HOSTILE


def test_the_page_asks_for_nothing_outside(tmp_path: Path) -> None:
    text = page_of(Robot(name="r", frames=(Frame(id="a"),)), tmp_path).read_text("utf-8")
    assert "default-src 'none'" in text
    assert not re.search(r"https?://|//[a-z]+\.|@import|url\(", text)


def test_an_export_writes_the_page_with_all_findings(tmp_path: Path) -> None:
    done = export("mock:gripper", tmp_path)
    data = data_of(tmp_path / "gripper.html")
    shown = {(found["code"], found["where"]) for found in data["scene"]["findings"]}
    assert shown == {(found.code, found.where) for found in done.findings}
    assert [frame["id"] for frame in data["scene"]["frames"]] == [frame.id for frame in done.robot.walk()]
    assert all(shape["mesh"] in data["meshes"] for frame in data["scene"]["frames"] for shape in drawn_shapes(frame))
    again = export("mock:gripper", tmp_path / "again", formats=("html", "urdf"))
    assert data_of(tmp_path / "again" / "gripper.html")["scene"]["frames"] == data["scene"]["frames"]
    assert {path.name for path in again.files} >= {"gripper.html", "gripper.urdf"}


def drawn_shapes(frame: dict[str, Any]) -> list[dict[str, Any]]:
    return [
        shape for link in frame.get("links", []) for kind in ("visuals", "collisions") for shape in link.get(kind, [])
    ]


def test_the_page_is_the_same_each_time(tmp_path: Path) -> None:
    pages = [export("mock:arm", tmp_path / name, formats=("html",)) for name in ("a", "b")]
    assert len({(tmp_path / name / "arm.html").read_bytes() for name in ("a", "b")}) == 1
    assert pages[0].robot == pages[1].robot


@given(robots())
def test_followers_are_what_the_kinematics_computes(robot: Robot) -> None:
    compiled = Kinematics(robot)
    rng = np.random.default_rng(0)
    free = {name: rng.uniform(-1, 1) for name in compiled.independent}
    scalars = {name: value for name, value in free.items() if _type(robot, name) is not JointType.BALL}
    wanted = compiled.positions(scalars)
    for name, relation in compiled.followers.items():
        found = relation.offset + sum(factor * scalars[leader] for leader, factor in relation.terms.items())
        assert np.isclose(found, wanted[name], rtol=1e-9, atol=1e-9)


def _type(robot: Robot, name: str) -> JointType:
    joint = robot.joints[name].joint
    assert joint is not None
    return joint.type


def test_followers_of_a_chain_of_couplings_and_a_relation() -> None:
    def turning(name: str, parent: str, coupling: Coupling | None = None) -> Frame:
        return Frame(id=name, parent=parent, joint=Joint(type=JointType.REVOLUTE, coupling=coupling))

    robot = Robot(
        name="r",
        frames=(
            Frame(id="base"),
            turning("a", "base"),
            turning("b", "base"),
            turning("c", "base"),
            turning("d", "base", Coupling("c", 2.0, 0.5)),
        ),
        relations=(Relation({"c": 1.0, "a": -3.0, "b": 1.0}, 0.25),),
    )
    found = Kinematics(robot).followers
    assert found["c"] == Relation({"a": 3.0, "b": -1.0}, 0.25)
    assert found["d"] == Relation({"a": 6.0, "b": -2.0}, 1.0)
