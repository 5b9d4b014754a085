"""Damages MJCF files at random and reads them: each is a robot that can be written and read again, or an error of ours.

`python -m tests.fuzz.mjcf 10000 [SEED]` runs that many inputs and prints the number of each outcome.
"""

from __future__ import annotations

import sys
from collections import Counter
from functools import cache
from random import Random

from swgrm.errors import SwgrmError
from swgrm_exporters.mjcf.reader import loads
from swgrm_exporters.mjcf.writer import dumps
from swgrm_exporters.xmltext import XmlProblem
from tests.fuzz.urdf import damaged
from tests.mechanisms import MECHANISMS
from tests.robots import Draw


@cache
def corpus() -> list[bytes]:
    """Good files of several sizes and kinds."""
    drawn = [Draw(seed, strange=seed % 3 == 0, plain=seed % 2 == 0).robot(1 + seed % 5) for seed in range(30)]
    return [dumps(robot) for robot in (*drawn, *(each.robot for each in MECHANISMS.values()))]


def judged(data: bytes) -> str:
    """The outcome of an input: `robot`, or the beginning of the error message. Any other exception is raised."""
    try:
        robot = loads(data)
    except XmlProblem as problem:
        return problem.problem.partition(":")[0][:40].split("`")[0]
    try:
        loads(dumps(robot))
    except (SwgrmError, XmlProblem) as error:  # such as joints that follow each other
        return f"not written: {str(error)[:20]}"
    return "robot"


def run(count: int, seed: int = 0) -> Counter[str]:
    """Counts the outcomes of that many inputs."""
    rng, files, outcomes = Random(seed), corpus(), Counter[str]()  # noqa: S311 - damage, not secrets
    for number in range(count):
        data = damaged(rng.choice(files), rng)
        try:
            outcomes["robot" if judged(data) == "robot" else "error"] += 1
        except Exception:
            sys.stderr.write(f"input {number} of seed {seed}: {data!r}\n")
            raise
    return outcomes


if __name__ == "__main__":
    result = run(int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 0)
    sys.stdout.write(f"{sum(result.values()):,} inputs: {dict(result)}; no other exception\n")
