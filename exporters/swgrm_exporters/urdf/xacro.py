"""Xacro files: expanded only where the user permits it, because their macros can run any program."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path

from swgrm.errors import FileError

_MACROS = re.compile(rb"<xacro:(include|macro|property|arg)\b")
_COMMENTS = re.compile(rb"<!--.*?-->", re.DOTALL)
ENDING, OPTION = ".xacro", "--expand-xacro"
BY_HAND = "Expand it with `xacro FILE > robot.urdf`"

# Whether a file may be expanded: nobody is asked, unless the command line has an option or a terminal.
_permission: ContextVar[Callable[[Path], bool]] = ContextVar("_permission", default=lambda _: False)


@contextmanager
def permitting(permission: Callable[[Path], bool]) -> Iterator[None]:
    """A context in which a xacro file is expanded if the function returns True for it."""
    token = _permission.set(permission)
    try:
        yield
    finally:
        _permission.reset(token)


def expanded(path: Path, data: bytes) -> bytes:
    """The URDF text of a file: its own, or what its macros make, if the user permits that."""
    if not _MACROS.search(data) or not _MACROS.search(_COMMENTS.sub(b"", data)):
        return data
    if path.suffix.lower() != ENDING:
        problem = "this is a xacro file, a URDF with macros, although its name does not end in .xacro"
        raise FileError(path, problem, remedy=f"{BY_HAND}, or rename it if you trust it")
    if not _permission.get()(path):
        problem = "this is a xacro file, a URDF with macros, which can run any program on this computer"
        raise FileError(path, problem, remedy=f"{BY_HAND}, or convert it with {OPTION} if you trust it")
    try:
        import xacro
    except ImportError:
        remedy = f"{BY_HAND}, or install the `xacro` package"
        raise FileError(path, "this is a xacro file, a URDF with macros", remedy=remedy) from None
    try:
        text: str = xacro.process_file(str(path)).toxml()
    except Exception as error:
        raise FileError(path, f"xacro could not expand it: {error}") from error
    return text.encode()
