"""The transport to the mock, each transport in turn; and how much was held to the contract, said at the end."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.contract.transports import MAKERS, NAMES, InMemory

COUNTED: dict[str, str] = {}  # by transport: how many members were called, and how often


@pytest.fixture(scope="session", params=NAMES)
def transport(request: pytest.FixtureRequest) -> Iterator[InMemory]:
    """A transport to reach a mock SolidWorks."""
    made = MAKERS[request.param]()
    yield made
    made.close()


@pytest.fixture(scope="session")
def counted() -> dict[str, str]:
    """What is said at the end about each transport."""
    return COUNTED


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say how many tests each transport passed."""
    here = Path(__file__).parent.name
    passed = [report.nodeid for report in terminalreporter.stats.get("passed", []) if here in report.nodeid]
    for name in COUNTED:
        tests = sum(f"[{name}" in nodeid for nodeid in passed)
        terminalreporter.write_line(f"contract, {name}: {tests} tests passed; {COUNTED[name]}")
