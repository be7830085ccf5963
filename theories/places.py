"""Positions in files, and errors with line, column and a caret."""

from __future__ import annotations

import warnings
from typing import NoReturn

from hornbook.kb.ast.terms import Span
from hornbook.kb.hornbook_error import RecordWarning
from hornbook.kb.sources.diagnostics import TheoryError, error
from hornbook.kb.text.dataclass import dataclass


@dataclass(frozen=True, slots=True)
class SourcePlace:
    """Part of one line (counted from 1) of a file, with the file's text."""

    file: str
    text: str
    line: int
    column: int = 1
    length: int = 1

    def warn(self, message: str) -> None:
        """Give a RecordWarning with this place."""
        warnings.warn(f"{self.file}:{self.line}:{self.column}: {message}", RecordWarning, stacklevel=2)

    def fail(self, message: str, hint: str = "") -> NoReturn:
        """Raise TheoryError (HB005)."""
        span = Span(self.file, self.line, self.column, self.line, self.column + max(1, self.length))
        raise TheoryError([error("HB005", message, span, hint)], {self.file: self.text})
