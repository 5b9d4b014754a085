"""The command `selftest`: measure what SolidWorks' mates mean, read the report of a test, and apply its results."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from swgrm_addin.cli.options import JSON, PATH, bar, names

if TYPE_CHECKING:
    from swgrm_addin.selftest.judge.report import Report

OUT = click.option(
    "-o", "--out", type=PATH, help="The file to write; by default swgrm-selftest-VERSION-DATE.zip.", metavar="FILE.zip"
)
MOCK = click.option("--mock", is_flag=True, help="Test the mock SolidWorks, to see what the self-test does.")
READ = click.option(
    "--read", type=PATH, help="Print the report in a file instead of running the test.", metavar="FILE.zip"
)
APPLY = click.option(
    "--apply", is_flag=True, help="Write the measured choice of each refuted convention into your defaults."
)
UNDO = click.option("--undo", is_flag=True, help="With --apply: remove what --apply wrote from your defaults.")
ONLY = click.option("--only", default="", help="Build these assemblies only, separated by commas.", metavar="NAMES")
COLOURS = {"confirmed": "green", "refuted": "red", "undecided": "yellow", "measured": "cyan"}


@click.command
@OUT
@MOCK
@READ
@APPLY
@UNDO
@JSON
@ONLY
def selftest(out: Path | None, mock: bool, read: Path | None, apply: bool, undo: bool, json: bool, only: str) -> None:
    """Build small assemblies in SolidWorks, move and read them, and report what its API means; see docs/selftest.md."""
    if undo:
        _undo(apply=apply)
        return
    written: Path | None = None
    if read is not None:
        from swgrm_addin.selftest.judge.archive import read_archive

        report = read_archive(read)
    else:
        report, written = _run(out, names(only), mock=mock)
    _print(report, written, as_json=json)
    if apply:
        _apply(report, read or written)
    raise click.exceptions.Exit(1 if _refuted(report) else 0)


def _run(out: Path | None, only: tuple[str, ...], *, mock: bool) -> tuple[Report, Path]:
    from swgrm.storage.files import check_new
    from swgrm_addin.selftest.command import run_selftest

    if out is not None:
        check_new(out)
    with bar() as progress:
        application = _application(mock=mock)
        file = out or _default_file(str(application.RevisionNumber()), "mock" if mock else "")
        return run_selftest(application, file, progress, mock=mock, only=only), file


def _application(*, mock: bool) -> Any:  # noqa: ANN401 - an object of SolidWorks
    if mock:
        from swgrm_addin.synthetic import modelling_application

        return modelling_application()
    from importlib.util import find_spec

    from swgrm.errors import SolidWorksError

    if find_spec("pythoncom") is None:
        raise SolidWorksError(
            "The self-test needs SolidWorks, which is not installed on this machine. Run it on a machine with "
            "SolidWorks, or with --mock to see what it does."
        )
    from swgrm_addin.com import reach

    return reach.started(report=lambda sentence: click.echo(sentence, err=True))


def _default_file(release: str, prefix: str) -> Path:
    """A new file in the current folder, named after the version of SolidWorks and the date."""
    from datetime import UTC, datetime

    from swgrm.storage.files import unused

    date = datetime.now(UTC).strftime("%Y-%m-%d")
    return unused("-".join(filter(None, ["swgrm-selftest", prefix, release, date])), ".zip")


def _refuted(report: Report) -> bool:
    from swgrm_addin.selftest.judge.checks import Verdict

    verdicts = [*(each.verdict for each in report.conventions), *(check.verdict for check in report.checks)]
    return Verdict.REFUTED in verdicts


def _print(report: Report, written: Path | None, *, as_json: bool) -> None:
    if as_json:
        import msgspec

        from swgrm_addin.cli.report import write_json

        write_json(msgspec.to_builtins(report) | {"file": str(written or "")})
        return
    from swgrm_addin.selftest.judge.checks import Verdict

    for each in report.conventions:
        fits = f": {', '.join(each.fitting) or 'no known choice'} fits" if each.verdict is Verdict.REFUTED else ""
        click.echo(f"{_coloured(each.verdict)} {each.key} ({each.default}){fits}")
    for check in report.checks:
        if check.verdict in (Verdict.REFUTED, Verdict.UNDECIDED):
            seen = check.seen.replace("\n", "; ")
            click.echo(f"{_coloured(check.verdict)} {check.id}: {check.title}: {seen}")
    counts = ", ".join(f"{report.count(verdict)} {verdict}" for verdict in Verdict if report.count(verdict))
    click.echo(f"{len(report.checks)} checks: {counts}")
    if report.stopped:
        from swgrm.errors import sentence

        click.echo(f"The run ended early: {sentence(report.stopped)}")
    if written is not None:
        click.echo(f"wrote {written}")


def _coloured(verdict: str) -> str:
    return click.style(f"{verdict:9}", fg=COLOURS[verdict])


def _apply(report: Report, file: Path | None) -> None:
    from swgrm_addin.user_defaults import apply_conventions

    corrections = report.corrections
    if not corrections:
        click.echo("No convention was refuted with a choice that fits. Your defaults are not changed.")
        return
    where = report.environment
    reason = (
        f"Measured by `swgrm selftest` on SolidWorks {where.solidworks}, {where.date} ({file.name if file else ''})."
    )
    path = apply_conventions(corrections, reason)
    click.echo(f"{', '.join(f'{key}: {choice}' for key, choice in corrections.items())} is now in {path}")


def _undo(*, apply: bool) -> None:
    from swgrm_addin.user_defaults import defaults_file, undo_conventions

    if not apply:
        raise click.UsageError("--undo needs --apply: it removes what --apply wrote.")
    if undo_conventions():
        click.echo(f"What the self-test wrote into {defaults_file()} is removed.")
    else:
        click.echo(f"The self-test has written nothing into {defaults_file()}.")
