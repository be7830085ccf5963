"""Tests of dates, times, decimal numbers, percentages and truth values in every table format that is written.

Each value is read back unchanged, by columns without an object for each cell where the format has types.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import polars
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from hornbook.kb.ast.theory import GroundFact
from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.kb.load.loader import load_text
from hornbook.kb.tables.readers.table_format import TableFormat
from hornbook.kb.tables.tables import TableFacts, load_table, read_rows
from hornbook.kb.tables.written_tables import (
    WrittenTable,
    write_csv,
    write_duckdb,
    write_parquet,
    write_sqlite,
)
from hornbook.kb.text.literals.values import (
    FIRST_DAY,
    LAST_DAY,
    SECONDS,
    DateValue,
    TimeValue,
    decimal_value,
    percent_value,
)

THEORY = load_text(
    "sort day = date. sort moment = time. sort euro = decimal(2). sort share = decimal(15)."
    " sort rate = percent(1). sort whole = percent. sort flag = true | false."
    " static kept(day, moment, euro, share, rate, whole, flag)."
)
NAMES = ("day", "moment", "euro", "share", "rate", "whole", "flag")
KINDS = ("date", "time", "decimal(2)", "decimal(15)", "percent(1)", "percent", "word")
QUERY = f"kept({', '.join(f'?{name}' for name in NAMES)})"
LEAST, GREATEST = -(2**63), 2**63 - 1
integers = st.sampled_from([LEAST, GREATEST, 0, -1, -50, 5]) | st.integers(LEAST, GREATEST)
rows = st.lists(
    st.tuples(
        st.integers(FIRST_DAY, LAST_DAY).map(DateValue),
        st.integers(FIRST_DAY * SECONDS, LAST_DAY * SECONDS + SECONDS - 1).map(TimeValue),
        integers.map(lambda units: decimal_value(units, 2)),
        integers.map(lambda units: decimal_value(units, 15)),
        integers.map(lambda units: percent_value(units, 1)),
        integers.map(lambda units: percent_value(units, 0)),
        st.sampled_from(["true", "false"]),
    ),
    min_size=1,
    max_size=4,
)
Rows = list[tuple[Any, ...]]
EXTREME: Rows = [
    (DateValue(FIRST_DAY), TimeValue(FIRST_DAY * SECONDS), *_numbers, "true")
    for _numbers in [
        (decimal_value(each, 2), decimal_value(each, 15), percent_value(each, 1), percent_value(each, 0))
        for each in (LEAST, GREATEST)
    ]
]


def base_of(found: Rows) -> KnowledgeBase:
    base = KnowledgeBase(THEORY)
    base.add([GroundFact("kept", row) for row in found])
    return base


def through_a_file(write: Callable[..., None], written: str, read: str) -> Callable[[Rows], TableFacts]:
    """Return a function that writes a table into a folder or database, and reads it."""

    def through(found: Rows) -> TableFacts:
        base = base_of(found)
        table = WrittenTable("kept", NAMES, KINDS, lambda: base.query(QUERY).rows, lambda: base.table("kept"))
        with TemporaryDirectory() as folder:
            write(Path(folder) / written, [table], lambda _: None)
            return load_table(f"kept={Path(folder) / read}", THEORY.vocabulary)

    return through


def through_json(found: Rows) -> TableFacts:
    return _of_text(json.dumps(list(base_of(found).query(QUERY).json_rows())), "json")


def through_json_lines(found: Rows) -> TableFacts:
    return _of_text("\n".join(map(json.dumps, base_of(found).query(QUERY).json_rows())), "jsonl")


def through_a_printed_csv(found: Rows) -> TableFacts:
    return _of_text(base_of(found).query(QUERY).to_csv(), "csv")


def through_a_german_csv(found: Rows) -> TableFacts:
    """Replace the points, which only numbers have, and the commas, which only separate cells."""
    text = base_of(found).query(QUERY).to_csv().replace(",", ";").replace(".", ",")
    return _of_text(text, "csv", TableFormat(delimiter=";", decimal=",", thousands="."))


def _of_text(text: str, suffix: str, table_format: TableFormat | None = None) -> TableFacts:
    with TemporaryDirectory() as folder:
        path = Path(folder) / f"kept.{suffix}"
        path.write_text(text, encoding="utf-8")
        return load_table(f"kept={path}", THEORY.vocabulary, table_format=table_format or TableFormat())


def _in_memory(made: Callable[[KnowledgeBase], Any]) -> Callable[[Rows], TableFacts]:
    return lambda found: read_rows(made(base_of(found)), "kept", THEORY.vocabulary)


WAYS: dict[str, Callable[[Rows], TableFacts]] = {
    "csv": through_a_file(write_csv, "out", "out/kept.csv"),
    "parquet": through_a_file(write_parquet, "out", "out/kept.parquet"),
    "sqlite": through_a_file(write_sqlite, "a.sqlite", "a.sqlite"),
    "duckdb": through_a_file(write_duckdb, "a.duckdb", "a.duckdb"),
    "json": through_json,
    "json lines": through_json_lines,
    "printed csv": through_a_printed_csv,
    "german csv": through_a_german_csv,
    "tuples": _in_memory(lambda base: base.query(QUERY).to_tuples()),
    "columns": _in_memory(lambda base: base.query(QUERY).to_dict()),
    "arrow": _in_memory(lambda base: base.query(QUERY).to_arrow()),
    "table in arrow": _in_memory(lambda base: base.table("kept")),
    "pandas": _in_memory(lambda base: base.query(QUERY).to_pandas()),
    "polars": _in_memory(lambda base: polars.from_arrow(base.table("kept"))),
}


@pytest.mark.parametrize("way", list(WAYS))
def test_tables_give_back_every_value(way: str) -> None:
    @settings(max_examples=20)
    @example(EXTREME)
    @given(rows)
    def any_rows(found: Rows) -> None:
        read = [fact.values for fact in WAYS[way](found).facts]
        assert set(read) == set(found)
        assert {tuple(map(type, row)) for row in read} == {tuple(map(type, row)) for row in found}

    any_rows()
