"""Collision shapes that leave the joints free: where those of two bodies overlap, the shapes are cut apart.

Convex shapes fill the bores of hubs and the space between the arms of forks, so the bodies at a joint overlap and a
simulator would hold the joint. Parts whose hulls overlap are decomposed into convex pieces. Where two pieces still
overlap, as assembled or, at a joint, anywhere in its range, one of them is cut along a face of the other: of all such
cuts, the one that loses the least volume is made. A pin inside a hub is lost completely that way, and a face that
rests on another one recedes a little.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from swgrm.body_motion import BodyMotion, Pair, PlacedPair
from swgrm.findings import Findings
from swgrm.meshes.convex import Polytope, cut, depth

if TYPE_CHECKING:
    from swgrm.transforms import Array

CLEARANCE = 0.0003  # [m] between shapes that were cut apart
THIN = 0.02  # of the thickness of a piece: the most that is taken for clearance
SLIVER = 0.1  # of a piece's volume: what is left when it is dropped
CUTS = 4  # faces that are tried per piece
Shapes = Mapping[str, list[Polytope]]  # by frame, in its coordinates


class Separated(NamedTuple):
    """The shapes after cutting, and the frames whose shapes changed."""

    shapes: dict[str, list[Polytope]]
    changed: frozenset[str]


def separated(
    motion: BodyMotion, hulls: Shapes, decompose: Callable[[frozenset[str]], Shapes], findings: Findings
) -> Separated:
    """Returns the shapes of a robot's frames cut apart; `decompose` gives the pieces of those frames that overlap."""
    whole = _Separation(motion, hulls)
    places = _places(motion, whole.bodies)
    overlapping = whole.overlapping(places)
    pieces = {**hulls, **{frame: shapes for frame, shapes in decompose(overlapping).items() if shapes}}
    work = _Separation(motion, pieces)
    for pair, at in places.items():
        work.separate(pair, at)
    work.report(findings)
    shapes = {frame: [each.in_frame for each in work.pieces if each.frame == frame] for frame in pieces}
    return Separated(shapes, overlapping | work.changed)


def _places(motion: BodyMotion, bodies: Mapping[str, list[_Piece]]) -> dict[Pair, list[PlacedPair]]:
    """Returns the places of the pairs of bodies that may touch: as assembled, then of neighbours as joints move."""
    pairs = {pair for pair in motion.neighbours if pair[0] in bodies and pair[1] in bodies} | _close(motion, bodies)
    found = {pair: [PlacedPair(pair, motion.relative(pair))] for pair in sorted(pairs)}
    for placed in motion.moved():
        if placed.pair in found:
            found[placed.pair].append(placed)
    return found


def _close(motion: BodyMotion, bodies: Mapping[str, list[_Piece]]) -> set[Pair]:
    """Returns the pairs of bodies whose boxes touch as assembled."""
    names = [body for body in motion.bodies if bodies.get(body)]
    boxes = [_boxes(bodies[name], [motion.assembled[name]]) for name in names]
    low = np.array([each[0].min(axis=(0, 1)) for each in boxes]).reshape(-1, 3) - CLEARANCE
    high = np.array([each[1].max(axis=(0, 1)) for each in boxes]).reshape(-1, 3) + CLEARANCE
    found = set()
    for i, name in enumerate(names):
        touch = ((low[i] <= high[i + 1 :]) & (low[i + 1 :] <= high[i])).all(axis=1)
        found |= {(name, names[i + 1 + int(j)]) for j in np.flatnonzero(touch)}
    return found


class _Piece:
    """A convex piece of a frame, in the coordinates of the frame's body."""

    def __init__(self, frame: str, T_body_frame: Array, shape: Polytope) -> None:
        self.frame, self.T_body_frame = frame, T_body_frame
        self.shape = shape.moved(T_body_frame)
        self.volume = shape.volume

    @property
    def in_frame(self) -> Polytope:
        """The shape in the coordinates of the frame."""
        return self.shape.moved(_inverse(self.T_body_frame))


class _Separation:
    """The pieces of all bodies while they are cut."""

    def __init__(self, motion: BodyMotion, shapes: Shapes) -> None:
        self.pieces = [_Piece(frame, motion.in_body(frame), shape) for frame, each in shapes.items() for shape in each]
        self.bodies: dict[str, list[_Piece]] = {}
        for piece in self.pieces:
            self.bodies.setdefault(motion.body_of[piece.frame], []).append(piece)
        self.changed: set[str] = set()
        self.causes: dict[Pair, float] = {}  # the deepest overlap of each pair that was cut

    def overlapping(self, places: Mapping[Pair, list[PlacedPair]]) -> frozenset[str]:
        """Returns the frames with a piece that overlaps one of another body."""
        found: set[str] = set()
        for pair, places_of_pair in places.items():
            for one, other, near in self._near(pair, places_of_pair):
                gap = _clearance(one.shape, other.shape)
                if not found.issuperset((one.frame, other.frame)) and any(
                    depth(one.shape, other.shape.moved(T)) > gap for T in near
                ):
                    found |= {one.frame, other.frame}
        return frozenset(found)

    def separate(self, pair: Pair, places: list[PlacedPair]) -> None:
        """Cut the pieces of two bodies so that none touch at these places."""
        for one, other, near in list(self._near(pair, places)):
            if one not in self.bodies[pair[0]] or other not in self.bodies[pair[1]]:
                continue  # lost meanwhile
            gap = _clearance(one.shape, other.shape)
            depths = [depth(one.shape, other.shape.moved(T)) for T in near]
            touching = [T for T, deep in zip(near, depths, strict=True) if deep > -gap / 2]
            if touching:
                self.causes[pair] = max(*depths, self.causes.get(pair, 0.0))
                self._cut(pair, one, other, touching, gap)

    def _cut(self, pair: Pair, one: _Piece, other: _Piece, poses: list[Array], gap: float) -> None:
        """Cut the piece that loses the least volume."""
        first = _cut_by_all(one.shape, [other.shape.moved(T) for T in poses], gap)
        second = _cut_by_all(other.shape, [one.shape.moved(_inverse(T)) for T in poses], gap)
        if _loss(one.shape, first) <= _loss(other.shape, second):
            self._set(one, first, pair[0])
        else:
            self._set(other, second, pair[1])

    def _set(self, piece: _Piece, shape: Polytope | None, body: str) -> None:
        self.changed.add(piece.frame)
        if shape is None or shape.volume < SLIVER * piece.volume:
            self.bodies[body].remove(piece)
            self.pieces.remove(piece)
        else:
            piece.shape = shape

    def _near(self, pair: Pair, places: list[PlacedPair]) -> Iterator[tuple[_Piece, _Piece, list[Array]]]:
        """Yields the pieces of two bodies whose boxes touch, with the relative poses at which they do.

        Places that are not certain count for pieces that touch as assembled only: a rod in its sleeve.
        """
        firsts, seconds = self.bodies[pair[0]], self.bodies[pair[1]]
        if not firsts or not seconds:
            return
        low, high = _boxes(firsts, [np.eye(4)])  # (1, n, 3)
        poses = [placed.T for placed in places]
        lower, upper = _boxes(seconds, poses)  # (poses, m, 3)
        apart = (low[:, :, None] > upper[:, None] + CLEARANCE) | (lower[:, None] > high[:, :, None] + CLEARANCE)
        clear = np.asarray(apart.any(axis=3))  # (poses, n, m)
        touch = ~clear & (~clear[:1] | np.array([placed.is_certain for placed in places])[:, None, None])
        for i, j in np.argwhere(touch.any(axis=0)).tolist():
            yield firsts[i], seconds[j], [poses[k] for k in np.flatnonzero(touch[:, i, j])]

    def report(self, findings: Findings) -> None:
        """Report each pair of bodies that was cut apart, and the components that lost their shape."""
        for (one, other), deep in self.causes.items():
            if deep > CLEARANCE:
                findings.add("collision-cut", f"bodies {one}, {other}", depth=1000 * deep)
        left = {piece.frame for piece in self.pieces}
        for frame in sorted(self.changed - left):
            findings.add("collision-left-out", f"component {frame}")


def _cut_by_all(body: Polytope, others: list[Polytope], gap: float) -> Polytope | None:
    """Returns what is left of a body when it is cut along a face of each of the others that it touches."""
    left: Polytope | None = body
    for other in others:
        if left is not None and depth(left, other) > -gap / 2:
            left = _best_cut(left, other, gap)
    return left


def _loss(body: Polytope, left: Polytope | None) -> float:
    return body.volume - (left.volume if left is not None else 0.0)


def _best_cut(body: Polytope, other: Polytope, gap: float) -> Polytope | None:
    """Returns what is left of a body after the cut along a face of another one that loses least."""
    heights = body.vertices @ other.normals.T - other.offsets  # above each face
    share = -heights.min(axis=0) / np.ptp(heights, axis=0)  # how much of the body is below it, roughly
    best: Polytope | None = None
    for face in np.argsort(share, kind="stable")[:CUTS]:
        left = cut(body, other.normals[face], other.offsets[face] + gap)
        if left is not None and (best is None or left.volume > best.volume):
            best = left
    return best


def _inverse(T: Array) -> Array:
    return np.asarray(np.linalg.inv(T), float)


def _clearance(one: Polytope, other: Polytope) -> float:
    return min(CLEARANCE, THIN * one.thickness, THIN * other.thickness)


def _boxes(pieces: list[_Piece], poses: list[Array]) -> tuple[Array, Array]:
    """Returns the lower and upper corners of the pieces' boxes at each pose.  # (poses, pieces, 3) each."""
    T = np.array(poses)
    low, high = [], []
    for piece in pieces:
        corners = piece.shape.vertices @ T[:, :3, :3].swapaxes(1, 2) + T[:, None, :3, 3]
        low.append(corners.min(axis=1))
        high.append(corners.max(axis=1))
    return np.stack(low, axis=1), np.stack(high, axis=1)
