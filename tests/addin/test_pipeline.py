"""The pipeline: every caller goes through it, and what the user decides reaches every step of it."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

import swgrm
import swgrm_addin
from swgrm_addin import sources
from swgrm_addin.cli import app
from swgrm_addin.port import Port
from swgrm_mocks.builder import Assembly, Part, pose
from swgrm_mocks.solids import box
from swgrm_mocks.solidworks import MemoryTransport, MockSolidWorks

run = CliRunner().invoke
STEPS = {"infer", "apply", "weigh", "add_meshes", "carry"}


def test_no_other_module_repeats_the_steps() -> None:
    package = Path(swgrm_addin.__file__).parent
    for path in package.rglob("*.py"):
        if path.name == "pipeline.py":
            continue
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("swgrm."):
                names = {alias.name for alias in node.names}
                assert not names & STEPS, f"{path.name} imports {names & STEPS}: use swgrm_addin.pipeline"


def test_three_calls_do_what_export_does(tmp_path: Path) -> None:
    understanding = swgrm.understand(swgrm.read("mock:gripper"))
    steps = swgrm.write(understanding, tmp_path / "steps")
    whole = swgrm.export("mock:gripper", tmp_path / "whole")
    assert steps.robot == whole.robot
    assert steps.findings == whole.findings
    for one, other in zip(steps.files, whole.files, strict=True):
        assert one.relative_to(tmp_path / "steps") == other.relative_to(tmp_path / "whole")
        assert one.read_bytes() == other.read_bytes()


def test_a_capture_or_a_robot_can_be_understood_alone() -> None:
    source = swgrm.read("mock:arm")
    assert source.capture is not None
    understanding = swgrm.understand(source.capture)
    assert understanding.inference is not None
    again = swgrm.understand(understanding.robot)
    assert again.robot == understanding.robot
    assert again.inference is None


def test_explain_shows_what_the_settings_change(tmp_path: Path) -> None:
    settings = tmp_path / "arm.grm.yaml"
    settings.write_text("joints: {shoulder_joint: {lower: -10 deg, upper: 20 deg}}")
    plain = run(app, ["explain", "mock:arm", "shoulder_joint"])
    decided = run(app, ["explain", "mock:arm", "shoulder_joint", "--settings", str(settings)])
    shown = run(app, ["show", "mock:arm", "--settings", str(settings)])
    assert plain.exit_code == decided.exit_code == 0
    assert "-10° to 20°" not in plain.stdout
    assert "-10° to 20°" in decided.stdout
    assert "-10° to 20°" in shown.stdout


def test_explain_finds_a_joint_by_its_new_name(tmp_path: Path) -> None:
    settings = tmp_path / "arm.grm.yaml"
    settings.write_text("joints: {shoulder_joint: {name: j1, flip: true}}")
    result = run(app, ["explain", "mock:arm", "j1", "--settings", str(settings)])
    assert result.exit_code == 0
    assert "j1: revolute" in result.stdout
    assert run(app, ["explain", "mock:arm", "shoulder_joint", "--settings", str(settings)]).stdout == result.stdout


def test_the_configuration_reaches_the_reader_of_a_solidworks_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "machine.SLDASM"
    file.write_bytes(b"")
    default, folded = _assembly(file, "Default", x=0.0), _assembly(file, "Folded", x=0.25)
    world = MockSolidWorks(default, folded, opened=False)
    application = Port(MemoryTransport()).wrap(world.application, "ISldWorks")
    monkeypatch.setattr(sources, "find_spec", lambda _: True)
    monkeypatch.setattr(sources, "_application", lambda _: application)
    command = ["export", str(file), "-o", str(tmp_path / "out"), "--format", "grm", "--json", "--configuration"]
    result = run(app, [*command, "Folded"])
    assert result.exit_code == 0, result.output
    robot = swgrm.load(tmp_path / "out" / "machine.grm.json")
    assert robot.frame("part-2").transform.pos[0] == 0.25
    refused = run(app, [*command, "Nothing"])
    assert refused.exit_code != 0
    assert "Nothing" in str(refused.exception)


def test_a_capture_holds_one_configuration(tmp_path: Path) -> None:
    capture = swgrm.read("mock:arm").capture
    assert capture is not None
    swgrm.save_capture(capture, tmp_path / "arm.swcap")
    with pytest.raises(swgrm.SwgrmError, match=r"not `Folded`. Capture it in that configuration"):
        swgrm.read(str(tmp_path / "arm.swcap"), "Folded")


TOY = """
import sys
from pathlib import Path
from swgrm_exporters.format import Format
from swgrm_exporters.formats import FORMATS
import msgspec

class ToyOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    greeting: str = "hello"

def write(robot, target, options, findings):
    file = target.file(".toy")
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(options.greeting + " " + robot.name)
    findings.add("capsule-split", "link x")
    return [file]

def read(path, findings):
    from swgrm import Frame, Robot
    return Robot(name=path.read_text().split()[-1], frames=(Frame(id="only"),))

sys.modules["toy"] = sys.modules["__main__"]
FORMATS["toy"] = Format("toy", "A toy", (".toy",), "toy:read", "toy:write", "toy:ToyOptions", by_default=True)
"""


def with_toy(tmp_path: Path, code: str, *arguments: str) -> str:
    script = tmp_path / "toy_main.py"
    script.write_text(f"{TOY}\n{code}")
    command = [sys.executable, str(script), *arguments]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_format_is_one_line(tmp_path: Path) -> None:
    """A registered format is in export, convert, settings, help, the list of formats and the documentation's table."""
    main = "from swgrm_addin.cli import main; main()"
    (tmp_path / "x.grm.yaml").write_text("toy: {greeting: welcome}")
    exported = with_toy(tmp_path, main, "export", "mock:arm", "-o", "out", "--settings", "x.grm.yaml", "--verbose")
    assert "wrote out/arm.toy" in exported
    assert "toy: link x" in exported
    assert (tmp_path / "out" / "arm.toy").read_text() == "welcome arm"
    assert "copy.grm.json" in with_toy(tmp_path, main, "convert", "out/arm.toy", "copy.grm.json")
    with_toy(tmp_path, main, "convert", "copy.grm.json", "again.toy", "-O", "greeting=bye")
    assert (tmp_path / "again.toy").read_text() == "bye arm"
    for arguments in (["export", "--help"], ["batch", "--help"], ["formats"]):
        assert "toy" in with_toy(tmp_path, main, *arguments)
    assert "same" in with_toy(tmp_path, main, "diff", "out/arm.toy", "again.toy")
    table = "import sys; sys.path.insert(0, sys.argv[1]); from tests.docs.test_tables import formats_table"
    assert "A toy" in with_toy(tmp_path, f"{table}; print(formats_table())", str(Path(__file__).parents[2]))


def _assembly(path: Path, configuration: str, x: float) -> swgrm.Capture:
    assembly = Assembly(path.stem, configuration=configuration)
    assembly.path = str(path)
    part = Part("part", box(0.1, 0.1, 0.1))
    assembly.part(part).fixed()
    assembly.part(part, pose(x=x))
    return assembly.capture()
