"""Bodies and joints in UsdPhysics, with the schema names of Newton, Isaac and PhysX as plain tokens.

A joint's axis is x, y or z of a joint frame, whose rotation A takes it to the model's axis: localRot1 = A,
localRot0 = R(transform) · A. Angles are in degrees, and so are all rates per angle.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from swgrm.kinematics.pose_math import compose
from swgrm.mass.inertia import principal_axes, tensor_matrix
from swgrm.model import IDENTITY, Actuator, Coupling, Inertial, Joint, JointType, Pose, Quat, Vec3
from swgrm.model.composites import plane_axes
from swgrm.precision import DIRECTION, rounded_numbers
from swgrm.transforms import matrix_quaternion
from swgrm_exporters.usd.text import UsdPrim, path, single, single_quaternion, singles

TYPES = {
    JointType.FIXED: "PhysicsFixedJoint",
    JointType.REVOLUTE: "PhysicsRevoluteJoint",
    JointType.PRISMATIC: "PhysicsPrismaticJoint",
    JointType.BALL: "PhysicsSphericalJoint",
}
ROUNDING = 4e-7  # of the largest moment: more than rounding three moments to 32 bits can take
AXES: dict[Vec3, str] = {(1.0, 0.0, 0.0): "X", (0.0, 1.0, 0.0): "Y", (0.0, 0.0, 1.0): "Z"}


class JointFrame(NamedTuple):
    """The token of a joint's axis, and the rotation that takes that axis to the model's."""

    token: str
    rotation: Quat


class UsdEnd(NamedTuple):
    """A side of a joint: the path of its body, and the pose of the joint in it."""

    body: str
    pose: Pose


def joint_frame(axis: Vec3) -> JointFrame:
    """The frame of a joint about or along an axis: an axis of the body itself where it is one."""
    if axis in AXES:
        return JointFrame(AXES[axis], (0.0, 0.0, 0.0, 1.0))
    length = math.hypot(*axis) or 1.0
    u, v = plane_axes(axis)
    return JointFrame("Z", matrix_quaternion(np.column_stack([u, v, [value / length for value in axis]])))


def put_mass(prim: UsdPrim, inertial: Inertial) -> None:
    """Set mass, centre of mass, principal moments and their axes."""
    moments, axes = principal(inertial)
    prim.schemas.append("PhysicsMassAPI")
    prim.put("point3f physics:centerOfMass", singles(inertial.origin))
    prim.put("float3 physics:diagonalInertia", singles(_rounded_moments(moments)))
    prim.put("float physics:mass", single(inertial.mass))
    prim.put("quatf physics:principalAxes", single_quaternion(axes))


def principal(inertial: Inertial) -> tuple[Sequence[float], Quat]:
    """The principal moments and their axes; the body's own axes where those are principal."""
    I = tensor_matrix(inertial)  # noqa: E741 - its usual symbol
    if not np.any(I - np.diag(np.diag(I))):
        return np.diag(I).tolist(), IDENTITY.rot
    moments, axes = principal_axes(I)
    return moments, rounded_numbers(axes, DIRECTION)


def _rounded_moments(moments: Sequence[float]) -> list[float]:
    """Principal moments that fulfil A + B ≥ C also as floats of 32 bits: what rounding takes is added to A and B."""
    values = [float(np.float32(value)) for value in moments]
    largest = max(values)
    missing = 2 * largest - sum(values)
    if not 0 < missing <= ROUNDING * largest:
        return values
    return [value if value == largest else value + missing / 2 + ROUNDING / 4 * largest for value in values]


def put_joint(prim: UsdPrim, joint: Joint, one: UsdEnd, other: UsdEnd) -> None:
    """Set what a joint connects, its axis, limits and dynamics."""
    frame = joint_frame(joint.axis) if joint.type in (JointType.REVOLUTE, JointType.PRISMATIC) else None
    turn = Pose(rot=frame.rotation) if frame else IDENTITY
    prim.put("rel physics:body0", path(one.body))
    prim.put("rel physics:body1", path(other.body))
    for number, end in enumerate((one, other)):
        rotation = compose(Pose(rot=end.pose.rot), turn).rot
        prim.put(f"point3f physics:localPos{number}", singles(end.pose.pos))
        prim.put(f"quatf physics:localRot{number}", single_quaternion(rounded_numbers(rotation, DIRECTION)))
    if frame is not None:
        prim.put("uniform token physics:axis", f'"{frame.token}"')
        degrees = 180 / math.pi if joint.type is JointType.REVOLUTE else 1.0
        _put_limits(prim, joint, degrees)
        _put_dynamics(prim, joint, degrees)


def drive_of(joint: Joint) -> str:
    """The name of the drive of a joint: UsdPhysics tells angles from lengths."""
    return "angular" if joint.type is JointType.REVOLUTE else "linear"


def _put_limits(prim: UsdPrim, joint: Joint, degrees: float) -> None:
    limits = joint.limits
    for name, bound in (("lower", limits.lower), ("upper", limits.upper)):
        prim.put(f"float physics:{name}Limit", None if bound is None else single(bound * degrees))
    if limits.effort is not None:
        drive = drive_of(joint)
        prim.schemas.append(f"PhysicsDriveAPI:{drive}")
        prim.put(f"float drive:{drive}:physics:maxForce", single(limits.effort))
        prim.put(f"uniform token drive:{drive}:physics:type", '"force"')


def _put_dynamics(prim: UsdPrim, joint: Joint, degrees: float) -> None:
    velocity, dynamics = joint.limits.velocity, joint.dynamics
    if velocity is None and dynamics is None:
        return
    prim.schemas.append("NewtonJointAPI")
    if velocity is not None:
        prim.put("float newton:velocityLimit", single(velocity * degrees))
        prim.schemas.append("PhysxJointAPI")
        prim.put("float physxJoint:maxJointVelocity", single(velocity * degrees))
    if dynamics is not None:
        prim.put("float newton:damping", single(dynamics.damping / degrees))
        prim.put("float newton:friction", single(dynamics.friction))
        prim.put("float newton:armature", single(dynamics.armature) if dynamics.armature else None)


def put_drive(prim: UsdPrim, joint: Joint, actuator: Actuator) -> None:
    """Set the gains of an actuator; those that it does not have stay zero, which leaves the joint free."""
    drive, degrees = drive_of(joint), 180 / math.pi if joint.type is JointType.REVOLUTE else 1.0
    schema = f"PhysicsDriveAPI:{drive}"
    prim.schemas += [] if schema in prim.schemas else [schema]
    prim.put(f"uniform token drive:{drive}:physics:type", '"force"')
    gains = {"stiffness": actuator.stiffness, "damping": actuator.damping}
    for name, gain in gains.items():
        prim.put(f"float drive:{drive}:physics:{name}", None if gain is None else single(gain / degrees))
    if actuator.effort is not None:
        prim.put(f"float drive:{drive}:physics:maxForce", single(actuator.effort))


def put_state(prim: UsdPrim, joint: Joint, position: float) -> None:
    """Set the position that a simulation starts at."""
    state, degrees = drive_of(joint), 180 / math.pi if joint.type is JointType.REVOLUTE else 1.0
    prim.schemas.append(f"PhysicsJointStateAPI:{state}")
    prim.put(f"float state:{state}:physics:position", single(position * degrees))


def put_coupling(prim: UsdPrim, joint: Joint, coupling: Coupling, leader: str, *, physx: bool) -> None:
    """Set what a joint follows; the offset is in the follower's unit, the ratio in radians and metres."""
    degrees = 180 / math.pi if joint.type is JointType.REVOLUTE else 1.0
    prim.schemas.append("NewtonMimicAPI")
    prim.put("float newton:mimicCoef0", single(coupling.offset * degrees))
    prim.put("float newton:mimicCoef1", single(coupling.ratio))
    prim.put("rel newton:mimicJoint", path(leader))
    if physx and joint.type is JointType.REVOLUTE:
        axis = f"rot{joint_frame(joint.axis).token}"
        prim.schemas.append(f"PhysxMimicJointAPI:{axis}")
        prim.put(f"float physxMimicJoint:{axis}:gearing", single(-coupling.ratio))
        prim.put(f"float physxMimicJoint:{axis}:offset", single(-coupling.offset * degrees))
        prim.put(f"rel physxMimicJoint:{axis}:referenceJoint", path(leader))
