"""Values that SolidWorks returns for arrays and numbers: those that can be used are used, others are named."""

from __future__ import annotations

import array
import math
from decimal import Decimal
from typing import Any

import pytest

from swgrm.solidworks.api_slice import Type
from swgrm_addin.port import BadValueError, _packed, _scalar

FLOATS = Type("VARIANT", "float[3*]")
USABLE = [
    (1.5, 1.0, 2.0),
    (1.5, 1, True),
    (Decimal("1.5"), 1.0, 2.0),
    [1.5, 1.0, 2.0],
    array.array("f", [1.5, 1.0, 2.0]),
    array.array("f", [1.5, 1.0, 2.0]).tobytes(),
    memoryview(array.array("f", [1.5, 1.0, 2.0]).tobytes()),
]
NOT_USABLE = {
    (1e39, 0.0, 0.0): "3 values, which are not usable",
    (math.nan, 0.0, 0.0): "3 values, which are not usable",
    (math.inf, -math.inf, 0.0): "3 values, which are not usable",
    (1.0, 2.0): "2 values, which are not usable",
    (1.0, "2", 3.0): "an array of float was expected",
    (1.0, None, 3.0): "an array of float was expected",
    "text": "an array of float was expected",
}


@pytest.mark.parametrize("value", USABLE, ids=str)
def test_numbers_in_any_form_are_packed(value: Any) -> None:
    found = array.array("f", _packed(value, FLOATS))
    assert (found[0], len(found)) == (1.5, 3)


@pytest.mark.parametrize("value", NOT_USABLE, ids=str)
def test_values_that_are_no_numbers_are_refused(value: Any) -> None:
    with pytest.raises(BadValueError, match=NOT_USABLE[value]):
        _packed(value, FLOATS)


@pytest.mark.parametrize("value", [math.nan, math.inf, 10**400])
def test_a_number_that_is_not_finite_is_refused(value: float) -> None:
    with pytest.raises(BadValueError, match="was returned where a number was expected"):
        _scalar(value, "double")
