"""The server process of the contract tests: creates mocks of the captures in a file."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import msgspec
from tests.contract.transports import MockBehaviour
from win32com.server.util import wrap

from swgrm.capture import Capture
from swgrm_mocks.testing.com_objects import wrapped
from swgrm_mocks.testing.com_server import serve


class Control:
    """The object that a client creates by the ProgID."""

    _public_methods_ = ("Make",)

    def Make(self, file: str) -> Any:
        """The application object of a new mock."""
        captures, behaviour = msgspec.msgpack.decode(
            Path(file).read_bytes(), type=tuple[tuple[Capture, ...], MockBehaviour]
        )
        return wrapped(behaviour.session(*captures).application)


if __name__ == "__main__":
    control = wrap(Control())
    serve(sys.argv[1], lambda: control)
