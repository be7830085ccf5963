"""What a sheet says that no theory of the language can say, or that could not be proved of it."""

from __future__ import annotations

from hornbook.kb.ast.terms import Span


class RefusedError(Exception):
    """A sheet that is not translated: why, the clause, and a way out."""

    def __init__(self, message: str, span: Span | None = None, help_: str = "") -> None:
        super().__init__(message)
        self.message, self.span, self.help = message, span, help_
