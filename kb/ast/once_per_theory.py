"""Results of functions of a theory, remembered for the theories of the latest calls.

A theory is immutable, and comparing two theories by content takes as long as reading them. So results are found by the
identity of the theory, which stays alive as long as its result does.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import TypeVar

from hornbook.kb.ast.theory import Theory

T = TypeVar("T")
KEPT = 4
"""The number of theories whose results each function remembers."""


def once_per_theory(make: Callable[[Theory], T]) -> Callable[[Theory], T]:
    """Return a function that calls `make` once for each of the theories that it gets."""
    results: list[tuple[Theory, T]] = []

    @wraps(make)
    def result(theory: Theory) -> T:
        for known, found in results:
            if known is theory:
                return found
        found = make(theory)
        results[:] = [*results, (theory, found)][-KEPT:]
        return found

    return result
