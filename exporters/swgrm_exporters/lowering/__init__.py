"""The step that fits a robot to a format: what the format cannot hold is rewritten as what it can, and said.

A format declares its capabilities as data; `lower` walks the steps below in their order. Poses of frames and masses
never change (but for the virtual inertia, an option); what is rewritten is how they are expressed.
"""

from __future__ import annotations

from swgrm.model import Robot
from swgrm_exporters.lowering.bodies import (
    drop_unused_frames,
    fold_rigid_frames,
    merge_links,
    split_capsules,
    weigh_virtual_bodies,
)
from swgrm_exporters.lowering.joints import cut_loops, resolve_coupling_chains, split_joints
from swgrm_exporters.lowering.naming import make_frames_links, make_names_legal, say_lost_references
from swgrm_exporters.lowering.state import TINY, Capabilities, Choices, Lowered, Merge, Step


def lower(robot: Robot, capabilities: Capabilities, choices: Choices = Choices()) -> Lowered:  # noqa: B008 - immutable
    """The robot as the format can hold it."""
    state = Lowered(robot, ())
    for step in STEPS:
        state = step(state, capabilities, choices)
    return say_lost_references(state, robot)


STEPS: tuple[Step, ...] = (
    fold_rigid_frames,
    cut_loops,
    split_joints,
    resolve_coupling_chains,
    split_capsules,
    merge_links,
    drop_unused_frames,
    make_names_legal,
    make_frames_links,
    weigh_virtual_bodies,
)


__all__ = ["STEPS", "TINY", "Capabilities", "Choices", "Lowered", "Merge", "lower"]
