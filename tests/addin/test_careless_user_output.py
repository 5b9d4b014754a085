"""What a careless user sees: a dozen lines, and a sentence instead of a traceback, whatever is typed or printed to."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from unittest.mock import patch

import pytest
from tests.commands import swgrm

from swgrm.errors import TRACEBACK
from swgrm_addin.cli import running

posix = pytest.mark.skipif(sys.platform == "win32", reason="signals and devices of a POSIX system")
COMMAND = [sys.executable, "-m", "swgrm_addin"]


@pytest.fixture(autouse=True)
def _own_cache(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SWGRM_CACHE", str(tmp_path_factory.getbasetemp() / "cache"))


# ---- quiet by default


def test_an_export_prints_at_most_a_dozen_lines(tmp_path: Path) -> None:
    lines = swgrm("export", "mock:arm", "-o", tmp_path / "arm").stdout.splitlines()
    assert len(lines) <= 12
    assert lines[0].startswith("arm: 6 moving joints, 7 bodies, ")
    assert "shoulder_joint   revolute, -17.19° to 160.4°" in lines[1]
    assert any("assumed: effort 100 (5 joints), velocity 10 (6 joints)." in line for line in lines)
    assert "        Set them under `joints` in the settings, or for all joints under `urdf`." in lines
    assert lines[-1].endswith("about Robot Raconteur RobotInfo: --verbose lists them, and so does arm.findings.json")
    again = swgrm("export", "mock:arm", "-o", tmp_path / "arm").stdout.splitlines()
    assert again == [*lines, "nothing changed since the last export"]


def test_quiet_and_verbose(tmp_path: Path) -> None:
    quiet = swgrm("export", "mock:arm", "-o", tmp_path, "--quiet")
    assert (quiet.stdout, quiet.stderr) == ("", "")
    (tmp_path / "arm.urdf").write_text("mine")
    warned = swgrm("export", "mock:arm", "-o", tmp_path, "--quiet")
    assert (warned.stdout, warned.stderr.count("warning")) == ("", 1)
    assert "arm.urdf.bak" in warned.stderr
    loop = swgrm("export", "mock:four_bar", "-o", tmp_path / "loop", "--quiet").stderr
    assert (loop.count("[loop-cut]"), "robotinfo" in loop) == (1, False), "formats that were not named are quiet"
    swgrm("export", "mock:arm", "-o", tmp_path)
    verbose = swgrm("export", "mock:arm", "-o", tmp_path, "--verbose").stdout
    for part in ("├─ shoulder ←", "coincident + concentric leave", "robotinfo:", f"unchanged {tmp_path / 'arm.urdf'}"):
        assert part in verbose
    assert "wrote " not in verbose


def test_notes_about_robotinfo_are_listed_if_it_is_named(tmp_path: Path) -> None:
    named = swgrm("export", "mock:arm", "-o", tmp_path, "--format", "robotinfo").stdout
    assert "note    robotinfo: robot arm: RobotInfo needs limits" in named
    assert "about Robot Raconteur RobotInfo" not in named
    assert "about Robot Raconteur RobotInfo" in swgrm("export", "mock:arm", "-o", tmp_path).stdout


def test_a_joint_of_a_file_and_one_that_closes_a_loop_are_explained(tmp_path: Path) -> None:
    swgrm("convert", "mock:four_bar", tmp_path / "f.grm.json")
    loop = swgrm("explain", "mock:four_bar", "rocker_to_coupler_loop")
    assert "closes a loop" in loop.stdout
    joint = swgrm("explain", tmp_path / "f.grm.json", "crank_joint").stdout
    assert "1 of 6 degrees of freedom is left: rotation about the assembly's z axis" in joint
    assert "reason: coincident + concentric leave revolute motion" in joint
    assert "Did you mean `crank_joint`?" in swgrm("explain", tmp_path / "f.grm.json", "crank").stderr


def test_a_robot_is_the_same_as_its_own_export(tmp_path: Path) -> None:
    swgrm("export", "mock:gripper", "-o", tmp_path, "--format", "grm")
    same = swgrm("diff", "mock:gripper", tmp_path / "gripper.grm.json")
    assert (same.returncode, same.stdout) == (0, "the same\n")
    other = swgrm("diff", "mock:arm", tmp_path / "gripper.grm.json")
    assert other.returncode == 1
    assert len(other.stdout.splitlines()) <= 41


def test_a_configuration_that_does_not_exist_is_refused(tmp_path: Path) -> None:
    result = swgrm("capture", "mock:arm", "-o", tmp_path / "x.swcap", "--configuration", "Nope")
    assert (result.returncode, "Default" in result.stderr) == (2, True)
    assert not (tmp_path / "x.swcap").exists()


def test_the_explanation_of_a_joint_has_units_and_folds_its_notes() -> None:
    screw = swgrm("explain", "mock:lead_screw", "carriage_joint").stdout
    assert "LimitDistanceDim9: distance, 0 mm to 300 mm" in screw
    assert "range -100 mm to 200 mm" in screw
    assert "lead_screw_joint revolute, -14400° to 7200°" in swgrm("show", "mock:lead_screw").stdout
    shoulder = swgrm("explain", "mock:arm", "shoulder_joint").stdout
    assert shoulder.count("The component is a fastener") == 1
    assert "and 3 more: component ISO 4762 M6x20-2, " in shoulder


# ---- no traceback


@pytest.mark.parametrize(
    "verb", ["show", "check", "explain", "convert", "diff", "settings", "export", "joints", "view", "review"]
)
@pytest.mark.parametrize("source", ["", "/", ".", "..", "mock:", ".swcap", "\0"])
def test_odd_sources_are_answered_with_a_sentence(verb: str, source: str, tmp_path: Path) -> None:
    more = {"explain": ["x"], "convert": ["x.urdf"], "diff": ["x.urdf"], "export": ["-o", "out"]}.get(verb, [])
    result = swgrm(verb, source, *more, cwd=tmp_path)
    assert result.returncode == 2
    assert result.stderr.startswith("swgrm: ")
    assert "Unexpected error" not in result.stderr


def test_an_output_without_a_name_is_answered_with_a_sentence() -> None:
    assert "The value of --out is empty" in swgrm("capture", "mock:arm", "-o", "").stderr
    assert "the name of a capture ends in .swcap" in swgrm("capture", "mock:arm", "-o", ".").stderr
    assert "it is a folder, not a file. Name a file in it." in swgrm("convert", "mock:arm", ".").stderr
    assert "The value of OUT is empty" in swgrm("convert", "mock:arm", "").stderr


def test_a_defect_is_a_sentence_and_a_traceback_on_request(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail() -> None:
        raise ZeroDivisionError("what")

    assert running.run(fail) == 2
    assert capsys.readouterr().err.startswith("swgrm: Unexpected error in swgrm (ZeroDivisionError: what).")
    monkeypatch.setenv(TRACEBACK, "1")
    assert running.run(fail) == 2
    assert "Traceback" in capsys.readouterr().err


@posix
def test_an_error_of_the_system_names_its_file(tmp_path: Path) -> None:
    name = "n" * 300
    done = swgrm("export", tmp_path / f"{name}.swcap", "-o", tmp_path / "out")
    sentence = f"{tmp_path / name}.swcap: file name too long. Check the path and the permissions."
    assert (done.returncode, done.stderr) == (2, f"swgrm: {sentence}\n")
    done = swgrm("capture", "mock:arm", "-o", tmp_path / f"{name}.swcap")
    assert (done.returncode, done.stderr.count(name), done.stderr.count("file name too long")) == (2, 1, 1)


@posix
def test_a_full_disk_while_printing_is_an_error() -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run([*COMMAND, "samples"], stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert (done.returncode, done.stderr) == (2, "swgrm: The output cannot be written: no space left on device.\n")


@posix
def test_a_reader_that_ends_early_is_not_an_error() -> None:
    script = f"{sys.executable} -m swgrm_addin show mock:traps | head -1; exit ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout.count("\n"), done.stderr) == (0, 1, "")


@pytest.mark.parametrize("encoding", ["cp1252", "ascii", "cp437"])
def test_output_in_another_encoding_uses_similar_characters(encoding: str, tmp_path: Path) -> None:
    environment = {**os.environ, "PYTHONIOENCODING": encoding, "PYTHONUTF8": "0"}
    with (tmp_path / "out").open("wb") as file:
        done = subprocess.run([*COMMAND, "show", "mock:gripper"], stdout=file, stderr=subprocess.PIPE, env=environment)
    assert (done.returncode, done.stderr) == (0, b"")
    text = (tmp_path / "out").read_bytes().decode("utf-8" if encoding == "ascii" else encoding)
    assert "pinion_joint revolute" in text
    assert "?" not in text


def test_json_is_utf_8_in_every_encoding() -> None:
    environment = {**os.environ, "PYTHONIOENCODING": "cp1252"}
    done = subprocess.run([*COMMAND, "schema"], capture_output=True, env=environment, check=False)
    assert json.loads(done.stdout.decode("utf-8"))["$defs"]


@posix
@pytest.mark.parametrize("target", ["/dev/zero", "/dev/null"])
def test_a_device_is_not_read(target: str, tmp_path: Path) -> None:
    (tmp_path / "z.urdf").symlink_to(target)
    result = swgrm("show", tmp_path / "z.urdf")
    assert (result.returncode, "it is a device or a pipe, not a file" in result.stderr) == (2, True)


@posix
@pytest.mark.parametrize("seconds", [0.1, 0.3, 0.6, 1.0, 2.0, 3.5])
def test_an_export_that_is_interrupted_leaves_nothing_incomplete(seconds: float, tmp_path: Path) -> None:
    out = tmp_path / "out"
    code = (
        "import os, signal, threading; signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        f"timer = threading.Timer({seconds}, os.kill, (os.getpid(), signal.SIGINT))\n"
        "timer.daemon = True\n"
        "from swgrm_addin.__main__ import main\n"
        "timer.start()\n"
        "main()"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, "export", "mock:arm", "-o", str(out), "-O", "meshes.collision=decompose"],
        capture_output=True,
        text=True,
        env={**os.environ, "SWGRM_CACHE": str(tmp_path / "cache")},
        timeout=60,
        check=False,
    )
    assert (done.returncode in (0, 130, -signal.SIGINT), "Traceback" in done.stderr) == (True, False)
    assert out.exists() == (out / "arm.urdf").exists(), "there is nothing, or all of it if the export was faster"


@posix
def test_an_interrupt_that_a_library_catches_still_ends_the_command(tmp_path: Path) -> None:
    """trimesh replaces everything that is raised while it imports optional modules by an object that fails later."""
    (tmp_path / "greedy.py").write_text(
        "import os, signal, time\ntry:\n    os.kill(os.getpid(), signal.SIGINT)\n    time.sleep(0.2)\n"
        "except BaseException:\n    pass\n"
    )
    code = (
        "import signal, sys, time; signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "from swgrm_addin.cli.running import run\n"
        "def command():\n    import greedy\n    time.sleep(30)\n    print('not ended')\n"
        "sys.exit(run(command))"
    )
    paths = os.pathsep.join([str(tmp_path), *sys.path])
    begin = time.monotonic()
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": paths},
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "swgrm: Cancelled.\n"), "sleep was interrupted"
    assert time.monotonic() - begin < 25


@posix
def test_an_interrupt_while_arguments_are_read_cancels() -> None:
    code = (
        "import os, signal, sys, click; signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "from swgrm_addin.cli.running import run\n"
        "interrupt = lambda *_: os.kill(os.getpid(), signal.SIGINT)\n"
        "command = click.Command('c', params=[click.Option(['--at'], callback=interrupt)])\n"
        "sys.exit(run(lambda: command(['--at', 'once'])))"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, check=False).returncode == 130


@posix
def test_colours_and_styles_are_off_on_request(tmp_path: Path) -> None:
    for variables, styled in (({"NO_COLOR": "1"}, False), ({}, True)):
        environment = {key: value for key, value in os.environ.items() if key != "NO_COLOR"} | variables
        environment["TERM"] = "xterm-256color"
        file = tmp_path / f"typescript{len(variables)}"
        command = f"{sys.executable} -m swgrm_addin show mock:gripper"
        subprocess.run(["script", "-qec", command, str(file)], env=environment, capture_output=True, check=True)
        assert ("\x1b[1m" in file.read_text("utf-8", "replace")) == styled


def test_shell_completion_is_offered() -> None:
    assert "--install-completion" in swgrm("--help").stdout


@posix
def test_output_that_is_closed_is_no_error() -> None:
    command = f"{sys.executable} -m swgrm_addin schema >&-"
    done = subprocess.run(["sh", "-c", command], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_the_command_is_named_as_it_is_typed() -> None:
    done = subprocess.run([sys.executable, "-m", "swgrm_addin", "bogus"], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr.startswith("Usage: swgrm [OPTIONS]")


def test_names_with_brackets_are_not_patterns() -> None:
    """click replaces arguments on Windows by the files that match them: `arm[1].SLDASM` would be `arm1.SLDASM`."""
    with patch("swgrm_addin.cli.app") as app:
        swgrm("export", "arm[1].SLDASM")
    assert app.call_args.kwargs["windows_expand_args"] is False


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["batch", "", "-o", "out"], "The value of FOLDER is empty"),
        (["batch", ".", "-o", "out", "--timeout", "inf"], "inf is not"),
        (["batch", ".", "-o", "out", "--timeout", "nan"], "nan is not a finite number"),
        (["capture", "mock:arm", "-o", "a.swcap", "--tolerance", "inf"], "inf is not a finite number"),
        (["generate", "--dof", "2", "-o", "out", "--format", ""], "--format is empty"),
        (["settings", "mock:arm", "-o", "."], ".: it is a folder, not a file. Name a file in it"),
        (["joints", "mock:arm", "-o", "."], ".: it is a folder, not a file. Name a file in it"),
        (["export", "mock:arm"], "No folder to write into: use -o FOLDER"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_arguments_without_a_sense_are_refused(arguments: list[str], message: str, tmp_path: Path) -> None:
    result = swgrm(*arguments, cwd=tmp_path)
    assert (result.returncode, message in result.stderr, "Invalid value: No" in result.stderr) == (2, True, False)
    assert list(tmp_path.iterdir()) == []
