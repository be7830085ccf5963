"""Broken clauses: the names that occur in clauses with syntax errors.

The syntax error is the only mistake that is reported. Missing declarations and rules in such a clause cause
no further diagnostics. The end of a broken clause is guessed by the scanner.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Literal

from hornbook.kb.parse.syntax import ParsedFile
from hornbook.kb.text.scanner import Token, scan
from hornbook.matcher.program.dataclass import dataclass

Declared = Literal["sort", "predicate", "example"]
_DECLARING: dict[str, tuple[Declared, ...]] = {
    "KIND": ("predicate",),
    "SORT": ("sort",),
    "EXAMPLE": ("example",),
}


@dataclass(frozen=True, slots=True)
class BrokenClauses:
    """The names that broken clauses mention, and those that they seem to declare."""

    mentioned: frozenset[str]
    declared: frozenset[tuple[Declared, str]]

    def declares(self, what: Declared, name: str) -> bool:
        return (what, name) in self.declared


NOTHING_BROKEN = BrokenClauses(frozenset(), frozenset())


def broken_clauses(file: ParsedFile) -> BrokenClauses:
    """Return the names in the clauses of a file that contain syntax errors."""
    if not file.diagnostics:
        return NOTHING_BROKEN
    lines = {diagnostic.span.line for diagnostic in file.diagnostics}
    mentioned: set[str] = set()
    declared: set[tuple[Declared, str]] = set()
    for tokens in scan(file.text, []) if file.scanned is None else file.scanned:
        if not lines.isdisjoint(range(tokens[0].line, tokens[-1].line + 1)):
            mentioned.update(token.text for token in tokens if token.text.isidentifier())
            declared.update(_declared(tokens))
    return BrokenClauses(frozenset(mentioned), frozenset(declared))


def _declared(tokens: Sequence[Token]) -> set[tuple[Declared, str]]:
    """Return the names after a declaring keyword. An unknown first word counts as a misspelt keyword."""
    found: set[tuple[Declared, str]] = set()
    for number, (word, name) in enumerate(pairwise(tokens)):
        kinds = _DECLARING.get(word.type, ())
        if not kinds and number == 0 and word.type == "NAME":
            kinds = ("sort", "predicate", "example")
        if name.text.isidentifier():
            found.update((kind, name.text) for kind in kinds)
    return found
