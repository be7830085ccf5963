"""Incremental parsing: the clauses before and after the changed lines are reused.

A clause depends only on its tokens. A token depends on its line, and on whether a clause is open at the
beginning of the line. So scanning restarts at the last line before the change that begins outside of a
clause. It stops at the first line after the change that does so in both texts. Clauses that only moved have
other positions. They are parsed again from known tokens.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import takewhile
from operator import eq
from typing import Any

from hornbook.kb.text.scanner import Comment, Token, scan, scan_lines
from hornbook.matcher.program.dataclass import dataclass


@dataclass(frozen=True, slots=True)
class ParsedPiece:
    """The tokens up to a period, and the parse results, which depend only on them and on the file's name."""

    tokens: tuple[Token, ...]
    found: tuple[Any, ...]

    @property
    def first_line(self) -> int:
        return self.tokens[0].line

    @property
    def last_line(self) -> int:
        return self.tokens[-1].line

    @property
    def is_open(self) -> bool:
        """Whether the period is missing, so that the following tokens may belong to the clause."""
        return self.tokens[-1].type != "DOT"


@dataclass(frozen=True, slots=True)
class ParsedText:
    """A parsed text as lines: its pieces and its comments, and whether it was parsed to its end."""

    lines: Sequence[str] = ()
    pieces: tuple[ParsedPiece, ...] = ()
    comments: tuple[Comment, ...] = ()
    is_whole: bool = False


def reused_pieces(
    text: str, before: ParsedText, comments: list[Comment]
) -> Iterator[list[Token] | ParsedPiece]:
    """Yield the pieces of a text in order: known ones of an earlier text, and the tokens up to a period for
    all others.

    A comment is appended to `comments` before the piece that follows it is yielded.
    """
    lines = text.split("\n")
    if "/*" in text or any("/*" in line for line in before.lines):
        yield from scan(text, comments)
        return
    same = _common_prefix(lines, before.lines)
    others = min(len(lines), len(before.lines)) - same
    after = min(others, _common_prefix(lines[::-1], before.lines[::-1]))
    moved = len(lines) - len(before.lines)
    first, reused = _restart(before.pieces, same + 1)
    comments += (comment for comment in before.comments if comment.line < first)
    yield from before.pieces[:reused]
    stops = _stops(before, reused, len(before.lines) - after, moved) if before.is_whole else {}
    stopped = yield from scan_lines(lines[first - 1 :], comments, first, stops)
    if stopped is None:
        return
    comments += (
        Comment(comment.text, comment.line + moved, comment.column)
        for comment in before.comments
        if comment.line + moved >= stopped
    )
    for piece in before.pieces[stops[stopped] :]:
        yield (
            [Token(kind, word, line + moved, column) for kind, word, line, column in piece.tokens]
            if moved
            else piece
        )


def _common_prefix(some: Sequence[str], others: Sequence[str]) -> int:
    """Return the length of the common prefix of two sequences of lines."""
    return sum(1 for _ in takewhile(bool, map(eq, some, others)))


def _restart(pieces: Sequence[ParsedPiece], line: int) -> tuple[int, int]:
    """Return the last line up to `line` that begins outside of a piece, and the number of pieces that end
    before it.
    """
    reused = sum(piece.last_line < line for piece in pieces)
    while True:
        if reused < len(pieces) and pieces[reused].first_line < line:
            line = pieces[reused].first_line
        if reused and (pieces[reused - 1].last_line >= line or pieces[reused - 1].is_open):
            reused -= 1
        else:
            return line, reused


def _stops(before: ParsedText, reused: int, changed: int, moved: int) -> dict[int, int]:
    """Return the line numbers after the change at which scanning can stop, each with the number of its piece.

    At such a line a piece begins and none is open. The numbers are those of the new text.
    """
    pieces = before.pieces
    return {
        piece.first_line + moved: number
        for number, piece in enumerate(pieces[reused:], reused)
        if piece.first_line > changed and (number == 0 or pieces[number - 1].last_line < piece.first_line)
    }
