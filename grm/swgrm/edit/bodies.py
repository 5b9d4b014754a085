"""Links of rigid frames merged into the bodies that carry them, and links of one frame combined."""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from swgrm.kinematics.pose_math import compose
from swgrm.mass.inertia import combine, moved
from swgrm.model import EntityKind, Frame, Link, Pose, Robot
from swgrm.model.props import MergedProps, PropHolder, merge_props
from swgrm.model.references import followed, frames_in_use


def is_only_links(frame: Frame) -> bool:
    """Whether merging a frame loses nothing: it has links, a component and a pose, and nothing else."""
    drawn = frame.entity is not None and frame.entity.kind is not EntityKind.COMPONENT
    return not (frame.sensors or frame.props or frame.geometry or drawn or (frame.joint and frame.joint.props))


def merge_rigid(robot: Robot, can_go: Callable[[Frame], bool] = is_only_links) -> Robot:
    """The robot with the links of rigid frames on the nearest frame that stays.

    Frames stay that loops refer to, and those with a fixed joint that a transmission, coupling or relation refers to.
    """
    needed = {robot.root.id, *frames_in_use(robot)}
    keeper: dict[str, tuple[str, Pose]] = {}  # the frame that stays, and T_keeper_frame
    stays: dict[str, Frame] = {}
    links: dict[str, list[Link]] = {}  # of the frames that stay
    for frame in robot.walk():
        above, T_above_parent = keeper[frame.parent] if frame.parent is not None else (None, Pose())
        T_above_frame = compose(T_above_parent, frame.transform)
        if above is not None and frame.is_rigid and frame.id not in needed and can_go(frame):
            keeper[frame.id] = above, T_above_frame
            links[above] += (moved_link(link, T_above_frame) for link in frame.links)
        else:
            keeper[frame.id] = frame.id, Pose()
            stays[frame.id] = replace(frame, parent=above, transform=T_above_frame)
            links[frame.id] = [*frame.links]
    carriers = {frame_id: above for frame_id, (above, _) in keeper.items()}
    frames = tuple(replace(frame, links=tuple(links[name])) for name, frame in stays.items())
    return followed(replace(robot, frames=frames), frames=carriers)


def combine_links(robot: Robot) -> Robot:
    """The robot with one link per frame: the first one's name, all geometry, one inertia at the common centre of mass.

    Where several links have a prop of the same key with different values, the first one's stays, and the others are
    kept under `merged` (`swgrm.model.props.merge_props`).
    """
    firsts = {link.name: frame.links[0].name for frame, link in robot.links()}
    robot = followed(robot, links=firsts)
    return replace(robot, frames=tuple(replace(f, links=_one_link(f.links)) for f in robot.frames))


def _one_link(links: tuple[Link, ...]) -> tuple[Link, ...]:
    if len(links) < 2:
        return links
    inertials = [link.inertial for link in links if link.inertial is not None]
    merged = merged_link_props(links)
    return (
        replace(
            links[0],
            inertial=combine(inertials) if inertials else None,
            visuals=tuple(shape for link in links for shape in link.visuals),
            collisions=tuple(shape for link in links for shape in link.collisions),
            props=merged.props,
            references=merged.references,
        ),
    )


def merged_link_props(links: tuple[Link, ...]) -> MergedProps:
    """The props of links that become one."""
    return merge_props([PropHolder(link.name, link.props, link.references) for link in links])


def moved_link(link: Link, T_frame_link: Pose) -> Link:
    """The same link seen from another frame."""
    return replace(
        link,
        inertial=link.inertial and moved(link.inertial, T_frame_link.matrix),
        visuals=tuple(replace(shape, origin=compose(T_frame_link, shape.origin)) for shape in link.visuals),
        collisions=tuple(replace(shape, origin=compose(T_frame_link, shape.origin)) for shape in link.collisions),
    )
