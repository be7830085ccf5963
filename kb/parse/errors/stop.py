"""Where the parser stopped in a clause: what it had read, what it found, and what it could have read.

Everything that explains a syntax error starts from a `Stop`, and gives a diagnostic at one of its tokens.
"""

from __future__ import annotations

from collections.abc import Sequence

from hornbook.kb.ast.terms import Span
from hornbook.kb.sources.diagnostics import Diagnostic, error
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
        "TENSE",
        "ALL",
        "ABSENT",
        "MIN",
        "MAX",
        "LPAR",
        "MINUS",
    )
)
"""With what a condition, or an argument, can begin."""
END = Token("END", "", 0, 0)
"""Stands before the first token of a clause and after the last."""


class Stop(Exception):
    """The tokens of the clause (up to `index` with the types as which they were read), and the expected types.

    At the end of the tokens, `index` is their number.
    """

    def __init__(self, tokens: Sequence[Token], index: int, accepts: frozenset[str], file: str) -> None:
        super().__init__(index)
        self.tokens, self.index, self.accepts, self.file = tokens, index, accepts, file
        self.found, self.previous, self.following = self.at(0), self.at(-1), self.at(1)

    def at(self, offset: int) -> Token:
        """The token so many places after the unexpected one; END where there is none."""
        index = self.index + offset
        return self.tokens[index] if 0 <= index < len(self.tokens) else END

    @property
    def open(self) -> list[int]:
        """The places of the parentheses that are open where the parser stopped, innermost last."""
        places: list[int] = []
        for index, token in enumerate(self.tokens[: self.index]):
            if token.type == "LPAR":
                places.append(index)
            elif token.type == "RPAR" and places:
                places.pop()
        return places

    @property
    def applied(self) -> Token | None:
        """The name whose arguments the parser was reading, if it was reading any."""
        places = self.open
        if not places or places[-1] == 0:
            return None
        name = self.tokens[places[-1] - 1]
        return name if name.type == "NAME" else None


def place(token: Token, file: str) -> Span:
    """Where a token stands."""
    return Span(file, token.line, token.column, token.line, token.end_column)


def place_after(token: Token, file: str) -> Span:
    """The column right after a token."""
    return Span(file, token.line, token.end_column, token.line, token.end_column + 1)


def mistake(stop: Stop, token: Token, message: str, help_line: str) -> Diagnostic:
    """A syntax error that one token shows."""
    return error("HB001", message, place(token, stop.file), help_line)
