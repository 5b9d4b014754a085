"""The command `batch`, with its progress on a terminal."""

from __future__ import annotations

import shlex
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import typer

from swgrm.errors import Cancelled
from swgrm_addin.cli.options import FORMAT, JSON, names

STOP_SIGNALS = (signal.SIGINT, signal.SIGTERM)


def batch(
    folder: Path = typer.Argument(help="The folder that contains the documents.", metavar="FOLDER"),
    out: Path = typer.Option(..., "-o", "--out", help="The folder to write into.", metavar="OUT"),
    pattern: str = typer.Option(
        "",
        help="Glob for file names, e.g. 'arm*.SLDASM'. Parts and robot files are exported only if a pattern matches.",
        metavar="PATTERN",
    ),
    recursive: bool = typer.Option(False, "--recursive", "-r", help="Search subfolders, too."),
    configuration: str = typer.Option("", help="The configuration to read, in every document.", metavar="NAME"),
    settings: Path | None = typer.Option(
        None, help="Settings for documents that have none beside them.", metavar="FILE"
    ),
    format: str = FORMAT,  # noqa: A002 - the option's name
    jobs: int = typer.Option(
        1, min=1, help="Number of documents to export at once; needs as many licences.", metavar="N"
    ),
    timeout: float = typer.Option(3600, min=0, help="Time limit per document in seconds; 0 means none.", metavar="S"),
    restart_every: int = typer.Option(
        50, min=0, help="Restart SolidWorks after this number of documents; 0 means never.", metavar="N"
    ),
    resume: bool = typer.Option(False, "--resume", help="Skip documents that are complete and unchanged."),
    attach: bool = typer.Option(False, "--attach", help="Use the open SolidWorks instead of starting one."),
    scheduler: str = typer.Option("", help="Address of a Dask scheduler whose workers export.", metavar="ADDRESS"),
    json: bool = JSON,
) -> None:
    """Export every document of a folder; exit 1 if some fail."""
    from swgrm_addin.batch import BatchOptions
    from swgrm_addin.batch import batch as run
    from swgrm_addin.batch.progress import ProgressTable
    from swgrm_addin.batch.records import HTML_REPORT
    from swgrm_addin.cli import report

    options = BatchOptions(names(format), configuration, timeout, restart_every, attach)
    for number in STOP_SIGNALS:
        signal.signal(number, _stop)
    try:
        with ProgressTable() as table:
            done = run(
                folder, out, pattern=pattern, recursive=recursive, settings=settings, options=options,
                jobs=jobs, resume=resume, scheduler=scheduler, observer=table,
            )  # fmt: skip
    except KeyboardInterrupt:
        raise Cancelled(f"Stopped. Continue with: {_resume_command(sys.argv[1:])}") from None
    if json:
        report.write_json(done)
    else:
        typer.echo(", ".join(f"{count:,} {status}" for status, count in done.counts.items() if count))
        typer.echo(f"wrote {out / HTML_REPORT}")
    raise typer.Exit(1 if done.has_problems else 0)


def _stop(*_: object) -> None:
    """Signal handler: stop the subprocesses; ignore further signals while stopping."""
    for number in STOP_SIGNALS:
        signal.signal(number, signal.SIG_IGN)
    raise KeyboardInterrupt


def _resume_command(arguments: Sequence[str]) -> str:
    """The same command line with --resume."""
    join = subprocess.list2cmdline if sys.platform == "win32" else shlex.join
    return join(["swgrm", *arguments, *(["--resume"] if "--resume" not in arguments else [])])


COMMANDS = (batch,)
