"""What stands for SLDWORKS.EXE with a capture open, and fails the calls that it is told to.

python faulty_server.py PROGID CAPTURE FAULTS      a JSON array of faults
"""

from __future__ import annotations

import sys

import msgspec

from swgrm.capture import load
from swgrm_addin.com.local_server import serve
from swgrm_addin.com.serve import wrapped
from swgrm_mocks.solidworks import Fault, MockSolidWorks

if __name__ == "__main__":
    _, progid, capture, faults = sys.argv
    world = MockSolidWorks(load(capture))
    world.connection.faults = msgspec.json.decode(faults, type=list[Fault])
    serve(progid, lambda: wrapped(world.application))
