"""USD written and read again: what it can hold comes back in single precision, and what it cannot is reported."""

from __future__ import annotations

import importlib.util
import math
import tempfile
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
import trimesh
from hypothesis import assume, given
from hypothesis import strategies as st
from tests.fuzz.fuzzing import TEXTS, damaged
from tests.grm.meshes.solids import solid
from tests.holding import given_back
from tests.lookups import of_type
from tests.robots import robots

from swgrm.errors import FileError, MissingExtra, SwgrmError
from swgrm.findings import Findings
from swgrm.meshes.surface import surface
from swgrm.model import (
    Actuator,
    ActuatorType,
    Box,
    Coupling,
    Dynamics,
    Frame,
    Inertial,
    Joint,
    JointType,
    Limits,
    Link,
    Material,
    Mesh,
    Mount,
    NamedPose,
    Robot,
    Sensor,
    Tensor,
)
from swgrm_exporters import formats
from swgrm_exporters.usd.binary import _arrays, library_file
from swgrm_exporters.usd.geometry import add_mesh
from swgrm_exporters.usd.options import UsdMeshes, UsdOptions
from swgrm_exporters.usd.parsing import parse
from swgrm_exporters.usd.physics import put_mass
from swgrm_exporters.usd.text import STAGE, UsdPrim, layer
from swgrm_exporters.usd.writer import fitted

SINGLE = 2e-6  # relative
TEXT = UsdOptions(meshes=UsdMeshes.TEXT)


def there_and_back(robot: Robot, options: UsdOptions = TEXT) -> Robot:
    with tempfile.TemporaryDirectory() as folder:
        files = formats.write(robot, Path(folder) / "r.usda", options)
        return formats.read(files[0])


@given(robots(strange=True))
def test_a_robot_comes_back(robot: Robot) -> None:
    lowered = fitted(robot, TEXT, Findings())
    assume(not lowered.halves)
    comparison = given_back(lowered).is_same_as(there_and_back(robot), SINGLE)
    assert comparison.is_same, str(comparison)


# ---- what is written


def slider(**changes: Any) -> Robot:
    """A base, a carriage on it, and a wheel that follows the carriage, which carries a tool frame."""
    solid = Inertial(2.0, (0.0, 0.0, 0.1), Tensor(ixx=0.1, iyy=0.2, izz=0.25))
    mesh = Mesh(uri="meshes/a.stl", scale=(0.001, 0.001, 0.001), material="red")
    base = Link(
        name="base", inertial=solid, visuals=(mesh,), collisions=(Mesh(uri="meshes/a.stl"), Box(size=(1.0, 2.0, 3.0)))
    )
    slide = Joint(type=JointType.PRISMATIC, name="slide", axis=(0.6, 0.0, 0.8), limits=Limits(lower=-0.5, effort=9.0))
    turn = Joint(
        type=JointType.REVOLUTE,
        name="turn",
        axis=(0.0, 1.0, 0.0),
        limits=Limits(upper=math.pi, velocity=2.0),
        dynamics=Dynamics(math.pi, 0.5, 0.01),
        coupling=Coupling("turn 0", -2.0, math.pi / 2),
    )
    frames = (
        Frame(id="base", links=(base,)),
        Frame(id="carriage", parent="base", joint=slide, links=(Link(name="carriage", inertial=solid),)),
        Frame(id="w0", parent="carriage", joint=Joint(type=JointType.REVOLUTE, name="turn 0")),
        Frame(id="wheel", parent="carriage", joint=turn, links=(Link(name="wheel", inertial=solid),)),
        Frame(id="tool", parent="wheel", sensors=(Sensor(name="eye", type="camera", params=VIEW),)),
    )
    return Robot(name="slider", frames=frames, materials=(Material("red", (1.0, 0.0, 0.5, 1.0)),), **changes)


VIEW = {"camera": {"image": {"hfov": 1.2, "width": 640, "height": 480, "near": 0.1, "far": 10.0}}}


def written(robot: Robot, folder: Path, options: UsdOptions = TEXT) -> dict[str, str]:
    (folder / "meshes").mkdir(exist_ok=True)
    box = trimesh.creation.box((1.0, 1.0, 1.0))
    (folder / "meshes" / "a.stl").write_bytes(box.export(file_type="stl"))
    files = formats.write(robot, folder / "slider.usda", options)
    return {file.name: file.read_text() for file in files}


def test_angles_are_in_degrees_and_axes_are_tokens(tmp_path: Path) -> None:
    options = UsdOptions(physx_mimic=True, meshes=UsdMeshes.TEXT)
    physics = written(slider(), tmp_path, options)["Physics.usda"]
    for line in (
        "float physics:upperLimit = 180.0",
        "float newton:velocityLimit = 114.59156",
        f"float newton:damping = {np.float32(math.pi**2 / 180)!s}",
        "float newton:armature = 0.01",
        "float newton:mimicCoef0 = 90.0",
        "float newton:mimicCoef1 = -2.0",
        "rel newton:mimicJoint = </slider/Physics/turn_0>",
        'uniform token physics:axis = "Y"',
        "float physics:lowerLimit = -0.5",
        "float drive:linear:physics:maxForce = 9.0",
        "float physxMimicJoint:rotY:gearing = 2.0",
        'displayName = "turn 0"',
    ):
        assert line in physics, line


def test_meshes_are_in_the_library_once_and_colours_are_linear(tmp_path: Path) -> None:
    layers = written(slider(), tmp_path)
    assert layers["GeometryLibrary.usda"].count("def Mesh") == 1
    assert "int[] faceVertexCounts = [3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3]" in layers["GeometryLibrary.usda"]
    geometry = layers["Geometry.usda"]
    assert "prepend references = @./GeometryLibrary.usda@</GeometryLibrary/a>" in geometry
    assert "prepend references = @./GeometryLibrary.usda@</GeometryLibrary/a/mesh>" in geometry
    assert geometry.count("instanceable = true") == 1
    assert "def Camera" in geometry
    assert "color3f inputs:diffuseColor = (1.0, 0.0, 0.21404114)" in layers["Materials.usda"]
    assert not slider().is_same_as(formats.read(tmp_path / "slider.usda"), SINGLE).differences


def test_layers_are_the_same_every_time(tmp_path: Path) -> None:
    assert written(slider(), tmp_path) == written(slider(), tmp_path)


def test_a_floating_base_has_no_joint_to_the_world(tmp_path: Path) -> None:
    for mount in Mount:
        layers = written(slider(mount=mount), tmp_path)
        assert ("root_joint" in layers["Physics.usda"]) == (mount is Mount.FIXED)
        assert formats.read(tmp_path / "slider.usda").mount is mount


def test_actuators_are_drives_and_home_is_the_state(tmp_path: Path) -> None:
    drive = Actuator(joint="turn", type=ActuatorType.POSITION, stiffness=180.0, damping=1.8, effort=7.0)
    pose = NamedPose("home", {"turn": math.pi / 4, "slide": 0.1})
    robot = slider(actuators=(drive,), poses=(pose,))
    physics = written(robot, tmp_path)["Physics.usda"]
    for line in (
        f"float drive:angular:physics:stiffness = {np.float32(math.pi)!s}",
        "float drive:angular:physics:maxForce = 7.0",
        "float state:angular:physics:position = 45.0",
        "float state:linear:physics:position = 0.1",
    ):
        assert line in physics, line
    again = formats.read(tmp_path / "slider.usda")
    assert (again.actuators, again.poses) == (robot.actuators, robot.poses)


@given(st.floats(0.001, 1.0), st.floats(0.001, 1.0))
def test_moments_of_a_flat_body_stay_physical_in_single_precision(a: float, b: float) -> None:
    """A + B = C is fulfilled by no more than rounding, which must not take it."""
    prim = UsdPrim("body", "Xform")
    put_mass(prim, Inertial(1.0, tensor=Tensor(ixx=a, iyy=b, izz=a + b)))
    text = of_type(str, prim.attributes["float3 physics:diagonalInertia"])
    written = [float(np.float32(value)) for value in text.strip("()").split(", ")]
    assert written[0] + written[1] >= written[2]
    assert written == pytest.approx([a, b, a + b], rel=1e-3, abs=1e-6)


def test_contacts_are_left_out_in_pairs(tmp_path: Path) -> None:
    physics = written(slider(ignored_contacts=(("base", "wheel"),)), tmp_path)["Physics.usda"]
    assert "rel physics:filteredPairs = [</slider/Geometry/wheel>]" in physics
    assert formats.read(tmp_path / "slider.usda").ignored_contacts == (("base", "wheel"),)


def test_files_that_cannot_be_read_are_reported(tmp_path: Path) -> None:
    findings = Findings()
    formats.write(slider(), tmp_path / "slider.usda", TEXT, findings)
    (tmp_path / "meshes").mkdir()
    (tmp_path / "meshes" / "a.stl").write_bytes(b"solid")
    formats.write(slider(), tmp_path / "slider.usda", TEXT, findings)
    assert {"usd-mesh-missing", "usd-mesh-unreadable"} <= {each.code for each in findings}


def library(kind: str) -> UsdPrim:
    """A library with one mesh, whose numbers are not those of 32 bits."""
    root = UsdPrim("GeometryLibrary", "Scope")
    add_mesh(root.child("a", "Xform"), "mesh", surface(solid(kind, 0.1)))
    return root


def text_values(root: UsdPrim) -> dict[str, Any]:
    """The values of all attributes in the text of a prim, by their paths."""
    values: dict[str, Any] = {}
    for spec in parse(layer([root], STAGE).decode()).prims.values():
        values |= {f"{spec.path}.{name}": value for name, value in spec.attributes.items()}
    return values


@pytest.mark.parametrize("kind", ["box", "ring"])
def test_the_arrays_for_usd_core_are_those_of_the_text(kind: str) -> None:
    root = library(kind)
    expected = text_values(root)
    arrays = dict(_arrays(root, "/GeometryLibrary"))
    names = {path.rpartition(".")[2] for path in arrays}
    assert names == {"faceVertexCounts", "faceVertexIndices", "points", "normals"}
    for path, value in arrays.items():
        numbers = np.array(expected.pop(path), np.int32 if value.array.ndim == 1 else np.float32)
        assert value.numbers.dtype == numbers.dtype
        assert np.array_equal(value.numbers, numbers)
    # The text without arrays declares them, and has all the rest.
    declared = parse(layer([root], STAGE, with_arrays=False).decode()).prims["/GeometryLibrary/a/mesh"].attributes
    valued = {name for name, value in declared.items() if value is not None}
    assert valued == {path.partition(".")[2] for path in expected}


def test_a_binary_library_is_the_text_after_parsing() -> None:
    Sdf = pytest.importorskip("pxr.Sdf")
    root = library("ring")
    with tempfile.TemporaryDirectory() as folder:
        texts = []
        for meshes in (UsdMeshes.TEXT, UsdMeshes.BINARY):
            file = library_file(root, STAGE, meshes)
            assert file == library_file(root, STAGE, meshes)
            path = Path(folder, file.name)
            path.write_bytes(file.data)
            texts.append(Sdf.Layer.FindOrOpen(str(path)).ExportToString())
    assert texts[0] == texts[1]


@pytest.mark.skipif(importlib.util.find_spec("pxr") is not None, reason="usd-core is installed")
def test_binary_files_name_what_they_need(tmp_path: Path) -> None:
    with pytest.raises(MissingExtra, match=r'pip install "swgrm\[usd\]"'):
        formats.write(slider(), tmp_path / "slider.usda", UsdOptions(meshes=UsdMeshes.BINARY))
    (tmp_path / "a.usdc").write_bytes(b"PXR-USDC")
    with pytest.raises(FileError, match=r"a binary USD file needs usd-core.*Or convert it"):
        formats.read(tmp_path / "a.usdc")


# ---- what is read

HEAD = '#usda 1.0\n(\n    defaultPrim = "r"\n    metersPerUnit = 1\n)\n'
BODY = 'def Xform "r" { def Xform "a" (prepend apiSchemas = ["PhysicsRigidBodyAPI"]) { %s } }'
WRONG = {
    "x": "does not begin with `#usda`",
    "#usda 1.0\n": "no default prim",
    HEAD.replace("= 1\n", "= 0.01\n") + BODY % "": "metersPerUnit is not 1",
    HEAD + 'def Xform "r" {}': "no rigid bodies",
    HEAD + 'def Xform "r" { float x = }': "a value is expected",
    HEAD + 'def Xform "r" { float x = (1, 2 }': r"`,` or `\)` is expected",
    HEAD + 'def Xform "r" {} def Xform "r" {}': "two prims have the path /r",
    HEAD + 'def "r" { variantSet "v" = {} }': "variants are not read",
    HEAD + "nonsense": "`def`, `over` or `class` is expected",
    HEAD + BODY % "double3 xformOp:translate = (1, 2)": "not a tuple of 3 finite numbers",
    HEAD + BODY % "quatd xformOp:orient = (0, 0, 0, 0)": "a length that is not one",
    HEAD + BODY % 'uniform token[] xformOpOrder = ["xformOp:transform"]': "not made of translate, orient and scale",
    HEAD + BODY % "" + "\nover " * 3: "a prim has no name|is expected",
    HEAD.replace("(\n", "(\n    subLayers = [@none.usda@]\n", 1) + BODY % "": "none.usda",
    HEAD.replace("(\n", "(\n    subLayers = [@/etc/passwd@]\n", 1) + BODY % "": "text layers beside it are read",
}


@pytest.mark.parametrize("text", WRONG)
def test_mistakes_are_answered_with_a_sentence(text: str, tmp_path: Path) -> None:
    (tmp_path / "a.usda").write_text(text)
    with pytest.raises(FileError, match=WRONG[text]):
        formats.read(tmp_path / "a.usda")


def test_damaged_files_give_robots_or_errors(tmp_path: Path) -> None:
    written(slider(), tmp_path)
    rng, outcomes = Random(1), Counter[str]()  # noqa: S311 - damage, not secrets
    files = [tmp_path / "slider_usd" / name for name in ("Physics.usda", "Geometry.usda", "Materials.usda")]
    for _ in range(200):
        file = rng.choice(files)
        good = file.read_bytes()
        file.write_bytes(damaged(good, rng, TEXTS.encode().split()))
        try:
            formats.read(tmp_path / "slider.usda")
            outcomes["robot"] += 1
        except SwgrmError:
            outcomes["error"] += 1
        file.write_bytes(good)
    assert min(outcomes["robot"], outcomes["error"]) > 10
