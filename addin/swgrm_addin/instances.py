"""Captures made by a SolidWorks instance that is already running, given by its address."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from pathlib import Path
from typing import NamedTuple

from swgrm.errors import SwgrmError
from swgrm.findings import Finding


class Captured(NamedTuple):
    """The files that an instance read for a capture, its findings, and a sentence about the way and the time."""

    references: tuple[str, ...] = ()
    findings: tuple[Finding, ...] = ()
    reading: str = ""


CaptureFunction = Callable[[str, Path, str, Path], Captured]

MODULES: Mapping[str, str] = {  # the scheme of an instance's address, and the module with its `capture` function
    "mock": "swgrm_mocks.testing.instances",
    "process": "swgrm_addin.batch.solidworks",
    "running": "swgrm_addin.batch.solidworks",
}


def capture(address: str, document: Path, configuration: str, out: Path) -> Captured:
    """Have the instance at `scheme:rest` capture a document into a file."""
    scheme, _, rest = address.partition(":")
    if scheme not in MODULES:
        raise SwgrmError(f"Unknown kind of SolidWorks instance `{scheme}`; known: {', '.join(MODULES)}.")
    function: CaptureFunction = import_module(MODULES[scheme]).capture
    return function(rest, document, configuration, out)
