"""An evaluation order for conditions: each follows the conditions that bind its variables.

The meaning of a body does not depend on its order. The order determines which explanations are shown and how
far a failed body got.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from heapq import heappop, heappush

from hornbook.kb.ast import terms as t


def in_order(conditions: Sequence[t.Condition]) -> list[t.Condition]:
    """Return the conditions in the written order, but each after the positive ones that bind its
    variables.
    """
    bound = {name for condition in conditions for name in _binds(condition)}
    lacking = [_needs(condition, bound) for condition in conditions]
    waiting_for: dict[str, list[int]] = defaultdict(list)
    for place, names in enumerate(lacking):
        for name in names:
            waiting_for[name].append(place)
    ready = [place for place, names in enumerate(lacking) if not names]
    # If no condition binds a variable, the condition is unsafe. The checker refuses such conditions.
    unsafe = iter(range(len(conditions)))
    ordered: dict[int, None] = {}
    while len(ordered) < len(conditions):
        chosen = heappop(ready) if ready else next(place for place in unsafe if place not in ordered)
        ordered[chosen] = None
        for name in _binds(conditions[chosen]) if waiting_for else ():
            for place in waiting_for.pop(name, ()):
                lacking[place].discard(name)
                if not lacking[place] and place not in ordered:
                    heappush(ready, place)
    return [conditions[place] for place in ordered]


def _needs(condition: t.Condition, bound: set[str]) -> set[str]:
    """Return the variables that must be bound before a condition can be evaluated.

    `bound` are the variables that any of the conditions binds.
    """
    match condition:
        case t.Atom() | t.GameStatement() | t.PlanStatement():
            return set()
        case t.Comparison(operator="=", left=t.Variable(), right=right):
            return {v.name for v in t.expression_variables(right)}
        case t.Comparison(operator="=", left=left, right=t.Variable()):
            return {v.name for v in t.expression_variables(left)}
        case t.All():
            own = {v.name for v in condition.variables}
            return {v.name for v in t.condition_variables(condition.member)} - own
        case t.CountIn():
            own = {v.name for v in (*condition.variables, *t.expression_variables(condition.result))}
            return {v.name for v in t.condition_variables(condition)} - own
        case t.Comparison():
            return {v.name for v in t.condition_variables(condition)}
        case t.Absent() | t.Aggregate():
            # Variables that no other condition binds are local to this condition.
            return {v.name for c in condition.conditions for v in t.condition_variables(c)} & bound


def _binds(condition: t.Condition) -> set[str]:
    match condition:
        case t.Atom() | t.GameStatement() | t.PlanStatement() | t.Comparison():
            return {v.name for v in t.condition_variables(condition)}
        case t.CountIn() | t.Aggregate():
            return {v.name for v in t.expression_variables(condition.result)}
        case t.All() | t.Absent():
            return set()
