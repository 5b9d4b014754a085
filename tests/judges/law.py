"""`make judges`: one robot in URDF, MJCF, SDF and USD has the same poses and dynamics in every simulator.

Each robot is written in every format and read by every simulator that knows the format. At random positions, the poses
of all bodies, the mass matrix and the gravity torque must be those that we compute from the model: within 1e-9 in
double precision from XML, whose computed numbers are rounded, and within 1e-5 from USD and in single precision. Both
are relative to the largest number.

    python -m tests.judges.law real=PYTHON NAME=PROGRAM …      PYTHON has example-robot-data, NAME is a simulator
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from lxml import etree
from msgspec.structs import replace

from swgrm.errors import SwgrmError
from swgrm.findings import Findings
from swgrm.mass.inertia import tensor_matrix
from swgrm.model import CompositeType, JointType, Link, Mount, Robot
from swgrm_exporters import formats
from swgrm_exporters.lowering import Lowered, lower
from swgrm_exporters.sdf.naming import share_names
from swgrm_exporters.sdf.options import SdfLoops, SdfOptions, SdfVersion
from swgrm_exporters.usd.options import UsdMeshes, UsdOptions
from swgrm_exporters.usd.writer import fitted as fitted_to_usd
from tests.judges.__main__ import originals
from tests.judges.child import answers_of
from tests.judges.motion import ROBOTS
from tests.judges.reference import GRAVITY, Dof, RobotDynamics, coupling_matrix, dynamics, without_mass
from tests.judges.round_trips import without_lost_leaders
from tests.robots import Draw

EXACT, SINGLE = 1e-9, 1e-5
DARTSIM = "libignition-physics5-dartsim-plugin.so"
FULL = bool(os.environ.get("FULL"))
RANDOM, REAL = (60, 68) if FULL else (10, 10)


class Form(NamedTuple):
    """A format in the law, and its options where they are not the defaults."""

    format: str
    options: Any = None
    loops: bool = True  # whether loops are written


FORMS: Mapping[str, Form] = {
    "urdf": Form("urdf"),
    "mjcf": Form("mjcf"),
    "sdf": Form("sdf", SdfOptions(loops=SdfLoops.CUT), loops=False),
    "sdf 1.9": Form("sdf", SdfOptions(loops=SdfLoops.CUT, version=SdfVersion.FORTRESS), loops=False),
    "usd": Form("usd", UsdOptions(meshes=UsdMeshes.TEXT)),
}
READS: Mapping[str, tuple[str, ...]] = {  # by simulator
    "pinocchio": ("urdf", "mjcf"),
    "mujoco": ("urdf", "mjcf"),
    "drake": ("urdf", "mjcf", "sdf"),
    "newton": ("urdf", "mjcf", "usd"),
    "mujoco-usd": ("usd",),
    "dartsim": ("sdf 1.9",),
}
NOT_READ: Mapping[tuple[str, str], frozenset[str]] = {  # what a robot may not have for a reader (see `traits`)
    ("mujoco-usd", "usd"): frozenset({"ball"}),  # it welds them
    ("dartsim", "sdf 1.9"): frozenset({"ball"}),  # its interface sets joints of one number only
    ("drake", "mjcf"): frozenset({"massless", "one-sided"}),  # it refuses both
}
REFUSED = {  # what a reader may refuse, though it takes the original: URDF is lumped, or the tensor replaced
    ("dartsim", "sdf 1.9"): "unphysical",
    ("drake", "mjcf"): "unphysical",
}
DROPPED = {("mujoco", "urdf"): "tensor without mass"}  # of fixed bodies, so that only poses are compared


class LawCase(NamedTuple):
    """A robot in a format: the file, the positions, and what must come out."""

    name: str
    form: str
    file: Path
    q: dict[str, float | tuple[float, ...]]
    expected: RobotDynamics
    traits: frozenset[str]
    moving: frozenset[str]  # bodies that a reader may not leave out
    weight: float  # [N]
    original: Path | None = None  # of a real robot


# ---- robots


class LawRobot(NamedTuple):
    """A robot of the law; a real one has a file."""

    name: str
    robot: Robot
    original: Path | None = None


def bare(robot: Robot) -> Robot:
    """The robot without shapes and sensors: neither has part in the law, and mesh files need not exist."""

    def link(old: Link) -> Link:
        return replace(old, visuals=(), collisions=())

    frames = tuple(replace(f, links=tuple(map(link, f.links)), sensors=()) for f in robot.frames)
    return replace(robot, frames=frames, transmissions=(), materials=(), mount=Mount.FIXED)


def robots(judges: Path) -> Iterator[LawRobot]:
    """The samples, random robots with all joint types, and real ones."""
    from swgrm_addin.pipeline import read, understand

    for name in ROBOTS:
        yield LawRobot(f"sample {name}", bare(understand(read(f"mock:{name}")).robot))
    for seed in range(RANDOM):
        yield LawRobot(f"random {seed}", bare(Draw(seed, physical=True).robot(2 + seed % 10)))
    found = 0
    for file in originals(judges):
        if found == REAL:
            break
        try:
            robot = without_lost_leaders(formats.read(file))
        except SwgrmError:
            continue
        found += 1
        yield LawRobot(f"real {file.parts[-3]}/{file.stem}", bare(robot), file)


def bare_original(file: Path, folder: Path) -> Path:
    """The URDF file of a real robot without its shapes, in a folder."""
    tree = etree.parse(file)
    for element in list(tree.iter("visual", "collision", "transmission", "gazebo")):
        if (parent := element.getparent()) is not None:
            parent.remove(element)
    folder.mkdir(parents=True, exist_ok=True)
    target = folder / "original.urdf"
    tree.write(target)
    return target


def case(given: LawRobot, form: str, folder: Path, seed: int) -> LawCase:
    """The robot written in a format, with its dynamics at random positions."""
    name, robot, original = given
    declared, chosen = formats.named(FORMS[form].format), FORMS[form]
    options: Any = chosen.options or declared.options()
    file = folder / f"robot{declared.suffixes[0]}"
    folder.mkdir(parents=True, exist_ok=True)
    formats.write(robot, file, options, Findings())
    capabilities = declared.capabilities if chosen.loops else declared.capabilities._replace(loops=False)
    lowered = lower(robot, capabilities, options.choices, Findings())
    if declared.name == "usd":
        lowered = fitted_to_usd(robot, options, Findings())
    if declared.name == "sdf":  # links and joints share one set of names there
        lowered = share_names(lowered, Findings())
    check_projection(robot, lowered)
    rng = np.random.default_rng(seed)
    q: dict[str, float | tuple[float, ...]] = {}
    for frame in lowered.robot.walk():
        if frame.joint is not None and not frame.is_rigid:
            turn = rng.normal(size=4)
            is_ball = frame.joint.type is JointType.BALL
            q[frame.joint_name] = tuple((turn / np.linalg.norm(turn)).tolist()) if is_ball else rng.uniform(-1, 1)
    moving = frozenset(frame.id for frame in lowered.robot.frames if not frame.is_rigid)
    expected = dynamics(lowered.robot, q)  # type: ignore[arg-type]
    return LawCase(name, form, file, q, expected, traits(lowered.robot), moving, _weight(robot), original)


def traits(robot: Robot) -> frozenset[str]:
    """What a robot has that some readers do not take."""
    joints = [frame.joint for frame in robot.frames if frame.joint and not frame.is_rigid]
    bounds = [(joint.limits.lower is None) != (joint.limits.upper is None) for joint in joints]
    found = {
        "ball": any(joint.type is JointType.BALL for joint in joints),
        "one-sided": any(bounds),
        "massless": any(not (link.inertial and link.inertial.mass > 0) for _, link in robot.links()),
        "unphysical": not _is_physical(robot),
        "tensor without mass": any(
            link.inertial and not link.inertial.mass > 0 and np.any(tensor_matrix(link.inertial))
            for _, link in robot.links()
        ),
    }
    return frozenset(name for name, has in found.items() if has)


def _weight(robot: Robot) -> float:
    return GRAVITY * sum(link.inertial.mass for _, link in robot.links() if link.inertial)


def _is_physical(robot: Robot) -> bool:
    """Whether each tensor is that of a body: principal moments 0 < A ≤ B ≤ C ≤ A + B; without a mass, none."""
    for _, link in robot.links():
        if link.inertial is None or link.inertial.tensor is None:
            continue
        a, b, c = np.linalg.eigvalsh(tensor_matrix(link.inertial))
        if (a <= 1e-9 * c or a + b < c * (1 - 1e-6)) if link.inertial.mass > 0 else c > 0:
            return False
    return True


def check_projection(robot: Robot, lowered: Lowered) -> None:
    """Assert that lowering keeps the dynamics: projected to the robot's own velocities, less the masses it added.

    Chains for screws, and bodies in halves, have more velocities; S with v = S z maps the robot's own to them.
    """
    old = {each.new: each.old for each in lowered.renamed if each.kind == "joint"}
    one, other = dynamics(robot, {}), dynamics(lowered.robot, {})
    light = dynamics(without_mass(lowered.robot, lowered.implied_inertials), {})
    free, S = coupling_matrix(robot, one.dofs)
    free_other, S_other = coupling_matrix(lowered.robot, other.dofs)
    names = [Dof(old.get(dof.joint, dof.joint), dof.number) for dof in free_other]
    if {*names} != {*free} or lowered.halves or robot.relations:
        return  # a ball in three, loops through halves: other velocities
    order = [names.index(dof) for dof in free]
    M = S.T @ one.M @ S
    M_other = (S_other.T @ (other.M - light.M) @ S_other)[np.ix_(order, order)]
    assert np.abs(M - M_other).max(initial=0.0) <= EXACT * max(1.0, np.abs(M).max(initial=0.0)), "lowering"


# ---- simulators


def ask(engine: str, program: Path, cases: list[LawCase]) -> dict[str, Any]:
    """The answers of a simulator by file."""
    if engine == "dartsim":
        return {str(each.file): _dartsim(program, each) for each in cases}
    questions = ({"file": str(each.file), "q": each.q} for each in cases)
    return answers_of(engine, program, "engines.py", questions, engine.partition("-")[0])


def _dartsim(program: Path, each: LawCase) -> dict[str, Any]:
    """The answer of Gazebo's engine, a program that takes the file and the positions."""
    scalar = [(name, value) for name, value in each.q.items() if not isinstance(value, tuple)]
    arguments = [str(part) for pair in scalar for part in (pair[0], repr(pair[1]))]
    command = [str(program.absolute()), DARTSIM, str(each.file), *arguments]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    lines = [line for line in done.stdout.splitlines() if line.startswith('{"poses"')]
    if done.returncode or not lines:
        return {"ok": False, "error": (done.stdout + done.stderr)[-300:]}
    return {"ok": True, **json.loads(lines[-1])}


# ---- the law


class Row(NamedTuple):
    """The differences of one answer, relative; None where the simulator does not compute it."""

    poses: float
    M: float | None
    g: float | None


def compared(engine: str, each: LawCase, answer: Mapping[str, Any]) -> Row:
    """The differences between an answer and what is expected."""
    expected = each.expected
    missing = each.moving - answer["poses"].keys()
    if missing:
        raise AssertionError(f"{len(missing)} moving bodies are missing: {sorted(missing)[:3]}")
    scale = max(1.0, *(float(np.abs(T[:3, 3]).max()) for T in expected.poses.values()))
    common = [name for name in answer["poses"] if name in expected.poses]
    offs = [float(np.abs(np.array(answer["poses"][name]) - expected.poses[name]).max()) for name in common]
    poses = max(offs, default=0.0) / scale
    if answer.get("replaced") and "unphysical" not in each.traits:
        raise AssertionError("tensors are replaced that a body can have")
    if "M" not in answer or answer.get("replaced") or DROPPED.get((engine, each.form)) in each.traits:
        return Row(poses, None, None)
    names = [Dof(str(joint), number) for joint, number in answer["dofs"]]
    if {*names} != {*expected.dofs} or len(names) != len(expected.dofs):
        raise AssertionError(f"velocities {sorted({*names} ^ {*expected.dofs})[:4]} differ")
    order = [names.index(dof) for dof in expected.dofs]
    M = np.array(answer["M"]).reshape(len(names), len(names))[np.ix_(order, order)]
    off = _relative(M, expected.M)
    g = _relative(np.array(answer["g"])[order], expected.g, each.weight) if "g" in answer else None
    return Row(poses, off, g)


def _relative(found: np.ndarray, expected: np.ndarray, least: float = 0.0) -> float:
    """The largest difference relative to the largest number; a torque also to the weight at one metre."""
    largest = max(least, float(np.abs(expected).max(initial=0.0)))
    return float(np.abs(found - expected).max(initial=0.0)) / (largest or 1.0)


def _line(text: str) -> str:
    return " ".join(text.split())


class Tables:
    """The worst differences by simulator and format, the counts, and the failures."""

    def __init__(self) -> None:
        self.rows: dict[tuple[str, str], list[Row]] = defaultdict(list)
        self.refused: dict[tuple[str, str, str], list[str]] = defaultdict(list)  # by simulator, format and reason
        self.left_out: dict[tuple[str, str], int] = {}  # by what a reader does not take
        self.failures: list[str] = []

    def judge(self, engine: str, each: LawCase, answer: Mapping[str, Any], *, may_refuse: bool) -> None:
        """Compare one answer."""
        what = f"{engine}, {each.form}, {each.name}"
        if not answer["ok"]:
            self.refused[engine, each.form, _line(answer["error"])[:200]].append(each.name)
            if not may_refuse:
                self.failures.append(f"{what}: refused: {_line(answer['error'])}")
            return
        try:
            row = compared(engine, each, answer)
        except AssertionError as error:
            self.failures.append(f"{what}: {error}")
            return
        self.rows[engine, each.form].append(row)
        bound = SINGLE if engine == "newton" or each.form == "usd" else EXACT
        for name, off in row._asdict().items():
            if off is not None and not off <= bound:
                self.failures.append(f"{what}: {name} differ by {off:.2g}")

    def text(self) -> str:
        """A table for people and for the documentation."""
        lines = ["| simulator | reads | robots | poses | of these with dynamics | mass matrix | gravity |"]
        lines += ["|---|---|---|---|---|---|---|"]
        for (engine, form), rows in self.rows.items():
            worst = [max((v for row in rows if (v := row[n]) is not None), default=None) for n in range(3)]
            poses, *others = ["–" if value is None else f"{value:.0e}" for value in worst]
            whole = sum(row.M is not None for row in rows)
            lines.append(f"| {engine} | {form} | {len(rows)} | {poses} | {whole or '–'} | {' | '.join(others)} |")
        return "\n".join(lines)


def main() -> int:
    engines = {name: Path(path) for name, path in (each.split("=", 1) for each in sys.argv[1:])}
    real = engines.pop("real")
    tables = Tables()
    wanted = [form for form in FORMS if any(form in READS[engine] for engine in engines)]
    with tempfile.TemporaryDirectory() as folder:
        cases: dict[str, list[LawCase]] = {form: [] for form in wanted}
        for number, each in enumerate(robots(real)):
            for form in wanted:
                native = {c.type for c in each.robot.composite_joints} & {CompositeType.PLANAR, CompositeType.FLOATING}
                if form == "urdf" and native:
                    continue  # those are single joints in URDF, and chains in the model
                place = Path(folder) / form.replace(" ", "_") / str(number)
                try:
                    cases[form].append(case(each, form, place, number))
                except Exception as error:  # noqa: BLE001 - a robot that cannot be written is a failure, not the end
                    tables.failures.append(f"{form}, {each.name}: cannot be written: {type(error).__name__}: {error}")
        for engine, program in engines.items():
            judge_engine(engine, program, cases, tables)
    sys.stdout.write(tables.text() + "\n")
    for (engine, form), count in tables.left_out.items():
        if count:
            sys.stdout.write(f"{engine} is not asked about {form} of {count} robots with what it does not read\n")
    for (engine, form, reason), names in tables.refused.items():
        sys.stdout.write(f"{engine} refuses {form} of {len(names)} robots: {', '.join(names)[:300]}: {reason}\n")
    for failure in tables.failures:
        sys.stdout.write(f"FAILED {failure}\n")
    sys.stdout.write(f"{len(tables.failures)} failures\n")
    return 1 if tables.failures else 0


def judge_engine(engine: str, program: Path, cases: Mapping[str, list[LawCase]], tables: Tables) -> None:
    """Ask one simulator about every format that it reads; it may refuse a real robot whose original it refuses."""
    for form in READS[engine]:
        lost = NOT_READ.get((engine, form), frozenset())
        asked = [each for each in cases[form] if not lost & each.traits]
        tables.left_out[engine, form] = len(cases[form]) - len(asked)
        found = ask(engine, program, asked)
        none = {"ok": False, "error": "no answer"}
        answers = [(each, found.get(str(each.file), none)) for each in asked]
        refused = [
            each._replace(file=bare_original(each.original, each.file.parent), q={})
            for each, answer in answers
            if each.original and not answer["ok"]
        ]
        originals_ = ask(engine, program, refused) if refused else {}
        takes = {each.name for each in refused if originals_.get(str(each.file), none)["ok"]}
        for each, answer in answers:
            may_refuse = each.original is not None and each.name not in takes
            may_refuse = may_refuse or REFUSED.get((engine, form)) in each.traits
            tables.judge(engine, each, answer, may_refuse=may_refuse)


if __name__ == "__main__":
    sys.exit(main())
