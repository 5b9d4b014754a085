"""The report of a problem: one zip with what a maintainer needs, without names, paths and shapes of the user."""

from __future__ import annotations

import io
import locale
import os
import platform
import re
import tempfile
import traceback
import zipfile
from collections import Counter
from collections.abc import Callable, Iterable
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from swgrm import __version__
from swgrm.storage.privacy import NAME, names, own_folders, scrubbed, spellings, with_known_words
from swgrm_addin.inside.addin_folders import AddinFolders, user_folders
from swgrm_addin.sources import Source, read

if TYPE_CHECKING:
    from swgrm.capture import Capture
    from swgrm_addin.pipeline import Understanding

LOG_LENGTH = 300_000  # [bytes] of the log's end
SHORTEST = 3  # characters of a name of the assembly that is replaced in the log and in errors
LIBRARIES = ("numpy", "scipy", "lxml", "trimesh", "msgspec", "pyyaml", "click", "rich", "pywin32", "comtypes")
# The name of a document, after its folder or at the start of a word.
_DOCUMENTS = re.compile(r"""([^\\/:*?"'<>|\r\n]+)\.(?:sldasm|sldprt|slddrw|swcap|asmdot|prtdot|grm\.yaml)\b""", re.I)
# The output folder in a command line of the log.
_OUTPUTS = re.compile(r""" (?:-o|--default-folder) (?:"([^"\r\n]+?)\\*"|([^\s"]+))""")
_QUOTED = re.compile(r"""`.+?`|".+?"|(?<!\w)'.+?'(?!\w)""")
INTRODUCTION = """A report of a problem with swgrm, made by `swgrm report`.

{files}
Folders, the name of the user and of the computer, and the names in the assembly are replaced.{more}
"""


class ReportFile(NamedTuple):
    """A file of the report: its name, what it contains, and its content."""

    name: str
    what: str
    data: bytes


class Trial(NamedTuple):
    """What came of an attempt: a value, or the error with the place in swgrm where it was raised."""

    value: Any = None
    error: dict[str, str] | None = None


def report_files(source: str, configuration: str = "", *, with_names: bool = False) -> tuple[ReportFile, ...]:
    """The files of the report about a source; an error in reading or understanding it is a part of the report.

    `with_names` keeps the names and shapes of the capture.
    """
    from swgrm.capture import encode
    from swgrm.capture.anonymize import anonymized
    from swgrm_addin.installation.doctor import examine

    folders = user_folders()
    reading = _attempt(lambda: read(source, configuration))
    found: Source = reading.value or Source(source)
    log = _log(folders)
    sent = found.capture if found.capture is None or with_names else anonymized(found.capture)
    failures = {"reading": reading.error, **_understanding(found, sent)}
    texts = "\n".join([log, *_own_texts(failures)])
    places = (Path(source).parent, folders.folder, Path(tempfile.gettempdir()), *_outputs_in(texts, folders))
    hidden = names() | own_folders(*places) | dict.fromkeys(_names_in(texts, found, folders), NAME)
    shown = failures if with_names else _without_names(scrubbed(_without_quoted(failures, found), hidden))
    doctor = [_without_last_error(scrubbed(result._asdict(), hidden)) for result in examine()]
    files = [
        ReportFile("versions.json", "versions of swgrm, Python, its libraries and SolidWorks",
                   _json(scrubbed(_versions(found), hidden))),
        ReportFile("doctor.json", f"{len(doctor)} checks of the installation", _json(doctor)),
        ReportFile("failures.json", _counted(failures), _json(shown)),
        ReportFile("log.txt", f"the end of the add-in's log, {log.count(chr(10)):,} lines",
                   with_known_words(scrubbed(log, hidden)).encode()),
    ]  # fmt: skip
    if sent is not None:
        what = "with its names and shapes" if with_names else "without names, paths and shapes"
        files.append(ReportFile("capture.swcap", f"what swgrm reads of the assembly, {what}", encode(sent)))
    return (_introduction(files, found), *files)


def packed(files: Iterable[ReportFile]) -> bytes:
    """The files as a zip, without times."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for file in files:
            archive.writestr(zipfile.ZipInfo(file.name), file.data, zipfile.ZIP_DEFLATED)
    return buffer.getvalue()


def _introduction(files: list[ReportFile], found: Source) -> ReportFile:
    more = ""
    if found.robot is not None:
        more = " The source is a robot file, whose names cannot be replaced: it is not in this report."
    text = INTRODUCTION.format(files="".join(f"{file.name}: {file.what}\n" for file in files), more=more)
    return ReportFile("README.txt", "what is in this report", text.encode())


def _attempt(action: Callable[[], Any]) -> Trial:
    try:
        return Trial(action())
    except Exception as error:  # noqa: BLE001 - whatever fails is what is to be reported
        trace = "".join(traceback.format_tb(error.__traceback__))
        return Trial(error={"type": type(error).__name__, "message": str(error), "traceback": trace})


def _understanding(found: Source, sent: Capture | None) -> dict[str, Any]:
    """The errors and findings of understanding the source, and whether what is sent gives the same joints."""
    from swgrm_addin.pipeline import understand

    if found.capture is None and found.robot is None:
        return {}
    read_codes = dict(sorted(Counter(each.code for each in found.findings).items()))
    own = _attempt(lambda: understand(found))
    if sent is None:
        codes = Counter(each.code for each in own.value.findings) if own.value else {}
        return {"findingsOfReading": read_codes, "understanding": own.error, "findings": dict(sorted(codes.items()))}
    other = own if sent is found.capture else _attempt(lambda: understand(sent))
    return {
        "calls": sent.failures,
        "findingsOfReading": read_codes,
        "understanding": own.error,
        "understandingOfThisCapture": other.error,
        "sameJoints": _joints(own.value) == _joints(other.value),
        "findings": [each.plain() for each in other.value.findings] if other.value else [],
    }


def _joints(understood: Understanding | None) -> list[str] | None:
    """The types of the joints in the order of the tree; None if there is no robot."""
    return None if understood is None else sorted(f.joint.type for f in understood.robot.frames if f.joint)


def _counted(failures: dict[str, Any]) -> str:
    errors = sum(failures.get(key) is not None for key in ("reading", "understanding"))
    calls = sum(call.count for call in failures.get("calls", ()))
    return f"{errors} errors, {calls:,} failed calls to SolidWorks, {len(failures.get('findings', ())):,} findings"


def _versions(found: Source) -> dict[str, Any]:
    return {
        "swgrm": __version__,
        "python": platform.python_version(),
        "system": platform.platform(),
        "machine": platform.machine(),
        "encoding": locale.getpreferredencoding(do_setlocale=False),
        "processors": os.cpu_count(),
        "solidworks": found.capture.source.solidworks if found.capture else "",
        "libraries": {name: number for name in LIBRARIES if (number := _version(name))},
    }


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return ""


def _log(folders: AddinFolders) -> str:
    """The end of the add-in's log, from the start of a line."""
    try:
        with folders.log.open("rb") as file:
            file.seek(0, os.SEEK_END)
            start = max(0, file.tell() - LOG_LENGTH)
            file.seek(start)
            text = file.read().decode("utf-8", "replace")
    except OSError:
        return ""
    return text.partition("\n")[2] if start else text


def _own_texts(failures: dict[str, Any]) -> list[str]:
    """The texts of the failures that come from the source itself, not from our code or the capture that is sent."""
    errors = [error for key in ("reading", "understanding") if (error := failures.get(key))]
    return [error["message"] for error in errors] + [call.problem for call in failures.get("calls", ())]


def _without_quoted(failures: dict[str, Any], found: Source) -> dict[str, Any]:
    """The failures as plain data; what errors quote is replaced where the names in the source are not known.

    So it is after a failed reading, and for robot files. A traceback has only lines of our own code.
    """
    plain: dict[str, Any] = msgspec.to_builtins(failures)
    for key in ("reading", "understanding") if found.robot is not None else ("reading",):
        if error := plain.get(key):
            error["message"] = _QUOTED.sub(lambda quoted: f"{quoted[0][0]}{NAME}{quoted[0][-1]}", error["message"])
    return plain


def _without_last_error(check: dict[str, Any]) -> dict[str, Any]:
    """A check of the installation with known words only in its details, which may quote the last error of the log."""
    return check | {"detail": with_known_words(check["detail"])}


def _without_names(failures: dict[str, Any]) -> dict[str, Any]:
    """The failures with known words only in the errors of the source itself, and in what SolidWorks reported."""
    for key in ("reading", "understanding"):
        if error := failures.get(key):
            error["message"] = with_known_words(error["message"])
    for call in failures.get("calls") or ():
        call["problem"] = with_known_words(call["problem"])
    return failures


def _outputs_in(texts: str, folders: AddinFolders) -> list[Path]:
    """The folders of exports, in the history or in command lines, that the texts contain."""
    lower = texts.casefold()
    named = {quoted or plain for quoted, plain in _OUTPUTS.findall(texts)}
    return [Path(each) for each in named.union(folders.read_history().folders.values()) if _is_in(each, lower)]


def _is_in(name: str, lower: str) -> bool:
    return any(each.casefold() in lower for each in spellings(name))


def _names_in(texts: str, found: Source, folders: AddinFolders) -> set[str]:
    """The names in the source, and of documents that the texts or the export history name, as the texts may have them.

    Of thousands of names, only those that the texts contain are kept, beside those of the source itself.
    """
    history = "\n".join(folders.read_history().folders)
    documents = {stem.strip() for text in (texts, history, found.name) for stem in _DOCUMENTS.findall(text)}
    documents |= {stem.rpartition(" ")[2] for stem in documents} | {Path(found.name).name.partition(".")[0]}
    spelt = {each for name in documents | _chosen(found) for each in (name, re.sub(r"\W", "_", name))}
    lower = texts.casefold()
    return {
        name
        for name in spelt
        if len(name) >= SHORTEST and not name.isdigit() and (name in documents or _is_in(name, lower))
    }


def _chosen(found: Source) -> set[str]:
    """The names that users chose in an assembly or a robot."""
    from swgrm.capture.anonymize import chosen_names
    from swgrm.model.references import names as names_of_robot

    if found.capture is not None:
        return chosen_names(found.capture)
    return {found.robot.name, *names_of_robot(found.robot)} if found.robot is not None else set()


def _json(data: Any) -> bytes:  # noqa: ANN401 - JSON data
    return msgspec.json.format(msgspec.json.encode(data), indent=1)
