"""Mutants of learned rules: one condition dropped, weakened or changed at a time, each with the original
proof.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from hornbook.compiler.checker.certificate import ProofStep
from hornbook.compiler.generalise.regression import Regressed
from hornbook.kb.ast import terms as t
from hornbook.kb.ast.substitution import apply_to_condition, apply_to_statement, apply_to_term
from hornbook.kb.text.literals.functions import MODES

WEAKER = {"<": ("<=",), ">": (">=",), "=": ("<=", ">="), "!=": (), "<=": (), ">=": ()}
_FUNCTIONS = (
    ("+", "-"),
    ("min", "max"),
    ("add_months", "add_years"),
    ("first_of_month", "last_of_month"),
    ("year", "month", "day", "weekday"),
    ("starts_with", "ends_with", "contains"),
    ("upper", "lower"),
    *(tuple(f"{name}_{mode}" for mode in MODES) for name in ("round", "divide", "percent")),
)
"""Functions of the same operands, for one of which another one may be taken."""
_ALIKE = {one: tuple(o for o in row if o != one) for row in _FUNCTIONS for one in row}
OTHER: dict[t.Tense | None, t.Tense | None] = {"before": "after", "after": "before", None: None}


@dataclass(frozen=True)
class Mutant:
    """The mutation, and the rule with its alleged steps."""

    kind: str
    proved: Regressed


def mutants(learned: Regressed) -> Iterator[Mutant]:
    rule = learned.rule
    for place, condition in enumerate(rule.body):
        for kind, changed in _changed(condition):
            new = () if changed is None else (changed,)
            body = (*rule.body[:place], *new, *rule.body[place + 1 :])
            if body != rule.body:
                yield Mutant(kind, replace(learned, rule=replace(rule, body=body)))
    names = list(dict.fromkeys(v.name for c in (rule.head, *rule.body) for v in t.condition_variables(c)))
    for one in names:
        for other in names:
            if one < other:
                yield Mutant("two variables made one", _merged(learned, {other: t.Variable(one)}))


def _changed(condition: t.Condition) -> Iterator[tuple[str, t.Condition | None]]:
    """Yield replacements of a condition; None removes it."""
    if isinstance(condition, t.Comparison):
        yield ("an inequality dropped" if condition.operator == "!=" else "a comparison dropped"), None
        for weaker in WEAKER[condition.operator]:
            yield "a comparison weakened", replace(condition, operator=weaker)  # type: ignore[arg-type]
        for side in ("left", "right"):
            for kind, expression in _calculations(getattr(condition, side)):
                yield kind, replace(condition, **{side: expression})
        return
    yield "a condition dropped", None
    match condition:
        case t.Atom() | t.GameStatement():
            yield from _of_statement(condition)
        case t.All():
            for inner in range(len(condition.conditions)):
                less = (*condition.conditions[:inner], *condition.conditions[inner + 1 :])
                if less:
                    yield "an inner condition dropped", replace(condition, conditions=less)
                for kind, other in _changed(condition.conditions[inner]):
                    if other is not None:
                        more = (*condition.conditions[:inner], other, *condition.conditions[inner + 1 :])
                        yield f"inside a set: {kind}", replace(condition, conditions=more)
            for _, member in _of_statement(condition.member):
                if (
                    isinstance(member, t.Atom)
                    and member.terms[-len(condition.variables) :] == condition.variables
                ):
                    yield "another set", replace(condition, member=member)
        case t.Absent() | t.Aggregate():
            yield from _of_summary(condition)
        case t.CountIn():
            for place in range(len(condition.excluded)):
                less_excluded = (*condition.excluded[:place], *condition.excluded[place + 1 :])
                yield "a member left in", replace(condition, excluded=less_excluded)
            if len(condition.sets) > 1:
                yield "a set dropped", replace(condition, sets=condition.sets[1:])


def _calculations(expression: t.Expression) -> Iterator[tuple[str, t.Expression]]:
    """Yield expressions with one number, function or pair of operands changed at any depth."""
    for number in _near(expression):
        yield "a number changed", number
    if not isinstance(expression, t.Operation):
        return
    operands = expression.operands
    for function in _ALIKE.get(expression.operator, ()):
        yield "another function", replace(expression, operator=function)
    if len(operands) == 2 and operands[0] != operands[1]:
        yield "operands swapped", replace(expression, operands=operands[::-1])
    for place, operand in enumerate(operands):
        for kind, other in _calculations(operand):
            yield kind, replace(expression, operands=(*operands[:place], other, *operands[place + 1 :]))


def _of_summary(condition: t.Absent | t.Aggregate) -> Iterator[tuple[str, t.Condition]]:
    """Yield other absences and aggregates: of more, fewer or other things, or with another function."""
    conditions = condition.conditions
    for place, inner in enumerate(conditions):
        if len(conditions) > 1:
            less = (*conditions[:place], *conditions[place + 1 :])
            yield "an inner condition dropped", replace(condition, conditions=less)
        for kind, other in _changed(inner):
            if other is not None:
                more = (*conditions[:place], other, *conditions[place + 1 :])
                yield f"inside an absence or a sum: {kind}", replace(condition, conditions=more)
    if isinstance(condition, t.Absent):
        yield "an absence of an absence", replace(condition, conditions=(condition,))
        if len(conditions) == 1:
            yield "what is absent asked for", conditions[0]
        return
    for number in _near(condition.result):
        yield "a number changed", replace(condition, result=number)
    if len(condition.variables) == 1:
        for function in ("count", "min", "max", "sum"):
            yield "another aggregate", replace(condition, function=function)


def _of_statement(statement: t.Statement) -> Iterator[tuple[str, t.Statement]]:
    for place, term in enumerate(statement.terms):
        kind = "an occurrence split off" if isinstance(term, t.Variable) else "a constant made a variable"
        yield kind, _with(statement, place, t.Variable("fresh"))
        for number in _near(term):
            yield "a number changed", _with(statement, place, number)
    if len(statement.terms) == 2:
        yield "arguments swapped", statement.with_terms((statement.terms[1], statement.terms[0]))
    if isinstance(statement, t.Atom) and statement.tense is not None:
        yield "another moment", replace(statement, tense=OTHER[statement.tense])


def _with(statement: t.Statement, place: int, term: t.Term) -> t.Statement:
    return statement.with_terms((*statement.terms[:place], term, *statement.terms[place + 1 :]))


def _near(term: object) -> tuple[t.Constant, ...]:
    """Return the neighbours of a number, in its own notation."""
    if isinstance(term, t.Constant) and isinstance(term.value, int):
        kind = type(term.value)
        return t.Constant(kind(term.value - 1)), t.Constant(kind(term.value + 1))
    return ()


def _merged(learned: Regressed, substitution: dict[str, t.Term]) -> Regressed:
    rule = learned.rule
    body = tuple(apply_to_condition(condition, substitution) for condition in rule.body)
    steps = tuple(
        ProofStep(
            s.rule, s.moment, tuple((n, apply_to_term(term, substitution)) for n, term in s.substitution)
        )
        for s in learned.steps
    )
    merged = t.Rule(apply_to_statement(rule.head, substitution), tuple(dict.fromkeys(body)), rule.label)
    return Regressed(merged, steps)
