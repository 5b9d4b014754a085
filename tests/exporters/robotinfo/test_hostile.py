"""Any content of a file gives a robot or an error with a whole sentence, and quickly."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.judges.robotinfo_mutations import mutants

from swgrm.errors import FileError, SwgrmError
from swgrm.findings import Findings
from swgrm_exporters.formats import read, write
from swgrm_exporters.robotinfo.lint import lint
from swgrm_exporters.robotinfo.schema import STRUCTURES, fields_in_files
from swgrm_exporters.yamltext import YamlProblem, dump, dump_inline, parse

scalars = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5)
KEYS = sorted({key for name in STRUCTURES for key in fields_in_files(name)})
values = st.recursive(
    scalars,
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(KEYS) | st.text(max_size=3), inner, max_size=4)
    ),
    max_leaves=20,
)


def read_text(text: str) -> None:
    """Read it, and write again what could be read."""
    with TemporaryDirectory() as folder:
        (Path(folder) / "r.yml").write_text(text, encoding="utf-8")
        with suppress(SwgrmError):
            write(read(Path(folder) / "r.yml"), Path(folder) / "again.yml")


@given(st.dictionaries(st.sampled_from(["chains", "joint_info", "device_info", "extended"]), values))
def test_any_values_give_a_robot_or_a_sentence(document: dict[str, Any]) -> None:
    lint(document, Findings())
    read_text(dump(document))


def test_broken_copies_of_the_example_give_a_robot_or_a_sentence() -> None:
    for document in mutants(200, seed=7):
        lint(document, Findings())
        read_text(dump(document))


@given(st.text(max_size=60) | st.binary(max_size=60).map(lambda data: data.decode("latin-1")))
def test_any_text_is_yaml_or_a_problem(text: str) -> None:
    with suppress(YamlProblem):
        parse(text)


@given(values)
def test_what_is_dumped_is_parsed_again(value: Any) -> None:
    assert repr(parse(dump(value))) == repr(value)
    assert repr(parse(dump_inline(value))) == repr(value)


LAUGHS = "a0: &a0 [1,1,1,1,1,1,1,1,1,1]\n" + "".join(
    f"a{n}: &a{n} [{','.join([f'*a{n - 1}'] * 10)}]\n" for n in range(1, 12)
)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("[" * 500_000, "line 1, column 100: it nests deeper than 100 levels"),
        ("{a: " * 500_000, "it nests deeper than 100 levels"),
        (LAUGHS, "it contains more than 5,000,000 values"),
        ("chains: *x", "the alias `\\*x` names nothing before it"),
        ("chains: &x [*x]", "the alias `\\*x` names nothing before it"),
        (
            "chains: !!python/object/apply:os.system [x]",
            "could not determine a constructor|not a RobotInfo file|expected",
        ),
        ("chains: 1\n---\nchains: 2", "the file contains 2 documents"),
        ("chains: 2020-13-45", "line 1, column 9: `2020-13-45` cannot be read"),
        ("chains: \x00", "this is not YAML"),
        ("? [1]\n: 2", "a key is a collection"),
        ("chains: " + "9" * 5000, "cannot be read"),
    ],
)
def test_hostile_yaml_gets_a_sentence(text: str, sentence: str, tmp_path: Path) -> None:
    (tmp_path / "r.yml").write_text(text)
    with pytest.raises(FileError, match=sentence):
        read(tmp_path / "r.yml")


def test_a_file_that_is_not_utf8_gets_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "r.yml").write_bytes(b"chains: \xff\xfe")
    with pytest.raises(FileError, match="it is not UTF-8 text"):
        read(tmp_path / "r.yml")


def test_aliases_as_other_programs_write_them_are_read() -> None:
    assert parse("a: &x {b: [1]}\nc: *x\nd: &y 2\ne: *y") == {"a": {"b": [1]}, "c": {"b": [1]}, "d": 2, "e": 2}
