"""The convex collision shapes of a robot's bodies, and where those of two bodies overlap."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

import numpy as np

from swgrm.kinematics.body_motion import BodyMotion, Pair, PlacedPair
from swgrm.meshes.convex import deepest, face_gap
from swgrm.meshes.polytopes import Polytope

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from swgrm.transforms import Array

CLEARANCE = 0.0003  # [m] between shapes that were cut apart; what is nearer touches
ROUNDING = 1e-7  # [m] above single precision: parts that are designed one clearance apart, or deep, count as that
THIN = 0.02  # of the thickness of a piece: the most that is taken for clearance
Shapes = Mapping[str, list[Polytope]]  # by frame, in its coordinates


class ConvexPiece:
    """A convex piece of a frame, in the coordinates of the frame's body."""

    def __init__(self, frame: str, T_body_frame: Array, shape: Polytope) -> None:
        self.frame, self.T_body_frame = frame, T_body_frame
        self.shape = shape.moved(T_body_frame)
        self.volume = shape.volume

    @classmethod
    def in_body(cls, frame: str, T_body_frame: Array, shape: Polytope) -> ConvexPiece:
        """A piece whose shape is given in the coordinates of the body."""
        piece = cls(frame, T_body_frame, shape)
        piece.shape = shape
        return piece

    @property
    def in_frame(self) -> Polytope:
        """The shape in the coordinates of the frame."""
        return self.shape.moved(inverse(self.T_body_frame))


class BodyShapes:
    """The pieces of all bodies."""

    def __init__(self, motion: BodyMotion, shapes: Shapes) -> None:
        self.motion = motion
        self.pieces = [
            ConvexPiece(frame, motion.in_body(frame), shape) for frame, each in shapes.items() for shape in each
        ]
        self.bodies: dict[str, list[ConvexPiece]] = {}
        for piece in self.pieces:
            self.bodies.setdefault(motion.body_of[piece.frame], []).append(piece)

    def places(self) -> dict[Pair, list[PlacedPair]]:
        """The places of the pairs of bodies that may touch: as assembled, then of neighbours as joints move."""
        neighbours = {pair for pair in self.motion.neighbours if pair[0] in self.bodies and pair[1] in self.bodies}
        pairs = sorted(neighbours | self._close())
        found = {pair: [PlacedPair(pair, self.motion.relative(pair))] for pair in pairs}
        for placed in self.motion.moved():
            if placed.pair in found:
                found[placed.pair].append(placed)
        return found

    def _close(self) -> set[Pair]:
        """The pairs of bodies whose boxes touch as assembled."""
        names = [body for body in self.motion.bodies if self.bodies.get(body)]
        boxes = [_boxes(self.bodies[name], [self.motion.assembled[name]]) for name in names]
        margin = CLEARANCE + ROUNDING
        low = np.array([each[0].min(axis=(0, 1)) for each in boxes]).reshape(-1, 3) - margin
        high = np.array([each[1].max(axis=(0, 1)) for each in boxes]).reshape(-1, 3) + margin
        found = set()
        for i, name in enumerate(names):
            touch = ((low[i] <= high[i + 1 :]) & (low[i + 1 :] <= high[i])).all(axis=1)
            found |= {(name, names[i + 1 + int(j)]) for j in np.flatnonzero(touch)}
        return found

    def near(self, pair: Pair, places: list[PlacedPair]) -> Iterator[tuple[ConvexPiece, ConvexPiece, list[Array]]]:
        """Yields the pieces of two bodies whose boxes touch, with the relative poses at which they do.

        Places that are not certain count for pieces that touch as assembled only: a rod in its sleeve.
        """
        firsts, seconds = self.bodies[pair[0]], self.bodies[pair[1]]
        if not firsts or not seconds:
            return
        low, high = _boxes(firsts, [np.eye(4)])  # (1, n, 3)
        poses = [placed.T for placed in places]
        lower, upper = _boxes(seconds, poses)  # (poses, m, 3)
        ones = np.flatnonzero(~_apart(low[0], high[0], *_around(lower, upper)).any(axis=1))  # near to the other body
        others = np.flatnonzero(~_apart(*_around(low, high), lower, upper).any(axis=2).all(axis=0))
        apart = _apart(low[:, ones, None], high[:, ones, None], lower[:, None, others], upper[:, None, others])
        clear = np.asarray(apart.any(axis=3))  # (poses, ones, others)
        touch = ~clear & (~clear[:1] | np.array([placed.is_certain for placed in places])[:, None, None])
        for i, j in np.argwhere(touch.any(axis=0)).tolist():
            yield firsts[ones[i]], seconds[others[j]], [poses[k] for k in np.flatnonzero(touch[:, i, j])]

    def overlapping(self, places: Mapping[Pair, list[PlacedPair]]) -> Iterator[tuple[ConvexPiece, ConvexPiece, float]]:
        """Yields the pieces of different bodies that overlap, with the deepest overlap [m]."""
        for pair, at in places.items():
            for one, other, near in self.near(pair, at):
                deep = deepest(one.shape, [other.shape.moved(T) for T in near])
                if deep > clearance(one.shape, other.shape) + ROUNDING:
                    yield one, other, deep


def clearance(one: Polytope, other: Polytope) -> float:
    """The distance that two pieces are to have.  # [m]."""
    return min(CLEARANCE, THIN * one.thickness, THIN * other.thickness)


def touches(one: Polytope, other: Polytope, gap: float) -> bool:
    """Whether two pieces are nearer than half of their clearance; a designed distance of just that is enough."""
    return face_gap(one, other) < gap / 2 - ROUNDING


def _boxes(pieces: list[ConvexPiece], poses: list[Array]) -> tuple[Array, Array]:
    """The lower and upper corners of the pieces' boxes at each pose.  # (poses, pieces, 3) each."""
    T = np.array(poses)
    low, high = [], []
    for piece in pieces:
        corners = piece.shape.vertices @ T[:, :3, :3].swapaxes(1, 2) + T[:, None, :3, 3]
        low.append(corners.min(axis=1))
        high.append(corners.max(axis=1))
    return np.stack(low, axis=1), np.stack(high, axis=1)


def _around(low: Array, high: Array) -> tuple[Array, Array]:
    """The corners of the box around boxes.  # (poses, pieces, 3) → (3,) each."""
    return low.min(axis=(0, 1)), high.max(axis=(0, 1))


def _apart(low: Array, high: Array, lower: Array, upper: Array) -> NDArray[np.bool_]:
    """Along which axes boxes are apart.  # (..., 3) each."""
    margin = CLEARANCE + ROUNDING
    return np.asarray((low > upper + margin) | (lower > high + margin))


def inverse(T: Array) -> Array:
    """The inverse of a transform."""
    return np.asarray(np.linalg.inv(T), float)
