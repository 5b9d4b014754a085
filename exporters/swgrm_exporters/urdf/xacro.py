"""Xacro files: expanded where the `xacro` package is installed, otherwise named as what they are."""

from __future__ import annotations

import re
from pathlib import Path

from swgrm.errors import FileError

_MACROS = re.compile(rb"<xacro:(include|macro|property|arg)\b")
_COMMENTS = re.compile(rb"<!--.*?-->", re.DOTALL)


def expanded(path: Path, data: bytes) -> bytes:
    """The URDF text of a file: its own, or what its macros make."""
    if not _MACROS.search(data) or not _MACROS.search(_COMMENTS.sub(b"", data)):
        return data
    try:
        import xacro
    except ImportError:
        remedy = "Expand it with `xacro FILE > robot.urdf`, or install the `xacro` package"
        raise FileError(path, "this is a xacro file, a URDF with macros", remedy=remedy) from None
    try:
        text: str = xacro.process_file(str(path)).toxml()
    except Exception as error:
        raise FileError(path, f"xacro could not expand it: {error}") from error
    return text.encode()
