"""The add-in as COM sees it: ISwAddin for SolidWorks, and IDispatch for its callbacks and for other programs."""

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
from swgrm_addin.inside.identity import CLSID, PROGID
from swgrm_addin.inside.places import close_log, open_log, own_places, private_python
from swgrm_addin.inside.session import AUTOMATION, Session
from swgrm_addin.inside.windows import WindowsDesk

logger = logging.getLogger("swgrm.addin")


class Callbacks:
    """What SolidWorks calls when a button is pressed, by name; pywin32 makes an IDispatch of it."""

    def __init__(self, table: Mapping[str, Callable[..., object]]) -> None:
        self._public_methods_ = tuple(table)
        vars(self).update(table)


class SwgrmAddin(Automation, COMObject):  # type: ignore[misc] # comtypes publishes no types
    """What SolidWorks creates, and what GetAddInObject hands out."""

    _reg_clsid_ = GUID(CLSID)
    _reg_progid_ = PROGID
    _com_interfaces_ = (ISwAddin, IDispatch)
    automated = tuple(AUTOMATION)

    def __init__(self) -> None:
        super().__init__()
        self.session: Session | None = None
        self.cookie = 0

    def ConnectToSW(self, ThisSW: Any, Cookie: int) -> bool:
        """Whether we are connected; False makes SolidWorks let go of us."""
        try:
            places = own_places()
            open_log(places)
            self.cookie = Cookie
            self.session = Session(in_process(dispatch(ThisSW)), WindowsDesk(), places, private_python())
            self.session.connect(Cookie, wrap(Callbacks(self.session.callbacks())))
        except BaseException:
            logger.exception("connecting failed")
            return False
        return True

    def DisconnectFromSW(self) -> bool:
        """Whether nothing of us is left in SolidWorks."""
        session, self.session = self.session, None
        try:
            if session is not None:
                session.disconnect(self.cookie)
        except BaseException:
            logger.exception("disconnecting failed")
            return False
        finally:
            del session
            gc.collect()  # SolidWorks' objects are let go of now, not some time later
            close_log()
        return True

    def __getattr__(self, name: str) -> Any:
        """What other programs call is the session's, while there is one."""
        if name not in AUTOMATION:
            raise AttributeError(name)
        if self.session is None:
            raise SolidWorksError("swgrm is not connected to SolidWorks. Switch it on under Tools > Add-Ins.")
        return getattr(self.session, AUTOMATION[name])
