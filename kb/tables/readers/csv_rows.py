"""The rows of a CSV file, cell by cell.

A cell in double quotes is kept unchanged, with its blanks; `""` is the empty word. Blanks around a cell
without quotes are removed, and an empty one is missing (None). Bytes that are not UTF-8 become lone
surrogates, so that the cell can be refused with its row and column (kb/text/characters.py).
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import chain, islice
from pathlib import Path

from hornbook.kb.tables.csv_lines import MAX_CELL
from hornbook.kb.tables.table_facts import RowBatch, TableError
from hornbook.matcher.program.dataclass import dataclass
from hornbook.matcher.program.hornbook_error import HornbookError

_BATCH = 1_000
"""The number of rows in one read. With more, the garbage collector would examine each of them repeatedly."""
_UTF_16 = (b"\xff\xfe", b"\xfe\xff")


@dataclass(frozen=True, slots=True)
class CsvRows:
    """Rows that are not empty, with their numbers, their cells from the csv module, and the text
    of all rows.
    """

    numbers: Sequence[int]
    cells: Sequence[Sequence[str]]
    text: str


def csv_batches(path: Path, delimiter: str, *, quoted: bool = True) -> Iterator[RowBatch]:
    """Yield the rows that are not empty, with their numbers. The first row is separate, as it may be a
    header.

    Raises:
        TableError: The file cannot be read or is not CSV.
    """
    for rows in csv_rows(path, delimiter, quoted=quoted):
        yield RowBatch(rows.numbers, _values(rows, delimiter, quoted=quoted))


def csv_rows(path: Path, delimiter: str, *, quoted: bool = True) -> Iterator[CsvRows]:
    """Yield the rows with every cell as its text, in batches as `csv_batches`. Raises TableError."""
    # The limit of the csv module is global to the process. It is only ever raised.
    csv.field_size_limit(max(csv.field_size_limit(), MAX_CELL))
    read = 0
    size = 1
    try:
        _must_not_be_utf_16(path)
        with path.open(encoding="utf-8-sig", errors="surrogateescape", newline="") as file:
            while block := list(islice(file, size)):
                text, found = _rows_from(block, file, read, delimiter, quoted=quoted)
                numbers: Sequence[int] = range(read + 1, read + 1 + len(found))
                read += len(found)
                if not all(found):
                    numbers = [number for number, row in zip(numbers, found, strict=True) if row]
                    found = [row for row in found if row]
                if found:
                    size = _BATCH
                    yield CsvRows(numbers, found, text)
    except OSError as problem:
        raise TableError(str(path), f"cannot be read: {problem.strerror}") from None
    except _NotCsv as problem:
        raise TableError(str(path), str(problem)) from None
    except ValueError as problem:  # an invalid file name
        raise TableError(str(path), f"cannot be read: {problem}") from None


class _NotCsv(HornbookError):
    """A row that is not CSV."""


def _rows_from(
    block: list[str], file: Iterator[str], before: int, delimiter: str, *, quoted: bool
) -> tuple[str, list[list[str]]]:
    """Return the text of the rows that begin in some lines, and the rows. The last row may continue in the
    file.

    `before` is the number of preceding rows. Raises _NotCsv.
    """
    text = "".join(block)
    has_quotes = quoted and '"' in text
    lines: list[str] = []
    reader = csv.reader(
        _recorded_lines(chain(block, file), lines) if has_quotes else block,
        delimiter=delimiter,
        quoting=csv.QUOTE_MINIMAL if quoted else csv.QUOTE_NONE,
        strict=True,
    )
    found: list[list[str]] = []
    try:
        if has_quotes:
            while reader.line_num < len(block):
                found.append(next(reader))
        else:
            found.extend(reader)
    except csv.Error as problem:
        number = before + len(found) + 1
        raise _NotCsv(f"row {number} is not CSV: {problem}{_remedy(problem)}") from None
    return "".join(lines) if has_quotes else text, found


def _remedy(problem: csv.Error) -> str:
    message = str(problem)
    if "unexpected end" in message:
        return "; a double quote that opens in this row is never closed"
    return "; write a double quote inside a quoted cell twice" if "expected after" in message else ""


def _must_not_be_utf_16(path: Path) -> None:
    # A pipe can be read only once, so it is not checked.
    if path.is_file():
        with path.open("rb") as file:
            if file.read(2) in _UTF_16:
                raise _NotCsv("row 1 is not UTF-8, and the file seems to be UTF-16; save it as UTF-8")


def _recorded_lines(file: Iterator[str], lines: list[str]) -> Iterator[str]:
    """Yield the lines of a file, and append each to `lines` when it is taken."""
    for line in file:
        lines.append(line)
        yield line


# Blanks and empty cells


def _values(rows: CsvRows, delimiter: str, *, quoted: bool) -> list[tuple[str | None, ...]]:
    """Return the cells as values: quoted ones unchanged, others without surrounding blanks, and None if
    empty.
    """
    if not (quoted and '"' in rows.text) and _are_values(rows.text, delimiter):
        return list(map(tuple, rows.cells))
    cells = list(chain.from_iterable(rows.cells))
    stripped = list(map(str.strip, cells))
    if "" not in stripped and stripped == cells:
        return list(map(tuple, rows.cells))
    if not quoted or '"' not in rows.text:
        return [tuple(cell.strip() or None for cell in row) for row in rows.cells]
    return [
        tuple(cell if in_quotes else cell.strip() or None for cell, in_quotes in zip(row, flags, strict=True))
        for row, flags in zip(rows.cells, _in_quotes(rows.text, delimiter), strict=True)
    ]


_BLANKS = " \t\v\f\x1c\x1d\x1e\x1f"
"""The blanks of ASCII that end no line of a file."""


def _are_values(text: str, delimiter: str) -> bool:
    """Return whether it is certain that no unquoted cell is empty or has surrounding blanks.

    Searching the text is faster than checking each cell.
    """
    if not text.isascii():
        return False
    ends = (delimiter, "\n", "\r")
    outside = [blank for blank in _BLANKS if blank in text and blank != delimiter]
    pairs = [f"{delimiter}{end}" for end in ends] + [f"{end}{delimiter}" for end in ends]
    pairs += [pair for blank in outside for end in ends for pair in (f"{blank}{end}", f"{end}{blank}")]
    return (
        text[:1] not in (delimiter, *outside)
        and text[-1:] not in (delimiter, *outside)
        and not any(pair in text for pair in pairs)
    )


@cache
def _cell_and_end(delimiter: str) -> re.Pattern[str]:
    mark = re.escape(delimiter)
    return re.compile(rf'(?:(?P<quoted>"(?:[^"]|"")*+")|[^{mark}\r\n]*+)(?P<end>{mark}|\r\n|\r|\n|\Z)')


def _in_quotes(text: str, delimiter: str) -> Iterator[list[bool]]:
    """Yield for each row that is not empty whether its cells are quoted. The csv module has accepted the
    text.
    """
    flags: list[bool] = []
    place = 0
    pattern = _cell_and_end(delimiter)
    while place < len(text):
        found = pattern.match(text, place)
        assert found is not None, place
        is_empty_line = not flags and found["quoted"] is None and found.start() == found.start("end")
        if not (is_empty_line and found["end"] != delimiter):
            flags.append(found["quoted"] is not None)
        place = found.end()
        if found["end"] != delimiter:
            if flags:
                yield flags
            flags = []
    if flags:
        # The last cell is empty and has no line end.
        yield [*flags, False]
