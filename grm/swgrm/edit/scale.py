"""A robot in another unit of length."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from msgspec.structs import replace

from swgrm.edit.positions import PositionMap, remap_positions
from swgrm.errors import ModelError
from swgrm.model import (
    Box,
    Capsule,
    Cylinder,
    Frame,
    Geometry,
    Inertial,
    Joint,
    JointType,
    Link,
    LoopJoint,
    Mesh,
    Patch,
    Pose,
    Robot,
    Segment,
    Sphere,
    Tensor,
    Vec3,
)
from swgrm.model.references import all_loops

T = TypeVar("T")


def rescale(robot: Robot, factor: float) -> Robot:
    """The robot with all lengths multiplied, masses kept: for a model drawn in other units.

    Positions, velocities and accelerations of prismatic joints are lengths, pitches too; inertia tensors scale with the
    square. Efforts, damping and friction are not geometry and stay.
    """
    if not factor > 0:
        raise ModelError(f"A robot cannot be rescaled by {factor}: the factor must be positive.")

    def frame(old: Frame) -> Frame:
        return replace(
            old,
            transform=_scaled_pose(old.transform, factor),
            joint=old.joint and _scaled_joint(old.joint, factor),
            links=tuple(_scaled_link(link, factor) for link in old.links),
            geometry=_scaled_fields(old.geometry, factor, _LENGTHS),
        )

    def loop(old: LoopJoint) -> LoopJoint:
        return replace(old, transform=_scaled_pose(old.transform, factor), joint=_scaled_joint(old.joint, factor))

    joints = {**{n: f.joint for n, f in robot.joints.items()}, **{x.joint.name: x.joint for x in all_loops(robot)}}
    slides = [name for name, joint in joints.items() if joint and joint.type is JointType.PRISMATIC]
    scaled = replace(
        robot,
        frames=tuple(map(frame, robot.frames)),
        loop_joints=tuple(map(loop, robot.loop_joints)),
        composite_joints=tuple(replace(each, pitch=each.pitch * factor) for each in robot.composite_joints),
        cut_loops=tuple(replace(cut, loop=loop(cut.loop)) for cut in robot.cut_loops),
    )
    return remap_positions(scaled, dict.fromkeys(slides, PositionMap(scale=factor)))


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


def _scaled_joint(joint: Joint, factor: float) -> Joint:
    return replace(joint, pitch=joint.pitch * factor)
