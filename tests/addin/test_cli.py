from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from swgrm import Frame, Joint, JointType, Limits, Robot, load, save
from swgrm.inference import infer
from swgrm_addin.cli.report import headline
from swgrm_mocks.builder import Assembly
from swgrm_mocks.example import example_arm, example_mechanism
from swgrm_mocks.mates import plane
from swgrm_mocks.samples import sample


def swgrm(*arguments: str | Path, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    """The command as a user runs it, in a process of its own."""
    command = [sys.executable, "-c", "from swgrm_addin.cli import main; main()", *map(str, arguments)]
    environment = {**os.environ, "PYTHONIOENCODING": "utf-8", "NO_COLOR": "1"}
    return subprocess.run(
        command, capture_output=True, text=True, encoding="utf-8", timeout=60, cwd=cwd, env=environment, check=False
    )


@pytest.fixture
def arm(tmp_path: Path) -> Path:
    path = tmp_path / "arm.grm.json"
    save(example_arm(), path)
    return path


@pytest.fixture
def broken(tmp_path: Path) -> Path:
    path = tmp_path / "broken.grm.json"
    joint = Joint(type=JointType.REVOLUTE, limits=Limits(1.0, -1.0))
    save(Robot(name="broken", frames=(Frame(id="a"), Frame(id="b", parent="a", joint=joint))), path)
    return path


def test_show_prints_the_tree(arm: Path) -> None:
    result = swgrm("show", arm)
    assert result.returncode == 0, result.stderr
    assert "example_arm: 5 moving joints, 6 bodies, 7.6 kg" in result.stdout
    assert "└─ wrist ← wrist_joint ball" in result.stdout
    assert "5 mm per turn" in result.stdout
    assert "no findings" in result.stdout


def test_show_lists_composite_joints_and_relations(tmp_path: Path) -> None:
    save(example_mechanism(), tmp_path / "hand.grm.json")
    result = swgrm("show", tmp_path / "hand.grm.json")
    assert "universal joint palm_joint: palm_joint_u, palm_joint" in result.stdout
    assert "relation: 1 · `index_joint` + 1 · `middle_joint` − 2 · `thumb_joint` = 0.1" in result.stdout
    assert "convention gearRatio: numerator (set), for GearMate1\n" in result.stdout
    assert "composite-broken" in result.stdout  # two fingers are not a screw


def test_show_of_a_robot_that_is_not_a_tree_lists_the_findings(tmp_path: Path) -> None:
    twice = '{"id": "b"}, {"id": "b", "children": [{"id": "b"}]}'
    text = f'{{"robotName": "r", "rootFrame": {{"id": "a", "children": [{twice}]}}}}'
    (tmp_path / "r.grm.json").write_text(text)
    result = swgrm("show", tmp_path / "r.grm.json")
    assert result.returncode == 0, result.stderr
    assert "frame-duplicate" in result.stdout


def test_show_and_check_for_programs(arm: Path, broken: Path) -> None:
    data = json.loads(swgrm("show", arm, "--json").stdout)
    assert (data["robot"], len(data["frames"]), data["findings"]) == ("example_arm", 11, [])
    (convention,) = json.loads(swgrm("show", "mock:lead_screw", "--json").stdout)["conventions"]
    assert (convention["name"], convention["choice"], convention["mates"]) == (
        "screwSense", "reversedIsRight", ["Screw10"]
    )  # fmt: skip
    findings = json.loads(swgrm("check", broken, "--json").stdout)
    assert [f["code"] for f in findings] == ["limits-reversed", "mass-missing"]


def test_the_exit_code_of_check_depends_on_the_findings(arm: Path, broken: Path, tmp_path: Path) -> None:
    assert swgrm("check", arm).returncode == 0
    result = swgrm("check", broken)
    assert result.returncode == 1
    assert "error   joint b: The lower limit 1.0 is above the upper limit -1.0. [limits-reversed]" in result.stdout
    noted = tmp_path / "noted.grm.json"
    save(Robot(name="r", frames=(Frame(id="a"), Frame(id="b", parent="a", joint=Joint(type=JointType.BALL)))), noted)
    assert swgrm("check", noted).returncode == 0


def test_findings_of_one_kind_are_printed_once(tmp_path: Path) -> None:
    frames = [Frame(id=f"f{i}", parent="a", joint=Joint(type=JointType.BALL)) for i in range(12)]
    save(Robot(name="r", frames=(Frame(id="a"), *frames)), tmp_path / "r.grm.json")
    lines = swgrm("check", tmp_path / "r.grm.json").stdout.splitlines()
    assert len(lines) == 4
    assert lines[1].strip().startswith("and 11 more: frame f1, frame f10")
    assert lines[2].strip() == "Give it a mass or a material."
    assert lines[3] == "12 notes"


def test_convert_writes_the_same_robot(arm: Path, tmp_path: Path) -> None:
    result = swgrm("convert", arm, tmp_path / "out" / "copy.grm.json")
    assert result.returncode == 0, result.stderr
    assert load(tmp_path / "out" / "copy.grm.json") == load(arm)


def test_export_fills_a_folder(arm: Path, tmp_path: Path) -> None:
    result = swgrm("export", arm, "-o", tmp_path / "out", "--format", "grm")
    assert result.returncode == 0, result.stderr
    assert load(tmp_path / "out" / "example_arm.grm.json") == load(arm)
    findings = json.loads((tmp_path / "out" / "example_arm.findings.json").read_text())
    assert [finding["code"] for finding in findings] == ["mesh-elsewhere"]
    data = json.loads(swgrm("export", arm, "-o", tmp_path / "out", "--json").stdout)
    assert Path(data["files"][0]).is_file()


def test_schema_describes_the_file() -> None:
    schema = json.loads(swgrm("schema").stdout)
    assert schema["$defs"]["RobotFile"]["required"] == ["robotName", "rootFrame"]


def test_demo_twice(tmp_path: Path) -> None:
    for _ in range(2):
        result = swgrm("demo", "-o", "there", cwd=tmp_path)
        assert result.returncode == 0, result.stderr
        assert "there: arm.grm.json" in result.stdout
        assert "shoulder_joint   revolute" in result.stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["show", "none.grm.json"], "none.grm.json: no such file"),
        (["check", "."], "it is a folder, not a file"),
        (["show", "a.txt"], "no known format has this ending. Name a robot file (.grm.json, "),
        (["show", "a.txt"], ".usdc), a capture (.swcap), an assembly or part (.SLDASM, .SLDPRT), or mock:SAMPLE."),
        (["convert", "none.grm.json", "x.grm.json"], "no such file"),
        (["export", "none.grm.json", "-o", "out"], "no such file"),
        (["export", "none.grm.json", "-o", "out", "--format", "udrf"], "no format `udrf`"),
        (["export", "mock:arm", "-o", ""], "the value of --out is empty"),
        (["demo", "--out="], "the value of --out is empty"),
        (["chekc", "x"], "chekc"),
        (["show"], "SOURCE"),
        (["show"], "show [OPTIONS] SOURCE\n"),
    ],
)
def test_errors_are_sentences(tmp_path: Path, arguments: list[str], message: str) -> None:
    result = swgrm(*arguments, cwd=tmp_path)
    assert result.returncode == 2
    assert message.lower() in result.stderr.lower()
    assert "Traceback" not in result.stderr
    assert list(tmp_path.iterdir()) == []


def test_help_and_version_answer_without_loading_numpy() -> None:
    assert "show" in swgrm("--help").stdout
    assert swgrm("--version").stdout.startswith("swgrm ")


@pytest.mark.parametrize(
    ("given", "expected"), [({}, "1"), ({"OPENBLAS_NUM_THREADS": "3"}, "3"), ({"OMP_NUM_THREADS": "2"}, "-")]
)
def test_numpy_uses_one_thread_unless_the_environment_sets_a_number(given: dict[str, str], expected: str) -> None:
    code = "import os, swgrm_addin.cli as c; c.keep_to_one_thread(); print(os.environ.get('OPENBLAS_NUM_THREADS', '-'))"
    quiet = {k: v for k, v in os.environ.items() if k not in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS")}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True,
                          env=quiet | given)  # fmt: skip
    assert done.stdout.strip() == expected


def test_the_headline_counts_the_machine_and_not_virtual_frames() -> None:
    """A part on a plane has three joints of the model, and is one body."""
    assembly = Assembly("puck")
    table, puck = assembly.part("table").fixed(), assembly.part("puck")
    assembly.coincident(table.at(plane((0, 0, 0), (0, 0, 1))), puck.at(plane((0, 0, 0), (0, 0, 1))))
    robot = infer(assembly.capture()).robot
    assert headline(robot) == "puck: 1 moving joint, 2 bodies, 0 kg, 3 degrees of freedom"
    assert headline(infer(sample("four_bar")).robot).endswith("3 moving joints, 4 bodies, 0 kg, 1 degree of freedom")


def test_show_tells_what_holds_a_body_and_explain_answers_for_a_part() -> None:
    shown = swgrm("show", "mock:arm").stdout
    assert "base-1 is one body of 5 parts, fixed in SolidWorks: base-1" in shown
    assert "`ISO 4762 M6x20-4` is a fastener in `base-1`" in shown
    explained = swgrm("explain", "mock:arm", "flange-1").stdout
    assert "which `flange_joint` moves (revolute)" in explained.splitlines()[0]
