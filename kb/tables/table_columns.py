"""The columns of a table under construction. Each distinct word is checked once against the sort, and
numbered.

A batch of plain cells is added at once, without running Python code for known cells. Otherwise the caller
adds the rows one by one, which finds the errors.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from array import array
from collections.abc import Callable, Sequence
from typing import Any

from hornbook.kb.ast.declarations import Sort
from hornbook.kb.ast.fact_columns import FactColumn
from hornbook.kb.tables.readers.formatted_texts import is_plain, plain_numbers, separators
from hornbook.kb.tables.readers.table_format import TableFormat
from hornbook.kb.tables.table_values import BadCell, Convert, from_text
from hornbook.kb.text.literals.forms import BadLiteralError, Form, date_of_text, time_of_text
from hornbook.kb.text.literals.values import SECONDS

_PLAIN_INTEGERS = re.compile(r"[-+0-9 ]*")
"""Cells of these characters, which `int` accepts exactly if `from_text` does."""
_MOST_KNOWN = 100_000
"""The maximum number of cells whose integers are kept."""


class UnusualCells(Exception):
    """Cells of a batch that may be invalid, or must be checked one by one."""


class TableColumn(ABC):
    """A column of a sort. `convert` converts cells to values, and texts have a format."""

    def __init__(self, sort: Sort, convert: Convert, format_: TableFormat) -> None:
        self.sort = sort
        self.format = format_
        self.is_text = convert is from_text
        self._convert = convert
        self.cells: array[int] = array("q")

    def value(self, cell: Any) -> str | int:
        """Return the value of a cell. Raises BadCell."""
        return self._convert(cell, self.sort, self.format)

    @abstractmethod
    def extend(self, cells: Sequence[Any] | FactColumn) -> None:
        """Add cells, or a coded column. Raises UnusualCells or BadCell, and then adds nothing."""

    @abstractmethod
    def append(self, value: str | int) -> None:
        """Add a value of the sort."""

    @abstractmethod
    def filled(self) -> FactColumn:
        """Return the column in its current state."""

    def cut(self, size: int) -> None:
        """Remove all cells except the first `size`."""
        del self.cells[size:]

    def problem(self, cell: Any) -> str | None:
        """Return the reason why a cell is not a value of the column, or None."""
        try:
            self.value(cell)
        except BadCell as problem:
            return str(problem)
        return None


class _IntegerColumn(TableColumn):
    def __init__(self, sort: Sort, convert: Convert, format_: TableFormat) -> None:
        super().__init__(sort, convert, format_)
        self._separators = separators(sort.form, format_)
        self._grouped = None if is_plain(format_, None) else plain_numbers(None, format_)

    def extend(self, cells: Sequence[Any] | FactColumn) -> None:
        if isinstance(cells, FactColumn):
            if cells.words is not None or cells.number is not int:
                raise UnusualCells
            self.cells += cells.cells
            return
        if self.is_text and self._grouped is not None:
            self._extend_numbers(cells, self._grouped)
            return
        if self.is_text:
            is_plain = None not in cells and _PLAIN_INTEGERS.fullmatch("".join(cells)) is not None
        else:
            is_plain = set(map(type, cells)) <= {int}
        if not is_plain:
            raise UnusualCells
        self._extend_texts(cells)

    def _extend_numbers(self, cells: Sequence[Any], plain: re.Pattern[str]) -> None:
        """Add texts of a pattern without the separators in them."""
        text = "" if None in cells else "\n".join(cells)
        if plain.fullmatch(text) is None:
            raise UnusualCells
        for mark in self._separators:
            text = text.replace(mark, "")
        self._extend_texts(text.split("\n"))

    def _extend_texts(self, cells: Sequence[Any]) -> None:
        try:
            self.cells += array("q", list(map(int, cells)))
        except (ValueError, OverflowError):
            raise UnusualCells from None

    def append(self, value: str | int) -> None:
        assert isinstance(value, int)
        self.cells.append(value)

    def filled(self) -> FactColumn:
        return FactColumn(self.cells, None)


class _FormColumn(_IntegerColumn):
    """A column of dates, times, decimal numbers or percentages."""

    def __init__(self, sort: Sort, convert: Convert, format_: TableFormat, form: Form) -> None:
        super().__init__(sort, convert, format_)
        self.form = form
        self._known = _ConvertedCells(self)
        self._plain = None if form.is_point else plain_numbers(form, format_)
        # The texts of a day, and those after it.
        self._days = _Integers(date_of_text)
        self._clocks = _Integers(lambda text: time_of_text(f"1970-01-01{text}"))

    def extend(self, cells: Sequence[Any] | FactColumn) -> None:
        if isinstance(cells, FactColumn):
            if cells.words is not None:
                cells = [cells.words[cell] for cell in cells.cells]
            elif cells.number is not self.form.number:
                raise UnusualCells
            else:
                self.cells += cells.cells
                return
        if not self.is_text:
            if int in set(map(type, cells)):
                # As keys, 1 and True are equal.
                cells = [str(cell) if type(cell) is int else cell for cell in cells]
            self.cells += array("q", list(map(self._known.__getitem__, cells)))
        elif self._plain is not None:
            self._extend_numbers(cells, self._plain)
        elif None in cells:
            raise UnusualCells
        elif is_plain(self.format, self.form):
            self._extend_dates(cells)
        else:
            self.cells += array("q", list(map(self._known.__getitem__, cells)))

    def _extend_dates(self, cells: Sequence[str]) -> None:
        """Add texts of dates or times. There are few days, and few times of a day."""
        try:
            if self.form.kind == "date":
                found = list(map(self._days.__getitem__, cells))
            else:
                days = map(self._days.__getitem__, [cell[:10] for cell in cells])
                clocks = map(self._clocks.__getitem__, [cell[10:] for cell in cells])
                found = [day * SECONDS + clock for day, clock in zip(days, clocks, strict=True)]
        except BadLiteralError:
            raise UnusualCells from None
        self.cells += array("q", found)

    def filled(self) -> FactColumn:
        return FactColumn(self.cells, None, self.form.number)


class _Integers(dict[str, int]):
    """The integers of known texts. Only the latest are kept, so that a long column needs little memory."""

    def __init__(self, read: Callable[[str], int]) -> None:
        super().__init__()
        self._read = read

    def __missing__(self, text: str) -> int:
        value = int(self._read(text))
        if len(self) > _MOST_KNOWN:
            self.clear()
        self[text] = value
        return value


class _ConvertedCells(dict[Any, int]):
    """The integers of known cells, kept in the same way."""

    def __init__(self, column: _FormColumn) -> None:
        super().__init__()
        self._column = column

    def __missing__(self, cell: Any) -> int:
        if isinstance(cell, bool | float):  # 1, 1.0 and True are one key
            raise UnusualCells
        value = int(self._column.value(cell))
        if len(self) > _MOST_KNOWN:
            self.clear()
        self[cell] = value
        return value


class _WordColumn(TableColumn):
    def __init__(self, sort: Sort, convert: Convert, format_: TableFormat) -> None:
        super().__init__(sort, convert, format_)
        self.numbers = _NumberedWords(self)

    def extend(self, cells: Sequence[Any] | FactColumn) -> None:
        number = self.numbers.__getitem__
        if isinstance(cells, FactColumn):
            if cells.words is None:
                raise UnusualCells
            known = list(map(number, cells.words))
            self.cells += array("q", list(map(known.__getitem__, cells.cells)))
            return
        if not self.is_text and not set(map(type, cells)) <= {str}:
            raise UnusualCells
        self.cells += array("q", list(map(number, cells)))

    def append(self, value: str | int) -> None:
        assert isinstance(value, str)
        self.cells.append(self.numbers[value])

    def filled(self) -> FactColumn:
        return FactColumn(self.cells, self.numbers.words)


class _NumberedWords(dict[str | int, int]):
    """The number of the word for each known cell."""

    def __init__(self, column: TableColumn) -> None:
        super().__init__()
        self.words: list[str | int] = []
        self._column = column

    def __missing__(self, cell: str | int) -> int:
        self._column.value(cell)
        number = self[cell] = len(self.words)
        self.words.append(cell)
        return number


class _MixedColumn(TableColumn):
    """A column of words and integers, each with a number."""

    def __init__(self, sort: Sort, convert: Convert, format_: TableFormat) -> None:
        super().__init__(sort, convert, format_)
        self.numbers: dict[str | int, int] = {}
        self.met: dict[str | int, int] = {}

    def extend(self, cells: Sequence[Any] | FactColumn) -> None:
        if isinstance(cells, FactColumn):
            words = cells.words
            if words is None and cells.number is not int:
                raise UnusualCells
            cells = list(cells.cells) if words is None else [words[cell] for cell in cells.cells]
        elif not set(map(type, cells)) <= {str, int}:
            raise UnusualCells
        self.cells += array("q", list(map(self._number, cells)))

    def _number(self, cell: str | int) -> int:
        number = self.met.get(cell)
        if number is None:
            number = self.met[cell] = self._number_of(self.value(cell))
        return number

    def _number_of(self, value: str | int) -> int:
        return self.numbers.setdefault(value, len(self.numbers))

    def append(self, value: str | int) -> None:
        self.cells.append(self._number_of(value))

    def filled(self) -> FactColumn:
        return FactColumn(self.cells, list(self.numbers))


def table_column(sort: Sort, convert: Convert, format_: TableFormat) -> TableColumn:
    """Return an empty column of a sort."""
    if sort.kind == "mixed":
        return _MixedColumn(sort, convert, format_)
    if sort.form is not None:
        return _FormColumn(sort, convert, format_, sort.form)
    kind = _IntegerColumn if sort.kind == "integer" else _WordColumn
    return kind(sort, convert, format_)
