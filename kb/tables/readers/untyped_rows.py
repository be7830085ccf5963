"""The rows of JSON and of sheets without regard to predicates: names, and cells of the types of SQLite.

An object or a list of JSON is its text. A record without a key has an empty cell.
"""

from __future__ import annotations

import datetime
import json
from collections.abc import Callable, Iterator, Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any

from hornbook.kb.ast.terms import MAX_INTEGER, MIN_INTEGER
from hornbook.kb.tables.readers.json_records import object_of, records
from hornbook.kb.tables.readers.workbooks import PercentCell, SheetRows
from hornbook.kb.tables.table_facts import TableError
from hornbook.kb.tables.table_values import RefusedCell
from hornbook.matcher.program.dataclass import dataclass


@dataclass(frozen=True, slots=True)
class UntypedRows:
    """The rows of a table. `read` yields the number and the cells of each row from the first one on."""

    source: str
    names: Sequence[str]
    read: Callable[[], Iterator[tuple[int, Sequence[Any]]]]


def rows_of_json(path: Path) -> UntypedRows:
    """Return the records of JSON or JSON Lines, with a column for each of their keys. Raises TableError."""
    source = str(path)
    names: dict[str, None] = {}
    for number, record in records(path):
        names.update(dict.fromkeys(object_of(record, number, source)))

    def read() -> Iterator[tuple[int, Sequence[Any]]]:
        for number, record in records(path):
            yield number, [_of_json(object_of(record, number, source).get(name)) for name in names]

    return UntypedRows(source, list(names), read)


def _of_json(value: Any) -> Any:
    if isinstance(value, dict | list):
        return json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=_number)
    return float(value) if isinstance(value, Decimal) else value


def _number(value: Decimal) -> float:
    return float(value)


def rows_of_sheet(path: Path, named: str) -> UntypedRows:
    """Return the rows of a sheet below its header. The only sheet needs no name. Raises TableError."""
    sheet = SheetRows(path, named, "states")
    source, names = f"{path}:{sheet.name}", sheet.names()

    def read() -> Iterator[tuple[int, Sequence[Any]]]:
        for batch in sheet.batches(header=True):
            for number, row in zip(batch.numbers, batch.cells, strict=True):
                if len(row) > len(names):
                    raise TableError(source, f"row {number} has a cell in a column without a name")
                yield number, [_of_sheet(cell) for cell in row]

    return UntypedRows(source, names, read)


def _of_sheet(cell: Any) -> Any:
    if isinstance(cell, PercentCell):
        cell = cell.value
    if isinstance(cell, Decimal):
        return float(cell)
    if isinstance(cell, datetime.datetime | datetime.date | datetime.time | datetime.timedelta):
        return str(cell)
    return cell


def kind_of(cell: Any) -> str:
    """Return the name of the type of a cell."""
    match cell:
        case bool():
            return "boolean"
        case int():
            return "integer" if MIN_INTEGER <= cell <= MAX_INTEGER else "integer beyond 64 bits"
        case float():
            return "real"
        case None:
            return "null"
        case RefusedCell(reason):
            return f"no value ({reason})"
        case _:
            return "text"
