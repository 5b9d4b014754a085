"""A robot changed into another: renamed, extended, cut, merged, rescaled. Re-rooting has a room of its own."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, TypeVar

from msgspec.structs import replace

from swgrm.errors import ModelError
from swgrm.inertia import combine, moved
from swgrm.model import (
    Box,
    Capsule,
    Cylinder,
    EntityKind,
    Frame,
    Geometry,
    Inertial,
    Joint,
    JointType,
    Link,
    Mesh,
    Patch,
    Pose,
    Robot,
    Segment,
    Sphere,
    Tensor,
    Vec3,
)
from swgrm.pose_math import compose
from swgrm.references import Names, followed, joint_names

T = TypeVar("T")


def rename(
    robot: Robot, *, frames: Names | None = None, joints: Names | None = None, links: Names | None = None
) -> Robot:
    """The robot with other names; couplings, transmissions, loops and what props name follow.

    A joint named after its frame stays so.
    """
    frames, joints, links = frames or {}, joints or {}, links or {}
    for old, known in (
        (frames, robot.by_id),
        (joints, set(joint_names(robot))),
        (links, {link.name for _, link in robot.links()}),
    ):
        if missing := [name for name in old if name not in known]:
            raise ModelError(f"Robot `{robot.name}` has no `{missing[0]}` to rename.")
    after_frame = {f.joint_name: frames[f.id] for f in robot.frames if f.joint and not f.joint.name and f.id in frames}
    new_joints = after_frame | dict(joints)
    robot = followed(robot, frames=frames, links=links, joints=new_joints)

    def joint(old: Joint, frame_id: str = "") -> Joint:
        coupling = old.coupling and replace(old.coupling, joint=new_joints.get(old.coupling.joint, old.coupling.joint))
        return replace(old, name=joints.get(old.name or frame_id, old.name), coupling=coupling)

    def frame(old: Frame) -> Frame:
        return replace(
            old,
            id=frames.get(old.id, old.id),
            parent=frames.get(old.parent, old.parent) if old.parent is not None else None,
            joint=old.joint and joint(old.joint, old.id),
            links=tuple(replace(link, name=links.get(link.name, link.name)) for link in old.links),
        )

    return replace(
        robot,
        frames=tuple(frame(each) for each in robot.frames),
        loop_joints=tuple(
            replace(
                loop,
                parent=frames.get(loop.parent, loop.parent),
                child=frames.get(loop.child, loop.child),
                joint=joint(loop.joint),
            )
            for loop in robot.loop_joints
        ),
        transmissions=tuple(
            replace(
                each,
                joints=tuple(replace(end, name=new_joints.get(end.name, end.name)) for end in each.joints),
            )
            for each in robot.transmissions
        ),
    )


def add(robot: Robot, *frames: Frame) -> Robot:
    """The robot with more frames; each one's parent is there, or comes before it."""
    known = set(robot.by_id)
    for frame in frames:
        if frame.id in known:
            raise ModelError(f"Robot `{robot.name}` has a frame `{frame.id}` already.")
        if frame.parent not in known:
            raise ModelError(f"Frame `{frame.id}` cannot be added: robot `{robot.name}` has no frame `{frame.parent}`.")
        known.add(frame.id)
    return replace(robot, frames=(*robot.frames, *frames))


def remove(robot: Robot, frame_id: str) -> Robot:
    """The robot without a frame and all below it, and without the loops and transmissions that end there."""
    if robot.frame(frame_id).parent is None:
        raise ModelError(f"Frame `{frame_id}` is the root of robot `{robot.name}`: it cannot be removed.")
    gone = {frame.id for frame in robot.walk(frame_id)}
    kept = tuple(frame for frame in robot.frames if frame.id not in gone)
    lost = {name for name, frame in robot.joints.items() if frame.id in gone}
    for frame in kept:
        if frame.joint and frame.joint.coupling and frame.joint.coupling.joint in lost:
            raise ModelError(
                f"Joint `{frame.joint_name}` follows `{frame.joint.coupling.joint}`: that cannot be removed."
            )
    return replace(
        robot,
        frames=kept,
        loop_joints=tuple(loop for loop in robot.loop_joints if not {loop.parent, loop.child} & gone),
        transmissions=tuple(t for t in robot.transmissions if not {end.name for end in t.joints} & lost),
    )


# ---- merging what is rigid


def is_only_links(frame: Frame) -> bool:
    """Whether a frame says nothing that merging would lose: its links, its component, and where it is."""
    drawn = frame.entity is not None and frame.entity.kind is not EntityKind.COMPONENT
    return not (frame.sensors or frame.props or frame.geometry or drawn or (frame.joint and frame.joint.props))


def merge_rigid(robot: Robot, can_go: Callable[[Frame], bool] = is_only_links) -> Robot:
    """Give the links of rigid frames to the nearest frame that stays; frames that loops refer to stay."""
    needed = {robot.root.id} | {end for loop in robot.loop_joints for end in (loop.parent, loop.child)}
    keeper: dict[str, tuple[str, Pose]] = {}  # the frame that stays, and T_keeper_frame
    stays: dict[str, Frame] = {}
    for frame in robot.walk():
        above, T_above_parent = keeper[frame.parent] if frame.parent is not None else (None, Pose())
        T_above_frame = compose(T_above_parent, frame.transform)
        if above is not None and frame.is_rigid and frame.id not in needed and can_go(frame):
            keeper[frame.id] = above, T_above_frame
            here = stays[above]
            stays[above] = replace(
                here, links=(*here.links, *(moved_link(link, T_above_frame) for link in frame.links))
            )
        else:
            keeper[frame.id] = frame.id, Pose()
            stays[frame.id] = replace(frame, parent=above, transform=T_above_frame)
    carriers = {frame_id: above for frame_id, (above, _) in keeper.items()}
    return followed(replace(robot, frames=tuple(stays.values())), frames=carriers)


def combine_links(robot: Robot) -> Robot:
    """One link per frame: the first one's name, all geometry, inertias combined at the common centre of mass."""
    firsts = {link.name: frame.links[0].name for frame, link in robot.links()}
    robot = followed(robot, links=firsts)
    return replace(robot, frames=tuple(replace(f, links=_one_link(f.links)) for f in robot.frames))


def _one_link(links: tuple[Link, ...]) -> tuple[Link, ...]:
    if len(links) < 2:
        return links
    inertials = [link.inertial for link in links if link.inertial is not None]
    props = {key: value for link in reversed(links) for key, value in link.props.items()}
    return (
        replace(
            links[0],
            inertial=combine(inertials) if inertials else None,
            visuals=tuple(shape for link in links for shape in link.visuals),
            collisions=tuple(shape for link in links for shape in link.collisions),
            props=props,
        ),
    )


def moved_link(link: Link, T_frame_link: Pose) -> Link:
    """The same link seen from another frame."""
    return replace(
        link,
        inertial=link.inertial and moved(link.inertial, T_frame_link.matrix),
        visuals=tuple(replace(shape, origin=compose(T_frame_link, shape.origin)) for shape in link.visuals),
        collisions=tuple(replace(shape, origin=compose(T_frame_link, shape.origin)) for shape in link.collisions),
    )


# ---- rescaling


def rescale(robot: Robot, factor: float) -> Robot:
    """The robot with all lengths multiplied, masses kept: for a model drawn in other units.

    Slides' positions, speeds and accelerations are lengths, pitches too, a coupling's ratio where one side slides;
    tensors go with the square. Efforts, damping and friction are not geometry and stay.
    """
    if not factor > 0:
        raise ModelError(f"A robot cannot be rescaled by {factor}: the factor must be positive.")
    slides = {name for name, frame in robot.joints.items() if frame.joint and frame.joint.type is JointType.PRISMATIC}
    joint = partial(_scaled_joint, factor=factor, slides=slides)
    return replace(
        robot,
        frames=tuple(
            replace(
                frame,
                transform=_scaled_pose(frame.transform, factor),
                joint=frame.joint and joint(frame.joint),
                links=tuple(_scaled_link(link, factor) for link in frame.links),
                geometry=_scaled_fields(frame.geometry, factor, _LENGTHS),
            )
            for frame in robot.frames
        ),
        loop_joints=tuple(
            replace(loop, transform=_scaled_pose(loop.transform, factor), joint=joint(loop.joint))
            for loop in robot.loop_joints
        ),
    )


_LENGTHS: Mapping[type, tuple[str, ...]] = {
    Patch: ("size",),
    Segment: ("length",),
    Mesh: ("scale",),
    Box: ("size",),
    Cylinder: ("radius", "length"),
    Sphere: ("radius",),
    Capsule: ("radius", "length"),
}


def _times(value: Any, factor: float) -> Any:  # noqa: ANN401 - a number, a tuple of them, or nothing
    if isinstance(value, tuple):
        return tuple(each * factor for each in value)
    return None if value is None else value * factor


def _scaled_fields(data: T, factor: float, table: Mapping[type, tuple[str, ...]]) -> T:
    changes = {name: _times(getattr(data, name), factor) for name in table.get(type(data), ())}
    return replace(data, **changes) if changes else data  # type: ignore[type-var]  # None has no changes


def _scaled_pose(pose: Pose, factor: float) -> Pose:
    return replace(pose, pos=_times(pose.pos, factor))


def _scaled_shape(shape: Geometry, factor: float) -> Geometry:
    return replace(_scaled_fields(shape, factor, _LENGTHS), origin=_scaled_pose(shape.origin, factor))


def _scaled_link(link: Link, factor: float) -> Link:
    return replace(
        link,
        inertial=link.inertial and _scaled_inertial(link.inertial, factor),
        visuals=tuple(_scaled_shape(shape, factor) for shape in link.visuals),
        collisions=tuple(_scaled_shape(shape, factor) for shape in link.collisions),
    )


def _scaled_inertial(inertial: Inertial, factor: float) -> Inertial:
    origin: Vec3 = _times(inertial.origin, factor)
    tensor = inertial.tensor and Tensor(
        *(getattr(inertial.tensor, name) * factor**2 for name in Tensor.__struct_fields__)
    )
    return replace(inertial, origin=origin, tensor=tensor)


def _scaled_joint(joint: Joint, factor: float, slides: set[str]) -> Joint:
    own = factor if joint.type is JointType.PRISMATIC else 1.0
    coupling, limits = joint.coupling, joint.limits
    if coupling is not None:
        leader = factor if coupling.joint in slides else 1.0
        coupling = replace(coupling, ratio=coupling.ratio * own / leader, offset=coupling.offset * own)
    if own != 1.0:
        limits = replace(
            limits,
            **{n: _times(getattr(limits, n), own) for n in ("lower", "upper", "velocity", "acceleration")},
        )
    return replace(
        joint,
        pitch=joint.pitch * factor,
        coupling=coupling,
        limits=limits,
        safety=joint.safety
        and replace(
            joint.safety,
            soft_lower_limit=joint.safety.soft_lower_limit * own,
            soft_upper_limit=joint.safety.soft_upper_limit * own,
            k_position=joint.safety.k_position / own,
            k_velocity=joint.safety.k_velocity / own,
        ),
        calibration=joint.calibration
        and replace(
            joint.calibration,
            rising=_times(joint.calibration.rising, own),
            falling=_times(joint.calibration.falling, own),
        ),
    )
