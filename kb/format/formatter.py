"""The formatter: prints a whole file in the standard layout, with every comment.

Between two clauses or comments, one empty line is kept.

Invariants:

- Formatting never changes the meaning. The clauses of the formatted text are equal, and it has the same
  comments in the same order. Both are checked for each text.
- Formatting is idempotent.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import zip_longest

from hornbook.kb.format.line_breaks import LayoutPiece, break_lines
from hornbook.kb.parse.syntax import parse, resolve
from hornbook.kb.sources.diagnostics import TheoryError
from hornbook.kb.text.scanner import Comment, Token, scan
from hornbook.matcher.program.hornbook_error import HornbookError

_NO_SPACE_BEFORE = frozenset(("COMMA", "DOT", "RPAR", "SEMICOLON", "COLON"))
_APPLIED = frozenset(("NAME", "MIN", "MAX"))
_OPERANDS = frozenset(("VARIABLE", "WILDCARD", "INTEGER", "LITERAL", "RPAR"))
_TAKES_COMMENTS = frozenset(("COMMA", "DOT", "RPAR", "SEMICOLON", "COLON"))
_CLOSES = frozenset(("DOT", "RPAR"))


class FormattingError(HornbookError):
    """An error of the formatter: the formatted text would have another meaning."""


def format_text(text: str, file: str = "<text>") -> str:
    """Return the text in the standard layout, with its kind of line ends.

    Raises:
        TheoryError: The text has syntax errors.
        FormattingError: Formatting would change the meaning.
    """
    parsed = parse(text, file)
    if parsed.diagnostics:
        raise TheoryError(parsed.diagnostics, {file: parsed.text})
    formatted = "".join(f"{line}\n" for line in _lines(parsed.text))
    again = parse(formatted, file)
    same_comments = [c.text for c in again.comments] == [c.text for c in parsed.comments]
    if again.diagnostics or again.clauses != parsed.clauses or not same_comments:
        raise FormattingError(
            f"{file}: formatting would change the meaning of the file; it is left unchanged"
        )
    return formatted.replace("\n", "\r\n") if "\r\n" in text else formatted


def _lines(text: str) -> Iterator[str]:
    """Yield the lines of the formatted text: clauses and comments in order, with empty lines between them."""
    comments: list[Comment] = []
    clauses = list(scan(text, comments))
    queue = deque(comments)
    ended = None  # the last line of the preceding clause or comment
    for tokens, following in zip_longest(clauses, clauses[1:]):
        first, last = tokens[0], tokens[-1]
        for comment in _take(queue, before=first):
            yield from _gap(ended, comment.line)
            yield comment.text
            ended = comment.line
        yield from _gap(ended, first.line)
        inside = _take(queue, before=last)
        comment_at_end = queue[0] if queue and queue[0].line == last.line else None
        if comment_at_end is not None and (following is None or _stands_before(comment_at_end, following[0])):
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
    """Return the comments before a token, removed from the queue."""
    taken = []
    while queue and _stands_before(queue[0], before):
        taken.append(queue.popleft())
    return taken


def _stands_before(comment: Comment, token: Token) -> bool:
    return (comment.line, comment.column) < (token.line, token.column)


def _pieces(tokens: Sequence[Token], comments: Sequence[Comment]) -> list[LayoutPiece]:
    """Return the tokens of a clause as pieces.

    A comment on the line before a closing mark moves behind the mark. A comment on its own line moves behind
    a comma, but stays before a closing mark.
    """
    queue = deque(comments)
    pieces: list[LayoutPiece] = []
    carried: list[tuple[str, bool]] = []  # comments, and whether each was on the line of its preceding token
    for index, token in enumerate(tokens):
        following = tokens[index + 1] if index + 1 < len(tokens) else None
        taken = list(queue) if following is None else _take(queue, before=following)
        carried += [(comment.text, comment.line == token.line) for comment in taken]
        piece = LayoutPiece(token.text, token.type, _space_before(tokens, index))
        if index and token.line > tokens[index - 1].line:
            piece = replace(piece, line_break=True)
        stays = following is None or following.type not in _TAKES_COMMENTS
        stays |= (
            following is not None and following.type in _CLOSES and not all(on_line for _, on_line in carried)
        )
        if carried and stays:
            texts = tuple(text for text, _ in carried)
            on_its_line = carried[0][1]
            piece = replace(piece, same_line=texts[0] if on_its_line else None, below=texts[on_its_line:])
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
    if before.type == "MINUS" and token.type in ("INTEGER", "LITERAL"):
        return index > 1 and tokens[index - 2].type in _OPERANDS
    return before.type != "LPAR"
