"""Output of answers: the first rows as text, as CSV, or in a file whose suffix selects its format."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from hornbook.kb.sources.extras import extra_module
from hornbook.kb.tables.answers import Answers
from hornbook.kb.text.counts import counted
from hornbook.matcher.program.dataclass import dataclass
from hornbook.terminal.failure import ArgumentError
from hornbook.terminal.messages import print_line, warn

if TYPE_CHECKING:
    import pyarrow

    from hornbook.kb.tables.written_tables import ColumnKind

ENDINGS = (".csv", ".parquet")
Each = TypeVar("Each")


@dataclass(frozen=True, slots=True)
class Form:
    """The output form chosen with `--limit`, `--csv`, `--into` and `--json`.

    Raises ArgumentError if the options contradict each other.
    """

    limit: int | None
    csv: bool
    into: Path | None
    json: bool

    def __post_init__(self) -> None:
        if self.csv and (self.json or self.into is not None):
            other = "--json" if self.json else "--into"
            raise ArgumentError(f"it cannot be combined with {other}", argument="--csv")

    @property
    def is_table(self) -> bool:
        return self.csv or self.into is not None

    @property
    def table_option(self) -> str:
        """The option that requests a table."""
        return "--csv" if self.csv else "--into"

    def must_be_writable(self, read: Iterable[Path]) -> None:
        """Check the output file before the work starts.

        Raises:
            ArgumentError: the file has an unknown suffix, or it is one of the files in `read`.
            WritingError: the file cannot be written.
            MissingExtraError: its format needs an extra that is not installed.
        """
        from hornbook.kb.text.writing import require_writable  # noqa: PLC0415 - slow to import

        into = self.into
        if into is None:
            return
        if into.suffix not in ENDINGS:
            raise ArgumentError(f"`{into.name}` ends in none of {' and '.join(ENDINGS)}", argument="--into")
        if into.exists() and any(each.exists() and into.samefile(each) for each in read):
            raise ArgumentError("the answers would replace facts that are read", argument="--into")
        require_writable(into)
        if into.suffix == ".parquet":
            extra_module("pyarrow.parquet", "data")

    def first(self, answers: Sequence[Each], what: str = "answer") -> Sequence[Each]:
        """Return the answers to show. If some are left out, say so on the error stream."""
        if self.limit is None or len(answers) <= self.limit:
            return answers
        warn(f"the first {self.limit:,} of {counted(len(answers), what)}")
        return answers[: self.limit]

    def show(self, answers: Answers, kinds: Sequence[ColumnKind]) -> None:
        """Write answers as the requested table. An existing file is replaced. Raises WritingError."""
        self._put(answers.csv_lines(), partial(_typed, answers.to_arrow, kinds), len(answers))

    @property
    def is_parquet(self) -> bool:
        return self.into is not None and self.into.suffix == ".parquet"

    def show_arrow(self, table: pyarrow.Table, kinds: Sequence[ColumnKind]) -> None:
        """Write answers as the requested Parquet file. An existing file is replaced. Raises WritingError."""
        self._put(iter(()), partial(_typed, lambda: table, kinds), table.num_rows)

    def show_rows(self, columns: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
        """Write rows with arbitrary cells as the requested table.

        None becomes an empty cell. Lists and other compound values become JSON. A column has an integer type
        if all its values are integers.
        """
        from hornbook.kb.tables.csv_lines import csv_lines  # noqa: PLC0415 - slow to import

        cells = [tuple(map(_cell, row)) for row in rows]
        kinds: list[ColumnKind] = [
            "integer" if {type(row[place]) for row in cells} - {type(None)} == {int} else "word"
            for place in range(len(columns))
        ]

        def arrow() -> pyarrow.Table:
            found = [
                [
                    str(row[place]) if kind == "word" and row[place] is not None else row[place]
                    for row in cells
                ]
                for place, kind in enumerate(kinds)
            ]
            table: pyarrow.Table = extra_module("pyarrow", "data").table(
                dict(zip(columns, found, strict=True)), schema=_schema(columns, kinds)
            )
            return table

        self._put(csv_lines(columns, cells), arrow, len(cells))

    def _put(self, lines: Iterator[str], arrow: Callable[[], pyarrow.Table], size: int) -> None:
        from hornbook.kb.text.writing import write_files, write_text  # noqa: PLC0415 - slow to import

        if self.into is None:
            for line in lines:
                print_line(line, end="")
            return
        if self.into.suffix == ".csv":
            write_text(self.into, lines)
        else:
            write = partial(extra_module("pyarrow.parquet", "data").write_table, arrow())
            write_files([(self.into, write)])
        report = {"answers": size, "written": str(self.into)}
        print_line(json.dumps(report) if self.json else f"{counted(size, 'answer')} in {self.into}")


def _cell(value: object) -> str | int | None:
    if value is None or isinstance(value, str) or type(value) is int:
        return value
    return json.dumps(value, ensure_ascii=False)


def _typed(table: Callable[[], pyarrow.Table], kinds: Sequence[ColumnKind]) -> pyarrow.Table:
    """Return a table with the types of columns of these kinds."""
    made = table()
    return made.cast(_schema(made.column_names, kinds))


def _schema(columns: Sequence[str], kinds: Sequence[ColumnKind]) -> pyarrow.Schema:
    arrow = extra_module("pyarrow", "data")
    types = {"integer": arrow.int64(), "word": arrow.string(), "mixed": arrow.string()}
    return arrow.schema([(name, types[kind]) for name, kind in zip(columns, kinds, strict=True)])
