"""No file of somebody else runs code: neither its macros, nor what lies beside it, nor its names."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from tests.commands import swgrm

from swgrm.capture import save
from swgrm.errors import FileError
from swgrm.findings import Findings
from swgrm.meshes.collision import Collision
from swgrm.meshes.making import MeshJob
from swgrm.meshes.worker import PROGRAM, make_in_child
from swgrm.model import Frame, Joint, JointType, Robot
from swgrm.model.grmfile import dumps
from swgrm.processes.child import Child, python_command
from swgrm_addin.cli.printable import printable
from swgrm_addin.pipeline import export
from swgrm_exporters.urdf.reader import read as read_urdf
from swgrm_exporters.urdf.xacro import permitting
from swgrm_mocks.samples import sample

ROOT = Path(__file__).parents[2]
EXPRESSION = "${[c for c in ().__class__.__base__.__subclasses__() if c.__name__ == '_wrap_close'][0].__init__}"
XACRO = f"""<robot name="evil" xmlns:xacro="http://www.ros.org/wiki/xacro">
<xacro:property name="p" value="{EXPRESSION}"/><link name="base"/></robot>"""


# ---- xacro


@pytest.fixture(name="ran")
def _ran(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The files that xacro was asked to expand."""
    from types import SimpleNamespace

    files: list[str] = []

    def process_file(path: str) -> SimpleNamespace:
        files.append(path)
        return SimpleNamespace(toxml=lambda: '<robot name="r"><link name="made"/></robot>')

    monkeypatch.setitem(sys.modules, "xacro", SimpleNamespace(process_file=process_file))
    return files


@pytest.mark.parametrize("name", ["robot.xacro", "robot.urdf.xacro", "robot.XACRO", "robot.urdf"])
@pytest.mark.parametrize("command", [("show",), ("check",), ("export", "-o", "out"), ("view",), ("joints",)])
def test_no_command_expands_macros_unasked(
    tmp_path: Path, ran: list[str], monkeypatch: pytest.MonkeyPatch, name: str, command: tuple[str, ...]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path(name).write_text(XACRO)
    done = swgrm(command[0], name, *command[1:])
    assert (done.returncode, ran) == (2, [])
    assert "this is a xacro file" in done.stderr
    assert "--expand-xacro" in done.stderr or name.endswith(".urdf")


def test_neither_python_nor_the_batch_expands_macros(tmp_path: Path, ran: list[str]) -> None:
    (tmp_path / "robot.xacro").write_text(XACRO)
    with pytest.raises(FileError, match="--expand-xacro"):
        export(str(tmp_path / "robot.xacro"), tmp_path / "out")
    (tmp_path / "robot.urdf").write_text(XACRO)
    done = swgrm("batch", tmp_path, "-o", tmp_path / "robots", "--pattern", "*.urdf")
    assert ran == []
    assert "1 failed" in done.stdout + done.stderr


def test_the_option_expands_files_that_end_in_xacro_alone(tmp_path: Path, ran: list[str]) -> None:
    for name in ("robot.xacro", "robot.urdf"):
        (tmp_path / name).write_text(XACRO)
    assert "made" in swgrm("show", tmp_path / "robot.xacro", "--expand-xacro").stdout
    assert "although its name does not end" in swgrm("show", tmp_path / "robot.urdf", "--expand-xacro").stderr
    assert ran == [str(tmp_path / "robot.xacro")]
    swgrm("show", tmp_path / "robot.xacro")
    assert len(ran) == 1, "the permission ends with the command"


@pytest.mark.parametrize("answer", [True, False])
def test_a_terminal_is_asked(tmp_path: Path, ran: list[str], monkeypatch: pytest.MonkeyPatch, answer: bool) -> None:
    (tmp_path / "robot.xacro").write_text(XACRO)
    questions: list[str] = []

    def confirm(question: str, **_: object) -> bool:
        questions.append(question)
        return answer

    monkeypatch.setattr("swgrm_addin.cli.options.is_terminal", lambda: True)
    monkeypatch.setattr("click.confirm", confirm)
    swgrm("check", tmp_path / "robot.xacro", "--json")
    assert len(questions) == 1
    assert "can run any program" in questions[0]
    assert bool(ran) is answer


def test_a_permission_ends_with_its_context(tmp_path: Path, ran: list[str]) -> None:
    file = tmp_path / "robot.xacro"
    file.write_text(XACRO)
    with permitting(lambda path: path == file):
        assert read_urdf(file, Findings()).root.id == "made"
    with pytest.raises(FileError, match="any program"):
        read_urdf(file, Findings())
    assert len(ran) == 1


# ---- modules beside the input

SPY = "import pathlib\npathlib.Path(__file__).with_name('RAN').write_text(__name__)\nraise ImportError(__name__)\n"


def test_every_process_that_swgrm_starts_is_told_to_leave_the_current_folder_out() -> None:
    started = []
    for file in sorted(path for package in ("grm", "exporters", "addin") for path in (ROOT / package).rglob("*.py")):
        for line in file.read_text("utf-8").splitlines():
            if re.search(r'[\[(,]\s*"-m"', line):
                started.append(line)
                assert '"-P"' in line, f"{file.name}: {line}"
    assert started


def test_a_batch_runs_no_module_of_the_folder_that_it_is_started_in(tmp_path: Path) -> None:
    vault = tmp_path / "vault"
    vault.mkdir()
    save(sample("gripper"), vault / "gripper.swcap")
    for name in ("msgspec", "numpy", "swgrm", "multiprocessing"):
        (vault / f"{name}.py").write_text(SPY)
    start = tmp_path / "swgrm_command.py"  # as the command that pip installs: its own folder is first in the path
    start.write_text("from swgrm_addin.cli import main\nmain()\n")
    arguments = ["batch", ".", "-o", "../robots", "--format", "urdf"]
    done = subprocess.run(
        [sys.executable, str(start), *arguments], cwd=vault, capture_output=True, text=True, check=False, timeout=120
    )
    assert "1 exported" in done.stdout + done.stderr
    assert not (vault / "RAN").exists()


def test_a_child_process_runs_no_module_of_the_current_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "multiprocessing.py").write_text(SPY)
    (tmp_path / "msgspec.py").write_text(SPY)
    monkeypatch.chdir(tmp_path)
    job = MeshJob(sample("four_bar").shapes[0], None, None, "stl", Collision.DECOMPOSE, 0)
    with Child(python_command(PROGRAM)) as child:
        assert make_in_child(child, job).collision_files
    assert not (tmp_path / "RAN").exists()


# ---- names that are commands

INJECTED = 'config DESTINATION x)\nexecute_process(COMMAND sh -c "echo > RAN")\ninstall(DIRECTORY'


@pytest.mark.parametrize("field", ["texture", "mesh"])
@pytest.mark.parametrize("folder", [INJECTED, "a;b", "$ENV{HOME}", "..", "@x@", "a b", "${CMAKE_COMMAND}"])
def test_a_folder_in_a_name_is_no_command_of_cmake(tmp_path: Path, field: str, folder: str) -> None:
    from xml.sax.saxutils import quoteattr

    name = quoteattr(f"{folder}/m.{'png' if field == 'texture' else 'stl'}").replace("\n", "&#10;")
    geometry = f"<mesh filename={name}/>" if field == "mesh" else "<box size='1 1 1'/>"
    texture = f"<material name='m'><texture filename={name}/></material>" if field == "texture" else ""
    visual = f"<visual><geometry>{geometry}</geometry>{texture}</visual>"
    (tmp_path / "tex.urdf").write_text(f"<robot name='tex'><link name='a'>{visual}</link></robot>")
    export(str(tmp_path / "tex.urdf"), tmp_path / "out", formats=("ros2",))
    text = (tmp_path / "out" / "tex_description" / "CMakeLists.txt").read_text()
    assert "DIRECTORY config launch mujoco rviz urdf worlds\n" in text
    if cmake := shutil.which("cmake"):
        stubs = {"ament_cmake": "macro(ament_package)\nendmacro()\n", "ament_cmake_pytest": ""}
        for package, content in stubs.items():
            (tmp_path / f"{package}Config.cmake").write_text(content)
        package_folder = tmp_path / "out" / "tex_description"
        command = [cmake, "-S", str(package_folder), "-B", str(tmp_path / "build"), f"-DCMAKE_PREFIX_PATH={tmp_path}"]
        subprocess.run([*command, f"-Dament_cmake_DIR={tmp_path}"], cwd=tmp_path, capture_output=True, check=False)
        assert not list(tmp_path.rglob("RAN"))


@pytest.mark.parametrize("name", ["=cmd|' C calc'!A0", "+1", "-1+HYPERLINK(1)", "@SUM(A1)", "'=x", "''=x", "plain"])
def test_a_table_of_joints_has_no_formulas_and_is_read_again(tmp_path: Path, name: str) -> None:
    from xml.sax.saxutils import quoteattr

    ends = f"<parent link={quoteattr('=base')}/><child link='b'/>"
    joint = f"<joint name={quoteattr(name)} type='continuous'>{ends}<axis xyz='0 0 1'/></joint>"
    (tmp_path / "r.urdf").write_text(f"<robot name='r'><link name='=base'/><link name='b'/>{joint}</robot>")
    done = swgrm("joints", tmp_path / "r.urdf", "-o", tmp_path / "r.csv")
    assert done.returncode == 0, done.stderr
    import csv

    rows = list(csv.DictReader((tmp_path / "r.csv").read_text("utf-8-sig").splitlines()))
    for row in rows:
        assert not any(row[column][:1] in "=+-@" for column in ("joint", "name", "parent", "child", "type"))
    again = swgrm("joints", tmp_path / "r.urdf", "--read", tmp_path / "r.csv", "--settings", tmp_path / "r.grm.yaml")
    assert "The table has no changes." in again.stdout, again.stderr


def test_a_cell_of_any_length_is_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "long.csv").write_text("joint,name\n" + "x" * 200_000 + ",y\n")
    done = swgrm("joints", "mock:arm", "--read", tmp_path / "long.csv", "--settings", tmp_path / "arm.grm.yaml")
    assert "it cannot be read as a table" in done.stderr


# ---- the terminal

CONTROL = "\x1b]0;owned\x07\x1b[2J\x9b31m\u202eevil\r\x08"


@pytest.mark.parametrize("command", [("show",), ("check",), ("joints",), ("explain", "j")])
def test_no_name_controls_the_terminal(tmp_path: Path, command: tuple[str, ...]) -> None:
    joint = Joint(type=JointType.REVOLUTE, name=f"j{CONTROL}")
    frames = (Frame(id=f"base{CONTROL}"), Frame(id=f"arm{CONTROL}", parent=f"base{CONTROL}", joint=joint))
    (tmp_path / "r.grm.json").write_bytes(dumps(Robot(name=f"r{CONTROL}", frames=frames)))
    done = swgrm(command[0], tmp_path / "r.grm.json", *command[1:])
    output = done.stdout + done.stderr
    assert "owned" in output or command[0] == "check", output
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202e]", re.sub(r"\x1b\[[0-9;]*m", "", output)), output


def test_colours_and_lines_stay() -> None:
    assert printable("\x1b[31merror\x1b[0m\ta\nb") == "\x1b[31merror\x1b[0m\ta\nb"
    assert printable("a\x1b]0;x\x07") == "a\\x1b]0;x\\x07"
