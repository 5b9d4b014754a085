"""Replaces folders, user names and computer names in texts, so that the file of a self-test has none."""

from __future__ import annotations

import getpass
import os
import platform
import re
from pathlib import Path
from typing import Any

FOLDER = "<folder>"
# A drive or share with everything up to the last separator, or an absolute path of at least two parts.
_PATHS = re.compile(r"""(?:[A-Za-z]:[\\/]|\\\\|//)(?:[^\\/:*?"<>|\r\n]+[\\/])*|(?<![\w.<>])/(?:[^/\s"'<>|]+/)+""")
SHORTEST = 2  # characters of a name that is replaced


def without_folders(text: str) -> str:
    """The text with every folder of a path replaced."""
    return _PATHS.sub(f"{FOLDER}/", text)


def names() -> dict[str, str]:
    """The names of this user and this computer, with what replaces each."""
    found: dict[str, str] = {}
    for name in {_user(), Path.home().name, os.environ.get("USERNAME", ""), os.environ.get("USER", "")}:
        if len(name) >= SHORTEST:
            found[name] = "<user>"
    if len(platform.node()) >= SHORTEST:
        found[platform.node()] = "<computer>"
    return found


def _user() -> str:
    try:
        return getpass.getuser()
    except (OSError, KeyError, ImportError):  # no such user, as in some containers
        return ""


def scrubbed(value: Any, replaced: dict[str, str] | None = None) -> Any:
    """JSON data with folders, user names and computer names in its texts replaced."""
    replaced = names() if replaced is None else replaced
    if isinstance(value, str):
        text = without_folders(value)
        for name, instead in replaced.items():
            text = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", instead, text, flags=re.IGNORECASE)
        return text
    if isinstance(value, list | tuple):
        return [scrubbed(item, replaced) for item in value]
    if isinstance(value, dict):
        return {key: scrubbed(item, replaced) for key, item in value.items()}
    return value
