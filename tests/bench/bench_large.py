"""Large robots: joints, components in a wrong body, and warnings, with and without patterns and for all sets of names.

`python -m tests.bench.bench_large arm:250 arm:1000 [--names mixed words]` judges some of them.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable

from swgrm.inference import Inference, infer
from swgrm_mocks.large.names import NAME_SETS, NameSet
from swgrm_mocks.large.robots import RobotKind, make_large_robot
from tests.bench.measure import row, worked
from tests.large_robots import judge

ROBOTS: tuple[tuple[RobotKind, int], ...] = (("arm", 250), ("arm", 1000), ("arm", 3000), ("quadruped", 800))
PATTERNS: dict[str, dict[str, bool]] = {
    "no patterns": {"patterns": False},
    "not read": {"patterns": True, "reads_patterns": False},  # as captures of older versions
    "patterns": {"patterns": True},
}
DETAIL = 0.1  # shapes hardly matter to inference


def run(robots: Iterable[tuple[RobotKind, int]] = ROBOTS, name_sets: Iterable[NameSet] = ("mixed",)) -> None:
    """Print a line for each robot."""
    row("robot", "components", "joints", "of", "false joints", "wrong body", "warnings", "lines", "cpu s")
    for kind, size in robots:
        for names in name_sets:
            for patterns in PATTERNS:
                _judge_one(kind, size, names, patterns)


def _judge_one(kind: RobotKind, size: int, names: NameSet, patterns: str) -> None:
    robot = make_large_robot(kind, size, names=names, detail=DETAIL, **PATTERNS[patterns])
    inferences: list[Inference] = []
    cost = worked(lambda: inferences.append(infer(robot.capture)))
    verdict = judge(robot, inferences[0])
    title = f"{kind} {size}, {names}, {patterns}"
    numbers = verdict.joints, robot.joints, verdict.false_joints, len(verdict.wrong), verdict.warnings, verdict.kinds
    row(title, len(robot.links), *numbers, f"{cost:.2f}")


def main() -> None:
    """Judge the robots that the command line names."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.bench_large", description=__doc__)
    parser.add_argument("robots", nargs="*", default=[f"{kind}:{size}" for kind, size in ROBOTS], metavar="KIND:SIZE")
    parser.add_argument("--names", nargs="+", choices=NAME_SETS, default=["mixed"])
    arguments = parser.parse_args()
    robots = []
    for text in arguments.robots:
        kind, _, size = text.partition(":")
        robots.append((kind, int(size)))
    run(robots, arguments.names)


if __name__ == "__main__":
    main()
