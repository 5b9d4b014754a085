"""The command `batch`, with its progress on a terminal."""

from __future__ import annotations

import signal
import sys
from collections.abc import Sequence
from pathlib import Path

import click

from swgrm.errors import Cancelled
from swgrm_addin.cli.options import FORMAT, JSON, PATH, FiniteRange, command_text, names

STOP_SIGNALS = (signal.SIGINT, signal.SIGTERM)


@click.command
@click.argument("folder", type=PATH, help="The folder that contains the documents.", metavar="FOLDER")
@click.option("-o", "--out", type=PATH, required=True, help="The folder to write into.", metavar="OUT")
@click.option(
    "--pattern",
    default="",
    help='Glob for file names, e.g. "arm*.SLDASM". Parts and robot files are exported only if a pattern matches.',
    metavar="PATTERN",
)
@click.option("--recursive", "-r", is_flag=True, help="Search subfolders, too.")
@click.option("--configuration", default="", help="The configuration to read, in every document.", metavar="NAME")
@click.option("--settings", type=PATH, help="Settings for documents that have none beside them.", metavar="FILE")
@FORMAT
@click.option(
    "--jobs",
    type=click.IntRange(min=1),
    default=1,
    show_default=True,
    help="Number of documents to export at once; needs as many licences.",
    metavar="N",
)
@click.option(
    "--timeout",
    type=FiniteRange(min=0, max=1e6),
    default=3600,
    show_default=True,
    help="Time limit per document in seconds; 0 means none.",
    metavar="S",
)
@click.option(
    "--restart-every",
    type=click.IntRange(min=0),
    default=50,
    show_default=True,
    help="Restart SolidWorks after this number of documents; 0 means never.",
    metavar="N",
)
@click.option("--resume", is_flag=True, help="Skip documents that are complete and unchanged.")
@click.option("--attach", is_flag=True, help="Use the open SolidWorks instead of starting one.")
@click.option("--scheduler", default="", help="Address of a Dask scheduler whose workers export.", metavar="ADDRESS")
@JSON
def batch(
    folder: Path,
    out: Path,
    pattern: str,
    recursive: bool,
    configuration: str,
    settings: Path | None,
    format: str,  # noqa: A002 - the option's name
    jobs: int,
    timeout: float,
    restart_every: int,
    resume: bool,
    attach: bool,
    scheduler: str,
    json: bool,
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
        click.echo(", ".join(f"{count:,} {status}" for status, count in done.counts.items() if count))
        click.echo(f"wrote {out / HTML_REPORT}")
    raise click.exceptions.Exit(1 if done.has_problems else 0)


def _stop(*_: object) -> None:
    """Signal handler: stop the subprocesses; ignore further signals while stopping."""
    for number in STOP_SIGNALS:
        signal.signal(number, signal.SIG_IGN)
    raise KeyboardInterrupt


def _resume_command(arguments: Sequence[str]) -> str:
    """The same command line with --resume."""
    return command_text(*arguments, *(["--resume"] if "--resume" not in arguments else []))
