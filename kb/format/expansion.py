"""Expansion: the text of a file with the rules that its `persists` clauses stand for in the place of these.

What is printed says the same as the file: a `persists` clause stays as a comment, and everything else stays as it is.
"""

from __future__ import annotations

from collections.abc import Iterable

from hornbook.kb.ast.declarations import Frame
from hornbook.kb.ast.terms import Rule
from hornbook.kb.format.printer import print_rule
from hornbook.kb.text.scanner import scan


def expanded(text: str, rules: Iterable[tuple[Frame, tuple[Rule, ...]]], file: str) -> str:
    """The text of a file without mistakes; `rules` has those of its `persists` clauses, and may have those of other files."""
    own = {
        (frame.fluent.span.line, frame.fluent.span.column): found
        for frame, found in rules
        if frame.fluent.span.file == file
    }
    lines = text.split("\n")
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line) + 1)
    pieces: list[str] = []
    end = 0
    for tokens in scan(text, []):
        if tokens[0].type != "PERSISTS":
            continue
        first, last = tokens[0], tokens[-1]
        begins = starts[first.line - 1] + first.column - 1
        ends = starts[last.line - 1] + last.end_column - 1
        pieces += [text[end:begins], _clause(text[begins:ends], own[tokens[1].line, tokens[1].column])]
        end = ends
    return "".join((*pieces, text[end:]))


def _clause(text: str, rules: Iterable[Rule]) -> str:
    said = (f"% {line.strip()}" for line in text.split("\n"))
    return "\n".join((*said, *map(print_rule, rules)))
