"""The structure of another exporter's robot as settings: the base, what is one body, what is left out, which joints."""

from __future__ import annotations

from typing import Any

import numpy as np

from swgrm.findings import Findings
from swgrm.model import JointType
from swgrm_addin.migration.assembly_view import AssemblyView, Matches
from swgrm_addin.migration.old_robot import TYPES, OldLink, OldRobot
from swgrm_addin.migration.placing import OldFrames

Sections = dict[str, dict[str, Any]]


def structure_settings(
    old: OldRobot, matches: Matches, view: AssemblyView, placement: OldFrames, findings: Findings
) -> Sections:
    """The settings that give the assembly the links and joints of the old robot; what was inferred else is reported."""
    sections: Sections = {"base": {}, "joints": {}, "links": {}}
    root = matches.get(old.root.name, ())
    if root and view.inference.tree.root not in view.bodies_of(root):
        sections["base"]["root"] = root[0]
        findings.add("old-root", f"link {old.root.name}", old=root[0], new=view.inference.root_name or "the assembly")
    if joined := _joined(old, matches, view, findings):
        sections["links"]["join"] = joined
    if left := _left_out(old, matches, view, findings):
        sections["links"]["leaveOut"] = left
    for link in old.links:
        known = link.name in matches and link.parent in matches
        if link.joint and known and (entry := _defined(link, matches, view, placement, findings)):
            sections["joints"][link.joint.name] = entry
    return sections


def _joined(old: OldRobot, matches: Matches, view: AssemblyView, findings: Findings) -> list[list[str]]:
    """The groups of components that are one link there, and several bodies here; and those of links that are fixed."""
    groups = []
    for link in old.links:
        components = matches.get(link.name, ())
        bodies = view.bodies_of(components)
        if len(bodies) > 1:
            names = ", ".join(view.inference.body_name(body) for body in bodies)
            findings.add("old-link-split", f"link {link.name}", bodies=names)
        is_fixed = link.joint is not None and link.joint.type == "fixed"
        if len(components) > 1 and (len(bodies) > 1 or is_fixed):
            groups.append(list(components))
    return groups


def _left_out(old: OldRobot, matches: Matches, view: AssemblyView, findings: Findings) -> list[str]:
    """The parts that no link has, if the exporter stored which parts each link has."""
    if not old.knows_components or any(link.components and link.name not in matches for link in old.links):
        return []
    covered = {part for components in matches.values() for part in view.parts_of(components)}
    left = [part for part in view.parts if part not in covered]
    if left:
        findings.add("old-left-out", "assembly", count=len(left), names=", ".join(left))
    return left


def _defined(
    link: OldLink, matches: Matches, view: AssemblyView, placement: OldFrames, findings: Findings
) -> dict[str, Any]:
    """The definition of a joint that the mates do not make: a fixed one, or one inside what is one body here."""
    assert link.joint is not None  # noqa: S101 - the caller looked
    kind = TYPES.get(link.joint.type)
    parents, children = view.bodies_of(matches[link.parent]), view.bodies_of(matches[link.name])
    ends = {"parent": matches[link.parent][0], "child": matches[link.name][0]}
    where = f"joint {link.joint.name}"
    if kind is JointType.FIXED:
        if not {*parents} & {*children}:
            findings.add("old-type", where, old="fixed", new=inferred_type(view, parents[0], children[0]))
        return {**ends, "type": "fixed"}
    if parents != children:
        return {}
    line = placement.axis_line(link)
    if kind is None or line is None:
        findings.add("old-joint-lost", where, old=link.joint.type or "no type", **ends)
        return {}
    findings.add("old-type", where, old=link.joint.type, new="fixed: its two links are one body")
    point, direction = line
    points = [np.round(each, 15).tolist() for each in (point, point + direction)]
    return {**ends, "type": str(kind), "axis": points}


def inferred_type(view: AssemblyView, parent: int, child: int) -> str:
    """What was inferred between two bodies, in words."""
    pair = view.joint_between(parent, child)
    if pair is None:
        return "no joint between them" if child not in view.neighbours(parent) else "a joint that closes a loop"
    return " + ".join(str(simple.type) for simple in pair.joint.chain)
