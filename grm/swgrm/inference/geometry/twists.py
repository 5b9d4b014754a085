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
    lengths = np.sqrt(np.add.reduce(vectors * vectors, axis=-1, keepdims=True))
    has_length = lengths > 0
    result: Array = (
        vectors / lengths
        if has_length.all()
        else np.divide(vectors, lengths, out=np.zeros_like(vectors), where=has_length)
    )
    return result


def lengths_of(vectors: Array) -> Array:
    """The lengths of stacked vectors, as numpy's own norm with less overhead."""
    lengths: Array = np.sqrt(np.add.reduce(vectors * vectors, axis=-1))
    return lengths


def dot(a: Array, b: Array) -> Array:
    """The products a · b of two stacks of vectors.  # (..., k), (..., k) → (...)."""
    products: Array = np.einsum("...j,...j->...", a, b)
    return products


LARGE = 6000  # numbers in two stacks of vectors, from which on single components are faster than pairs of them
_NEXT, _LAST = np.array([1, 2, 0]), np.array([2, 0, 1])
_TURNS = np.array([np.pi, 2 * np.pi])
_IDENTITY, _EPSILON = np.eye(3), float(np.finfo(float).eps)
_EQUAL_SHARES = 1e-6  # components of a unit vector that differ by less are equal


def cross(a: Array, b: Array) -> Array:
    """The cross product a × b, for stacks; many times faster than numpy's own on the small ones."""
    if a.size + b.size > LARGE:
        (a0, a1, a2), (b0, b1, b2) = ((v[..., 0], v[..., 1], v[..., 2]) for v in (a, b))
        return np.stack([a1 * b2 - a2 * b1, a2 * b0 - a0 * b2, a0 * b1 - a1 * b0], axis=-1)
    return a.take(_NEXT, -1) * b.take(_LAST, -1) - a.take(_LAST, -1) * b.take(_NEXT, -1)


def perpendiculars(directions: Array) -> tuple[Array, Array]:
    """Two unit vectors e₁, e₂ that make a right-handed triad (e₁, e₂, d) with each unit direction d.

    They follow the coordinate axis that d has least of; the first of two, where d has equally little of both.
    """
    shares = np.abs(directions)
    is_least = shares <= shares.min(axis=-1, keepdims=True) + _EQUAL_SHARES
    helper = _IDENTITY.take(is_least.argmax(axis=-1), 0)
    first = unit(cross(helper, directions))
    return first, cross(directions, first)


def cross_matrix(v: Array) -> Array:
    """[v]×, with [v]× u = v × u.  # (..., 3) → (..., 3, 3)."""
    K = np.zeros((*v.shape, 3))
    K[..., 2, 1], K[..., 0, 2], K[..., 1, 0] = v[..., 0], v[..., 1], v[..., 2]
    K[..., 1, 2], K[..., 2, 0], K[..., 0, 1] = -v[..., 0], -v[..., 1], -v[..., 2]
    return K


def _sinc(x: Array) -> Array:
    """As numpy's own, sin(πx)/πx, without its overhead on small stacks."""
    y = np.pi * x
    y[y == 0.0] = _EPSILON
    sinc: Array = np.sin(y) / y
    return sinc


def exponential(twists: Array) -> Array:
    """The finite motion exp([ξ]) after unit time.  # (..., 4, 4).

    R = I + a[ω] + b[ω]², p = (I + b[ω] + c[ω]²) v with a = sin θ/θ, b = (1 − cos θ)/θ², c = (θ − sin θ)/θ³
    (Murray, Li, Sastry: A Mathematical Introduction to Robotic Manipulation, 2.3).
    """
    w, v = np.ascontiguousarray(twists[..., :3]), np.ascontiguousarray(twists[..., 3:])
    T = np.zeros((*twists.shape[:-1], 4, 4))
    T[..., 3, 3] = 1.0
    if not w.any():
        T[..., :3, :3], T[..., :3, 3] = _IDENTITY, v + 0.0
        return T
    theta = np.sqrt(np.add.reduce(w * w, axis=-1, keepdims=True))
    squared = theta * theta
    sincs = _sinc(theta / _TURNS)
    a, b = sincs[..., :1], sincs[..., 1:] ** 2 / 2
    c = np.where(theta < 1e-3, 1 / 6 - squared / 120, (1 - a) / np.maximum(squared, 1e-6))
    W = cross_matrix(w)
    turned = cross(w, v)
    T[..., :3, :3] = _IDENTITY + a[..., None] * W + b[..., None] * (W @ W)
    T[..., :3, 3] = v + b * turned + c * cross(w, turned)
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
