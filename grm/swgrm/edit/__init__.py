"""Edits: functions that take a robot and return another one, with every reference followed.

What refers to a joint, frame or link (couplings, relations, composite joints, loops, transmissions, and the props that
`references` declare) still refers to the same one afterwards. Every number that is a position of a joint (limits, soft
limits, calibration, offsets) still means the same position. `swgrm.edit.root` has the edit that changes the root.
"""

from __future__ import annotations

from swgrm.edit.bodies import combine_links, is_only_links, merge_rigid, merged_link_props, moved_link
from swgrm.edit.joints import (
    SCALAR,
    find_joint,
    flip,
    follow,
    limit,
    rezero,
    set_calibration,
    set_dynamics,
    set_safety,
    set_type,
)
from swgrm.edit.names import rename
from swgrm.edit.scale import rescale
from swgrm.edit.tree import add, remove

__all__ = [
    "SCALAR",
    "add",
    "combine_links",
    "find_joint",
    "flip",
    "follow",
    "is_only_links",
    "limit",
    "merge_rigid",
    "merged_link_props",
    "moved_link",
    "remove",
    "rename",
    "rescale",
    "rezero",
    "set_calibration",
    "set_dynamics",
    "set_safety",
    "set_type",
]
