"""The desugaring of a clause. Later stages only see its result, which has the positions of the source text.

The steps, in this order:

1. `or` (`alternatives.py`): a rule becomes several rules, a case several cases, and a query several queries.
2. Aggregates by group (`groups.py`): the conditions get generators of the groups.
3. Calculations among arguments (`calculations.py`): each becomes a variable with an equation.

A `persists` clause stays a clause until all actions of its theory are known. The loader then adds its rules
(`persistence.py`).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from hornbook.kb.ast.declarations import Clause, ExceptionRule, Expect, Frame, Replies, ReplyCase
from hornbook.kb.ast.terms import Rule
from hornbook.kb.desugar.alternatives import (
    Body,
    bodies_of,
    ending_at,
    numbered_rules,
    require_head_variables,
    single_body,
)
from hornbook.kb.desugar.calculations import without_calculations
from hornbook.kb.desugar.groups import with_generators, without_groups
from hornbook.kb.desugar.surface import written_variables


def desugar(written: Clause | Body, wildcards: int) -> Clause | list[Rule] | list[Body]:
    """Return the core clause of a clause in surface syntax.

    A rule with `or` gives the list of its rules. The conditions of a query give a list of conjunctions.

    Args:
        written: The clause, or the conditions of a query.
        wildcards: The number of wildcards in the clause.

    Raises:
        RefusedClause: An abbreviation in the clause has no expansion.
    """
    match written:
        case tuple():
            return [without_calculations(with_generators(body, wildcards)) for body in bodies_of(written)]
        case Rule():
            rules = [without_calculations(rule) for rule in _rules(written, wildcards)]
            return rules if len(rules) > 1 else rules[0]
        case ExceptionRule():
            rules = [without_calculations(rule) for each in written.rules for rule in _rules(each, wildcards)]
            return replace(written, rules=tuple(rules))
        case Expect():
            body = single_body(written.conditions, "among what an example is expected to have")
            return without_calculations(replace(written, conditions=with_generators(body, wildcards)))
        case Frame():
            cases = tuple(
                tuple(map(without_groups, body)) for case in written.cases for body in bodies_of(case)
            )
            return without_calculations(replace(written, cases=cases))
        case Replies():
            replies = tuple(reply for case in written.cases for reply in _replies(case))
            return without_calculations(replace(written, cases=replies))
        case _:
            return without_calculations(written)


def _rules(written: Rule, wildcards: int) -> list[Rule]:
    """Return a rule for each alternative."""
    bodies, outside = bodies_of(written.body), list(written_variables((written.head,)))
    if len(bodies) == 1:
        return [replace(written, body=with_generators(bodies[0], wildcards, outside))]
    require_head_variables(written.head, bodies)
    return numbered_rules(written, bodies, lambda body: with_generators(body, wildcards, outside))


def _replies(case: ReplyCase) -> Iterator[ReplyCase]:
    """Yield a reply for each alternative. Its span ends where its own conditions do."""
    for body in bodies_of(case.conditions):
        last = case.unless or (body[-1] if body else case.action)
        yield replace(case, conditions=tuple(map(without_groups, body)), span=ending_at(case.span, last.span))
