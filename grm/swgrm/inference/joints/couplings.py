"""Couplings between joints: gear, rack and pinion, screw and linear coupler mates, and symmetry of two bodies."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from swgrm.findings import Findings
from swgrm.inference.geometry.equations import MateEquations, role_rows
from swgrm.inference.geometry.twists import Array, Ints, cross, unit
from swgrm.inference.joints.scalar_joints import JointKey, MateUse, ScalarJoint, ScalarJoints
from swgrm.inference.mates.types import (
    COUPLINGS,
    MateNotUnderstood,
    MateType,
    PlacedEntity,
    PlacedMate,
    check_geometry,
)
from swgrm.inference.mechanism.screw_pairs import screw_pitch
from swgrm.inference.mechanism.solver import Mechanism
from swgrm.model import JointType

ALONG = 1e-4  # [rad] a joint whose axis is nearer than this to an entity's is along it


@dataclass(frozen=True, slots=True)
class JointCoupling:
    """A joint that follows another: q_follower = ratio · q_leader."""

    follower: JointKey
    leader: JointKey
    ratio: float
    mate: int
    assumption: str = ""  # what the API leaves open and was assumed


class NoCoupling(Exception):
    """A mate that does not couple two joints; the message is the reason."""


def find_couplings(
    mates: Sequence[PlacedMate], mechanism: Mechanism, scalar_joints: ScalarJoints, findings: Findings
) -> tuple[dict[JointKey, JointCoupling], list[MateUse]]:
    """The couplings by the joint that follows, and the mates that they come from; no joint follows two."""
    couplings: dict[JointKey, JointCoupling] = {}
    for number, mate in enumerate(mates):
        if mate.type not in COUPLINGS or mate.is_limit:
            continue
        try:
            check_geometry(mate)
            coupling = couple(number, mate, scalar_joints, mechanism.labels)
        except (NoCoupling, MateNotUnderstood) as reason:
            findings.add("coupling-unused", f"mate {mate.name}", reason=reason)
            continue
        if coupling is None:
            continue
        if not _is_new(coupling, couplings):
            findings.add("coupling-duplicate", f"mate {mate.name}")
            continue
        couplings[coupling.follower] = coupling
        if coupling.assumption:
            findings.add("coupling-assumed", f"mate {mate.name}", assumption=coupling.assumption)
    for number in _symmetric_triples(mechanism):
        own = mechanism.equations[mechanism.equations.mate == number]
        coupling = couple_symmetric(number, own, scalar_joints, mechanism.labels)
        if coupling is None or not _is_new(coupling, couplings):
            findings.add("symmetry-unused", f"mate {mates[number].name}")
            continue
        couplings[coupling.follower] = coupling
    notes = {key: f"assumed {found.assumption}" if found.assumption else "" for key, found in couplings.items()}
    return couplings, [MateUse(key, found.mate, notes[key]) for key, found in couplings.items()]


def _is_new(coupling: JointCoupling, known: Mapping[JointKey, JointCoupling]) -> bool:
    """Whether the follower does not follow yet, and the leader does not follow it through other couplings."""
    leader = coupling.leader
    while leader != coupling.follower and leader in known:
        leader = known[leader].leader
    return leader != coupling.follower and coupling.follower not in known


def _symmetric_triples(mechanism: Mechanism) -> list[int]:
    """The symmetric mates whose two entities and plane are on three bodies."""
    eq, labels = mechanism.equations, mechanism.labels
    three = (eq.mirror >= 0) & (labels[eq.first] != labels[eq.second])
    three &= (labels[eq.mirror] != labels[eq.first]) & (labels[eq.mirror] != labels[eq.second])
    found: list[int] = np.unique(eq.mate[three]).tolist()
    return found


def couple(number: int, mate: PlacedMate, scalar_joints: ScalarJoints, labels: Ints) -> JointCoupling | None:
    """The coupling that a mate makes; none if it is a screw that its pair already has."""
    if len(mate.entities) < 2:
        raise NoCoupling(f"it has {len(mate.entities)} of the two entities that it needs")
    spec = COUPLING_SPECS[mate.type]
    if spec.number not in mate.numbers:
        raise NoCoupling("its definition could not be read, so its ratio is not known")
    if spec.ratio is None:
        return _couple_screw(number, mate, scalar_joints, labels)
    first, second = mate.entities[:2]
    if mate.type is MateType.RACK_PINION and _joint(first, spec.leader, scalar_joints, labels) is None:
        first, second = second, first
    one = _joint(first, spec.leader, scalar_joints, labels)
    other = _joint(second, spec.follower, scalar_joints, labels)
    if one is None or other is None:
        kind, lost = (spec.leader, first) if one is None else (spec.follower, second)
        raise NoCoupling(f"no {kind} joint moves its {lost.kind} about or along itself")
    ratio, assumption = spec.ratio(mate, first, second, one, other)
    if not np.isfinite(ratio) or ratio == 0:
        raise NoCoupling("its ratio is not a number")
    return JointCoupling(other.key, one.key, float(ratio), number, assumption)


def _joint(entity: PlacedEntity, kind: JointType, scalar_joints: ScalarJoints, labels: Ints) -> ScalarJoint | None:
    """The joint of the entity's body that rotates about, or translates along, the entity."""
    direction = unit(np.array(entity.direction, float))
    options = [c for c in scalar_joints.own(int(labels[entity.node])) if c.joint.type is kind]
    aligned = [c for c in options if np.linalg.norm(cross(c.joint.axis, direction)) < ALONG]
    if kind is JointType.REVOLUTE:
        aligned = [
            c for c in aligned if np.linalg.norm(cross(np.array(entity.point) - c.joint.point, direction)) < 1e-4
        ]
    if not aligned and kind is JointType.PRISMATIC and len(options) == 1:
        return options[0]
    return aligned[0] if aligned else None


def _gear(
    mate: PlacedMate, _first: PlacedEntity, _second: PlacedEntity, one: ScalarJoint, other: ScalarJoint
) -> tuple[float, str]:
    """Teeth in mesh move alike: ω₁r₁ = −ω₂r₂ about one direction; an internal gear turns the same way."""
    ratio = mate.numbers["ratio"] * (-1.0 if not mate.numbers.get("reverse") else 1.0)
    along = float(one.joint.axis @ other.joint.axis)
    if abs(along) < 0.9:
        return ratio, "the direction of rotation of two gears whose axes are not parallel"
    return ratio * np.sign(along), "that gears which are not reversed turn opposite ways"


def _rack(
    mate: PlacedMate, _first: PlacedEntity, second: PlacedEntity, one: ScalarJoint, other: ScalarJoint
) -> tuple[float, str]:
    """The pitch point's speed along the rack: v = (u × (r − p)) · d per radian; its sign follows from the geometry."""
    reach = np.array(second.point) - one.joint.point
    sense = float(cross(one.joint.axis, reach) @ other.joint.axis)
    sign = (1.0 if sense >= 0 else -1.0) * (-1.0 if mate.numbers.get("reverse") else 1.0)
    assumption = (
        "that an unreversed rack rolls on its pinion" if abs(sense) > 1e-9 else "the direction in which the rack moves"
    )
    return sign * mate.numbers["travel"], assumption


def _coupler(
    mate: PlacedMate, first: PlacedEntity, second: PlacedEntity, one: ScalarJoint, other: ScalarJoint
) -> tuple[float, str]:
    """Both parts move along the directions of their entities, the follower `ratio` times as far."""
    a, b = unit(np.array([first.direction, second.direction], float))
    sense = np.sign(float(one.joint.axis @ a) or 1.0) * np.sign(float(other.joint.axis @ b) or 1.0)
    return mate.numbers["ratio"] * sense * (-1.0 if mate.numbers.get("reverse") else 1.0), (
        "that an unreversed coupler moves both along their entities"
    )


class CouplingSpec(NamedTuple):
    """A coupling mate: the types of the joints that it couples, the number that defines it, and the law."""

    leader: JointType
    follower: JointType
    number: str  # "ratio", or "travel" [m/rad]
    ratio: Callable[[PlacedMate, PlacedEntity, PlacedEntity, ScalarJoint, ScalarJoint], tuple[float, str]] | None


COUPLING_SPECS: Mapping[MateType, CouplingSpec] = {
    MateType.GEAR: CouplingSpec(JointType.REVOLUTE, JointType.REVOLUTE, "ratio", _gear),
    MateType.LINEAR_COUPLER: CouplingSpec(JointType.PRISMATIC, JointType.PRISMATIC, "ratio", _coupler),
    MateType.RACK_PINION: CouplingSpec(JointType.REVOLUTE, JointType.PRISMATIC, "travel", _rack),
    MateType.SCREW: CouplingSpec(JointType.REVOLUTE, JointType.PRISMATIC, "travel", None),  # see `_couple_screw`
}


def _couple_screw(number: int, mate: PlacedMate, scalar_joints: ScalarJoints, labels: Ints) -> JointCoupling | None:
    """A screw mate between a part that rotates and one that translates: the translation follows the rotation."""
    first, second = mate.entities[:2]
    bodies = [int(labels[f.node]) for f in (first, second)]
    if any(c.joint.type is JointType.SCREW for body in bodies for c in scalar_joints.own(body)):
        return None
    for turner, slider in ((first, second), (second, first)):
        one = _joint(turner, JointType.REVOLUTE, scalar_joints, labels)
        other = _joint(slider, JointType.PRISMATIC, scalar_joints, labels)
        if one is not None and other is not None:
            sense = np.sign(float(one.joint.axis @ other.joint.axis))
            # A nut that cannot rotate moves backward as a right-handed screw turns forward.
            return JointCoupling(
                other.key,
                one.key,
                -screw_pitch(mate) * float(sense),
                number,
                "that an unreversed screw is right-handed",
            )
    raise NoCoupling("it connects neither a cylindrical pair nor a rotating part and one that translates along it")


def couple_symmetric(
    number: int, equations: MateEquations, scalar_joints: ScalarJoints, labels: Ints
) -> JointCoupling | None:
    """The coupling of two bodies that a symmetric mate makes images of each other, if each moves by one joint."""
    bodies = [int(labels[side[0]]) for side in (equations.first, equations.second, equations.mirror)]
    ways = [scalar_joints.between(bodies[2], body) for body in bodies[:2]]
    if any(len(way) != 1 for way in ways):
        return None
    (one, sign_one), (other, sign_other) = ways[0][0], ways[1][0]
    rows = role_rows(equations)
    rate_one: Array = rows.first @ one.twist * sign_one
    rate_other: Array = rows.second @ other.twist * sign_other
    if not np.abs(rate_other).max() > 1e-9:
        return None
    ratio = -float(rate_one @ rate_other / (rate_other @ rate_other))
    if np.abs(rate_one + ratio * rate_other).max() > 1e-6:
        return None
    return JointCoupling(other.key, one.key, ratio, number)
