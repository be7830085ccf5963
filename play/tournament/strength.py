"""What results say of strength: Elo with an interval, and the sequential probability ratio test.

Games are counted in pairs of one opening, with sides swapped, so that what an opening favours is no difference. The interval is that of
the mean of pairs, and the test the generalised one for these means (as in Fishtest).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf, log, log10, sqrt
from statistics import mean

DEVIATIONS = 1.959964
"""Of the normal distribution, between which lie 95 % of it."""


def elo(score: float) -> float:
    """The difference in rating at which that part of the points is expected."""
    if score <= 0:
        return -inf
    return inf if score >= 1 else -400 * log10(1 / score - 1)


def expected(rating: float) -> float:
    """The part of the points that is expected at a difference in rating."""
    return float(1 / (1 + 10 ** (-rating / 400)))


@dataclass(frozen=True, slots=True)
class Strength:
    """The part of the points, and between which bounds it is with 95 %."""

    score: float
    low: float
    high: float


def strength(pairs: Sequence[float]) -> Strength:
    """Of the points of pairs, each the mean of its games, from 0 to 1; there is one at least.

    So that no small number of like results is taken for certainty, two pairs are counted more, one won and one lost.
    """
    score = mean(pairs)
    counted = (*pairs, 0.0, 1.0)
    middle = mean(counted)
    spread = sum((each - middle) ** 2 for each in counted) / (len(counted) - 1)
    far = DEVIATIONS * sqrt(spread / len(counted))
    return Strength(score, max(0.0, min(score, middle - far)), min(1.0, max(score, middle + far)))


@dataclass(frozen=True, slots=True)
class Sequential:
    """A test of whether a player is stronger by `high` rather than by `low`, with such errors of both kinds."""

    low: float
    high: float
    error: float = 0.05

    def ratio(self, pairs: Sequence[float]) -> float:
        """The logarithm of how much likelier results are at `high` than at `low`."""
        if not pairs:
            return 0.0
        counted = (*pairs, 0.0, 1.0)
        middle = mean(counted)
        spread = mean((each - middle) ** 2 for each in counted)
        low, high = expected(self.low), expected(self.high)
        return len(pairs) * (high - low) * (2 * mean(pairs) - low - high) / (2 * spread)

    def verdict(self, pairs: Sequence[float]) -> bool | None:
        """Whether the player is stronger by `high` (True) or by no more than `low` (False); None while that is open."""
        bound = log((1 - self.error) / self.error)
        ratio = self.ratio(pairs)
        return True if ratio >= bound else False if ratio <= -bound else None
