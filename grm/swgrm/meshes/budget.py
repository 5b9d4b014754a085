"""Collision shapes within a budget: at most eight convex pieces per body, with at most 64 vertices each.

Every piece costs: engines test pairs of pieces, and a link of a real robot has a hundred screws, boards
and bearings. So fasteners have no shape of their own, nor has a part inside the hull of another one of
its body. What is left after bodies were cut apart is merged (`merging`).

Only a single hull hides a part. The hull of all other parts together would do so too where two parts
stand at a right angle and a third one is in their corner, where a robot would reach into it.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from swgrm.findings import Findings
from swgrm.kinematics.body_motion import BodyMotion, Pair, PlacedPair
from swgrm.meshes.body_shapes import CLEARANCE, BodyShapes, ConvexPiece, Shapes, clearance, inverse, touches
from swgrm.meshes.bounded_hull import bounded_points
from swgrm.meshes.convex import polytope
from swgrm.meshes.merging import merge_pieces
from swgrm.meshes.overhang import Overhang, overhang
from swgrm.meshes.polytopes import Polytope
from swgrm.ties import EQUAL, first_largest, ranks_of

if TYPE_CHECKING:
    from swgrm.transforms import Array

MOST_PIECES = 8  # of a body
INSIDE = 1e-4  # [m] a part that reaches this far out of another one is inside it


def without_hidden(motion: BodyMotion, hulls: Shapes, fasteners: Collection[str], chosen: Collection[str]) -> Shapes:
    """The hulls of frames without fasteners and without parts that are inside another one of their body.

    Of the frames that are not `chosen` all stay. A body of fasteners alone keeps them.
    """
    shapes = BodyShapes(motion, hulls)
    left_out: set[str] = set()
    for pieces in shapes.bodies.values():
        small = {piece.frame for piece in pieces if piece.frame in fasteners and piece.frame in chosen}
        if any(piece.frame not in small for piece in pieces):
            left_out |= small
        left_out |= _inside([piece for piece in pieces if piece.frame not in left_out], chosen)
    return {frame: shape for frame, shape in hulls.items() if frame not in left_out}


def _inside(pieces: list[ConvexPiece], chosen: Collection[str]) -> set[str]:
    """The chosen frames whose piece is inside a larger one; of equal ones the first stays."""
    frames: set[str] = set()
    kept: list[Polytope] = []
    volumes = np.array([piece.volume for piece in pieces])
    # Volumes of equal parts differ by rounding, which must not decide which of them stays.
    ranks = ranks_of(-volumes, EQUAL * float(volumes.max(initial=0.0)))
    for number in np.argsort(ranks, kind="stable"):
        piece = pieces[number]
        if piece.frame in chosen and any(_contains(shape, piece.shape.vertices) for shape in kept):
            frames.add(piece.frame)
        else:
            kept.append(piece.shape)
    return frames


def _contains(shape: Polytope, points: Array) -> bool:
    # Most pairs are apart: their boxes tell so without a product.
    if (points.max(axis=0) > shape.vertices.max(axis=0) + INSIDE).any():
        return False
    if (points.min(axis=0) < shape.vertices.min(axis=0) - INSIDE).any():
        return False
    return bool((points @ shape.normals.T <= shape.offsets + INSIDE).all())


class Budgeted(NamedTuple):
    """The shapes of frames after merging, and the frames whose shapes changed."""

    shapes: dict[str, list[Polytope]]
    changed: frozenset[str]


def within_budget(
    motion: BodyMotion, shapes: Shapes, chosen: Collection[str], hidden: Shapes, findings: Findings
) -> Budgeted:
    """The shapes of the chosen frames merged, body by body, to at most `MOST_PIECES`.

    The frame of the largest member gets a merged piece. The result is measured against the given shapes
    and those of `hidden` parts, which were left out.
    """
    work = BodyShapes(motion, shapes)
    places = work.places()
    left_out = BodyShapes(motion, hidden)
    changed: set[str] = set()
    for body, pieces in work.bodies.items():
        candidates = [piece for piece in pieces if piece.frame in chosen]
        if len(candidates) <= MOST_PIECES:
            continue
        surroundings = Surroundings(work, places, body)
        merged = merge_pieces([piece.shape for piece in candidates], MOST_PIECES, surroundings.is_free)
        changed |= {piece.frame for piece in candidates}
        few: list[ConvexPiece] = []
        for shape, members in merged:
            largest = candidates[members[first_largest([candidates[number].volume for number in members])]]
            few.append(ConvexPiece.in_body(largest.frame, largest.T_body_frame, _bounded(shape)))
        work.bodies[body] = [piece for piece in pieces if piece.frame not in chosen] + few
        parts = [*candidates, *left_out.bodies.get(body, [])]
        measured = overhang([piece.shape for piece in few], [piece.shape for piece in parts])
        _report(body, len(candidates), len(few), measured, findings)
    result: dict[str, list[Polytope]] = {frame: [] if frame in changed else list(own) for frame, own in shapes.items()}
    for pieces in work.bodies.values():
        for piece in pieces:
            if piece.frame in changed:
                result[piece.frame].append(piece.in_frame)
    return Budgeted(result, frozenset(changed))


def _bounded(shape: Polytope) -> Polytope:
    return polytope(bounded_points(shape.vertices)) or shape


def _report(body: str, before: int, after: int, measured: Overhang, findings: Findings) -> None:
    findings.add(
        "collision-merged",
        f"body {body}",
        before=before,
        after=after,
        beyond=1000 * measured.beyond,
        lost=1000 * measured.lost,
        added=100 * measured.added,
        missing=100 * measured.missing,
    )
    if after > MOST_PIECES:
        findings.add("collision-many", f"body {body}", count=after, most=MOST_PIECES)


class Surroundings:
    """The pieces of other bodies around one body, wherever the joints between them go, in its coordinates.

    Places that are not certain are left out: a slide without limits has to end somewhere.
    """

    def __init__(self, shapes: BodyShapes, places: Mapping[Pair, list[PlacedPair]], body: str) -> None:
        self._pieces: list[tuple[Polytope, Array]] = []  # with its pose T_body_other
        for pair, placed_pairs in places.items():
            if body not in pair:
                continue
            other = pair[1] if body == pair[0] else pair[0]
            for placed in placed_pairs:
                if placed.is_certain:
                    T = placed.T if body == pair[0] else inverse(placed.T)
                    self._pieces += [(piece.shape, T) for piece in shapes.bodies.get(other, [])]
        corners = [shape.vertices @ T[:3, :3].T + T[:3, 3] for shape, T in self._pieces]
        self._low = np.array([points.min(axis=0) for points in corners]).reshape(-1, 3) - CLEARANCE
        self._high = np.array([points.max(axis=0) for points in corners]).reshape(-1, 3) + CLEARANCE

    def is_free(self, shape: Polytope) -> bool:
        """Whether a piece of the body touches no other body."""
        low, high = shape.vertices.min(axis=0), shape.vertices.max(axis=0)
        near = ((low <= self._high) & (self._low <= high)).all(axis=1)
        for number in np.flatnonzero(near):
            other, T = self._pieces[number]
            if touches(shape, other.moved(T), clearance(shape, other)):
                return False
        return True
