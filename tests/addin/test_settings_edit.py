"""Edits of a settings file's text keep every other byte."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from swgrm_addin.settings_edit import EditRefused, add_lines, remove_value, set_value
from swgrm_exporters.yamltext import YamlProblem, dump, parse

MINE = """\
# my arm, do not touch
export:   {folder: out}   # here

joints:
    # the elbow hits the cable
    elbow:
        lower: -90 deg     # measured 2024-03
        upper: 1.57
        #effort: 5 Nm
    "wrist joint": {flip: true,   upper: 90 deg}  # ok
    nothing:   # all comments
        #lower: 3
mates:
  ignore:
    - Coincident1   # pose only
    - 'Angle 2'
# end
"""


@pytest.mark.parametrize(
    ("path", "value", "old", "new"),
    [
        ("joints elbow lower", "-80 deg", "lower: -90 deg     #", "lower: -80 deg     #"),
        ("joints elbow effort", "5 Nm", "1.57\n", "1.57\n        effort: 5 Nm\n"),
        ("joints nothing zero", "3 deg", "# all comments\n", "# all comments\n        zero: 3 deg\n"),
        ("joints new type", "fixed", "        #lower: 3\n", "        #lower: 3\n    new:\n      type: fixed\n"),
        ("mates ignore", ["Lock3"], "\n    - Coincident1   # pose only\n    - 'Angle 2'", " [Lock3]"),
        ("export folder", "a: b", "{folder: out}", "{folder: 'a: b'}"),
        ("fasteners bolt-1", True, "# end\n", "# end\nfasteners:\n  bolt-1: true\n"),
    ],
)  # fmt: skip
def test_one_value_changes_and_nothing_else(path: str, value: object, old: str, new: str) -> None:
    assert MINE.count(old) == 1
    assert set_value(MINE, path.split(), value) == MINE.replace(old, new)


@pytest.mark.parametrize(
    ("path", "old", "new"),
    [
        (("joints", "elbow", "lower"), "        lower: -90 deg     # measured 2024-03\n", ""),
        (("joints", "wrist joint", "flip"), "flip: true,   ", ""),
        (("joints", "wrist joint", "upper"), ",   upper: 90 deg", ""),
        (("export", "folder"), "folder: out", ""),
        (("mates",), "mates:\n  ignore:\n    - Coincident1   # pose only\n    - 'Angle 2'\n", ""),
        (("joints", "nobody", "lower"), "", ""),
    ],
)
def test_one_key_is_removed_and_nothing_else(path: tuple[str, ...], old: str, new: str) -> None:
    assert remove_value(MINE, path) == MINE.replace(old, new)


def test_line_ends_and_a_missing_last_one_are_kept() -> None:
    assert set_value("a:\r\n  b: 1\r\n", ("a", "c"), 2) == "a:\r\n  b: 1\r\n  c: 2\r\n"
    assert set_value("a:\n  b: 1", ("a", "b"), 2) == "a:\n  b: 2"
    assert set_value("", ("base", "root"), "frame-1") == "base:\n  root: frame-1\n"
    assert set_value("# only this", ("base", "root"), "x") == "# only this\nbase:\n  root: x\n"


def test_lines_are_added_at_the_end_of_a_section_with_its_indentation() -> None:
    text = add_lines(MINE, "joints", ["  knee:", "    #lower: 1", "    between: [a, b]"])
    added = "    knee:\n      #lower: 1\n      between: [a, b]\n"
    assert text == MINE.replace("        #lower: 3\n", "        #lower: 3\n" + added)
    assert add_lines("a: 1\n", "joints", ["  knee:"]) == "a: 1\njoints:\n  knee:\n"
    assert add_lines("joints:\n", "joints", ["  knee:"]) == "joints:\n  knee:\n"
    with pytest.raises(EditRefused, match="line 1: the section `joints` is written in braces"):
        add_lines("joints: {a: {}}\n", "joints", ["  knee:"])


def test_what_cannot_be_edited_is_refused() -> None:
    with pytest.raises(EditRefused, match="Edit the file by hand"):
        set_value("a: &x {b: 1}\nc: *x\n", ("c", "b"), 2)
    with pytest.raises(EditRefused, match="`a` is one value"):
        set_value("a: 1\n", ("a", "b"), 2)
    with pytest.raises(YamlProblem, match="tab"):
        set_value("a:\n\tb: 1\n", ("a", "b"), 2)


texts = st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cs", "Zl", "Zp"]), max_size=8)
scalars = st.one_of(st.integers(), st.booleans(), texts, st.floats(allow_nan=False, allow_infinity=False))
names = st.text("abc_-1: #ä'\"", min_size=1, max_size=6)
trees: st.SearchStrategy[Any] = st.recursive(
    scalars,
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(names, inner, max_size=4)),
    max_leaves=12,
)
sections = st.dictionaries(names, st.dictionaries(names, trees, max_size=4), max_size=4)


@given(sections, names, names, scalars)
def test_setting_and_removing_any_value_is_what_the_data_says(
    data: dict[str, dict[str, object]], section: str, key: str, value: object
) -> None:
    text = dump(data) if data else ""
    new = set_value(text, (section, key), value)
    assert parse(new) == {**data, section: {**data.get(section, {}), key: value}}
    gone = remove_value(new, (section, key))
    assert key not in ((parse(gone) or {}).get(section) or {})
    if section in data and key not in data[section] and data[section]:
        assert gone == text
