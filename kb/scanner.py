"""The scanner: a text is cut into clauses, each up to its period, and comments.

Every character of the text that is not white space belongs to exactly one clause or one comment between
clauses; a comment inside a clause belongs to both. Nothing is parsed here.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_TOKEN = re.compile(
    r"(?P<comment>%[^\n]*)|(?P<quoted>'(?:[^'\n]|'')*'|\"[^\"\n]*\")|(?P<end>\.)|(?P<newline>\n)|(?P<other>[^\s%'\".]+|.)",
    re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class Comment:
    """A comment with its mark; `line` and `column` count from 1."""

    text: str
    line: int
    column: int


@dataclass(frozen=True, slots=True)
class ClauseText:
    """The text of one clause from its first character to its period (or to the end of the file)."""

    text: str
    line: int
    column: int
    comments: tuple[Comment, ...]


def scan(text: str) -> tuple[list[ClauseText], list[Comment]]:
    """The clauses of a text in order, and all its comments in order."""
    clauses: list[ClauseText] = []
    comments: list[Comment] = []
    start: tuple[int, int, int] | None = None  # offset, line and column of the clause's first character
    first_comment = 0
    line, line_start = 1, 0
    end = 0
    for match in _TOKEN.finditer(text):
        kind = match.lastgroup
        if kind == "newline":
            line += 1
            line_start = match.end()
            continue
        column = match.start() - line_start + 1
        if kind == "comment":
            comments.append(Comment(match.group().rstrip(), line, column))
            continue
        if kind == "other" and match.group().isspace():
            continue
        if start is None:
            start, first_comment = (match.start(), line, column), len(comments)
        end = match.end()
        if kind == "end":
            inside = tuple(comments[first_comment:])
            clauses.append(ClauseText(text[start[0] : end], start[1], start[2], inside))
            start = None
    if start is not None:
        inside = tuple(c for c in comments[first_comment:])
        clauses.append(ClauseText(text[start[0] : end], start[1], start[2], inside))
    return clauses, comments
