"""RobotInfo in its real readers: InfoParser, RobotUtil, general_robotics_toolbox, AbstractRobot; and pinocchio.

What swgrm writes must be accepted by all of them, with its own poses and pinocchio's to 1e-9 and pinocchio's inertias
of the bodies. What the lint reports for broken files must be what each reader does. The schema must be the real
definitions.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from swgrm import Kinematics, Robot
from swgrm.errors import SwgrmError
from swgrm.findings import Findings
from swgrm.transforms import inverse
from swgrm_addin.pipeline import read as read_source
from swgrm_addin.pipeline import understand
from swgrm_exporters.formats import read
from swgrm_exporters.names import legalize, ros_legal
from swgrm_exporters.robotinfo.lint import ReaderProgram, refusals
from swgrm_exporters.robotinfo.options import RobotInfoOptions
from swgrm_exporters.robotinfo.schema import ENUMS, NAMED_ARRAYS, STRUCTURES
from swgrm_exporters.robotinfo.writer import RobotInfoWriter
from swgrm_exporters.urdf.options import UrdfOptions
from swgrm_exporters.urdf.writer import dumps
from swgrm_exporters.yamltext import dump
from swgrm_mocks import MixedChainGenerator
from swgrm_mocks.example import example_arm
from swgrm_mocks.samples import SAMPLES
from tests.judges.__main__ import Case, Tally, _print, _without_meshes, ask, originals, positions
from tests.judges.robotinfo_mutations import example, mutants
from tests.robots import Draw

EXACT = 1e-9
GENERATED = 200
MUTANTS = 1500
SCRIPT = Path(__file__).with_name("robotinfo_readers.py")


class Subject(NamedTuple):
    """A robot for the readers, and its URDF for pinocchio."""

    name: str
    robot: Robot
    urdf: Path


class Written(NamedTuple):
    """A robot as a document, and the expected poses of its chains' flanges."""

    subject: Subject
    document: dict[str, Any]
    q: dict[str, float]
    T_base_flange: list[np.ndarray]
    flanges: list[str]
    joints: list[list[tuple[str, str]]]  # by chain: the joints' names with the links that they carry


def run(python: Path, *arguments: str, lines: Iterable[object] = ()) -> list[Any]:
    text = "".join(json.dumps(line) + "\n" for line in lines)
    done = subprocess.run(
        [str(python), str(SCRIPT), *arguments], input=text, capture_output=True, text=True, timeout=1800, check=False
    )
    if done.returncode:
        raise SystemExit(f"the readers of RobotInfo cannot be run: {done.stderr[-800:]}")
    return [json.loads(line) for line in done.stdout.splitlines()]


# ---- what we write


def written(subject: Subject) -> Written | None:
    """The document of a robot; a robot without a joint that moves has none."""
    writer = RobotInfoWriter(subject.robot, RobotInfoOptions(), Findings())
    chains = writer.chains()
    if not chains:
        return None
    kinematics = Kinematics(writer.robot)
    q = positions(writer.robot, 1)
    poses = kinematics.poses({name: q[name] for name in kinematics.independent if name in q})
    names = {frame.id: frame.links[0].name if frame.links else frame.id for frame in writer.robot.frames}
    return Written(
        subject,
        writer.document(chains, alone=len(chains) == 1),
        {name: q.get(name, 0.0) for name in writer.robot.joints},
        [inverse(poses[chain.base.id]) @ poses[chain.flange.id] for chain in chains],
        [names[chain.flange.id] for chain in chains],
        [[(joint.joint_name, names[joint.id]) for joint in chain.joints] for chain in chains],
    )


def judge_written(python: Path, what: str, subjects: Iterable[Subject], tally: Tally) -> None:
    cases = [case for subject in subjects if (case := written(subject)) is not None]
    answers = run(python, lines=({"text": dump(case.document), "positions": [case.q]} for case in cases))
    moved = ask(python, "pinocchio", [Case(case.subject.urdf, case.q) for case in cases])
    still = ask(python, "pinocchio", [Case(case.subject.urdf, {}) for case in cases])
    worst = {"our poses": 0.0, "pinocchio's poses": 0.0, "pinocchio's inertias": 0.0}
    taken = chains = by_pinocchio = 0
    for case, answer in zip(cases, answers, strict=True):
        refused = {name: error for name, error in answer["refusals"].items() if error}
        taken += tally.check(not refused, f"{case.subject.name} is refused: {refused}")
        chains += len(case.flanges)
        file = str(case.subject.urdf)
        offs = {"our poses": _worst_pose(answer, case.T_base_flange)}
        if moved[file]["ok"]:
            by_pinocchio += 1
            theirs = moved[file]["poses"]
            offs["pinocchio's poses"] = _worst_pose(
                answer, [np.array(theirs.get(name, np.nan)) for name in case.flanges]
            )
            offs["pinocchio's inertias"] = _worst_inertia(answer, case, still[file])
        for name, off in offs.items():
            worst[name] = max(worst[name], off)
            tally.check(off < EXACT, f"{case.subject.name}: {name} differ by {off:.3g}")
    figures = "; ".join(f"{name} {off:.1e}" for name, off in worst.items())
    _print("RobotInfo", f"{what}: {taken} of {len(cases)} robots taken by all four readers, {chains} chains; {figures}")
    _print("", f"  ({by_pinocchio} of them are also read by pinocchio)")


def _worst_pose(answer: Mapping[str, Any], expected: list[np.ndarray]) -> float:
    """Over readers and chains; a link that pinocchio does not have (its name is not legal in URDF) is skipped."""
    offs = [
        float(np.abs(np.array(poses[0]) - T).max())
        for by_chain in answer.get("poses", {}).values()
        for poses, T in zip(by_chain, expected, strict=True)
        if np.isfinite(T).all()
    ]
    return max(offs, default=0.0)


def _worst_inertia(answer: Mapping[str, Any], case: Written, pinocchio: Mapping[str, Any]) -> float:
    """Against pinocchio's bodies (one per joint, with all that is rigid in it), rotated into the axes of the base."""
    worst = 0.0
    for inertias, joints in zip(answer.get("inertias", []), case.joints, strict=True):
        for inertia, (joint, link) in zip(inertias[1:], joints, strict=False):
            if joint not in pinocchio["masses"] or link not in pinocchio["poses"]:
                continue
            mass, *rest = pinocchio["masses"][joint]
            R = np.array(pinocchio["poses"][link])[:3, :3]
            tensor = R @ np.array(rest[3:]).reshape(3, 3) @ R.T
            mine = [inertia["m"], *inertia["com"], *inertia["tensor"]]
            theirs = [mass, *(R @ rest[:3] if mass else np.zeros(3)), *tensor[[0, 0, 0, 1, 1, 2], [0, 1, 2, 1, 2, 2]]]
            scale = np.maximum(1.0, np.abs(theirs))
            worst = max(worst, float(np.max(np.abs(np.array(mine) - theirs) / scale)))
    return worst


def _with_urdf(name: str, robot: Robot, folder: Path) -> Subject:
    """The robot under names that are legal in URDF, so that pinocchio and the readers have the same joints."""
    robot, _ = legalize(robot, ros_legal)
    file = folder / f"{name}.urdf"
    file.write_bytes(dumps(robot, UrdfOptions(annotate=False, virtual_inertia=False)))
    return Subject(name, robot, file)


def own(folder: Path) -> Iterator[Subject]:
    yield _with_urdf("example_arm", example_arm(), folder)
    for seed in range(60):
        yield _with_urdf(f"random_{seed}", _without_meshes(Draw(seed, plain=False).robot(2 + seed % 12)), folder)


def generated(folder: Path) -> Iterator[Subject]:
    for seed in range(GENERATED):
        balls, screws, branches = (seed % 3 // 2, seed % 5 // 4, seed % 4 // 3) if seed % 30 > 3 else (0, 0, 0)
        generator = MixedChainGenerator(1 + seed % 30, seed=seed, balls=balls, screws=screws, branches=branches)
        yield _with_urdf(generator.name, generator.robot, folder)


def samples(folder: Path) -> Iterator[Subject]:
    for name in SAMPLES:
        try:
            robot = understand(read_source(f"mock:{name}")).robot
        except SwgrmError as error:
            _print("", f"  the sample {name} is skipped: {error}")
            continue
        yield _with_urdf(name, robot, folder)


def real(python: Path) -> Iterator[Subject]:
    for file in originals(python):
        try:
            robot = read(file)
            Kinematics(robot)
        except SwgrmError:
            continue  # the URDF judges report what cannot be read
        yield Subject(file.stem, robot, file)


# ---- the lint and the schema


def judge_lint(python: Path, tally: Tally) -> None:
    documents = [example(), *mutants(MUTANTS)]
    answers = run(python, lines=({"text": dump(document)} for document in documents))
    refused, agreed = 0, 0
    for index, (document, answer) in enumerate(zip(documents, answers, strict=True)):
        reported = {refusal.program for refusal in refusals(document)}
        does = {ReaderProgram(name) for name, error in answer["refusals"].items() if error}
        refused += bool(does)
        agreed += tally.check(
            reported == does, f"mutant {index}: the lint reports {sorted(reported)}, refused by {sorted(does)}"
        )
    _print("lint", f"{agreed} of {len(documents)} documents judged as the four readers do; they refuse {refused}")


def judge_schema(python: Path, tally: Tally) -> None:
    (real_ones,) = run(python, "definitions")
    suffixes = {"": "", "array": "[]", "list": "{list}", "map": "{string}"}
    for kind, table in (("struct", STRUCTURES), ("namedarray", NAMED_ARRAYS)):
        for name, fields in table.items():
            mine = [[each.name + suffixes[each.container], field] for field, each in fields.items()]
            tally.check(mine == real_ones[kind].get(name), f"{name} is defined as {real_ones[kind].get(name)}")
    for name, values in ENUMS.items():
        tally.check(list(values) == real_ones["enum"].get(name), f"{name} is defined as {real_ones['enum'].get(name)}")
    _print("schema", f"{len(STRUCTURES)} structures, {len(NAMED_ARRAYS)} arrays and {len(ENUMS)} enumerations compared")


def judge_wire(python: Path, tally: Tally) -> None:
    robot = MixedChainGenerator(7, seed=1).robot
    case = written(Subject("wire", robot, Path()))
    assert case is not None
    (answer,) = run(python, "wire", lines=[{"text": dump(case.document), "positions": [case.q]}])
    off = float(np.abs(np.array(answer["poses"][0]) - case.T_base_flange[0]).max())
    tally.check(off < EXACT, f"over the wire the pose differs by {off:.3g}")
    _print("wire", f"a robot sent over Robot Raconteur's intra-process transport moves the same to {off:.1e}")


def main() -> int:
    python, tally = Path(sys.argv[1]), Tally()
    with tempfile.TemporaryDirectory() as folder:
        judge_written(python, "our own", own(Path(folder)), tally)
        judge_written(python, "generated", generated(Path(folder)), tally)
        judge_written(python, "sample assemblies", samples(Path(folder)), tally)
    judge_written(python, "example-robot-data", real(python), tally)
    judge_lint(python, tally)
    judge_schema(python, tally)
    judge_wire(python, tally)
    return finish(tally)


def finish(tally: Tally) -> int:
    for failure in tally.failures:
        sys.stdout.write(f"FAILED {failure}\n")
    sys.stdout.write(f"{len(tally.failures)} failures\n")
    return 1 if tally.failures else 0


if __name__ == "__main__":
    sys.exit(main())
