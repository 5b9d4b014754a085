"""The user's own defaults, `defaults.grm.yaml`: settings for every export, below those of `NAME.grm.yaml`.

Precedence: built in, this file, the settings beside an assembly, the command line. `swgrm selftest --apply` writes the
conventions that it measured into a block of this file, and `--apply --undo` removes the block.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from swgrm.errors import FileError, system_reason
from swgrm.storage.files import content, decode_utf8, read_bytes, update_bytes

NAME = "defaults.grm.yaml"
BEGIN, END = "# >>> swgrm selftest >>>", "# <<< swgrm selftest <<<"
_BLOCK = re.compile(rf"^{re.escape(BEGIN)}$.*?^{re.escape(END)}$\n?", re.MULTILINE | re.DOTALL)


class UserDefaults(NamedTuple):
    """The defaults of the user: the file, and its sections; empty if there is no file."""

    path: Path
    sections: Mapping[str, Any] = {}

    def for_robot_files(self, kept: tuple[str, ...]) -> UserDefaults:
        """The defaults without the sections that decide how an assembly is understood, except those in `kept`."""
        return self._replace(sections={name: value for name, value in self.sections.items() if name in kept})


def defaults_file() -> Path:
    """The file of this user; the environment variable SWGRM_CONFIG names another folder."""
    return _folder() / NAME


def _folder() -> Path:
    if named := os.environ.get("SWGRM_CONFIG"):
        return Path(named)
    if roaming := os.environ.get("APPDATA"):
        return Path(roaming) / "swgrm"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "swgrm"
    return Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config") / "swgrm"


def read_defaults() -> UserDefaults:
    """The user's defaults; a mistake in the file is an error that names its line."""
    from swgrm_addin.settings_file import parsed, settings_from_text

    path = defaults_file()
    if not path.is_file():
        return UserDefaults(path)
    text = _text(path)
    settings_from_text(path, text)
    return UserDefaults(path, parsed(path, text))


def apply_conventions(choices: Mapping[str, str], reason: str) -> Path:
    """Write conventions into the defaults, instead of those that were written before; returns the file."""
    from swgrm_addin.settings_file import parsed, settings_from_text

    path = defaults_file()
    rest = _BLOCK.sub("", _text(path)) if path.is_file() else ""
    if rest.strip() and "conventions" in parsed(path, rest):
        lines = ", ".join(f"`{key}: {choice}`" for key, choice in choices.items())
        raise FileError(
            path, "it has a section `conventions` of your own, which is not changed", remedy=f"Write there {lines}"
        )
    values = "".join(f"  {key}: {choice}\n" for key, choice in choices.items())
    removal = "# `swgrm selftest --apply --undo` removes these lines."
    block = f"{BEGIN}\n# {reason}\n{removal}\nconventions:\n{values}{END}\n"
    text = f"{rest.rstrip()}\n\n{block}" if rest.strip() else block
    settings_from_text(path, text)  # what is written can be read
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FileError(path, f"its folder cannot be made: {system_reason(error)}") from error
    update_bytes(path, text.encode(), before=content(path))
    return path


def undo_conventions() -> bool:
    """Remove what `apply_conventions` wrote, and the file if nothing else is in it; returns whether there was any."""
    path = defaults_file()
    if not path.is_file():
        return False
    text = _text(path)
    rest = _BLOCK.sub("", text)
    if rest == text:
        return False
    if rest.strip():
        update_bytes(path, f"{rest.rstrip()}\n".encode(), before=content(path))
    else:
        path.unlink()
    return True


def _text(path: Path) -> str:
    return decode_utf8(path, read_bytes(path))
