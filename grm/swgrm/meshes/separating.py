"""Collision shapes that leave the joints free: where those of two bodies overlap, the shapes are cut apart.

Convex shapes fill the bores of hubs and the space between the arms of forks, so the bodies at a joint overlap and a
simulator would hold the joint. Parts whose hulls overlap are decomposed into convex pieces. Where two pieces still
overlap, as assembled or, at a joint, anywhere in its range, one of them is cut along a face of the other: of all such
cuts, the one that loses the least volume is made. A pin inside a hub is lost completely that way, and a face that
rests on another one recedes a little.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from swgrm.findings import Findings
from swgrm.kinematics.body_motion import BodyMotion, Pair, PlacedPair
from swgrm.meshes.body_shapes import CLEARANCE, ROUNDING, BodyShapes, ConvexPiece, Shapes, clearance, inverse, touches
from swgrm.meshes.convex import SIMILAR_PLANE, cut
from swgrm.meshes.polytopes import Polytope
from swgrm.ties import first_largest, ranks_of

if TYPE_CHECKING:
    from swgrm.transforms import Array

SLIVER = 0.1  # of a piece's volume: what is left when it is dropped
CUTS = 4  # faces that are tried per piece
NARROW = 1e-4  # of the area of the largest face: smaller faces are not tried
MICROMETRE = 1e-6  # [m]
EQUAL = 1e-4  # of a volume, or of a height: what loses or leaves no more or less than this is equally good


class Separated(NamedTuple):
    """The shapes after cutting, and the frames whose shapes changed."""

    shapes: dict[str, list[Polytope]]
    changed: frozenset[str]


def separated(
    motion: BodyMotion, hulls: Shapes, decompose: Callable[[frozenset[str]], Shapes], findings: Findings
) -> Separated:
    """The shapes of a robot's frames cut apart; `decompose` gives the pieces of those frames that overlap."""
    whole = BodyShapes(motion, hulls)
    places = whole.places()
    overlapping: set[str] = set()
    depths: dict[Pair, float] = {}  # of hulls: those of pieces depend on the order of the cuts
    for one, other, deep in whole.overlapping(places):
        overlapping |= {one.frame, other.frame}
        pair = motion.pair(motion.body_of[one.frame], motion.body_of[other.frame])
        depths[pair] = max(deep, depths.get(pair, 0.0))
    pieces = {**hulls, **{frame: shapes for frame, shapes in decompose(frozenset(overlapping)).items() if shapes}}
    work = _Separation(motion, pieces)
    for pair, at in places.items():
        work.separate(pair, at)
    work.report(depths, findings)
    changed = frozenset(overlapping | work.changed)
    shapes = {frame: [] if frame in changed else each for frame, each in pieces.items()}
    for piece in work.pieces:
        if piece.frame in changed:
            shapes[piece.frame].append(piece.in_frame)
    return Separated(shapes, changed)


class _Separation(BodyShapes):
    """The pieces of all bodies while they are cut."""

    def __init__(self, motion: BodyMotion, shapes: Shapes) -> None:
        super().__init__(motion, shapes)
        self.changed: set[str] = set()
        self.causes: set[Pair] = set()  # the pairs that were cut

    def separate(self, pair: Pair, places: list[PlacedPair]) -> None:
        """Cut the pieces of two bodies so that none touch at these places."""
        for one, other, near in list(self.near(pair, places)):
            if one not in self.bodies[pair[0]] or other not in self.bodies[pair[1]]:
                continue  # lost meanwhile
            gap = clearance(one.shape, other.shape)
            others = [other.shape.moved(T) for T in near]
            touching = [T for T, each in zip(near, others, strict=True) if touches(one.shape, each, gap)]
            if touching:
                self.causes.add(pair)
                self._cut(pair, one, other, touching, gap)

    def _cut(self, pair: Pair, one: ConvexPiece, other: ConvexPiece, poses: list[Array], gap: float) -> None:
        """Cut the piece that loses the least volume."""
        first = _cut_by_all(one.shape, [other.shape.moved(T) for T in poses], gap)
        second = _cut_by_all(other.shape, [one.shape.moved(inverse(T)) for T in poses], gap)
        # Two equal faces that rest on each other lose the same: then the first body is cut.
        margin = EQUAL * max(one.shape.volume, other.shape.volume)
        if _loss(one.shape, first) <= _loss(other.shape, second) + margin:
            self._set(one, first, pair[0])
        else:
            self._set(other, second, pair[1])

    def _set(self, piece: ConvexPiece, shape: Polytope | None, body: str) -> None:
        self.changed.add(piece.frame)
        if shape is None or shape.volume < SLIVER * piece.volume:
            self.bodies[body].remove(piece)
            self.pieces.remove(piece)
        else:
            piece.shape = shape

    def report(self, depths: Mapping[Pair, float], findings: Findings) -> None:
        """Report each pair of bodies that was cut apart, and the components that lost their shape."""
        for (one, other), deep in depths.items():
            if (one, other) in self.causes and deep > CLEARANCE + ROUNDING:
                findings.add("collision-cut", f"bodies {one}, {other}", depth=1000 * deep)
        left = {piece.frame for piece in self.pieces}
        for frame in sorted(self.changed - left):
            findings.add("collision-left-out", f"component {frame}")


def _cut_by_all(body: Polytope, others: list[Polytope], gap: float) -> Polytope | None:
    """What is left of a body when it is cut along a face of each of the others that it touches."""
    left: Polytope | None = body
    for other in others:
        if left is not None and touches(left, other, gap):
            left = _best_cut(left, other, gap)
    return left


def _loss(body: Polytope, left: Polytope | None) -> float:
    return body.volume - (left.volume if left is not None else 0.0)


def _best_cut(body: Polytope, other: Polytope, gap: float) -> Polytope | None:
    """What is left of a body after the cut along a face of another one that loses least."""
    faces = _faces_to_cut_at(body, other)
    remainders = [cut(body, other.normals[face], other.offsets[face] + gap) for face in faces]
    left = [remainder for remainder in remainders if remainder is not None]
    if not left:
        return None
    largest = max(remainder.volume for remainder in left)
    return _uppermost([remainder for remainder in left if remainder.volume >= largest * (1 - EQUAL)])


def _faces_to_cut_at(body: Polytope, other: Polytope) -> list[int]:
    """The first faces of another body in the order of how much of this body is below them, roughly.

    Corners in single precision make several planes of a flat side. Such planes are one face, and the largest of them
    is exact. Along its edges they make narrow faces with any normal, which are left out.
    """
    heights = body.vertices @ other.normals.T - other.offsets  # above each face
    share = -heights.min(axis=0) / np.ptp(heights, axis=0)
    size = float(np.ptp(other.vertices, axis=0).max())
    planes = np.column_stack([other.normals, other.offsets / size])
    is_open = other.areas > NARROW * other.areas.max()
    faces: list[int] = []
    # Of facets around a cylinder many have equal shares: the first ones are taken.
    for face in np.argsort(ranks_of(share, EQUAL), kind="stable"):
        if is_open[face]:
            is_similar = np.abs(planes - planes[face]).max(axis=1) < SIMILAR_PLANE
            is_open &= ~is_similar
            faces.append(first_largest(np.where(is_similar, other.areas, 0.0)))
        if len(faces) == CUTS:
            break
    return faces


def _uppermost(bodies: list[Polytope]) -> Polytope:
    """The body whose middle has the largest z; of equal ones the largest y, then the largest x, then the first.

    Of a rod through the middle of a housing two equal ends are left. The lower one would be the first to touch the
    ground.
    """
    for axis in (2, 1, 0):
        middles = [(body.vertices[:, axis].min() + body.vertices[:, axis].max()) / 2 for body in bodies]
        least = max(middles) - MICROMETRE
        bodies = [body for body, middle in zip(bodies, middles, strict=True) if middle >= least]
    return bodies[0]
