"""Errors can be sent to another process."""

from __future__ import annotations

import copy

import pytest

from swgrm.errors import Cancelled, FileError, LostError, MissingExtra, ModelError, SwgrmError

EXAMPLES = [
    FileError("a.urdf", "it is empty", place="line 1", remedy="Fill it"),
    MissingExtra("DAE", "pycollada", "meshes"),
    ModelError("It has two roots."),
    LostError("It is gone."),
    Cancelled("stopped"),
]


@pytest.mark.parametrize("error", EXAMPLES, ids=lambda error: type(error).__name__)
def test_an_error_is_the_same_when_it_is_packed_for_another_process(error: SwgrmError) -> None:
    again = copy.copy(error)  # by the same way as pickle
    assert type(again) is type(error)
    assert (str(again), vars(again), again.exit_code) == (str(error), vars(error), error.exit_code)
