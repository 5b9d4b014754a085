"""Registry entries with which COM finds a served application and marshals its interfaces between processes."""

from __future__ import annotations

import tempfile
import uuid
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pythoncom
import pywintypes
import win32api
import win32con

from swgrm_mocks.testing.com_objects import interfaces_by_iid

NAMESPACE = uuid.UUID("5a3c9f0e-6d5b-4c6f-9f59-1f6c3f0b7f64")  # of the ids that are derived from names
WINDOWS_64 = 3  # SYSKIND
POLICY = "swgrm_mocks.testing.com_objects.ApplicationPolicy"


def id_of(name: str) -> str:
    """The CLSID of a served ProgID, or another id that is derived from a name."""
    return f"{{{uuid.uuid5(NAMESPACE, name)}}}".upper()


@contextmanager
def registered(progid: str, **values: str) -> Iterator[None]:
    """Write the registry entries of a ProgID (LocalServer32=…, InprocServer32=…), and remove them afterwards."""
    clsid = id_of(progid)
    keys = {"ProgID": progid, "PythonCOMPolicy": POLICY} | values
    entries = {rf"{progid}\CLSID": clsid} | {rf"CLSID\{clsid}\{key}": value for key, value in keys.items()}
    with ExitStack() as stack, type_library():
        for path, value in entries.items():
            win32api.RegSetValue(win32con.HKEY_CLASSES_ROOT, path, win32con.REG_SZ, value)
            stack.callback(_delete, path)
        yield


def _delete(path: str) -> None:
    """Delete a key, and those above it that have become empty."""
    while path:
        try:
            win32api.RegDeleteKey(win32con.HKEY_CLASSES_ROOT, path)
        except win32api.error:
            return
        path = path.rpartition("\\")[0]


@contextmanager
def type_library() -> Iterator[None]:
    """Register a type library in which each interface of the slice is an IDispatch, so that COM can marshal it.

    SolidWorks registers its own; where that is installed, nothing is changed.
    """
    if _is_marshalled():
        yield
        return
    identity = pywintypes.IID(id_of("type library"))
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        file = str(Path(folder) / "slice.tlb")
        _write_type_library(file, identity)
        pythoncom.RegisterTypeLib(pythoncom.LoadTypeLib(file), file)
        try:
            yield
        finally:
            pythoncom.UnRegisterTypeLib(identity, 1, 0, 0, WINDOWS_64)


def _is_marshalled() -> bool:
    """Whether the slice's first interface is registered already."""
    iid = next(iter(interfaces_by_iid()))
    try:
        win32api.RegQueryValue(win32con.HKEY_CLASSES_ROOT, rf"Interface\{iid}\ProxyStubClsid32")
    except win32api.error:
        return False
    return True


def _write_type_library(file: str, identity: object) -> None:
    dispatch = pythoncom.LoadTypeLib("stdole2.tlb").GetTypeInfoOfGuid(pythoncom.IID_IDispatch)
    library = pythoncom.CreateTypeLib2(WINDOWS_64, file)
    library.SetGuid(identity)
    library.SetVersion(1, 0)
    library.SetLcid(0)
    library.SetName("SwgrmSlice")
    for iid, name in interfaces_by_iid().items():
        interface = library.CreateTypeInfo(name, pythoncom.TKIND_INTERFACE)
        interface.SetGuid(iid)
        interface.SetTypeFlags(pythoncom.TYPEFLAG_FOLEAUTOMATION | pythoncom.TYPEFLAG_FDISPATCHABLE)
        interface.AddImplType(0, interface.AddRefTypeInfo(dispatch))
        interface.LayOut()
    library.SaveAllChanges()
