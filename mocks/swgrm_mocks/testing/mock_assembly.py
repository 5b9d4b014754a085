"""Mock assemblies: files `NAME.mock.json` that name what a mock SolidWorks opens, and the faults to inject."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Literal

import msgspec

from swgrm.capture import Capture, load
from swgrm.errors import FileError
from swgrm.storage.files import read_bytes
from swgrm_mocks.samples import sample
from swgrm_mocks.solidworks.dispatch import E_FAIL, RETRY_LATER, Fault

SAMPLE = "mock:"


class InjectedFault(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A fault that happens when the document is opened: always, or only the first few times."""

    kind: Literal["hang", "crash", "busy", "licence"]
    times: int = 0  # 0: always
    mark: str = ""  # a file, relative to the mock assembly, whose length counts the occurrences
    calls: int = sys.maxsize  # API calls that fail; only for `busy` and `licence`


class MockAssembly(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename="camel"):
    """The content of a mock assembly file."""

    serves: str  # a sample, as `mock:NAME`, or a capture file beside this one
    fault: InjectedFault | None = None
    seconds: float = 0.0  # [s] that opening takes
    delay: float = 0.0  # [s] per API call
    patience: float = 60.0  # [s] for which calls to a busy SolidWorks are repeated

    def capture_file(self, path: Path) -> Path | None:
        """The capture file that is served, or None for a sample; `path` is the mock assembly's own."""
        return None if self.serves.startswith(SAMPLE) else path.parent / self.serves

    def capture(self, path: Path) -> Capture:
        """The capture that is served; `path` is the mock assembly's own."""
        file = self.capture_file(path)
        return load(file) if file else sample(self.serves.removeprefix(SAMPLE))


def read_mock_assembly(path: Path) -> MockAssembly:
    """Read a mock assembly file."""
    try:
        return msgspec.json.decode(read_bytes(path), type=MockAssembly)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise FileError(path, f"not a mock assembly: {error}") from error


def inject(fault: InjectedFault | None, folder: Path) -> Sequence[Fault]:
    """Hang or crash this process, or return the faults of the API calls to come; `folder` is the mock assembly's."""
    if fault is None or (fault.times and _is_used_up(folder / fault.mark, fault.times)):
        return ()
    match fault.kind:
        case "hang":
            time.sleep(1e6)
        case "crash":
            os._exit(1)
        case "busy":
            return (Fault(1, hresult=RETRY_LATER, times=fault.calls),)
        case "licence":
            return (Fault(1, hresult=E_FAIL, times=fault.calls, description="the licence was lost"),)
    return ()


def _is_used_up(mark: Path, times: int) -> bool:
    """Whether the fault happened `times` times already; if not, counts one more occurrence."""
    with mark.open("ab+") as file:
        if file.tell() >= times:
            return True
        file.write(b".")
    return False
