"""Fewer convex pieces for a body: two pieces become their common hull where it grows least.

The common hull may fill the space that another body needs. So a hull is taken only if it stays free
of all other bodies, as assembled and wherever the joint between them goes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from swgrm.meshes.convex import hull_volume, polytope
from swgrm.meshes.polytopes import Polytope
from swgrm.ties import EQUAL, first_smallest, ranks_of

if TYPE_CHECKING:
    from swgrm.transforms import Array

NEIGHBOURS = 6  # of a piece, with which its common hull is computed
FEW = 24  # up to so many pieces, all pairs are tried


class MergedPiece(NamedTuple):
    """The common hull of several pieces, which are named by their places in the list."""

    shape: Polytope
    members: tuple[int, ...]


def merge_pieces(pieces: Sequence[Polytope], most: int, is_free: Callable[[Polytope], bool]) -> list[MergedPiece]:
    """The pieces merged until at most so many are left, or until no common hull is free."""
    if len(pieces) <= most:
        return [MergedPiece(shape, (number,)) for number, shape in enumerate(pieces)]
    merging = _Merging(pieces, is_free)
    while len(merging.pieces) > most and merging.merge_once():
        pass
    return list(merging.pieces.values())


class _Merging:
    """The pieces so far, by a number that a new piece gets, and the pairs that may be merged."""

    def __init__(self, pieces: Sequence[Polytope], is_free: Callable[[Polytope], bool]) -> None:
        self.pieces = {number: MergedPiece(shape, (number,)) for number, shape in enumerate(pieces)}
        self._is_free = is_free
        self._next = len(pieces)
        self._boxes = {number: _box(shape) for number, shape in enumerate(pieces)}
        self._growth: dict[tuple[int, int], float] = {}  # [m³] of the pairs that may be merged
        self._refused: set[tuple[int, int]] = set()
        for number in self.pieces:
            self._add_pairs(number)

    def merge_once(self) -> bool:
        """Merge the pair whose hull grows least; False if no pair can be merged."""
        while True:
            if not self._growth and not self._add_all_pairs():
                return False
            pairs = list(self._growth)
            first, second = pairs[first_smallest([self._growth[pair] for pair in pairs])]
            one, other = self.pieces[first], self.pieces[second]
            hull = polytope(np.concatenate([one.shape.vertices, other.shape.vertices]))
            if hull is not None and self._is_free(hull):
                self._replace(first, second, MergedPiece(hull, (*one.members, *other.members)))
                return True
            del self._growth[first, second]
            self._refused.add((first, second))

    def _replace(self, first: int, second: int, merged: MergedPiece) -> None:
        number, self._next = self._next, self._next + 1
        for gone in (first, second):
            del self.pieces[gone], self._boxes[gone]
        self._growth = {pair: growth for pair, growth in self._growth.items() if not {first, second} & set(pair)}
        self.pieces[number], self._boxes[number] = merged, _box(merged.shape)
        self._add_pairs(number)

    def _add_pairs(self, number: int) -> None:
        """Add the pairs of a piece with those near to it; boxes tell roughly how much a hull would grow."""
        others = [other for other in self.pieces if other != number]
        if not others:
            return
        boxes = np.array([self._boxes[other] for other in others])  # (n, 2, 3)
        low = np.minimum(boxes[:, 0], self._boxes[number][0])
        high = np.maximum(boxes[:, 1], self._boxes[number][1])
        growth = (high - low).prod(axis=1) - np.ptp(boxes, axis=1).prod(axis=1)
        margin = EQUAL * float(np.abs(growth).max())
        for place in np.argsort(ranks_of(growth, margin), kind="stable")[:NEIGHBOURS]:
            self._add_pair(number, others[place])

    def _add_all_pairs(self) -> bool:
        """Add the pairs that are not near, if there are few pieces; whether any was added."""
        if len(self.pieces) > FEW:
            return False
        for one, other in combinations(self.pieces, 2):
            self._add_pair(one, other)
        return bool(self._growth)

    def _add_pair(self, one: int, other: int) -> None:
        pair = (min(one, other), max(one, other))
        if pair in self._growth or pair in self._refused:
            return
        shapes = self.pieces[one].shape, self.pieces[other].shape
        volume = hull_volume(np.concatenate([shape.vertices for shape in shapes]))
        self._growth[pair] = volume - shapes[0].volume - shapes[1].volume


def _box(shape: Polytope) -> Array:
    return np.array([shape.vertices.min(axis=0), shape.vertices.max(axis=0)])  # (2, 3)
