"""Rows as CSV. `kb/tables/readers/csv_rows.py` reads back every cell that is written here.

A cell is written in double quotes if a reader would otherwise change it. This applies to an empty word, to
blanks at the beginning or end, and to commas, double quotes and line ends. A missing cell (None) is empty,
without quotes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from hornbook.kb.text.characters import why_not_unicode
from hornbook.kb.text.scanner import MAX_TEXT
from hornbook.matcher.program.hornbook_error import HornbookError

MAX_CELL = MAX_TEXT
"""The maximum number of characters in one cell."""
_MARKS = re.compile('[,"\r\n]')


class CellError(HornbookError, ValueError):
    """A cell that no file can contain. The message has its row, its column and a remedy."""


def csv_lines(header: Sequence[str], rows: Iterable[Sequence[object]]) -> Iterator[str]:
    """Yield the lines of a CSV with a header, each with the line feed that ends it. Raises CellError."""
    yield _line(header, header, 1)
    for number, row in enumerate(rows, 2):
        yield _line(header, row, number)


def must_be_writable(value: object, column: str, row: int) -> None:
    """Raise CellError for a text that no file can contain. Rows count from 1, and the header is row 1."""
    if not isinstance(value, str):
        return
    problem = why_not_unicode(value)
    if problem is None and len(value) > MAX_CELL:
        problem = f"the cell has more than {MAX_CELL:,} characters; make it shorter"
    if problem is not None:
        shown = value if len(value) <= 60 else f"{value[:59]}…"
        raise CellError(f"row {row}, column `{column}`: `{shown}` cannot be written: {problem}")


def _line(header: Sequence[str], row: Sequence[object], number: int) -> str:
    try:
        line = ",".join(map(_cell, row))
    except _UnusualCell:
        for column, value in zip(header, row, strict=True):
            must_be_writable(value, column, number)
        raise
    # A reader would skip an empty line.
    return f"{line}\n" if line else '""\n'


class _UnusualCell(HornbookError):
    """A cell that cannot be written."""


def _cell(value: object) -> str:
    if value is None:
        return ""
    text = str(value)
    if not text.isascii() or len(text) > MAX_CELL:
        _must_be_usual(text)
    if not text or text[0].isspace() or text[-1].isspace() or _MARKS.search(text) is not None:
        return '"' + text.replace('"', '""') + '"'
    return text


def _must_be_usual(text: str) -> None:
    if len(text) > MAX_CELL or why_not_unicode(text) is not None:
        raise _UnusualCell
