"""Mass, centre of mass and inertia: moved between frames, combined, and of any subtree in any configuration."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import TYPE_CHECKING

import msgspec
import numpy as np

from swgrm.model import Inertial, Quat, Robot, Tensor
from swgrm.transforms import inverse, matrix_quaternion, quaternion_matrix

if TYPE_CHECKING:
    from swgrm.kinematics.forward import Positions
    from swgrm.transforms import Array

PLANES = ((0, 1), (0, 2), (1, 2))  # in which a matrix is turned to become diagonal
SWEEPS = 20  # at most; four or five are usual
DIAGONAL = 1e-17  # relative: entries below it do not change the moments


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


def principal_axes(I: Array) -> tuple[list[float], Quat]:  # noqa: E741 - its usual symbol
    """The principal moments of a symmetric matrix, and the rotation of their axes: I = R · diag(moments) · Rᵀ.

    Jacobi's method turns the matrix about one axis after the other until it is diagonal. The axes stay near those of
    the matrix also where moments are equal, and the result is the same on every processor: no library is used.
    """
    matrix: list[list[float]] = np.asarray(I, float).tolist()
    axes = np.eye(3).tolist()
    for _ in range(SWEEPS):
        if all(abs(matrix[p][q]) <= DIAGONAL * (abs(matrix[p][p]) + abs(matrix[q][q])) for p, q in PLANES):
            break
        for p, q in PLANES:
            if matrix[p][q] == 0:
                continue
            # The smaller root of t² + 2 θ t − 1 = 0 is the tangent of the rotation that makes the entry zero.
            theta = (matrix[q][q] - matrix[p][p]) / (2 * matrix[p][q])
            t = math.copysign(1.0, theta) / (abs(theta) + math.sqrt(theta * theta + 1))
            c = 1 / math.sqrt(t * t + 1)
            _turn_columns(matrix, p, q, c, t * c)
            matrix = [list(column) for column in zip(*matrix, strict=True)]
            _turn_columns(matrix, p, q, c, t * c)
            _turn_columns(axes, p, q, c, t * c)
    return [matrix[axis][axis] for axis in range(3)], matrix_quaternion(np.array(axes))


def _turn_columns(rows: list[list[float]], p: int, q: int, c: float, s: float) -> None:
    for row in rows:
        row[p], row[q] = c * row[p] - s * row[q], s * row[p] + c * row[q]


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
    poses = robot.mechanism.kinematics.poses(positions)
    T_start_world = inverse(poses[start.id])
    return combine(
        moved(link.inertial, T_start_world @ poses[frame.id])
        for frame in robot.walk(start.id)
        for link in frame.links
        if link.inertial is not None
    )
