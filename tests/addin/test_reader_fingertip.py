"""A real assembly's mate graph, served by the mock: reading it back keeps every number."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.fingertip import as_capture, graph

from swgrm.capture import decode, encode
from swgrm_addin.port import Port
from swgrm_addin.reader import read
from swgrm_mocks.solidworks import MemoryTransport, MockSolidWorks

pytestmark = pytest.mark.fixtures


def numbers(value: Any) -> Iterator[float]:
    if isinstance(value, float):
        yield value
    elif isinstance(value, list):
        for item in value:
            yield from numbers(item)


def test_reading_keeps_every_number(fixtures: Path) -> None:
    real = graph(fixtures)
    capture = as_capture(real)
    world = MockSolidWorks(capture, seed=5)
    back = decode(encode(read(Port(MemoryTransport()).wrap(world.application, "ISldWorks")).value))
    assert back == capture
    root = next(document for document in back.documents if document.type == 2)
    assert len(root.mates) == 5  # listed ten times
    kept = {n for c in back.components for n in c.transform or ()}
    kept |= {n for mate in root.mates for entity in mate.entities for n in entity.params}
    real_numbers = [item["world"] for item in real["components"]]
    real_numbers += [mate[key] for e in real["edges"] for mate in e["mates"] for key in ("points", "dirs", "radii")]
    assert set(numbers(real_numbers)) <= kept
