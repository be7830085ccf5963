"""Columns of a table that are selected by name."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from hornbook.kb.sources.diagnostics import did_you_mean
from hornbook.kb.tables.column_names import places_by_name
from hornbook.kb.tables.readers.arrow_columns import ArrowBatch
from hornbook.kb.tables.table_facts import Batch, RowBatch, TableError, TableShape


def by_name(
    names: Sequence[str], batches: Iterator[Batch], shape: TableShape, columns: Sequence[str] | None
) -> tuple[Sequence[str], Iterator[Batch]]:
    """Return the names and batches of the selected columns, in the order of the predicate's. Raises
    TableError if one is missing.
    """
    try:
        places = places_by_name(names, [sort.name for sort in shape.sorts], columns)
    except KeyError as problem:
        raise TableError(shape.source, _no_column(problem.args[0], names)) from None
    width, expected = len(names if places is None else places), len(shape.sorts)
    if width != expected and not (places is None and shape.fits(names)):
        way_out = f"; name the columns: `{shape.predicate.name}(NAME, …)=FILE`, or from Python `columns=`"
        is_wide = columns is None and width > expected
        raise TableError(shape.source, shape.wrong_width(width) + (way_out if is_wide else ""))
    if places is None:
        return names, batches
    return [names[place] for place in places], (_picked(batch, places, len(names)) for batch in batches)


def _picked(batch: Batch, places: Sequence[int], width: int) -> Batch:
    """Return the columns at some places. Rows of another width are kept unchanged, so that they are refused
    later.
    """
    if isinstance(batch, ArrowBatch):
        return batch.select(places)
    assert isinstance(batch, RowBatch)
    cells = [tuple(map(row.__getitem__, places)) if len(row) == width else row for row in batch.cells]
    return replace(batch, cells=cells)


def _no_column(name: str, names: Sequence[str]) -> str:
    if name in names:
        return f"it has several columns called `{name}`"
    hint = did_you_mean(name, names)
    return f"it has no column `{name}`" + (f"; {hint}" if hint else f"; they are {', '.join(names)}")
