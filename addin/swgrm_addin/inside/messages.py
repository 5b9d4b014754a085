"""The messages that the add-in shows to the user, as text made from the answers of its child process."""

from __future__ import annotations

import ntpath
from collections.abc import Iterable, Sequence
from pathlib import Path

from swgrm import __version__
from swgrm.errors import SwgrmError
from swgrm.findings import Finding, Severity, by_kind, more_like_it, problems
from swgrm.meshes.uris import MESHES
from swgrm_addin.inside.addin_folders import AddinFolders, command_name
from swgrm_addin.jobs import ExportResult, JudgeResult, ReportResult

COUNTED_FORMATS = ("robotinfo",)  # whose findings are in the file of findings only, because few users need this format
MAX_KINDS = 6  # kinds of findings in a message; the others are counted

SELFTEST = (
    "The self-test builds about eighty small assemblies in SolidWorks, moves and reads them, and closes them again. It "
    "takes some minutes, in which SolidWorks cannot be used; the key Esc stops it.\n\n"
    "Your documents are not changed. The result is one file without names or folders of yours, which you can read and "
    "send to us.\n\nStart it now?"
)
REPORT = (
    "swgrm makes a file with what it reads from this document, its log and its versions, so that a problem can be "
    "reproduced without your CAD files. You see what is inside before it is saved.\n\n"
    "Leave out the names and shapes of this document? (Choose Yes for confidential documents.)"
)
CANCEL_JOB = "swgrm is working in the background ({job}).\n\nCancel it? Nothing is written then."
SELFTEST_CANCELLED = "The self-test was cancelled. What it had opened is closed, and nothing was written."


def exported(done: ExportResult, findings: Sequence[Finding], held: str) -> str:
    """The summary of an export, and how long SolidWorks waited."""
    has_errors = any(finding.severity is Severity.ERROR for finding in findings)
    parts = [
        f"{done.robot} was exported{' with errors' if has_errors else ''}.",
        robot(done),
        needs_attention(findings),
        files(done.files, done.folder),
        f"{held}.",
    ]
    return "\n\n".join(part for part in parts if part)


def robot(done: ExportResult) -> str:
    """A sentence with the numbers of links, joints and sensors, and the mass."""
    kinds = ", ".join(f"{count} {kind}" for kind, count in sorted(done.joints.items()))
    moving = sum(done.joints.values())
    joints = f"{counted(moving, 'moving joint')} ({kinds})" if kinds else "no moving joints"
    sensors = f", {counted(done.sensors, 'sensor')}" if done.sensors else ""
    return f"It has {counted(done.links, 'link')}, {joints}{sensors}, and weighs {done.mass:.4g} kg."


def checked(findings: Sequence[Finding], title: str) -> str:
    """The result of a check."""
    return f"{title}: {needs_attention(findings) or 'no problems were found.'}"


def needs_attention(findings: Iterable[Finding]) -> str:
    """The warnings and errors, worst first; of each kind one in full, and the objects of the others."""
    serious = [each for each in problems(findings) if each.format not in COUNTED_FORMATS]
    if not serious:
        return ""
    lines = ["1 finding needs attention:" if len(serious) == 1 else f"{len(serious)} findings need attention:"]
    kinds = by_kind(serious)
    for first, *others in kinds[:MAX_KINDS]:
        lines.append(f"• {first.where}: {first.message}{f' ({more_like_it(others)})' if others else ''}")
    if rest := sum(map(len, kinds[MAX_KINDS:])):
        lines.append(f"• and {rest} more, in the file that ends in .findings.json")
    return "\n".join(lines)


def files(paths: Sequence[str], folder: str) -> str:
    """The folder and the names of the files in it; mesh files are counted."""
    names = [ntpath.basename(path) for path in paths]
    main = [name for name in names if ntpath.splitext(name.lower())[1] not in MESHES]
    meshes = [counted(len(names) - len(main), "mesh")] if len(main) < len(names) else []
    return f"The files are in {folder}:\n{', '.join([*main, *meshes])}"


def edited_files(sentence: str) -> str:
    """The question whether to export although files in the folder were edited, as the sentence tells."""
    return f"{sentence}\n\nExport anyway? A copy of each of them is kept as NAME.bak."


def not_started(python: Path, error: OSError) -> str:
    """Why the program of the child processes did not start."""
    return f"{python} cannot be started: {error.strerror or error}. Run swgrm's set-up program again."


def subprocess_failed(title: str, code: int, sentence: str, folders: AddinFolders) -> str:
    """Why a job failed: the error that the child process reported, or else its exit code."""
    reason = sentence or f"swgrm's background process ended unexpectedly (exit code {code})."
    kept = (
        f'To report it, press Save capture for support, or run: {command_name()} report "{folders.failed}"'
        if folders.failed.exists()
        else ""
    )
    return "\n\n".join(part for part in (f"{title} failed.", reason, kept, where_the_log_is(folders)) if part)


def subprocess_hung(title: str, step: str, seconds: float, folders: AddinFolders) -> str:
    """The subprocess had no output for too long."""
    return (
        f"{title} failed.\n\nswgrm's background process did not report progress for {seconds / 60:.0f} minutes "
        f"(last step: {step}), so swgrm ended it.\n\n{where_the_log_is(folders)}"
    )


def unexpected_error(title: str, error: BaseException, folders: AddinFolders) -> str:
    """An error that is a defect of swgrm."""
    return (
        f"{title} failed because of an unexpected error in swgrm ({type(error).__name__}: {error}).\n"
        f"Your document was not changed. Please report the error and attach the log.\n\n{where_the_log_is(folders)}"
    )


def ribbon_failed(errors: Sequence[SwgrmError], folders: AddinFolders) -> str:
    """A part of the ribbon could not be added."""
    return (
        "swgrm's commands could not be added to SolidWorks completely. Those that are there work; look for them on the "
        "tab swgrm and in the menu Tools.\n\n"
        + "\n".join(map(str, errors))
        + f"\n\nRestart SolidWorks. If this message comes again, report it.\n\n{where_the_log_is(folders)}"
    )


def where_the_log_is(folders: AddinFolders) -> str:
    """The path of the log."""
    return f"Details are in the log: {folders.log}"


def selftest_done(report: JudgeResult, file: Path) -> str:
    """The summary of a self-test."""
    refuted = report.refuted
    counts = ", ".join(f"{report.verdicts.get(name, 0)} {name}" for name in ("confirmed", "refuted", "undecided"))
    remedy = (
        f'\nTo use what was measured from now on, run: {command_name()} selftest --read "{file}" --apply'
        if refuted
        else ""
    )
    conventions = f"Conventions that differ: {', '.join(refuted)}.{remedy}" if refuted else "No convention differs."
    return f"{counted(sum(report.verdicts.values()), 'check')}: {counts}.\n{conventions}\n\nThe report is in {file}"


def problem_report(report: ReportResult, file: Path) -> str:
    """What is inside a report of a problem, and the question to save it."""
    contents = "\n".join(f"• {content.name}: {content.what}" for content in report.contents)
    return f"The report contains:\n{contents}\n\nSave it as {file}?"


def help_text(folders: AddinFolders) -> str:
    """The text of the button Help."""
    return (
        f"swgrm {__version__} turns this assembly into a robot model.\n\n"
        "Export GRM reads the assembly, infers the joints from its mates, and writes the robot with its "
        "meshes into a folder beside the document. Review shows the robot in the browser, where its joints "
        "can be moved and corrected. Settings opens a text file beside the document, in which you can "
        "change names, limits and other properties of the export.\n\n"
        "To report a problem, press Save capture for support and attach the file that it saves. The file contains what "
        "swgrm reads from the document, the log and the versions; names and shapes can be left out.\n\n"
        f"{where_the_log_is(folders)}"
    )


def counted(count: int, noun: str) -> str:
    """A number with its noun, in the plural unless the number is 1."""
    ending = "" if count == 1 else "es" if noun.endswith("sh") else "s"
    return f"{count:,} {noun}{ending}"
