"""Compares what inference makes of a large robot with what is true of it."""

from __future__ import annotations

from typing import NamedTuple

from swgrm.findings import by_kind, problems
from swgrm.inference import Inference
from swgrm_mocks.large.robots import LargeRobot


class Verdict(NamedTuple):
    """What is right and wrong in an inferred robot."""

    joints: int  # that move
    false_joints: int  # joints to a body that has the casting of no link
    wrong: tuple[str, ...]  # components that do not move with the casting of their link
    warnings: int
    kinds: int  # of warnings: a summary prints a line for each kind


def judge(robot: LargeRobot, inference: Inference) -> Verdict:
    """Compare the joints and bodies of a robot with the true ones."""
    fixed_to_base = set(inference.tree.unattached)

    def body_of(component: str) -> int:
        label = inference.body_of(component)
        return inference.tree.root if label in fixed_to_base else label

    castings = {link: body_of(component) for link, component in robot.castings.items()}
    wrong = tuple(name for name, link in robot.links.items() if body_of(name) != castings[link])
    moving = [frame for frame in inference.robot.joints.values() if not frame.is_rigid]
    false_joints = [joint for joint in inference.tree.joints if joint.child not in castings.values()]
    warnings = problems(inference.findings)
    return Verdict(len(moving), len(false_joints), wrong, len(warnings), len(by_kind(warnings)))
