"""The state of the parser at an error in a clause: the tokens read, the unexpected token, and the expected
ones.

Every explanation of a syntax error starts from a `ParseStop`, and returns a diagnostic at one of its tokens.
"""

from __future__ import annotations

from collections.abc import Sequence

from hornbook.kb.ast.terms import Span
from hornbook.kb.sources.diagnostics import Diagnostic, error, write_instead
from hornbook.kb.text.scanner import Token

OPERATORS = frozenset(("PLUS", "MINUS", "STAR", "DIVIDE"))
BEGINS_CONDITION = frozenset(
    (
        "NAME",
        "QUOTED",
        "VARIABLE",
        "PARAMETER",
        "WILDCARD",
        "INTEGER",
        "LITERAL",
        "TENSE",
        "ALL",
        "ABSENT",
        "MIN",
        "MAX",
        "LPAR",
        "MINUS",
    )
)
"""The types of tokens that can begin a condition or an argument."""
END = Token("END", "", 0, 0)
"""The token before the first and after the last token of a clause."""


class ParseStop(Exception):
    """The tokens of the clause (up to `index` with the types under which they were parsed), and the expected
    types.

    At the end of the tokens, `index` is their number.
    """

    def __init__(self, tokens: Sequence[Token], index: int, accepts: frozenset[str], file: str) -> None:
        super().__init__(index)
        self.tokens, self.index, self.accepts, self.file = tokens, index, accepts, file
        self.found, self.previous, self.following = self.at(0), self.at(-1), self.at(1)

    def at(self, offset: int) -> Token:
        """Return the token at an offset from the unexpected one, or END."""
        index = self.index + offset
        return self.tokens[index] if 0 <= index < len(self.tokens) else END

    @property
    def open(self) -> list[int]:
        """The indices of the open parentheses at the error, innermost last."""
        places: list[int] = []
        for index, token in enumerate(self.tokens[: self.index]):
            if token.type == "LPAR":
                places.append(index)
            elif token.type == "RPAR" and places:
                places.pop()
        return places

    @property
    def applied(self) -> Token | None:
        """The name before the innermost open parenthesis, if its arguments are being parsed."""
        places = self.open
        if not places or places[-1] == 0:
            return None
        name = self.tokens[places[-1] - 1]
        return name if name.type == "NAME" else None


def place(token: Token, file: str) -> Span:
    """Return the span of a token."""
    return Span(file, token.line, token.column, token.line, token.end_column)


def place_after(token: Token, file: str) -> Span:
    """Return the span of the column right after a token."""
    return Span(file, token.line, token.end_column, token.line, token.end_column + 1)


def mistake(
    stop: ParseStop, token: Token, message: str, help_line: str, instead: str | None = None
) -> Diagnostic:
    """Return a syntax error at one token. `instead` is a text that may be meant in its place."""
    span = place(token, stop.file)
    fixes = () if instead is None else (write_instead(span, instead),)
    return error("HB001", message, span, help_line, fixes)
