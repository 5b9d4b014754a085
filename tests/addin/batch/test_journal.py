from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from swgrm.errors import FileError, SwgrmError
from swgrm.processes.identity import Process
from swgrm_addin.batch.journal import (
    DocumentFinished,
    DocumentStarted,
    Journal,
    Record,
    RunEnded,
    last_results,
    read_journal,
)
from swgrm_addin.batch.records import DocumentResult, Failure

texts = st.text(max_size=8)
failed = st.builds(
    DocumentResult, texts, st.just("failed"), failures=st.lists(st.builds(Failure, texts, texts)).map(tuple)
)
records: st.SearchStrategy[Record] = st.one_of(
    st.builds(DocumentStarted, texts),
    st.builds(DocumentFinished, failed),
    st.builds(RunEnded, st.builds(Process, texts, st.integers(0, 9), st.floats(0, 9))),
)


@given(st.lists(records, max_size=8), st.data())
def test_a_journal_cut_off_anywhere_can_be_read_and_continued(first: list[Record], data: st.DataObject) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "journal"
        with Journal(path) as journal:
            for record in first:
                journal.write(record)
        whole = path.read_bytes()
        cut = data.draw(st.integers(0, len(whole)))
        path.write_bytes(whole[:cut])
        complete = whole[:cut].count(b"\n") + (whole[cut : cut + 1] == b"\n")  # a line may lack only its end
        with Journal(path) as journal:
            journal.write(DocumentStarted("more"))
        assert list(read_journal(path)) == [*first[:complete], DocumentStarted("more")]


def test_the_last_result_of_a_document_is_used(tmp_path: Path) -> None:
    with Journal(tmp_path / "journal") as journal:
        for status in ("failed", "exported"):
            journal.write(DocumentFinished(DocumentResult("a", status)))
    assert last_results(tmp_path / "journal")["a"].status == "exported"
    assert last_results(tmp_path / "none") == {}


HOLDS = """
import sys
from pathlib import Path
from swgrm_addin.batch.journal import RunStarted, Journal
from swgrm.processes.identity import Process
with Journal(Path(sys.argv[1])) as journal:
    if sys.argv[2:]:
        journal.write(RunStarted(Process(sys.argv[2], 7, 0.0), "noon", 1))
    print("locked", flush=True)
    input()
"""


@pytest.mark.parametrize(
    ("host", "message"),
    [
        (["ws-14"], r"another run \(process 7 on ws-14, since noon\) is using this folder"),
        ([], "another run is using this folder"),
    ],
    ids=["with its process", "just started"],
)
@pytest.mark.parametrize("truncate", [True, False])
def test_a_journal_in_use_is_refused_and_unchanged(
    tmp_path: Path, host: list[str], message: str, truncate: bool
) -> None:
    path = tmp_path / "journal"
    command = [sys.executable, "-c", HOLDS, str(path), *host]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other:
        assert other.stdout is not None
        assert other.stdout.readline().strip() == b"locked"
        before = path.read_bytes()
        with pytest.raises(SwgrmError, match=message):
            Journal(path, truncate=truncate)
        assert path.read_bytes() == before
        other.kill()
    with Journal(path, truncate=truncate) as journal:
        journal.write(DocumentStarted("more"))
    assert path.read_bytes() == (b"" if truncate else before) + b'{"type":"document-started","document":"more"}\n'


def test_a_process_opens_a_journal_once(tmp_path: Path) -> None:
    with Journal(tmp_path / "journal"), pytest.raises(SwgrmError, match="another run"):
        Journal(tmp_path / "journal")


def test_a_journal_that_cannot_be_written_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(FileError, match="the journal cannot be written"):
        Journal(tmp_path / "file" / "journal")
