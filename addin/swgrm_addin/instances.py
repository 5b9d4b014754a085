"""Captures made by a SolidWorks instance that is already running, given by its address."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from swgrm.errors import SwgrmError
from swgrm.findings import Finding

if TYPE_CHECKING:
    from swgrm.capture import Capture


class Captured(NamedTuple):
    """A document that an instance read."""

    capture: Capture
    findings: tuple[Finding, ...] = ()
    references: tuple[str, ...] = ()  # the files that SolidWorks read
    reading: str = ""  # a sentence about the way and the time


CaptureFunction = Callable[[str, Path, str, Path], Captured]

MODULES: Mapping[str, str] = {  # the scheme of an instance's address, and the module with its `capture` function
    "mock": "swgrm_mocks.testing.instances",
    "process": "swgrm_addin.batch.solidworks",
    "running": "swgrm_addin.batch.solidworks",
}


def capture(address: str, document: Path, configuration: str, file: Path) -> Captured:
    """Have the instance at `scheme:rest` capture a document; it may leave the capture in the file."""
    scheme, _, rest = address.partition(":")
    if scheme not in MODULES:
        raise SwgrmError(f"Unknown kind of SolidWorks instance `{scheme}`; known: {', '.join(MODULES)}.")
    function: CaptureFunction = import_module(MODULES[scheme]).capture
    return function(rest, document, configuration, file)
