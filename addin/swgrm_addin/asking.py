"""Asking a seat for the capture of a document: one call, made in the document's own child process."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from pathlib import Path
from typing import NamedTuple

from swgrm.errors import SwgrmError
from swgrm.findings import Finding


class Captured(NamedTuple):
    """The files that a seat read for a capture, and what it had to say."""

    references: tuple[str, ...] = ()
    findings: tuple[Finding, ...] = ()


Ask = Callable[[str, Path, str, Path], Captured]

SEATS: Mapping[str, str] = {  # the scheme of a seat's address, and the module whose `capture` asks it
    "mock": "swgrm_mocks.testing.instances",
    "process": "swgrm_addin.batch.solidworks",
    "running": "swgrm_addin.batch.solidworks",
}


def capture(address: str, document: Path, configuration: str, out: Path) -> Captured:
    """Have the seat at `scheme:rest` capture a document into a file."""
    scheme, _, rest = address.partition(":")
    if scheme not in SEATS:
        raise SwgrmError(f"There is no seat of the kind `{scheme}`; known: {', '.join(SEATS)}.")
    ask: Ask = import_module(SEATS[scheme]).capture
    return ask(rest, document, configuration, out)
