"""The positions of joints counted in another way: q' = scale · q + shift, and all numbers that depend on them.

Flipping a joint (q' = −q), moving its zero (q' = q − zero) and rescaling a robot (q' = factor · q for translations) are
this one change of coordinates, beside the change of the joint's own geometry.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from msgspec.structs import replace

from swgrm.model import Actuator, Frame, Joint, LoopJoint, NamedPose, Relation, Robot, Transmission, TransmissionEnd


class PositionMap(NamedTuple):
    """How a joint's position q is counted from now on: q' = scale · q + shift."""

    scale: float = 1.0
    shift: float = 0.0

    def __call__(self, position: float | None) -> Any:  # noqa: ANN401 - None stays None, a number a number
        """The new number of a position."""
        return None if position is None else self.scale * position + self.shift

    def ends(self, first: float | None, second: float | None) -> tuple[Any, Any]:
        """The new numbers of a pair of which the direction of motion tells which is first."""
        return (self(first), self(second)) if self.scale > 0 else (self(second), self(first))


SAME = PositionMap()
PositionMaps = Mapping[str, PositionMap]  # by joint


def remap_positions(robot: Robot, maps: PositionMaps) -> Robot:
    """The robot with the positions of some joints counted in another way; its geometry is not changed.

    Transmissions keep the motion of their actuators as far as a factor can express it: see `_geared`.
    """

    def frame(old: Frame) -> Frame:
        return replace(old, joint=_remapped(old.joint, old.joint_name, maps)) if old.joint else old

    def loop(old: LoopJoint) -> LoopJoint:
        return replace(old, joint=_remapped(old.joint, old.joint.name, maps))

    return replace(
        robot,
        frames=tuple(map(frame, robot.frames)),
        loop_joints=tuple(map(loop, robot.loop_joints)),
        cut_loops=tuple(replace(cut, loop=loop(cut.loop)) for cut in robot.cut_loops),
        relations=tuple(_related(relation, maps) for relation in robot.relations),
        transmissions=tuple(_geared(each, maps) for each in robot.transmissions),
        poses=tuple(_posed(each, maps) for each in robot.poses),
        actuators=tuple(_driven(each, maps.get(each.joint, SAME)) for each in robot.actuators),
    )


def _posed(pose: NamedPose, maps: PositionMaps) -> NamedPose:
    positions = {name: at if isinstance(at, tuple) else maps.get(name, SAME)(at) for name, at in pose.positions.items()}
    return replace(pose, positions=positions)


def _driven(actuator: Actuator, own: PositionMap) -> Actuator:
    """The actuator of a joint that is counted in another way; it keeps its own position where it has a gear."""
    return actuator if actuator.gear is None else replace(actuator, gear=actuator.gear / own.scale)


def _remapped(joint: Joint, name: str, maps: PositionMaps) -> Joint:
    own = maps.get(name, SAME)
    coupling = joint.coupling
    if coupling is not None:
        leader = maps.get(coupling.joint, SAME)
        # q = r o + b with q = (q' − t) / s and o = (o' − u) / v:  q' = (s r / v) o' + s b + t − s r u / v
        ratio = own.scale * coupling.ratio / leader.scale
        coupling = replace(coupling, ratio=ratio, offset=own(coupling.offset) - ratio * leader.shift)
    joint = replace(joint, coupling=coupling)
    return joint if own == SAME else _recounted(joint, own)


def _recounted(joint: Joint, own: PositionMap) -> Joint:
    """The joint with its own numbers in the new positions; efforts stay."""
    size = abs(own.scale)
    limits, safety, calibration = joint.limits, joint.safety, joint.calibration
    lower, upper = own.ends(limits.lower, limits.upper)
    velocity, acceleration = (each and each * size for each in (limits.velocity, limits.acceleration))
    limits = replace(limits, lower=lower, upper=upper, velocity=velocity, acceleration=acceleration)
    if safety is not None:
        lower, upper = own.ends(safety.soft_lower_limit, safety.soft_upper_limit)
        # Effort bounds are −k_velocity · velocity, velocity bounds −k_position · position: only the first has a length.
        gain = safety.k_velocity / size
        safety = replace(safety, soft_lower_limit=lower, soft_upper_limit=upper, k_velocity=gain)
    if calibration is not None:
        # An edge that rises in positive direction falls in the negative one.
        rising, falling = own.ends(calibration.rising, calibration.falling)
        calibration = replace(calibration, rising=rising, falling=falling)
    return replace(joint, limits=limits, safety=safety, calibration=calibration)


def _related(relation: Relation, maps: PositionMaps) -> Relation:
    """Σ c q = b with q = (q' − t) / s:  Σ (c / s) q' = b + Σ c t / s."""
    terms = {name: factor / maps.get(name, SAME).scale for name, factor in relation.terms.items()}
    shifts = sum(factor * maps.get(name, SAME).shift for name, factor in terms.items())
    return replace(relation, terms=terms, offset=relation.offset + shifts)


def _geared(transmission: Transmission, maps: PositionMaps) -> Transmission:
    """The transmission with mechanical reductions for the new positions: actuator = reduction · joint.

    The reduction is that of the joint's end; if it has none and drives the transmission alone, those of the actuators.
    A transmission without a number has no direction that could change, and a shift has no place in it.
    """
    lone = len(transmission.joints) == 1 and transmission.joints[0].mechanical_reduction is None
    scale = maps.get(transmission.joints[0].name, SAME).scale if lone else 1.0
    joints = tuple(_reduced(end, maps.get(end.name, SAME).scale) for end in transmission.joints)
    return replace(transmission, joints=joints, actuators=tuple(_reduced(end, scale) for end in transmission.actuators))


def _reduced(end: TransmissionEnd, scale: float) -> TransmissionEnd:
    reduction = end.mechanical_reduction
    return end if reduction is None or scale == 1.0 else replace(end, mechanical_reduction=reduction / scale)
