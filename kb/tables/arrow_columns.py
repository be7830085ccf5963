"""The columns of Arrow data, and of DuckDB's, without a Python object for each cell."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from hornbook.kb.ast.fact_columns import FactColumn
from hornbook.matcher.program.dataclass import dataclass


@dataclass(frozen=True, slots=True)
class ArrowBatch:
    """A record batch. Its first row has the number `first`."""

    first: int
    batch: Any

    @property
    def numbers(self) -> range:
        return range(self.first, self.first + self.batch.num_rows)

    def columns(self) -> Iterator[FactColumn | Sequence[Any]]:
        """Return the columns: coded for words and integers without nulls, otherwise as Python objects."""
        return map(_column, self.batch.columns)

    def select(self, places: Sequence[int]) -> ArrowBatch:
        """Return the same rows with the columns at some places."""
        return ArrowBatch(self.first, self.batch.select(list(places)))

    def rows(self) -> Iterable[tuple[Any, ...]]:
        return zip(*map(_objects, self.batch.columns), strict=True)


def arrow_batches(reader: Any) -> Iterator[ArrowBatch]:
    """Yield the batches of a reader. Rows count from 1."""
    first = 1
    for batch in reader:
        yield ArrowBatch(first, batch)
        first += batch.num_rows


def _column(column: Any) -> FactColumn | Sequence[Any]:
    import pyarrow as pa  # noqa: PLC0415 - who has Arrow data has it

    kind = column.type
    if pa.types.is_dictionary(kind):
        # Arrow cannot take values from a dictionary of views, which Polars creates.
        words = (
            column.dictionary.cast(pa.string())
            if pa.types.is_string_view(kind.value_type)
            else column.dictionary
        )
        column = words.take(column.indices)
        kind = column.type
    elif pa.types.is_string_view(kind):
        column, kind = column.cast(pa.large_string()), pa.large_string()
    if column.null_count == 0 and pa.types.is_integer(kind):
        return FactColumn(_integers(column.cast(pa.int64())), None)
    if column.null_count == 0 and (pa.types.is_string(kind) or pa.types.is_large_string(kind)):
        coded = column.dictionary_encode()
        return FactColumn(_integers(coded.indices.cast(pa.int64())), _objects(coded.dictionary))
    return _objects(column)


def _objects(column: Any) -> list[Any]:
    """Return the cells as Python objects. Bytes that are not UTF-8 become lone surrogates, so that the cell
    is refused.
    """
    try:
        cells: list[Any] = column.to_pylist()
    except UnicodeDecodeError:
        texts = column.cast("large_binary").to_pylist()
        cells = [None if text is None else text.decode(errors="surrogateescape") for text in texts]
    return cells


def _integers(column: Any) -> array[int]:
    """Return the cells of an Arrow array of 64-bit integers without nulls."""
    cells = array("q")
    if len(column):
        begin = column.offset * cells.itemsize
        cells.frombytes(memoryview(column.buffers()[1])[begin : begin + len(column) * cells.itemsize])
    return cells
