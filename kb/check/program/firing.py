"""Firing: rules that can never fire because of their own conditions or the heads of other rules.

The checks find a condition together with its own absence, unsatisfiable comparisons, and variables without
possible values in a closed sort or in the conclusions of rules. Facts from outside are never ruled out. A
rule that waits for a rule that never fires is not reported.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from hornbook.kb.ast import terms as t
from hornbook.kb.ast.ordering import value_order
from hornbook.kb.check.check_unit import CheckUnit, PreparedClause
from hornbook.kb.check.program.conclusions import (
    MOST_CONDITIONS,
    Conclusions,
    Nothing,
    Pattern,
    Values,
    concluded,
)
from hornbook.kb.check.program.imported import Imported
from hornbook.kb.check.program.orders import never_together
from hornbook.kb.check.scopes import VariableScope
from hornbook.kb.format.printer import print_condition, print_word
from hornbook.kb.sources.diagnostics import Diagnostic, warning
from hornbook.kb.text.counts import counted

_SHOWN = 5
"""The maximum number of constants in a message."""


def check_firing(unit: CheckUnit, imported: Imported) -> Iterator[Diagnostic]:
    """Yield HB066."""
    if not unit.rules:
        return
    known = concluded(unit, imported.concluded)
    for prepared in unit.rules:
        if len(prepared.body) <= MOST_CONDITIONS:
            found = (
                _contradicted_absence(prepared)
                or _unsatisfiable_comparisons(prepared)
                or _no_values_left(prepared, known)
            )
            if found is not None:
                yield found


def _never(message: str, span: t.Span, help_line: str) -> Diagnostic:
    return warning("HB066", f"the rule can never fire: {message}", span, help_line)


# A condition and its absence


def _contradicted_absence(prepared: PreparedClause) -> Diagnostic | None:
    for scope in prepared.scope.inner:
        if isinstance(scope.opener, t.Absent) and _is_there(scope, prepared.scope):
            message = f"`{print_condition(scope.opener)}` contradicts the other conditions"
            return _never(message, scope.opener.span, "leave out the condition or its absence")
    return None


def _is_there(scope: VariableScope, around: VariableScope) -> bool:
    """Return whether the absent conditions hold whenever the surrounding conditions do.

    This is the case if some binding of the local variables maps them to surrounding conditions.
    """
    assert isinstance(scope.opener, t.Absent)
    if scope.inner or not scope.statements or len(scope.statements) * len(around.statements) > 400:
        return False
    return _match(scope.statements, scope, around, {})


def _match(
    statements: Sequence[t.Statement], scope: VariableScope, around: VariableScope, bound: dict[str, t.Term]
) -> bool:
    if not statements:
        return all(_is_stated(comparison, bound, around) for comparison in scope.comparisons)
    first, *others = statements
    for candidate in around.statements:
        more = _unified(first, candidate, scope, bound)
        if more is not None and _match(others, scope, around, more):
            return True
    return False


def _unified(
    one: t.Statement, other: t.Statement, scope: VariableScope, bound: dict[str, t.Term]
) -> dict[str, t.Term] | None:
    if (one.relation, one.tense, len(one.terms)) != (other.relation, other.tense, len(other.terms)):
        return None
    found = dict(bound)
    for term, candidate in zip(one.terms, other.terms, strict=True):
        if isinstance(term, t.Variable) and term.is_wildcard:
            continue
        if isinstance(term, t.Variable) and term.name in scope.own:
            if isinstance(candidate, t.Variable) and candidate.is_wildcard:
                return None
            if found.setdefault(term.name, candidate) != candidate:
                return None
        elif term != candidate or (isinstance(candidate, t.Variable) and candidate.is_wildcard):
            return None
    return found


def _is_stated(comparison: t.Comparison, bound: dict[str, t.Term], around: VariableScope) -> bool:
    sides = [
        bound.get(side.name, side) if isinstance(side, t.Variable) else side
        for side in (comparison.left, comparison.right)
    ]
    if any(isinstance(side, t.Operation) for side in sides):
        return False
    if sides[0] == sides[1]:
        return comparison.operator in ("=", "<=", ">=")
    return any(c.operator == comparison.operator and [c.left, c.right] == sides for c in around.comparisons)


# Comparisons


def _unsatisfiable_comparisons(prepared: PreparedClause) -> Diagnostic | None:
    last = never_together(prepared.scope.comparisons)
    if last is None:
        return None
    single_fails = never_together([last]) is not None
    shown = print_condition(last)
    message = (
        f"`{shown}` holds for no integer"
        if single_fails
        else f"`{shown}` does not hold together with the other comparisons"
    )
    return _never(message, last.span, "correct the comparisons; cases are joined by `or`")


# What is left


def _no_values_left(prepared: PreparedClause, known: Conclusions) -> Diagnostic | None:
    scope = prepared.scope
    atoms = [each for each in scope.statements if isinstance(each, t.Atom)]
    if any(known.possible(atom.predicate) == [] for atom in atoms):
        return None  # it waits for rules that never fire
    found = known.narrowed(atoms, scope.comparisons)
    if not isinstance(found, Nothing):
        return None
    condition = found.condition
    if isinstance(condition, t.Comparison):
        message = f"no value is left for `?{found.variable}` that the earlier conditions allow"
        return _never(f"{message}; `{print_condition(condition)}` excludes it", condition.span, _CORRECT)
    shown = print_condition(condition)
    patterns = known.possible(condition.predicate)
    if patterns is None:
        return _never(f"no value is left for `?{found.variable}` in `{shown}`", condition.span, _CORRECT)
    single_fails = isinstance(known.narrowed([condition], []), Nothing)
    message = f"no rule concludes `{shown}`" + ("" if single_fails else " that the other conditions allow")
    return _never(message, condition.span, f"{_described_conclusions(condition, patterns)}; {_CORRECT}")


_CORRECT = "correct the conditions, or add a rule"


def _described_conclusions(condition: t.Atom, patterns: Sequence[Pattern]) -> str:
    """Return the possible conclusions for a predicate, for a message."""
    kinds = [
        f"`{condition.predicate}({', '.join(map(_shown, pattern))})`"
        for pattern in sorted(patterns, key=lambda pattern: list(map(_shown, pattern)))
    ]
    more = f" and {counted(len(kinds) - _SHOWN, 'other')}" if len(kinds) > _SHOWN else ""
    return f"rules conclude {', '.join(kinds[:_SHOWN])}{more}"


def _shown(values: Values) -> str:
    if values is None:
        return "_"
    words = [
        print_word(value) if isinstance(value, str) else str(value)
        for value in sorted(values, key=value_order)
    ]
    return " | ".join(words[:_SHOWN]) + (" | …" if len(words) > _SHOWN else "")
