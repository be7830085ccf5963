"""The order in which conditions can be read: each after those that bind what it needs.

The meaning of a body does not depend on its order; what people are shown, and how far a body got, does.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from heapq import heappop, heappush

from hornbook.kb.ast.terms import (
    Absent,
    Aggregate,
    All,
    Atom,
    Comparison,
    Condition,
    CountIn,
    GameStatement,
    Variable,
    condition_variables,
    expression_variables,
)


def in_order(conditions: Sequence[Condition]) -> list[Condition]:
    """The conditions as written, but each after the positive ones that bind what it needs."""
    lacking = [_needs(condition) for condition in conditions]
    waiting_for: dict[str, list[int]] = defaultdict(list)
    for place, names in enumerate(lacking):
        for name in names:
            waiting_for[name].append(place)
    ready = [place for place, names in enumerate(lacking) if not names]
    # A condition that nothing binds for would be unsafe, which the checker refuses.
    unsafe = iter(range(len(conditions)))
    ordered: dict[int, None] = {}
    while len(ordered) < len(conditions):
        chosen = heappop(ready) if ready else next(place for place in unsafe if place not in ordered)
        ordered[chosen] = None
        for name in _binds(conditions[chosen]):
            for place in waiting_for.pop(name, ()):
                lacking[place].discard(name)
                if not lacking[place] and place not in ordered:
                    heappush(ready, place)
    return [conditions[place] for place in ordered]


def _needs(condition: Condition) -> set[str]:
    """The variables that must be bound before a condition can be asked."""
    match condition:
        case Atom() | GameStatement():
            return set()
        case Comparison(operator="=", left=Variable(), right=right):
            return {v.name for v in expression_variables(right)}
        case Comparison(operator="=", left=left, right=Variable()):
            return {v.name for v in expression_variables(left)}
        case All():
            own = {v.name for v in condition.variables}
            return {v.name for v in condition_variables(condition.member)} - own
        case CountIn():
            own = {v.name for v in (*condition.variables, *expression_variables(condition.result))}
            return {v.name for v in condition_variables(condition)} - own
        case Comparison():
            return {v.name for v in condition_variables(condition)}
        case Absent() | Aggregate():
            return set()


def _binds(condition: Condition) -> set[str]:
    match condition:
        case Atom() | GameStatement() | Comparison():
            return {v.name for v in condition_variables(condition)}
        case CountIn() | Aggregate():
            return {v.name for v in expression_variables(condition.result)}
        case All() | Absent():
            return set()
