"""The conversion of a table's cells to values of a sort, or the reason why it is impossible.

In a mixed column, a text that looks like an integer is one in files, databases, and Arrow tables. In quotes,
as in `'5'`, it is the word. So written values are read back unchanged. Rows of Python and JSON have typed
values: there the text `5` is the word, and quotes are characters of the word.

The empty word is a value in a column of words. A missing cell (None) is not.

CSV has only text, so a cell is a number if its column is numeric. Other tables have typed cells, which are
never converted: 1, 1.0 and True are three different cells. A truth value is the word `true` or `false` of a
sort that declares both.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from hornbook.kb.ast.declarations import Sort
from hornbook.kb.ast.plain_values import described, is_missing, plain_value
from hornbook.kb.ast.terms import MAX_INTEGER, MIN_INTEGER
from hornbook.kb.parse.facts import value_problem
from hornbook.kb.tables.readers.formatted_texts import formatted_value, is_plain, plain_number, remedy
from hornbook.kb.tables.readers.table_format import ISO, TableFormat
from hornbook.kb.text.characters import why_not_unicode
from hornbook.kb.text.literals.forms import BadLiteralError, Form
from hornbook.kb.text.literals.values import WrittenInteger
from hornbook.matcher.program.dataclass import dataclass


class BadCell(Exception):
    """A cell that is not a value of its column. The message has the reason."""


@dataclass(frozen=True, slots=True)
class RefusedCell:
    """A cell that a reader found to be no value of any sort, with the reason."""

    reason: str


Convert = Callable[[Any, Sort, TableFormat], str | int]
"""Returns the value of a cell. Raises BadCell."""


_CAST = "cast it in the SELECT"
_INTEGER_LIKE = re.compile(r"('*+)(0|-?[1-9][0-9]{0,18})('*)")


def mixed_value(text: str) -> str | int:
    """Return the word or integer of a text in a mixed column. A number that exceeds 64 bits is a word, and so
    is `007`.
    """
    found = _INTEGER_LIKE.fullmatch(text)
    if found is None or found[1] != found[3]:
        return text
    if found[1]:
        return text[1:-1]
    value = int(text)
    return value if MIN_INTEGER <= value <= MAX_INTEGER else text


def mixed_text(value: str | int) -> str:
    """Return the text for a word or integer in a mixed column."""
    text = str(value)
    return f"'{text}'" if isinstance(value, str) and mixed_value(text) != text else text


def from_text(cell: str | None, sort: Sort, format_: TableFormat = ISO) -> str | int:
    """Return the value of a cell of a CSV. None is an empty cell without quotes."""
    if cell is not None and sort.form is not None:
        return _with_form(cell, sort.form, format_)
    if cell is not None and sort.kind == "integer":
        cell = cell.strip()
    if cell is None or (not cell and not _has_empty_word(sort)):
        raise BadCell("the cell is empty")
    _must_be_unicode(cell)
    if sort.kind != "integer":
        return _checked(mixed_value(cell) if sort.kind == "mixed" else cell, sort)
    shown = cell
    if not is_plain(format_, None):
        try:
            cell = plain_number(format_, cell, f"an integer of sort `{sort.name}`")
        except BadLiteralError as problem:
            raise BadCell(f"`{_short(shown)}` {problem}{remedy(format_, shown, None)}") from None
    # int() would also accept `1_000` and the digits of every script.
    digits = cell[1:] if cell[0] in "+-" else cell
    if not (digits.isascii() and digits.isdigit()):
        way_out = remedy(format_, shown, None)
        raise BadCell(f"`{_short(shown)}` is not an integer of sort `{sort.name}`{way_out}")
    # int() raises an error of its own for thousands of digits.
    if len(digits) > 4000:
        raise BadCell(f"{_short(cell)} does not fit into 64 bits")
    return _checked(int(cell), sort)


def from_python(
    cell: object, sort: Sort, format_: TableFormat = ISO, way_out: str = "convert it"
) -> str | int:
    """Return the value of a cell of Python or JSON. Its type determines whether it is a word or an integer.
    `way_out` is the remedy for another type. Raises BadCell.
    """
    if sort.form is None:
        cell = plain_value(cell)
    if sort.kind == "mixed" and type(cell) is str:
        _must_be_unicode(cell)
        return _checked(cell, sort)
    return from_value(cell, sort, format_, way_out)


def has_truth_values(sort: Sort) -> bool:
    """Return whether a sort has truth values: it declares the words `true` and `false`."""
    return "true" in sort.constants and "false" in sort.constants


def from_value(cell: object, sort: Sort, format_: TableFormat = ISO, way_out: str = _CAST) -> str | int:
    """Return the value of a cell of a database or an Arrow table. `way_out` is the remedy for a cell of
    another type. Raises BadCell.
    """
    if cell is None:
        raise BadCell("the value is NULL")
    if isinstance(cell, RefusedCell):
        raise BadCell(cell.reason)
    if type(cell).__name__ in ("bool", "bool_") and has_truth_values(sort):
        return "true" if cell else "false"
    if sort.form is not None and not is_missing(cell):
        return _with_form(cell, sort.form, format_)
    cell = plain_value(cell)
    if type(cell) is str:
        if not cell and not _has_empty_word(sort):
            raise BadCell("the cell is empty")
        _must_be_unicode(cell)
        if sort.kind == "integer":
            raise BadCell(f"{described(cell)} is not an integer of sort `{sort.name}`; {way_out}")
        return _checked(mixed_value(cell) if sort.kind == "mixed" else cell, sort)
    if type(cell) is int:
        return _checked(cell, sort)
    if is_missing(cell):
        raise BadCell(f"{described(cell)} is no value of sort `{sort.name}`; leave the row out")
    if type(cell).__name__ in ("bool", "bool_"):
        declare = "declare a sort with the words `true` and `false`"
        raise BadCell(f"{described(cell)} is no value of sort `{sort.name}`; {declare}, or {way_out}")
    expected = {"integer": "an integer", "mixed": "a word or an integer"}.get(sort.kind, "a word")
    raise BadCell(f"{_short(described(cell))}, and `{sort.name}` wants {expected}; {way_out}")


def _with_form(cell: object, form: Form, format_: TableFormat) -> WrittenInteger:
    """Return the date, time or decimal number of a cell. Raises BadCell."""
    if type(cell).__module__ == "numpy":
        cell = getattr(cell, "item", lambda: cell)()
    try:
        return formatted_value(format_, cell, form) if isinstance(cell, str) else form.of_python(cell)
    except BadLiteralError as problem:
        if not isinstance(cell, str):
            raise BadCell(f"{_short(described(cell))} {problem}") from None
        raise BadCell(f"`{_short(cell)}` {problem}{remedy(format_, cell, form)}") from None


def _must_be_unicode(cell: str) -> None:
    problem = why_not_unicode(cell)
    if problem is not None:
        raise BadCell(f"`{_short(cell)}`: {problem}")


def _has_empty_word(sort: Sort) -> bool:
    return sort.kind in ("open", "mixed") or "" in sort.constants


def _checked(value: str | int, sort: Sort) -> str | int:
    problem = value_problem(value, sort)
    if problem is not None:
        raise BadCell(_short(problem, 200))
    return value


def _short(text: str, length: int = 60) -> str:
    return text if len(text) <= length else text[: length - 1] + "…"
