"""Simplification: conditions that the others imply are dropped, as long as the certificate still holds.

Whether a condition is needed is not judged here: it is left out, and the checker is asked. Comparisons are
tried first, since they cost most to match for what they say, then statements that another condition covers.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from compiler.certificate import Step
from compiler.entailment import Arithmetic, cases
from compiler.regression import Regressed
from kb.substitution import apply_to_condition, apply_to_statement, apply_to_term, match_statement
from kb.terms import (
    Atom,
    Comparison,
    Condition,
    Constant,
    Expression,
    GameStatement,
    Operation,
    Rule,
    Term,
    Variable,
    condition_variables,
    outer_variables,
)

Holds = Callable[[Regressed], bool]
"""Whether a rule follows by the steps given with it."""


def simplify(learned: Regressed, holds: Holds) -> Regressed:
    """The rule with as few conditions as its proof allows; `holds` is asked of every rule tried."""
    learned = _fold(_with_known_numbers(learned, holds), holds)
    for condition in sorted(learned.rule.body, key=lambda c: not isinstance(c, Comparison)):
        body = tuple(c for c in learned.rule.body if c != condition)
        shorter = replace(learned, rule=replace(learned.rule, body=body))
        if is_safe(shorter.rule) and holds(shorter):
            learned = shorter
    return learned


def _with_known_numbers(learned: Regressed, holds: Holds) -> Regressed:
    """Puts the number in place of every variable that an equation alone determines (`1 = ?n - 1`)."""
    for condition in learned.rule.body:
        if not isinstance(condition, Comparison) or condition.operator != "=":
            continue
        known = _determined(condition)
        if known is not None:
            solved = _apply(learned, known)
            body = tuple(c for c in solved.rule.body if not _is_settled(c))
            solved = replace(solved, rule=replace(solved.rule, body=body))
            if holds(solved):
                return _with_known_numbers(solved, holds)
    return learned


def _determined(equation: Comparison) -> dict[str, Term] | None:
    """The one variable of a linear equation and its value, where that is an integer."""
    try:
        found = [a.plus(b, -1) for a, _ in cases(equation.left) for b, _ in cases(equation.right)]
    except TypeError:
        return None
    if len(found) != 1 or len(found[0].coefficients) != 1:
        return None
    (name, coefficient), constant = found[0].coefficients[0], found[0].constant
    if name.startswith("(") or constant % coefficient:
        return None
    return {name: Constant(-constant // coefficient)}


def _is_settled(condition: Condition) -> bool:
    """Whether a comparison has no variable left and is true."""
    return (
        isinstance(condition, Comparison)
        and not any(True for _ in condition_variables(condition))
        and _is_number(condition.left)
        and Arithmetic(()).entails(condition)
    )


def _is_number(side: Expression) -> bool:
    return isinstance(side, Operation) or (isinstance(side, Constant) and isinstance(side.value, int))


def _fold(learned: Regressed, holds: Holds) -> Regressed:
    """Makes two conditions one where no other condition notices (Plotkin's reduction)."""
    folded = True
    while folded:
        folded = False
        for substitution in _foldings(learned.rule):
            smaller = _apply(learned, substitution)
            if len(smaller.rule.body) < len(learned.rule.body) and holds(smaller):
                learned, folded = smaller, True
                break
    return learned


def _foldings(rule: Rule) -> list[dict[str, Term]]:
    """Substitutions that turn one statement of the body into another and the body into a part of itself."""
    found: list[dict[str, Term]] = []
    fixed = {t.name for t in rule.head.terms if isinstance(t, Variable)}
    there = set(rule.body)
    said = [c for c in rule.body if isinstance(c, Atom | GameStatement)]
    for one in said:
        for other in said:
            if one is other or one.relation != other.relation or one.tense != other.tense:
                continue
            substitution = match_statement(one, other)
            if substitution is None:
                continue
            moved = {name: term for name, term in substitution.items() if term != Variable(name)}
            if fixed & moved.keys():
                continue
            if all(apply_to_condition(c, moved) in there for c in rule.body):
                found.append(moved)
    return found


def _apply(learned: Regressed, substitution: dict[str, Term]) -> Regressed:
    body = dict.fromkeys(apply_to_condition(c, substitution) for c in learned.rule.body)
    head = apply_to_statement(learned.rule.head, substitution)
    steps = tuple(
        Step(s.rule, s.moment, tuple((n, apply_to_term(t, substitution)) for n, t in s.substitution))
        for s in learned.steps
    )
    return Regressed(replace(learned.rule, head=head, body=tuple(body)), tuple(dict.fromkeys(steps)))


def is_safe(rule: Rule) -> bool:
    """Whether statements, and equations over what is bound, bind every variable that the rule shares."""
    bound = {v.name for c in rule.body if isinstance(c, Atom | GameStatement) for v in condition_variables(c)}
    waiting: list[Condition] = [c for c in rule.body if not isinstance(c, Atom | GameStatement)]
    grown = True
    while grown:
        grown = False
        for condition in list(waiting):
            names = {v.name for v in outer_variables((condition,))}
            new = names - bound
            sides = (condition.left, condition.right) if isinstance(condition, Comparison) else ()
            binds = isinstance(condition, Comparison) and condition.operator == "="
            alone = any(isinstance(s, Variable) and {s.name} == new for s in sides)
            if not new or (binds and alone):
                bound |= new
                waiting.remove(condition)
                grown = True
    wanted = {t.name for t in rule.head.terms if isinstance(t, Variable)}
    return not waiting and wanted <= bound
