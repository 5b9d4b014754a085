"""`swgrm view`: one page, opened in the browser, and nothing of the user's replaced."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from swgrm.errors import FileError
from swgrm_addin.cli import app


@pytest.fixture(name="opened")
def _opened(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[str]:
    """The addresses that were opened in the browser; temporary files are in `tmp` of the test's folder."""
    found: list[str] = []

    def opens(address: str) -> bool:
        found.append(address)
        return True

    monkeypatch.setattr("webbrowser.open", opens)
    (tmp_path / "tmp").mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "tmp"))
    return found


def test_the_page_is_written_opened_and_replaced(tmp_path: Path, opened: list[str]) -> None:
    page = tmp_path / "robot.html"
    for _ in range(2):
        result = CliRunner().invoke(app, ["view", "mock:four_bar", "-o", str(page)])
        assert (result.exit_code, result.output) == (0, f"wrote {page}\n")
    assert opened == [page.as_uri()] * 2
    assert list((tmp_path / "tmp").iterdir()) == []


def test_without_a_name_the_page_stays_in_a_temporary_folder(tmp_path: Path, opened: list[str]) -> None:
    result = CliRunner().invoke(app, ["view", "mock:four_bar"])
    assert result.exit_code == 0
    (page,) = (tmp_path / "tmp").rglob("*.html")
    assert opened == [page.as_uri()]


def test_a_file_that_is_not_a_page_is_not_replaced(tmp_path: Path, opened: list[str]) -> None:
    mine = tmp_path / "mine.html"
    mine.write_text("mine")
    result = CliRunner().invoke(app, ["view", "mock:four_bar", "-o", str(mine)])
    assert isinstance(result.exception, FileError)
    assert (mine.read_text(), opened) == ("mine", [])
