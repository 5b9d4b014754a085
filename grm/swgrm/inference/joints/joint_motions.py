"""Motions of bodies relative to others, along or about an entity, in terms of the joints between them."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from swgrm.inference.geometry.plain_vectors import cross, difference, dot, unit
from swgrm.inference.geometry.twists import Ints
from swgrm.inference.joints.scalar_joints import JointKey, ScalarJoint, ScalarJoints
from swgrm.inference.mates.types import MateType, PlacedEntity, PlacedMate
from swgrm.inference.mechanism.joint_chain import SimpleJoint
from swgrm.model import JointType

ALONG = 1e-4  # [rad] a joint whose axis is nearer than this to an entity's is along it
COAXIAL = 1e-4  # [m] a joint whose axis is nearer than this to an entity's is on it

Terms = dict[JointKey, float]  # Σ coefficient · q


class NoCoupling(Exception):
    """A mate that does not couple joints; the message is the reason."""


def share_of(joint: SimpleJoint, entity: PlacedEntity, kind: JointType) -> float | None:
    """How much a joint moves an entity along or about itself per unit; None if it moves its line."""
    axis, direction = joint.axis.tolist(), unit(entity.direction)
    if math.hypot(*cross(axis, direction)) > ALONG:
        return None
    sense = float(np.sign(dot(axis, direction)))
    if joint.type is JointType.PRISMATIC:
        return sense if kind is JointType.PRISMATIC else 0.0
    if kind is JointType.PRISMATIC:
        return sense * joint.pitch
    is_on = math.hypot(*cross(difference(entity.point, joint.point.tolist()), direction)) < COAXIAL
    return sense if is_on else None


class JointMotions:
    """Motions of bodies relative to others, along or about an entity, in terms of the scalar joints between them."""

    def __init__(self, scalar_joints: ScalarJoints, labels: Ints) -> None:
        self.scalar_joints, self.labels = scalar_joints, labels

    def body(self, entity: PlacedEntity) -> int:
        """The body of an entity."""
        return int(self.labels[entity.node])

    def against_common_body(
        self, ends: Sequence[tuple[PlacedEntity, JointType]], mate: PlacedMate
    ) -> tuple[Terms, Terms] | None:
        """The motions of both ends relative to a body that carries both: a gear's axis is at rest on it."""
        (first, first_kind), (second, second_kind) = ends
        bodies = self.body(first), self.body(second)
        if mate.type is MateType.LINEAR_COUPLER and mate.numbers.get("parent"):
            return None
        carriers = self.scalar_joints.carriers(*bodies)
        pairs = [(carrier, carrier) for carrier in carriers]
        if mate.type is MateType.LINEAR_COUPLER:
            one, other = (int(self.labels[node]) for node in mate.references or (mate.owner, mate.owner))
            pairs = [(one, other), *pairs]
        for one, other in pairs:
            leading = self.motion(one, bodies[0], first, first_kind)
            following = self.motion(other, bodies[1], second, second_kind)
            if leading and following:
                return leading, following
        return None

    def motion(self, reference: int, body: int, entity: PlacedEntity, kind: JointType) -> Terms | None:
        """A body's rotation about, or translation along, an entity; None if it moves the entity's axis otherwise."""
        path = self.scalar_joints.path(reference, body)
        if path is None:
            return None
        terms: dict[JointKey, float] = {}
        for scalar, sign in path:
            share = share_of(scalar.joint, entity, kind)
            if share is None:
                return None
            if share:
                terms[scalar.key] = sign * share
        return terms

    def of_own_joints(self, ends: Sequence[tuple[PlacedEntity, JointType]]) -> tuple[Terms, Terms]:
        """The motion of each end by the joint that it hangs on, where no body carries both."""
        found = []
        for entity, kind in ends:
            scalar = self._own_joint(entity, kind)
            if scalar is None:
                raise NoCoupling(f"no {kind} joint moves its {entity.kind} about or along itself")
            sense = float(np.sign(dot(scalar.joint.axis.tolist(), entity.direction))) or 1.0
            found.append({scalar.key: sense})
        return found[0], found[1]

    def _own_joint(self, entity: PlacedEntity, kind: JointType) -> ScalarJoint | None:
        """The joint of the entity's body that rotates about, or translates along, the entity."""
        options = [c for c in self.scalar_joints.own(self.body(entity)) if c.joint.type is kind]
        aligned = [c for c in options if share_of(c.joint, entity, kind) is not None]
        if not aligned and kind is JointType.PRISMATIC and len(options) == 1:
            return options[0]
        return aligned[0] if aligned else None

    def along_screw(self, first: PlacedEntity, second: PlacedEntity) -> tuple[Terms, Terms]:
        """The rotation and the translation of a screw mate's second body relative to its first."""
        ends = self.body(first), self.body(second)
        turning = self.motion(*ends, first, JointType.REVOLUTE)
        sliding = self.motion(*ends, first, JointType.PRISMATIC)
        if not turning or not sliding:
            raise NoCoupling("its bodies do not both rotate about and translate along its axis")
        return turning, sliding
