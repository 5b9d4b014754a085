"""A mock SolidWorks: an implementation of the API slice in memory, with the quirks of the real API."""

from swgrm_mocks.solidworks.dispatch import Fault, MemoryTransport, MockConnection, MockPointer
from swgrm_mocks.solidworks.session import MockSolidWorks

__all__ = ["Fault", "MemoryTransport", "MockConnection", "MockPointer", "MockSolidWorks"]
