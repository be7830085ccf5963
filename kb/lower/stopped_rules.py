"""Rules that only facts stop: they compute new things from their own conclusions, and rest on an absence or an aggregate.

Where facts are still to come, such rules may conclude without end what more facts would have kept from following. Other
rules conclude from fewer facts no more than from all of them, or end by themselves.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from hornbook.kb.lower.demand import rested_on
from hornbook.matcher.program.coded import (
    AbsentOf,
    AggregateOf,
    CodedCondition,
    Compare,
    CountOf,
    PredicateId,
    Rule,
    Var,
)
from hornbook.matcher.program.scope import inner_conditions, predicates_read


def only_facts_stop(rules: Iterable[Rule]) -> bool:
    """Whether there are such rules among some."""
    concluded: dict[PredicateId, list[Rule]] = {}
    for rule in rules:
        concluded.setdefault(rule.head.predicate, []).append(rule)
    for rule in (each for of_one in concluded.values() for each in of_one):
        if not any(map(_computes, rule.body)):
            continue
        reached = rested_on((number for number, _ in predicates_read(rule.body)), concluded)
        if rule.head.predicate in reached and any(
            map(
                _loses_by_facts, _conditions(rule for number in reached for rule in concluded.get(number, ()))
            )
        ):
            return True
    return False


def _computes(condition: CodedCondition) -> bool:
    """Whether a condition may give a cell that is in no fact."""
    match condition:
        case Compare("=", left, right):
            return not (isinstance(left, Var | int) and isinstance(right, Var | int))
        case _:
            return isinstance(condition, AggregateOf | CountOf)


def _conditions(rules: Iterable[Rule]) -> Iterator[CodedCondition]:
    todo = [condition for rule in rules for condition in rule.body]
    while todo:
        condition = todo.pop()
        yield condition
        todo += inner_conditions(condition)


def _loses_by_facts(condition: CodedCondition) -> bool:
    return isinstance(condition, AbsentOf | AggregateOf)
