"""The scope of a body: the terms, variables and predicates in its conditions, and the scope of each variable.

A variable inside `AllOf`, `AggregateOf` or `AbsentOf` is local to that condition if it occurs nowhere outside
of it. Every other variable belongs to the whole conjunction, and must be bound before the condition is
evaluated.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from collections.abc import Set as AbstractSet
from dataclasses import fields, is_dataclass

from hornbook.matcher.program.coded import (
    AbsentOf,
    AggregateOf,
    AllOf,
    Apply,
    Call,
    CodedCondition,
    CodedExpression,
    CodedTerm,
    Compare,
    CountOf,
    Match,
    PredicateId,
    Var,
)


def leaves(expression: CodedExpression) -> Iterator[CodedTerm]:
    """Yield the variables and cells of an expression."""
    if isinstance(expression, Apply):
        yield from leaves(expression.left)
        yield from leaves(expression.right)
    elif isinstance(expression, Call):
        for operand in expression.operands:
            yield from leaves(operand)
    else:
        yield expression


def own_terms(condition: CodedCondition) -> Iterator[CodedTerm]:
    """Yield the variables and cells of a condition, without those of the conditions inside it."""
    match condition:
        case Match():
            yield from condition.terms
        case Compare():
            yield from leaves(condition.left)
            yield from leaves(condition.right)
        case AllOf():
            yield from condition.set.key
            yield from condition.members
        case CountOf():
            yield from leaves(condition.result)
            for closed in condition.sets:
                yield from closed.key
            yield from condition.excluded
        case AggregateOf():
            yield from leaves(condition.result)
            yield from condition.variables
        case AbsentOf():
            pass


def terms(condition: CodedCondition) -> Iterator[CodedTerm]:
    """Yield every variable and cell of a condition, at any depth."""
    yield from own_terms(condition)
    for inner in inner_conditions(condition):
        yield from terms(inner)


def inner_conditions(condition: CodedCondition) -> tuple[CodedCondition, ...]:
    """Return the conjunction inside a condition."""
    return condition.conditions if isinstance(condition, AllOf | AggregateOf | AbsentOf) else ()


def variables(part: object) -> frozenset[int]:
    """Return the numbers of the variables in a term, an expression, a condition, or a sequence of these."""
    if isinstance(part, Var):
        return frozenset([part.index])
    if is_dataclass(part):
        part = [getattr(part, each.name) for each in fields(part)]
    inside = part if isinstance(part, tuple | list) else ()
    return frozenset().union(*map(variables, inside))


def outer_variables(condition: CodedCondition, elsewhere: AbstractSet[int]) -> frozenset[int]:
    """Return the variables of a condition that are not local to it.

    `elsewhere` contains the variables that occur outside of it.
    """
    match condition:
        case AllOf(closed, members, inside):
            return variables(closed) | (variables((members, inside)) & elsewhere)
        case AggregateOf(result, _, chosen, inside):
            own = variables(result)
            return own | (variables((chosen, inside)) & (elsewhere | own))
        case AbsentOf(inside):
            return variables(inside) & elsewhere
        case _:
            return variables(condition)


def bindable_variables(condition: CodedCondition) -> frozenset[int]:
    """Return the variables that a condition binds if all its other outer variables are bound."""
    match condition:
        case Compare("=", left, right):
            sides = variables([side for side in (left, right) if isinstance(side, Var)])
            return sides - (variables(left) & variables(right))
        case CountOf(Var() as result, sets, _, excluded):
            return variables(result) - variables((sets, excluded))
        case AggregateOf(Var() as result, _, chosen, inside):
            return variables(result) - variables((chosen, inside))
        case _:
            return frozenset()


def predicates_read(
    conditions: Iterable[CodedCondition], *, finished: bool = False
) -> Iterator[tuple[PredicateId, bool]]:
    """Yield the predicates that conditions read, and whether they must be finished first.

    Absences and aggregates need finished predicates.
    """
    for condition in conditions:
        match condition:
            case Match():
                yield condition.predicate, finished
            case AllOf():
                yield condition.set.count, finished
                yield condition.set.member, finished
            case CountOf():
                for closed in condition.sets:
                    yield closed.count, finished
                    yield closed.member, finished
            case _:
                pass
        inner_finished = finished or isinstance(condition, AggregateOf | AbsentOf)
        yield from predicates_read(inner_conditions(condition), finished=inner_finished)


def variable_count(body: Iterable[CodedCondition], selected: Iterable[Var]) -> int:
    """Return the number of variables of a query, numbered from 0."""
    return max(variables([*selected, *body]), default=-1) + 1
