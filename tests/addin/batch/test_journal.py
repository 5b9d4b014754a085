from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from swgrm.errors import FileError, SwgrmError
from swgrm_addin.batch.journal import Ended, Finished, Journal, Record, Taken, outcomes, read_journal
from swgrm_addin.batch.processes import Process
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


HOLDS = """
import sys
from pathlib import Path
from swgrm_addin.batch.journal import Begun, Journal
from swgrm_addin.batch.processes import Process
with Journal(Path(sys.argv[1])) as journal:
    if sys.argv[2:]:
        journal.write(Begun(Process(sys.argv[2], 7, 0.0), "noon", 1))
    print("locked", flush=True)
    input()
"""


@pytest.mark.parametrize(
    ("host", "said"),
    [(["ws-14"], r"another run \(process 7 on ws-14, since noon\) is at work"), ([], "another run is at work")],
    ids=["it has said who it is", "it has just come"],
)
@pytest.mark.parametrize("anew", [True, False])
def test_a_run_that_is_at_work_is_not_disturbed(tmp_path: Path, host: list[str], said: str, anew: bool) -> None:
    path = tmp_path / "journal"
    command = [sys.executable, "-c", HOLDS, str(path), *host]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other:
        assert other.stdout is not None
        assert other.stdout.readline().strip() == b"locked"
        before = path.read_bytes()
        with pytest.raises(SwgrmError, match=said):
            Journal(path, anew=anew)
        assert path.read_bytes() == before
        other.kill()
    with Journal(path, anew=anew) as journal:
        journal.write(Taken("more"))
    assert path.read_bytes() == (b"" if anew else before) + b'{"type":"taken","document":"more"}\n'


def test_one_process_has_it_once(tmp_path: Path) -> None:
    with Journal(tmp_path / "journal"), pytest.raises(SwgrmError, match="another run"):
        Journal(tmp_path / "journal")


def test_a_journal_that_cannot_be_written_says_so(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(FileError, match="the journal cannot be written"):
        Journal(tmp_path / "file" / "journal")
