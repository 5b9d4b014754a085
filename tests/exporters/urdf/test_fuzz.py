"""A short fuzz run; the long one is `make fuzz`."""

from __future__ import annotations

import pytest
from tests.fuzz.urdf import run


@pytest.mark.parametrize("seed", [1, 2])
def test_damaged_files_give_robots_or_errors(seed: int) -> None:
    outcomes = run(150, seed)
    assert set(outcomes) == {"robot", "error"}
