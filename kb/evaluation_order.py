"""The order in which conditions can be read: each after those that bind what it needs.

The meaning of a body does not depend on its order; what people are shown, and how far a body got, does.
"""

from __future__ import annotations

from collections.abc import Sequence

from kb.terms import (
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
    ordered: list[Condition] = []
    waiting = list(conditions)
    bound: set[str] = set()
    while waiting:
        ready = next((c for c in waiting if _needs(c) <= bound), None)
        # A condition that nothing binds for would be unsafe, which the checker refuses.
        ready = ready or waiting[0]
        waiting.remove(ready)
        ordered.append(ready)
        bound |= _binds(ready)
    return ordered


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
