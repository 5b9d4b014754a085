"""The pairs of bodies whose contacts MuJoCo leaves out.

MuJoCo ignores contacts between a body and its parent, except where the parent is fixed to the world. Written are such
neighbours, neighbours with a body between them, both sides of each loop, pairs whose shapes overlap, and the user's.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from swgrm.findings import Findings
from swgrm.kinematics.body_motion import BodyMotion
from swgrm.model import Mount, Robot
from swgrm_exporters.ignored_pairs import ignored_pairs
from swgrm_exporters.lowering import Lowered

if TYPE_CHECKING:
    from swgrm.meshes.store import MeshFiles

NamePair = tuple[str, str]


def excluded_pairs(robot: Robot, lowered: Lowered, meshes: MeshFiles | None, findings: Findings) -> list[NamePair]:
    """The pairs of bodies to exclude, in the order of the frames; `robot` is the robot before lowering."""
    written = lowered.robot
    motion = written.mechanism.motion
    solid = [frame.id for frame in written.frames if any(link.collisions for link in frame.links)]
    bodies: dict[str, list[str]] = {}
    for name in solid:
        bodies.setdefault(motion.body_of[name], []).append(name)

    def of_bodies(pairs: Iterable[NamePair]) -> list[NamePair]:
        return [(a, b) for one, other in pairs for a in bodies.get(one, ()) for b in bodies.get(other, ())]

    near = [pair for pair in sorted(motion.neighbours) if not _is_filtered(written, motion, pair)]
    pairs = [*of_bodies(near), *of_bodies(sorted(motion.looped)), *written.ignored_contacts]
    if meshes is not None:
        pairs += ignored_pairs(robot, lowered, meshes, findings)
    order = {frame.id: number for number, frame in enumerate(written.frames)}
    known = [pair for pair in pairs if {*pair} <= order.keys() and pair[0] != pair[1]]
    ordered = (tuple(sorted(pair, key=order.__getitem__)) for pair in known)
    return sorted({(a, b) for a, b in ordered}, key=lambda pair: (order[pair[0]], order[pair[1]]))


def _is_filtered(robot: Robot, motion: BodyMotion, pair: NamePair) -> bool:
    """Whether MuJoCo leaves out the contacts of two bodies by itself."""
    for child, parent in (pair, pair[::-1]):
        above = robot.frame(child).parent
        if above is not None and motion.body_of[above] == parent:
            is_static = parent == robot.root.id and robot.mount is Mount.FIXED
            return not is_static
    return False
