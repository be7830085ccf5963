"""Inlay hints: the sort of each variable, after its first occurrence in a clause."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from lsprotocol import types as lsp

from hornbook.editing.names.occurrences import ParsedClauses
from hornbook.editing.names.scope import FileScope
from hornbook.editing.names.sorts import sorts_in
from hornbook.editing.texts import TextLines


def hints(
    clauses: Iterable[ParsedClauses], scope: FileScope, lines: TextLines, first: int, last: int
) -> Iterator[lsp.InlayHint]:
    """Yield the hints between two lines, counted from 1."""
    for each in clauses:
        if each.last_line < first or each.first_line > last:
            continue
        sorts = sorts_in(each, scope)
        seen: set[str] = set()
        for name in each.names:
            if name.role == "variable" and name.name not in seen:
                seen.add(name.name)
                sort = sorts.get(name.name)
                if sort is not None and first <= name.span.line <= last:
                    yield lsp.InlayHint(
                        lines.position(name.span.end_line, name.span.end_column),
                        f": {sort.name}",
                        kind=lsp.InlayHintKind.Type,
                    )
