"""The errors that swgrm raises: sentences that name the object, what was expected and the remedy.

SwgrmError              the base class of all errors of swgrm
├── FileError           a file that cannot be read or written
├── EditedFilesError    files of the user are in the way of new ones
├── ModelError          an edit or a robot that is not possible; also a ValueError
├── SettingsError       settings that do not match the assembly or the schema; also a ValueError
├── SolidWorksError     SolidWorks, or the connection to it, failed
│   ├── BusyError       it was busy until the timeout
│   └── LostError       the connection is lost: it exited, crashed or cannot be reached
├── MissingExtra        an optional library is not installed
└── Cancelled           the user cancelled the work
"""

from __future__ import annotations

from pathlib import PurePath

MAX_NAMES = 8  # of files in a message
TRACEBACK = "SWGRM_TRACEBACK"  # an environment variable: print the traceback of a defect, too


class SwgrmError(Exception):
    """An error that stops the work and whose message is shown to the user."""

    exit_code = 2


class FileError(SwgrmError):
    """Raised when a file cannot be read or written: its path, the place in it, the problem and the remedy."""

    def __init__(self, path: PurePath | str, problem: str, place: str = "", remedy: str = "") -> None:
        self.path, self.problem, self.place, self.remedy = str(path), problem, place, remedy
        super().__init__(self.path, problem, place, remedy)  # pickle calls the class with these

    def __str__(self) -> str:
        where = f"{self.path}: {self.place}: " if self.place else f"{self.path}: "
        return where + sentence(self.problem) + (f" {sentence(self.remedy)}" if self.remedy else "")


def system_reason(error: OSError) -> str:
    """Why the system refused something, in its own words and without a capital."""
    return (error.strerror or str(error)).lower()


class EditedFilesError(SwgrmError):
    """Raised when files of the user are in the way of new ones, and the caller asked to be told."""

    exit_code = 73  # no program ends so by accident; 3 is how C programs abort on Windows

    def __init__(self, folder: PurePath | str, names: tuple[str, ...]) -> None:
        self.folder, self.names = str(folder), names
        super().__init__(self.folder, names)  # pickle calls the class with these

    def __str__(self) -> str:
        shown = ", ".join(self.names[:MAX_NAMES]) + (", …" if len(self.names) > MAX_NAMES else "")
        return f"{self.folder}: files were edited, or not written by swgrm ({len(self.names)}): {shown}."


class ModelError(SwgrmError, ValueError):
    """Raised when a robot is not valid or an edit of it is not possible."""


class SettingsError(SwgrmError, ValueError):
    """Raised when settings do not match the assembly or the schema; `at` are the keys down to the mistake."""

    def __init__(self, message: str, at: tuple[str, ...] = ()) -> None:
        self.message, self.at = message, at
        super().__init__(message, at)  # pickle calls the class with these

    def __str__(self) -> str:
        return self.message


class SolidWorksError(SwgrmError):
    """Raised when SolidWorks, or the connection to it, fails."""


class CallError(SolidWorksError):
    """Raised when one call fails: what is being read may be left out, and the rest can be read."""

    def __init__(self, sentence: str, member: str = "", problem: str = "") -> None:
        super().__init__(sentence)
        self.member, self.problem = member, problem


class BusyError(SolidWorksError):
    """Raised when SolidWorks is busy until the timeout."""


class LostError(SolidWorksError):
    """Raised when the connection to SolidWorks is lost: it exited, crashed or cannot be reached."""


class MissingExtra(SwgrmError):
    """Raised when an optional library is not installed."""

    def __init__(self, purpose: str, library: str, extra: str) -> None:
        super().__init__(purpose, library, extra)  # pickle calls the class with these

    def __str__(self) -> str:
        purpose, library, extra = self.args
        return f'{purpose} needs {library}: install it with `pip install "swgrm[{extra}]"`.'


class Cancelled(SwgrmError):
    """Raised when the user cancels the work."""

    exit_code = 130


def explained(error: BaseException) -> tuple[str, int]:
    """The sentence that a user gets about any exception, and the exit code of a program that it ends."""
    if isinstance(error, KeyboardInterrupt):
        return "Cancelled.", Cancelled.exit_code
    if isinstance(error, SwgrmError):
        return str(error), error.exit_code
    if isinstance(error, MemoryError):
        return "Out of memory. Close other programs or use a machine with more RAM.", SwgrmError.exit_code
    if isinstance(error, OSError) and isinstance(error.filename, str):
        remedy = "Check the path and the permissions"
        return str(FileError(error.filename, system_reason(error), remedy=remedy)), SwgrmError.exit_code
    problem = f"{type(error).__name__}: {error}"
    place = f"{TRACEBACK}=1 shows where it is, and `swgrm report` makes a file to send"
    return f"Unexpected error in swgrm ({problem}). Please report it; {place}.", SwgrmError.exit_code


def sentence(text: str) -> str:
    """The text with a full stop, unless it ends with a punctuation mark."""
    return text if text.endswith((".", "!", "?")) else text + "."


def nearest(word: str, known: list[str]) -> str:
    """The hint ' Did you mean `x`?' with the most similar known word, or an empty text."""
    from difflib import get_close_matches

    words = {each.lower(): each for each in reversed(known)}
    matches = [word] if word in known else get_close_matches(word.lower(), list(words), n=1, cutoff=0.5)
    return f" Did you mean `{words[matches[0].lower()]}`?" if matches else ""


def nearest_or_all(word: str, known: list[str], most: int = 10) -> str:
    """The same hint, or the first known words if none is similar."""
    listed = f" There are: {', '.join(known[:most])}{', …' if len(known) > most else ''}." if known else ""
    return nearest(word, known) or listed
