"""The table of mate types and entity pairs: every cell has a case, and the documentation shows its result."""

import os
from pathlib import Path

import numpy as np
import pytest
from tests.grm.inference.cases import SPECIAL, Case, cases, matrix, outcome

from swgrm.capture import FEATURE_DATA, UniversalJoint
from swgrm.inference.joints.couplings import COUPLING_SPECS
from swgrm.inference.mates.from_capture import TYPES, definition
from swgrm.inference.mates.table import MATES, WITHOUT_GEOMETRY, relations_of
from swgrm.inference.mates.types import COUPLINGS, MateNotUnderstood, MateType, PlacedMate
from swgrm.solidworks.swconst import swMateType_e

DOCUMENT = Path(__file__).parents[3] / "docs" / "inference.md"
START, END = "<!-- table of mates: made by tests/grm/inference/test_table.py -->", "<!-- end of the table -->"
BUILT = [case for case in cases() if case.mate is not None]


def test_every_mate_type_is_in_the_table() -> None:
    assert {case.type for case in cases()} == set(MateType) == set(MATES)
    numbers = [spec.number for spec in MATES.values() if spec.number is not None]
    assert sorted(numbers) == sorted(set(swMateType_e) - {swMateType_e.swMateMAXMATES})  # a count, not a type
    assert not any(MATES[kind].relations for kind in COUPLINGS)
    assert set(COUPLING_SPECS) == COUPLINGS


def test_every_definition_in_a_capture_is_read() -> None:
    for number, data in FEATURE_DATA.items():
        name = swMateType_e(number).name.removeprefix("swMate")
        assert str(data.__struct_config__.tag).upper() == name
        assert name.startswith(TYPES[number].name.replace("_", ""))
    unread = {UniversalJoint}  # it contains whether a point was selected, but not which one
    assert set(definition.registry) - {object} == set(FEATURE_DATA.values()) - unread


@pytest.mark.parametrize("case", BUILT, ids=lambda case: f"{case.type}: {case.entities}")
def test_the_remaining_degrees_of_freedom_of_a_cell_are_finite_motions(case: Case) -> None:
    assert case.mate is not None
    kinds = tuple(entity.kind for entity in case.mate.entities)
    if case.type not in SPECIAL and not {kinds, kinds[::-1]} & MATES[case.type].relations.keys():
        with pytest.raises(MateNotUnderstood, match="are not supported"):
            outcome(case.mate)
        return
    result = outcome(case.mate)
    assert result.rank == result.rows or case.type is MateType.HINGE  # no row is idle; a hinge is two relations
    assert result.rank + result.freedom == 6
    assert result.is_exact


@pytest.mark.parametrize("mate_type", sorted(WITHOUT_GEOMETRY))
def test_a_mate_without_geometry_is_not_understood(mate_type: MateType) -> None:
    with pytest.raises(MateNotUnderstood, match="no usable geometry"):
        relations_of(PlacedMate("m", mate_type, ()))


def test_the_documentation_shows_the_table() -> None:
    text = DOCUMENT.read_text(encoding="utf-8")
    before, _, rest = text.partition(START)
    _, _, after = rest.partition(END)
    wanted = f"{before}{START}\n{matrix()}\n{END}{after}"
    if os.environ.get("SWGRM_UPDATE_DOCS"):
        DOCUMENT.write_text(wanted, encoding="utf-8")
    assert text == wanted or os.environ.get("SWGRM_UPDATE_DOCS")


def test_a_direction_of_length_zero_and_values_that_are_not_numbers_are_not_understood() -> None:
    good = next(
        case.mate for case in BUILT if case.mate and case.type is MateType.CONCENTRIC and "line" in case.entities
    )
    from msgspec.structs import replace

    first = good.entities[0]
    for entity in (
        replace(first, direction=(0.0, 0.0, 0.0)),
        replace(first, point=(np.nan, 0.0, 0.0)),
        replace(first, direction=(np.inf, 0.0, 0.0)),
    ):
        with pytest.raises(MateNotUnderstood, match=r"length zero|not numbers"):
            relations_of(replace(good, entities=(entity, good.entities[1])))
