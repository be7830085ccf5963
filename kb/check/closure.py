"""Closure: all consequences of some facts under implications, in linear time.

Each implication counts its unsatisfied premises.

Source: Dowling and Gallier (1984).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import TypeVar

T = TypeVar("T")


def close(known: set[T], implications: Iterable[tuple[T, Collection[T]]]) -> None:
    """Add to `known` every conclusion whose premises, all different, are known or follow."""
    lacking: list[int] = []
    conclusions: list[T] = []
    waiting: dict[T, list[int]] = {}
    ready: list[T] = []
    for number, (conclusion, premises) in enumerate(implications):
        missing = [premise for premise in premises if premise not in known]
        conclusions.append(conclusion)
        lacking.append(len(missing))
        for premise in missing:
            waiting.setdefault(premise, []).append(number)
        if not missing:
            ready.append(conclusion)
    while ready:
        found = ready.pop()
        if found in known:
            continue
        known.add(found)
        for number in waiting.get(found, ()):
            lacking[number] -= 1
            if lacking[number] == 0:
                ready.append(conclusions[number])
