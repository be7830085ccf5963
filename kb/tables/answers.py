"""Answers to a query, in several output formats.

An answer has one value for each named variable of the query, in order of first appearance. Answers are
distinct and sorted, so equal queries give equal lists.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from itertools import islice
from typing import TYPE_CHECKING, Any

from hornbook.kb.ast.ordering import value_order
from hornbook.kb.sources.deprecations import renamed_members
from hornbook.kb.sources.extras import extra_module
from hornbook.kb.tables.arrow_arrays import column_type, formed_array
from hornbook.kb.tables.table_values import mixed_text
from hornbook.kb.text.escaping import markup, visible, without_line_ends
from hornbook.kb.text.literals.values import WrittenInteger, python_value
from hornbook.matcher.program.dataclass import dataclass

if TYPE_CHECKING:
    import numpy as np
    import pandas
    import pyarrow
    from numpy.typing import NDArray

Row = tuple[str | int, ...]
_SHOWN = 50
"""The maximum number of rows shown in a notebook."""


def arrow_table(
    names: Sequence[str],
    columns: Sequence[NDArray[np.int64]],
    words: Sequence[Callable[[int], str | int] | None],
    mixed: AbstractSet[str] = frozenset(),
    forms: Sequence[type[WrittenInteger] | None] | None = None,
) -> pyarrow.Table:
    """Return coded answers as an Arrow table, in the order of `Answers`. Objects are created only for
    distinct words.

    `words` decode the cells of a column, or are None for integers. `mixed` are the names of mixed columns,
    and `forms` the classes of dates, times and decimal numbers. Needs NumPy and pyarrow.
    """
    arrow, numpy = extra_module("pyarrow", "data"), extra_module("numpy", "data")
    made: list[tuple[NDArray[np.signedinteger], list[str] | None]] = []
    for name, cells, word in zip(names, columns, words, strict=True):
        if word is None:
            made.append((cells, None))
            continue
        distinct, places = numpy.unique(cells, return_inverse=True)
        distinct_words = [word(cell) for cell in distinct.tolist()]
        order = sorted(range(len(distinct_words)), key=lambda place: value_order(distinct_words[place]))
        ranks = numpy.empty(len(distinct_words), dtype=numpy.int32)
        ranks[order] = numpy.arange(len(distinct_words), dtype=numpy.int32)
        text = mixed_text if name in mixed else str
        made.append((ranks[places], [text(distinct_words[place]) for place in order]))
    rows = numpy.lexsort([cells for cells, _ in reversed(made)]) if made else []
    arrays = []
    for (cells, dictionary), form in zip(made, forms or [None] * len(made), strict=True):
        if form is not None:
            arrays.append(formed_array(cells[rows], form.kind))
            continue
        codes = arrow.array(cells[rows])
        if dictionary is None:
            arrays.append(codes)
        else:
            arrays.append(arrow.DictionaryArray.from_arrays(codes, arrow.array(dictionary, arrow.string())))
    table: pyarrow.Table = arrow.table(arrays, names=list(names))
    return table


def has_forms(rows: Sequence[Row]) -> bool:
    """Return whether rows have dates, times or decimal numbers. All rows have the same columns."""
    return bool(rows) and any(isinstance(value, WrittenInteger) for value in rows[0])


def written(rows: Iterable[Row], are_mixed: Sequence[bool]) -> Iterable[Row]:
    """Return the rows for text formats. Values of mixed columns are converted to text."""
    if not any(are_mixed):
        return rows
    return (
        tuple(
            [mixed_text(value) if is_mixed else value for value, is_mixed in zip(row, are_mixed, strict=True)]
        )
        for row in rows
    )


def _json_value(value: str | int) -> str | int:
    return str(value) if isinstance(value, WrittenInteger) else value


@renamed_members
@dataclass(frozen=True, slots=True)
class Answers:
    """The answers to a query. A query without variables has one empty row (yes) or none (no).

    `mixed` are the variables with words and integers. In a text, an Arrow table or a data frame, their word 5
    is written `'5'`.
    """

    variables: tuple[str, ...]
    rows: tuple[Row, ...]
    mixed: frozenset[str] = frozenset()

    def __bool__(self) -> bool:
        return bool(self.rows)

    def __len__(self) -> int:
        return len(self.rows)

    def __iter__(self) -> Iterator[tuple[Any, ...]]:
        return iter(self._python_rows())

    def _python_rows(self) -> Sequence[tuple[Any, ...]]:
        if not has_forms(self.rows):
            return self.rows
        try:
            return [tuple(map(python_value, row)) for row in self.rows]
        except OverflowError as problem:
            from hornbook.kb.tables.csv_lines import CellError  # noqa: PLC0415 - slow to import

            raise CellError(str(problem)) from None

    def to_tuples(self) -> list[tuple[Any, ...]]:
        """Return the answers as tuples: words as `str`, integers as `int`, dates and times as those of
        `datetime`, and decimal numbers as `decimal.Decimal`.

        Raises CellError, like all methods with these values, for a date outside of the years 1 to 9999.
        """
        return list(self._python_rows())

    def to_dicts(self) -> list[dict[str, Any]]:
        """Return one dict per answer, keyed by the variables' names without their mark."""
        return [dict(zip(self.variables, row, strict=True)) for row in self._python_rows()]

    def to_dict(self) -> dict[str, list[Any]]:
        """Return a list of values for each variable."""
        rows = self._python_rows()
        return {name: [row[i] for row in rows] for i, name in enumerate(self.variables)}

    def json_rows(self) -> Iterator[dict[str, str | int]]:
        """Yield the answers as objects of JSON. Dates, times and decimal numbers are texts."""
        are_plain = not has_forms(self.rows)
        for row in self.rows:
            values = row if are_plain else map(_json_value, row)
            yield dict(zip(self.variables, values, strict=True))

    def to_arrow(self) -> pyarrow.Table:
        """Return the answers as an Arrow table (extra `data`).

        Words become strings, integers 64-bit integers, and dates, times and decimal numbers have their own
        types.
        """
        arrow = extra_module("pyarrow", "data")
        columns = self._columns_of_one_type()
        if has_forms(self.rows):
            columns = {
                name: arrow.array(column, column_type(value.kind))
                if isinstance(value, WrittenInteger)
                else column
                for (name, column), value in zip(columns.items(), self.rows[0], strict=True)
            }
        table: pyarrow.Table = arrow.table(columns)
        return table

    def _columns_of_one_type(self) -> dict[str, Any]:
        return {
            name: list(map(mixed_text, column)) if name in self.mixed else column
            for name, column in self.to_dict().items()
        }

    def to_csv(self) -> str:
        """Return the answers as CSV, with the lines of `csv_lines`."""
        return "".join(self.csv_lines())

    def csv_lines(self) -> Iterator[str]:
        """Yield the answers as lines of CSV: a header with the variables' names without their mark, then a
        line for each.

        A line ends in a line feed.
        """
        from hornbook.kb.tables.csv_lines import csv_lines  # noqa: PLC0415 - slow to import

        return csv_lines(self.variables, self._written())

    def _written(self) -> Iterable[Row]:
        return written(self.rows, [name in self.mixed for name in self.variables])

    def to_pandas(self) -> pandas.DataFrame:
        """Return the answers as a data frame (extra `data`). Columns have one type, as in `to_arrow`."""
        columns = list(self.variables)
        frame: pandas.DataFrame = extra_module("pandas", "data").DataFrame(
            self._columns_of_one_type(), columns=columns
        )
        return frame

    def __str__(self) -> str:
        """Return `yes` or `no`, or a small table. Control characters and invisible characters are escaped."""
        return visible(self.to_text())

    def to_text(self) -> str:
        """Return the same text without escapes, but with `⏎` for a line break and a blank for a tab."""
        if not self.variables:
            return "yes" if self.rows else "no"
        if not self.rows:
            return "no answers"
        head = [f"?{name}" for name in self.variables]
        table = [head, *([without_line_ends(str(value)) for value in row] for row in self._written())]
        widths = [max(len(row[i]) for row in table) for i in range(len(head))]
        lines = [
            "  ".join(cell.ljust(w) for cell, w in zip(row, widths, strict=True)).rstrip() for row in table
        ]
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        """Return a table of the first rows for a notebook."""
        if not self.variables or not self.rows:
            return f"<p>{self}</p>"
        head = "".join(f"<th>?{markup(name)}</th>" for name in self.variables)
        rows = (
            "".join(f"<td>{markup(str(value))}</td>" for value in row)
            for row in islice(self._written(), _SHOWN)
        )
        more = f"<p>and {len(self) - _SHOWN} more</p>" if len(self) > _SHOWN else ""
        return f"<table><tr>{head}</tr>{''.join(f'<tr>{row}</tr>' for row in rows)}</table>{more}"
