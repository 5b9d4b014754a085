"""The SRDF file: groups, named states, end effectors, the virtual joint, passive joints and disabled collisions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from swgrm_exporters.moveit.collision_pairs import PairTable
from swgrm_exporters.moveit.groups import PlanningGroup, PlanningGroups
from swgrm_exporters.numbers import Numbers
from swgrm_exporters.xmlwriting import Node, add_node, comment_node

NUMBERS = Numbers(9)


class VirtualJoint(NamedTuple):
    """How the robot's root is in the world: fixed, floating or planar."""

    type: str
    parent_frame: str
    child_link: str


class SemanticDescription(NamedTuple):
    """What an SRDF file has, in its order."""

    name: str  # the robot's, as the URDF has it
    groups: PlanningGroups
    states: Mapping[tuple[str, str], Mapping[str, float]]  # by name and group: positions by joint
    virtual_joint: VirtualJoint | None
    passive: tuple[str, ...]
    pairs: PairTable
    seed: int


def semantic_tree(semantic: SemanticDescription) -> Node:
    """The elements of the SRDF file."""
    root = Node("robot", {"name": semantic.name})
    for group in semantic.groups.groups:
        _add_group(root, group)
    for (name, of), positions in semantic.states.items():
        node = add_node(root, "group_state", {"name": name, "group": of})
        for joint, at in positions.items():
            add_node(node, "joint", {"name": joint, "value": NUMBERS.text(at)})
    for effector in semantic.groups.end_effectors:
        values = {"name": effector.name, "parent_link": effector.parent_link, "group": effector.group}
        add_node(root, "end_effector", values | _given(parent_group=effector.parent_group))
    if (virtual := semantic.virtual_joint) is not None:
        values = {"name": "virtual_joint", "type": virtual.type, "parent_frame": virtual.parent_frame}
        add_node(root, "virtual_joint", values | {"child_link": virtual.child_link})
    for joint in semantic.passive:
        add_node(root, "passive_joint", {"name": joint})
    root.append(comment_node(pair_comment(semantic.pairs, semantic.seed)))
    for one, other, reason in semantic.pairs.rows:
        add_node(root, "disable_collisions", {"link1": one, "link2": other, "reason": reason})
    return root


def _add_group(root: Node, group: PlanningGroup) -> None:
    node = add_node(root, "group", {"name": group.name})
    for each in group.groups:
        add_node(node, "group", {"name": each})
    if group.is_chain:
        add_node(node, "chain", {"base_link": group.base, "tip_link": group.tip})
        return
    for joint in (*group.joints, *group.followers):
        add_node(node, "joint", {"name": joint})


def _given(**values: str) -> dict[str, str]:
    return {key: value for key, value in values.items() if value}


def pair_comment(pairs: PairTable, seed: int) -> str:
    """How the disabled pairs were found, as the file states it."""
    if not pairs.states:
        return " Pairs of neighbouring links; no states were sampled. "
    count = pairs.links * (pairs.links - 1) // 2
    states = f"{pairs.states} states (Halton sequence, seed {seed}; limits included, couplings and loops satisfied)"
    return f" {len(pairs.rows)} of {count} pairs of {pairs.links} links need no check; found in {states}. "


def reason_counts(rows: Sequence[tuple[str, str, str]]) -> str:
    """The numbers of pairs by reason, for people: `6 Adjacent, 5 Never`."""
    reasons = list(dict.fromkeys(sorted(reason for *_, reason in rows)))
    return ", ".join(f"{sum(row[2] == reason for row in rows)} {reason}" for reason in reasons)
