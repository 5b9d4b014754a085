"""A server like SLDWORKS.EXE with a capture open, and with faults injected into its calls.

python -m tests.com.faulty_server PROGID CAPTURE FAULTS      a JSON array of faults
"""

from __future__ import annotations

import sys

import msgspec

from swgrm.capture import load
from swgrm_mocks.solidworks import Fault, MockSolidWorks
from swgrm_mocks.testing.com_objects import wrapped
from swgrm_mocks.testing.com_server import serve

if __name__ == "__main__":
    _, progid, capture, faults = sys.argv
    world = MockSolidWorks(load(capture))
    world.connection.faults = msgspec.json.decode(faults, type=list[Fault])
    serve(progid, lambda: wrapped(world.application))
