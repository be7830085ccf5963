"""The rows of sheets in Excel workbooks (extra `excel`), read by openpyxl.

openpyxl tells errors, formulas and whole numbers apart from other cells. Excel has no integers and no decimal
numbers, but numbers with fifteen digits. So the decimal number of a cell is that with fifteen digits.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from decimal import Decimal
from itertools import islice
from pathlib import Path
from typing import Any

from hornbook.kb.ast.declarations import Sort
from hornbook.kb.sources.diagnostics import did_you_mean
from hornbook.kb.sources.extras import installation
from hornbook.kb.sources.files import why_no_file
from hornbook.kb.tables.readers.table_format import TableFormat
from hornbook.kb.tables.table_facts import RowBatch, TableError
from hornbook.kb.tables.table_values import BadCell, RefusedCell, from_python
from hornbook.kb.text.lines import first_line
from hornbook.matcher.program.dataclass import dataclass

_BATCH = 1_000
_DIGITS = 15
"""The digits of a number in Excel."""


def sheet_names(path: Path) -> list[str]:
    """Return the names of the sheets of a workbook, in its order. Raises TableError."""
    with _opened(path) as workbook:
        return [sheet.title for sheet in workbook.worksheets]


class SheetRows:
    """The rows of a sheet that are not empty. The first one may name the columns.

    Raises TableError if there is no such sheet.
    """

    def __init__(self, path: Path, sheet: str, default: str) -> None:
        """Select a sheet. Without a name, it is the one called `default`, or the only one."""
        self._path = path
        with _opened(path) as workbook:
            known = [each.title for each in workbook.worksheets]
            if not sheet:
                sheet = default if default in known or len(known) != 1 else known[0]
            if sheet not in known:
                way_out = f"it has {', '.join(known)}; name one: `{path.name}::SHEET`"
                hint = did_you_mean(sheet, known) or way_out
                raise TableError(str(path), f"there is no sheet `{sheet}` in this workbook; {hint}")
            self.name = sheet
            self._first = next(self._rows_of(workbook), (1, ()))[1]
        self.places = tuple(place for place, cell in enumerate(self._first) if cell is not None)
        """The places of the columns, which are those of the first row."""

    def names(self) -> list[str]:
        """Return the texts of the first row."""
        return [str(self._first[place]).strip() for place in self.places]

    def letters(self) -> list[str]:
        """Return the letters of the columns, as Excel shows them."""
        from openpyxl.utils import get_column_letter  # noqa: PLC0415 - an extra

        return [get_column_letter(place + 1) for place in self.places]

    def batches(self, *, header: bool) -> Iterator[RowBatch]:
        """Yield the rows with their numbers in the sheet, without the first one if it is a header.

        A row with a cell outside of the columns has one cell more than there are columns.
        """
        rows = islice(self._rows(), int(header), None)
        known = frozenset(self.places)
        while batch := list(islice(rows, _BATCH)):
            numbers, cells = [], []
            for number, row in batch:
                found = tuple(row[place] if place < len(row) else None for place in self.places)
                others = (cell for place, cell in enumerate(row) if cell is not None and place not in known)
                numbers.append(number)
                cells.append((*found, *islice(others, 1)))
            yield RowBatch(numbers, cells)

    def _rows(self) -> Iterator[tuple[int, tuple[Any, ...]]]:
        with _opened(self._path) as workbook:
            yield from self._rows_of(workbook)

    def _rows_of(self, workbook: Any) -> Iterator[tuple[int, tuple[Any, ...]]]:
        """Yield the numbers and the values of the rows that are not empty."""
        sheet = workbook[self.name]
        # The size that a file states may be wrong.
        sheet.reset_dimensions()
        values: Iterator[Any] | None = None
        for number, row in enumerate(sheet.iter_rows(), 1):
            if values is None and any(cell.data_type == "f" for cell in row):
                values = islice(self._values(), number - 1, None)
            stored = row if values is None else next(values)
            cells = tuple(map(_cell, row, stored))
            if any(cell is not None for cell in cells):
                yield number, cells

    def _values(self) -> Iterator[Any]:
        """Yield the rows with the stored values of formulas."""
        with _opened(self._path, values=True) as workbook:
            sheet = workbook[self.name]
            sheet.reset_dimensions()
            yield from sheet.iter_rows()


@dataclass(frozen=True, slots=True)
class PercentCell:
    """A number that Excel shows as a percentage: 0.25 for 25 %."""

    value: int | Decimal


def _cell(cell: Any, stored: Any) -> Any:
    """Return the Python value of a cell, or a RefusedCell. `stored` has the value of a formula."""
    value = stored.value
    if stored.data_type == "e":
        return RefusedCell(f"the cell has the error {value}")
    if cell.data_type == "f" and value is None:
        return RefusedCell("the formula has no stored value; open the workbook in Excel and save it")
    if type(value) not in (int, float):
        return value
    if type(value) is float:
        if not abs(value) < 10**_DIGITS:
            return RefusedCell(
                f"{value} has more than {_DIGITS} digits, which Excel rounds; write it as text"
            )
        number = Decimal(f"{value:.{_DIGITS}g}")
        value = int(number) if number == int(number) else number
    return PercentCell(value) if "%" in cell.number_format else value


def from_cell(cell: object, sort: Sort, format_: TableFormat) -> str | int:
    """Return the value of a cell of a sheet. Raises BadCell."""
    if isinstance(cell, PercentCell):
        is_percentage = sort.form is not None and sort.form.kind == "percent"
        cell = cell.value * 100 if is_percentage else cell.value
    way_out = "write a whole number" if sort.kind == "integer" else "format the column as text in Excel"
    try:
        return from_python(cell, sort, format_, way_out)
    except BadCell as problem:
        if type(cell) is int and sort.kind != "integer":
            raise BadCell(f"{problem}; {way_out}") from None
        raise


@contextmanager
def _opened(path: Path, *, values: bool = False) -> Iterator[Any]:
    """Open a workbook with its formulas, or with their values. Its errors are converted to TableError."""
    try:
        import openpyxl  # noqa: PLC0415 - an extra
    except ImportError:
        way_out = f"Excel is read by openpyxl, which is not installed: {installation('excel')}"
        raise TableError(str(path), way_out) from None
    if (reason := why_no_file(path)) is not None:
        raise TableError(str(path), reason)
    try:
        with warnings.catch_warnings():
            # About parts of a workbook that have no cells.
            warnings.simplefilter("ignore", UserWarning)
            workbook = openpyxl.load_workbook(path, read_only=True, data_only=values)
            try:
                yield workbook
            finally:
                workbook.close()
    except (TableError, MemoryError):
        raise
    except Exception as problem:  # noqa: BLE001  # openpyxl raises various errors for a damaged file
        raise TableError(
            str(path), f"this cannot be read as an Excel workbook: {first_line(problem)}"
        ) from None
