"""Tables of states in memory (pandas, Polars, Arrow, Dask, Ray), each answered as a table of the same type.

Tables in memory are converted to Arrow record batches. A Dask data frame or a Ray dataset stays lazy: each
partition is answered on its worker when it is computed.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

from hornbook.kb.sources.extras import extra_module
from hornbook.kb.tables.tables import TableError
from hornbook.spread.places import BackendOpener, in_order, results
from hornbook.spread.states import (
    ERROR,
    TableAnswering,
    TableQuestion,
    answer_schema,
    batch_of,
    bytes_of,
    must_be_text,
    question_columns,
    refusal,
)
from hornbook.spread.work import Shipped, done

if TYPE_CHECKING:
    import pyarrow

Table = TypeVar("Table")
_PART = 500
"""The number of states in a chunk. It is small because every worker should get some chunks of a table in
memory.
"""
_Ask = Callable[[list[bytes]], list[bytes]]
"""A function that answers chunks, in order."""


def answer_table(
    table: Table, question: TableQuestion, opened: BackendOpener, *, skip_bad: bool = False
) -> Table:
    """Return the table with an additional column of answers, and with `skip_bad` a column of errors.

    Raises:
        TableError: If the table has no states, or a row cannot be answered. For a lazy table, the latter is
          raised when it is computed.
        TypeError: If `table` is not a table.
    """

    def ask(parts: list[bytes]) -> list[bytes]:
        with opened() as place:
            return list(
                in_order(results(place, TableAnswering.of(question, place.threads), enumerate(parts)))
            )

    found: Table
    match _package(table):
        case "dask":
            found = _of_dask(table, question, skip_bad=skip_bad)
            return found
        case "ray":
            found = _of_ray(table, question, skip_bad=skip_bad)
            return found
    if not hasattr(table, "__arrow_c_stream__"):
        raise TypeError(f"a {type(table).__name__} is not a table: use pandas, Polars, Arrow, Dask or Ray")
    found = _answered(table, question, ask, skip_bad=skip_bad)
    return found


def _package(table: object) -> str:
    return type(table).__module__.partition(".")[0]


def _answered(table: Any, question: TableQuestion, ask: _Ask, *, skip_bad: bool) -> Any:
    """Return a table in memory with its answers."""
    arrow = extra_module("pyarrow", "data")
    whole, names = _columns(table, question)
    must_be_text(whole.schema, names, "table")
    batches = whole.select(names).combine_chunks().to_batches(_PART)
    found = [answer_schema(question).empty_table(), *map(batch_of, ask(list(map(bytes_of, batches))))]
    answers = arrow.concat_tables(found)
    errors = enumerate(answers[ERROR].to_pylist(), 1)
    bad = [(number, reason) for number, reason in errors if reason is not None]
    if bad and not skip_bad:
        way_out = f"correct them, or use `skip_bad=True` for a column `{ERROR}` with the reasons"
        raise refusal("table", whole.num_rows, bad, way_out)
    columns = {name: answers[name] for name in (question.gives, ERROR)[: 2 if skip_bad else 1]}
    match _package(table):
        case "pandas":
            return table.assign(
                **{name: _series(column.to_pylist(), table) for name, column in columns.items()}
            )
        case "polars":
            polars = extra_module("polars", "data")
            return table.with_columns(polars.from_arrow(arrow.table(columns)))
    for name, column in columns.items():
        whole = whole.append_column(name, column)
    if isinstance(table, arrow.RecordBatch):
        return (
            whole.combine_chunks().to_batches()[0]
            if whole.num_rows
            else arrow.RecordBatch.from_pylist([], whole.schema)
        )
    return whole.to_reader() if isinstance(table, arrow.RecordBatchReader) else whole


def _columns(table: Any, question: TableQuestion) -> tuple[pyarrow.Table, list[str]]:
    """Return a table in memory as an Arrow table, and the names of the columns that the question reads.

    Only these columns of a data frame are converted, since others may have any type. Raises TableError.
    """
    arrow = extra_module("pyarrow", "data")
    is_frame = _package(table) in ("pandas", "polars") and hasattr(table, "columns")
    names = question_columns(list(table.columns), question, "table") if is_frame else []
    try:
        whole = arrow.table(table[names] if is_frame else table)
    except (ValueError, TypeError, arrow.ArrowException) as problem:
        reason = ": ".join(map(str, problem.args))
        raise TableError("table", f"this cannot be read as an Arrow table: {reason}") from None
    return whole, names or question_columns(whole.schema.names, question, "table")


def _series(column: list[Any], frame: Any) -> Any:
    """Return a column of a pandas data frame with plain Python objects: lists of dicts, texts, None."""
    return extra_module("pandas", "data").Series(column, index=frame.index, dtype=object)


def _of_dask(table: Any, question: TableQuestion, *, skip_bad: bool) -> Any:
    """Return a lazy Dask data frame. The question is a separate task, so each worker receives it once.

    The workers of a machine share its processors, so each of them uses one thread.
    """
    question_columns(list(table.columns), question, "table")
    names = (question.gives, ERROR)[: 2 if skip_bad else 1]
    meta = table._meta.assign(**{name: _series([], table._meta) for name in names})  # noqa: SLF001 - the same
    shipped = Shipped.of(TableAnswering.of(question, threads=1))
    sent = extra_module("dask", "dask").delayed(shipped, name=f"hornbook-{shipped.digest}", traverse=False)
    return table.map_partitions(_partition, sent, question, skip_bad, meta=meta)


def _partition(table: Any, shipped: Shipped, question: TableQuestion, skip_bad: bool) -> Any:  # noqa: FBT001
    return _answered(
        table, question, lambda parts: [done(shipped, part) for part in parts], skip_bad=skip_bad
    )


def _of_ray(table: Any, question: TableQuestion, *, skip_bad: bool) -> Any:
    """Return a lazy Ray dataset. Ray sends the question once to each machine."""
    ray = extra_module("ray", "ray")
    schema = table.schema()
    if schema is not None:
        question_columns(schema.names, question, "table")
    sent = ray.put((Shipped.of(TableAnswering.of(question, threads=1)), question))

    def batch(part: Any) -> Any:
        shipped, of = ray.get(sent)
        return _partition(part, shipped, of, skip_bad)

    return table.map_batches(batch, batch_format="pyarrow")
