"""Whether predicates, facts and conditions fit together, so that the engine itself need not ask.

What is refused here is a mistake of the program that codes; people's mistakes are found before coding.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from matcher.arithmetic import is_cell
from matcher.errors import MalformedError
from matcher.program import (
    AggregateOf,
    AllOf,
    ClosedSet,
    CodedCondition,
    CountOf,
    Fact,
    Match,
    Predicate,
    PredicateId,
    Rule,
    Var,
)
from matcher.scope import inner_conditions, terms


def _require(holds: bool, message: str) -> None:  # noqa: FBT001 - an assertion that raises
    if not holds:
        raise MalformedError(message)


def _is_cell(value: object) -> bool:
    return isinstance(value, int) and is_cell(value)


def predicate_of(predicate: PredicateId, predicates: Sequence[Predicate]) -> Predicate:
    """The predicate with this number; MalformedError where there is none."""
    if not 0 <= predicate < len(predicates):
        raise MalformedError(f"there is no predicate {predicate}")
    return predicates[predicate]


def check_predicates(predicates: Sequence[Predicate]) -> None:
    """Every key lies within its predicate, and what counts a set has one column after the set's key."""
    for number, predicate in enumerate(predicates):
        key = predicate.key
        _require(predicate.arity >= 0, f"predicate {number} has no width")
        _require(key is None or 0 <= key <= predicate.arity, f"the key of predicate {number} is too wide")
        if predicate.counts is not None:
            member = predicate_of(predicate.counts, predicates)
            _require(key == predicate.arity - 1, f"predicate {number} counts, but not one number for a key")
            _require(
                member.arity > predicate.arity - 1, f"the set that predicate {number} counts is too narrow"
            )


def check_fact(fact: Fact, predicates: Sequence[Predicate]) -> None:
    """A fact has its predicate's width, in 64-bit cells."""
    predicate, cells = fact
    if len(cells) != predicate_of(predicate, predicates).arity:
        raise MalformedError(f"{fact} has a wrong width")
    if not all(map(_is_cell, cells)):
        raise MalformedError(f"{fact} has a cell that is no 64-bit integer")


def check_rule(rule: Rule, predicates: Sequence[Predicate]) -> None:
    """A rule fits its predicates, and its variables are numbered as it says."""
    check_body((rule.head, *rule.body), rule.variables, predicates)


def check_body(conditions: Iterable[CodedCondition], variables: int, predicates: Sequence[Predicate]) -> None:
    """Conditions fit their predicates, and their variables have numbers below `variables`."""
    for condition in conditions:
        for term in terms(condition):
            if isinstance(term, Var):
                _require(0 <= term.index < variables, f"variable {term.index} of {variables}")
            else:
                _require(_is_cell(term), f"{term!r} is no 64-bit integer")
        _check_condition(condition, predicates)
        check_body(inner_conditions(condition), variables, predicates)


def _check_condition(condition: CodedCondition, predicates: Sequence[Predicate]) -> None:
    match condition:
        case Match():
            width = predicate_of(condition.predicate, predicates).arity
            _require(len(condition.terms) == width, f"{condition} has a wrong width")
        case AllOf():
            _require(all(isinstance(member, Var) for member in condition.members), "a member is no variable")
            _check_set(condition.set, len(condition.members), predicates)
        case CountOf():
            _require(not condition.excluded or condition.width == 1, "cells are excluded from wider members")
            for closed in condition.sets:
                _check_set(closed, condition.width, predicates)
        case AggregateOf():
            one = condition.function == "count" or len(condition.variables) == 1
            _require(one, f"{condition.function} takes one variable")
        case _:
            pass


def _check_set(closed: ClosedSet, width: int, predicates: Sequence[Predicate]) -> None:
    count, member = predicate_of(closed.count, predicates), predicate_of(closed.member, predicates)
    _require(count.counts == closed.member, f"predicate {closed.count} does not count {closed.member}")
    _require(len(closed.key) == count.key, f"the key of {closed} has a wrong width")
    _require(len(closed.key) + width == member.arity, f"the members of {closed} have a wrong width")
