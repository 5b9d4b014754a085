"""Runs of the self-test in the mock SolidWorks, for tests."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

from swgrm_addin.port import Port
from swgrm_addin.selftest.assemblies import ASSEMBLIES
from swgrm_addin.selftest.command import run_selftest
from swgrm_addin.selftest.judge.report import Report
from swgrm_addin.selftest.running import SelfTest
from swgrm_mocks.solidworks import MemoryTransport, MockSolidWorks


class World:
    """A mock SolidWorks without documents, its application object, and its state before the test."""

    def __init__(self, conventions: Mapping[str, str] | None = None, quirks: Collection[str] = ()) -> None:
        self.solidworks = MockSolidWorks(conventions=conventions, quirks=quirks)
        port = Port(MemoryTransport(), sleep=bool)
        self.application: Any = port.wrap(self.solidworks.application, "ISldWorks")
        self.before = self.solidworks.state()

    def is_as_before(self) -> bool:
        """Whether no document is open, and every preference is what it was."""
        return self.solidworks.state() == self.before and not self.solidworks.open


def selftest(world: World, folder: Path, only: Collection[str]) -> SelfTest:
    """A self-test of some assemblies, which is not started yet."""
    return SelfTest(world.application, folder, out_of_process=True, mock=True, only=only)


def report_of(folder: Path, only: Collection[str], **conventions: str) -> Report:
    """The report of a self-test of some assemblies in a SolidWorks with these conventions."""
    world = World(conventions)
    report = run_selftest(world.application, folder / "selftest.zip", lambda _what, _done: None, mock=True, only=only)
    assert world.is_as_before()
    return report


def showing(key: str) -> list[str]:
    """The assemblies that show a convention."""
    return [spec.id for spec in ASSEMBLIES if key in spec.conventions]
