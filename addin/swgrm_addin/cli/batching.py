"""The verb `batch`: a folder of assemblies in, a folder of robots out, with a table of how it goes."""

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

STOPPING = (signal.SIGINT, signal.SIGTERM)


def batch(
    folder: Path = typer.Argument(help="The folder with the documents.", metavar="FOLDER"),
    out: Path = typer.Option(..., "-o", "--out", help="The folder to write into.", metavar="OUT"),
    pattern: str = typer.Option(
        "",
        help="File names, e.g. 'arm*.SLDASM'; parts need a pattern.",
        metavar="PATTERN",
    ),
    recursive: bool = typer.Option(False, "--recursive", "-r", help="Look into the folders below, too."),
    configuration: str = typer.Option("", help="The configuration to read, in every document.", metavar="NAME"),
    settings: Path | None = typer.Option(None, help="Settings for documents without any beside them.", metavar="FILE"),
    format: str = FORMAT,  # noqa: A002 - the option's name
    jobs: int = typer.Option(1, min=1, help="Documents at once: as many as you have licences.", metavar="N"),
    timeout: float = typer.Option(3600, min=0, help="Seconds that a document may take; 0: any.", metavar="S"),
    restart_every: int = typer.Option(50, min=0, help="Documents per SolidWorks; 0: any number.", metavar="N"),
    resume: bool = typer.Option(False, "--resume", help="Skip what is complete and unchanged."),
    attach: bool = typer.Option(False, "--attach", help="Use the SolidWorks that is open, instead of own ones."),
    scheduler: str = typer.Option("", help="The Dask scheduler whose workers do it.", metavar="ADDRESS"),
    json: bool = JSON,
) -> None:
    """Export every document of a folder; exit 1 if some failed."""
    from swgrm_addin.batch import Options
    from swgrm_addin.batch import batch as run
    from swgrm_addin.batch.records import HTML_REPORT
    from swgrm_addin.batch.watching import Table
    from swgrm_addin.cli import report

    options = Options(names(format), configuration, timeout, restart_every, attach)
    for told in STOPPING:
        signal.signal(told, _stop)
    try:
        with Table() as table:
            done = run(
                folder, out, pattern=pattern, recursive=recursive, settings=settings, options=options,
                jobs=jobs, resume=resume, scheduler=scheduler, watcher=table,
            )  # fmt: skip
    except KeyboardInterrupt:
        raise Cancelled(f"Stopped. Go on with: {_resuming(sys.argv[1:])}") from None
    if json:
        report.write_json(done)
    else:
        typer.echo(", ".join(f"{count:,} {result}" for result, count in done.counts.items() if count))
        typer.echo(f"wrote {out / HTML_REPORT}")
    raise typer.Exit(0 if done.is_complete else 1)


def _stop(*_: object) -> None:
    """Signal handler: stop the subprocesses; ignore further signals while stopping."""
    for told in STOPPING:
        signal.signal(told, signal.SIG_IGN)
    raise KeyboardInterrupt


def _resuming(words: Sequence[str]) -> str:
    """The command that goes on: all options decide what is complete."""
    join = subprocess.list2cmdline if sys.platform == "win32" else shlex.join
    return join(["swgrm", *words, *(["--resume"] if "--resume" not in words else [])])


COMMANDS = (batch,)
