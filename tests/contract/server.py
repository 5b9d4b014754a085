"""The server process of the contract's tests: makes a mock of the captures in a file, for whoever asks."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import msgspec
from tests.contract.transports import Manners
from win32com.server.util import wrap

from swgrm.capture import Capture
from swgrm_mocks.testing.com_objects import wrapped
from swgrm_mocks.testing.com_server import serve


class Control:
    """What a client creates by the ProgID."""

    _public_methods_ = ("Make",)

    def Make(self, file: str) -> Any:
        """The application object of a new mock."""
        captures, manners = msgspec.msgpack.decode(Path(file).read_bytes(), type=tuple[tuple[Capture, ...], Manners])
        return wrapped(manners.world(*captures).application)


if __name__ == "__main__":
    control = wrap(Control())
    serve(sys.argv[1], lambda: control)
