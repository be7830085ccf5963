"""Facts: what is given must be ground, and of a predicate whose facts may be given."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from hornbook.kb.ast.declarations import Predicate
from hornbook.kb.ast.terms import GameStatement, Statement, Variable
from hornbook.kb.check.subject import Subject
from hornbook.kb.format.printer import print_condition
from hornbook.kb.parse.facts import ONE_ACTION, why_never_given
from hornbook.kb.sources.diagnostics import Diagnostic, error


def check_facts(subject: Subject) -> Iterator[Diagnostic]:
    """HB040 and HB049."""
    yield from _actions(subject)
    for fact in subject.facts:
        open_places = list(ground((fact.head,)))
        yield from open_places
        if not open_places:
            yield from _given(fact.head, subject)


def _actions(subject: Subject) -> Iterator[Diagnostic]:
    """Actions that are stated by a theory, or beside another one in a state."""
    first: Statement | None = None
    for fact in subject.facts:
        if isinstance(fact.head, GameStatement) or fact.head.predicate not in subject.vocabulary.predicates:
            continue
        if subject.vocabulary.predicates[fact.head.predicate].kind != "action":
            continue
        if not subject.is_state:
            message = f"the theory states the action `{fact.head.predicate}`, which is taken in a state and not always"
            help_ = f"put it into an example, `example name: {print_condition(fact.head)}, … .`, or into the state that is asked about"
            yield error("HB049", message, fact.head.span, help_)
        elif first is not None and first != fact.head:
            message = f"a second action in one state: `{print_condition(first)}` is taken there"
            yield error("HB049", message, fact.head.span, ONE_ACTION)
        first = first or fact.head


def ground(statements: Iterable[Statement]) -> Iterator[Diagnostic]:
    """The first variable of each statement that has one."""
    for statement in statements:
        variable = next((term for term in statement.terms if isinstance(term, Variable)), None)
        if variable is not None:
            shown = "_" if variable.is_wildcard else f"?{variable.name}"
            help_ = "write a constant; where the fact is to hold for many, write a rule with conditions"
            yield error("HB040", f"a fact cannot hold the variable `{shown}`", variable.span, help_)


def _given(fact: Statement, subject: Subject) -> Iterator[Diagnostic]:
    predicate = subject.predicate(fact.game.predicate if isinstance(fact, GameStatement) else fact.predicate)
    if predicate is None or isinstance(fact, GameStatement) != (predicate.kind == "game"):
        return
    problem = why_never_given(fact, subject.vocabulary)
    if problem is not None:
        yield error("HB040", problem, fact.span, _way_out(fact, predicate))


def _way_out(fact: Statement, predicate: Predicate) -> str:
    columns = f"({', '.join('…' for _ in predicate.columns)})" if predicate.columns else ""
    written = f"{predicate.name}{columns}"
    if predicate.kind == "game":
        return f"make it a rule by a label, `because: {written} is …`"
    if predicate.kind in ("derived", "meta"):
        return f"make it a rule by a label, `because: {written}.`, or declare it static or fluent"
    return f"conclude it by a rule of an action, or state what holds before: `{written}.`"
