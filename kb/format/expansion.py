"""Expansion of a file: `persists` clauses, exceptions and rules with `or` are replaced by core rules.

The expanded text has the same meaning. The original clauses remain as comments, and everything else stays
unchanged.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from hornbook.kb.ast.declarations import Clause, Frame, Predicate
from hornbook.kb.ast.terms import Rule
from hornbook.kb.format.printer import print_clause
from hornbook.kb.parse.syntax import ParsedFile
from hornbook.kb.text.scanner import scan


def expanded(
    file: ParsedFile, rules: Iterable[tuple[Frame, tuple[Rule, ...]]], core: Sequence[Clause]
) -> str:
    """Return the expanded text of a file without mistakes.

    `rules` contains the rules of its `persists` clauses and possibly those of other files. `core` has the
    clauses of the file without exceptions (kb/desugar/exceptions.py).
    """
    own: dict[tuple[int, int], list[Rule | Predicate]] = {}
    for frame, found in rules:
        if frame.fluent.span.file == file.name:
            own[frame.fluent.span.line, frame.fluent.span.column] = list(found)
    for clause in core:
        if isinstance(clause, Rule) or (isinstance(clause, Predicate) and clause.exception is not None):
            own.setdefault((clause.span.line, clause.span.column), []).append(clause)
    written = {id(clause) for clause in file.clauses}
    text = file.text
    lines = text.split("\n")
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line) + 1)
    pieces: list[str] = []
    end = 0
    for tokens in scan(text, []):
        first, last = tokens[0], tokens[-1]
        # A marked clause is found by the next token.
        places = ((token.line, token.column) for token in tokens[:2])
        stands_for = next((own[place] for place in places if place in own), [])
        is_core = len(stands_for) < 2 and all(id(clause) in written for clause in stands_for)
        if first.type != "PERSISTS" and is_core:
            continue
        begins = starts[first.line - 1] + first.column - 1
        ends = starts[last.line - 1] + last.end_column - 1
        pieces += [text[end:begins], _clause(text[begins:ends], stands_for)]
        end = ends
    return "".join((*pieces, text[end:]))


def _clause(text: str, core: Iterable[Rule | Predicate]) -> str:
    comments = (f"% {line.strip()}" for line in text.split("\n"))
    return "\n".join((*comments, *map(print_clause, core)))
