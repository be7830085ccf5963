"""Checks whether predicates, facts and conditions fit together, so that the engine itself need not check.

An error here is a mistake of the program that makes the codes; users' mistakes are found before coding. The
core reads valid input, and refuses the same input (`matcher/core/data/program.hpp` has the same limits).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal

from hornbook.matcher.program.coded import (
    AggregateOf,
    AllOf,
    Apply,
    Call,
    ClosedSet,
    CodedCondition,
    CodedExpression,
    CodedPredicate,
    CodedRule,
    Compare,
    CountOf,
    Fact,
    Function,
    Match,
    PredicateId,
    Var,
)
from hornbook.matcher.program.errors import MalformedError
from hornbook.matcher.program.operators import COMPARISONS, OPERATIONS, is_cell
from hornbook.matcher.program.scope import inner_conditions, terms, variable_count

MOST_CONDITIONS = 4096
"""The limit for one rule or query, at any depth: an engine recurses once more for each condition."""
MOST_NESTED = 128
"""The maximal nesting depth of conditions."""
MOST_OPERANDS = 100
"""The maximal number of operands of a call."""
MOST_CALCULATED = 200
"""The maximal nesting depth of calculations."""
MOST_VARIABLES = 2**16
"""The maximal number of variables of one rule or query."""
MOST_COLUMNS = 2**16
"""The maximal number of columns of one predicate."""


def _require(holds: bool, message: str) -> None:  # noqa: FBT001 - an assertion that raises
    if not holds:
        raise MalformedError(message)


def _is_cell(value: object) -> bool:
    return isinstance(value, int) and is_cell(value)


def _is_number(value: object, most: int) -> bool:
    """Return whether a value is a whole number from 0 to `most`."""
    return isinstance(value, int) and 0 <= value <= most


def predicate_of(predicate: PredicateId, predicates: Sequence[CodedPredicate]) -> CodedPredicate:
    """Return the predicate with this number. Raises MalformedError if there is none."""
    if not _is_number(predicate, len(predicates) - 1):
        raise MalformedError(f"there is no predicate {predicate!r}")
    return predicates[predicate]


def check_predicates(predicates: Sequence[CodedPredicate]) -> None:
    """Check that every key is within its predicate.

    A counting predicate must have one column after the set's key.
    """
    for number, predicate in enumerate(predicates):
        key, arity = predicate.key, predicate.arity
        _require(
            _is_number(arity, MOST_COLUMNS), f"predicate {number} is not of 0 to {MOST_COLUMNS:,} columns"
        )
        _require(key is None or _is_number(key, arity), f"the key of predicate {number} is too wide")
        if predicate.counts is not None:
            member = predicate_of(predicate.counts, predicates)
            _require(key == predicate.arity - 1, f"predicate {number} counts, but not one number for a key")
            _require(
                member.arity > predicate.arity - 1, f"the set that predicate {number} counts is too narrow"
            )


def _is_pair(fact: object) -> bool:
    return isinstance(fact, tuple) and len(fact) == 2 and isinstance(fact[1], tuple | list)


def check_fact(fact: Fact, predicates: Sequence[CodedPredicate]) -> None:
    """Check that a fact has its predicate's width, in 64-bit cells."""
    if not _is_pair(fact):
        raise MalformedError(f"{fact!r} is no fact")
    predicate, cells = fact
    if len(cells) != predicate_of(predicate, predicates).arity:
        raise MalformedError(f"{fact} has a wrong width")
    if not all(map(_is_cell, cells)):
        raise MalformedError(f"{fact} has a cell that is no 64-bit integer")


def check_rule(rule: CodedRule, predicates: Sequence[CodedPredicate]) -> None:
    """Check that a rule fits its predicates, and that its variables are numbered correctly."""
    try:
        _check_rule(rule, predicates)
    except MalformedError as problem:
        problem.rule = rule.id
        raise


def _check_rule(rule: CodedRule, predicates: Sequence[CodedPredicate]) -> None:
    _require(isinstance(rule.head, Match), f"rule {rule.id!r} concludes no fact")
    _check_size(rule.body)
    _require(isinstance(rule.variables, int), f"rule {rule.id!r} has no number of variables")
    _check_conditions((rule.head, *rule.body), rule.variables, predicates)


def check_query(
    conditions: Sequence[CodedCondition], selected: Sequence[Var], predicates: Sequence[CodedPredicate]
) -> int:
    """Check that the conditions of a query fit their predicates, and return the number of variables."""
    _check_size(conditions)
    _require(all(isinstance(each, Var) for each in selected), "a query asks for variables")
    variables = variable_count(conditions, selected)
    _check_conditions(conditions, variables, predicates)
    _require(all(each.index >= 0 for each in selected), "a query asks for variables")
    return variables


def _check_size(body: Sequence[CodedCondition]) -> None:
    """Check that a body is not longer or deeper than every engine can read."""
    number = 0
    stack = [(body, 0)]
    while stack:
        conditions, depth = stack.pop()
        number += len(conditions)
        _require(number <= MOST_CONDITIONS, f"a rule has more than {MOST_CONDITIONS:,} conditions; {_SPLIT}")
        for condition in conditions:
            _require(isinstance(condition, CodedCondition), f"a {type(condition).__name__} is no condition")
            _check_depth(condition)
            if inner := inner_conditions(condition):
                too_deep = f"conditions are nested more than {MOST_NESTED} deep; {_SPLIT}"
                _require(depth < MOST_NESTED, too_deep)
                stack.append((inner, depth + 1))


_SPLIT = "let a separate rule conclude a part"


def _check_depth(condition: CodedCondition) -> None:
    match condition:
        case Compare(left=left, right=right):
            stack: list[tuple[CodedExpression, int]] = [(left, 0), (right, 0)]
        case CountOf(result=result) | AggregateOf(result=result):
            stack = [(result, 0)]
        case _:
            return
    while stack:
        expression, depth = stack.pop()
        if isinstance(expression, Apply):
            _require(expression.operator in OPERATIONS, f"there is no operator {expression.operator!r}")
            _require(depth < MOST_CALCULATED, f"a calculation is more than {MOST_CALCULATED} deep; {_SPLIT}")
            stack += [(expression.left, depth + 1), (expression.right, depth + 1)]
        elif isinstance(expression, Call):
            function: object = expression.function
            operands: object = expression.operands
            _require(isinstance(function, Function), f"{function!r} is no function")
            _require(depth < MOST_CALCULATED, f"a calculation is more than {MOST_CALCULATED} deep; {_SPLIT}")
            fits = isinstance(operands, tuple | list) and 0 < len(operands) <= MOST_OPERANDS
            _require(fits, f"a function takes 1 to {MOST_OPERANDS} operands")
            stack += [(operand, depth + 1) for operand in expression.operands]


AGGREGATES: tuple[Literal["count", "min", "max", "sum"], ...] = ("count", "min", "max", "sum")
"""The functions of aggregates, in the order of their numbers in packed rules."""


def _check_conditions(
    conditions: Iterable[CodedCondition], variables: int, predicates: Sequence[CodedPredicate]
) -> None:
    """Check that conditions fit their predicates, and that their variables have numbers below `variables`."""
    _require(variables <= MOST_VARIABLES, f"a rule has more than {MOST_VARIABLES:,} variables")
    for condition in conditions:
        for term in terms(condition):
            if isinstance(term, Var):
                _require(_is_number(term.index, variables - 1), f"variable {term.index} of {variables}")
            else:
                _require(_is_cell(term), f"{term!r:.40} is no 64-bit integer")
        _check_condition(condition, predicates)
        _check_conditions(inner_conditions(condition), variables, predicates)


def _check_condition(condition: CodedCondition, predicates: Sequence[CodedPredicate]) -> None:
    match condition:
        case Compare():
            _require(condition.operator in COMPARISONS, f"there is no operator {condition.operator!r}")
        case Match():
            width = predicate_of(condition.predicate, predicates).arity
            _require(len(condition.terms) == width, f"{condition} has a wrong width")
        case AllOf():
            _require(all(isinstance(member, Var) for member in condition.members), "a member is no variable")
            _check_set(condition.set, len(condition.members), predicates)
        case CountOf():
            _require(_is_number(condition.width, MOST_COLUMNS), "members have no width")
            _require(not condition.excluded or condition.width == 1, "cells are excluded from wider members")
            for closed in condition.sets:
                _check_set(closed, condition.width, predicates)
        case AggregateOf():
            _require(
                all(isinstance(each, Var) for each in condition.variables), "an aggregate is of variables"
            )
            _require(condition.function in AGGREGATES, f"there is no function {condition.function!r}")
            one = condition.function == "count" or len(condition.variables) == 1
            _require(one, f"{condition.function} takes one variable")
        case _:
            pass


def _check_set(closed: ClosedSet, width: int, predicates: Sequence[CodedPredicate]) -> None:
    count, member = predicate_of(closed.count, predicates), predicate_of(closed.member, predicates)
    _require(count.counts == closed.member, f"predicate {closed.count} does not count {closed.member}")
    _require(len(closed.key) == count.key, f"the key of {closed} has a wrong width")
    _require(len(closed.key) + width == member.arity, f"the members of {closed} have a wrong width")
