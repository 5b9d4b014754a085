"""The file of a self-test: a zip with the report, its page, the raw answers, the captures, and the log."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path
from typing import Any

import msgspec

from swgrm.errors import FileError
from swgrm.storage.files import read_bytes, write_bytes
from swgrm.storage.privacy import names, scrubbed
from swgrm_addin.selftest.judge.page import page
from swgrm_addin.selftest.judge.report import VERSION, Report
from swgrm_addin.selftest.results import CAPTURES, LOG, RAW, RUN

REPORT, PAGE = "report.json", "report.html"
LARGEST = 64 << 20  # [bytes] of report.json
REMEDY = "Name a file that `swgrm selftest` wrote"


def write_archive(report: Report, folder: Path, out: Path) -> None:
    """Write the zip of a run that was judged; texts have no folders, user names or computer names."""
    hidden = names()
    report = without_names(report, hidden)
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(REPORT, _json(msgspec.to_builtins(report)))
        archive.writestr(PAGE, page(report))
        for file in [folder / RUN, *sorted((folder / RAW).glob("*.json"))]:
            data = scrubbed(msgspec.json.decode(read_bytes(file)), hidden)
            archive.writestr(file.relative_to(folder).as_posix(), _json(data))
        for file in sorted((folder / CAPTURES).glob("*.swcap")):
            archive.writestr(file.relative_to(folder).as_posix(), read_bytes(file))
        if (folder / LOG).exists():
            archive.writestr(LOG, scrubbed(read_bytes(folder / LOG).decode("utf-8", "replace"), hidden))
    write_bytes(out, buffer.getvalue())


def without_names(report: Report, hidden: dict[str, str]) -> Report:
    """The report with folders and names replaced in all that was seen, such as the messages of steps that failed."""
    replace = msgspec.structs.replace
    environment = msgspec.convert(scrubbed(msgspec.to_builtins(report.environment), hidden), type(report.environment))
    return replace(
        report,
        environment=environment,
        conventions=tuple(replace(each, seen=scrubbed(each.seen, hidden)) for each in report.conventions),
        checks=tuple(replace(each, seen=scrubbed(each.seen, hidden)) for each in report.checks),
        stopped=scrubbed(report.stopped, hidden),
    )


def _json(data: Any) -> bytes:
    return msgspec.json.format(msgspec.json.encode(data), indent=1)


def read_archive(file: Path) -> Report:
    """The report in the zip of a self-test."""
    try:
        with zipfile.ZipFile(file) as archive:
            if archive.getinfo(REPORT).file_size > LARGEST:
                raise FileError(file, "its report is too large", remedy=REMEDY)
            report = msgspec.json.decode(archive.read(REPORT), type=Report)
    except FileNotFoundError:
        raise FileError(file, "the file does not exist", remedy="Check the path") from None
    except (OSError, KeyError, zipfile.BadZipFile, msgspec.DecodeError, RuntimeError, NotImplementedError) as error:
        raise FileError(file, f"it is not the file of a self-test, or it is damaged ({error})", remedy=REMEDY) from None
    if report.version != VERSION:
        raise FileError(file, f"its report has version {report.version}, not {VERSION}", remedy="Update swgrm")
    return report
