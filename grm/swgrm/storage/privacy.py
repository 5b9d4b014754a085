"""Replaces folders, user names and computer names in texts: the one mechanism of every file that a user sends us."""

from __future__ import annotations

import errno
import getpass
import json
import os
import platform
import re
from collections.abc import Callable, Mapping
from functools import cache
from importlib.util import find_spec
from pathlib import Path, PureWindowsPath
from typing import Any
from urllib.parse import quote

FOLDER, USER, COMPUTER, NAME = "<folder>", "<user>", "<computer>", "<name>"
OWN_PACKAGES = ("swgrm", "swgrm_exporters", "swgrm_addin")
_WORDS = re.compile(r"\w+")
_NUMBER = re.compile(r"\d{1,5}|0x[0-9A-Fa-f]{8}|\d{1,5}e\d+")  # counts, codes of errors, and measured values
# A part of a path with up to ten words; an apostrophe inside a word belongs to it, and a colon ends the path.
_WORD = r"""(?:[^/\s"'<>|]|(?<=\w)'(?=\w))+"""
_PART = rf"{_WORD}(?:(?<!:) +{_WORD}){{0,9}}"
# A drive or share with everything up to the last separator, an absolute path of at least two parts, or what follows a
# folder that was replaced. Separators may be doubled, as in the text of a Python or JSON string.
_PATHS = re.compile(
    r"""(?:(?<![A-Za-z])[A-Za-z]:[\\/]+|\\\\+|(?<!:)//)(?:[^\\/:*?"<>|\r\n]+[\\/]+)*"""
    rf"|(?<![\w.<>)\]}}])/(?:{_PART}/)+|{FOLDER}[\\/]+(?:{_PART}[\\/]+)*"
)
# An address in the web with its parts: scheme, user and password, host and the rest.
_ADDRESSES = re.compile(r"""\b((?:https?|ftps?|wss?|socks\d?)://)(?:[^\s/@"'<>]*@)?([^\s"'<>]*)""", re.IGNORECASE)
_SECRETS = re.compile(r"([?&#;][^=&#\s]*(?:token|pass|pwd|secret|key|auth|sig)[^=&#\s]*=)[^&#\s]+", re.IGNORECASE)
SHORTEST = 2  # characters of a name that is replaced
CERTAIN = 4  # characters from which on a name is replaced inside words, too
GENERIC = frozenset({"admin", "administrator", "guest", "localhost", "nobody", "root", "runner", "user"})  # of nobody
_USER_VARIABLES = ("USERNAME", "USER", "LOGNAME")
_COMPUTER_VARIABLES = ("COMPUTERNAME", "HOSTNAME", "USERDOMAIN")

Replacements = Mapping[str, str]  # what replaces each text


def without_folders(text: str) -> str:
    """The text with every folder of a path replaced; addresses in the web stay, but for users and passwords."""
    parts: list[str] = []
    end = 0
    for address in _ADDRESSES.finditer(text):
        parts += [_PATHS.sub(f"{FOLDER}/", text[end : address.start()]), _without_secrets(address)]
        end = address.end()
    return "".join([*parts, _PATHS.sub(f"{FOLDER}/", text[end:])])


def _without_secrets(address: re.Match[str]) -> str:
    scheme, rest = address.groups()
    user = f"{USER}@" if "@" in address[0].removesuffix(rest) else ""
    return scheme + user + _SECRETS.sub(r"\1<secret>", rest)


def with_known_words(text: str) -> str:
    """The text with `<name>` for every word that is neither in swgrm's own files nor in errors of the system.

    A log has names of assemblies that nothing else knows. What swgrm itself writes consists of words of its own files,
    so everything else may be a name. Numbers of more than five digits may be names of articles.
    """
    return _WORDS.sub(lambda found: found[0] if _is_known(found[0]) else NAME, text)


def _is_known(word: str) -> bool:
    return bool(_NUMBER.fullmatch(word)) or word.casefold() in vocabulary()


@cache
def vocabulary() -> frozenset[str]:
    """The words of the files of swgrm's packages, and of the system's errors, in lower case."""
    texts = [platform.system(), *(os.strerror(number) for number in errno.errorcode)]
    for package in OWN_PACKAGES:
        spec = find_spec(package)
        for folder in (spec and spec.submodule_search_locations) or ():
            texts += [file.read_text("utf-8") for pattern in ("*.py", "*.txt") for file in Path(folder).rglob(pattern)]
    return frozenset(word.casefold() for text in texts for word in _WORDS.findall(text))


def names() -> dict[str, str]:
    """The names of this user and this computer, with what replaces each; names that identify nobody are left out."""
    users = {_user(), Path.home().name, *(os.environ.get(each, "") for each in _USER_VARIABLES)}
    computers = {platform.node(), *(os.environ.get(each, "") for each in _COMPUTER_VARIABLES)}
    found = dict.fromkeys(computers, COMPUTER) | dict.fromkeys(users, USER)
    return {name: instead for name, instead in found.items() if len(name) >= SHORTEST and name.lower() not in GENERIC}


def _user() -> str:
    try:
        return getpass.getuser()
    except (OSError, KeyError, ImportError):  # no such user, as in some containers
        return ""


def own_folders(*more: Path) -> dict[str, str]:
    """The home folder, the current folder and more ones, with what replaces each.

    They may have spaces, which cannot be told from the end of a path in a sentence. Roots and `..` name nothing.
    """
    paths = {str(each) for path in (Path.home(), Path.cwd(), *more) for each in (path, path.absolute(), path.resolve())}
    return {path: FOLDER for path in paths if len(path) >= SHORTEST and PureWindowsPath(path).name not in ("", "..")}


def scrubbed(value: Any, replaced: Replacements | None = None) -> Any:  # noqa: ANN401 - JSON data
    """JSON data with folders, user names and computer names in its texts replaced."""
    replaced = names() if replaced is None else replaced
    folders = _replacer({text: instead for text, instead in replaced.items() if instead == FOLDER})
    others = _replacer({text: instead for text, instead in replaced.items() if instead != FOLDER})
    return _each_text(value, lambda text: others(without_folders(folders(text))))


def _each_text(value: Any, change: Callable[[str], str]) -> Any:  # noqa: ANN401 - JSON data
    if isinstance(value, str):
        return change(value)
    if isinstance(value, list | tuple):
        return [_each_text(item, change) for item in value]
    if isinstance(value, dict):
        return {key: _each_text(item, change) for key, item in value.items()}
    return value


def _replacer(replaced: Replacements) -> Callable[[str], str]:
    """A function that replaces every spelling of the texts in any case: the leftmost, and of these the longest."""
    spelt = {spelling: instead for text, instead in replaced.items() for spelling in spellings(text)}
    if not spelt:
        return str
    ordered = sorted(spelt, key=lambda text: (-len(text), text))
    pattern = re.compile("|".join(f"({_expression(text)})" for text in ordered), re.IGNORECASE)
    return lambda text: pattern.sub(lambda found: spelt[ordered[(found.lastindex or 1) - 1]], text)


def _expression(text: str) -> str:
    """A name, also inside words, unless it is so short that other words contain it."""
    return re.escape(text) if len(text) >= CERTAIN else rf"(?<!\w){re.escape(text)}(?!\w)"


def spellings(text: str) -> set[str]:
    """A text as it is in sentences, in strings of Python and JSON, in addresses, and with the other separator."""
    found = {text, text.replace("\\", "/"), json.dumps(text)[1:-1], json.dumps(text, ensure_ascii=False)[1:-1]}
    return found | {quote(each) for each in (text, text.replace("\\", "/"))}
