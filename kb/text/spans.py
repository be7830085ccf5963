"""Spans: stretches of a text, for messages about it."""

from __future__ import annotations

from typing import NamedTuple

from hornbook.kb.text.escaping import on_one_line
from hornbook.kb.text.shipped import file_named


class Span(NamedTuple):
    """A stretch of text: lines and columns count from 1, the end is exclusive."""

    file: str
    line: int
    column: int
    end_line: int
    end_column: int

    def __str__(self) -> str:
        return f"{on_one_line(self.file)}:{self.line}:{self.column}"

    @property
    def place(self) -> str:
        """The file and line in the form used by proofs: `family.horn:12`."""
        return f"{on_one_line(file_named(self.file))}:{self.line}"


NOWHERE = Span("<made>", 1, 1, 1, 1)
"""The span of objects without a source text: facts from a table, rules made by the learner."""
