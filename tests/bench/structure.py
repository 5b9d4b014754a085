"""Counts what one export computes about the model: `python -m tests.bench.structure [--where]`.

    Kinematics             3  in 1 places
    bodies                 3  in 1 places

`mock:arm` is exported into eight formats with an empty cache, and each class of COUNTED is counted as it is built.
With `--where` every place follows: the function that built it, and the one that called that function.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections import Counter
from importlib import import_module
from pathlib import Path
from unittest.mock import patch

FORMATS = ("grm", "robotinfo", "moveit", "ros2", "mjcf", "sdf", "usd", "html")
COUNTED = {  # the noun, and the classes that are built once per computation
    "Kinematics": ("swgrm.kinematics:Kinematics",),
    "bodies": ("swgrm.bodies:Bodies",),
    "motion of bodies": ("swgrm.body_motion:BodyMotion",),
    "loops": ("swgrm.closed_loops:ClosedLoops",),
}


def count_builds(source: str, formats: tuple[str, ...]) -> dict[str, Counter[str]]:
    """How often an export builds each class of COUNTED, by the places that build it."""
    from swgrm_addin.pipeline import export

    counts: dict[str, Counter[str]] = {noun: Counter() for noun in COUNTED}
    patches = []
    for noun, names in COUNTED.items():
        for name in names:
            module, _, class_name = name.partition(":")
            built = getattr(import_module(module), class_name)
            patches.append(patch.object(built, "__init__", _counting(built, counts[noun])))
    with tempfile.TemporaryDirectory() as folder, patch.dict(os.environ, SWGRM_CACHE=str(Path(folder, "cache"))):
        for patched in patches:
            patched.start()
        try:
            export(source, Path(folder, "out"), formats=formats)
        finally:
            for patched in patches:
                patched.stop()
    return counts


def _counting(built: type, places: Counter[str]) -> object:
    """The constructor of a class, which first adds the place that calls it."""
    constructor = built.__init__  # type: ignore[misc] # of a class that nobody derives from

    def counting_constructor(self: object, *arguments: object, **named: object) -> None:
        places[f"{_place(2)} < {_place(3)}"] += 1
        constructor(self, *arguments, **named)

    return counting_constructor


def _place(depth: int) -> str:
    """The file and the function so many calls above."""
    code = sys._getframe(depth).f_code
    path = Path(code.co_filename)
    return f"{path.parent.name}/{path.name} {code.co_name}"


def main(*, where: bool) -> None:
    """Print the table."""
    for noun, places in count_builds("mock:arm", FORMATS).items():
        sys.stdout.write(f"{noun:<20}{places.total():>4}  in {len(places)} places\n")
        if where:
            sys.stdout.write("".join(f"{count:>24}  {place}\n" for place, count in places.most_common()))


if __name__ == "__main__":
    main(where="--where" in sys.argv[1:])
