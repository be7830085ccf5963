"""Sorts of variables in a possibly unfinished text: as settled by the checker, or from the first column with
a sort.
"""

from __future__ import annotations

from collections.abc import Mapping

from hornbook.editing.names.occurrences import ParsedClauses
from hornbook.editing.names.scope import FileScope
from hornbook.kb.ast.declarations import Sort, rules_in
from hornbook.kb.check.clauses.sorts import variable_sorts


def sorts_in(clauses: ParsedClauses, scope: FileScope) -> Mapping[str, Sort]:
    """Return the known sorts of the variables between two periods."""
    known = scope.vocabulary.sorts
    found: dict[str, Sort] = {}
    for rule in rules_in(clauses.clauses):
        for name, sort in variable_sorts(rule, scope.vocabulary).items():
            if sort in known:
                found.setdefault(name, known[sort])
    for each in clauses.names:
        if each.role == "variable":
            own = scope.sort_of(each.column)
            if own is not None:
                found.setdefault(each.name, own)
    return found


def sort_of_variable(clauses: ParsedClauses, name: str, scope: FileScope) -> Sort | None:
    return sorts_in(clauses, scope).get(name)
