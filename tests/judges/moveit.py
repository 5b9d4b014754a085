"""`make judges`: SRDF files of real robots, read by pinocchio; with FULL=1 their pairs against brute force.

    python -m tests.judges.moveit PYTHON [NAME …]      PYTHON has example-robot-data

pinocchio must remove exactly the listed pairs of links, and catkin_pkg reads the package's manifest. With FULL=1, coal
checks the pairs that are disabled as never in 100,000 random states: none may collide in more than 0.1 % of them. Names
choose some of the robots.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path
from time import process_time

from swgrm_addin.pipeline import export
from tests.exporters.moveit.brute_force import SHARE, ExportedPackages, collisions, removed_pairs
from tests.judges.__main__ import Case, ask

ROBOTS = (
    "ur_description/urdf/ur5_robot.urdf",
    "z1_description/urdf/z1.urdf",
    "allegro_hand_description/urdf/allegro_left_hand.urdf",
    "panda_description/urdf/panda.urdf",
    "kinova_description/robots/kinova.urdf",
    "xarm_description/urdf/xarm7.urdf",
    "anymal_b_simple_description/robots/anymal.urdf",
    "laikago_description/urdf/laikago.urdf",
    "baxter_description/urdf/baxter.urdf",
    "icub_description/robots/icub.urdf",
)
FULL = bool(os.environ.get("FULL"))
IN_CI = 3  # the first ones, which take seconds
STATES = 100_000


def folder_of_robots(python: Path) -> Path:
    """The folder of the package example-robot-data."""
    code = "import site, sys; sys.stdout.write(site.getsitepackages()[0])"
    done = subprocess.run([str(python), "-c", code], capture_output=True, text=True, check=True, timeout=60)
    return Path(done.stdout) / "cmeel.prefix" / "share" / "example-robot-data" / "robots"


def failures(file: Path, out: Path, python: Path) -> list[str]:
    """What is wrong with the package of a robot; prints one line about it."""
    start = process_time()
    done = export(str(file), out, formats=("moveit",))
    seconds = process_time() - start
    packages = ExportedPackages(out)
    rows = packages.rows()
    removed, listed = removed_pairs(packages)
    problems = [] if removed == listed else [f"pinocchio removes {sorted(removed ^ listed)} otherwise"]
    manifests = [Case(each, {}) for each in out.glob("*_moveit_config/package.xml")]
    answers = ask(python, "catkin_pkg", manifests)
    problems += [f"catkin_pkg: {each.get('error')}" for each in answers.values() if not each["ok"]]
    problems += [] if answers else ["there is no package.xml"]
    never = {pair for pair, reason in rows.items() if reason == "Never"}
    found = collisions(packages, never, STATES, done.robot) if FULL else Counter()
    problems += [f"{pair} collides in {n} states" for pair, n in found.items() if n > SHARE * STATES]
    counts = ", ".join(f"{n} {reason}" for reason, n in sorted(Counter(rows.values()).items()))
    rare = f"; {len(found)} of the latter collide, at most in {max(found.values(), default=0)} states" if FULL else ""
    sys.stdout.write(f"  {file.stem}: {counts} in {seconds:.1f} s{rare}\n")
    sys.stdout.flush()
    return [f"{file.stem}: {each}" for each in problems]


def main(python: Path, names: list[str]) -> None:
    robots = folder_of_robots(python)
    chosen = [each for each in ROBOTS if any(name in each for name in names)] or ROBOTS[: None if FULL else IN_CI]
    problems = []
    with tempfile.TemporaryDirectory() as folder:
        for number, name in enumerate(chosen):
            problems += failures(robots / name, Path(folder) / str(number), python)
    sys.stdout.write(f"SRDF of {len(chosen)} real robots: {len(problems)} failures\n")
    if problems:
        raise SystemExit("\n".join(problems))


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
