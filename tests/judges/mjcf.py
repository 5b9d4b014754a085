"""`make judges`: MJCF files of samples, mechanisms with loops and random robots in MuJoCo.

    python -m tests.judges.mjcf PYTHON [--write] [--pictures]      PYTHON has MuJoCo

`--write` puts the numbers into docs/mjcf.md, `--pictures` renders the samples into docs/pictures.

MuJoCo must load each without a warning, with the poses and the mass matrix that swgrm computes. Samples and mechanisms
are then driven for two seconds: loops must stay closed within 0.2 mm and couplings within 1e-3, with the mobility that
swgrm computes, and every actuated joint must track a slow sine with contacts on. FULL=1 takes 60 random robots.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from msgspec.structs import replace

from swgrm import Kinematics, Robot
from swgrm.findings import Findings
from swgrm.kinematics.closed_loops import ClosedLoops
from swgrm.mass.mass_matrix import mass_matrix
from swgrm.model import Mesh
from swgrm_addin.pipeline import export
from swgrm_exporters.format import Target
from swgrm_exporters.lowering import lower
from swgrm_exporters.mjcf.options import CAPABILITIES, MjcfOptions
from swgrm_exporters.mjcf.writer import write
from tests.judges.child import answers_of
from tests.mechanisms import MECHANISMS
from tests.robots import Draw, random_positions

SAMPLES = (
    "arm", "gripper", "four_bar", "mobile_base", "stewart", "lead_screw", "differential", "planetary", "spline_quill",
    "traps",
)  # fmt: skip
RANDOM = 60 if os.environ.get("FULL") else 10
EXACT = 1e-9  # of poses and, relative to the largest entry, of mass matrices
GAP, COUPLED = 2e-4, 1e-3  # [m], [rad or m]
TRACKED = 0.25  # of the amplitude, beside what gravity moves a drive on average
HELD = 2 / 3  # of the amplitude, with that: a coupling bears no stiffer drive
PAGE = Path(__file__).parents[2] / "docs" / "mjcf.md"


class MjcfCase(NamedTuple):
    """A robot, its file, and the positions at which it is compared."""

    name: str
    file: Path
    robot: Robot  # as it is written
    q: dict[str, Any]
    mobility: int
    is_driven: bool


def lowered(robot: Robot) -> Robot:
    return lower(robot, CAPABILITIES, MjcfOptions().choices, Findings()).robot


def case(name: str, file: Path, robot: Robot, *, is_driven: bool) -> MjcfCase:
    written = lowered(robot)
    free = replace(written, relations=())  # MuJoCo's positions need not fulfil equalities
    free = replace(
        free,
        frames=tuple(
            replace(f, joint=replace(f.joint, coupling=None)) if f.joint and f.joint.coupling else f
            for f in free.frames
        ),
    )
    q = {key: np.asarray(at).tolist() for key, at in random_positions(free, np.random.default_rng(3)).items()}
    return MjcfCase(name, file, free, q, ClosedLoops(robot).mobility() if is_driven else 0, is_driven)


def sample_cases(folder: Path) -> list[MjcfCase]:
    cases = []
    for name in SAMPLES:
        done = export(f"mock:{name}", folder / name, formats=("mjcf",))
        cases.append(case(name, folder / name / "scene.xml", done.robot, is_driven=True))
    for name, mechanism in MECHANISMS.items():
        target = Target(folder / "mechanisms", name, ".xml")
        target.folder.mkdir(exist_ok=True)
        write(mechanism.robot, target, MjcfOptions(), Findings())
        cases.append(case(name, target.file(".xml"), mechanism.robot, is_driven=True))
    return cases


def random_cases(folder: Path) -> list[MjcfCase]:
    cases = []
    for seed in range(RANDOM):
        robot = without_meshes(Draw(seed, relations=True, strange=seed % 2 == 0).robot(1 + seed % 8))
        target = Target(folder, f"random_{seed}", ".xml")
        write(robot, target, MjcfOptions(), Findings())
        cases.append(case(f"random_{seed}", target.file(".xml"), robot, is_driven=False))
    return cases


def without_meshes(robot: Robot) -> Robot:
    """The robot without mesh files, which do not exist."""

    def bare(shapes: tuple[Any, ...]) -> tuple[Any, ...]:
        return tuple(shape for shape in shapes if not isinstance(shape, Mesh))

    frames = tuple(
        replace(
            f,
            links=tuple(replace(x, visuals=bare(x.visuals), collisions=bare(x.collisions)) for x in f.links),
        )
        for f in robot.frames
    )
    return replace(robot, frames=frames)


def static_failures(each: MjcfCase, answer: dict[str, Any]) -> list[str]:
    """What MuJoCo sees otherwise than swgrm: poses, the mass matrix."""
    q = {name: np.array(at) for name, at in each.q.items()}
    poses = Kinematics(each.robot).poses(q)
    theirs = {name: np.array(T) for name, T in answer["poses"].items() if name in poses.ids}
    off = max((float(np.abs(poses[name] - T).max()) for name, T in theirs.items()), default=0.0)
    matrix = mass_matrix(each.robot, q)
    order = [
        at
        for name, columns in matrix.columns.items()
        for start, count in [answer["joints"][name]]
        for at in range(start, start + count)
        if columns.stop > columns.start
    ]
    size = len(answer["mass"])
    M = np.array(answer["mass"]).reshape(size, size)[np.ix_(np.array(order, int), np.array(order, int))]
    heavy = float(np.abs(M - matrix.M).max(initial=0.0)) / max(float(np.abs(matrix.M).max(initial=0.0)), 1e-300)
    problems = [f"poses differ by {off:.1e}"] if off > EXACT else []
    return problems + ([f"mass matrices differ by {heavy:.1e}"] if heavy > EXACT else [])


def driven_failures(each: MjcfCase, answer: dict[str, Any]) -> list[str]:
    problems = [f"MuJoCo warns: {answer['bad']}"] if any(answer["bad"]) else []
    if answer["gap"] > GAP:
        problems.append(f"a loop opens by {1000 * answer['gap']:.3f} mm")
    if answer["coupling"] > COUPLED:
        problems.append(f"a coupling is off by {answer['coupling']:.1e}")
    if answer["mobility"] != each.mobility:
        problems.append(f"its mobility is {answer['mobility']}, ours {each.mobility}")
    return problems + tracking_problems(answer)


def tracking_problems(answer: dict[str, Any]) -> list[str]:
    """The joints that do not follow their sines."""
    problems = []
    for joint, (sways, error, swing) in answer["tracking"].items():
        if not (sways <= TRACKED * swing and error <= HELD * swing):
            problems.append(f"{joint} is {error:.4f} away from its sine of {swing:.4f}, {sways:.4f} beside the mean")
    return problems


HEAD = (
    "| robot | mobility | loop gap [mm] | coupling error [rad or m] | joints that track | error | with its mean |",
    "|---|---|---|---|---|---|---|",
)


def table(cases: list[MjcfCase], answers: dict[str, dict[str, Any]]) -> str:
    driven = [(each, answers[str(each.file)]) for each in cases if each.is_driven]
    return "\n".join([*HEAD, *(row(each.name, answer, bool(each.robot.loop_joints)) for each, answer in driven)])


def row(name: str, answer: dict[str, Any], has_loops: bool) -> str:
    tracked = list(answer["tracking"].values())
    worst = [max((each[n] / each[2] for each in tracked), default=0.0) for n in (0, 1)]
    tracks = f"{len(tracked)} | {100 * worst[0]:.0f} % | {100 * worst[1]:.0f} %" if tracked else "– | – | –"
    gap = f"{1000 * answer['gap']:.4f}" if has_loops else "–"
    coupled = f"{answer['coupling']:.1e}" if answer["coupling"] else "–"
    return f"| {name} | {answer['mobility']} | {gap} | {coupled} | {tracks} |"


def render(python: Path, cases: list[MjcfCase]) -> None:
    """Write a picture of each sample, rendered by MuJoCo."""
    script = Path(__file__).with_name("mujoco_render.py").absolute()
    scenes = [each for each in cases if each.name in SAMPLES]
    pairs = [str(path) for each in scenes for path in (each.file, PAGE.parent / "pictures" / f"mujoco-{each.name}.png")]
    with tempfile.TemporaryDirectory() as scratch:
        subprocess.run([str(python.absolute()), str(script), *pairs], check=True, timeout=600, cwd=scratch)


def main() -> int:
    failures = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        os.environ["SWGRM_CACHE"] = str(folder / "cache")
        cases = sample_cases(folder) + random_cases(folder)
        questions = ({"file": str(each.file), "q": each.q} for each in cases)
        answers = answers_of("MuJoCo", Path(sys.argv[1]), "mujoco_run.py", questions)
        if "--pictures" in sys.argv:
            render(Path(sys.argv[1]), cases)
        for each in cases:
            answer = answers[str(each.file)]
            if not answer["ok"]:
                failures.append(f"MuJoCo refuses {each.name}: {answer['error']}")
                continue
            problems = [f"MuJoCo warns: {text}" for text in answer["warnings"]]
            problems += static_failures(each, answer)
            problems += driven_failures(each, answer) if each.is_driven else []
            failures += [f"{each.name}: {problem}" for problem in problems]
        loaded = sum(answer["ok"] for answer in answers.values())
        sys.stdout.write(f"MuJoCo, MJCF: took {loaded} of {len(cases)}; {len(failures)} failures\n")
        if "--write" in sys.argv and not failures:
            from tests.docs.test_tables import with_table

            PAGE.write_text(with_table(PAGE.read_text("utf-8"), "simulated", table(cases, answers)), "utf-8")
        elif all(answer["ok"] for answer in answers.values()):
            sys.stdout.write(table(cases, answers) + "\n")
    for failure in failures:
        sys.stdout.write(f"FAILED {failure}\n")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
