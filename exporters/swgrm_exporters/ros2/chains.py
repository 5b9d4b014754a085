"""Groups of joints that one controller, or one planning group, moves together.

A chain has the driven joints from a body where the robot branches to the next such body, or to the end of the branch.
Bodies branch where several moving bodies are attached, followers included, and where a loop begins: a gripper's fingers
are not in the chain of the arm that carries them. Branches of one joint each that begin at the same body are one chain,
as the wheels of a base are. Branches that a loop couples are one chain; those that carry the loop are not in it.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

from swgrm.model import Frame, Robot
from swgrm_exporters.loops import loop_path
from swgrm_exporters.names import Pool, ros_legal


class DrivenChain(NamedTuple):
    """Driven joints in their order from the base, and the links at the two ends."""

    name: str
    base: str  # the link that the first joint is on
    tip: str  # the last link that the last joint moves, before the robot branches
    joints: tuple[str, ...]


def driven_chains(robot: Robot, driven: Collection[str], name: str) -> tuple[DrivenChain, ...]:
    """The chains of a robot without loops or with cut ones; a robot that is one chain gives it its own name."""
    branches = _coupled(robot, list(_branches(robot, robot.root, driven, _loop_starts(robot))))
    groups = [DrivenChain("", *each) for each in _gathered(robot, branches)]
    pool = Pool()
    return tuple(each._replace(name=pool.fresh(_name(each, name, len(groups)))) for each in groups)


_Branch = tuple[str, str, tuple[str, ...]]


def _loop_starts(robot: Robot) -> set[str]:
    """The moving bodies that carry a whole loop each, but for the root."""
    found: set[str] = set()
    for cut in robot.cut_loops:
        inside = loop_path(robot, cut)
        moving = [frame for frame in robot.path(cut.child_frame) if not frame.is_rigid]
        found.update(frame.id for frame in [each for each in moving if each.joint_name not in inside][-1:])
    return found


def _branches(robot: Robot, start: Frame, driven: Collection[str], forks: Collection[str]) -> Iterator[_Branch]:
    """The unnamed chains that begin at a body, and those beyond them."""
    carried_by = robot.mechanism.bodies.carried_by
    for first_body in carried_by(start.id):
        first = robot.by_id[first_body]
        joints, frame = [], first
        while True:
            joints += [frame.joint_name] if frame.joint_name in driven else []
            following = carried_by(frame.id)
            if len(following) != 1 or frame.id in forks:
                break
            frame = robot.by_id[following[0]]
        if joints:
            yield first.parent or start.id, frame.id, tuple(joints)
        yield from _branches(robot, frame, driven, forks)


def _coupled(robot: Robot, branches: list[_Branch]) -> list[_Branch]:
    """The branches, with those as one that have joints of the same loop, or of loops with a common joint."""
    loops: list[set[str]] = []
    for cut in robot.cut_loops:
        joints = set(loop_path(robot, cut))
        touching = [each for each in loops if each & joints]
        loops = [*(each for each in loops if each not in touching), joints.union(*touching)]
    for loop in loops:
        inside = [each for each in branches if loop.intersection(each[2])]
        if len(inside) > 1:
            one = (inside[0][0], inside[-1][1], tuple(joint for each in inside for joint in each[2]))
            branches = [one if each is inside[0] else each for each in branches if each not in inside[1:]]
    return branches


def _gathered(robot: Robot, branches: Sequence[_Branch]) -> list[_Branch]:
    """The chains, with short ones that begin at one body as one."""
    found: dict[str, _Branch] = {}
    for number, (base, tip, joints) in enumerate(branches):
        key = f"body {robot.mechanism.bodies.body_of[base]}" if len(joints) == 1 else f"{number}"
        before = found.get(key)
        found[key] = (base, tip, joints) if before is None else (before[0], tip, (*before[2], *joints))
    return list(found.values())


def _name(chain: DrivenChain, robot_name: str, count: int) -> str:
    """The robot's name for its only chain; else the words that all joints begin with, or the name of the tip."""
    if count == 1:
        return robot_name
    words = [joint.split("_") for joint in chain.joints]
    same = itertools.takewhile(lambda column: len(set(column)) == 1, zip(*words, strict=False))
    common = "_".join(column[0] for column in same)
    name = common if len(chain.joints) > 1 and common.strip("_0123456789") else chain.tip
    return re.sub(r"\W+", "_", ros_legal(name)).strip("_").lower() or robot_name
