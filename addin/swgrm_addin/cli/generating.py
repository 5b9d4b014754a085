"""The verb `generate`: synthetic robots as files."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import typer

from swgrm.errors import SwgrmError
from swgrm_addin.cli.options import names

T = TypeVar("T")


def generate(
    dof: str = typer.Option(..., help="How many joints; several numbers, separated by commas, for several sizes."),
    seed: int | None = typer.Option(None, min=0, help="The seed; by default one is drawn and shown."),
    out: Path = typer.Option(..., "-o", "--out", help="The folder to write into.", metavar="FOLDER"),
    count: int = typer.Option(1, help="How many robots of each kind."),
    sweep: str = typer.Option("", help="Shares of prismatic joints, separated by commas: each gets its robots."),
    format: str = typer.Option("urdf", help="Formats, separated by commas.", metavar="NAMES"),  # noqa: A002 - the name of the option
    balls: int = typer.Option(0, help="How many of the joints are balls."),
    screws: int = typer.Option(0, help="How many of the joints are screws."),
    branches: int = typer.Option(0, help="How many joints start a branch of their own."),
    loops: int = typer.Option(0, help="How many loops are closed."),
    workers: int | None = typer.Option(None, min=1, help="How many processes; by default one per processor."),
) -> None:
    """Generate synthetic robots: chains of revolute and prismatic joints, the same for the same seed everywhere."""
    from swgrm_addin.synthetic import loaded

    MixedChainGenerator, write_robots = loaded("generator").MixedChainGenerator, loaded("sweep").write_robots
    sizes, shares = _numbers(dof, "--dof", int), _numbers(sweep, "--sweep", float)
    extras: dict[str, Any] = {"balls": balls, "screws": screws, "branches": branches, "loops": loops}
    if not sizes:
        raise SwgrmError("--dof is empty: say how many joints.")
    if len(sizes) == count == 1 and not shares:
        generator = MixedChainGenerator(sizes[0], seed=seed, **extras)
        batch = [(generator, {"dof": sizes[0], "prismatic_prob": None, "index": 0, "seed": generator.seed})]
    else:
        batch = MixedChainGenerator.batch_generate(sizes, count, shares or None, seed, **extras)
    with _bar(len(batch)) as progress:
        files = write_robots(batch, out, names(format), workers=workers, progress=progress)
    first = batch[0][1]
    robots = f"{len(batch)} robots" if len(batch) > 1 else "1 robot"
    typer.echo(f"generated {robots} from seed {first.get('batch_seed', first['seed'])}")
    for file in files if len(files) <= 10 else files[-1:]:
        typer.echo(f"wrote {file}")


def _numbers(text: str, option: str, kind: Callable[[str], T]) -> list[T]:
    try:
        return [kind(word) for word in names(text)]
    except ValueError:
        raise SwgrmError(f"{option} is `{text}`: it is one number, or several separated by commas.") from None


@contextmanager
def _bar(total: int) -> Iterator[Callable[[int, int], object]]:
    """A progress bar on a terminal; nothing elsewhere."""
    from rich.console import Console
    from rich.progress import Progress as Bar

    with Bar(console=Console(stderr=True), disable=not sys.stderr.isatty()) as bar:
        task = bar.add_task("generating", total=total)
        yield lambda done, _: bar.update(task, completed=done)


COMMANDS = (generate,)
