"""The command `generate`: writes synthetic robots."""

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
    dof: str = typer.Option(..., help="Number of joints; several numbers, separated by commas, for several sizes."),
    seed: int | None = typer.Option(None, min=0, help="Random seed; by default one is chosen and printed."),
    out: Path = typer.Option(..., "-o", "--out", help="The folder to write into.", metavar="FOLDER"),
    count: int = typer.Option(1, help="Number of robots per size and share."),
    sweep: str = typer.Option("", help="Shares of prismatic joints (0 to 1), separated by commas."),
    format: str = typer.Option("urdf", help="Formats, separated by commas.", metavar="NAMES"),  # noqa: A002 - the name of the option
    balls: int = typer.Option(0, help="Number of joints that are ball joints."),
    screws: int = typer.Option(0, help="Number of joints that are screw joints."),
    branches: int = typer.Option(0, help="Number of joints that start a new branch."),
    loops: int = typer.Option(0, help="Number of closed loops."),
    workers: int | None = typer.Option(None, min=1, help="Number of processes; by default one per processor."),
) -> None:
    """Generate synthetic robots, reproducible by their seed.

    They are chains of revolute and prismatic joints.
    """
    from swgrm_addin.synthetic import loaded

    MixedChainGenerator, write_robots = loaded("generator").MixedChainGenerator, loaded("sweep").write_robots
    sizes, shares = _numbers(dof, "--dof", int), _numbers(sweep, "--sweep", float)
    extras: dict[str, Any] = {"balls": balls, "screws": screws, "branches": branches, "loops": loops}
    if not sizes:
        raise SwgrmError("--dof is empty: give the number of joints.")
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
        raise SwgrmError(f"{option} is `{text}`, but must be one number, or several separated by commas.") from None


@contextmanager
def _bar(total: int) -> Iterator[Callable[[int, int], object]]:
    """A progress bar, on a terminal only."""
    from rich.console import Console
    from rich.progress import Progress as Bar

    with Bar(console=Console(stderr=True), disable=not sys.stderr.isatty()) as bar:
        task = bar.add_task("generating", total=total)
        yield lambda done, _: bar.update(task, completed=done)


COMMANDS = (generate,)
