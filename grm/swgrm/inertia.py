"""Mass, centre of mass and inertia: moved between frames, combined, and of any subtree in any configuration."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import msgspec
import numpy as np

from swgrm.kinematics import Kinematics
from swgrm.model import Inertial, Robot, Tensor
from swgrm.transforms import inverse, matrix_quaternion, quaternion_matrix

if TYPE_CHECKING:
    from swgrm.kinematics import Positions
    from swgrm.transforms import Array


def tensor_matrix(inertial: Inertial) -> Array:
    """The tensor in the frame's axes: R(axes) · I · R(axes)ᵀ; an absent one is zero.  # (3, 3)."""
    t = inertial.tensor or Tensor()
    I = np.array([[t.ixx, t.ixy, t.ixz], [t.ixy, t.iyy, t.iyz], [t.ixz, t.iyz, t.izz]])  # noqa: E741 - its usual symbol
    if inertial.axes == (0.0, 0.0, 0.0, 1.0):
        return I
    R = quaternion_matrix(inertial.axes)
    result: Array = R @ I @ R.T
    return result


def matrix_tensor(I: Array) -> Tensor:  # noqa: E741 - its usual symbol
    """The tensor of a symmetric matrix."""
    return Tensor(*(float(v) for v in (I[0, 0], I[0, 1], I[0, 2], I[1, 1], I[1, 2], I[2, 2])))


def moved(inertial: Inertial, T: Array) -> Inertial:
    """The same body seen from another frame: centre and axes through T, the tensor's numbers untouched."""
    x, y, z = (T[:3, :3] @ inertial.origin + T[:3, 3]).tolist()
    axes = matrix_quaternion(T[:3, :3] @ quaternion_matrix(inertial.axes))
    return msgspec.structs.replace(inertial, origin=(x, y, z), axes=axes)


def combine(inertials: Iterable[Inertial]) -> Inertial:
    """One body made of several in the same frame, about their common centre of mass c.

    I = Σ Iᵢ + mᵢ (|dᵢ|² 1 − dᵢ dᵢᵀ), dᵢ = cᵢ − c (Steiner). A body without a tensor counts as a point.
    """
    bodies = list(inertials)
    if len(bodies) == 1:
        return bodies[0]
    mass = sum(body.mass for body in bodies)
    centre = sum((body.mass * np.array(body.origin) for body in bodies), np.zeros(3)) / (mass or 1.0)
    total = np.zeros((3, 3))
    for body in bodies:
        d = np.array(body.origin) - centre
        total += tensor_matrix(body) + body.mass * (d @ d * np.eye(3) - np.outer(d, d))
    x, y, z = centre.tolist()
    return Inertial(mass, (x, y, z), matrix_tensor(total))


def subtree_inertial(robot: Robot, frame_id: str | None = None, positions: Positions | None = None) -> Inertial:
    """Mass, centre of mass and inertia of a subtree (the whole robot), in the coordinates of its own first frame."""
    start = robot.frame(frame_id) if frame_id is not None else robot.root
    poses = Kinematics(robot).poses(positions)
    T_start_world = inverse(poses[start.id])
    return combine(
        moved(link.inertial, T_start_world @ poses[frame.id])
        for frame in robot.walk(start.id)
        for link in frame.links
        if link.inertial is not None
    )
