from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.batches import World


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    """An isolated environment for the batch; fails if a process is left behind."""
    world = World(tmp_path)
    yield world
    left = world.left_behind()
    for process in world.processes():
        process.kill()
    assert left == []
    assert world.records() == []
