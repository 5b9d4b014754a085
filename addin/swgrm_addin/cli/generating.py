"""The command `generate`: writes synthetic robots."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import click

from swgrm.errors import SwgrmError
from swgrm_addin.cli.options import PATH, names

T = TypeVar("T")


@click.command
@click.option("--dof", required=True, help="Number of joints, or several numbers, separated by commas.", metavar="N")
@click.option("--seed", type=click.IntRange(min=0), help="Seed; by default one is chosen and printed.", metavar="N")
@click.option("-o", "--out", type=PATH, required=True, help="The folder to write into.", metavar="FOLDER")
@click.option(
    "--count",
    type=int,
    default=1,
    show_default=True,
    help="Number of robots for each number of joints and each share.",
    metavar="N",
)
@click.option("--sweep", default="", help="Shares of prismatic joints (0 to 1), separated by commas.", metavar="SHARES")
@click.option("--format", default="urdf", show_default=True, help="Formats, separated by commas.", metavar="NAMES")
@click.option(
    "--balls", type=int, default=0, show_default=True, help="Number of joints that are ball joints.", metavar="N"
)
@click.option(
    "--screws", type=int, default=0, show_default=True, help="Number of joints that are screw joints.", metavar="N"
)
@click.option(
    "--branches", type=int, default=0, show_default=True, help="Number of joints that start a new branch.", metavar="N"
)
@click.option("--loops", type=int, default=0, show_default=True, help="Number of closed loops.", metavar="N")
@click.option("--workers", type=click.IntRange(min=1), help="Processes; by default one per processor.", metavar="N")
def generate(
    dof: str,
    seed: int | None,
    out: Path,
    count: int,
    sweep: str,
    format: str,  # noqa: A002 - the option's name
    balls: int,
    screws: int,
    branches: int,
    loops: int,
    workers: int | None,
) -> None:
    """Generate synthetic robots, reproducible by their seed.

    They are chains of revolute and prismatic joints.
    """
    from swgrm_addin.cli.report import plural
    from swgrm_addin.synthetic import loaded

    MixedChainGenerator, write_robots = loaded("generator").MixedChainGenerator, loaded("sweep").write_robots
    sizes, shares = _numbers(dof, "--dof", int), _numbers(sweep, "--sweep", float)
    extras: dict[str, Any] = {"balls": balls, "screws": screws, "branches": branches, "loops": loops}
    if not sizes:
        raise SwgrmError("--dof is empty: give the number of joints.")
    if not names(format):
        raise SwgrmError("--format is empty: give one format, or several separated by commas.")
    if len(sizes) == count == 1 and not shares:
        generator = MixedChainGenerator(sizes[0], seed=seed, **extras)
        batch = [(generator, {"dof": sizes[0], "prismatic_prob": None, "index": 0, "seed": generator.seed})]
    else:
        batch = MixedChainGenerator.batch_generate(sizes, count, shares or None, seed, **extras)
    with _bar(len(batch)) as progress:
        files = write_robots(batch, out, names(format), workers=workers, progress=progress)
    first = batch[0][1]
    click.echo(f"generated {plural(len(batch), 'robot')} from seed {first.get('batch_seed', first['seed'])}")
    for file in files if len(files) <= 10 else files[-1:]:
        click.echo(f"wrote {file}")


def _numbers(text: str, option: str, kind: Callable[[str], T]) -> list[T]:
    try:
        return [kind(word) for word in names(text)]
    except ValueError:
        raise SwgrmError(f"{option} is `{text}`, but must be one number, or several separated by commas.") from None


@contextmanager
def _bar(total: int) -> Iterator[Callable[[int, int], object]]:
    """A progress bar, on a terminal only."""
    from rich.console import Console
    from rich.progress import Progress as Bar

    with Bar(console=Console(stderr=True), disable=not sys.stderr.isatty()) as bar:
        task = bar.add_task("generating", total=total)
        yield lambda done, _: bar.update(task, completed=done)
