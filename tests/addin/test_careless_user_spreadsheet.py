"""Joints in a spreadsheet: the table, and what comes back from Excel."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest
from click.testing import CliRunner
from tests.lookups import joint_of

from swgrm.capture import save
from swgrm.errors import FileError, SettingsError
from swgrm_addin.cli import app
from swgrm_addin.pipeline import read, understand
from swgrm_addin.settings_file import read_settings
from swgrm_mocks.samples import sample

run = CliRunner().invoke


@pytest.fixture
def source(tmp_path: Path) -> Path:
    save(sample("gripper"), tmp_path / "gripper.swcap")
    return tmp_path / "gripper.swcap"


def rows(text: str, delimiter: str = ",") -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text.lstrip("\N{ZERO WIDTH NO-BREAK SPACE}")), delimiter=delimiter))


def text_of(table: list[dict[str, str]], delimiter: str = ",") -> str:
    out = io.StringIO()
    writer = csv.DictWriter(out, list(table[0]), delimiter=delimiter)
    writer.writeheader()
    writer.writerows(table)
    return out.getvalue()


def test_the_table_has_a_row_per_moving_joint(source: Path) -> None:
    printed = run(app, ["joints", str(source)])
    assert printed.exit_code == 0
    rack = {row["joint"]: row for row in rows(printed.stdout)}["rack_joint"]
    assert (rack["type"], rack["unit"], rack["lower"], rack["upper"]) == ("prismatic", "mm", "-20", "20")
    assert (rack["parent"], rack["child"]) == ("palm-1", "rack-1")


def test_a_table_that_was_not_changed_changes_nothing(source: Path) -> None:
    table, settings = source.with_name("t.csv"), source.with_name("gripper.grm.yaml")
    assert run(app, ["joints", str(source), "-o", str(table)]).exit_code == 0
    assert isinstance(run(app, ["joints", str(source), "-o", str(table)]).exception, FileError)
    done = run(app, ["joints", str(source), "--read", str(table)])
    assert done.stdout == "The table has no changes.\n"
    assert not settings.exists()


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp1252", "utf-16"])
@pytest.mark.parametrize(("delimiter", "comma"), [(",", False), (";", True), ("\t", True)])
def test_what_excel_saves_edits_the_settings_and_keeps_every_other_byte(
    source: Path, delimiter: str, comma: bool, encoding: str
) -> None:
    settings = source.with_name("gripper.grm.yaml")
    own = b"\xef\xbb\xbf# mine, \xc3\xa4\r\njoints:\r\n    rack_joint: {upper: 15 mm}   # measured\r\n# end\r\n"
    settings.write_bytes(own)
    table = rows(run(app, ["joints", str(source)]).stdout)
    for row in table:
        if row["joint"] == "rack_joint":
            row.update(upper="12,5" if comma else "12.5", effort="30", name="drive")
        if row["joint"] == "pinion_joint":
            row["velocity"] = "90,5" if comma else "90.5"
    source.with_name("t.csv").write_bytes(text_of(table, delimiter).encode(encoding))
    done = run(app, ["joints", str(source), "--read", str(source.with_name("t.csv"))])
    assert done.exit_code == 0, done.exception
    assert "rack_joint: upper 15 -> 12.5 mm" in done.stdout
    text = settings.read_bytes()
    assert text.startswith(b"\xef\xbb\xbf# mine, \xc3\xa4\r\njoints:\r\n    rack_joint: {upper: 12.5 mm")
    assert b"}   # measured\r\n" in text
    assert text.endswith(b"# end\r\n")
    robot = understand(read(str(source)), read_settings(settings)).robot
    drive = joint_of(robot, "drive")
    assert (drive.limits.upper, drive.limits.effort) == pytest.approx((0.0125, 30.0))
    assert joint_of(robot, "pinion_joint").limits.velocity == pytest.approx(1.5795, abs=1e-4)
    assert b"between: [palm-1, pinion-1]" in text


@pytest.mark.parametrize(
    ("column", "cell", "message"),
    [
        ("upper", "much", "line 2: `much` in the column upper is not a number"),
        ("joint", "finger_joint", "line 2: there is no joint `finger_joint`. Did you mean"),
        ("unit", "inch", "line 2: the unit of .* is .*, not `inch`"),
        ("type", "hinge", "joints, .*, type: `hinge` is not one of the choices"),
    ],
)
def test_a_cell_that_does_not_fit_is_answered_with_its_line_and_nothing_is_written(
    source: Path, column: str, cell: str, message: str
) -> None:
    table = rows(run(app, ["joints", str(source)]).stdout)
    table[0][column] = cell
    source.with_name("t.csv").write_text(text_of(table), encoding="utf-8")
    with pytest.raises((FileError, SettingsError), match=message):
        run(app, ["joints", str(source), "--read", str(source.with_name("t.csv"))], catch_exceptions=False)
    assert not source.with_name("gripper.grm.yaml").exists()


def test_a_joint_with_two_rows_is_refused(source: Path) -> None:
    table = rows(run(app, ["joints", str(source)]).stdout)
    source.with_name("t.csv").write_text(text_of([*table, table[0]]), encoding="utf-8")
    with pytest.raises(FileError, match=r"line \d+: the joint `pinion_joint` is in line 2, too"):
        run(app, ["joints", str(source), "--read", str(source.with_name("t.csv"))], catch_exceptions=False)


def test_a_cell_that_was_emptied_removes_the_setting_but_not_what_is_inferred(source: Path) -> None:
    settings = source.with_name("gripper.grm.yaml")
    settings.write_text("joints: {pinion_joint: {effort: 3 Nm, velocity: 2}}\n", encoding="utf-8")
    table = rows(run(app, ["joints", str(source)]).stdout)
    for row in table:
        row["effort"] = ""
    source.with_name("t.csv").write_text(text_of(table), encoding="utf-8")
    assert "effort 3 -> removed" in run(app, ["joints", str(source), "--read", str(source.with_name("t.csv"))]).stdout
    assert "effort" not in settings.read_text("utf-8")
    for row in table:
        row["upper"] = ""
    source.with_name("t.csv").write_text(text_of(table), encoding="utf-8")
    refused = run(app, ["joints", str(source), "--read", str(source.with_name("t.csv"))])
    assert "is inferred and cannot be empty" in str(refused.exception)


def test_decimal_commas_are_written_with_semicolons(source: Path) -> None:
    table = source.with_name("t.csv")
    run(app, ["joints", str(source), "-o", str(table), "--decimal-comma"])
    pinion = {row["joint"]: row for row in rows(table.read_text("utf-8-sig"), ";")}["pinion_joint"]
    assert pinion["upper"].startswith("114,59")
    assert run(app, ["joints", str(source), "--read", str(table)]).stdout == "The table has no changes.\n"


def test_a_file_that_is_not_such_a_table_is_refused(source: Path) -> None:
    source.with_name("t.csv").write_text("a,b\n1,2\n", encoding="utf-8")
    refused = run(app, ["joints", str(source), "--read", str(source.with_name("t.csv"))])
    assert "line 1: it is not a table of joints" in str(refused.exception)
    assert "--settings" in str(run(app, ["joints", "mock:arm", "--read", str(source)]).exception)
