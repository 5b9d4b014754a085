"""Anonymized captures contain no names, and nothing else has changed."""

from __future__ import annotations

import io
import zipfile
from typing import Any, get_type_hints

import pytest
from hypothesis import given, settings
from msgspec.structs import replace
from tests.assemblies import assemblies

from swgrm.capture import CallFailure, encode, name_order
from swgrm.capture.anonymize import KEPT, ROLES, anonymized
from swgrm.capture.record import Record
from swgrm.solidworks.fasteners import find_name_hint, is_named_like_fastener
from swgrm_mocks.builder import Assembly
from swgrm_mocks.samples import SAMPLES, sample


def texts(value: Any) -> set[str]:
    """Every text of a record that a user chose."""
    if isinstance(value, tuple):
        return set().union(*(texts(item) for item in value)) if value else set()
    if not isinstance(value, Record):
        return set()
    found = set()
    for field in value.__struct_fields__:
        content = getattr(value, field)
        if field in ROLES.get(type(value), {}):
            found |= {text for text in (content if isinstance(content, tuple) else (content,)) if isinstance(text, str)}
        else:
            found |= texts(content)
    return {piece for text in found for piece in (text, *text.replace("\\", "/").split("/")) if piece}


@pytest.mark.parametrize("name", SAMPLES)
def test_the_file_contains_no_names(name: str) -> None:
    capture = sample(name)
    data = encode(anonymized(capture))
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        content = b"".join([data, *(archive.read(entry) for entry in archive.namelist())])
    for text in texts(capture):
        if len(text) > 3 and text not in ("mate", "name"):
            for encoding in ("utf-8", "utf-16-le", "utf-16-be"):
                assert text.encode(encoding) not in content, text


@pytest.mark.parametrize("name", SAMPLES)
def test_everything_but_names_and_meshes_is_kept(name: str) -> None:
    before, after = sample(name), anonymized(sample(name))
    assert skeleton(after) == skeleton(before)
    assert all(not shape.triangles for shape in after.shapes)
    for old, new in zip(before.components, after.components, strict=True):
        assert new.named_like_fastener == is_named_like_fastener(old.leaf)
        assert new.name_hint == find_name_hint(old.leaf)
    again = anonymized(after)
    assert [c.named_like_fastener for c in again.components] == [c.named_like_fastener for c in after.components]
    assert [c.name_hint for c in again.components] == [c.name_hint for c in after.components]


def skeleton(value: Any) -> Any:
    """A record without its texts and meshes."""
    if isinstance(value, tuple):
        return tuple(skeleton(item) for item in value)
    if not isinstance(value, Record):
        return value
    dropped = {*ROLES.get(type(value), {}), "triangles", "faces", "anonymized", "named_like_fastener", "name_hint"}
    return {field: skeleton(getattr(value, field)) for field in value.__struct_fields__ if field not in dropped}


@given(assemblies())
@settings(max_examples=30)
def test_the_sort_order_and_all_references_are_kept(assembly: Assembly) -> None:
    before = assembly.capture()
    after = anonymized(before)
    assert [c.name for c in after.components] == sorted((c.name for c in after.components), key=name_order)
    renamed = dict(zip((c.name for c in before.components), (c.name for c in after.components), strict=True))
    assert len(set(renamed.values())) == len(renamed)
    for old, new in zip(before.shapes, after.shapes, strict=True):
        assert new.through == renamed.get(old.through, "")
    for old_document, new_document in zip(before.documents, after.documents, strict=True):
        names = dict(zip((m.name for m in old_document.mates), (m.name for m in new_document.mates), strict=True))
        ordered = sorted(names)
        assert [names[name] for name in ordered] == sorted(names.values())


def test_names_in_the_problem_of_a_failed_call_are_replaced() -> None:
    failure = CallFailure("IMate2.Alignment", "", "0x80004005: Wrist_2-1 is gone")
    (kept,) = anonymized(replace(sample("arm"), failures=(failure,))).failures
    assert kept.problem == "0x80004005: <name>-1 is gone"


def test_every_text_of_every_record_has_a_role() -> None:
    """A new text field without a role would leak into anonymized files."""
    for record in records(Record):
        for field, hint in get_type_hints(record).items():
            if ("str" in str(hint) or "bytes" in str(hint)) and not field.startswith("__"):
                assert field in ROLES.get(record, {}) or (record, field) in KEPT, f"{record.__name__}.{field}"


def records(root: type[Record]) -> set[type[Record]]:
    below = set(root.__subclasses__())
    return below.union(*(records(kind) for kind in below)) if below else below
