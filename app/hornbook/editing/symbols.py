"""Symbols: the declarations and conclusions of a file, and those of a project."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType

from lsprotocol import types as lsp

from hornbook.editing.names.occurrences import ParsedClauses, Role
from hornbook.editing.texts import TextLines, Units, by_lines
from hornbook.editing.workspace import Workspace
from hornbook.kb.ast.declarations import Example, ExceptionRule, Frame, Predicate, Replies, Sort, TheoryName
from hornbook.kb.ast.notation import print_condition
from hornbook.kb.ast.terms import Rule
from hornbook.kb.parse.vocabulary import declaration

KINDS: Mapping[Role, lsp.SymbolKind] = MappingProxyType(
    {
        "theory": lsp.SymbolKind.Module,
        "sort": lsp.SymbolKind.Class,
        "predicate": lsp.SymbolKind.Function,
        "label": lsp.SymbolKind.Method,
        "example": lsp.SymbolKind.Event,
    }
)
MOST_SYMBOLS = 500
"""The largest number of project symbols in one reply."""


def of_document(clauses: tuple[ParsedClauses, ...], lines: TextLines) -> list[lsp.DocumentSymbol]:
    """Return the symbols that the clauses of a file declare or conclude, in the order of the text."""
    return [symbol for each in clauses for symbol in _of_clauses(each, lines)]


def _of_clauses(clauses: ParsedClauses, lines: TextLines) -> Iterator[lsp.DocumentSymbol]:
    first, last = clauses.tokens[0], clauses.tokens[-1]
    whole = lsp.Range(lines.position(first.line, first.column), lines.position(last.line, last.end_column))
    declared = next((each for each in clauses.names if each.declares and each.role in KINDS), None)
    if declared is not None:
        yield lsp.DocumentSymbol(
            declared.name, KINDS[declared.role], whole, lines.range(declared.span), detail=_detail(clauses)
        )
        return
    for clause in clauses.clauses[:1]:
        match clause:
            case Rule():
                if clause.is_fact:
                    return  # there may be thousands, and they declare nothing
                name, kind = print_condition(clause.head), lsp.SymbolKind.Method
            case Frame():
                word = "persists" if clause.persists else "frame"
                name, kind = f"{word} {print_condition(clause.fluent)}", lsp.SymbolKind.Property
            case Replies():
                name, kind = f"replies {print_condition(clause.game)}", lsp.SymbolKind.Property
            case _:
                return
        yield lsp.DocumentSymbol(name, kind, whole, whole)


def _detail(clauses: ParsedClauses) -> str:
    clause = clauses.clauses[0] if clauses.clauses else None
    match clause:
        case Predicate():
            return declaration(clause)
        case Sort():
            return clause.kind
        case Rule():
            return print_condition(clause.head)
        case ExceptionRule():
            return f"{'absent ' if clause.suspends else ''}{print_condition(clause.rules[0].head)}"
        case TheoryName():
            return "theory"
        case Example():
            return "example"
        case _:
            return ""


def of_project(workspace: Workspace, query: str, units: Units) -> list[lsp.WorkspaceSymbol]:
    """Return the declared symbols of all files whose names contain the letters of a query in this order."""
    found: list[lsp.WorkspaceSymbol] = []
    for path in workspace.project():
        lines: TextLines | None = None
        for clauses in workspace.clauses(path):
            for each in clauses.names:
                if not (each.declares and each.role in KINDS and _fits(query, each.name)):
                    continue
                if lines is None:
                    parsed = workspace.parsed(path)
                    lines = by_lines("" if parsed is None else parsed.text, units)
                place = lsp.Location(path.as_uri(), lines.range(each.span))
                found.append(
                    lsp.WorkspaceSymbol(place, each.name, KINDS[each.role], container_name=path.stem)
                )
                if len(found) == MOST_SYMBOLS:
                    return found
    return found


def _fits(query: str, name: str) -> bool:
    letters = iter(name.lower())
    return all(letter in letters for letter in query.lower())
