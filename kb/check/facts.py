"""Facts: what is given must be ground, and of a predicate whose facts may be given."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from kb.check.subject import Subject, parts
from kb.diagnostics import Diagnostic, error
from kb.terms import GameStatement, Statement, Variable


def check_facts(subject: Subject) -> Iterator[Diagnostic]:
    """HB040."""
    for fact in subject.facts:
        open_places = list(ground((fact.head,)))
        yield from open_places
        if not open_places and not isinstance(fact.head, GameStatement):
            yield from _given(fact.head, subject)


def ground(statements: Iterable[Statement]) -> Iterator[Diagnostic]:
    """The first variable of each statement that has one."""
    for statement in statements:
        variable = next((term for term in statement.terms if isinstance(term, Variable)), None)
        if variable is not None:
            shown = "_" if variable.is_wildcard else f"?{variable.name}"
            help_ = "write a constant; where the fact is to hold for many, write a rule with conditions"
            yield error("HB040", f"a fact cannot hold the variable `{shown}`", variable.span, help_)


def _given(fact: Statement, subject: Subject) -> Iterator[Diagnostic]:
    for atom in parts(fact):
        predicate = subject.predicate(atom.predicate)
        if predicate is not None and predicate.kind in ("derived", "meta"):
            message = f"`{atom.predicate}` is {predicate.kind}: its facts are concluded by rules, never given"
            columns = f"({', '.join('…' for _ in atom.arguments)})" if atom.arguments else ""
            help_ = f"make it a rule by a label, `because: {atom.predicate}{columns}.`, or declare it static or fluent"
            yield error("HB040", message, atom.span, help_)
