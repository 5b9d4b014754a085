"""YAML that is written without the library is what the library writes, byte by byte."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

from hypothesis import example, given
from hypothesis import strategies as st

from swgrm_exporters import yamltext, yamlwriting

PLAIN = st.from_regex(yamlwriting._PLAIN, fullmatch=True)
NUMBERS = st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.sampled_from([1e16, 1e-7, -0.0])


def values(texts: st.SearchStrategy[str]) -> st.SearchStrategy[Any]:
    leaves = texts | NUMBERS | st.booleans() | st.none()
    return st.recursive(leaves, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3))


@given(st.dictionaries(PLAIN, values(PLAIN), max_size=3))
def test_plain_values(value: Any) -> None:
    assert yamlwriting.dump(value) == yamltext.dump(value)


@given(values(st.text(max_size=4) | st.sampled_from(["no", "Null", "1", "a: b", "=", "~", "a ", "x" * 130])))
@example(float("inf"))
@example({"a": [float("nan")]})
@example({"x" * 100: [[{"a": []}], {}]})
def test_texts_that_need_quotes(value: Any) -> None:
    assert yamlwriting.dump(value) == yamltext.dump(value)


def test_plain_values_need_no_library() -> None:
    code = (
        "import sys; from swgrm_exporters.yamlwriting import dump; "
        "dump({'uuid': '39b513e7-21b9-4b49-8654-7537473030eb', 'joints': [{'name': 'joint 1', 'at': [0.5, -1e-7]}]}); "
        "sys.exit('yaml' in sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
