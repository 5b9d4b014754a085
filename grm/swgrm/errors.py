"""The errors that swgrm raises: sentences that name the thing, what was expected and the remedy.

SwgrmError              the root: catch this one
├── FileError           a file that cannot be read or written
├── ModelError          a robot that cannot be what it was asked to be; also a ValueError
├── SettingsError       settings that do not fit; also a ValueError
├── SolidWorksError     SolidWorks, or the way to it, failed
│   ├── BusyError       it was busy for longer than we wait
│   └── LostError       it is gone: ended, crashed or unreachable
├── MissingExtra        an optional library that is not installed
└── Cancelled           the user stopped it
"""

from __future__ import annotations

from pathlib import PurePath


class SwgrmError(Exception):
    """Anything that stops the work and that a user may have to read."""

    exit_code = 2


class FileError(SwgrmError):
    """A file that cannot be read or written: which, where in it, why, and what to do."""

    def __init__(self, path: PurePath | str, problem: str, place: str = "", remedy: str = "") -> None:
        self.path, self.problem, self.place, self.remedy = str(path), problem, place, remedy
        super().__init__(self.path, problem, place, remedy)  # pickle calls the class with these

    def __str__(self) -> str:
        where = f"{self.path}: {self.place}: " if self.place else f"{self.path}: "
        return where + sentence(self.problem) + (f" {sentence(self.remedy)}" if self.remedy else "")


class ModelError(SwgrmError, ValueError):
    """A robot that cannot be what it was asked to be."""


class SettingsError(SwgrmError, ValueError):
    """Settings that do not fit the assembly or the schema."""


class SolidWorksError(SwgrmError):
    """SolidWorks, or the way to it, failed."""


class BusyError(SolidWorksError):
    """SolidWorks was busy for longer than we wait."""


class LostError(SolidWorksError):
    """SolidWorks is gone: ended, crashed or unreachable."""


class MissingExtra(SwgrmError):
    """An optional library that is not installed."""

    def __init__(self, purpose: str, library: str, extra: str) -> None:
        super().__init__(purpose, library, extra)  # pickle calls the class with these

    def __str__(self) -> str:
        purpose, library, extra = self.args
        return f'{purpose} needs {library}: install it with `pip install "swgrm[{extra}]"`.'


class Cancelled(SwgrmError):
    """The user stopped it."""

    exit_code = 130


def sentence(text: str) -> str:
    """The text with a full stop, if it has no end of its own."""
    return text if text.endswith((".", "!", "?")) else text + "."


def nearest(word: str, known: list[str]) -> str:
    """A hint at the known word that was probably meant: ' Did you mean `x`?', or nothing."""
    from difflib import get_close_matches

    matches = get_close_matches(word, known, n=1, cutoff=0.5)
    return f" Did you mean `{matches[0]}`?" if matches else ""
