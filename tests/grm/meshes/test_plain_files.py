"""STL and OBJ files without trimesh: the same bytes and surfaces as with it."""

from __future__ import annotations

import io

import numpy as np
import pytest
import trimesh
from hypothesis import given
from hypothesis import strategies as st
from trimesh.exchange.stl import export_stl

from swgrm.meshes.files import decode, encode
from swgrm.meshes.plain_files import decode_obj, decode_stl, encode_obj
from swgrm.meshes.surface import Surface, joined, surface
from swgrm.meshes.tessellation import ColouredSurface


def surfaces(seed: int) -> list[ColouredSurface]:
    chance = np.random.default_rng(seed)
    found = []
    for _ in range(chance.integers(1, 4)):
        triangles = chance.normal(size=(chance.integers(1, 40), 3, 3)) * 10.0 ** chance.integers(-7, 2)
        red, green, blue, opacity = np.round(chance.uniform(size=4), 4).tolist()
        found.append(ColouredSurface((red, green, blue, opacity), surface(triangles.astype("f4").astype(float))))
    return found


def by_trimesh(given: list[ColouredSurface], form: str) -> bytes:
    whole = joined([each.surface for each in given])
    if form == "stl":
        return export_stl(trimesh.Trimesh(whole.vertices, whole.faces, process=False))
    colours = np.concatenate([np.tile(each.colour, (len(each.surface.vertices), 1)) for each in given])
    mesh = trimesh.Trimesh(
        whole.vertices, whole.faces, process=False, vertex_colors=np.round(255 * colours).astype(np.uint8)
    )
    text = str(mesh.export(file_type="obj", digits=9, header=None, include_normals=False))
    return (text.replace("-0.000000000", "0.000000000") + "\n").encode()


@pytest.mark.parametrize("form", ["stl", "obj"])
@given(st.integers(0, 100_000))
def test_files_are_those_of_trimesh_byte_for_byte_and_are_read_alike(form: str, seed: int) -> None:
    made = surfaces(seed)
    data = encode(made, form)
    assert data == by_trimesh(made, form)
    found, scene = decode(data, form), trimesh.load_scene(io.BytesIO(data), file_type=form, process=False)
    expected = scene.to_mesh()
    assert np.array_equal(found.vertices, expected.vertices)
    assert np.array_equal(found.faces, expected.faces)


CORNERS = "v 0 0 0 1 1 1\nv 1 0 0 1 1 1\nv 0 1 0 1 1 1\n"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "# a comment\n" + CORNERS + "f 1 2 3\n",
        "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n",  # without colours
        CORNERS + "f 1/1 2/2 3/3\n",
        CORNERS + "f 1 2 3 1\n",
        CORNERS + "f -3 -2 -1\n",
        CORNERS + "f 1 2 4\n",
        CORNERS + "f 1 2 -\n",
        CORNERS + "f 1 - 3\n",
        CORNERS,
    ],
)
def test_obj_files_of_other_programs_are_left_to_trimesh(text: str) -> None:
    assert decode_obj(text.encode()) is None


def test_an_stl_file_in_text_or_cut_off_is_left_to_trimesh() -> None:
    assert decode_stl(b"solid part\nendsolid part\n") is None
    assert decode_stl(encode(surfaces(1), "stl")[:-1]) is None


@given(st.lists(st.floats(-1e8, 1e8) | st.sampled_from([0.0, -0.0, -1e-10]), min_size=9, max_size=9), st.booleans())
def test_corners_are_read_as_python_reads_each_number(numbers: list[float], has_one_colour: bool) -> None:
    triangle = Surface(np.array(numbers).reshape(3, 3), np.array([[0, 1, 2]]))
    colours = np.full((3, 3), 0.2) if has_one_colour else np.eye(3)
    data = encode_obj(triangle, colours)
    assert data == encode_obj(triangle, colours + np.array([[0.0], [0.0], [1e-12]]))  # each written for itself
    lines = [line.split()[1:] for line in data.decode().splitlines() if line.startswith("v")]
    found = decode_obj(data)
    assert found is not None
    assert np.column_stack([found[0].vertices, found[1]]).tobytes() == np.array(lines, float).tobytes()


def test_the_colours_of_corners_are_read() -> None:
    triangle = Surface(np.eye(3), np.array([[0, 1, 2]]))
    found = decode_obj(encode_obj(triangle, np.array([[1, 0, 0], [0, 1, 0], [0, 0, 1.0]])))
    assert found is not None
    assert np.array_equal(found[1], np.eye(3))
