"""The fixture of transports to the mock, and the summary of the contract tests."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.contract.transports import MAKERS, NAMES, InMemory

COUNTED: dict[str, str] = {}  # by transport: the number of members and of calls


@pytest.fixture(scope="session", params=NAMES)
def transport(request: pytest.FixtureRequest) -> Iterator[InMemory]:
    """A transport to a mock SolidWorks."""
    made = MAKERS[request.param]()
    yield made
    made.close()


@pytest.fixture(scope="session")
def counted() -> dict[str, str]:
    """The summary of each transport."""
    return COUNTED


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Prints the number of passed tests for each transport."""
    here = Path(__file__).parent.name
    passed = [report.nodeid for report in terminalreporter.stats.get("passed", []) if here in report.nodeid]
    for name in COUNTED:
        tests = sum(f"[{name}" in nodeid for nodeid in passed)
        terminalreporter.write_line(f"contract, {name}: {tests} tests passed; {COUNTED[name]}")
