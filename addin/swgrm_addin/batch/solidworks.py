"""SolidWorks as a seat."""

from __future__ import annotations

import sys

from swgrm.errors import SolidWorksError
from swgrm_addin.batch.seats import Seat


def start() -> Seat:
    """A SolidWorks of our own."""
    raise _absent()


def attach() -> Seat:
    """The SolidWorks that the user has open."""
    raise _absent()


def _absent() -> SolidWorksError:
    return SolidWorksError(
        f"No SolidWorks is on this machine ({sys.platform}). Run the batch where it is, or capture the documents there."
    )
