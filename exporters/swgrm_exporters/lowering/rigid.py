"""Bodies for simulators: a link with mass on the root and on every moving frame, and fewer on rigid frames."""

from __future__ import annotations

from msgspec.structs import replace

from swgrm.edit import combine_links, moved_link
from swgrm.findings import Findings
from swgrm.kinematics.bodies import carriers, poses_in_carriers
from swgrm.model import Frame, Link, Robot
from swgrm.model.references import followed
from swgrm_exporters.lowering.state import TINY, Capabilities, Choices, Lowered, RigidLinks
from swgrm_exporters.names import Pool


def move_rigid_links(state: Lowered, capabilities: Capabilities, _: Choices, findings: Findings) -> Lowered:
    """Links that the format does not allow on rigid frames are handed to their body; the frames stay."""
    if capabilities.rigid_links is RigidLinks.ANY:
        return state
    robot = state.robot
    carrier_of = carriers(robot, lambda frame: not frame.is_rigid or _keeps(frame, capabilities.rigid_links))
    T_carrier = poses_in_carriers(robot, carrier_of)
    handed: dict[str, list[Link]] = {carrier: [] for carrier in carrier_of.values()}
    for frame in robot.walk():
        carrier = carrier_of[frame.id]
        if carrier != frame.id:
            handed[carrier] += [moved_link(link, T_carrier[frame.id]) for link in frame.links]
    moved = [link for links in handed.values() for link in links]
    if not moved:
        return state
    changed = _with_handed(robot, handed)
    findings.add("links-moved", f"robot {robot.name}", count=len(moved), links=_listed([link.name for link in moved]))
    names = {link.name: changed.by_id[carrier_of[f.id]].links[0].name for f, link in robot.links()}
    return state._replace(robot=followed(changed, links=names))


def _keeps(frame: Frame, rule: RigidLinks) -> bool:
    """Whether a rigid frame keeps its links."""
    return rule is RigidLinks.WITH_MASS and any(link.inertial and link.inertial.mass > 0 for link in frame.links)


def _with_handed(robot: Robot, handed: dict[str, list[Link]]) -> Robot:
    frames = tuple(replace(f, links=(*f.links, *handed[f.id]) if f.id in handed else ()) for f in robot.frames)
    return combine_links(replace(robot, frames=frames))


def give_bodies(state: Lowered, capabilities: Capabilities, choices: Choices, findings: Findings) -> Lowered:
    """The root and every moving frame get a link; a link without mass gets the documented tiny inertia."""
    if capabilities.rigid_links is RigidLinks.ANY:
        return state
    robot, tiny = state.robot, choices.virtual_inertia or TINY
    pool = Pool([*robot.by_id, *(link.name for _, link in robot.links())])
    frames, implied, light = [], [], []
    for frame in robot.frames:
        links = frame.links
        if not links and (frame.parent is None or not frame.is_rigid):
            name = frame.id if all(link.name != frame.id for _, link in robot.links()) else pool.fresh(frame.id)
            links = (Link(name=name),)
            implied.append(name)
        if links and not (links[0].inertial and links[0].inertial.mass > 0):
            links = (replace(links[0], inertial=tiny),)
            light.append(links[0].name)
        frames.append(replace(frame, links=links))
    if light:
        facts = {"count": len(light), "mass": tiny.mass, "links": _listed(light)}
        findings.add("virtual-inertia", f"robot {robot.name}", **facts)
    return state._replace(
        robot=replace(robot, frames=tuple(frames)),
        implied_links=state.implied_links | {*implied},
        implied_inertials=state.implied_inertials | {*light},
    )


def _listed(names: list[str]) -> str:
    return ", ".join(f"`{name}`" for name in sorted(names)[:8]) + (" …" if len(names) > 8 else "")
