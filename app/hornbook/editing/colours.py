"""Semantic colours of every word, symbol and comment of a file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType

from hornbook.editing.names.occurrences import ParsedClauses, Role
from hornbook.editing.names.scope import FileScope
from hornbook.editing.texts import TextLines
from hornbook.kb.parse.syntax import ParsedFile

TYPES = (
    "namespace", "type", "function", "label", "variable", "enumMember", "string", "number", "keyword",
    "operator", "comment", "event",
)  # fmt: skip
"""The kinds of tokens, in the order of their numbers in the protocol."""
MODIFIERS = ("declaration", "readonly")
_TYPE_OF: Mapping[Role, str] = MappingProxyType(
    {
        "theory": "namespace",
        "instance": "namespace",
        "sort": "type",
        "predicate": "function",
        "label": "label",
        "variable": "variable",
        "wildcard": "variable",
        "constant": "enumMember",
        "number": "number",
        "example": "event",
        "function": "function",
        "keyword": "keyword",
    }
)
_OPERATORS = frozenset(("IF", "ARROW", "ASK", "COMPARE", "DIVIDE", "VBAR", "EQUAL", "PLUS", "MINUS", "STAR"))
Coloured = tuple[int, int, int, str, bool]
"""Line, column and length in characters, the kind of token, and whether it declares a name."""


def coloured(parsed: ParsedFile, clauses: Sequence[ParsedClauses], scope: FileScope) -> list[Coloured]:
    """Return the tokens of a file with their kinds, in the order of the text."""
    found = [(c.line, c.column, len(c.text), "comment", False) for c in parsed.comments]
    for each in clauses:
        found += _in_clauses(each, scope)
    return sorted(found)


def _in_clauses(clauses: ParsedClauses, scope: FileScope) -> Iterator[Coloured]:
    names = {(name.span.line, name.span.column): name for name in clauses.names}
    for token in clauses.tokens:
        name = names.get((token.line, token.column))
        kind = None if name is None else _TYPE_OF[name.role]
        if token.type in ("QUOTED", "PATH"):
            kind = "string"
        elif token.type in _OPERATORS:
            kind = "operator"
        elif name is not None and name.role == "constant" and name.of is None:
            sort = scope.sort_of(name.column)
            kind = "enumMember" if sort is not None and sort.kind == "enumerated" else None
        if kind is not None:
            yield token.line, token.column, len(token.text), kind, name is not None and name.declares


def encoded(tokens: Sequence[Coloured], lines: TextLines) -> list[int]:
    """Return the tokens in the encoding of the protocol, each relative to the one before."""
    data: list[int] = []
    line, start = 0, 0
    for at, column, length, kind, declares in tokens:
        first, last = lines.position(at, column), lines.position(at, column + length)
        delta = first.line - line
        data += (
            delta,
            first.character if delta else first.character - start,
            last.character - first.character,
            TYPES.index(kind),
            int(declares),
        )
        line, start = first.line, first.character
    return data
