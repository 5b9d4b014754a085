"""The user's own defaults: where they are, what they take precedence over, and what the self-test writes there."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from tests.commands import swgrm as command

import swgrm
from swgrm.errors import FileError
from swgrm_addin.batch.records import Task
from swgrm_addin.batch.worker import key
from swgrm_addin.settings_file import settings_for
from swgrm_addin.user_defaults import apply_conventions, defaults_file, read_defaults, undo_conventions

ROLLING = "conventions:\n  rackSense: rolling\n"


@pytest.fixture
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The file of the user's defaults, which does not exist yet."""
    monkeypatch.setenv("SWGRM_CONFIG", str(tmp_path / "config"))
    return tmp_path / "config" / "defaults.grm.yaml"


@pytest.fixture
def gripper(tmp_path: Path) -> Path:
    """The capture of a gripper, whose rack depends on a convention."""
    file = tmp_path / "gripper.swcap"
    assert command("capture", "mock:gripper", "-o", file).returncode == 0
    return file


def written(file: Path, text: str) -> Path:
    file.parent.mkdir(exist_ok=True)
    file.write_text(text, "utf-8")
    return file


def rack_sense(source: Path, **options: str) -> str:
    return settings_for(str(source), None, {"conventions": options} if options else None).model.conventions.rack_sense


def test_the_file_is_where_the_platform_keeps_configurations(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in ("SWGRM_CONFIG", "APPDATA", "XDG_CONFIG_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    place = "Library/Application Support" if sys.platform == "darwin" else ".config"
    assert defaults_file() == tmp_path / place / "swgrm" / "defaults.grm.yaml"
    monkeypatch.setattr(sys, "platform", "darwin")
    assert defaults_file() == tmp_path / "Library" / "Application Support" / "swgrm" / "defaults.grm.yaml"
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "xdg"))
    assert defaults_file() == tmp_path / "xdg" / "swgrm" / "defaults.grm.yaml"
    monkeypatch.setenv("APPDATA", str(tmp_path / "roaming"))
    assert defaults_file() == tmp_path / "roaming" / "swgrm" / "defaults.grm.yaml"


def test_precedence_is_built_in_then_defaults_then_file_then_command_line(config: Path, gripper: Path) -> None:
    assert rack_sense(gripper) == "entities"
    written(config, ROLLING)
    assert rack_sense(gripper) == "rolling"
    own = gripper.with_name("gripper.grm.yaml")
    written(own, "conventions:\n  rackSense: entities\n")
    assert rack_sense(gripper) == "entities"
    written(own, "conventions:\n  gearRatio: numerator\n")  # the section, but not the key
    assert rack_sense(gripper) == "rolling"
    assert rack_sense(gripper, rackSense="entities") == "entities"
    written(own, "conventions:\n")
    assert rack_sense(gripper) == "rolling"


def test_an_export_reports_that_it_used_the_defaults(config: Path, gripper: Path, tmp_path: Path) -> None:
    plain = command("export", gripper, "-o", tmp_path / "plain", "--format", "grm")
    assert "defaults" not in plain.stdout
    written(config, ROLLING)
    used = command("export", gripper, "-o", tmp_path / "used", "--format", "grm", "--verbose")
    assert f"Your own defaults were used below the settings of this robot: {config}" in used.stdout
    before, after = (swgrm.load(tmp_path / name / "gripper.grm.json") for name in ("plain", "used"))
    (convention,) = [each for each in after.conventions if each.name == "rackSense"]
    assert (convention.choice, convention.is_set) == ("rolling", True)
    assert not before.is_same_as(after).is_same


def test_defaults_for_assemblies_do_not_concern_robot_files(config: Path, gripper: Path, tmp_path: Path) -> None:
    command("export", gripper, "-o", tmp_path / "out", "--format", "grm")
    written(config, ROLLING + "urdf:\n  precision: 7\n")
    done = settings_for(str(tmp_path / "out" / "gripper.grm.json"))
    assert done.model.conventions.rack_sense == "entities"
    assert list(done.sections) == ["urdf"]


def test_a_mistake_in_the_defaults_names_the_file_and_the_line(config: Path, gripper: Path) -> None:
    written(config, "conventions:\n  gearRatio: 2\n")
    result = command("show", gripper)
    assert result.returncode == 2
    assert f"{config}: line 2:" in result.stderr


def test_the_batch_exports_again_when_the_defaults_change(config: Path, tmp_path: Path) -> None:
    task = Task("a", tmp_path / "a.SLDASM", tmp_path / "out")
    before = key(task)
    assert key(task) == before
    written(config, ROLLING)
    assert key(task) != before


def test_applying_and_undoing_leaves_no_file(config: Path) -> None:
    assert apply_conventions({"rackSense": "rolling", "gearRatio": "numerator"}, "Measured.") == config
    assert read_defaults().sections == {"conventions": {"rackSense": "rolling", "gearRatio": "numerator"}}
    assert "# Measured." in config.read_text("utf-8")
    apply_conventions({"gearRatio": "denominator"}, "Measured again.")
    assert read_defaults().sections == {"conventions": {"gearRatio": "denominator"}}
    assert undo_conventions()
    assert not config.exists()
    assert not undo_conventions()


def test_what_the_user_wrote_is_kept(config: Path) -> None:
    mine = "# mine\nurdf:\n  precision: 7\n"
    written(config, mine)
    apply_conventions({"gearRatio": "denominator"}, "Measured.")
    assert read_defaults().sections == {"urdf": {"precision": 7}, "conventions": {"gearRatio": "denominator"}}
    assert undo_conventions()
    assert config.read_text("utf-8") == mine
    assert not undo_conventions()
    assert config.read_text("utf-8") == mine


def test_conventions_of_the_user_are_not_replaced(config: Path) -> None:
    written(config, ROLLING)
    with pytest.raises(FileError, match="a section `conventions` of your own"):
        apply_conventions({"gearRatio": "denominator"}, "Measured.")
    assert config.read_text("utf-8") == ROLLING


def test_a_folder_that_cannot_be_made_is_a_sentence(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("SWGRM_CONFIG", str(tmp_path / "file" / "config"))
    with pytest.raises(FileError, match="its folder cannot be made"):
        apply_conventions({"gearRatio": "denominator"}, "Measured.")
