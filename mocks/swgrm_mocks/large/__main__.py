"""Writes captures of large robots: `python -m swgrm_mocks.large FOLDER arm:1000 quadruped:800 --patterns`."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from swgrm.capture import save
from swgrm_mocks.large.names import NAME_SETS
from swgrm_mocks.large.robots import KINDS, make_large_robot

DEFAULT = ["arm:250", "arm:1000", "arm:3000", "quadruped:800"]


def main() -> None:
    """Write one capture per robot, and print its size."""
    parser = argparse.ArgumentParser(prog="python -m swgrm_mocks.large", description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("robots", nargs="*", default=DEFAULT, metavar="KIND:SIZE", help=f"kinds: {', '.join(KINDS)}")
    parser.add_argument("--patterns", action="store_true", help="most fasteners are instances of patterns")
    parser.add_argument("--names", choices=NAME_SETS, default="mixed", help="how parts are called (default: mixed)")
    parser.add_argument("--detail", type=float, default=1.0, help="of the triangles, along each direction")
    arguments = parser.parse_args()
    arguments.folder.mkdir(parents=True, exist_ok=True)
    for text in arguments.robots:
        kind, _, size = text.partition(":")
        if kind not in KINDS or not size.isdecimal():
            parser.error(f"{text} is not KIND:SIZE, such as arm:1000 or quadruped:800")
        robot = make_large_robot(
            kind, int(size), patterns=arguments.patterns, names=arguments.names, detail=arguments.detail
        )
        save(robot.capture, arguments.folder / f"{robot.title}.swcap")
        triangles = sum(len(shape.triangles) // 36 for shape in robot.capture.shapes)
        counts = f"{len(robot.capture.components)} components, {len(robot.capture.shapes)} shapes"
        sys.stdout.write(f"{robot.title}: {counts}, {triangles:,} triangles\n")


if __name__ == "__main__":
    main()
