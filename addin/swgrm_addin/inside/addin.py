"""The add-in's COM class: ISwAddin for SolidWorks, and IDispatch for its callbacks and for other programs."""

from __future__ import annotations

import gc
import logging
from collections.abc import Callable, Mapping
from typing import Any

from comtypes import GUID, COMObject
from comtypes.automation import IDispatch
from win32com.server.util import wrap

from swgrm.errors import SolidWorksError
from swgrm_addin.com.automation import Automation
from swgrm_addin.com.published import ISwAddin, dispatch
from swgrm_addin.com.reach import in_process
from swgrm_addin.inside.addin_folders import close_log, open_log, private_python, user_folders
from swgrm_addin.inside.identity import CLSID, PROGID
from swgrm_addin.inside.programs import AUTOMATION
from swgrm_addin.inside.session import Session
from swgrm_addin.inside.windows import WindowsUserInterface

logger = logging.getLogger("swgrm.addin")


class Callbacks:
    """The callbacks of the buttons, which SolidWorks calls by name; pywin32 wraps it as an IDispatch."""

    def __init__(self, table: Mapping[str, Callable[..., object]]) -> None:
        self._public_methods_ = tuple(table)
        vars(self).update(table)


class SwgrmAddin(Automation, COMObject):  # type: ignore[misc] # comtypes publishes no types
    """The object that SolidWorks creates, and that GetAddInObject returns."""

    _reg_clsid_ = GUID(CLSID)
    _reg_progid_ = PROGID
    _com_interfaces_ = (ISwAddin, IDispatch)
    automated = tuple(AUTOMATION)

    def __init__(self) -> None:
        super().__init__()
        self.session: Session | None = None
        self.cookie = 0

    def ConnectToSW(self, ThisSW: Any, Cookie: int) -> bool:
        """Connect to SolidWorks and return whether that succeeded; on False, SolidWorks unloads the add-in."""
        try:
            folders = user_folders()
            open_log(folders)
            self.cookie = Cookie
            self.session = Session(in_process(dispatch(ThisSW)), WindowsUserInterface(), folders, private_python())
            self.session.connect(Cookie, wrap(Callbacks(self.session.callbacks())))
        except BaseException:
            logger.exception("connecting failed")
            return False
        return True

    def DisconnectFromSW(self) -> bool:
        """Disconnect from SolidWorks and return whether that succeeded."""
        session, self.session = self.session, None
        try:
            if session is not None:
                session.disconnect(self.cookie)
        except BaseException:
            logger.exception("disconnecting failed")
            return False
        finally:
            del session
            gc.collect()  # release SolidWorks' objects now, not some time later
            close_log()
        return True

    def __getattr__(self, name: str) -> Any:
        """The methods for other programs."""
        if name not in AUTOMATION:
            raise AttributeError(name)
        if self.session is None:
            raise SolidWorksError("swgrm is not connected to SolidWorks. Enable it under Tools > Add-Ins.")
        return getattr(self.session.programs, AUTOMATION[name])
