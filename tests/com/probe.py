"""An add-in for the tests: a comtypes class that a foreign process creates, and that reads in that process."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import comtypes
from comtypes.automation import IDispatch

from swgrm.capture.file import save
from swgrm_addin.com.automation import Automation
from swgrm_addin.com.published import ISwAddin, dispatch
from swgrm_addin.com.reach import in_process
from swgrm_addin.reader import read


class Probe(Automation, comtypes.COMObject):  # type: ignore[misc] # comtypes publishes no types
    """What the native host loads."""

    _com_interfaces_ = (ISwAddin, IDispatch)
    _reg_clsid_ = comtypes.GUID("{1C9B2E0A-54D3-4D0E-8C5B-0B7C0B0F5A31}")
    _reg_progid_ = "swgrm.Probe"
    _reg_desc_ = "swgrm's probe"
    _reg_clsctx_ = comtypes.CLSCTX_INPROC_SERVER
    _reg_threading_ = "Apartment"
    automated = ("Place", "Capture", "Modules", "Echo", "Fail")

    def ConnectToSW(self, application: Any, cookie: int) -> bool:
        self.application, self.cookie = in_process(dispatch(application)), cookie
        return True

    def DisconnectFromSW(self) -> bool:
        del self.application
        return True

    def Place(self) -> str:
        return f"{sys.executable}|{sys.prefix}|{self.cookie}"

    def Capture(self, path: str) -> int:
        save(read(self.application).value, Path(path))
        return int(self.application.port.calls.total())

    def Modules(self) -> str:
        return " ".join(sorted({name.partition(".")[0] for name in sys.modules}))

    def Echo(self, *words: str) -> str:
        return "|".join(words)

    def Fail(self) -> None:
        raise ValueError("raised by the test")
