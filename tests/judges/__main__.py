"""`make judges`: check_urdf, urdf_parser_py, yourdfpy, pinocchio and MuJoCo on what swgrm writes.

All five must accept our own robots. A real robot (the package example-robot-data) is read and written again: whoever
accepts the original must accept ours, with the same poses to 1e-9 and the same masses and tensors to 1e-9 relative.
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from lxml import etree

from swgrm import Kinematics, Link, Robot
from swgrm.errors import SwgrmError
from swgrm_exporters.formats import read
from swgrm_exporters.urdf.options import UrdfOptions
from swgrm_exporters.urdf.reader import loads
from swgrm_exporters.urdf.writer import dumps
from swgrm_mocks.example import example_arm
from tests.judges.child import answers_of
from tests.judges.round_trips import go_round
from tests.lookups import joint_of
from tests.robots import Draw

JUDGES = ("check_urdf", "urdf_parser_py", "yourdfpy", "pinocchio", "mujoco")
EXACT = 1e-9
RANDOM = 60  # robots of our own

Poses = dict[str, Mapping[str, np.ndarray]]  # by file and link
Answers = dict[str, dict[str, Any]]


class Case(NamedTuple):
    """A file, and the positions of its joints at which poses are compared."""

    file: Path
    q: dict[str, float]
    meshes: bool = False  # whether its mesh files exist and must load


def ask(python: Path, judge: str, cases: list[Case]) -> Answers:
    """The answer of a judge for each file."""
    questions = ({"file": str(case.file), "q": case.q, "meshes": case.meshes} for case in cases)
    return answers_of(f"the judge {judge}", python, "ask.py", questions, judge)


def positions(robot: Robot, seed: int) -> dict[str, float]:
    """A position for every joint that has one number, followers included; planar and floating ones stay at zero."""
    rng = random.Random(seed)  # noqa: S311 - positions, not secrets
    kinematics = Kinematics(robot)
    native = {"planar", "floating"}
    marked = {name for each in robot.composite_joints if each.type in native for name in each.joints}
    scalar = [name for name in kinematics.independent if joint_of(robot, name).type != "ball" and name not in marked]
    drawn = {name: rng.uniform(-1, 1) for name in scalar}
    return {name: float(value) for name, value in kinematics.positions(drawn).items() if name not in marked}


def our_poses(robot: Robot, q: Mapping[str, float]) -> Mapping[str, np.ndarray]:
    kinematics = Kinematics(robot)
    poses = kinematics.poses({name: q[name] for name in kinematics.independent if name in q})
    return {frame.links[0].name if frame.links else frame.id: poses[frame.id] for frame in robot.frames}


def worst_pose(mine: Mapping[str, Any], theirs: Mapping[str, Any]) -> float:
    """The largest difference of poses, relative to the first link that both have, over all that both have."""
    common = [name for name in theirs if name in mine]
    if not common:
        return 0.0
    return max(float(np.abs(np.array(mine[n]) - np.array(theirs[n])).max()) for n in common)


def worst_mass(before: Mapping[str, list[float]], after: Mapping[str, list[float]]) -> float:
    worst = 0.0
    for name, row in before.items():
        a, b = np.array(row), np.array(after.get(name, [np.inf] * 13))
        for part in (slice(0, 1), slice(1, 4), slice(4, 13)):
            scale = max(float(np.abs(a[part]).max()), 1e-12 if part.start != 1 else 1.0)
            worst = max(worst, float(np.abs(a[part] - b[part]).max()) / scale)
    return worst


class Tally:
    """Counts, and failures with their reasons."""

    def __init__(self) -> None:
        self.failures: list[str] = []

    def check(self, good: bool, what: str) -> bool:
        if not good:
            self.failures.append(what)
        return good


def own_robots() -> Iterator[tuple[str, Robot]]:
    yield "example_arm", example_arm()
    for seed in range(RANDOM):
        yield f"random_{seed}", _without_meshes(Draw(seed, plain=False).robot(2 + seed % 12))


def _without_meshes(robot: Robot) -> Robot:
    """MuJoCo opens mesh files, and random ones do not exist."""
    from msgspec.structs import replace

    def bare(link: Link) -> Link:
        return replace(
            link,
            visuals=tuple(shape for shape in link.visuals if type(shape).__name__ != "Mesh"),
            collisions=tuple(shape for shape in link.collisions if type(shape).__name__ != "Mesh"),
        )

    frames = tuple(replace(frame, links=tuple(bare(link) for link in frame.links)) for frame in robot.frames)
    return replace(robot, frames=frames)


def judge_samples(python: Path, folder: Path, tally: Tally) -> None:
    """Every sample assembly, exported with its meshes as a user would."""
    from swgrm_addin.pipeline import export
    from swgrm_mocks.samples import SAMPLES

    cases, ours = [], Poses()
    for name in SAMPLES:
        done = export(f"mock:{name}", folder / name, formats=("urdf",))
        (file,) = (path for path in done.files if path.suffix == ".urdf")
        cases.append(_case(file, ours, meshes=True))
    _judge_all(python, "samples, meshes too", cases, ours, tally)
    manifests = []
    for name in SAMPLES:
        export(f"mock:{name}", folder / f"{name}_package", formats=("ros2",))
        manifests.append(Case(next((folder / f"{name}_package").glob("*/package.xml")), {}))
    _judge_all(python, "ROS 2 packages of the samples", manifests, ours, tally, ("catkin_pkg",))


def judge_own(python: Path, folder: Path, tally: Tally) -> None:
    """Robots drawn at random, with every joint type."""
    cases, ours = [], Poses()
    for name, robot in own_robots():
        file = folder / f"{name}.urdf"
        file.write_bytes(dumps(robot, UrdfOptions(annotate=False)))
        cases.append(_case(file, ours))
    _judge_all(python, "random robots", cases, ours, tally)


def _case(file: Path, ours: Poses, *, meshes: bool = False) -> Case:
    """A file to judge, and its poses as read without the remarks that would restore balls and screws."""
    root = etree.parse(file).getroot()
    for remark in root.findall("swgrm"):
        root.remove(remark)
    lowered = loads(etree.tostring(root))
    q = positions(lowered, 1)
    ours[str(file)] = our_poses(lowered, q)
    return Case(file, q, meshes)


def _judge_all(
    python: Path, what: str, cases: list[Case], ours: Poses, tally: Tally, judges: tuple[str, ...] = JUDGES
) -> None:
    for judge in judges:
        accepted, worst = 0, 0.0
        for file, answer in ask(python, judge, cases).items():
            accepted += tally.check(answer["ok"], f"{judge} refuses {Path(file).name}: {answer.get('error')}")
            if answer["ok"] and "poses" in answer:
                off = worst_pose(ours[file], answer["poses"])
                worst = max(worst, off)
                tally.check(off < EXACT, f"{judge} sees {Path(file).name} elsewhere, by {off:.3g}")
        counts = f"{what}: took {accepted} of {len(cases)}"
        _print(judge, counts + (f"; poses against ours {worst:.1e}" if worst else ""))


def judge_real(python: Path, tally: Tally) -> None:
    files = originals(python)
    cases: list[tuple[Case, Case]] = []
    ours: Poses = {}
    unread = []
    for original in files:
        try:
            robot = read(original)
        except SwgrmError as error:
            unread.append(f"{original.name} ({error.args[0].partition(': ')[2]})")
            continue
        again = original.with_name(original.stem + ".swgrm-again.urdf")
        again.write_bytes(dumps(robot, UrdfOptions(virtual_inertia=False)))
        try:
            q = positions(robot, 1)
            ours[str(original)] = our_poses(robot, q)
        except SwgrmError as error:  # a joint follows one that does not exist: then only before and after are compared
            _print("poses", f"{original.name}: {error}")
            q, ours[str(original)] = {}, {}
        cases.append((Case(original, q), Case(again, q)))
    _print("read", f"real robots: {len(cases)} of {len(files)} read; not: {'; '.join(unread) or 'none'}")
    try:
        for judge in JUDGES:
            _judge_pairs(python, judge, cases, ours, tally)
    finally:
        for _, rewritten in cases:
            rewritten.file.unlink()


def _judge_pairs(python: Path, judge: str, cases: list[tuple[Case, Case]], ours: Poses, tally: Tally) -> None:
    answers = ask(python, judge, [case for pair in cases for case in pair])
    before_count = after_count = 0
    worst = {"poses": 0.0, "ours": 0.0, "masses": 0.0}
    for original, again in cases:
        before, after = answers[str(original.file)], answers[str(again.file)]
        before_count += before["ok"]
        after_count += after["ok"]
        if not before["ok"]:
            continue
        if not tally.check(after["ok"], f"{judge} took {original.file.name}, not what we wrote: {after.get('error')}"):
            continue
        offs = {"poses": worst_pose(before.get("poses", {}), after.get("poses", {}))}
        offs["ours"] = worst_pose(ours[str(original.file)], before.get("poses", {}))
        offs["masses"] = worst_mass(before.get("masses", {}), after.get("masses", {}))
        for what, off in offs.items():
            worst[what] = max(worst[what], off)
            tally.check(off < EXACT, f"{judge}, {original.file.name}: {what} differ by {off:.3g}")
    counts = f"real robots: took {before_count} originals, {after_count} of ours"
    words = {"poses": "poses before and after", "ours": "poses against ours", "masses": "masses and tensors"}
    _print(judge, "; ".join([counts, *(f"{words[what]} {off:.1e}" for what, off in worst.items() if off)]))


def judge_round_trips(python: Path, tally: Tally) -> None:
    """Real robots, realised as assemblies with mates, are inferred as they were."""
    came = go_round(originals(python))
    for failure in came.failures:
        tally.check(False, f"round trip, {failure}")
    limits = f"{came.limits - came.limits_not_held} of {came.limits} limits"
    mimics = f"{came.couplings_held} of {came.couplings} couplings"
    back = f"{came.robots - len(came.failures)} of {came.robots} robots came back"
    _print("round trips", f"{back}; mates hold {limits}, {mimics}; the settings of {came.settled} joints the rest")


def originals(python: Path) -> list[Path]:
    """The URDF files of the package example-robot-data."""
    script = (
        "import sys, pathlib\n"
        "for entry in map(pathlib.Path, sys.path):\n"
        "    found = entry / 'cmeel.prefix/share/example-robot-data/robots'\n"
        "    if found.is_dir(): print(found); break\n"
    )
    done = subprocess.run([str(python), "-c", script], capture_output=True, text=True, check=True, timeout=60)
    folder = Path(done.stdout.strip())
    return sorted(path for path in folder.rglob("*.urdf") if ".swgrm-again" not in path.name)


def _print(name: str, text: str) -> None:
    sys.stdout.write(f"{name:<15} {text}\n")
    sys.stdout.flush()


def main() -> int:
    python = Path(sys.argv[1])
    tally = Tally()
    with tempfile.TemporaryDirectory() as folder:
        os.environ["SWGRM_CACHE"] = str(Path(folder) / "cache")
        judge_samples(python, Path(folder), tally)
        judge_own(python, Path(folder), tally)
    judge_real(python, tally)
    judge_round_trips(python, tally)
    for failure in tally.failures:
        sys.stdout.write(f"FAILED {failure}\n")
    sys.stdout.write(f"{len(tally.failures)} failures\n")
    return 1 if tally.failures else 0


if __name__ == "__main__":
    sys.exit(main())
