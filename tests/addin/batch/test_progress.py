from __future__ import annotations

import io
import os
import shlex
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.console import Console
from tests.batches import World

from swgrm_addin.batch.progress import ROWS, ProgressTable
from swgrm_addin.batch.records import DocumentResult, Failure

COUNTS = ["3 done", "2 unchanged", "1 failed", "4 remaining"]


def screen(table: ProgressTable, width: int) -> list[str]:
    """The lines that a terminal of that width shows."""
    console = Console(file=io.StringIO(), width=width, color_system=None)
    with console.capture() as captured:
        console.print(table._render())
    return captured.get().splitlines()


def half_way() -> ProgressTable:
    table = ProgressTable()
    table.run_started(8, 2)
    for number in range(3):
        table.document_finished(DocumentResult(f"e{number}", "exported"))
    table.document_finished(DocumentResult("f", "failed", failures=(Failure("crash", "It died.", "Try again."),)))
    return table


@given(st.lists(st.text(min_size=1, max_size=60), max_size=2 * ROWS, unique=True), st.integers(20, 120))
def test_on_any_terminal_every_count_is_seen_and_a_document_takes_one_line(names: list[str], width: int) -> None:
    table = half_way()
    for name in names:
        table.document_progressed(name, "reading", 0.0)
        table.document_progressed(name, "writing URDF", 0.5)
    lines = screen(table, width)
    assert all(cell_len(line) <= width for line in lines)
    rows, counts = lines[: min(len(names), ROWS)], " ".join(" ".join(lines[min(len(names), ROWS) :]).split())
    assert [count for count in COUNTS if count not in counts] == []
    assert counts.endswith("left")
    shown = [row for row in rows if row.startswith("0:00:")]
    assert len(shown) == (len(names) if len(names) <= ROWS else ROWS - 1)
    if len(names) > ROWS:
        assert rows[-1] == f"… and {len(names) - ROWS + 1} more"


def test_a_row_shows_time_progress_step_and_document() -> None:
    table = half_way()
    table.document_progressed("arm.SLDASM", "", 0.0)
    table.document_progressed("a/\x1b[31mred\n.SLDASM", "meshes", 0.25)
    assert screen(table, 60)[:2] == [
        "0:00:00  25%  meshes    a/�[31mred�.SLDASM",
        "0:00:00   0%  starting  arm.SLDASM",
    ]


def test_time_left_is_estimated_from_finished_documents() -> None:
    table = ProgressTable()
    table.run_started(4, 0)
    assert screen(table, 100)[-1].endswith("? left")
    table.document_finished(DocumentResult("a", "exported"))
    table.since -= 3600
    assert "3:00:0" in screen(table, 100)[-1]
    for name in "bcd":
        table.document_finished(DocumentResult(name, "exported"))
    assert screen(table, 100)[-1].endswith("0:00:00 left")


def test_without_a_terminal_a_line_per_document_is_counted(capsys: pytest.CaptureFixture[str]) -> None:
    with half_way():
        pass
    assert capsys.readouterr().err.splitlines() == [
        "[1/8] exported e0 in 0.0 s",
        "[2/8] exported e1 in 0.0 s",
        "[3/8] exported e2 in 0.0 s",
        "[4/8] failed   f: It died. Try again.",
    ]


@contextmanager
def on_a_terminal(world: World, *arguments: str, **environment: str) -> Iterator[tuple[subprocess.Popen[bytes], int]]:
    """The command with a terminal of its own, and our end of it."""
    import pty

    ours, theirs = pty.openpty()
    variables = {"TERM": "xterm", **environment}
    with subprocess.Popen(
        world.command(*arguments),
        env=world.environment | variables,
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        start_new_session=True,
        preexec_fn=_controls,
    ) as run:
        os.close(theirs)
        yield run, ours
        os.close(ours)


def _controls() -> None:
    """Make standard input the controlling terminal, so that Ctrl-C on it is a signal."""
    import fcntl
    import termios

    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


def read_until(terminal: int, text: str = "") -> str:
    """The output of a terminal until a text appears, or until its end."""
    seen = b""
    while not text or text.encode() not in seen:
        try:
            data = os.read(terminal, 4096)
        except OSError:  # Linux raises it when the other end is closed
            data = b""
        if not data:
            assert not text, f"{text} is not in {seen.decode()}"
            break
        seen += data
    return seen.decode()


posix = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such terminals")


@posix
def test_ctrl_c_on_a_terminal_ends_all_and_prints_how_to_resume_however_often_it_is_pressed(world: World) -> None:
    world.robot("a-done")
    world.mock("b-hanging", fault={"kind": "hang"})
    with on_a_terminal(world) as (run, terminal):
        read_until(terminal, "reading  b-hanging.mock.json")
        os.write(terminal, b"\x03\x03\x03")
        output = read_until(terminal)
        assert run.wait(120) == 130
    assert "\x1b[?25h" in output, "the cursor is shown again"
    assert "b-hanging" not in output.split("\x1b[?25h")[0].rpartition("\x1b[2K")[2], (
        "the stopped document is no longer shown"
    )
    assert f"Stopped. Continue with: {shlex.join(['swgrm', *world.command()[3:], '--resume'])}" in output
    assert world.left_behind() == []
    assert world.results() == {"a-done.grm.json": "exported", "b-hanging.mock.json": "missing"}


@posix
def test_a_terminal_without_cursor_control_gets_lines(world: World) -> None:
    world.robot("robot")
    with on_a_terminal(world, TERM="dumb") as (run, terminal):
        output = read_until(terminal)
        assert run.wait(120) == 0
    assert "\x1b" not in output
    assert output.startswith("[1/1] exported robot.grm.json in ")
