"""Sets of integers as sorted, disjoint intervals that never touch.

So two sets are equal exactly if their intervals are equal.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from hornbook.matcher.program.dataclass import dataclass

Interval = tuple[int, int]
"""An interval that includes both ends."""


@dataclass(frozen=True, slots=True)
class Intervals:
    """A set of integers. `Intervals.of` merges overlapping and adjacent intervals."""

    parts: tuple[Interval, ...] = ()

    @staticmethod
    def of(parts: Iterable[Interval]) -> Intervals:
        found = [part for part in parts if part[0] <= part[1]]
        if len(found) < 2:
            return Intervals(tuple(found))
        merged: list[Interval] = []
        for low, high in sorted(found):
            if merged and low <= merged[-1][1] + 1:
                merged[-1] = (merged[-1][0], max(high, merged[-1][1]))
            else:
                merged.append((low, high))
        return Intervals(tuple(merged))

    def __bool__(self) -> bool:
        return bool(self.parts)

    def __iter__(self) -> Iterator[Interval]:
        return iter(self.parts)

    def __contains__(self, number: int) -> bool:
        return any(low <= number <= high for low, high in self.parts)

    def __and__(self, other: Intervals) -> Intervals:
        return Intervals.of(
            (max(low, least), min(high, most)) for low, high in self.parts for least, most in other.parts
        )

    def __or__(self, other: Intervals) -> Intervals:
        return Intervals.of((*self.parts, *other.parts)) if other.parts else self

    def __sub__(self, other: Intervals) -> Intervals:
        remaining = list(self.parts)
        for least, most in other.parts:
            remaining = [
                part
                for low, high in remaining
                for part in ((low, min(high, least - 1)), (max(low, most + 1), high))
                if part[0] <= part[1]
            ]
        return Intervals.of(remaining)

    def __le__(self, other: Intervals) -> bool:
        """Return whether this is a subset of the other set."""
        return not self - other
