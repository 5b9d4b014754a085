"""Mesh files: colours kept apart, the same bytes for the same mesh, and back again."""

from __future__ import annotations

import io

import numpy as np
import pytest
import trimesh
from tests.grm.meshes.solids import look, shape, solid

from swgrm.errors import FileError, MissingExtra, SwgrmError
from swgrm.meshes.files import ENCODERS, HAS_COLOURS, decode, encode, same
from swgrm.meshes.surface import surface
from swgrm.meshes.tessellation import PLAIN, ColouredSurface, colour, coloured_surfaces

RED, BLUE = (1.0, 0.0, 0.0, 1.0), (0.0, 0.0, 1.0, 0.5)


def two_colours() -> list[ColouredSurface]:
    return coloured_surfaces(shape((solid("box"), look(1, 0, 0)), (solid("ball") + 5, look(0, 0, 1, 0.5))))


@pytest.mark.parametrize("form", ENCODERS)
def test_a_file_read_back_is_the_same_mesh_and_the_same_bytes(form: str) -> None:
    parts = two_colours()
    data = encode(parts, form)
    assert same(data, form, parts) == ""
    assert encode(two_colours(), form) == data
    assert len(decode(data, form).faces) == sum(len(part.surface.faces) for part in parts)


@pytest.mark.parametrize("form", ENCODERS)
def test_a_file_that_lost_something_is_noticed(form: str) -> None:
    parts = two_colours()
    assert "came back" in same(encode(parts[:1], form), form, parts)
    moved = [ColouredSurface(part.colour, surface(part.surface.triangles + 0.01)) for part in parts]
    assert "off" in same(encode(moved, form), form, parts)


@pytest.mark.parametrize("form", sorted({*HAS_COLOURS, "obj"}))
def test_colours_are_in_the_file_and_do_not_blend(form: str) -> None:
    scene = trimesh.load_scene(io.BytesIO(encode(two_colours(), form)), file_type=form)
    found = set()
    for mesh in scene.dump():
        if form == "obj":
            found |= {tuple(int(v) for v in row[:3]) for row in np.asarray(mesh.visual.vertex_colors)}
        else:
            found.add(tuple(int(v) for v in np.asarray(mesh.visual.material.main_color)[:3]))
    assert found == {(255, 0, 0), (0, 0, 255)}


def test_the_rule_of_appearances() -> None:
    face, body, part, own = look(1, 0, 0), look(0, 1, 0), look(0, 0, 1), look(1, 1, 0)
    assert colour((None, face, body, part)) == (1.0, 0.0, 0.0, 1.0)
    assert colour((None, None, body, part)) == (0.0, 1.0, 0.0, 1.0)
    assert colour((None, None, None, part)) == (0.0, 0.0, 1.0, 1.0)
    assert colour((None,)) == PLAIN
    painted = shape((solid("box"), face), (solid("ball"), None))
    assert [piece.colour for piece in coloured_surfaces(painted, part)] == [RED, (0.0, 0.0, 1.0, 1.0)]
    assert [piece.colour for piece in coloured_surfaces(painted, part, own)] == [(1.0, 1.0, 0.0, 1.0)]
    assert [piece.colour for piece in two_colours()] == [RED, BLUE]


@pytest.mark.parametrize("form", ENCODERS)
def test_broken_files_are_a_sentence(form: str) -> None:
    with pytest.raises(FileError):
        decode(b"nonsense", form)


def test_an_unknown_format_and_a_missing_library_are_sentences(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(SwgrmError, match="choose one of"):
        encode([], "step")
    monkeypatch.setattr("swgrm.meshes.files.find_spec", lambda _: None)
    with pytest.raises(MissingExtra, match="pycollada"):
        encode(two_colours(), "dae")
