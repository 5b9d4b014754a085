"""`python -m tests.judges.urdfx_binding`: urdfx, where its Python binding is installed, on generated robots.

urdfx must have the names that the generator calls and that the test doubles have, accept every robot, and give the
poses of swgrm to 1e-9.
"""

from __future__ import annotations

import random
import sys
from importlib import import_module
from typing import Any

import numpy as np

from swgrm import Kinematics, Robot
from swgrm_mocks import MixedChainGenerator
from tests.mocks.test_mixed_chain import UrdfxParser, UrdfxRobot

EXACT = 1e-9
GENERATED = 200


def main() -> int:
    """Print what urdfx does; return 1 if it is not what we expect."""
    urdfx = import_module("urdfx")
    missing = [
        f"{real.__name__}.{name}"
        for double, real in ((UrdfxParser, urdfx.URDFParser), (UrdfxRobot, urdfx.Robot))
        for name in vars(double)
        if not name.startswith("_") and name not in dir(real)
    ]
    generators = [MixedChainGenerator(dof=1 + seed % 50, seed=seed) for seed in range(GENERATED)]
    refused = [f"{each}: {each.validation_errors}" for each in generators if not each.validate()]
    refused += [f"{each}: read by {each.validated_with}" for each in generators if each.validated_with != "urdfx"]
    worst = max(_deviation(urdfx, each.robot, each.to_urdf_string()) for each in generators)
    lines = [f"urdfx {urdfx.__version__}: {GENERATED} robots, largest deviation of a pose {worst:.1e}"]
    lines += [f"not as expected: {problem}" for problem in (*missing, *refused)]
    sys.stdout.write("\n".join(lines) + "\n")
    return int(bool(missing or refused or worst > EXACT))


def _deviation(urdfx: Any, robot: Robot, text: str) -> float:
    """The largest difference of a pose in a random configuration, couplings left out of account."""
    parsed = urdfx.URDFParser().parse_string(text)
    draw = random.Random(robot.name)  # noqa: S311 - a test
    free = {n: f for n, f in robot.joints.items() if not f.is_rigid and f.joint and f.joint.coupling is None}
    q = {name: draw.uniform(-0.2, 0.2) for name in free}
    poses = Kinematics(robot).poses(q)
    worst = 0.0
    for frame in robot.frames:
        path = [each for each in robot.path(frame.id) if not each.is_rigid]
        if path and all(each.joint_name in q for each in path):
            values = np.array([q[each.joint_name] for each in path])
            found = urdfx.ForwardKinematics(parsed, frame.id, robot.root.id).compute(values).as_matrix()
            worst = max(worst, float(np.abs(found - poses[frame.id]).max()))
    return worst


if __name__ == "__main__":
    sys.exit(main())
