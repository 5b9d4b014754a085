"""The pairs of links whose contacts a simulator should ignore, because their collision shapes overlap."""

from __future__ import annotations

from typing import TYPE_CHECKING

from swgrm.findings import Findings
from swgrm.model import Robot
from swgrm_exporters.lowering import Lowered

if TYPE_CHECKING:
    from swgrm.meshes.store import MeshFiles


def ignored_pairs(robot: Robot, lowered: Lowered, meshes: MeshFiles, findings: Findings) -> list[tuple[str, str]]:
    """The pairs of links with overlapping shapes, as the lowered robot names them, and reports each of bodies.

    `robot` is the robot before lowering, which names the mesh files.
    """
    if not any(link.collisions for _, link in robot.links()):
        return []
    from swgrm.meshes.cache import Cache, default_folder
    from swgrm.meshes.overlaps import overlaps

    old = {each.new: each.old for each in lowered.renamed if each.kind == "frame"}
    body_of = robot.mechanism.bodies.body_of
    links: dict[str, list[str]] = {}  # by body of the robot
    for frame, link in lowered.robot.links():
        body = body_of.get(old.get(frame.id, frame.id))
        if link.collisions and body is not None:
            links.setdefault(body, []).append(link.name)
    pairs = []
    for overlap in overlaps(robot, meshes, Cache(default_folder())):
        findings.add_once("collision-overlap", f"bodies {overlap.one}, {overlap.other}", depth=1000 * overlap.depth)
        pairs += [(a, b) for a in links.get(overlap.one, ()) for b in links.get(overlap.other, ())]
    return pairs
