"""Capitals: capitalised words that are probably meant as variables, as in other rule languages."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from hornbook.kb.ast.terms import Constant, Rule, Statement, condition_variables
from hornbook.kb.check.check_unit import CheckUnit, PreparedClause
from hornbook.kb.sources.diagnostics import Diagnostic, warning


def check_capitals(unit: CheckUnit) -> Iterator[Diagnostic]:
    """Yield HB044 for a rule or query without variables that has unquoted capitalised words of open sorts."""
    for prepared in unit.prepared_clauses():
        if prepared.purpose in ("frame", "replies") or _has_variables(prepared):
            continue
        for word in _words(unit, prepared.everything()):
            message = f"`{word.value}` is a word, and there is no variable here"
            yield warning("HB044", message, word.span, _help(word))
            break


def check_capitals_among_variables(unit: CheckUnit) -> Iterator[Diagnostic]:
    """Yield HB055 for an unquoted capitalised word that occurs twice in the conditions and in no
    known fact.
    """
    known: set[str | int] = set()
    for fact in (*unit.facts, *(c for c in unit.imported if isinstance(c, Rule) and c.is_fact)):
        known.update(term.value for term in fact.head.terms if isinstance(term, Constant))
    for example in unit.examples:
        for statement in example.statements:
            known.update(term.value for term in statement.terms if isinstance(term, Constant))
    for prepared in unit.rules:
        if not _has_variables(prepared):
            continue
        words = [word for word in _words(unit, prepared.statements) if word.value not in known]
        counts = Counter(word.value for word in words)
        for word in words:
            if counts[word.value] > 1:
                message = (
                    f"`{word.value}` is a word, which no fact here knows, and joins conditions like a "
                    "variable"
                )
                yield warning("HB055", message, word.span, _help(word))
                break


def _help(word: Constant) -> str:
    return f"a variable has a mark: `?{word.value}`; a word may be quoted: `'{word.value}'`"


def _is_quoted(word: Constant) -> bool:
    """Return whether the word is quoted in the source."""
    return word.span.end_column - word.span.column > len(str(word.value))


def _has_variables(prepared: PreparedClause) -> bool:
    head = () if prepared.head is None else (prepared.head,)
    return any(True for condition in (*head, *prepared.body) for _ in condition_variables(condition))


def _words(unit: CheckUnit, statements: Iterable[Statement]) -> Iterator[Constant]:
    """Yield the unquoted capitalised words of open sorts."""
    sorts = unit.vocabulary.sorts
    for statement in statements:
        predicate = None if len(statement.terms) == 0 else unit.vocabulary.predicates.get(statement.relation)
        if predicate is None or len(predicate.columns) != len(statement.terms):
            continue
        for term, column in zip(statement.terms, predicate.columns, strict=True):
            is_open = column.name in sorts and sorts[column.name].kind == "open"
            if not is_open or not isinstance(term, Constant) or _is_quoted(term):
                continue
            if str(term.value)[:1].isupper():
                yield term
