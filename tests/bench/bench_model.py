"""The model: loading and checking a GRM file beside json.loads, and poses in batches beside a Python loop."""

from __future__ import annotations

import json
import random
from functools import partial

import numpy as np

from swgrm import Box, Frame, Inertial, Joint, JointType, Kinematics, Limits, Link, Mesh, Pose, Robot, Tensor, check
from swgrm.model.grmfile import dumps, loads
from swgrm.transforms import axis_angle_matrix, homogeneous
from tests.bench.measure import best, row

DEEPEST = 50


def tree(size: int, seed: int = 0) -> Robot:
    """A random tree of frames with joints, links, masses and shapes, at most DEEPEST deep."""
    rng = random.Random(seed)  # noqa: S311 - a benchmark, not a secret

    def number() -> float:
        return rng.gauss(0, 1)

    depth, frames = [0], [Frame(id="f0")]
    for index in range(1, size):
        parent = max(0, index - 1 - int(rng.random() * 150))
        while depth[parent] >= DEEPEST:
            parent = rng.randrange(index)
        depth.append(depth[parent] + 1)
        link = Link(
            name=f"link{index}",
            inertial=Inertial(abs(number()), (number(), number(), number()), Tensor(1.0, 0.1, 0.1, 1.0, 0.1, 1.0)),
            visuals=(Mesh(uri=f"package://robot/meshes/{index}.stl", origin=Pose((number(), number(), number()))),),
            collisions=(Box(size=(1.0, 1.0, abs(number()))),),
        )
        limits = Limits(-abs(number()), abs(number()), 1.0, 10.0)
        frames.append(
            Frame(
                id=f"f{index}",
                name=f"Frame {index}",
                parent=f"f{parent}",
                transform=Pose((number(), number(), number()), (0.5, 0.5, 0.5, 0.5)),
                joint=Joint(type=JointType.REVOLUTE, axis=(0.0, 1.0, 0.0), limits=limits),
                links=(link,),
            )
        )
    return Robot(name="tree", frames=tuple(frames))


def loop_poses(robot: Robot, q: dict[str, float]) -> dict[str, np.ndarray]:
    """Poses of one configuration, frame by frame: what a plain loop does."""
    result: dict[str, np.ndarray] = {}
    for frame in robot.walk():
        T = frame.transform.matrix
        if frame.joint:
            T = T @ homogeneous(axis_angle_matrix(frame.joint.axis, q[frame.id]), np.zeros(3))
        result[frame.id] = result[frame.parent] @ T if frame.parent else T
    return result


def load_and_check(text: bytes) -> None:
    """Loads and checks, as the commands do."""
    check(loads(text))


def run() -> None:
    """Print the figures."""
    row("frames", "bytes", "json.loads", "load", "load+check", "ratio", "µs/frame")
    for size in (100, 1_000, 10_000):
        text = dumps(tree(size))
        plain, load = best(partial(json.loads, text)), best(partial(loads, text))
        both = best(partial(load_and_check, text))
        figures = [f"{t * 1e3:.2f} ms" for t in (plain, load, both)]
        row(f"{size:,}", f"{len(text):,}", *figures, f"{both / plain:.2f}", f"{both / size * 1e6:.1f}")
    robot = tree(10_000)
    kinematics = Kinematics(robot)
    rng = np.random.default_rng(0)
    batch = {name: rng.normal(size=100) for name in kinematics.independent}
    ours = best(lambda: kinematics.poses(batch), 3)
    one = {name: float(values[0]) for name, values in batch.items()}
    loop = best(lambda: loop_poses(robot, one), 1) * 100
    row("poses, 10,000 frames × 100", "", f"{ours:.2f} s", "Python loop", f"{loop:.1f} s", f"{loop / ours:.0f}×")
