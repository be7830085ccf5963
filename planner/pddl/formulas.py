"""Conditions and effects of PDDL as literals. Unsupported parts are refused by name."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NoReturn

from hornbook.kb.ast.terms import Span
from hornbook.kb.sources.diagnostics import Diagnostic
from hornbook.matcher.program.dataclass import dataclass
from hornbook.planner.gdl.kif import Expression, KifList, KifVariable, KifWord
from hornbook.planner.pddl.expressions import (
    MISPLACED,
    UNSUPPORTED,
    RefusedPartError,
    headed,
    integer,
    is_word,
    name_of,
    shown,
    typed_names,
)
from hornbook.planner.pddl.syntax import (
    EQUALITY,
    TOTAL_COST,
    FunctionTerm,
    PddlEffect,
    PddlLiteral,
    TypedName,
)

CONDITION = "write `(PREDICATE TERM …)`, `(not (PREDICATE TERM …))` or `(and CONDITION …)`"
EFFECT = (
    "write `(PREDICATE TERM …)`, `(not (PREDICATE TERM …))`, `(when CONDITION EFFECT)` or `(and EFFECT …)`"
)
OTHER_CONDITIONS = {
    "or": ("a disjunction (`or`)", "write an action for each alternative"),
    "imply": ("an implication (`imply`)", "write an action for each alternative"),
    "exists": ("a condition with `exists`", "make its variables parameters of the action"),
    "forall": ("a condition with `forall`", "count, or mark by a predicate, what must hold for all"),
    "preference": ("a preference", "make it a condition, or delete it"),
    "<": ("a comparison of numbers", "use predicates for the levels of the number"),
    ">": ("a comparison of numbers", "use predicates for the levels of the number"),
    "<=": ("a comparison of numbers", "use predicates for the levels of the number"),
    ">=": ("a comparison of numbers", "use predicates for the levels of the number"),
    "when": ("a condition with `when`", "`when` is for effects; write an action for each case"),
    "at-most-once": ("a constraint on plans", "delete it"),
    "sometime": ("a constraint on plans", "delete it"),
    "always": ("a constraint on plans", "delete it"),
}
"""Conditions that are not supported, each with its description and a way out."""
OTHER_EFFECTS = {
    "assign": ("an effect on a number (`assign`)", "use predicates for the levels of the number"),
    "decrease": ("an effect on a number (`decrease`)", "use predicates for the levels of the number"),
    "scale-up": ("an effect on a number (`scale-up`)", "use predicates for the levels of the number"),
    "scale-down": ("an effect on a number (`scale-down`)", "use predicates for the levels of the number"),
    "oneof": ("a nondeterministic effect (`oneof`)", "write an action for each outcome"),
    "probabilistic": ("a probabilistic effect", "write an action for each outcome"),
    "or": ("a disjunctive effect", "write an action for each outcome"),
}
"""Effects that are not supported, each with its description and a way out."""


@dataclass(frozen=True, slots=True)
class ReadEffects:
    """The effects of an action, and its costs with their places."""

    effects: tuple[PddlEffect, ...]
    costs: tuple[tuple[int | FunctionTerm, Span], ...]


def condition(expression: Expression, mistakes: list[Diagnostic]) -> tuple[PddlLiteral, ...]:
    """Return the literals of a conjunction. Each part that is none is reported and left out."""
    return tuple(_literals(expression, mistakes, positive=True))


def _literals(expression: Expression, mistakes: list[Diagnostic], *, positive: bool) -> Iterator[PddlLiteral]:
    if isinstance(expression, KifList) and not expression.items and positive:
        return  # The empty list is the condition that always holds.
    try:
        head, rest = headed(expression, "a condition", CONDITION)
        if head.name == "and" and (positive or len(rest) == 1):
            for each in rest:
                yield from _literals(each, mistakes, positive=positive)
        elif head.name == "and":
            _refuse(head, "the negation of a conjunction", "write an action for each alternative")
        elif head.name == "not":
            _expect_number(expression, rest, 1, "(not CONDITION)")
            yield from _literals(rest[0], mistakes, positive=not positive)
        else:
            if head.name in OTHER_CONDITIONS:
                _refuse(head, *OTHER_CONDITIONS[head.name])
            if head.name == EQUALITY and any(isinstance(each, KifList) for each in rest):
                _refuse(head, "a comparison of numbers", "use predicates for the levels of the number")
            yield atom(expression, positive=positive)
    except RefusedPartError as problem:
        mistakes.append(problem.diagnostic)


def atom(expression: Expression, *, positive: bool = True) -> PddlLiteral:
    """Return an atom as a literal. Raises RefusedPartError."""
    head, rest = headed(expression, "an atom", "write `(PREDICATE TERM …)`")
    name = EQUALITY if head.name == EQUALITY else name_of(head, "a predicate")
    if name == EQUALITY:
        _expect_number(expression, rest, 2, "(= TERM TERM)")
    return PddlLiteral(name, tuple(map(_term, rest)), positive, expression.span)


def _term(expression: Expression) -> str:
    if isinstance(expression, KifVariable):
        if expression.name:
            return f"?{expression.name}"
        raise RefusedPartError(MISPLACED, "a variable has a name", expression.span, "write `?NAME`")
    if isinstance(expression, KifList):
        if expression.items and isinstance(expression.items[0], KifWord):
            _refuse(expression.items[0], "a term with a function", "write a predicate with one more argument")
        message = "an argument is an object or a variable, not a list"
        raise RefusedPartError(MISPLACED, message, expression.span, "write a name, or `?NAME`")
    return name_of(expression, "an object")


def _expect_number(expression: Expression, rest: Sequence[Expression], number: int, form: str) -> None:
    if len(rest) != number:
        message = f"`{form.strip('(').split()[0]}` has {number} arguments, not {len(rest)}"
        message = message.replace("1 arguments", "1 argument")
        raise RefusedPartError(MISPLACED, message, expression.span, f"write `{form}`")


def _refuse(word: KifWord, what: str, way_out: str) -> NoReturn:
    raise RefusedPartError(UNSUPPORTED, f"{what} is not supported", word.span, way_out)


def effects(expression: Expression, mistakes: list[Diagnostic]) -> ReadEffects:
    """Return the effects of an action. Each part that is none is reported and left out."""
    found: list[PddlEffect] = []
    costs: list[tuple[int | FunctionTerm, Span]] = []
    todo: list[tuple[Expression, tuple[TypedName, ...], tuple[PddlLiteral, ...], bool]] = [
        (expression, (), (), True)
    ]
    while todo:
        each, parameters, conditions, outermost = todo.pop()
        if isinstance(each, KifList) and not each.items:
            continue
        try:
            head, rest = headed(each, "an effect", EFFECT)
            if head.name == "and":
                todo += [(part, parameters, conditions, outermost) for part in reversed(rest)]
            elif head.name == "when":
                _expect_number(each, rest, 2, "(when CONDITION EFFECT)")
                more = condition(rest[0], mistakes)
                todo.append((rest[1], parameters, (*conditions, *more), False))
            elif head.name == "forall":
                _expect_number(each, rest, 2, "(forall (?NAME - TYPE …) EFFECT)")
                if not isinstance(rest[0], KifList):
                    form = "write `(forall (?NAME - TYPE …) EFFECT)`"
                    raise RefusedPartError(MISPLACED, "`forall` has a list of variables", rest[0].span, form)
                names = typed_names(rest[0].items, "variable", mistakes, variables=True)
                todo.append((rest[1], (*parameters, *names), conditions, False))
            elif head.name == "increase":
                costs.append((_cost(each, rest, outermost=outermost), each.span))
            elif head.name in OTHER_EFFECTS:
                _refuse(head, *OTHER_EFFECTS[head.name])
            else:
                found.append(PddlEffect(parameters, conditions, _effect_literal(each, head, rest)))
        except RefusedPartError as problem:
            mistakes.append(problem.diagnostic)
    return ReadEffects(tuple(found), tuple(costs))


def _effect_literal(expression: Expression, head: KifWord, rest: Sequence[Expression]) -> PddlLiteral:
    negative = head.name == "not"
    if negative:
        _expect_number(expression, rest, 1, "(not (PREDICATE TERM …))")
        inner, _ = headed(rest[0], "an effect", EFFECT)
        if inner.name in ("and", "not", "when", "forall", "or", "exists"):
            message = f"`not` with `{inner.name}` is no effect"
            raise RefusedPartError(
                MISPLACED, message, inner.span, "write an effect of its own for each literal"
            )
        head = inner
    if head.name == EQUALITY:
        raise RefusedPartError(
            MISPLACED, "no action changes whether objects are equal", head.span, "delete it"
        )
    if head.name in OTHER_CONDITIONS:
        _refuse(head, *OTHER_CONDITIONS[head.name])
    return atom(rest[0] if negative else expression, positive=not negative)


def _cost(expression: Expression, rest: Sequence[Expression], *, outermost: bool) -> int | FunctionTerm:
    form = "(increase (total-cost) COST)"
    _expect_number(expression, rest, 2, form)
    target, amount = rest
    if not is_total_cost(target):
        message = f"a number that changes, `{shown(target)}`, is not supported; only `(total-cost)` is"
        raise RefusedPartError(
            UNSUPPORTED, message, target.span, "use predicates for the levels of the number"
        )
    if not outermost:
        message = "a cost within `when` or `forall` is not supported"
        raise RefusedPartError(UNSUPPORTED, message, expression.span, "write an action for each case")
    if isinstance(amount, KifList):
        head, terms = headed(amount, "a cost", f"write `{form}`")
        if head.name in ("+", "-", "*", "/"):
            _refuse(head, "a calculation in a cost", "write a function with the result")
        return FunctionTerm(name_of(head, "a function"), tuple(map(_term, terms)), amount.span)
    return cost_value(amount)


def is_total_cost(expression: Expression) -> bool:
    return is_word(expression, TOTAL_COST) or (
        isinstance(expression, KifList)
        and len(expression.items) == 1
        and is_word(expression.items[0], TOTAL_COST)
    )


def cost_value(expression: Expression) -> int:
    """Return a cost, which is an integer of at least 0. Raises RefusedPartError."""
    value = integer(expression.name) if isinstance(expression, KifWord) else None
    if value is None or value < 0:
        message = f"a cost is an integer of at least 0, and `{shown(expression)}` is none"
        help_ = "multiply all costs by one number so that they are integers, and add one to negative costs"
        if value is not None:
            help_ = "write a cost of at least 0"
        raise RefusedPartError(UNSUPPORTED, message, expression.span, help_)
    return value
