"""An independent check of disabled pairs: pinocchio and coal on the exported files, in many random states.

States are uniform in the ranges of the URDF, and followers follow. Robots with loops take closed configurations, by
Newton's method for each state alone; their poses are swgrm's own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pinocchio as pin
from lxml import etree

from swgrm.findings import Findings
from swgrm.kinematics.closed_loops import ClosedLoops
from swgrm.kinematics.joint_ranges import joint_spans
from swgrm.model import Robot
from swgrm_exporters.lowering import lower
from swgrm_exporters.urdf.options import UrdfOptions
from swgrm_exporters.urdf.writer import CAPABILITIES

Pair = tuple[str, str]
SHARE = 0.001  # of the states: a pair that collides in more must not be disabled as never


class ExportedPackages(NamedTuple):
    """The description and the MoveIt package of a robot, in one folder."""

    folder: Path

    @property
    def urdf(self) -> Path:
        (path,) = self.folder.glob("*_description/urdf/*.urdf")
        return path

    @property
    def srdf(self) -> Path:
        (path,) = self.folder.glob("*_moveit_config/config/*.srdf")
        return path

    def rows(self) -> dict[Pair, str]:
        """The disabled pairs with their reasons."""
        rows = etree.parse(str(self.srdf)).getroot().iterfind("disable_collisions")
        return {(row.get("link1", ""), row.get("link2", "")): row.get("reason", "") for row in rows}

    def model(self) -> tuple[Any, Any]:
        """pinocchio's model of the robot and of its collision geometry."""
        model = pin.buildModelFromUrdf(str(self.urdf))
        shapes = pin.buildGeomFromUrdf(
            model, str(self.urdf), pin.GeometryType.COLLISION, package_dirs=[str(self.folder)]
        )
        return model, shapes


def link_of(model: Any, shapes: Any, number: int) -> str:
    """The link of a collision shape."""
    name: str = model.frames[shapes.geometryObjects[number].parentFrame].name
    return name


def pairs_of(model: Any, shapes: Any) -> Counter[Pair]:
    """The pairs of links that pinocchio checks, with how many pairs of shapes each has."""
    ends = [(link_of(model, shapes, pair.first), link_of(model, shapes, pair.second)) for pair in shapes.collisionPairs]
    return Counter((min(pair), max(pair)) for pair in ends)


def removed_pairs(packages: ExportedPackages) -> tuple[set[Pair], set[Pair]]:
    """The pairs of links that pinocchio removes by the SRDF file, and those that the file lists.

    pinocchio has no pairs of links that are rigid to each other; such rows are not among the listed ones.
    """
    model, shapes = packages.model()
    shapes.addAllCollisionPairs()
    before = pairs_of(model, shapes)
    pin.removeCollisionPairs(model, shapes, str(packages.srdf), False)
    after = pairs_of(model, shapes)
    joint = {link_of(model, shapes, k): g.parentJoint for k, g in enumerate(shapes.geometryObjects)}
    listed = {pair for pair in packages.rows() if {*pair} - joint.keys() or joint[pair[0]] != joint[pair[1]]}
    return {pair for pair in before if pair not in after}, listed


def followers(urdf: Path) -> dict[str, tuple[str, float, float]]:
    """The joints that follow others: leader, ratio and offset."""
    found = {}
    for joint in etree.parse(str(urdf)).getroot().iterfind("joint"):
        mimic = joint.find("mimic")
        if mimic is not None:
            ratio, offset = (float(mimic.get(key, default)) for key, default in (("multiplier", "1"), ("offset", "0")))
            found[joint.get("name", "")] = (mimic.get("joint", ""), ratio, offset)
    return found


def states(model: Any, follows: dict[str, tuple[str, float, float]], count: int) -> Iterator[np.ndarray]:
    """Random states of pinocchio's model: uniform in the ranges, a whole turn where there is none."""
    random = np.random.default_rng(11)
    spans = {}
    for name, joint in zip(model.names[1:], model.joints[1:], strict=True):
        low, high = (limit[joint.idx_q] for limit in (model.lowerPositionLimit, model.upperPositionLimit))
        spans[name] = (low, high) if joint.nq == 1 and high - low < 100 else (-np.pi, np.pi)
    for _ in range(count):
        at = {name: random.uniform(*span) for name, span in spans.items()}
        at |= {name: ratio * at[leader] + offset for name, (leader, ratio, offset) in follows.items()}
        q = np.zeros(model.nq)
        for name, joint in zip(model.names[1:], model.joints[1:], strict=True):
            q[joint.idx_q : joint.idx_q + joint.nq] = (
                [at[name]] if joint.nq == 1 else [np.cos(at[name]), np.sin(at[name])]
            )
        yield q


def collisions(packages: ExportedPackages, wanted: set[Pair], count: int, robot: Robot | None = None) -> Counter[Pair]:
    """In how many of random states some pairs of links collide; `robot` has loops, and its closed states are taken."""
    model, shapes = packages.model()
    numbers = range(len(shapes.geometryObjects))
    names = [link_of(model, shapes, number) for number in numbers]
    for i in numbers:
        for j in numbers:
            if i < j and (min(names[i], names[j]), max(names[i], names[j])) in wanted:
                shapes.addCollisionPair(pin.CollisionPair(i, j))
    data, placed = model.createData(), shapes.createData()
    found: Counter[Pair] = Counter()
    follows = followers(packages.urdf)
    if robot is not None and robot.loop_joints:
        placements = _closed_placements(model, shapes, placed, robot, names, count)
    else:
        placements = _placements(model, data, shapes, placed, states(model, follows, count))
    for _ in placements:
        if not pin.computeCollisions(shapes, placed, True):
            continue
        pin.computeCollisions(shapes, placed, False)
        hit = [k for k, result in enumerate(placed.collisionResults) if result.isCollision()]
        ends = [(names[shapes.collisionPairs[k].first], names[shapes.collisionPairs[k].second]) for k in hit]
        found.update({(min(pair), max(pair)) for pair in ends})
    return found


def _placements(model: Any, data: Any, shapes: Any, placed: Any, every: Iterator[np.ndarray]) -> Iterator[None]:
    """Places the shapes in one state after the other."""
    for q in every:
        pin.updateGeometryPlacements(model, data, shapes, placed, q)
        yield


def _closed_placements(
    model: Any, shapes: Any, placed: Any, robot: Robot, names: list[str], count: int
) -> Iterator[None]:
    """The same in closed configurations."""
    lowered = lower(robot, CAPABILITIES, UrdfOptions().choices, Findings())
    old = {each.new: each.old for each in lowered.renamed if each.kind == "frame"}
    local = [model.frames[g.parentFrame].placement.actInv(g.placement) for g in shapes.geometryObjects]
    for poses in _closed_poses(robot, count):
        for number, name in enumerate(names):
            placed.oMg[number] = pin.SE3(poses[old.get(name, name)]) * local[number]
        yield


def _closed_poses(robot: Robot, count: int) -> Iterator[Any]:
    loops, spans, random = ClosedLoops(robot), joint_spans(robot), np.random.default_rng(11)
    q, done = loops.start(), 0
    while done < count:
        step = random.normal(size=loops.size) * random.choice([0.05, 0.3])
        there = loops.closed(loops.moved(q, step))
        if there is None:
            continue
        scalars = {name: at for name, at in there.items() if at.ndim == 0}
        inside = all(spans[name].contains(at) for name, at in loops.kinematics.positions(scalars).items())
        if inside:
            q, done = there, done + 1
            yield loops.kinematics.poses(q)
