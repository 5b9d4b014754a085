"""Bodies as a format wants them: merged, without capsules or unused frames, with a mass where they move."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from swgrm.edit import combine_links, is_only_links, merge_rigid, merged_link_props, rename
from swgrm.findings import Findings
from swgrm.kinematics.pose_math import compose
from swgrm.model import (
    Capsule,
    Cylinder,
    EntityKind,
    Frame,
    Geometry,
    Link,
    Mount,
    Pose,
    Robot,
    Sphere,
)
from swgrm.model.composites import whole_composites
from swgrm.model.props import PropConflict
from swgrm.model.references import references
from swgrm_exporters.lowering.state import Capabilities, Choices, Lowered, Merge, with_links
from swgrm_exporters.names import Pool, Renamed


def fold_rigid_frames(state: Lowered, _: Capabilities, choices: Choices, findings: Findings) -> Lowered:
    """Rigid frames that the user wants merged hand their links to their body."""

    def can_go(frame: Frame) -> bool:
        is_component = frame.entity is not None and frame.entity.kind is EntityKind.COMPONENT
        return (is_component or (choices.merge is Merge.ALL and bool(frame.links))) and is_only_links(frame)

    if choices.merge is Merge.NONE or not any(frame.is_rigid and can_go(frame) for frame in state.robot.frames):
        return state
    robot = merge_rigid(state.robot, can_go)
    gone = state.robot.by_id.keys() - robot.by_id.keys()
    if not gone:
        return state
    findings.add("merged-rigid", f"robot {robot.name}", count=len(gone))
    return _named_after_bodies(state._replace(gone=state.gone | gone), robot)


def _named_after_bodies(state: Lowered, merged: Robot) -> Lowered:
    """Where a frame had no link of its own, the first that it got is named after it: so the body is called."""
    pool = Pool(link.name for frame, link in merged.links() if state.robot.by_id[frame.id].links)
    bare = [f for f in merged.frames if f.links and not state.robot.by_id[f.id].links]
    names = {frame.links[0].name: pool.fresh(frame.id) for frame in bare}
    alone = {frame.links[0].name for frame in bare if len(frame.links) == 1}  # a body of several parts is none of them
    renamed = (Renamed("link", old, new) for old, new in names.items() if old in alone)
    return state._replace(robot=rename(merged, links=names), renamed=(*state.renamed, *renamed))


def split_capsules(state: Lowered, capabilities: Capabilities, _: Choices, findings: Findings) -> Lowered:
    """A capsule becomes a cylinder and two spheres."""
    if capabilities.capsules:
        return state

    def fitted(link: Link) -> Link:
        visuals, collisions = (
            tuple(piece for shape in shapes for piece in _pieces(shape)) for shapes in (link.visuals, link.collisions)
        )
        return replace(link, visuals=visuals, collisions=collisions)

    round_ones = [link.name for _, link in state.robot.links() if any(map(_is_capsule, link.visuals + link.collisions))]
    if not round_ones:
        return state
    for name in round_ones:
        findings.add("capsule-split", f"link {name}")
    return state._replace(robot=with_links(state.robot, fitted))


def _is_capsule(shape: Geometry) -> bool:
    return isinstance(shape, Capsule)


def _pieces(shape: Geometry) -> Iterator[Geometry]:
    if not isinstance(shape, Capsule):
        yield shape
        return

    def named(part: str) -> str:
        return f"{shape.name}_{part}" if shape.name else ""

    radius, length, material = shape.radius, shape.length, shape.material
    yield Cylinder(name=named("side"), origin=shape.origin, material=material, radius=radius, length=length)
    for part, z in (("top", length / 2), ("bottom", -length / 2)):
        origin = compose(shape.origin, Pose((0.0, 0.0, z)))
        yield Sphere(name=named(part), origin=origin, material=material, radius=radius)


def merge_links(state: Lowered, capabilities: Capabilities, _: Choices, findings: Findings) -> Lowered:
    """Several links on a frame become one."""
    several = [frame for frame in state.robot.frames if len(frame.links) > 1]
    if capabilities.several_links or not several:
        return state
    for frame in several:
        findings.add("links-merged", f"frame {frame.id}", count=len(frame.links), name=frame.links[0].name)
        report_conflicts(merged_link_props(frame.links).conflicts, f"link {frame.links[0].name}", findings)
    merged = {link.name for frame in several for link in frame.links}  # a tensor of several is not assumed as a whole
    state = state._replace(implied_tensors=state.implied_tensors - merged)
    return state._replace(robot=combine_links(state.robot))


def report_conflicts(conflicts: Iterable[PropConflict], where: str, findings: Findings) -> None:
    """Report the props that two merged holders have with different values."""
    for each in conflicts:
        findings.add("prop-conflict", where, **each._asdict())


def drop_unused_frames(state: Lowered, capabilities: Capabilities, choices: Choices, findings: Findings) -> Lowered:
    """Pure frames at the tree's ends that nothing refers to go, outermost first, if the user wants that.

    Planes, axes and points go where frames become bodies, unless the user wants them: they stay in the GRM file.
    """
    drops_geometry = capabilities.has_bodies and not choices.reference_geometry
    if not choices.drop_unused_frames and not drops_geometry:
        return state
    robot = state.robot
    named = {side for loop in robot.loop_joints for side in (loop.parent, loop.child)}
    named |= {side for cut in robot.cut_loops for side in (cut.parent_frame, cut.child_frame)}
    named |= {reference.name for reference in references(robot)}
    stay: set[str] = set()
    for frame in reversed(list(robot.walk())):
        used = frame.links or frame.sensors or frame.props or not frame.is_rigid or frame.parent is None
        can_go = choices.drop_unused_frames or _is_reference_geometry(frame)
        if used or not can_go or frame.id in named or frame.id in stay:
            stay |= {frame.id, frame.parent or frame.id}
    gone = [frame for frame in robot.frames if frame.id not in stay]
    if not gone:
        return state
    if pure := sum(not _is_reference_geometry(frame) for frame in gone):
        findings.add("frames-dropped", f"robot {robot.name}", count=pure)
    if len(gone) > pure:
        findings.add("geometry-in-grm", f"robot {robot.name}", count=len(gone) - pure)
    frames = tuple(frame for frame in robot.frames if frame.id in stay)
    return state._replace(robot=replace(robot, frames=frames), gone=state.gone | {frame.id for frame in gone})


def _is_reference_geometry(frame: Frame) -> bool:
    """Whether a frame is a plane, axis or point of SolidWorks."""
    return frame.entity is not None and frame.entity.kind in (EntityKind.PLANE, EntityKind.AXIS, EntityKind.POINT)


def weigh_virtual_bodies(state: Lowered, capabilities: Capabilities, choices: Choices, findings: Findings) -> Lowered:
    """Moving bodies without any mass get the documented tiny inertia, where the format's frames are bodies."""
    if choices.virtual_inertia is None or not capabilities.has_bodies:
        return state
    robot = state.robot
    whole = [each for each in whole_composites(robot).values() if each.joint.type in capabilities.composites]
    inner = {frame.id for each in whole for frame in each.frames[:-1]}
    floats = capabilities.moving_frames_are_bodies and robot.mount is Mount.FLOATING
    moving = (f for f in robot.frames if f.id not in inner and (floats if f.parent is None else not f.is_rigid))
    light = {frame.id for frame in moving if not has_mass(robot, frame)}
    if not light:
        return state

    pool = Pool(link.name for _, link in robot.links())
    own = {frame.id: pool.fresh(frame.id) for frame in robot.frames if frame.id in light and not frame.links}

    def weighed(frame: Frame) -> Frame:
        if frame.id not in light:
            return frame
        first, *others = frame.links or (Link(name=own[frame.id]),)
        return replace(frame, links=(replace(first, inertial=choices.virtual_inertia), *others))

    names = ", ".join(f"`{name}`" for name in sorted(light)[:8]) + (" …" if len(light) > 8 else "")
    where, mass = f"robot {robot.name}", choices.virtual_inertia.mass
    findings.add("virtual-inertia", where, count=len(light), mass=mass, links=names)
    weighed_robot = replace(robot, frames=tuple(map(weighed, robot.frames)))
    implied = state.implied_links | frozenset(own)
    return state._replace(robot=weighed_robot, implied_inertials=frozenset(light), implied_links=implied)


def has_mass(robot: Robot, head: Frame) -> bool:
    """Whether the body that a frame is the head of has an inertial."""
    members = [robot.by_id[frame_id] for frame_id in robot.mechanism.bodies.frames(head.id)]
    return any(link.inertial is not None for frame in members for link in frame.links)
