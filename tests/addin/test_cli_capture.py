"""The commands on captures, as a user runs them."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from msgspec.structs import replace
from tests import commands
from tests.addin.test_cli import swgrm

from swgrm.capture import load, save
from swgrm.errors import FileError
from swgrm_addin import sources
from swgrm_mocks.samples import BAD_DAYS, SAMPLES, sample
from swgrm_mocks.solidworks.tessellation import Tessellation


def test_a_sample_becomes_a_file_and_a_file_is_shown(tmp_path: Path) -> None:
    made = swgrm("capture", "mock:arm", "-o", tmp_path / "arm.swcap")
    assert (made.returncode, made.stderr) == (0, "")
    assert "11 components of 9 documents, 24 mates" in made.stdout
    assert load(tmp_path / "arm.swcap") == sample("arm")
    shown = swgrm("show", "--raw", tmp_path / "arm.swcap")
    assert "base-1  fixed" in shown.stdout
    assert "coordinate system tool0 in C:\\Robots\\flange.SLDPRT" in shown.stdout
    assert "Hinge" in shown.stdout
    data = json.loads(swgrm("show", "--raw", "--json", tmp_path / "arm.swcap").stdout)
    assert data["source"]["title"] == "arm.SLDASM"


def test_mate_types_are_shown_in_words_also_a_type_of_a_newer_solidworks(tmp_path: Path) -> None:
    capture = sample("gripper")
    documents = tuple(
        replace(each, mates=tuple(replace(mate, type=99) if mate.name == "GearDim19" else mate for mate in each.mates))
        for each in capture.documents
    )
    save(replace(capture, documents=documents), tmp_path / "new.swcap")
    shown = swgrm("show", "--raw", tmp_path / "new.swcap")
    assert shown.returncode == 0, shown.stderr
    assert "RackPinionDim12: rack and pinion, rack-1 – pinion-1" in shown.stdout
    assert "GearDim19: unknown type 99, pinion-1 – encoder_gear-1" in shown.stdout
    assert (
        "SolidWorks' API has no usable geometry of mates of the type `unknown`"
        in swgrm("show", tmp_path / "new.swcap").stdout
    )


def test_a_capture_is_captured_again_without_its_names(tmp_path: Path) -> None:
    swgrm("capture", "mock:traps", "-o", tmp_path / "a.swcap")
    made = swgrm("capture", tmp_path / "a.swcap", "-o", tmp_path / "b.swcap", "--anonymize")
    assert "without names" in made.stdout
    assert load(tmp_path / "b.swcap").anonymized
    assert "hinge unit" not in swgrm("show", "--raw", tmp_path / "b.swcap").stdout


def test_meshes_are_made_anew_with_a_tolerance(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    wanted: list[float] = []
    monkeypatch.setattr(Tessellation, "put_CurveChordTolerance", lambda _, value: wanted.append(value))
    file = tmp_path / "screw.swcap"
    assert commands.swgrm("capture", "mock:lead_screw", "-o", file, "--tolerance", "0.1").returncode == 0
    assert wanted == [0.1e-3] * len(sample("lead_screw").shapes)  # in metres
    assert load(file) == sample("lead_screw")
    with pytest.raises(FileError, match="Name the assembly or part to use a tolerance"):
        sources.read(str(file), tolerance=1e-4)


def test_samples_lists_them() -> None:
    lines = swgrm("samples").stdout.splitlines()
    assert [line.split()[0] for line in lines] == [f"mock:{name}" for name in SAMPLES | BAD_DAYS]
    assert json.loads(swgrm("samples", "--json").stdout).keys() == (SAMPLES | BAD_DAYS).keys()


@pytest.mark.parametrize(
    ("source", "sentence"),
    [
        ("", "SolidWorks, which is not installed on this machine. Run `swgrm capture` on a machine with"),
        ("there.SLDASM", "SolidWorks, which is not installed on this machine"),
        ("missing.SLDASM", "missing.SLDASM: the file does not exist. Check the path."),
        ("missing.swcap", "missing.swcap: no such file or directory"),
        ("drawing.SLDDRW", "it is a drawing. Name the assembly or part that it shows."),
        ("broken.swcap", "it is not a capture file, or it is damaged"),
        ("robot.urdf", "it is a robot file"),
        ("mock:amr", "There is no sample `amr`. Did you mean `arm`?"),
    ],
)
@pytest.mark.skipif(sys.platform == "win32", reason="where SolidWorks may be")
def test_bad_input_is_an_error_and_writes_no_file(source: str, sentence: str, tmp_path: Path) -> None:
    (tmp_path / "there.SLDASM").touch()
    (tmp_path / "broken.swcap").write_text("nonsense")
    (tmp_path / "robot.urdf").write_text("<robot name='r'><link name='l'/></robot>")
    before = sorted(tmp_path.iterdir())
    result = swgrm("capture", source, "-o", tmp_path / "out.swcap", cwd=tmp_path)
    assert result.returncode == 2
    assert result.stderr.startswith("swgrm: ")
    assert sentence in result.stderr
    assert sorted(tmp_path.iterdir()) == before


def test_the_file_name_of_a_capture_must_end_in_swcap(tmp_path: Path) -> None:
    result = swgrm("capture", "mock:arm", "-o", tmp_path / "arm.json")
    assert result.returncode == 2
    assert "ends in .swcap" in result.stderr
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "module", ["swgrm.capture", "swgrm_addin.reader", "swgrm_addin.port", "swgrm_addin.inside.ribbon"]
)
def test_modules_that_run_inside_solidworks_load_no_large_libraries(module: str) -> None:
    code = f"import {module}, sys; print(*sorted({{name.partition('.')[0] for name in sys.modules}}))"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    loaded = set(result.stdout.split())
    assert not loaded & {"numpy", "scipy", "lxml", "trimesh", "yaml", "click", "rich", "swgrm_mocks", "swgrm_exporters"}
