from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from swgrm.errors import FileError, SwgrmError
from swgrm_addin.batch.journal import Begun, Ended, Finished, Journal, Record, Taken, outcomes, read_journal
from swgrm_addin.batch.processes import Process, ourselves, process_of
from swgrm_addin.batch.records import Failure, Outcome

words = st.text(max_size=8)
failed = st.builds(Outcome, words, st.just("failed"), failures=st.lists(st.builds(Failure, words, words)).map(tuple))
records: st.SearchStrategy[Record] = st.one_of(
    st.builds(Taken, words),
    st.builds(Finished, failed),
    st.builds(Ended, st.builds(Process, words, st.integers(0, 9), st.floats(0, 9))),
)


@given(st.lists(records, max_size=8), st.data())
def test_whatever_a_kill_cuts_off_the_rest_is_read_and_more_can_be_written(
    first: list[Record], data: st.DataObject
) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "journal"
        with Journal(path) as journal:
            for record in first:
                journal.write(record)
        whole = path.read_bytes()
        cut = data.draw(st.integers(0, len(whole)))
        path.write_bytes(whole[:cut])
        complete = whole[:cut].count(b"\n") + (whole[cut : cut + 1] == b"\n")  # a line may lack but its end
        with Journal(path) as journal:
            journal.write(Taken("more"))
        assert list(read_journal(path)) == [*first[:complete], Taken("more")]


def test_the_last_outcome_of_a_document_counts(tmp_path: Path) -> None:
    with Journal(tmp_path / "journal") as journal:
        for result in ("failed", "exported"):
            journal.write(Finished(Outcome("a", result)))  # type: ignore[arg-type]
    assert outcomes(tmp_path / "journal")["a"].result == "exported"
    assert outcomes(tmp_path / "none") == {}


def test_a_run_that_is_at_work_is_not_disturbed(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as other:
        process = process_of(other.pid)
        with Journal(path) as journal:
            journal.write(Begun(ourselves(), "now", 1))  # a run of ours that broke off
            journal.write(Begun(process, "now", 1))
        with pytest.raises(SwgrmError, match=f"another run \\(process {other.pid}\\) is at work"):
            outcomes(path)
        with Journal(path) as journal:
            journal.write(Ended(process))
        assert outcomes(path) == {}
        with Journal(path) as journal:
            journal.write(Begun(process, "now", 1))
        other.communicate(b"\n")
    assert outcomes(path) == {}


def test_a_journal_that_cannot_be_written_says_so(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(FileError, match="the journal cannot be written"):
        Journal(tmp_path / "file" / "journal")
