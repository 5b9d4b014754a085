"""Mesh files: separate colours, reproducible bytes, and the same mesh when read back."""

from __future__ import annotations

import io
from itertools import product

import numpy as np
import pytest
import trimesh
from msgspec.structs import replace
from tests.grm.meshes.solids import look, shape, solid
from tests.lookups import of_type
from trimesh.visual import ColorVisuals, TextureVisuals

from swgrm.errors import FileError, MissingExtra, SwgrmError
from swgrm.meshes.files import ENCODERS, HAS_COLOURS, decode, difference, encode
from swgrm.meshes.surface import surface
from swgrm.meshes.tessellation import PLAIN, ColouredSurface, colour, coloured_surfaces

RED, BLUE = (1.0, 0.0, 0.0, 1.0), (0.0, 0.0, 1.0, 0.5)


def two_colours() -> list[ColouredSurface]:
    return coloured_surfaces(shape((solid("box"), look(1, 0, 0)), (solid("ball") + 5, look(0, 0, 1, 0.5))))


@pytest.mark.parametrize("form", ENCODERS)
def test_a_file_read_back_is_the_same_mesh_and_the_same_bytes(form: str) -> None:
    parts = two_colours()
    data = encode(parts, form)
    assert difference(decode(data, form), parts) == ""
    assert encode(two_colours(), form) == data
    assert len(decode(data, form).faces) == sum(len(part.surface.faces) for part in parts)


@pytest.mark.parametrize("form", ENCODERS)
def test_missing_or_moved_triangles_are_reported(form: str) -> None:
    parts = two_colours()
    assert "triangles instead of" in difference(decode(encode(parts[:1], form), form), parts)
    moved = [ColouredSurface(part.colour, surface(part.surface.triangles + 0.01)) for part in parts]
    assert "it deviates by" in difference(decode(encode(moved, form), form), parts)


@pytest.mark.parametrize("form", sorted({*HAS_COLOURS, "obj"}))
def test_the_file_contains_each_colour_unblended(form: str) -> None:
    scene = trimesh.load_scene(io.BytesIO(encode(two_colours(), form)), file_type=form)
    found = set()
    for mesh in (of_type(trimesh.Trimesh, each) for each in scene.dump()):
        if form == "obj":
            found |= {
                tuple(int(v) for v in row[:3]) for row in np.asarray(of_type(ColorVisuals, mesh.visual).vertex_colors)
            }
        else:
            found.add(tuple(int(v) for v in np.asarray(of_type(TextureVisuals, mesh.visual).material.main_color)[:3]))
    assert found == {(255, 0, 0), (0, 0, 255)}


def test_precedence_of_appearances() -> None:
    face, body, part, own = look(1, 0, 0), look(0, 1, 0), look(0, 0, 1), look(1, 1, 0)
    assert colour((None, face, body, part)) == (1.0, 0.0, 0.0, 1.0)
    assert colour((None, None, body, part)) == (0.0, 1.0, 0.0, 1.0)
    assert colour((None, None, None, part)) == (0.0, 0.0, 1.0, 1.0)
    assert colour((None,)) == PLAIN
    painted = shape((solid("box"), face), (solid("ball"), None))
    assert [each.colour for each in coloured_surfaces(painted, part)] == [RED, (0.0, 0.0, 1.0, 1.0)]
    assert [each.colour for each in coloured_surfaces(painted, part, own)] == [(1.0, 1.0, 0.0, 1.0)]
    assert [each.colour for each in two_colours()] == [RED, BLUE]


@pytest.mark.parametrize("painted", list(product([False, True], repeat=5)))
def test_the_colour_of_a_face_is_the_first_of_component_face_feature_body_and_part(painted: tuple[bool, ...]) -> None:
    """As SolidWorks shows it."""
    looks = [look(k / 10, 0, 0) if is_painted else None for k, is_painted in enumerate(painted)]
    component, face, feature, body, part = looks
    bare = shape((solid("box"), None))
    faces = tuple(replace(each, appearance=face, feature_appearance=feature) for each in bare.bodies[0].faces)
    made = replace(bare, bodies=(replace(bare.bodies[0], appearance=body, faces=faces),))
    (surface,) = coloured_surfaces(made, part, component)
    first = next((each for each in looks if each is not None), None)
    assert surface.colour == (PLAIN if first is None else (first[0], 0.0, 0.0, 1.0))


@pytest.mark.parametrize("form", ENCODERS)
def test_an_invalid_file_is_an_error(form: str) -> None:
    with pytest.raises(FileError):
        decode(b"nonsense", form)


def test_an_unknown_format_and_a_missing_library_are_errors(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(SwgrmError, match="choose one of"):
        encode([], "step")
    monkeypatch.setattr("swgrm.meshes.files.find_spec", lambda _: None)
    with pytest.raises(MissingExtra, match="pycollada"):
        encode(two_colours(), "dae")
