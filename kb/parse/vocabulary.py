"""The vocabulary of files: their declared sorts and predicates, with the built-in sorts.

If a name is declared twice, the first declaration counts. Wrong declarations are included unchanged, because
the checks need a vocabulary to report them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType

from hornbook.kb.ast.declarations import INTEGER_SORT, VALUE_SORT, Predicate, Sort
from hornbook.kb.ast.theory import Vocabulary
from hornbook.kb.ast.values import VALUES
from hornbook.kb.parse.syntax import ParsedFile

BUILT_IN_SORTS: Mapping[str, Sort] = MappingProxyType(
    {
        INTEGER_SORT: Sort(INTEGER_SORT, "integer"),
        VALUE_SORT: Sort(VALUE_SORT, "enumerated", VALUES),
    }
)
"""The sorts that no file declares."""


def vocabulary(files: Iterable[ParsedFile]) -> Vocabulary:
    """Return the vocabulary of files. The first declaration of a name counts."""
    sorts = dict(BUILT_IN_SORTS)
    predicates: dict[str, Predicate] = {}
    for file in files:
        for clause in file.clauses:
            if isinstance(clause, Sort):
                sorts.setdefault(clause.name, clause)
            elif isinstance(clause, Predicate):
                predicates.setdefault(clause.name, clause)
    return Vocabulary(sorts, predicates)


def kind_of(predicate: Predicate) -> str:
    """Return a predicate's kind with its article: `a fluent`, `an action`, `a derived predicate`."""
    article = "an" if predicate.kind == "action" else "a"
    return f"{article} {predicate.kind}" + (" predicate" if predicate.kind in ("derived", "meta") else "")


def declaration(predicate: Predicate) -> str:
    """Return a predicate's declaration as text, without its period."""
    columns = [column.name for column in predicate.columns]
    text = f"{predicate.kind} {predicate.name}"
    if columns:
        key = predicate.key
        before = "" if not key else f"{', '.join(columns[:key])} "
        shown = ", ".join(columns) if key is None else f"{before}-> {', '.join(columns[key:])}"
        text += f"({shown})"
    if predicate.counts is not None:
        text += f" counts {predicate.counts.name}"
    if predicate.but is not None:
        text += f" but {predicate.but.name}"
    return text if predicate.allows is None else f"{text} allows {predicate.allows.name}"
