"""Synthetic robots in other programs: equal kinematics for 1, 10 and 100 joints; 1,000 joints are parsed by each."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

from swgrm_mocks import MixedChainGenerator
from tests.judges.__main__ import EXACT, Case, Tally, _print, ask, our_poses, positions, worst_pose
from tests.judges.robotinfo import finish

SEEDS = 5
PARSERS = {
    "check_urdf": "",
    "yourdfpy": "import yourdfpy; n = len(yourdfpy.URDF.load(f, build_scene_graph=False, load_meshes=False).joint_map)",
    "pinocchio": "import pinocchio; n = pinocchio.buildModelFromUrdf(f).njoints - 1",
    "mujoco": "import mujoco; n = mujoco.MjModel.from_xml_path(f).njnt",
}


def judge_moving(python: Path, folder: Path, tally: Tally) -> None:
    robots = {}
    for dof in (1, 10, 100):
        for seed in range(SEEDS):
            generator = MixedChainGenerator(dof, seed=seed)
            robots[generator.save_urdf(folder / f"{generator.name}.urdf")] = generator.robot
    cases = [Case(file, positions(robot, 1)) for file, robot in robots.items()]
    for judge in PARSERS:
        answers = ask(python, judge, cases)
        worst, taken = 0.0, 0
        for case in cases:
            answer = answers[str(case.file)]
            taken += tally.check(answer["ok"], f"{judge} refuses {case.file.name}: {answer.get('error')}")
            off = worst_pose(our_poses(robots[case.file], case.q), answer.get("poses", {}))
            worst = max(worst, off)
            tally.check(off < EXACT, f"{judge} sees {case.file.name} elsewhere, by {off:.3g}")
        _print(judge, f"synthetic robots of 1, 10 and 100 joints: took {taken} of {len(cases)}; poses {worst:.1e}")


def judge_long(python: Path, folder: Path, tally: Tally) -> None:
    file = MixedChainGenerator(1000, seed=1).save_urdf(folder / "long.urdf")
    for judge, parse in PARSERS.items():
        if not parse:
            good = ask(python, judge, [Case(file, {})])[str(file)]["ok"]
        else:
            script = f"import sys; f = sys.argv[1]; {parse}; sys.exit(n != 1000)"
            command = [str(python), "-W", "ignore", "-c", script, str(file)]
            good = subprocess.run(command, capture_output=True, timeout=600, check=False, cwd=folder).returncode == 0
        tally.check(good, f"{judge} does not parse a chain of 1,000 joints")
        _print(judge, f"a chain of 1,000 joints is {'parsed' if good else 'refused'}")


def main() -> int:
    python, tally = Path(sys.argv[1]).absolute(), Tally()
    with tempfile.TemporaryDirectory() as folder:
        judge_moving(python, Path(folder), tally)
        judge_long(python, Path(folder), tally)
    return finish(tally)


if __name__ == "__main__":
    sys.exit(main())
