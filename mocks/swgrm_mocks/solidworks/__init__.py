"""A mock SolidWorks: an implementation of the API slice in memory, with the real one's manners."""

from swgrm_mocks.solidworks.handles import Fault, Handle, Line, MemoryTransport
from swgrm_mocks.solidworks.world import MockSolidWorks

__all__ = ["Fault", "Handle", "Line", "MemoryTransport", "MockSolidWorks"]
