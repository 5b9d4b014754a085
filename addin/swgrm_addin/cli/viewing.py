"""The commands `view` and `review`: the robot in 3D, in the browser."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from swgrm_addin.cli.options import CONFIGURATION, OPTION, PATH, SETTINGS, SOURCE, bar, options

if TYPE_CHECKING:
    from swgrm_addin.pipeline import Progress
    from swgrm_addin.settings_file import OptionsBySection


@click.command
@SOURCE
@click.option("-o", "--out", type=PATH, help="The page to write; by default in a temporary folder.", metavar="FILE")
@SETTINGS
@OPTION
@click.option("--browser/--no-browser", default=True, show_default=True, help="Open the page in the browser.")
def view(
    source: str,
    out: Path | None,
    settings: Path | None,
    option: tuple[str, ...],
    browser: bool,
) -> None:
    """Show a robot in 3D, in the browser.

    The page is one HTML file with a slider per joint, which works without a network.
    """
    import webbrowser

    from swgrm.storage.files import read_bytes, write_bytes

    path = _checked(out)
    with bar() as progress:
        made = _page(source, settings, options(option), progress)
    path = path or made
    if path != made:
        write_bytes(path, read_bytes(made))
        made.unlink()
        made.parent.rmdir()
    click.echo(f"wrote {path}")
    if browser and not webbrowser.open(path.resolve().as_uri()):
        click.echo(f"No browser was found. Open {path} in one.", err=True)


def _page(source: str, settings: Path | None, given: OptionsBySection, progress: Progress) -> Path:
    """The page of a source, in a temporary folder that holds nothing else."""
    from shutil import copyfile
    from tempfile import TemporaryDirectory, mkdtemp

    from swgrm_addin.pipeline import export

    with TemporaryDirectory(prefix="swgrm-") as folder:
        done = export(source, folder, formats=("html",), settings=settings, options=given, progress=progress)
        page = next(path for path in done.files if path.suffix == ".html")
        return Path(copyfile(page, Path(mkdtemp(prefix="swgrm-")) / page.name))


def _checked(out: Path | None) -> Path | None:
    """The file to write, which must not replace anything but an earlier page."""
    from swgrm.errors import FileError
    from swgrm.storage.files import read_bytes
    from swgrm_exporters.html.page import GENERATOR

    if out is not None and out.exists() and GENERATOR not in read_bytes(out)[:1000].decode("utf-8", "replace"):
        raise FileError(out, "the file exists and is not a page of swgrm", remedy="Give another name, or remove it")
    return out


@click.command
@SOURCE
@click.option(
    "--settings", type=PATH, help="The settings file to write; by default NAME.grm.yaml beside SOURCE.", metavar="FILE"
)
@click.option(
    "-o", "--out", type=PATH, help="The folder for Export on the page, unless the settings name one.", metavar="FOLDER"
)
@CONFIGURATION
@click.option("--browser/--no-browser", default=True, show_default=True, help="Open the page in the browser.")
def review(
    source: str,
    settings: Path | None,
    out: Path | None,
    configuration: str,
    browser: bool,
) -> None:
    """Correct a robot in the browser, and export it.

    Changes are written into the settings file. Ends when the page is closed.
    """
    import webbrowser

    from swgrm.errors import FileError
    from swgrm_addin.review.server import ReviewServer
    from swgrm_addin.review.session import ReviewSession
    from swgrm_addin.settings_file import settings_path
    from swgrm_addin.sources import MOCK

    is_sample = source.startswith(MOCK)
    settings = settings or settings_path(f"{source.removeprefix(MOCK)}.swcap" if is_sample else source)
    if settings is None:
        raise FileError(source or "SOURCE", "the document is not named", remedy="Name it, or use --settings FILE")
    server = ReviewServer(ReviewSession(source, settings, out, configuration))
    click.echo(server.address)
    if browser and not webbrowser.open(server.opener().as_uri()):
        click.echo("No browser was found. Open this address in one.", err=True)
    server.run()
    click.echo("The page was closed.")
