"""`export: formats:` in the settings decides what is written, also by the add-in's button, which names no format."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from swgrm.errors import FileError
from swgrm.processes.conversation import Conversation
from swgrm.processes.protocol import ResultEvent
from swgrm_addin.cli import app
from swgrm_addin.jobs import ExportJob, start_program
from swgrm_addin.settings_file import read_settings


def test_the_button_s_job_writes_the_formats_of_the_settings(tmp_path: Path) -> None:
    settings = tmp_path / "four_bar.grm.yaml"
    settings.write_text("export: {formats: [grm, mjcf]}\n")
    job = ExportJob(source="mock:four_bar", default_folder=str(tmp_path / "out"), settings=str(settings))
    with start_program() as child:
        assert isinstance(Conversation(child, job).wait(), ResultEvent)
    names = {path.name for path in (tmp_path / "out").iterdir()}
    assert {"four_bar.grm.json", "four_bar.xml", "scene.xml"} <= names
    assert not {"four_bar.urdf", "four_bar.html"} & names
    named = ["--format", "grm", "-o", str(tmp_path / "named"), "--quiet", "--settings", str(settings)]
    CliRunner().invoke(app, ["export", "mock:four_bar", *named])
    assert not list((tmp_path / "named").glob("*.xml"))


def test_a_format_that_does_not_exist_is_named_with_its_line(tmp_path: Path) -> None:
    settings = tmp_path / "arm.grm.yaml"
    settings.write_text("export:\n  formats: [default, mjfc]\n")
    with pytest.raises(FileError, match=r"line 2.*no format `mjfc`.*mjcf"):
        read_settings(settings)
