"""Surfaces of mesh files for the formats: the same as in the files, which are not read again."""

from __future__ import annotations

import hashlib
from collections import Counter
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from tests.grm.meshes.solids import look, shape, solid
from tests.lookups import present

from swgrm.errors import FileError
from swgrm.meshes import files as files_module
from swgrm.meshes import store as store_module
from swgrm.meshes import surface as surface_module
from swgrm.meshes.collision import Collision
from swgrm.meshes.files import decode, decode_pieces, encode, load
from swgrm.meshes.making import MeshFile, MeshJob, make
from swgrm.meshes.pieces import FilePiece, pack
from swgrm.meshes.plain_files import encode_stl
from swgrm.meshes.store import MeshFiles, MeshStore
from swgrm.meshes.surface import Surface, surface, weld
from swgrm.meshes.tessellation import ColouredSurface

FORMATS = ("stl", "obj", "glb", "dae")


def same(one: Surface, other: Surface) -> bool:
    return np.array_equal(one.vertices, other.vertices) and np.array_equal(one.faces, other.faces)


def files_of_two_colours(form: str) -> list[MeshFile]:
    painted = shape((solid("ring"), look(1, 0, 0)), (solid("ball") + 5, look(0, 0, 1, 0.5)))
    made = make(MeshJob(painted, None, None, form, Collision.DECOMPOSE, 100))
    return [*made.visuals, *made.collision_files]


@given(
    arrays(float, (7, 3), elements=st.floats(-1e3, 1e3) | st.floats(-1, 1, width=32)),
    st.none() | st.just((0.1, 0.2, 0.3, 1.0)),
)
def test_a_packed_piece_is_the_same_to_the_last_bit(
    vertices: np.ndarray, colour: tuple[float, float, float, float] | None
) -> None:
    piece = FilePiece(Surface(vertices, np.array([[0, 1, 2], [6, 5, 4]])), colour)
    found = pack(piece).unpack()
    assert same(found.surface, piece.surface)
    assert found.colour == colour
    assert found.surface.faces.dtype == np.int64


@pytest.mark.parametrize("form", FORMATS)
def test_what_is_made_has_the_triangles_and_colours_of_its_files(form: str) -> None:
    visuals = 1 if form in ("glb", "dae") else 2
    made = files_of_two_colours(form)
    for number, file in enumerate(made):
        kind = form if number < visuals else "obj"
        pieces, decoded = [piece.unpack() for piece in file.pieces], decode_pieces(file.data, kind)
        assert [piece.colour for piece in pieces] == [piece.colour for piece in decoded]
        for piece, expected in zip(pieces, decoded, strict=True):
            assert np.array_equal(piece.surface.triangles, expected.surface.triangles)
            # The hull of the vertices depends on their order in its last digits.
            assert kind == "stl" or np.array_equal(piece.surface.vertices, expected.surface.vertices)


@pytest.mark.parametrize("form", FORMATS)
def test_files_that_were_added_are_not_read(form: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = files_of_two_colours(form)[0]
    (tmp_path / "meshes").mkdir()
    path = tmp_path / "meshes" / f"part.{form}"
    path.write_bytes(file.data)
    expected, digest = decode(file.data, form), hashlib.sha256(file.data).hexdigest()
    read = MeshFiles(tmp_path)
    welded = present(read.welded(f"meshes/part.{form}"))
    pieces = present(read.welded_pieces(f"meshes/part.{form}"))
    store = MeshStore()
    store.add(path, digest, file.pieces)
    monkeypatch.setattr(store_module, "read_bytes", lambda _path: pytest.fail("it was read"))
    # Another format names the file from its own folder.
    (tmp_path / "package").mkdir()
    for folder, uri in ((tmp_path, f"meshes/part.{form}"), (tmp_path / "package", f"../meshes/part.{form}")):
        meshes = MeshFiles(folder, store)
        assert np.array_equal(present(meshes.surface(uri)).triangles, expected.triangles)
        assert meshes.digest(uri) == digest
        assert same(present(meshes.welded(uri)), welded)
        for piece, other in zip(present(meshes.welded_pieces(uri)), pieces, strict=True):
            assert same(piece.surface, other.surface)
            assert piece.colour == other.colour


def test_other_files_are_read_and_welded_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.stl"
    path.write_bytes(encode_stl(surface(solid("ring"))))
    meshes, expected = MeshFiles(tmp_path), load(path)
    welded = weld(expected.triangles)
    calls = Counter[str]()

    def count(module: ModuleType, name: str) -> None:
        function = getattr(module, name)

        def counted(argument: object) -> object:
            calls[name] += 1
            return function(argument)

        monkeypatch.setattr(module, name, counted)

    count(files_module, "decode_stl")
    count(surface_module, "weld")
    for _ in range(3):
        assert same(present(meshes.surface("a.stl")), expected)
        assert same(present(meshes.welded("a.stl")), welded)
    assert calls == {"decode_stl": 1, "weld": 1}


def test_absent_and_unreadable_files(tmp_path: Path) -> None:
    (tmp_path / "broken.obj").write_bytes(b"f 1 2 x")
    empty = ColouredSurface((1.0, 1.0, 1.0, 1.0), Surface(np.zeros((0, 3)), np.zeros((0, 3), np.int64)))
    (tmp_path / "empty.stl").write_bytes(encode([empty], "stl"))
    meshes = MeshFiles(tmp_path)
    assert meshes.path("none.stl") is None
    for question in (meshes.surface, meshes.welded, meshes.welded_pieces, meshes.digest):
        assert question("none.stl") is None
    for name in ("broken.obj", "empty.stl"):
        for ask in (meshes.surface, meshes.welded):
            with pytest.raises(FileError, match=name):
                ask(name)
