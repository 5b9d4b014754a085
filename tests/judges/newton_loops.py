"""`make judges FULL=1`: mechanisms with loops and couplings in Newton, driven for two seconds.

    python -m tests.judges.newton_loops PYTHON [--write]      PYTHON has Newton

`--write` puts the numbers into docs/mjcf.md.

Newton reads the MJCF files of samples and mechanisms. Loops must stay closed within 0.2 mm and couplings within 1e-3,
with the mobility that swgrm computes, and every driven joint must track a slow sine. Gaps are measured between the
bodies' poses, at points that the model's own loop joints name.
"""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from lxml import etree

from swgrm.findings import Findings
from swgrm.kinematics.closed_loops import ClosedLoops
from swgrm.kinematics.joint_relations import as_relation
from swgrm.model import JointType, LoopJoint, Relation, Robot
from swgrm_addin.pipeline import export
from swgrm_exporters.format import Target
from swgrm_exporters.mjcf.options import MjcfOptions
from swgrm_exporters.mjcf.writer import write
from tests.judges.child import answers_of
from tests.judges.mjcf import COUPLED, GAP, HEAD, PAGE, lowered, row, tracking_problems
from tests.judges.mujoco_run import SHARE, SWING
from tests.mechanisms import MECHANISMS

SAMPLES = ("four_bar", "gripper", "stewart", "lead_screw", "planetary")
ARM = 0.1  # [m] between the points that hold a rotation
POINTS = {  # in the joint's frame: what must coincide
    JointType.BALL: ((0, 0, 0),),
    JointType.FIXED: ((0, 0, 0), (ARM, 0, 0), (0, ARM, 0)),
}


class NewtonCase(NamedTuple):
    """A mechanism, and what Newton is asked about it."""

    name: str
    file: Path
    mobility: int
    question: dict[str, Any]


def coinciding(robot: Robot, loop: LoopJoint) -> list[Any]:
    """Points of two bodies that the loop joint keeps together, as [body, point, body, point]."""
    axis = np.array(loop.joint.axis) * ARM
    points = POINTS.get(loop.joint.type, ((0, 0, 0), tuple(axis.tolist())))
    (one, T_one), (other, T_other) = _body(robot, loop.parent), _body(robot, loop.child)
    T_one = T_one @ loop.transform.matrix
    return [
        [one, (T_one @ [*point, 1.0])[:3].tolist(), other, (T_other @ [*point, 1.0])[:3].tolist()] for point in points
    ]


def _body(robot: Robot, frame_id: str) -> tuple[str, np.ndarray]:
    """The moving body of a frame, or the root, and T_body_frame."""
    frame, T = robot.by_id[frame_id], np.eye(4)
    while frame.is_rigid and frame.parent is not None and not frame.links:
        T = frame.transform.matrix @ T
        frame = robot.by_id[frame.parent]
    return frame.id, T


def question(file: Path, robot: Robot) -> dict[str, Any]:
    """What Newton is asked: from the key frame `home`, each actuator by a sine inside its range."""
    root = etree.parse(file).getroot()
    joints = [str(each.get("name")) for each in root.iter("joint") if each.get("type") is not None]
    values = [float(text) for text in root.findall("keyframe/key")[0].get("qpos", "").split()]
    home: dict[str, Any] = {}
    for name in joints:
        size = 4 if robot.joints[name].joint.type is JointType.BALL else 1  # type: ignore[union-attr]
        part, values = values[:size], values[size:]
        home[name] = [*part[1:], part[0]] if size == 4 else part[0]
    driven = [str(each.get("joint")) for each in root.findall("actuator/position")]
    return {
        "file": str(file),
        "home": home,
        "swings": {name: _swing(robot, name, home[name]) for name in driven},
        "points": [pair for loop in robot.loop_joints for pair in coinciding(robot, loop)],
        "relations": [[dict(each.terms), -each.offset] for each in relations(robot)],
    }


def _swing(robot: Robot, name: str, at: float) -> float:
    joint = robot.joints[name].joint
    assert joint is not None
    size = SWING * (0.1 if joint.type is JointType.PRISMATIC else 1.0)
    low, high = joint.limits.lower, joint.limits.upper
    up, down = np.inf if high is None else high - at, np.inf if low is None else at - low
    return float(min(size, SHARE * up) if up >= down else -min(size, SHARE * down))


def relations(robot: Robot) -> list[Relation]:
    """The couplings and relations of a robot."""
    followers = {f.joint_name: f.joint.coupling for f in robot.frames if f.joint and f.joint.coupling}
    return [*robot.relations, *(as_relation(name, coupling) for name, coupling in followers.items())]


def cases(folder: Path) -> list[NewtonCase]:
    """Samples with their meshes, and mechanisms."""
    found = []
    for name in SAMPLES:
        robot = export(f"mock:{name}", folder / name, formats=("mjcf",)).robot
        found.append((name, folder / name / f"{name}.xml", robot))
    for name, mechanism in MECHANISMS.items():
        target = Target(folder / "mechanisms", name, ".xml")
        target.folder.mkdir(exist_ok=True)
        write(mechanism.robot, target, MjcfOptions(), Findings())
        found.append((name, target.file(".xml"), mechanism.robot))
    return [
        NewtonCase(name, file, ClosedLoops(robot).mobility(), question(file, lowered(robot)))
        for name, file, robot in found
    ]


def problems(each: NewtonCase, answer: dict[str, Any]) -> list[str]:
    if not answer["ok"]:
        return [f"Newton refuses it: {answer['error']}"]
    found = [f"it warns: {answer['bad']}"] if any(answer["bad"]) else []
    if not answer["gap"] <= GAP:
        found.append(f"a loop opens by {1000 * answer['gap']:.3f} mm")
    if not answer["coupling"] <= COUPLED:
        found.append(f"a coupling is off by {answer['coupling']:.1e}")
    if answer["mobility"] != each.mobility:
        found.append(f"its mobility is {answer['mobility']}, ours {each.mobility}")
    return found + tracking_problems(answer)


def table(asked: list[NewtonCase], answers: dict[str, dict[str, Any]]) -> str:
    pairs = [(each, answers[str(each.file)]) for each in asked]
    rows = [row(each.name, answer, bool(each.question["points"])) for each, answer in pairs if answer["ok"]]
    return "\n".join([*HEAD, *rows])


def main() -> int:
    with tempfile.TemporaryDirectory() as name:
        os.environ["SWGRM_CACHE"] = str(Path(name) / "cache")
        asked = cases(Path(name))
        answers = answers_of("Newton", Path(sys.argv[1]), "newton_run.py", (each.question for each in asked))
    failures = [f"{each.name}: {problem}" for each in asked for problem in problems(each, answers[str(each.file)])]
    text = table(asked, answers)
    sys.stdout.write(f"Newton, MJCF: {len(asked)} mechanisms driven; {len(failures)} failures\n{text}\n")
    if "--write" in sys.argv and not failures:
        from tests.docs.test_tables import with_table

        PAGE.write_text(with_table(PAGE.read_text("utf-8"), "newton", text), "utf-8")
    for failure in failures:
        sys.stdout.write(f"FAILED {failure}\n")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
