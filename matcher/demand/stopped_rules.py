"""Rules that only facts stop: they compute new values from their own conclusions, and depend on an absence or
an aggregate.

They may derive facts without end if the facts that would stop them are missing. Other rules derive no
more from fewer facts, or terminate in any case.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from hornbook.matcher.demand.transformation import transitive_reads
from hornbook.matcher.program.coded import (
    AbsentOf,
    AggregateOf,
    CodedCondition,
    CodedRule,
    Compare,
    CountOf,
    PredicateId,
    Var,
)
from hornbook.matcher.program.scope import inner_conditions, predicates_read


def only_facts_stop(rules: Iterable[CodedRule]) -> bool:
    """Return whether there are such rules among some rules."""
    rules = list(rules)
    # Few theories have any, and this check is faster than the rest.
    losing = {rule.head.predicate for rule in rules if any(map(_is_nonmonotonic, _conditions(rule)))}
    if not losing:
        return False
    concluded: dict[PredicateId, list[CodedRule]] = {}
    computing: dict[PredicateId, set[PredicateId]] = {}
    for rule in rules:
        head = rule.head.predicate
        concluded.setdefault(head, []).append(rule)
        if any(map(_computes, rule.body)):
            computing.setdefault(head, set()).update(number for number, _ in predicates_read(rule.body))
    for head, read in computing.items():
        reached = transitive_reads(read, concluded)
        if head in reached and not losing.isdisjoint(reached):
            return True
    return False


def _computes(condition: CodedCondition) -> bool:
    """Return whether a condition may produce a cell that occurs in no fact."""
    match condition:
        case Compare("=", left, right):
            return not (isinstance(left, Var | int) and isinstance(right, Var | int))
        case _:
            return isinstance(condition, AggregateOf | CountOf)


def _conditions(rule: CodedRule) -> Iterator[CodedCondition]:
    todo = list(rule.body)
    while todo:
        condition = todo.pop()
        yield condition
        todo += inner_conditions(condition)


def _is_nonmonotonic(condition: CodedCondition) -> bool:
    return isinstance(condition, AbsentOf | AggregateOf)
