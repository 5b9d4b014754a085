"""The check of meshes against inertia, on exports of another program and on known deviations."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from msgspec.structs import replace
from tests.grm.meshes.solids import solid

from swgrm import Frame, Inertial, Link, Mesh, Pose, Robot
from swgrm.findings import Findings
from swgrm.mass.inertia import matrix_tensor
from swgrm.meshes.agreement import check_meshes, report_disagreements
from swgrm.meshes.files import encode
from swgrm.meshes.surface import surface, volume_integrals
from swgrm.meshes.tessellation import PLAIN, ColouredSurface
from swgrm.meshes.uris import resolve
from swgrm.model import IDENTITY, Vec3
from swgrm.transforms import homogeneous, quaternion_matrix
from swgrm_exporters.formats import read


@pytest.mark.fixtures
@pytest.mark.parametrize(
    ("folder", "flagged"), [("3_DOF_ARM", set()), ("ORIGINAL_3_DOF_ARM", {"link link1", "link link2", "link link3"})]
)
def test_the_classic_exporters_bug_is_reported_and_nothing_else(folder: str, flagged: set[str], fixtures: Path) -> None:
    (urdf,) = (fixtures / "classic_exporter" / folder).glob("*.urdf")
    findings = check_meshes(read(urdf), urdf.parent)
    assert {finding.where for finding in findings} == flagged
    assert {finding.code for finding in findings} <= {"mesh-centre", "mesh-tensor"}


def lopsided() -> tuple[np.ndarray, Inertial]:
    """The triangles and inertia of a rotated box, whose tensor has products of inertia."""
    T = homogeneous(quaternion_matrix([0.3, 0.2, 0.1, 0.9]), np.zeros(3))
    triangles = solid("box") @ T[:3, :3].T
    volume, centre, tensor = volume_integrals(surface(triangles))
    return triangles, Inertial(volume * 2.0, tuple(centre.tolist()), matrix_tensor(tensor * 2.0))


def found(inertial: Inertial, density: float | None = None) -> list[str]:
    body, findings = surface(lopsided()[0]), Findings()
    report_disagreements(inertial, volume_integrals(body), body.size, "part a", findings, density=density)
    return [each.code for each in findings]


def test_a_body_agrees_with_itself() -> None:
    assert found(lopsided()[1]) == []
    assert found(lopsided()[1], 2.0) == []


def test_negated_products_of_inertia_are_reported_as_a_sign_error() -> None:
    _, inertial = lopsided()
    t = inertial.tensor
    assert t is not None
    assert found(replace(inertial, tensor=replace(t, ixy=-t.ixy, ixz=-t.ixz, iyz=-t.iyz))) == ["mesh-tensor-sign"]


@pytest.mark.parametrize(("shift", "codes"), [(0.009, []), (0.011, ["mesh-centre"])])
def test_the_centre_may_deviate_by_one_per_cent_of_the_size(shift: float, codes: list[str]) -> None:
    triangles, inertial = lopsided()
    x, y, z = inertial.origin
    assert found(replace(inertial, origin=(x + shift * surface(triangles).size, y, z))) == codes


@pytest.mark.parametrize(("factor", "codes"), [(1.04, []), (1.06, ["mesh-tensor"])])
def test_the_tensor_may_deviate_by_five_per_cent(factor: float, codes: list[str]) -> None:
    _, inertial = lopsided()
    assert inertial.tensor is not None
    larger = type(inertial.tensor)(*(getattr(inertial.tensor, n) * factor for n in inertial.tensor.__struct_fields__))
    assert found(replace(inertial, tensor=larger)) == codes


def with_mesh(folder: Path, data: bytes, scale: Vec3 = (1.0, 1.0, 1.0), origin: Pose = IDENTITY) -> Robot:
    (folder / "meshes").mkdir(parents=True, exist_ok=True)
    (folder / "meshes" / "a.stl").write_bytes(data)
    mesh = Mesh(uri="package://p/meshes/a.stl", scale=scale, origin=origin)
    return Robot(name="r", frames=(Frame(id="a", links=(Link(name="a", inertial=lopsided()[1], visuals=(mesh,)),)),))


def test_scale_and_origin_of_the_mesh_are_applied(tmp_path: Path) -> None:
    triangles, _ = lopsided()
    shifted = encode([ColouredSurface(PLAIN, surface((triangles - np.array([1.0, 0.0, 0.0])) * 1000))], "stl")
    good = with_mesh(tmp_path, shifted, (0.001, 0.001, 0.001), origin=Pose((1.0, 0.0, 0.0)))
    assert check_meshes(good, tmp_path) == []
    assert {f.code for f in check_meshes(with_mesh(tmp_path, shifted), tmp_path)} == {"mesh-centre", "mesh-tensor"}


def test_open_hollow_and_unreadable_meshes_are_reported(tmp_path: Path) -> None:
    triangles, _ = lopsided()
    opened = encode([ColouredSurface(PLAIN, surface(triangles[1:]))], "stl")
    assert "mesh-open" in {f.code for f in check_meshes(with_mesh(tmp_path / "1", opened), tmp_path / "1")}
    flat = encode([ColouredSurface(PLAIN, surface(triangles[:1]))], "stl")
    assert "mesh-hollow" in {f.code for f in check_meshes(with_mesh(tmp_path / "2", flat), tmp_path / "2")}
    broken = check_meshes(with_mesh(tmp_path / "3", b"nonsense"), tmp_path / "3")
    assert [f.code for f in broken] == ["mesh-unreadable"]


def test_mesh_uris_are_resolved_in_the_folder_and_its_parents(tmp_path: Path) -> None:
    file = tmp_path / "my_robot" / "meshes" / "a b.stl"
    file.parent.mkdir(parents=True)
    file.write_bytes(b"")
    urdf = tmp_path / "my_robot" / "urdf"
    urdf.mkdir()
    assert resolve("package://my_robot/meshes/a%20b.stl", urdf) == file
    assert resolve("package://other/meshes/a b.stl", urdf) == file
    assert resolve("../meshes/a b.stl", urdf) is not None
    assert resolve(file.as_uri(), urdf) == file
    assert resolve("package://my_robot/none.stl", urdf) is None
