"""Only what is a mesh or a picture is copied, whatever its name and whatever a link leads to."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest

from swgrm.errors import FileError
from swgrm.findings import Findings
from swgrm.meshes.carrying import carry
from swgrm.meshes.files import encode
from swgrm.meshes.recognition import RECOGNISERS, check_content
from swgrm.meshes.surface import Surface
from swgrm.meshes.tessellation import ColouredSurface
from swgrm.meshes.uris import MESHES, TEXTURES, resolve
from swgrm.model import Frame, Link, Material, Mesh, Robot

SECRET = b"root:x:0:0:root:/root:/bin/bash\n" * 40
CORNERS = np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]])
TETRAHEDRON = Surface(CORNERS, np.array([[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]))
GREY = (0.5, 0.5, 0.5, 1.0)


def mesh_file(form: str, corners: np.ndarray = CORNERS) -> bytes:
    return encode([ColouredSurface(GREY, Surface(corners, TETRAHEDRON.faces))], form)


SAMPLES = {
    ".stl": mesh_file("stl"),
    ".obj": mesh_file("obj"),
    ".glb": mesh_file("glb"),
    ".ply": b"ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\n"
    b"element face 1\nproperty list uchar int vertex_indices\nend_header\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n",
    ".off": b"OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n",
    ".dae": b'<?xml version="1.0"?>\n<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema"/>',
    ".gltf": b'{"asset": {"version": "2.0"}}',
    ".3mf": b"PK\x03\x04rest",
    ".msh": b"\x01\0\0\0" + bytes(12) + bytes(12),
    ".mesh": b"MeshVersionFormatted 2\nDimension 3\n",
    ".png": b"\x89PNG\r\n\x1a\nrest",
    ".jpg": b"\xff\xd8\xff\xe0rest",
    ".jpeg": b"\xff\xd8\xff\xe0rest",
    ".bmp": b"BMrest",
    ".tif": b"II*\0rest",
    ".tiff": b"MM\0*rest",
    ".tga": b"\0\0\x02" + bytes(13) + b"\x18\0rest",
}


def test_every_ending_that_may_be_read_has_a_sample() -> None:
    assert SAMPLES.keys() == MESHES | TEXTURES
    assert RECOGNISERS.keys() <= SAMPLES.keys()


@pytest.mark.parametrize("ending", sorted(SAMPLES))
def test_a_file_is_what_its_ending_states_or_an_error(ending: str) -> None:
    path = Path(f"a{ending}")
    check_content(path, SAMPLES[ending])
    for wrong in (SECRET, b"", b"\0" * 200, SAMPLES[".png" if ending != ".png" else ".jpg"]):
        with pytest.raises(FileError):
            check_content(path, wrong)


def test_a_mesh_with_numbers_that_are_not_finite_is_refused() -> None:
    with pytest.raises(FileError, match="not finite"):
        check_content(Path("a.stl"), mesh_file("stl", np.where(CORNERS == 1, np.nan, CORNERS)))


def robot_with(uri: str, texture: str = "") -> Robot:
    frame = Frame(id="base", links=(Link(name="base", visuals=(Mesh(uri=uri),)),))
    materials = (Material("m", texture=texture),) if texture else ()
    return Robot(name="robot", frames=(frame,), materials=materials)


@pytest.mark.skipif(os.name == "nt", reason="links need rights on Windows")
@pytest.mark.parametrize("target", ["passwd", "passwd.stl", "shadow.png"])
def test_a_link_cannot_carry_a_file_of_the_user_into_the_export(tmp_path: Path, target: str) -> None:
    """Neither by the name of the link, nor by that of the file that it leads to."""
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / target).write_bytes(SECRET)
    source = tmp_path / "robot"
    source.mkdir()
    (source / "evil.stl").symlink_to(tmp_path / "home" / target)
    (source / "evil.png").symlink_to(tmp_path / "home" / target)
    carried = carry(robot_with("evil.stl", "evil.png"), source, tmp_path / "out", Findings())
    assert carried.files == ()
    assert not any(path.read_bytes() == SECRET for path in (tmp_path / "out").rglob("*.*"))


@pytest.mark.skipif(os.name == "nt", reason="links need rights on Windows")
def test_a_link_to_a_mesh_is_followed(tmp_path: Path) -> None:
    """As in the workspaces of ROS, which are full of links."""
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "part.stl").write_bytes(SAMPLES[".stl"])
    (tmp_path / "install").mkdir()
    (tmp_path / "install" / "part.stl").symlink_to(tmp_path / "src" / "part.stl")
    assert resolve("part.stl", tmp_path / "install") is not None
    findings = Findings()
    carried = carry(robot_with("part.stl"), tmp_path / "install", tmp_path / "out", findings)
    assert [path.read_bytes() for path in carried.files] == [SAMPLES[".stl"]]
    assert list(findings) == []


def test_what_is_not_copied_is_a_finding_with_the_reason(tmp_path: Path) -> None:
    (tmp_path / "junk.stl").write_bytes(SECRET)
    findings = Findings()
    assert carry(robot_with("junk.stl"), tmp_path, tmp_path / "out", findings).files == ()
    assert [(finding.code, finding.where) for finding in findings] == [("file-not-copied", "file junk.stl")]
