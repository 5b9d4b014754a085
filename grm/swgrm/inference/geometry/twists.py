"""Directions, twists and finite motions: the mathematics that inference uses.

A twist ξ = (ω, v) gives the velocity of the moving body's point x as v + ω × (x − o); unless stated otherwise the
reference point o is the origin. All functions work on stacks: a leading shape is carried through.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Ints = NDArray[np.intp]
Mask = NDArray[np.bool_]


def unit(vectors: Array) -> Array:
    """The vectors with length one; a zero vector stays zero."""
    lengths = np.sqrt((vectors * vectors).sum(axis=-1, keepdims=True))
    result: Array = np.divide(vectors, lengths, out=np.zeros_like(vectors), where=lengths > 0)
    return result


def dot(a: Array, b: Array) -> Array:
    """The products a · b of two stacks of vectors, row by row.  # (m, k), (m, k) → (m,)."""
    products: Array = np.einsum("ij,ij->i", a, b)
    return products


_NEXT, _LAST = np.array([1, 2, 0]), np.array([2, 0, 1])


def cross(a: Array, b: Array) -> Array:
    """The cross product a × b, for stacks; many times faster than numpy's own on the small ones."""
    return a.take(_NEXT, -1) * b.take(_LAST, -1) - a.take(_LAST, -1) * b.take(_NEXT, -1)


def perpendiculars(directions: Array) -> tuple[Array, Array]:
    """Two unit vectors e₁, e₂ that make a right-handed triad (e₁, e₂, d) with each unit direction d."""
    smallest = np.argmin(np.abs(directions), axis=-1)
    helper = np.eye(3)[smallest]
    first = unit(cross(helper, directions))
    return first, cross(directions, first)


def cross_matrix(v: Array) -> Array:
    """[v]×, with [v]× u = v × u.  # (..., 3) → (..., 3, 3)."""
    K = np.zeros((*v.shape, 3))
    K[..., 2, 1], K[..., 0, 2], K[..., 1, 0] = v[..., 0], v[..., 1], v[..., 2]
    K[..., 1, 2], K[..., 2, 0], K[..., 0, 1] = -v[..., 0], -v[..., 1], -v[..., 2]
    return K


def exponential(twists: Array) -> Array:
    """The finite motion exp([ξ]) after unit time.  # (..., 4, 4).

    R = I + a[ω] + b[ω]², p = (I + b[ω] + c[ω]²) v with a = sin θ/θ, b = (1 − cos θ)/θ², c = (θ − sin θ)/θ³
    (Murray, Li, Sastry: A Mathematical Introduction to Robotic Manipulation, 2.3).
    """
    w, v = twists[..., :3], twists[..., 3:]
    theta = np.sqrt((w * w).sum(axis=-1))[..., None]
    squared = theta * theta
    a = np.sinc(theta / np.pi)
    b = np.sinc(theta / (2 * np.pi)) ** 2 / 2
    c = np.where(theta < 1e-3, 1 / 6 - squared / 120, (1 - a) / np.maximum(squared, 1e-6))
    W = cross_matrix(w)
    turned = cross(w, v)
    T = np.zeros((*twists.shape[:-1], 4, 4))
    T[..., :3, :3] = np.eye(3) + a[..., None] * W + b[..., None] * (W @ W)
    T[..., :3, 3] = v + b * turned + c * cross(w, turned)
    T[..., 3, 3] = 1.0
    return T


def adjoint(T: Array) -> Array:
    """The matrix that carries a twist along with a motion: exp(Ad_T ξ) = T exp(ξ) T⁻¹.  # (..., 6, 6)."""
    R, p = T[..., :3, :3], T[..., :3, 3]
    A = np.zeros((*T.shape[:-2], 6, 6))
    A[..., :3, :3] = R
    A[..., 3:, 3:] = R
    A[..., 3:, :3] = cross_matrix(p) @ R
    return A


def move_points(T: Array, points: Array) -> Array:
    """The points after the motions."""
    return (T[..., :3, :3] @ points[..., None])[..., 0] + T[..., :3, 3]


def move_directions(T: Array, directions: Array) -> Array:
    """The directions after the motions."""
    return (T[..., :3, :3] @ directions[..., None])[..., 0]


def rotation_twist(axis: Array, point: Array, pitch: float = 0.0) -> Array:
    """The unit twist about an axis through a point, advancing `pitch` [m/rad] along it: (u, p × u + h u)."""
    return np.concatenate([axis, cross(point, axis) + pitch * axis], axis=-1)


def translation_twist(direction: Array) -> Array:
    """The unit twist along a direction: (0, d)."""
    return np.concatenate([np.zeros_like(direction), direction], axis=-1)
