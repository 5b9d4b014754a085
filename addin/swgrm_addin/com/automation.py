"""IDispatch for a comtypes object without a type library: its public methods, called by name."""

from __future__ import annotations

from typing import Any, ClassVar

S_OK, E_NOTIMPL = 0, -0x7FFFBFFF
UNKNOWN_NAME, MEMBER_NOT_FOUND, EXCEPTION = -0x7FFDFFFA, -0x7FFDFFFD, -0x7FFDFFF7
SERVER_FAILED = -0x7FFFBFFB  # E_FAIL


class Automation:
    """A mixin: scripts, macros and SolidWorks can call the methods in `automated`; arguments are values."""

    automated: ClassVar[tuple[str, ...]] = ()

    def IDispatch_GetTypeInfoCount(self, _this: Any, count: Any) -> int:
        """Report that there is no type information."""
        count[0] = 0
        return S_OK

    def IDispatch_GetTypeInfo(self, _this: Any, _index: int, _locale: int, _info: Any) -> int:
        """Report that there is no type information."""
        return E_NOTIMPL

    def IDispatch_GetIDsOfNames(self, _this: Any, _iid: Any, names: Any, count: int, _locale: int, dispids: Any) -> int:
        """The dispid of a method, whose name is not case-sensitive; arguments have no names."""
        known = [name.lower() for name in self.automated]
        if count != 1 or names[0].lower() not in known:
            return UNKNOWN_NAME
        dispids[0] = 1 + known.index(names[0].lower())
        return S_OK

    def IDispatch_Invoke(
        self, _this: Any, dispid: int, _iid: Any, _locale: int, _flags: int,
        parameters: Any, result: Any, exception: Any, _wrong: Any,
    ) -> int:  # fmt: skip
        """Call a method; an exception becomes the caller's error and never reaches the host."""
        if not 1 <= dispid <= len(self.automated):
            return MEMBER_NOT_FOUND
        given = parameters[0]
        arguments = [given.rgvarg[given.cArgs - 1 - n].value for n in range(given.cArgs)]  # in reverse order
        try:
            answer = getattr(self, self.automated[dispid - 1])(*arguments)
        except Exception as error:  # noqa: BLE001 - an add-in never throws into its host
            if exception:
                exception[0].scode, exception[0].bstrDescription = SERVER_FAILED, str(error) or type(error).__name__
            return EXCEPTION
        if result:
            result[0].value = answer
        return S_OK
