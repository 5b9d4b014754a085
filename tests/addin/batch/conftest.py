from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.batches import World


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    """A place to run the batch in; whatever happened, no process may be left behind."""
    world = World(tmp_path)
    yield world
    left = world.left_behind()
    for process in world.processes():
        process.kill()
    assert left == []
    assert world.notes() == []
