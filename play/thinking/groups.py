"""Groups of states by conditions with similar errors within each group: a tree of splits, found greedily.

Each split maximises the likelihood of the errors if each side is normal with its own mean and deviation. So
groups may differ in their means and in their deviations.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Sequence
from itertools import count

from hornbook.matcher.program.dataclass import dataclass

LEAST = 300
"""The minimal number of states in a group."""
MOST = 64
"""The maximal number of groups."""


@dataclass(frozen=True, slots=True)
class Groups:
    splits: tuple[tuple[int, int, int, int], ...]
    members: tuple[tuple[int, ...], ...]
    """For each group the indices of its states."""


def grouped(
    conditions: Sequence[Sequence[int]], errors: Sequence[float], *, least: int = LEAST, most: int = MOST
) -> Groups:
    """Return the groups of states, given the conditions and the error of each."""
    splits: list[list[int]] = []
    # keyed by the split and the side that they are attached to
    leaves: dict[tuple[int, int], tuple[int, ...]] = {}
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
    """Return twice the negative log-likelihood of errors, up to a constant.

    The errors are assumed normal with their own mean and deviation.
    """
    variance = max(squares / number - (total / number) ** 2, 1e-9)
    return number * math.log(variance)


def _best_split(
    conditions: Sequence[Sequence[int]], errors: Sequence[float], members: Sequence[int], least: int
) -> tuple[float, int, int] | None:
    """Return the gain, the condition and the threshold of the best split."""
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
