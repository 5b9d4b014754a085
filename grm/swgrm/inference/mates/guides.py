"""Mates that guide an entity along a profile: slot, cam follower and path."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

import numpy as np
from msgspec.structs import replace

from swgrm.inference.geometry import relations as rel
from swgrm.inference.geometry.equations import ANGLE_TOLERANCE, LENGTH_TOLERANCE
from swgrm.inference.geometry.twists import Array, unit
from swgrm.inference.mates.compound import first_two, stacked
from swgrm.inference.mates.entity_pairs import AXES, CAM, PATH, SLOT, RelatedEntities, look_up
from swgrm.inference.mates.types import GeometryKind, MateNotUnderstood, MateType, PlacedEntity, PlacedMate

BOTTOM = 0.9  # cosine of the angle between pin and normal above which a face is the slot's bottom
OFF_CAM = 20 * LENGTH_TOLERANCE  # [m] a follower farther than this from a face of its cam is on another face


def slot(mate: PlacedMate) -> list[RelatedEntities]:
    """A pin in a slot, which may be given by any of its faces.

    A pin that is centred, at a distance or at a percentage stays where it is; it may rotate, and move along its axis.
    A free pin also slides along the slot if one of its side faces is given; else only its direction is held.
    """
    face, pin = slot_and_pin(mate)
    if not mate.free:
        return [RelatedEntities(rel.line_on_line, _axis_on(face.node, pin), pin)]
    if (side := _slot_side(face, pin)) is None:
        return [RelatedEntities(rel.parallel, face, pin)]
    return [look_up(SLOT, mate.type, side, pin)]


def slot_and_pin(mate: PlacedMate) -> tuple[PlacedEntity, PlacedEntity]:
    """The face of a slot, and the pin in it: of two axes the slot has the larger radius, of equal ones it is first."""
    first, second = first_two(mate)
    if second.kind is GeometryKind.PLANE or (first.kind in AXES and second.radius > first.radius):
        first, second = second, first
    if first.kind not in (GeometryKind.PLANE, *AXES) or second.kind not in AXES:
        raise MateNotUnderstood(f"slot mates between a {first.name} and a {second.name} are not supported")
    return first, second


def _axis_on(node: int, pin: PlacedEntity) -> PlacedEntity:
    return PlacedEntity(GeometryKind.LINE, node, pin.point, pin.direction)


def _slot_side(face: PlacedEntity, pin: PlacedEntity) -> PlacedEntity | None:
    """The side of a slot as a plane along the pin, without its draft; None if the face is an end or the bottom."""
    if face.kind is not GeometryKind.PLANE:
        return None
    normal, direction = unit(np.array([face.direction, pin.direction]))
    along = float(normal @ direction)
    if abs(along) > BOTTOM:
        return None
    i, j, k = unit(normal - along * direction).tolist()
    return replace(face, direction=(i, j, k))


def is_slot_direction_unknown(mate: PlacedMate) -> bool:
    """Whether only the direction of a slot mate's pin is held."""
    return mate.type is MateType.SLOT and mate.free and _slot_side(*slot_and_pin(mate)) is None


def is_slot_side_assumed(mate: PlacedMate) -> bool:
    """Whether the order of two equal axes decides which of them is the slot's; on one line it does not matter."""
    if mate.type is not MateType.SLOT or mate.free:
        return False
    face, pin = slot_and_pin(mate)
    gap = np.cross(np.subtract(pin.point, face.point), unit(np.array(pin.direction)))
    is_apart = bool(np.linalg.norm(gap) > LENGTH_TOLERANCE)
    return face.kind in AXES and is_apart and abs(face.radius - pin.radius) < LENGTH_TOLERANCE


def path(mate: PlacedMate) -> list[RelatedEntities]:
    """A point on a straight or circular path."""
    if len(mate.entities) > 2:
        raise MateNotUnderstood(f"its path has {len(mate.entities) - 1} segments")
    return [look_up(PATH, mate.type, *first_two(mate))]


def cam_follower(mate: PlacedMate) -> list[RelatedEntities]:
    """A follower on the first face of its cam: a plane, or a cylinder."""
    cam, follower = first_two(mate)
    if cam.kind not in (GeometryKind.PLANE, GeometryKind.CYLINDER):
        raise MateNotUnderstood(f"the first face of its cam is a {cam.name}, and its follower a {follower.name}")
    related = look_up(CAM, mate.type, cam, follower)
    equations = rel.equations_of(
        related.relation, stacked([related.first]), stacked([related.second]), np.zeros(1, dtype=np.intp)
    )
    apart = float(np.abs(equations.c[~equations.is_angular]).max())
    in_contact = (cam.radius + follower.radius, abs(cam.radius - follower.radius))
    off = min(abs(apart - size) for size in in_contact)
    if off > OFF_CAM:
        raise MateNotUnderstood(
            f"its follower, a {follower.name}, is {1e3 * off:.3g} mm away from the first face of its cam, "
            f"a {cam.name}, and SolidWorks reports no other face"
        )
    return [related]


def with_cam_obstacles(mates: Sequence[PlacedMate]) -> list[PlacedMate]:
    """The mates; a cam whose first face is a cylinder about an axis that it is mounted on has an obstacle.

    On such a face the follower would stand still, so that the cam has other faces, which lift it.
    """
    if not any(mate.type is MateType.CAM_FOLLOWER for mate in mates):
        return list(mates)
    axes: dict[int, list[PlacedEntity]] = defaultdict(list)
    for mate in mates:
        for entity in mate.entities if mate.type is not MateType.CAM_FOLLOWER else ():
            if entity.kind in AXES:
                axes[entity.node].append(entity)
    return [_with_obstacle(mate, axes) if mate.type is MateType.CAM_FOLLOWER else mate for mate in mates]


def _with_obstacle(mate: PlacedMate, axes: dict[int, list[PlacedEntity]]) -> PlacedMate:
    cam = mate.entities[0] if mate.entities else None
    if cam is None or cam.kind is not GeometryKind.CYLINDER:
        return mate
    if not any(_is_coaxial(cam, other) for other in axes[cam.node]):
        return mate
    return replace(
        mate,
        obstacle=f"the first face of its cam is a cylinder of {1e3 * cam.radius:.4g} mm radius about the axis of the "
        "cam, and SolidWorks reports no other face",
    )


def _is_coaxial(one: PlacedEntity, other: PlacedEntity) -> bool:
    a, b = unit(np.array([one.direction, other.direction]))
    gap: Array = np.cross(np.subtract(other.point, one.point), a)
    return bool(np.linalg.norm(np.cross(a, b)) < ANGLE_TOLERANCE and np.linalg.norm(gap) < LENGTH_TOLERANCE)
