"""The formatter: a whole file in the one common layout, with every comment.

Formatting never changes what a file says: the clauses of the formatted text are equal to those of the text, and
the comments are the same in the same order; both are made sure of each time. Formatting what is formatted
changes nothing. Between two clauses or comments, one empty line stays where there were any.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import zip_longest

from hornbook.kb.format.line_breaks import Piece, break_lines
from hornbook.kb.parse.syntax import parse, resolve
from hornbook.kb.sources.diagnostics import TheoryError
from hornbook.kb.text.scanner import Comment, Token, scan
from hornbook.matcher.program.hornbook_error import HornbookError

_NO_SPACE_BEFORE = frozenset(("COMMA", "DOT", "RPAR", "SEMICOLON", "COLON"))
_APPLIED = frozenset(("NAME", "MIN", "MAX"))
_OPERANDS = frozenset(("VARIABLE", "WILDCARD", "INTEGER", "RPAR"))
_TAKES_COMMENTS = frozenset(("COMMA", "DOT", "RPAR", "SEMICOLON", "COLON"))
_CLOSES = frozenset(("DOT", "RPAR"))


class FormattingError(HornbookError):
    """The formatted text would not say the same as the text. A mistake of the formatter, not of the file."""


def format_text(text: str, file: str = "<text>") -> str:
    """The text in the common layout; its kind of line ends stays.

    Raises TheoryError where the text has syntax errors, and FormattingError rather than changing its meaning.
    """
    parsed = parse(text, file)
    if parsed.diagnostics:
        raise TheoryError(parsed.diagnostics, {file: parsed.text})
    formatted = "".join(f"{line}\n" for line in _lines(parsed.text))
    again = parse(formatted, file)
    same_comments = [c.text for c in again.comments] == [c.text for c in parsed.comments]
    if again.diagnostics or again.clauses != parsed.clauses or not same_comments:
        raise FormattingError(f"{file}: formatting would change what the file says; it is left as it is")
    return formatted.replace("\n", "\r\n") if "\r\n" in text else formatted


def _lines(text: str) -> Iterator[str]:
    """The lines of the formatted text: clauses and comments in order, with the empty lines between them."""
    comments: list[Comment] = []
    clauses = list(scan(text, comments))
    queue = deque(comments)
    ended = None  # the line on which what stands above ended
    for tokens, following in zip_longest(clauses, clauses[1:]):
        first, last = tokens[0], tokens[-1]
        for comment in _take(queue, before=first):
            yield from _gap(ended, comment.line)
            yield comment.text
            ended = comment.line
        yield from _gap(ended, first.line)
        inside = _take(queue, before=last)
        beside = queue[0] if queue and queue[0].line == last.line else None
        if beside is not None and (following is None or _stands_before(beside, following[0])):
            inside.append(queue.popleft())
        *pieces, end = _pieces(resolve(tokens), inside)
        yield from break_lines([*pieces, replace(end, below=())])
        yield from end.below
        ended = last.line
    for comment in queue:
        yield from _gap(ended, comment.line)
        yield comment.text
        ended = comment.line


def _gap(ended: int | None, line: int) -> Iterator[str]:
    if ended is not None and line > ended + 1:
        yield ""


def _take(queue: deque[Comment], before: Token) -> list[Comment]:
    """Takes the comments that stand before a token out of the queue."""
    taken = []
    while queue and _stands_before(queue[0], before):
        taken.append(queue.popleft())
    return taken


def _stands_before(comment: Comment, token: Token) -> bool:
    return (comment.line, comment.column) < (token.line, token.column)


def _pieces(tokens: Sequence[Token], comments: Sequence[Comment]) -> list[Piece]:
    """The tokens of a clause as pieces. A comment beside what a mark ends comes to stand after the mark, and one on a line
    of its own after a comma; before what closes, it stays.
    """
    queue = deque(comments)
    pieces: list[Piece] = []
    carried: list[tuple[str, bool]] = []  # comments, and whether each stood on the line of what it follows
    for index, token in enumerate(tokens):
        following = tokens[index + 1] if index + 1 < len(tokens) else None
        taken = list(queue) if following is None else _take(queue, before=following)
        carried += [(comment.text, comment.line == token.line) for comment in taken]
        piece = Piece(token.text, token.type, _space_before(tokens, index))
        if index and token.line > tokens[index - 1].line:
            piece = replace(piece, line_break=True)
        stays = following is None or following.type not in _TAKES_COMMENTS
        stays |= (
            following is not None and following.type in _CLOSES and not all(beside for _, beside in carried)
        )
        if carried and stays:
            texts = tuple(text for text, _ in carried)
            on_its_line = carried[0][1]
            piece = replace(piece, beside=texts[0] if on_its_line else None, below=texts[on_its_line:])
            carried = []
        pieces.append(piece)
    return pieces


def _space_before(tokens: Sequence[Token], index: int) -> bool:
    token = tokens[index]
    if index == 0 or token.type in _NO_SPACE_BEFORE:
        return False
    before = tokens[index - 1]
    if token.type == "LPAR":
        return before.type not in _APPLIED and before.type != "LPAR"
    if before.type == "MINUS" and token.type == "INTEGER":
        return index > 1 and tokens[index - 2].type in _OPERANDS
    return before.type != "LPAR"
