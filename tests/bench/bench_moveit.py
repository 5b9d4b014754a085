"""MoveIt: pairs of links that need no collision check, beside the Setup Assistant's algorithm.

Serial robots of ellipsoids with 320 triangles each, about axes in all directions, ±1.2 rad or ±2.5 rad; states per
second, and the growth with the number of links. `restated` is the published algorithm with swgrm's own tools, many
states at once; `coal` is its inner loop in C++, one state at a time, all pairs that are not adjacent (pinocchio).
"""

from __future__ import annotations

import math
import sys
import tempfile
from importlib.util import find_spec
from itertools import combinations
from pathlib import Path
from time import process_time

import numpy as np

from swgrm.kinematics.reachable_states import reachable_states
from swgrm.meshes.store import MeshFiles
from swgrm.model import Frame, Joint, JointType, Limits, Link, Mesh, Pose, Robot
from swgrm_exporters.moveit.collision_pairs import PairSampling, adjacent_pairs
from swgrm_exporters.moveit.link_solids import LinkSolid, link_solid
from swgrm_exporters.urdf.writer import dumps
from tests.bench.measure import row

CASES = ((8, 1.2), (15, 1.2), (30, 1.2), (30, 2.5), (60, 1.2))  # links, limit [rad]
STATES, FEWER = 16384, 1000  # the others are measured on fewer: their states take the same time each


def snake(links: int, limit: float = 1.2) -> Robot:
    """A serial robot with that many links."""
    random = np.random.default_rng(links)
    frames = []
    for number in range(links):
        x, y, z = random.normal(size=3).tolist()
        joint = Joint(type=JointType.REVOLUTE, name=f"j{number}", axis=(x, y, z), limits=Limits(-limit, limit))
        shape = Mesh(uri="ellipsoid.stl", origin=Pose((0.1, 0, 0)))
        frames.append(
            Frame(
                id=f"l{number:02}",
                parent=f"l{number - 1:02}" if number else None,
                transform=Pose((0.2, 0, 0) if number else (0, 0, 0)),
                joint=joint if number else None,
                links=(Link(name=f"l{number:02}", collisions=(shape,)),),
            )
        )
    return Robot(name="snake", frames=tuple(frames))


def solids_of(robot: Robot, folder: Path) -> list[LinkSolid]:
    meshes = MeshFiles(folder)
    found = [link_solid(link.name, frame.id, link.collisions, meshes) for frame, link in robot.links()]
    return [each for each in found if each is not None]


def coal_rate(robot: Robot, adjacent: set[tuple[str, str]], folder: Path) -> float:
    """The states per second of pinocchio and coal."""
    import pinocchio as pin

    file = folder / "robot.urdf"
    file.write_bytes(dumps(robot))
    model = pin.buildModelFromUrdf(str(file))
    shapes = pin.buildGeomFromUrdf(model, str(file), pin.GeometryType.COLLISION, package_dirs=[str(folder)])
    names = [model.frames[each.parentFrame].name for each in shapes.geometryObjects]
    for i, j in combinations(range(len(names)), 2):
        if tuple(sorted((names[i], names[j]))) not in adjacent:
            shapes.addCollisionPair(pin.CollisionPair(i, j))
    data, placed = model.createData(), shapes.createData()
    random = np.random.default_rng(1)
    low, high = np.array(model.lowerPositionLimit), np.array(model.upperPositionLimit)
    start = process_time()
    for _ in range(FEWER):
        pin.computeCollisions(model, data, shapes, placed, random.uniform(low, high), False)
    return FEWER / (process_time() - start)


def run() -> None:
    """Print the figures."""
    missing = [name for name in ("fcl", "pinocchio") if find_spec(name) is None]
    if missing:
        sys.stdout.write(f"  not installed: {', '.join(missing)}\n")
        return
    import trimesh

    row("links (pairs), limit", "states", "time", "per second", "restated", "coal", "growth")
    with tempfile.TemporaryDirectory() as name:
        ball = trimesh.creation.icosphere(subdivisions=2)
        ball.vertices *= [0.085, 0.03, 0.03]
        ball.export(Path(name) / "ellipsoid.stl")
        reachable_states(snake(2), 16, 1)  # scipy is loaded before the clock starts
        before: tuple[int, float] | None = None
        for links, limit in CASES:
            seconds, states, others = measured(snake(links, limit), Path(name))
            growth = math.log(seconds / before[1]) / math.log(links / before[0]) if before and before[0] < links else 0
            before = (links, seconds)
            rates = (f"{states / seconds:,.0f}", *(f"{rate:,.0f}" for rate in others))
            label = f"{links} ({links * (links - 1) // 2}), {limit} rad"
            row(label, f"{states:,}", f"{seconds:.1f} s", *rates, f"n^{growth:.1f}" if growth else "")


def measured(robot: Robot, folder: Path) -> tuple[float, int, tuple[float, float]]:
    """The seconds and states of swgrm, and the states per second of the others."""
    from tests.exporters.moveit.restated import RestatedAlgorithm

    solids = solids_of(robot, folder)
    adjacent = adjacent_pairs(robot, {solid.frame for solid in solids})
    start = process_time()
    sampling = PairSampling(robot, solids, adjacent)
    sampling.run(reachable_states(robot, STATES, 1))
    own = process_time() - start
    start = process_time()
    restated = RestatedAlgorithm(robot, solids, adjacent).run(FEWER, 1)
    rate = restated.states / (process_time() - start)
    return own, sampling.states, (rate, coal_rate(robot, adjacent, folder))
