"""Lowering fits a robot to a format: it rewrites what the format cannot hold, and reports what it changed.

A format declares its capabilities as data; `lower` walks the steps below in their order. Poses of frames and masses
never change (but for the virtual inertia, an option); what is rewritten is how they are expressed.
"""

from __future__ import annotations

from swgrm.findings import Findings
from swgrm.model import Robot
from swgrm.precision import rounded_since
from swgrm_exporters.lowering.bodies import (
    drop_unused_frames,
    fold_rigid_frames,
    merge_links,
    split_capsules,
    weigh_virtual_bodies,
)
from swgrm_exporters.lowering.features import Feature
from swgrm_exporters.lowering.inertias import align_tensors, assume_tensors, nudge_tensors
from swgrm_exporters.lowering.joints import cut_loops, resolve_coupling_chains, resolve_relations, split_joints
from swgrm_exporters.lowering.limits import part_limits
from swgrm_exporters.lowering.loop_bodies import split_loop_bodies
from swgrm_exporters.lowering.naming import (
    make_frames_links,
    make_names_legal,
    name_bodies,
    report_lost_references,
    shorten_names,
)
from swgrm_exporters.lowering.rigid import give_bodies, move_rigid_links
from swgrm_exporters.lowering.simulation import drop_simulation
from swgrm_exporters.lowering.state import TINY, Capabilities, Choices, Held, Lowered, LoweringStep, Merge, RigidLinks


def lower(robot: Robot, capabilities: Capabilities, choices: Choices, findings: Findings) -> Lowered:
    """The robot as the format can hold it; the numbers that this computes are rounded, all others stay."""
    state = Lowered(robot)
    for step in STEPS:
        state = step(state, capabilities, choices, findings)
    state = state._replace(robot=rounded_since(state.robot, robot))
    report_lost_references(state.robot, robot, findings)
    return state


STEPS: tuple[LoweringStep, ...] = (
    assume_tensors,
    fold_rigid_frames,
    drop_simulation,
    split_loop_bodies,
    cut_loops,
    split_joints,
    resolve_relations,
    resolve_coupling_chains,
    split_capsules,
    merge_links,
    move_rigid_links,
    drop_unused_frames,
    shorten_names,
    make_names_legal,
    make_frames_links,
    name_bodies,
    weigh_virtual_bodies,
    give_bodies,
    align_tensors,
    nudge_tensors,
    part_limits,
)


__all__ = ["STEPS", "TINY", "Capabilities", "Choices", "Feature", "Held", "Lowered", "Merge", "RigidLinks", "lower"]
