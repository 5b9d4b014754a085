"""Errors can be sent to another process."""

from __future__ import annotations

import pickle
from collections.abc import Iterator

import pytest

from swgrm.errors import (
    CallError,
    Cancelled,
    EditedFilesError,
    FileError,
    LostError,
    MissingExtra,
    ModelError,
    SettingsError,
    SwgrmError,
)
from swgrm.model.deepjson import JsonProblem
from swgrm.storage.files import ChangedMeanwhile
from swgrm_addin.reader.ways import NothingReturned
from swgrm_addin.review.session import OrphanedSettings
from swgrm_addin.selftest.mating import MateRefusedError
from swgrm_exporters.yamltext import YamlProblem

EXAMPLES = [
    FileError("a.urdf", "it is empty", place="line 1", remedy="Fill it"),
    EditedFilesError("out", ("a.urdf",)),
    MissingExtra("DAE", "pycollada", "meshes"),
    ModelError("It has two roots."),
    SettingsError("joints, a: it is not there.", ("joints", "a")),
    CallError("It failed.", "IFeature.Name", "no text was returned"),
    LostError("It is gone."),
    Cancelled("stopped"),
    ChangedMeanwhile("a.grm.yaml"),
    JsonProblem("line 1", "unexpected end."),
    YamlProblem("line 1", "unexpected end."),
    OrphanedSettings((("joints", "elbow"),)),
    NothingReturned("IFeature.Name"),
    MateRefusedError("screw", 1),
]


@pytest.mark.parametrize("error", EXAMPLES, ids=lambda error: type(error).__name__)
def test_an_error_survives_pickling(error: SwgrmError) -> None:
    again = pickle.loads(pickle.dumps(error))  # noqa: S301 - pickled one line above
    assert type(again) is type(error)
    assert (str(again), vars(again), again.exit_code) == (str(error), vars(error), error.exit_code)


def test_every_error_with_a_constructor_of_its_own_is_an_example() -> None:
    own = {kind for kind in descendants(SwgrmError) if "__init__" in vars(kind)}
    assert own <= {type(error) for error in EXAMPLES}


def descendants(kind: type[SwgrmError]) -> Iterator[type[SwgrmError]]:
    for child in kind.__subclasses__():
        yield child
        yield from descendants(child)
