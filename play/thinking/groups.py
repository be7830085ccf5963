"""Groups of states by conditions, so that errors are as alike within a group as can be: a tree of splits, found greedily.

Each split is the one that makes the errors most likely where each side is normal with a mean and a deviation of its own; so
groups differ in how much is explained by their means and in how far the rest reaches.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import count

LEAST = 300
"""A group has so many states or more."""
MOST = 64
"""Groups."""


@dataclass(frozen=True, slots=True)
class Groups:
    splits: tuple[tuple[int, int, int, int], ...]
    members: tuple[tuple[int, ...], ...]
    """Of each group the numbers of its states."""


def grouped(
    conditions: Sequence[Sequence[int]], errors: Sequence[float], *, least: int = LEAST, most: int = MOST
) -> Groups:
    """States, each with its conditions and its error, in groups."""
    splits: list[list[int]] = []
    leaves: dict[tuple[int, int], tuple[int, ...]] = {}  # where they hang: at which split, on which side
    queue: list[tuple[float, int, tuple[int, int], tuple[int, ...], tuple[int, int]]] = []
    order = count()

    def hang(members: tuple[int, ...], at: tuple[int, int]) -> None:
        leaves[at] = members
        if (best := _best_split(conditions, errors, members, least)) is not None:
            gain, condition, threshold = best
            heapq.heappush(queue, (-gain, next(order), at, members, (condition, threshold)))

    hang(tuple(range(len(errors))), (-1, 0))
    while queue and len(leaves) < most:
        _, _, at, members, (condition, threshold) = heapq.heappop(queue)
        del leaves[at]
        number = len(splits)
        splits.append([condition, threshold, 0, 0])
        if at[0] >= 0:
            splits[at[0]][at[1]] = number
        hang(tuple(m for m in members if conditions[m][condition] <= threshold), (number, 2))
        hang(tuple(m for m in members if conditions[m][condition] > threshold), (number, 3))
    for group, (split, side) in enumerate(leaves):
        if split >= 0:
            splits[split][side] = ~group
    return Groups(tuple((c, t, low, high) for c, t, low, high in splits), tuple(leaves.values()))


def _cost(number: int, total: float, squares: float) -> float:
    """Twice the logarithm of how unlikely so many errors are, with their own mean and deviation, but for a constant."""
    variance = max(squares / number - (total / number) ** 2, 1e-9)
    return number * math.log(variance)


def _best_split(
    conditions: Sequence[Sequence[int]], errors: Sequence[float], members: Sequence[int], least: int
) -> tuple[float, int, int] | None:
    """How much is won, by which condition, up to which threshold."""
    if len(members) < 2 * least:
        return None
    total = math.fsum(errors[m] for m in members)
    squares = math.fsum(errors[m] ** 2 for m in members)
    whole, best = _cost(len(members), total, squares), None
    for condition in range(len(conditions[members[0]])):
        ordered = sorted(members, key=lambda m: conditions[m][condition])
        some, some_squares = 0.0, 0.0
        for place, m in enumerate(ordered[: len(ordered) - least], start=1):
            some += errors[m]
            some_squares += errors[m] ** 2
            here = conditions[m][condition]
            if place < least or conditions[ordered[place]][condition] == here:
                continue
            parts = _cost(place, some, some_squares) + _cost(
                len(ordered) - place, total - some, squares - some_squares
            )
            if best is None or whole - parts > best[0]:
                best = (whole - parts, condition, here)
    return best if best is not None and best[0] > 2 * math.log(len(errors)) else None
