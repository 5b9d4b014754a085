"""A short fuzz run of the SDF reader; the long one is `make fuzz`."""

from __future__ import annotations

from tests.fuzz.sdf import run


def test_every_damaged_file_gives_a_robot_or_a_sentence() -> None:
    outcomes = run(600)
    assert min(outcomes["robot"], outcomes["error"]) > 20
