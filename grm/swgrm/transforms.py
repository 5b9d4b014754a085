"""Rotations, homogeneous matrices and quaternions (x, y, z, w), one at a time or in batches."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[np.float64]
HALF_TURN = 1e-9  # a component of a unit quaternion below this is zero, and its sign decides nothing


def quaternion_matrix(q: ArrayLike) -> Array:
    """R(q) for unit quaternions; others are normalised.  # (..., 4) → (..., 3, 3)."""
    q = np.asarray(q, float)
    if q.ndim == 1:  # most are single, and numpy takes ten times as long for the same numbers
        x, y, z, w = q.tolist()
        if (length := math.sqrt(x * x + y * y + z * z + w * w)) > 0:
            return np.array(_rotation(x / length, y / length, z / length, w / length))
    rows = _rotation(*np.moveaxis(q / np.linalg.norm(q, axis=-1, keepdims=True), -1, 0))
    return np.stack([np.stack(row, -1) for row in rows], -2)


def _rotation(x: Any, y: Any, z: Any, w: Any) -> list[list[Any]]:  # noqa: ANN401 - numbers or arrays
    return [
        [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
        [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
        [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
    ]


def matrix_quaternion(R: Array) -> tuple[float, float, float, float]:
    """The unit quaternion of a rotation, from its largest component (Shepperd 1978).  # (3, 3) → 4.

    q and −q are the same rotation. w is positive; of half a turn, where w is zero but for rounding, the first of x, y
    and z that is not zero is.
    """
    return _quaternion(np.asarray(R, float).tolist())


def _quaternion(rows: list[list[float]]) -> tuple[float, float, float, float]:
    (xx, xy, xz), (yx, yy, yz), (zx, zy, zz) = rows
    trace = xx + yy + zz
    largest = max(xx, yy, zz, trace)
    if xx == largest:
        q = (1 - trace + 2 * xx, yx + xy, zx + xz, zy - yz)
    elif yy == largest:
        q = (xy + yx, 1 - trace + 2 * yy, zy + yz, xz - zx)
    elif zz == largest:
        q = (xz + zx, yz + zy, 1 - trace + 2 * zz, yx - xy)
    else:
        q = (zy - yz, xz - zx, yx - xy, 1 + trace)
    length = math.hypot(*q)
    x, y, z, w = q
    least = HALF_TURN * length
    leading = next((v for v in (w, x, y, z) if abs(v) > least), 1.0)
    if leading < 0:
        length = -length
    return x / length + 0.0, y / length + 0.0, z / length + 0.0, w / length + 0.0


def matrix_quaternions(R: Array) -> Array:
    """As `matrix_quaternion`, of one rotation or a batch.  # (..., 3, 3) → (..., 4)."""
    if R.ndim == 2:  # most are single, and numpy takes ten times as long for the same numbers
        return np.array(matrix_quaternion(R))
    (xx, xy, xz), (yx, yy, yz), (zx, zy, zz) = np.moveaxis(R, (-2, -1), (0, 1))
    trace = xx + yy + zz
    # Each row of 4 q qᵀ is a multiple of q. The one with the largest diagonal has the smallest rounding.
    rows = (
        (1 - trace + 2 * xx, yx + xy, zx + xz, zy - yz),
        (xy + yx, 1 - trace + 2 * yy, zy + yz, xz - zx),
        (xz + zx, yz + zy, 1 - trace + 2 * zz, yx - xy),
        (zy - yz, xz - zx, yx - xy, 1 + trace),
    )
    products = np.stack([np.stack(row, -1) for row in rows], -2)
    largest = np.argmax(np.diagonal(products, axis1=-2, axis2=-1), axis=-1)
    q = np.take_along_axis(products, largest[..., None, None], -2)[..., 0, :]
    q = q / np.linalg.norm(q, axis=-1, keepdims=True)
    # Of q and −q, the one whose first component of w, x, y, z that is not zero is positive.
    ordered = q[..., [3, 0, 1, 2]]
    leading = np.argmax(np.abs(ordered) > HALF_TURN, axis=-1)
    is_negative = np.take_along_axis(ordered, leading[..., None], -1) < 0
    return np.asarray(np.where(is_negative, -q, q) + 0.0)


def rotation_vectors(R: Array) -> Array:
    """Axis times angle of rotations, the angle from 0 to π.  # (..., 3, 3) → (..., 3).

    With q = (a sin θ/2, cos θ/2), θ = 2 atan2(|xyz|, w), which is accurate at every angle; near zero, a θ = 2 xyz.
    """
    q = matrix_quaternions(R)
    sine = np.linalg.norm(q[..., :3], axis=-1, keepdims=True)
    angle = 2 * np.arctan2(sine, q[..., 3:])
    return np.asarray(q[..., :3] * np.divide(angle, sine, out=np.full_like(sine, 2.0), where=sine > 0))


def axis_angle_matrix(axis: ArrayLike, angle: ArrayLike) -> Array:
    """Rodrigues: R = I + sin θ K + (1 − cos θ) K² about a unit axis.  # (..., 3), (...) → (..., 3, 3)."""
    a = np.asarray(axis, float)
    theta = np.asarray(angle, float)[..., None, None]
    K = cross_matrix(a)
    R: Array = np.eye(3) + np.sin(theta) * K + (1 - np.cos(theta)) * (K @ K)
    return R


def cross_matrix(v: ArrayLike) -> Array:
    """[v]×, with [v]× u = v × u.  # (..., 3) → (..., 3, 3)."""
    x, y, z = np.moveaxis(np.asarray(v, float), -1, 0)
    o = np.zeros_like(x)
    return np.stack([np.stack([o, -z, y], -1), np.stack([z, o, -x], -1), np.stack([-y, x, o], -1)], -2)


def homogeneous(R: ArrayLike, p: ArrayLike) -> Array:
    """[[R, p], [0, 1]].  # (..., 3, 3), (..., 3) → (..., 4, 4)."""
    R, p = np.asarray(R, float), np.asarray(p, float)
    if R.ndim == 2 and p.ndim == 1:  # most are single, and the general way takes half as long again
        T = np.zeros((4, 4))
        T[:3, :3], T[:3, 3], T[3, 3] = R, p, 1.0
        return T
    T = np.zeros((*np.broadcast_shapes(R.shape[:-2], p.shape[:-1]), 4, 4))
    T[..., :3, :3], T[..., :3, 3], T[..., 3, 3] = R, p, 1.0
    return T


def inverse(T: Array) -> Array:
    """[[Rᵀ, −Rᵀp], [0, 1]].  # (..., 4, 4)."""
    Rt = np.swapaxes(T[..., :3, :3], -1, -2)
    return homogeneous(Rt, -(Rt @ T[..., :3, 3:])[..., 0])


def pose_matrix(pos: ArrayLike, rot: ArrayLike) -> Array:
    """The homogeneous matrix of positions and quaternions.  # (..., 3), (..., 4) → (..., 4, 4)."""
    return homogeneous(quaternion_matrix(rot), pos)


def matrix_pose(T: Array) -> tuple[tuple[float, float, float], tuple[float, float, float, float]]:
    """The position and the quaternion of one homogeneous matrix."""
    return matrix_poses(T[None])[0]


def matrix_poses(T: Array) -> list[tuple[tuple[float, float, float], tuple[float, float, float, float]]]:
    """The positions and the quaternions of a stack of homogeneous matrices.  # (n, 4, 4)."""
    positions, rotations = (T[:, :3, 3] + 0.0).tolist(), T[:, :3, :3].tolist()
    return [((x, y, z), _quaternion(R)) for (x, y, z), R in zip(positions, rotations, strict=True)]


def rotated_tensor(tensor: tuple[float, ...], q: tuple[float, ...]) -> tuple[float, ...]:
    """R(q) · I · R(q)ᵀ of a symmetric tensor, given and returned as xx, xy, xz, yy, yz, zz."""
    xx, xy, xz, yy, yz, zz = tensor
    R = quaternion_matrix(q)
    I = R @ np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]) @ R.T  # noqa: E741 - its name in mechanics
    return tuple(float(v) for v in (I[0, 0], I[0, 1], I[0, 2], I[1, 1], I[1, 2], I[2, 2]))


def column_matrix(transform: ArrayLike) -> Array:
    """T of the 16 numbers of SolidWorks' MathTransform: its first nine are the images of the axes, T's columns."""
    numbers = np.asarray(transform, float)
    return homogeneous(numbers[:9].reshape(3, 3).T, numbers[9:12])
