"""Joints that the settings define: their two components are freed from each other, then held by the joint's own mates.

What held the child to the parent before is not used: mates between them, and where both were in one body, everything in
it that connects the child to the parent's side. What only the child carries stays with it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

import numpy as np
from msgspec.structs import replace

from swgrm.errors import SettingsError
from swgrm.findings import Findings
from swgrm.inference.geometry.twists import Array, perpendiculars, unit
from swgrm.inference.joints.frames import placed_geometry
from swgrm.inference.joints.mechanism_tree import solve_mechanism
from swgrm.inference.mates.types import GeometryKind, MateType, PlacedEntity, PlacedMate
from swgrm.inference.mechanism.graph import DisjointSets
from swgrm.inference.mechanism.rigid_groups import BY_SETTINGS, RigidGroups
from swgrm.inference.problem import DefinedJoint, InferenceProblem, held_nodes
from swgrm.model import JointType
from swgrm.settings import JointSettings, Settings, quantity
from swgrm.settings.schema import PointSettings

DEFINABLE = (JointType.REVOLUTE, JointType.PRISMATIC, JointType.BALL, JointType.FIXED)
PLACES = ("coordinateSystem", "point")


class Redefined(NamedTuple):
    """A problem with its defined joints as mates, and what is rigid in it."""

    problem: InferenceProblem
    rigid: RigidGroups


def with_defined_joints(
    problem: InferenceProblem, fasteners: Mapping[int, str], rigid: RigidGroups, settings: Settings
) -> Redefined:
    """The problem with the joints that the settings define; the same if they define none."""
    defined = [_read(problem, name, each) for name, each in settings.joints.items() if _is_defined(name, each)]
    if not defined:
        return Redefined(problem, rigid)
    solved = solve_mechanism(problem, fasteners, rigid, settings.base.root, Findings())
    bodies = solved.mechanism.labels.tolist()
    for joint in defined:
        rigid = _freed(problem, rigid, joint, bodies)
    fixed = [joint for joint in defined if joint.type is JointType.FIXED]
    moving = tuple(joint for joint in defined if joint.type is not JointType.FIXED)
    joins = (((min(each[1:3]), max(each[1:3])), BY_SETTINGS) for each in fixed)
    mates = (mate for joint in moving for mate in _mates(joint))
    return Redefined(
        replace(problem, mates=(*problem.mates, *mates), defined=moving),
        replace(rigid, joined=(*rigid.joined, *joins)),
    )


def _is_defined(name: str, decided: JointSettings) -> bool:
    at = ("joints", name)
    if decided.parent and decided.child:
        return True
    if decided.parent or decided.child or decided.axis or decided.origin:
        missing = " and ".join(f"`{key}`" for key in ("parent", "child") if not getattr(decided, key))
        raise SettingsError(f"joints, {name}: a joint that is defined here needs {missing}, too.", at)
    return False


def _read(problem: InferenceProblem, name: str, decided: JointSettings) -> DefinedJoint:
    """The definition of a joint, with its geometry in the assembly's space."""
    at = ("joints", name)
    parent, child = (problem.node_of(getattr(decided, key), (*at, key)) for key in ("parent", "child"))
    kind = decided.type or JointType.REVOLUTE
    if kind not in DEFINABLE or parent == child:
        problem_text = "`parent` and `child` are the same" if parent == child else f"a {kind} joint cannot be defined"
        raise SettingsError(f"joints, {name}: {problem_text}. Define one of {', '.join(DEFINABLE)} between two.", at)
    origin = _point(problem, decided.origin, (*at, "origin")) if decided.origin else None
    centre = problem.nodes[child].T[:3, 3]
    if kind in (JointType.BALL, JointType.FIXED):
        return DefinedJoint(name, parent, child, kind, np.array([0.0, 0.0, 1.0]), _or(origin, centre), origin)
    if not decided.axis:
        raise SettingsError(f"joints, {name}: a {kind} joint that is defined here needs an `axis`.", at)
    axis, point = _axis(problem, decided.axis, (*at, "axis"))
    return DefinedJoint(name, parent, child, kind, axis, point, origin)


def _or(first: Array | None, second: Array) -> Array:
    return second if first is None else first


def _axis(
    problem: InferenceProblem, given: str | tuple[PointSettings, ...], at: tuple[str, ...]
) -> tuple[Array, Array]:
    """The direction of an axis and a point on it: a reference axis, a coordinate system's z axis, or two points."""
    if isinstance(given, str):
        T = placed_geometry(problem, given, ("axis", "coordinateSystem"), at)
        return T[:3, 2], T[:3, 3]
    if len(given) != 2:
        raise SettingsError(f"{', '.join(at)}: an axis is a name or two points, such as [[0, 0, 0], [0, 0, 1]].", at)
    start, end = (_point(problem, each, at) for each in given)
    if not np.linalg.norm(end - start) > 1e-9:
        raise SettingsError(f"{', '.join(at)}: the two points of the axis are the same.", at)
    return unit(end - start), start


def _point(problem: InferenceProblem, given: PointSettings, at: tuple[str, ...]) -> Array:
    """A point in the assembly's space: a coordinate system, a reference point, or three coordinates [m]."""
    if isinstance(given, str):
        return placed_geometry(problem, given, PLACES, at)[:3, 3]
    if len(given) != 3:
        raise SettingsError(f"{', '.join(at)}: a point is a name or three coordinates, such as [0, 0, 120 mm].", at)
    return np.array([quantity(each, "length", at) for each in given])


def _freed(problem: InferenceProblem, rigid: RigidGroups, joint: DefinedJoint, bodies: list[int]) -> RigidGroups:
    """What is rigid and which mates are used, without what holds the child to the parent's side."""
    own, other = _sides(problem, rigid, joint, bodies)

    def connects(nodes: set[int]) -> bool:
        return not own.isdisjoint(nodes) and not other.isdisjoint(nodes)

    dropped = {number for number, mate in enumerate(problem.mates) if connects({e.node for e in mate.entities})}
    joined = tuple(each for each in rigid.joined if not connects(set(each[0])))
    return replace(rigid, joined=joined, used_mates=rigid.used_mates | dropped)


def _sides(
    problem: InferenceProblem, rigid: RigidGroups, joint: DefinedJoint, bodies: list[int]
) -> tuple[set[int], set[int]]:
    """The nodes that move with the child, and those on the parent's side."""
    parent, child = bodies[joint.parent], bodies[joint.child]
    if parent != child:
        first, second = ({n for n, body in enumerate(bodies) if body == label} for label in (child, parent))
        return first, second
    inside = {number for number, body in enumerate(bodies) if body == child}
    own = {joint.child, *_below(problem, joint.child)}
    groups = DisjointSets(len(bodies))
    for nodes in _connections(problem, rigid):
        rest = [node for node in nodes if node in inside and node not in own]
        for node in rest[1:]:
            groups.join(rest[0], node)
    return own, {node for node in inside - own if groups.find(node) == groups.find(joint.parent)}


def _connections(problem: InferenceProblem, rigid: RigidGroups) -> Iterator[list[int]]:
    yield from ([entity.node for entity in mate.entities] for mate in problem.mates)
    yield from (list(edge) for edge, _ in rigid.joined)


def _below(problem: InferenceProblem, node: int) -> Iterator[int]:
    """The nodes that a sub-assembly holds, at any depth."""
    held = held_nodes(problem.nodes)
    stack = list(held.get(node, ()))
    while stack:
        number = stack.pop()
        yield number
        stack.extend(held.get(number, ()))


def _mates(joint: DefinedJoint) -> Iterator[PlacedMate]:
    """The mates that leave the two components the motion of the joint."""

    def mate(kind: MateType, geometry: GeometryKind, direction: Array) -> PlacedMate:
        point, along = tuple(joint.point.tolist()), tuple(direction.tolist())
        entities = (PlacedEntity(geometry, node, point, along, 0.0) for node in (joint.parent, joint.child))
        return PlacedMate(joint.name, kind, tuple(entities))

    if joint.type is JointType.REVOLUTE:
        yield mate(MateType.CONCENTRIC, GeometryKind.LINE, joint.axis)
        yield mate(MateType.COINCIDENT, GeometryKind.PLANE, joint.axis)
    elif joint.type is JointType.PRISMATIC:
        for normal in perpendiculars(joint.axis):
            yield mate(MateType.COINCIDENT, GeometryKind.PLANE, normal)
    else:
        yield mate(MateType.COINCIDENT, GeometryKind.POINT, np.zeros(3))
