"""SeededRandom that is the same everywhere: built on the one method of `random.Random` whose sequence Python guarantees."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random, SystemRandom

from swgrm.typevars import T

SEEDS = 1 << 32


class SeededRandom:
    """Draws from a seed."""

    def __init__(self, seed: int) -> None:
        self._next = Random(seed).random  # noqa: S311 - robots, not secrets

    def number(self, lower: float, upper: float) -> float:
        """A number in [lower, upper]."""
        return min(lower + (upper - lower) * self._next(), upper)

    def below(self, count: int) -> int:
        """A whole number in [0, count)."""
        return int(self._next() * count)

    def choice(self, options: Sequence[T]) -> T:
        """One of the options."""
        return options[self.below(len(options))]

    def shuffled(self, items: Sequence[T]) -> list[T]:
        """The items in a random order (Fisher and Yates)."""
        order = list(items)
        for last in range(len(order) - 1, 0, -1):
            other = self.below(last + 1)
            order[last], order[other] = order[other], order[last]
        return order

    def distinct(self, count: int, below: int) -> list[int]:
        """So many different whole numbers below a bound."""
        found: dict[int, None] = {}
        while len(found) < count:
            found[self.below(below)] = None
        return list(found)


def fresh_seed() -> int:
    """A seed that nobody gave."""
    return SystemRandom().randrange(SEEDS)
