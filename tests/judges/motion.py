"""`make judges`: the sample robots in simulators, each in its own environment; every joint must move freely.

    python -m tests.judges.motion NAME=PYTHON …      NAME is a simulator and its release, such as mujoco-3.2.7

The six robots among the samples, as plain URDF and MuJoCo's also as ROS 2 package, must load with their meshes, and
contacts may take a tenth of the motion of a joint at most. `traps` must load. With FULL=1, 20 robots of
example-robot-data are exported as ROS 2 packages, with their meshes; a simulator that loads the original must load the
export, and its joints must move, with contacts, at least as far as those of the original.
"""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path
from typing import Any, NamedTuple

from lxml import etree

from swgrm.errors import SwgrmError
from swgrm_addin.pipeline import export
from tests.judges.__main__ import originals
from tests.judges.child import answers_of

ROBOTS = ("arm", "gripper", "four_bar", "mobile_base", "stewart", "lead_screw")
FREE = 0.9  # of the motion without contacts
REAL = 20
MOST_JOINTS = 8  # pushed per robot: enough for all but the Stewart platform, whose legs are alike


class MotionCase(NamedTuple):
    """A URDF file and the joints to push."""

    file: Path
    joints: tuple[str, ...] = ()


def simulate(name: str, python: Path, cases: list[MotionCase]) -> dict[str, dict[str, Any]]:
    """The answers of a simulator by file."""
    questions = ({"file": str(case.file), "joints": case.joints} for case in cases)
    return answers_of(name, python, "simulate.py", questions, name.partition("-")[0])


def moving_joints(file: Path) -> tuple[str, ...]:
    """The joints that move and follow no other."""
    joints = etree.parse(file).getroot().findall("joint")
    return tuple(str(each.get("name")) for each in joints if each.get("type") != "fixed" and each.find("mimic") is None)


def sample_cases(folder: Path) -> tuple[list[MotionCase], list[MotionCase]]:
    """The samples as URDF files, and as ROS 2 packages."""
    plain, packages = [], []
    for name in (*ROBOTS, "traps"):
        export(f"mock:{name}", folder / name, formats=("urdf",))
        (file,) = (folder / name).glob("*.urdf")
        plain.append(MotionCase(file, moving_joints(file)[:MOST_JOINTS] if name in ROBOTS else ()))
        export(f"mock:{name}", folder / f"{name}_package", formats=("ros2",))
        packages.append(MotionCase(next((folder / f"{name}_package").rglob("*.urdf"))))
    return plain, packages


def judge_samples(name: str, python: Path, cases: list[MotionCase]) -> list[str]:
    """What a simulator refuses, and the joints that contacts hold."""
    failures, pushed = [], 0
    answers = simulate(name, python, cases)
    for case in cases:
        answer = answers[str(case.file)]
        if not answer["ok"]:
            failures.append(f"{name} refuses {case.file.name}: {answer['error']}")
        for joint, (with_contacts, without) in answer.get("moves", {}).items():
            pushed += 1
            if not abs(with_contacts) > FREE * abs(without) > 1e-4:
                failures.append(f"{name}, {case.file.name}: {joint} moves {with_contacts:.4g} of {without:.4g}")
    loaded = sum(answer["ok"] for answer in answers.values())
    _print(name, f"samples: took {loaded} of {len(cases)}; {pushed} joints pushed, {len(failures)} failures")
    return failures


def judge_packages(name: str, python: Path, cases: list[MotionCase]) -> list[str]:
    answers = simulate(name, python, cases)
    bad = [f"{name} refuses the package of {Path(f).name}: {a['error']}" for f, a in answers.items() if not a["ok"]]
    _print(name, f"ROS 2 packages: took {len(cases) - len(bad)} of {len(cases)}")
    return bad


def real_cases(python: Path, folder: Path) -> list[tuple[Path, MotionCase]]:
    """Real robots and their exports with collision shapes and meshes."""
    cases: list[tuple[Path, MotionCase]] = []
    for original in originals(python):
        if len(cases) == REAL:
            break
        try:
            export(str(original), folder / original.stem, formats=("ros2",))
        except SwgrmError:
            continue
        file = next((folder / original.stem).rglob("*.urdf"))
        cases.append((original, MotionCase(file, moving_joints(original)[:MOST_JOINTS])))
    return cases


def judge_real(name: str, python: Path, cases: list[tuple[Path, MotionCase]]) -> list[str]:
    """The exports that a simulator refuses or holds, other than their originals."""
    files = [MotionCase(original, case.joints) for original, case in cases] + [case for _, case in cases]
    answers = simulate(name, python, files)
    failures, taken, pushed = [], 0, 0
    for original, case in cases:
        before, after = answers[str(original)], answers[str(case.file)]
        taken += before["ok"]
        if before["ok"] and not after["ok"]:
            failures.append(f"{name} took {original.name}, not the export: {after['error']}")
        for joint, (moved, _) in after.get("moves", {}).items() if before["ok"] else ():
            pushed += 1
            if abs(moved) < FREE * abs(before["moves"][joint][0]):
                failures.append(
                    f"{name}, {original.name}: {joint} moves {moved:.4g} of {before['moves'][joint][0]:.4g}"
                )
    exports = sum(answers[str(case.file)]["ok"] for _, case in cases)
    took = f"took {taken} of {len(cases)} originals, {exports} of our exports"
    _print(name, f"real robots: {took}; {pushed} joints pushed in both, {len(failures)} failures")
    return failures


def _print(name: str, text: str) -> None:
    sys.stdout.write(f"{name:<15} {text}\n")
    sys.stdout.flush()


def main() -> int:
    simulators = dict(argument.split("=", 1) for argument in sys.argv[1:])
    failures: list[str] = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        os.environ["SWGRM_CACHE"] = str(folder / "cache")
        plain, packages = sample_cases(folder)
        judges = os.environ.get("FULL") and Path(simulators["mujoco-newest"])
        real = real_cases(judges, folder / "real") if judges else []
        for simulator, python in simulators.items():
            failures += judge_samples(simulator, Path(python), plain)
            if simulator.startswith("mujoco"):
                failures += judge_packages(simulator, Path(python), packages)
            if real:
                failures += judge_real(simulator, Path(python), real)
    for failure in failures:
        sys.stdout.write(f"FAILED {failure}\n")
    sys.stdout.write(f"{len(failures)} failures\n")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
