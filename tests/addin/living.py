"""The objects of SolidWorks that are referred to, for tests that they are released."""

from __future__ import annotations

import gc

from swgrm_addin.port import Proxy
from swgrm_mocks.solidworks import MemoryTransport


class Collecting(MemoryTransport):
    """A transport that releases objects as the one over COM does."""

    def release(self) -> None:
        gc.collect()


def living_objects() -> list[str]:
    """The interfaces of all proxies for objects of SolidWorks, except for the application and its progress bar."""
    found = [type(item).__name__ for item in gc.get_objects() if isinstance(item, Proxy)]
    return sorted(name for name in found if name not in ("ISldWorks", "IUserProgressBar"))
