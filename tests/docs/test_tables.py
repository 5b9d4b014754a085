"""Tables in the documentation come from the data that the code uses; `python -m tests.docs.test_tables` writes them."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from swgrm.validation import CODES
from swgrm_addin.batch.discovery import KINDS

ROOT = Path(__file__).parents[2]


def findings_table() -> str:
    rows = [f"| `{code}` | {kind.severity.name.lower()} | {kind.meaning} |" for code, kind in CODES.items()]
    return "\n".join(["| code | severity | meaning |", "|---|---|---|", *rows])


def kinds_table() -> str:
    rows = [f"| `{kind.suffix}` | {kind.seat or '–'} | {'yes' if kind.meant else 'no'} |" for kind in KINDS]
    return "\n".join(["| ending | opened by | meant without `--pattern` |", "|---|---|---|", *rows])


TABLES: Mapping[tuple[str, str], Callable[[], str]] = {
    ("docs/model.md", "findings"): findings_table,
    ("docs/batch.md", "kinds"): kinds_table,
}


def with_table(text: str, name: str, table: str) -> str:
    """The page with the table between its two marks."""
    marks = re.compile(rf"(<!-- {name} -->\n).*?(<!-- /{name} -->)", re.DOTALL)
    assert marks.search(text), f"no place for the table {name}"
    return marks.sub(lambda found: f"{found[1]}{table}\n{found[2]}", text)


@pytest.mark.docs
@pytest.mark.parametrize(("page", "name"), TABLES)
def test_tables_are_up_to_date(page: str, name: str) -> None:
    text = (ROOT / page).read_text("utf-8")
    assert with_table(text, name, TABLES[page, name]()) == text, "run: python -m tests.docs.test_tables"


if __name__ == "__main__":
    for (page, name), table in TABLES.items():
        path = ROOT / page
        path.write_text(with_table(path.read_text("utf-8"), name, table()), "utf-8")
