"""Triangles of plane regions with holes, by cutting off ears (Meisters 1975)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from swgrm.transforms import Array

SAME = 1e-9  # [m] corners nearer than this are one


def triangulate(outer: Array, holes: Sequence[Array] = ()) -> Array:
    """Triangles of a counter-clockwise polygon without its counter-clockwise holes.  # (n, 2) → (k, 3, 2).

    A hole may touch the polygon at common corners, which divides it.
    """
    for number, hole in enumerate(holes):
        if pieces := _divided(outer, hole):
            others = [*holes[:number], *holes[number + 1 :]]
            inside = [[other for other in others if is_inside(piece, other.mean(axis=0))] for piece in pieces]
            return np.concatenate([triangulate(*each) for each in zip(pieces, inside, strict=True)])
    corners = outer
    for hole in sorted(holes, key=lambda polygon: -float(polygon[:, 0].max())):
        corners = _with_hole(corners, hole)
    triangles: Array = corners[_ears(corners)]
    return triangles


def _divided(outer: Array, hole: Array) -> list[Array]:
    """The pieces into which a hole divides the polygon where they share corners; none if they do not."""
    same = np.abs(outer[:, None] - hole[None]).max(axis=2) < SAME
    shared = [(int(k), int(np.argmax(same[k]))) for k in np.flatnonzero(same.any(axis=1))]
    pieces = []
    for (k, i), (k_next, i_next) in zip(shared, shared[1:] + shared[:1], strict=True):
        along = np.roll(outer, -k, axis=0)[: (k_next - k) % len(outer) or len(outer)]
        back = np.roll(hole, -i, axis=0)[1 : (i_next - i) % len(hole) or len(hole)][::-1]
        piece = np.concatenate([along, outer[k_next : k_next + 1], back])
        if _area(piece) > SAME**2:
            pieces.append(piece)
    return pieces


def _area(polygon: Array) -> float:
    x, y = polygon.T
    return float(x @ np.roll(y, -1) - y @ np.roll(x, -1)) / 2


def is_inside(polygon: Array, point: Array) -> bool:
    """Whether a point is inside a polygon."""
    x, y = (polygon - point).T
    turn = np.arctan2(x * np.roll(y, -1) - y * np.roll(x, -1), x * np.roll(x, -1) + y * np.roll(y, -1))
    return abs(float(turn.sum())) > np.pi


def _with_hole(outer: Array, hole: Array) -> Array:
    """The polygon with a bridge to the hole, which is then run through the other way round."""
    start = int(np.argmax(hole[:, 0]))
    inner = np.roll(hole[::-1], -(len(hole) - 1 - start), axis=0)
    near = np.argsort(np.linalg.norm(outer - inner[0], axis=1), kind="stable")
    bridge = next(int(k) for k in near if _sees(outer, hole, outer[k], inner[0]))
    return np.concatenate([outer[: bridge + 1], inner, inner[:1], outer[bridge:]])


def _sees(outer: Array, hole: Array, a: Array, b: Array) -> bool:
    """Whether the line between two corners crosses no edge, and leaves neither corner."""
    for polygon in (outer, hole):
        p, q = polygon, np.roll(polygon, -1, axis=0)
        apart = _turn(a, b, p) * _turn(a, b, q)
        across = _turn(p, q, a[None]) * _turn(p, q, b[None])
        if bool(((apart < -1e-18) & (across < -1e-24)).any()):
            return False
        on_line = (np.abs(_turn(a, b, p)) < 1e-15) & (np.einsum("ij,ij->i", p - a, p - b) < -1e-15)
        if bool(on_line.any()):
            return False
    return True


def _turn(a: Array, b: Array, c: Array) -> Array:
    ab, ac = b - a, c - a
    turn: Array = ab[..., 0] * ac[..., 1] - ab[..., 1] * ac[..., 0]
    return turn


def _ears(corners: Array) -> Array:
    """The corners of each triangle as numbers.  # (k, 3)."""
    left = list(range(len(corners)))
    found = []
    while len(left) > 3:
        for k in range(len(left)):
            a, b, c = left[k - 1], left[k], left[(k + 1) % len(left)]
            if _is_ear(corners, left, a, b, c):
                found.append((a, b, c))
                del left[k]
                break
        else:
            raise ValueError("The outline crosses itself.")
    return np.array([*found, tuple(left)])


def _is_ear(corners: Array, left: Sequence[int], a: int, b: int, c: int) -> bool:
    p, q, r = corners[a], corners[b], corners[c]
    if float(_turn(p, q, r)) <= 1e-18:
        return False
    others = corners[[k for k in left if k not in (a, b, c)]]
    same = (np.abs(others[:, None] - np.stack([p, q, r])).max(axis=2) < 1e-12).any(axis=1)
    others = others[~same]
    inside = (_turn(p, q, others) > -1e-15) & (_turn(q, r, others) > -1e-15) & (_turn(r, p, others) > -1e-15)
    return not bool(inside.any())
