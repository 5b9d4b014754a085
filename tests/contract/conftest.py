"""One fixture: the way to the mock, each way in turn."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.contract.transports import MAKERS, NAMES, InMemory


@pytest.fixture(scope="session", params=NAMES)
def way(request: pytest.FixtureRequest) -> Iterator[InMemory]:
    """A way to reach a mock SolidWorks."""
    made = MAKERS[request.param]()
    yield made
    made.close()
