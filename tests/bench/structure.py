"""Counts what one export computes: `python -m tests.bench.structure [--where]`.

    Kinematics             3  in 1 places
    meshes decoded        41  in 2 places

`mock:arm` is exported into eight formats with an empty cache, and each function of COUNTED is counted as it is called.
With `--where` every place follows: the function that called it, and the one that called that function.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections import Counter
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from types import CodeType, FrameType
from unittest.mock import patch

FORMATS = ("grm", "robotinfo", "moveit", "ros2", "mjcf", "sdf", "usd", "html")
COUNTED = {  # the noun, and the functions that are called once per computation
    "Kinematics": ("swgrm.kinematics.forward:Kinematics.__init__",),
    "bodies": ("swgrm.kinematics.bodies:Bodies.__init__",),
    "motion of bodies": ("swgrm.kinematics.body_motion:BodyMotion.__init__",),
    "loops": ("swgrm.kinematics.closed_loops:ClosedLoops.__init__",),
    "meshes decoded": ("swgrm.meshes.plain_files:decode_stl", "swgrm.meshes.plain_files:decode_obj"),
    "meshes welded": ("swgrm.meshes.surface:weld",),
}


def count_calls(source: str, formats: tuple[str, ...]) -> dict[str, Counter[str]]:
    """How often an export calls the functions of each noun of COUNTED, by the places that call them."""
    from swgrm_addin.pipeline import export

    counts: dict[str, Counter[str]] = {noun: Counter() for noun in COUNTED}
    places_of: dict[CodeType, Counter[str]] = {}
    for noun, names in COUNTED.items():
        for name in names:
            places_of[_code(name)] = counts[noun]
    with tempfile.TemporaryDirectory() as folder, patch.dict(os.environ, SWGRM_CACHE=str(Path(folder, "cache"))):
        sys.setprofile(_counting(places_of))
        try:
            export(source, Path(folder, "out"), formats=formats)
        finally:
            sys.setprofile(None)
    return counts


def _code(name: str) -> CodeType:
    """The code of a function, or of a method, by which a call of it is known."""
    module, _, attributes = name.partition(":")
    function = import_module(module)
    for attribute in attributes.split("."):
        function = getattr(function, attribute)
    return function.__code__  # type: ignore[no-any-return] # of a function


def _counting(places_of: dict[CodeType, Counter[str]]) -> Callable[[FrameType, str, object], None]:
    """The function that Python calls at each call; it adds the place of those that are counted."""

    def count(frame: FrameType, event: str, _argument: object) -> None:
        if event == "call" and frame.f_code in places_of:
            caller = frame.f_back
            place = f"{_place(caller)} < {_place(caller and caller.f_back)}"
            places_of[frame.f_code][place] += 1

    return count


def _place(frame: FrameType | None) -> str:
    """The file and the function of a frame."""
    if frame is None:
        return "the beginning"
    path = Path(frame.f_code.co_filename)
    return f"{path.parent.name}/{path.name} {frame.f_code.co_name}"


def main(*, where: bool) -> None:
    """Print the table."""
    for noun, places in count_calls("mock:arm", FORMATS).items():
        sys.stdout.write(f"{noun:<20}{places.total():>4}  in {len(places)} places\n")
        if where:
            sys.stdout.write("".join(f"{count:>24}  {place}\n" for place, count in places.most_common()))


if __name__ == "__main__":
    main(where="--where" in sys.argv[1:])
