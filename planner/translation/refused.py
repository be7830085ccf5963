"""Reasons why a sheet is not translated.

No theory of the language can express it, or a property could not be proved.
"""

from __future__ import annotations

from hornbook.kb.ast.terms import Span


class UntranslatableError(Exception):
    """A sheet that is not translated: the reason, the clause, and a remedy."""

    def __init__(self, message: str, span: Span | None = None, help_: str = "") -> None:
        super().__init__(message)
        self.message, self.span, self.help = message, span, help_
