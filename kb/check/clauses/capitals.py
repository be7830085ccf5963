"""Capitals: capitalised words where variables seem to be meant, as in other rule languages."""

from __future__ import annotations

from collections.abc import Iterator

from hornbook.kb.ast.terms import Constant, condition_variables
from hornbook.kb.check.subject import Reading, Subject
from hornbook.kb.sources.diagnostics import Diagnostic, warning


def check_capitals(subject: Subject) -> Iterator[Diagnostic]:
    """HB044: a rule or query without a single variable, with words of open sorts that begin with a capital."""
    for reading in subject.readings():
        if reading.purpose in ("frame", "replies") or _has_variables(reading):
            continue
        for word in _words(reading, subject):
            message = f"`{word.value}` is a word, and nothing here is a variable"
            yield warning("HB044", message, word.span, f"a variable has a mark: `?{word.value}`")
            break


def _has_variables(reading: Reading) -> bool:
    head = () if reading.head is None else (reading.head,)
    return any(True for condition in (*head, *reading.body) for _ in condition_variables(condition))


def _words(reading: Reading, subject: Subject) -> Iterator[Constant]:
    sorts = subject.vocabulary.sorts
    for statement in reading.everything():
        predicate = (
            None if len(statement.terms) == 0 else subject.vocabulary.predicates.get(statement.relation)
        )
        if predicate is None or len(predicate.columns) != len(statement.terms):
            continue
        for term, column in zip(statement.terms, predicate.columns, strict=True):
            is_open = column.name in sorts and sorts[column.name].kind == "open"
            if is_open and isinstance(term, Constant) and str(term.value)[:1].isupper():
                yield term
