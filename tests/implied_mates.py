"""Implied mates: mates that hold what the joints between two bodies never change, added at random to an assembly.

On the joints between two bodies of a tree, whatever loops hold in addition:

- directions that all rotation axes are parallel to stay parallel;
- planes across such a direction stay in place too, if no translation is along it;
- the common line of all rotation axes stays one line, if all translations are along it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from msgspec.structs import replace

from swgrm.capture import Capture, Mate, MateEntity
from swgrm.inference import Inference
from swgrm.inference.geometry.twists import Array
from swgrm.inference.joints.scalar_joints import ScalarJoint, ScalarJoints
from swgrm.inference.problem import GROUND
from swgrm.model import JointType
from swgrm.solidworks.swconst import swMateType_e as Sw
from swgrm_mocks.mates import LocalEntity, ground, plane, shaft

SAME_AXIS = 1e-9  # [rad, or m] more than rounding


class _Kept(NamedTuple):
    """What joints between two bodies keep: a direction, whether planes across it stay, and the line along it."""

    direction: Array
    holds_planes: bool
    point: Array | None


def with_implied_mates(capture: Capture, seen: Inference, count: int, seed: int) -> tuple[Capture, list[str]]:
    """The capture with up to `count` mates that take nothing away, made after the others, and what was added."""
    chance = np.random.default_rng(seed)
    scalars = ScalarJoints(seen.tree)
    labels = sorted(seen.tree.bodies)
    mates: list[Mate] = []
    names: list[str] = []
    first_id = 1 + max((mate.id for d in capture.documents for mate in d.mates), default=0)
    for _ in range(20 * count):
        if len(mates) == count or len(labels) < 2:
            break
        one, other = (int(label) for label in chance.choice(labels, 2, replace=False))
        ends = [_component(seen, label) for label in (one, other)]
        path = scalars.path(one, other)
        if path is None or None in ends or not _is_connected(seen, one, other):
            continue
        kept = list(_kept([scalar for scalar, _ in path], chance))
        if not kept:
            continue
        kind, entity = _mate_of(kept[int(chance.integers(len(kept)))], chance)
        entities = tuple(_entity(entity, name) for name in ends if name is not None)
        name = f"Implied{len(mates)}"
        mates.append(Mate(name, "Mate", first_id + len(mates), b"", int(kind), entities=entities))
        names.append(f"{kind.name} {ends[0]} {ends[1]}")
    root = capture.source.path
    documents = tuple(replace(d, mates=(*d.mates, *mates)) if d.path == root else d for d in capture.documents)
    return replace(capture, documents=documents), names


def _component(seen: Inference, label: int) -> str | None:
    """The component of the root document that names a body; "" for the assembly itself, None if there is none."""
    main = seen.tree.bodies[label].main
    node = seen.problem.nodes[main]
    if main == GROUND:
        return ""
    return node.name if node.holder == GROUND and not node.is_assembly else None


def _is_connected(seen: Inference, one: int, other: int) -> bool:
    """Whether mates connect two bodies to the same tree."""
    parents = {joint.child: joint.parent for joint in seen.tree.joints}
    roots = []
    for label in (one, other):
        while label in parents:
            label = parents[label]
        roots.append(label)
    return roots[0] == roots[1]


def _kept(path: list[ScalarJoint], chance: np.random.Generator) -> Iterator[_Kept]:
    """What the joints of a path keep."""
    turning = [scalar.joint for scalar in path if scalar.joint.type is not JointType.PRISMATIC]
    sliding = [scalar.joint.axis for scalar in path if scalar.joint.type is JointType.PRISMATIC]
    sliding += [joint.axis for joint in turning if joint.type is JointType.SCREW]
    if not turning:
        directions = [*np.eye(3), *sliding, _unit(chance.normal(size=3))]
        directions += [_unit(np.cross(axis, chance.normal(size=3))) for axis in sliding]
    else:
        axis = turning[0].axis
        if any(np.linalg.norm(np.cross(axis, joint.axis)) > SAME_AXIS for joint in turning):
            return
        directions = [axis]
    for direction in directions:
        across = all(abs(float(direction @ axis)) < SAME_AXIS for axis in sliding)
        along = all(np.linalg.norm(np.cross(direction, axis)) < SAME_AXIS for axis in sliding)
        point = turning[0].point if turning else np.asarray(chance.normal(size=3) * 0.1)
        gaps = (np.cross(joint.point - point, direction) for joint in turning)
        is_line = along and all(np.linalg.norm(gap) < SAME_AXIS for gap in gaps)
        yield _Kept(direction, across, point if is_line else None)


def _mate_of(kept: _Kept, chance: np.random.Generator) -> tuple[Sw, LocalEntity]:
    """A mate type and the entity, in the assembly's space, that both bodies have."""
    at = chance.normal(size=3) * 0.1 if kept.point is None else kept.point
    kinds = [Sw.swMatePARALLEL]
    if kept.holds_planes:
        kinds.append(Sw.swMateCOINCIDENT)
    if kept.point is not None:
        kinds.append(Sw.swMateCONCENTRIC)
    kind = kinds[int(chance.integers(len(kinds)))]
    entity = shaft(at, kept.direction, 0.01) if kind is Sw.swMateCONCENTRIC else plane(at, kept.direction)
    return kind, entity


def _entity(entity: LocalEntity, component: str) -> MateEntity:
    return entity.of(component, np.eye(4)) if component else ground(entity)


def _unit(v: Array) -> Array:
    found: Array = v / np.linalg.norm(v)
    return found
