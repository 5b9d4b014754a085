"""Corrections of robot files: every command uses the settings beside a robot file, as its help states."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from tests.commands import swgrm
from tests.lookups import joint_of

from swgrm_addin.pipeline import export
from swgrm_addin.settings_file import settings_path
from swgrm_exporters.formats import read

SETTINGS = "joints: {forearm_joint: {lower: -10 deg}}\n"


@pytest.fixture(name="arm", scope="module")
def _arm(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An exported arm, which the tests copy."""
    folder = tmp_path_factory.mktemp("arm")
    export("mock:arm", folder, formats=("urdf", "grm"))
    return folder


@pytest.fixture(name="folder")
def _folder(arm: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(arm, tmp_path / "copy"))


@pytest.mark.parametrize(
    "command",
    [("show",), ("explain", "forearm_joint"), ("joints",), ("convert", "x.urdf"), ("export", "-o", "out")],
    ids=lambda command: command[0],
)
@pytest.mark.parametrize("file", ["arm.urdf", "arm.grm.json"])
def test_every_command_reads_the_settings_beside_a_robot_file(
    command: tuple[str, ...], file: str, folder: Path
) -> None:
    (folder / "arm.grm.yaml").write_text(SETTINGS)
    name, *arguments = command
    done = swgrm(name, file, *arguments, cwd=folder)
    assert done.returncode == 0, done.stderr
    written = {"convert": "x.urdf", "export": "out/arm.urdf"}.get(name)
    if written:
        assert joint_of(read(folder / written), "forearm_joint").limits.lower == pytest.approx(-0.17453292519943295)
    else:
        assert "-10" in done.stdout


def test_a_changed_table_of_a_robot_file_reaches_the_next_export(folder: Path) -> None:
    assert swgrm("joints", "arm.urdf", "-o", "u.csv", cwd=folder).returncode == 0
    table = (folder / "u.csv").read_text(encoding="utf-8-sig")
    row = next(line for line in table.splitlines() if line.startswith("forearm_joint,"))
    lower = row.split(",")[table.splitlines()[0].split(",").index("lower")]
    (folder / "u.csv").write_text(table.replace(row, row.replace(lower, "-20", 1)), encoding="utf-8-sig")
    assert swgrm("joints", "arm.urdf", "--read", "u.csv", cwd=folder).returncode == 0
    assert swgrm("export", "arm.urdf", "-o", "out", cwd=folder).returncode == 0
    lower_limit = joint_of(read(folder / "out" / "arm.urdf"), "forearm_joint").limits.lower
    assert lower_limit == pytest.approx(-0.3490658503988659)


def test_settings_of_a_document_are_not_applied_to_its_export_again(folder: Path) -> None:
    """They are in the export already: a second `flip` would undo the first."""
    (folder / "arm.SLDASM").touch()
    (folder / "arm.grm.yaml").write_text("joints: {forearm_joint: {flip: true}}\n")
    before = read(folder / "arm.urdf")
    assert swgrm("convert", "arm.urdf", "x.urdf", cwd=folder).returncode == 0
    assert joint_of(read(folder / "x.urdf"), "forearm_joint").axis == joint_of(before, "forearm_joint").axis
    assert settings_path(str(folder / "arm.urdf")) == folder / "arm.urdf.grm.yaml"
    (folder / "arm.SLDASM").unlink()
    assert settings_path(str(folder / "arm.urdf")) == folder / "arm.grm.yaml"


@pytest.mark.parametrize(
    ("source", "name"),
    [
        ("a/arm.urdf", "a/arm.grm.yaml"),
        ("arm.grm.json", "arm.grm.yaml"),
        ("arm.urdf.xacro", "arm.grm.yaml"),
        ("arm.v2.xml", "arm.v2.grm.yaml"),
        ("arm.v2.SLDASM", "arm.v2.grm.yaml"),
        ("mock:arm", None),
        ("", None),
    ],
)
def test_where_settings_are(source: str, name: str | None) -> None:
    assert settings_path(source) == (None if name is None else Path(name))
