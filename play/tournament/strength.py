"""Estimates of strength from results: Elo with an interval, and the sequential probability ratio test.

Games are counted in pairs of one opening, with sides swapped, so that the advantage of an opening cancels.
The interval is that of the mean of pairs, and the test is the generalised one for these means (as in
Fishtest).
"""

from __future__ import annotations

from collections.abc import Sequence
from math import inf, log, log10, sqrt
from statistics import mean

from hornbook.matcher.program.dataclass import dataclass

DEVIATIONS = 1.959964
"""The number of deviations that bound 95 % of the normal distribution."""


def elo(score: float) -> float:
    """Return the difference in rating at which this share of the points is expected."""
    if score <= 0:
        return -inf
    return inf if score >= 1 else -400 * log10(1 / score - 1)


def expected(rating: float) -> float:
    """Return the expected share of the points at a difference in rating."""
    return float(1 / (1 + 10 ** (-rating / 400)))


@dataclass(frozen=True, slots=True)
class Strength:
    """The share of the points, and its 95 % interval."""

    score: float
    low: float
    high: float


def strength(pairs: Sequence[float]) -> Strength:
    """Return the strength from the mean points of pairs, from 0 to 1; there must be at least one pair.

    Two pairs are added, one won and one lost, so that a small number of equal results is not taken for
    certainty.
    """
    score = mean(pairs)
    counted = (*pairs, 0.0, 1.0)
    middle = mean(counted)
    spread = sum((each - middle) ** 2 for each in counted) / (len(counted) - 1)
    far = DEVIATIONS * sqrt(spread / len(counted))
    return Strength(score, max(0.0, min(score, middle - far)), min(1.0, max(score, middle + far)))


@dataclass(frozen=True, slots=True)
class Sequential:
    """A sequential test whether the difference in rating is `high` rather than `low`.

    Both errors have the same probability.
    """

    low: float
    high: float
    error: float = 0.05

    def ratio(self, pairs: Sequence[float]) -> float:
        """Return the log-likelihood ratio of the results at `high` and at `low`."""
        if not pairs:
            return 0.0
        counted = (*pairs, 0.0, 1.0)
        middle = mean(counted)
        spread = mean((each - middle) ** 2 for each in counted)
        low, high = expected(self.low), expected(self.high)
        return len(pairs) * (high - low) * (2 * mean(pairs) - low - high) / (2 * spread)

    def verdict(self, pairs: Sequence[float]) -> bool | None:
        """Return whether the difference in rating is `high` (True) or `low` (False).

        The result is None while that is open.
        """
        bound = log((1 - self.error) / self.error)
        ratio = self.ratio(pairs)
        return True if ratio >= bound else False if ratio <= -bound else None
