"""Facts: a given fact must be ground, and its predicate must allow given facts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from hornbook.kb.ast.declarations import Predicate
from hornbook.kb.ast.notation import print_word
from hornbook.kb.ast.terms import (
    Atom,
    GameStatement,
    PlanStatement,
    Rule,
    Statement,
    Term,
    Variable,
    predicate_of,
)
from hornbook.kb.ast.theory import Vocabulary
from hornbook.kb.check.check_unit import CheckUnit
from hornbook.kb.format.printer import print_condition
from hornbook.kb.parse.facts import ONE_ACTION, STATED_ONLY, why_never_given, why_stated_only
from hornbook.kb.sources.diagnostics import Diagnostic, error


def check_facts(unit: CheckUnit) -> Iterator[Diagnostic]:
    """Yield HB040 and HB049, and HB070 for facts given outside of the theory."""
    yield from _actions(unit)
    for fact in unit.facts:
        if isinstance(fact.head, PlanStatement):
            continue
        open_places = list(ground((fact.head,), f"write a constant, or {_rule_for_many(fact.head, unit)}"))
        yield from open_places
        if not open_places:
            yield from _given(fact.head, unit)


def _actions(unit: CheckUnit) -> Iterator[Diagnostic]:
    """Yield HB049 for actions stated by a theory, and for a second action in a state."""
    first: Statement | None = None
    for fact in unit.facts:
        if not isinstance(fact.head, Atom) or fact.head.predicate not in unit.vocabulary.predicates:
            continue
        if unit.vocabulary.predicates[fact.head.predicate].kind != "action":
            continue
        if not unit.is_state:
            message = (
                f"the theory states the action `{fact.head.predicate}`, which is taken in a state and "
                "not always"
            )
            help_ = (
                f"put it into an example, `example name: {print_condition(fact.head)}, … .`, or into "
                "the state of the query"
            )
            yield error("HB049", message, fact.head.span, help_)
        elif first is not None and first != fact.head:
            message = f"a second action in one state: `{print_condition(first)}` is taken there"
            yield error("HB049", message, fact.head.span, ONE_ACTION)
        first = first or fact.head


def ground(statements: Iterable[Statement], help_: str) -> Iterator[Diagnostic]:
    """Yield HB040 for the first variable of each statement with variables."""
    for statement in statements:
        variable = next((term for term in statement.terms if isinstance(term, Variable)), None)
        if variable is not None:
            shown = "_" if variable.is_wildcard else f"?{variable.name}"
            yield error("HB040", f"a fact cannot hold the variable `{shown}`", variable.span, help_)


def stated_only(statements: Iterable[Statement], words: Vocabulary) -> Iterator[Diagnostic]:
    """Yield HB070 for outside facts and rule heads of predicates that only the theory may state."""
    for statement in statements:
        problem = why_stated_only(words.predicates.get(predicate_of(statement)))
        if problem is not None:
            yield error("HB070", problem, statement.span, STATED_ONLY)


def check_concluded(rules: Iterable[Rule], words: Vocabulary) -> Iterator[Diagnostic]:
    """Yield HB070 for rules that are added to a theory. Proved rules add no information and are exempt."""
    heads = (rule.head for rule in rules if not rule.is_fact)
    return stated_only((head for head in heads if not isinstance(head, PlanStatement)), words)


def _rule_for_many(fact: Statement, unit: CheckUnit) -> str:
    """Return a suggestion for a fact with variables: a rule with conditions on the variables."""
    predicate = unit.fits(fact) if isinstance(fact, Atom) else None
    if predicate is None or predicate.kind not in ("static", "fluent"):
        return "where it is to hold for many, a rule with conditions"
    terms: list[Term] = []
    conditions: dict[str, str] = {}
    for term, column in zip(fact.terms, predicate.columns, strict=True):
        if isinstance(term, Variable):
            name = column.name if term.is_wildcard else term.name
            name += str(len(conditions) + 1) if term.is_wildcard and name in conditions else ""
            terms.append(Variable(name))
            conditions[name] = _sort_condition(f"?{name}", column.name, unit)
        else:
            terms.append(term)
    shown = [f"({c})" if " or " in c and len(conditions) > 1 else c for c in conditions.values()]
    rule = f"{print_condition(fact.with_terms(tuple(terms)))} :- {', '.join(shown)}."
    return f"a rule that says for which it holds: `{rule}`"


def _sort_condition(variable: str, sort: str, unit: CheckUnit) -> str:
    """Return a condition that restricts a variable to a sort: a list of constants if the sort is closed."""
    known = unit.vocabulary.sorts.get(sort)
    if known is None or known.kind == "open":
        return f"{sort}({variable})"
    options = [f"{variable} = {print_word(constant)}" for constant in known.constants[:3]]
    return " or ".join(options) if 0 < len(known.constants) <= 3 else " or ".join((*options, "…"))


def _given(fact: Statement, unit: CheckUnit) -> Iterator[Diagnostic]:
    predicate = unit.predicate(predicate_of(fact))
    if predicate is None or isinstance(fact, GameStatement) != (predicate.kind == "game"):
        return
    problem = why_never_given(fact, unit.vocabulary)
    if problem is not None:
        yield error("HB040", problem, fact.span, _remedy(fact, predicate))
    elif unit.is_state:
        yield from stated_only((fact,), unit.vocabulary)


def _remedy(fact: Statement, predicate: Predicate) -> str:
    columns = f"({', '.join('…' for _ in predicate.columns)})" if predicate.columns else ""
    written = f"{predicate.name}{columns}"
    if predicate.kind == "game":
        return f"make it a rule by a label, `because: {written} is …`"
    if predicate.kind in ("derived", "meta"):
        return f"make it a rule by a label, `because: {written}.`, or declare it static or fluent"
    return f"conclude it by a rule of an action, or state what holds before: `{written}.`"
