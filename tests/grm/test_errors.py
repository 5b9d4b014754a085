"""Errors can be sent to another process."""

from __future__ import annotations

import pickle

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
def test_an_error_survives_pickling(error: SwgrmError) -> None:
    again = pickle.loads(pickle.dumps(error))  # noqa: S301 - pickled one line above
    assert type(again) is type(error)
    assert (str(again), vars(again), again.exit_code) == (str(error), vars(error), error.exit_code)
