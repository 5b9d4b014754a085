"""Short fuzz runs of the readers; the long ones are `make fuzz`."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from tests.fuzz import mjcf, sdf, urdf
from tests.fuzz.fuzzing import Fuzzing


@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize("fuzzing", [mjcf.fuzzing, sdf.fuzzing, urdf.fuzzing], ids=["mjcf", "sdf", "urdf"])
def test_damaged_files_give_robots_or_errors(fuzzing: Callable[[], Fuzzing], seed: int) -> None:
    outcomes = fuzzing().run(150, seed)
    assert outcomes["robot"] > 10
    assert outcomes["error"] > 10
