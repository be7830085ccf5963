"""Simplification: implied conditions are removed as long as the certificate remains valid.

Redundancy is tested by removing a condition and calling the checker. Comparisons are tried first, because
they exclude little for their cost of matching. Statements that another condition implies come next. To save
time, the checker reports conditions that are certainly needed: a step requires them, and nothing else implies
them. A rule with a very long proof keeps some redundant conditions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import islice

from hornbook.compiler.generalise.equations import closed_form, determined, is_settled, without_redundant
from hornbook.compiler.generalise.regression import Regressed
from hornbook.compiler.generalise.steps import with_terms
from hornbook.compiler.witness.queries import NeededConditions
from hornbook.kb.ast.substitution import (
    apply_to_condition,
    apply_to_statement,
    apply_to_term,
    match_statement,
)
from hornbook.kb.ast.terms import (
    Aggregate,
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

Replay = Callable[[Regressed], NeededConditions | None]
"""A replay of a rule's steps: it returns the conditions that they need, or None if the rule does not
follow.
"""

MAX_WORK = 100_000
"""The maximum number of steps and conditions replayed for one rule."""
MAX_PAIRS = 20_000
"""The maximum number of pairs of statements tried for condensation."""


def simplify(learned: Regressed, replay: Replay) -> Regressed:
    """Return the rule with as few conditions as its proof allows; every candidate is replayed."""
    trials = _Trials(replay)
    plain = _with_plain_sums(_with_known_values(learned, trials), trials)
    known = _with_known_values(plain, trials)  # values of simplified sums may be known now
    learned = condensed(_with_equal_results(known, trials))
    needed = trials(learned)
    if needed is None:
        return learned
    for condition in sorted(learned.rule.body, key=lambda c: not isinstance(c, Comparison)):
        if needed.plainly(condition):
            continue
        body = tuple(c for c in learned.rule.body if c != condition)
        shorter = replace(learned, rule=replace(learned.rule, body=body))
        if is_safe(shorter.rule) and trials(shorter) is not None:
            learned = shorter
    return learned


class _Trials:
    """A replay of rules within a work limit."""

    def __init__(self, replay: Replay) -> None:
        self.replay = replay
        self.left = MAX_WORK

    def __call__(self, tried: Regressed) -> NeededConditions | None:
        self.left -= len(tried.rule.body) + len(tried.steps)
        return self.replay(tried) if self.left >= 0 else None


def _with_known_values(learned: Regressed, trials: _Trials) -> Regressed:
    """Substitute the value of every variable that a single equation determines (`1 = ?n - 1`, `?c =
    black`).
    """
    solved, changed = learned, True
    while changed:
        changed = False
        for condition in solved.rule.body:
            known = determined(condition) if isinstance(condition, Comparison) else None
            if known:
                solved = _apply(solved, known)
                body = tuple(c for c in solved.rule.body if not is_settled(c))
                solved = replace(solved, rule=replace(solved.rule, body=body))
                changed = True
                break
    return solved if solved == learned or trials(solved) is not None else learned


def _with_plain_sums(learned: Regressed, trials: _Trials) -> Regressed:
    """Remove neutral operations from arithmetic (`?g + 0 - ?u` becomes `?g - ?u`)."""
    body = tuple(
        replace(c, left=_plain(c.left), right=_plain(c.right)) if isinstance(c, Comparison) else c
        for c in learned.rule.body
    )
    plain = replace(learned, rule=replace(learned.rule, body=body))
    return learned if plain == learned or trials(plain) is None else plain


def _with_equal_results(learned: Regressed, trials: _Trials) -> Regressed:
    """Use one variable for the results of equal calculations, and of equal aggregates.

    An explanation repeats a calculation wherever a rule needs it. The result is the same each time, so
    the rule is as general as before.
    """
    merged, same = learned, _same_results(learned.rule)
    while same:
        merged = _apply(merged, same)
        same = _same_results(merged.rule)
    if merged == learned:
        return learned
    rule = replace(merged.rule, body=without_redundant(merged.rule.body, merged.rule.head))
    merged = replace(merged, rule=rule)
    return learned if trials(merged) is None else merged


def _same_results(rule: Rule) -> dict[str, Term] | None:
    """Return a variable of the body, with another one that has the same calculated value."""
    terms = (term for term in rule.head.terms if isinstance(term, Variable))
    shared = frozenset(variable.name for variable in (*terms, *outer_variables(rule.body)))
    known: dict[Condition | Expression, Variable] = {}
    for condition in rule.body:
        match condition:
            case Comparison(operator="=", left=Variable() as result, right=Operation() as calculation):
                found = known.setdefault(calculation, result)
            case Aggregate(result=Variable() as result):
                anonymous = replace(condition, result=Constant(0))
                found = known.setdefault(closed_form(anonymous, shared), result)
            case _:
                continue
        if found != result:
            return {result.name: found}
    return None


def _plain(expression: Expression) -> Expression:
    """Return the expression without neutral operations.

    The value is the same, without larger intermediate numbers.
    """
    if not isinstance(expression, Operation):
        return expression
    operands = tuple(map(_plain, expression.operands))
    if expression.operator not in ("+", "-", "*", "//"):
        return replace(expression, operands=operands)
    left, right = operands
    match expression.operator:
        case "+" | "-" if right == Constant(0):
            return left
        case "*" | "//" if right == Constant(1):
            return left
        case "+" if left == Constant(0):
            return right
        case "*" if left == Constant(1):
            return right
        case _:
            return replace(expression, operands=operands)


def condensed(learned: Regressed) -> Regressed:
    """Return the condensed rule: pairs of conditions are merged while no other condition changes (Plotkin's
    reduction).

    The conditions of the steps are still conditions of the rule under the substitution, so its proof remains
    valid.
    """
    smaller: Regressed | None = learned
    while smaller is not None:
        learned, size = smaller, len(smaller.rule.body)
        tried = (_apply(learned, substitution) for substitution in _foldings(learned.rule))
        smaller = next((each for each in tried if len(each.rule.body) < size), None)
    return learned


def _foldings(rule: Rule) -> Iterator[dict[str, Term]]:
    """Yield substitutions that map one statement of the body to another and the body to a part of itself."""
    fixed = {t.name for t in rule.head.terms if isinstance(t, Variable)}
    conditions = set(rule.body)
    mentioning: dict[str, list[Condition]] = {}
    by_relation: dict[tuple[str, str | None], list[Atom | GameStatement]] = {}
    for condition in rule.body:
        for name in dict.fromkeys(v.name for v in condition_variables(condition)):
            mentioning.setdefault(name, []).append(condition)
        if isinstance(condition, (Atom, GameStatement)):
            by_relation.setdefault((condition.relation, condition.tense), []).append(condition)
    pairs = (
        (one, other) for group in by_relation.values() for one in group for other in group if one is not other
    )
    for one, other in islice(pairs, MAX_PAIRS):
        found = match_statement(one, other)
        moved = {name: term for name, term in (found or {}).items() if term != Variable(name)}
        if moved and not fixed & moved.keys():
            touched = {id(c): c for name in moved for c in mentioning[name]}
            if all(apply_to_condition(c, moved) in conditions for c in touched.values()):
                yield moved


def _apply(learned: Regressed, substitution: dict[str, Term]) -> Regressed:
    body = dict.fromkeys(apply_to_condition(c, substitution) for c in learned.rule.body)
    head = apply_to_statement(learned.rule.head, substitution)
    steps = tuple(with_terms(s, lambda term: apply_to_term(term, substitution)) for s in learned.steps)
    return Regressed(replace(learned.rule, head=head, body=tuple(body)), tuple(dict.fromkeys(steps)))


def is_safe(rule: Rule) -> bool:
    """Return whether statements, and equations over bound variables, bind every shared variable of the
    rule.
    """
    bound = {
        v.name for c in rule.body if isinstance(c, (Atom, GameStatement)) for v in condition_variables(c)
    }
    waiting: list[Condition] = [c for c in rule.body if not isinstance(c, (Atom, GameStatement))]
    grown = True
    while grown:
        grown = False
        for condition in list(waiting):
            names = {v.name for v in outer_variables((condition,))}
            new = names - bound
            sides = (condition.left, condition.right) if isinstance(condition, Comparison) else ()
            binds = isinstance(condition, Comparison) and condition.operator == "="
            defines = any(isinstance(s, Variable) and {s.name} == new for s in sides)
            if not new or (binds and defines):
                bound |= new
                waiting.remove(condition)
                grown = True
    head_names = {t.name for t in rule.head.terms if isinstance(t, Variable)}
    return not waiting and head_names <= bound
