"""Reproducible random numbers, based on the only method of `random.Random` whose sequence Python guarantees."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random, SystemRandom

from swgrm.typevars import T

SEEDS = 1 << 32


class SeededRandom:
    """A random number generator with the same sequence on every machine and Python version."""

    def __init__(self, seed: int) -> None:
        self._next = Random(seed).random  # noqa: S311 - not for cryptography

    def number(self, lower: float, upper: float) -> float:
        """A number in [lower, upper]."""
        return min(lower + (upper - lower) * self._next(), upper)

    def below(self, count: int) -> int:
        """An integer in [0, count)."""
        return int(self._next() * count)

    def choice(self, options: Sequence[T]) -> T:
        """One of the options."""
        return options[self.below(len(options))]

    def shuffled(self, items: Sequence[T]) -> list[T]:
        """The items in random order (Fisher and Yates)."""
        order = list(items)
        for last in range(len(order) - 1, 0, -1):
            other = self.below(last + 1)
            order[last], order[other] = order[other], order[last]
        return order

    def distinct(self, count: int, below: int) -> list[int]:
        """`count` different integers in [0, below)."""
        found: dict[int, None] = {}
        while len(found) < count:
            found[self.below(below)] = None
        return list(found)


def fresh_seed() -> int:
    """A seed from the operating system's random source."""
    return SystemRandom().randrange(SEEDS)
