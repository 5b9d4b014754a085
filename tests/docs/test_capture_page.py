"""docs/capture.md names every field of every record."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from swgrm.capture import matedata, records
from swgrm.capture.record import Record

PAGE = (Path(__file__).parents[2] / "docs" / "capture.md").read_text("utf-8")
RECORDS = [r for r in vars(records).values() if isinstance(r, type) and issubclass(r, Record) and r is not Record]
DATA = [r for r in vars(matedata).values() if isinstance(r, type) and issubclass(r, matedata.FeatureData)]


@pytest.mark.parametrize("record", RECORDS, ids=lambda record: record.__name__)
def test_every_field_is_described(record: type[Record]) -> None:
    section = re.search(rf"^### {record.__name__}$(.*?)(?=^##)", PAGE, re.MULTILINE | re.DOTALL)
    assert section is not None or record in DATA
    if section is not None:
        described = re.findall(r"^\| `(\w+)` \| [^|]+ \| [^|]+ \|$", section[1], re.MULTILINE)
        assert tuple(described) == record.__struct_encode_fields__


def test_every_kind_of_feature_data_is_described() -> None:
    for kind in (kind for kind in DATA if kind is not matedata.FeatureData):
        fields = ", ".join(f"`{name}`" for name in kind.__struct_encode_fields__)
        assert re.search(rf"^\| `{kind.__struct_config__.tag}` \|.*\| {re.escape(fields)} \|$", PAGE, re.MULTILINE)
