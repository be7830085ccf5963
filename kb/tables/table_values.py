"""The cells of a table as values of a sort, or why they are none.

CSV knows text only, so there a cell is a number where its column is one of numbers; other tables say themselves
what is a number, and then nothing is ever taken for another: 1, 1.0 and True are three different cells.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from hornbook.kb.ast.declarations import Sort
from hornbook.kb.parse.facts import value_problem


class BadCell(Exception):
    """A cell that is no value of its column; the message says why."""


Convert = Callable[[Any, Sort], str | int]


def from_text(cell: str, sort: Sort) -> str | int:
    if not cell:
        raise BadCell("the cell is empty")
    if sort.kind != "integer":
        return _checked(cell, sort)
    # int() would also take `1_000` and the digits of every script.
    digits = cell[1:] if cell[0] in "+-" else cell
    if not (digits.isascii() and digits.isdigit()):
        raise BadCell(f"`{_short(cell)}` is not an integer of sort `{sort.name}`")
    # A bound on the digits, for int() refuses thousands of them with an error of its own.
    if len(digits) > 4000:
        raise BadCell(f"{_short(cell)} does not fit into 64 bits")
    return _checked(int(cell), sort)


def from_value(cell: object, sort: Sort) -> str | int:
    if cell is None:
        raise BadCell("the value is NULL")
    if type(cell) is int or (type(cell) is str and cell):
        return _checked(cell, sort)
    if cell == "":
        raise BadCell("the cell is empty")
    wanted = "an integer" if sort.kind == "integer" else "a word"
    kind = type(cell).__name__
    raise BadCell(
        f"{_short(str(cell))} is a {kind}, and `{sort.name}` wants {wanted}; cast it where it is selected"
    )


def _checked(value: str | int, sort: Sort) -> str | int:
    problem = value_problem(value, sort)
    if problem is not None:
        raise BadCell(_short(problem, 200))
    return value


def _short(text: str, length: int = 60) -> str:
    return text if len(text) <= length else text[: length - 1] + "…"
