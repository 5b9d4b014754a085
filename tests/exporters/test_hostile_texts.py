"""No text of a robot can end its field in any format: each file is parsed by the format's own parser."""

from __future__ import annotations

import json
import random
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from tests import full
from tests.exporters.hostile import HOSTILE, escapes, kinds_of_fields, value_at, with_text

from swgrm.errors import SwgrmError
from swgrm.model import Actuator, Material, Mesh, NamedPose, Sensor
from swgrm.model.grmfile import dumps
from swgrm_addin.pipeline import export, read, understand
from swgrm_exporters.formats import FORMATS

SAMPLED = 4  # fields of each text without --full
# Texts of a robot whose values the format defines; another value is refused.
DEFINED = ("type", "units", "schema", "grm", "version", "handedness")


@cache
def model() -> Any:
    """The sample arm as GRM, with a mesh and a texture whose files are missing, and texts in optional fields."""
    robot = understand(read("mock:arm")).robot
    shape = Mesh(uri="meshes/part.stl", name="shape", material="paint")
    paint = Material("paint", (1.0, 0.0, 0.0, 1.0), "textures/wood.png")
    changed = next(frame for frame in robot.frames if frame.links)
    link = replace(changed.links[0], visuals=(shape,), props={"colour": "red"})
    camera = Sensor(name="eye", type="camera", params={"topic": "image"}, props={"maker": "none"})
    frames = [
        replace(frame, links=(link, *frame.links[1:]), sensors=(camera,)) if frame is changed else frame
        for frame in robot.frames
    ]
    joint = next(iter(robot.joints))
    robot = replace(
        robot,
        frames=tuple(frames),
        materials=(*robot.materials, paint),
        poses=(NamedPose("home", {joint: 0.0}),),
        actuators=(Actuator(joint=joint, name="drive"),),
        props={"site": "lab"},
    )
    return json.loads(dumps(robot))


def fields(what: str) -> list[str]:
    kinds = [kind for kind in kinds_of_fields(model()) if kind.rpartition(".")[2] not in DEFINED]
    assert len(kinds) > 15
    return kinds if full.IS_FULL else random.Random(what).sample(kinds, SAMPLED)  # noqa: S311 - test cases


def problems(tmp_path: Path, hostile: str, kind: str) -> list[str]:
    """What a hostile text in a field becomes in each format that does not refuse it."""
    data = model()
    path = kinds_of_fields(data)[kind][0]
    source = tmp_path / "robot.grm.json"
    source.write_text(json.dumps(with_text(data, value_at(data, path), hostile)), "utf-8")
    found = []
    for name in FORMATS:
        out = tmp_path / name
        try:
            export(str(source), out, formats=(name,))
        except SwgrmError as error:
            found += [] if str(error).endswith((".", "?")) else [f"{kind} in {name}: not a sentence: {error}"]
            continue
        found += [f"{kind} in {name}: {problem}" for problem in escapes(out)]
        outside = [file for file in tmp_path.parent.iterdir() if file != tmp_path and "canary" in file.name]
        found += [f"{kind} in {name}: wrote {file}" for file in outside]
    return found


@pytest.mark.parametrize("what", HOSTILE)
def test_no_text_can_end_its_field(what: str, tmp_path: Path) -> None:
    found = []
    for number, kind in enumerate(fields(what)):
        folder = tmp_path / str(number)
        folder.mkdir()
        found += problems(folder, HOSTILE[what], kind)
    assert found == []


def test_the_parsers_find_a_text_that_ended_its_field(tmp_path: Path) -> None:
    """Each hostile text is found where a writer would put it into the file as it is."""
    templates = {
        "a.urdf": ('<robot><link name="{}"/></robot>', "quotes"),
        "a.yaml": ("name: {}\n", "lines"),
        "a.py": ('NAME = """{}"""\n', "python"),
        "b.py": ("NAME = '{}'\n", "python quotes"),
        "CMakeLists.txt": ("install(DIRECTORY {})\n", "cmake"),
        "a.html": ("<script>const name = '{}';</script>", "script"),
        "a.xacro": ("<robot><link name='{}'/></robot>", "xacro"),
        "a.json": ('{{"name": "{}", "canary": 1}}', "path"),
        "a.usda": ('#usda 1.0\ndef Xform "a" (\n    doc = "{}"\n)\n{{\n}}\n', "usd"),
    }
    for name, (template, what) in templates.items():
        folder = tmp_path / name
        folder.mkdir()
        (folder / name).write_text(template.format(HOSTILE[what]), "utf-8")
        assert escapes(folder), name
