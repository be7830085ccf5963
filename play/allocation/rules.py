"""Learned rules as features of boards: their conditions in the vocabulary of the native step."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import cast

from hornbook.kb.ast import terms
from hornbook.kb.ast.terms import Atom, Comparison, Constant, Expression, Operation, Rule, Variable
from hornbook.kb.format.printer import print_condition
from hornbook.matcher.program.hornbook_error import HornbookError
from hornbook.play.allocation.native import Allocation, Boards, Condition, FeatureRules, Row

SWAPPED = {">": "<", ">=": "<="}
PARTS = 3
"""The number of features of a rule.

They are whether it applies, whether it would apply with the other player to move, and after how many moves it
applies. They are ordered by kind, each kind for all rules.
"""

Conditions = Mapping[str, Sequence[Condition]]
"""The conditions of rules, by name."""


class NoFeatureError(HornbookError):
    """A rule has a condition that the native step does not test; the message names it."""


def conditions_of(native: Allocation, rules: Sequence[Rule], typical: str) -> Conditions:
    """Return the conditions for the native step. Raises NoFeatureError."""
    found = {}
    for rule in rules:
        name = rule.name
        found[name] = [_written(rule, condition) for condition in rule.body]
        try:
            native.Rules([found[name]], typical)
        except ValueError as problem:
            raise NoFeatureError(f"`{name}` is no feature: {problem}") from None
    return found


def native_rules(native: Allocation, conditions: Conditions, typical: str) -> FeatureRules:
    """Return the rules for tests, planned for the numbers of facts of a typical board. Raises ValueError."""
    return native.Rules(list(conditions.values()), typical)


def splitting_rules(
    native: Allocation, conditions: Conditions, boards: Boards, least: int, typical: str
) -> Conditions:
    """Return the rules that could split off enough boards.

    One of their features is not 0 on at least `least` boards.
    """
    often = boards.spoken(native_rules(native, conditions, typical)) if conditions else []
    number = len(conditions)
    return {
        name: each
        for place, (name, each) in enumerate(conditions.items())
        if max(often[place::number]) >= least
    }


def used_rules(rows: Sequence[Row], before: int, conditions: Conditions) -> tuple[list[Row], Conditions]:
    """Return a tree with only the rules that it uses; `before` features precede those of rules."""
    number = len(conditions)
    used = sorted({(feature - before) % number for feature, *_ in rows if feature >= before})
    places = {rule: place for place, rule in enumerate(used)}
    renamed = []
    for feature, *rest in rows:
        if feature >= before:
            part, rule = divmod(feature - before, number)
            feature = before + part * len(used) + places[rule]  # noqa: PLW2901 - it is the same feature
        renamed.append(cast("Row", (feature, *rest)))
    names = list(conditions)
    return renamed, {names[rule]: conditions[names[rule]] for rule in used}


def _written(rule: Rule, condition: terms.Condition) -> Condition:
    match condition:
        case Atom(predicate=name, arguments=given, tense=None):
            return name, tuple(map(_term, given))
        case Comparison(operator=operator, left=left, right=right):
            if operator in SWAPPED:
                left, right = right, left
            one, other = _sum(left), _sum(right)
            if one is not None and other is not None:
                return SWAPPED.get(operator, operator), (one[0], other[0], other[1] - one[1])
    raise NoFeatureError(
        f"`{rule.name}` is no feature: the native step does not test `{print_condition(condition)}`"
    )


def _term(term: Variable | Constant) -> str | int:
    return f"?{term.name}" if isinstance(term, Variable) else term.value


def _sum(expression: Expression) -> tuple[str | int, int] | None:
    """Return a term and the number added to it, or None if the expression has another form."""
    match expression:
        case Variable() | Constant():
            return _term(expression), 0
        case Operation(
            operator="+" | "-" as sign, operands=(Variable() as term, Constant(value=int(number)))
        ):
            return _term(term), number if sign == "+" else -number
    return None
