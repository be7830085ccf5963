"""A cache for functions of a theory that keeps the results for the most recent theories.

Theories are immutable, and comparing two of them by content takes as long as reading them. The cache
therefore compares identities. A cached theory stays alive as long as its result.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import TypeVar

from hornbook.kb.ast.theory import Theory

T = TypeVar("T")
CACHED_THEORIES = 4
"""The number of theories for which each function caches its result."""


def once_per_theory(make: Callable[[Theory], T]) -> Callable[[Theory], T]:
    """Return a function that calls `make` once for each theory."""
    results: list[tuple[Theory, T]] = []

    @wraps(make)
    def result(theory: Theory) -> T:
        for known, found in results:
            if known is theory:
                return found
        found = make(theory)
        results[:] = [*results, (theory, found)][-CACHED_THEORIES:]
        return found

    return result
