"""Tests of Arrow columns of dates, times, decimal numbers and truth values."""

from __future__ import annotations

import datetime
from decimal import Decimal
from random import Random
from typing import Any

import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from hornbook.kb.load.loader import load_text
from hornbook.kb.tables import table_facts
from hornbook.kb.tables.readers import arrow_columns
from hornbook.kb.tables.tables import TableError, TableFacts, read_rows

WORDS = load_text(
    "sort day = date. sort moment = time. sort euro = decimal(2). sort flag = true | false. sort name."
    " static days(day). static moments(moment). static euros(euro). static flags(flag). static names(name)."
).vocabulary
DAY = datetime.date(2024, 2, 29)
MIDNIGHT = datetime.datetime.fromisoformat("2024-02-29")
MOMENT = datetime.datetime.fromisoformat("2024-02-29T12:30")


def read(column: pa.Array, predicate: str) -> TableFacts:
    return read_rows(pa.table({"a": column}), predicate, WORDS)


def shown(found: TableFacts) -> list[str]:
    return [str(fact.values[0]) for fact in found.facts]  # noqa: PD011


@pytest.mark.parametrize(
    ("column", "predicate", "texts"),
    [
        (pa.array([DAY]), "days", ["2024-02-29"]),
        (pa.array([DAY], pa.date64()), "days", ["2024-02-29"]),
        (pa.array([MIDNIGHT], pa.timestamp("ns")), "days", ["2024-02-29"]),
        *(
            (pa.array([MOMENT], pa.timestamp(unit)), "moments", ["2024-02-29T12:30:00"])
            for unit in ("s", "ms", "us", "ns")
        ),
        (pa.array([MOMENT], pa.timestamp("us", tz="Asia/Tokyo")), "moments", ["2024-02-29T12:30:00"]),
        (pa.array([Decimal("12.5000"), Decimal(-3)], pa.decimal128(12, 4)), "euros", ["12.50", "-3.00"]),
        (pa.array([Decimal("0.5")], pa.decimal64(10, 1)), "euros", ["0.50"]),
        (pa.array([Decimal("0.5")], pa.decimal256(70, 1)), "euros", ["0.50"]),
        (pa.array([7], pa.int16()), "euros", ["7.00"]),
        (pa.array([True, False]), "flags", ["true", "false"]),
    ],
)
def test_columns_are_coded_without_an_object_for_each_cell(
    column: pa.Array, predicate: str, texts: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    sizes = []
    objects = arrow_columns._objects
    monkeypatch.setattr(arrow_columns, "_objects", lambda each: sizes.append(len(each)) or objects(each))
    many = pa.concat_arrays([column.slice(0, 0), column] * 50)
    # A slice has an offset in its buffers.
    found = read(many.slice(len(column)), predicate)
    assert shown(found) == texts * 49
    # The words of a dictionary are objects.
    assert all(size <= 2 for size in sizes)


@pytest.mark.parametrize(
    ("column", "predicate", "reason"),
    [
        (pa.array([MOMENT]), "days", "is not a date such as 2024-02-29"),
        (pa.array([DAY]), "moments", "is not a time such as"),
        (pa.array([0], pa.timestamp("us", tz="UTC")), "days", "is not a date"),
        (pa.array([1], pa.timestamp("ns")), "moments", "has a fraction of a second"),
        (pa.array([1], pa.timestamp("ns")), "days", "is not a date"),
        (pa.array([10**6 + 1], pa.timestamp("us")), "moments", "has a fraction of a second"),
        (pa.array([2_932_897], pa.int32()).view(pa.date32()), "days", "`10000-01-01` is no date"),
        (pa.array([2_932_897], pa.int32()).view(pa.date32()), "names", "10000-01-01"),
        (pa.array([2**62], pa.timestamp("us")), "moments", "is no date or time of Python"),
        (pa.array([Decimal("1.255")]), "euros", "has more than 2 digits after the point"),
        (pa.array([Decimal(10) ** 20]), "euros", "does not fit into 64 bits"),
        (pa.array([2**63 - 1]), "euros", "does not fit into 64 bits"),
        (pa.array([1.5]), "euros", "is not a number with 2 digits after the point"),
        (pa.array([True]), "names", "declare a sort with the words `true` and `false`"),
        (pa.array([True]), "euros", "the truth value True"),
    ],
)
def test_a_cell_is_refused_instead_of_rounded(column: pa.Array, predicate: str, reason: str) -> None:
    with pytest.raises(TableError, match="row 1: column `a`") as caught:
        read(column, predicate)
    assert reason in str(caught.value)


def test_a_pandas_time_with_nanoseconds_is_refused() -> None:
    with pytest.raises(TableError, match="has a fraction of a second"):
        read_rows([(pd.Timestamp(1),)], "moments", WORDS)


KINDS: list[tuple[str, pa.DataType, st.SearchStrategy[Any]]] = [
    ("euros", pa.decimal128(25, 3), st.decimals(-(10**20), 10**20, places=3)),
    ("euros", pa.decimal128(21, 2), st.decimals(-(10**17), 10**17, places=2)),
    ("euros", pa.int64(), st.integers(-(2**63), 2**63 - 1) | st.integers(-9, 9)),
    ("days", pa.date32(), st.dates()),
    ("days", pa.timestamp("ms"), st.dates().map(lambda day: datetime.datetime.fromisoformat(str(day)))),
    *(
        (
            predicate,
            pa.timestamp(unit),
            st.datetimes() | st.datetimes().map(lambda t: t.replace(microsecond=0)),
        )
        for unit in ("s", "us")
        for predicate in ("moments", "days")
    ),
    ("flags", pa.bool_(), st.booleans()),
]


@st.composite
def columns(draw: st.DrawFn) -> tuple[str, pa.Array]:
    predicate, kind, values = draw(st.sampled_from(KINDS))
    if kind == pa.timestamp("s"):
        values = values.map(lambda time: time.replace(microsecond=0))
    return predicate, pa.array(draw(st.lists(values | st.none() if draw(st.booleans()) else values)), kind)


@given(columns())
@example(("euros", pa.array([Decimal("92233720368547758.08")])))
@example(("euros", pa.array([Decimal("-92233720368547758.08")])))
def test_columns_mean_what_their_objects_mean(given_column: tuple[str, pa.Array]) -> None:
    predicate, column = given_column
    by_row = outcome([(cell,) for cell in column.to_pylist()], predicate)
    assert outcome(pa.table({"a": column}), predicate) == by_row


def outcome(table: Any, predicate: str) -> list[Any]:
    """Return the values with their classes, or the numbers of the bad rows."""
    try:
        facts = read_rows(table, predicate, WORDS).facts
    except TableError as problem:
        return [each.row for each in problem.bad]
    return [(value, type(value)) for fact in facts for value in fact.values]  # noqa: PD011


@given(
    st.sampled_from(["born(name -> day)", "paid(name, day -> euro, flag)", "only( -> day)", "days(day)"]),
    st.lists(st.sampled_from(["a", "b", "c", None]), max_size=12),
    st.randoms(use_true_random=False),
    st.booleans(),
)
def test_rows_without_a_value_are_left_out_by_column_as_by_row(
    declared: str, names: list[str | None], random: Random, has_nulls: bool
) -> None:
    words = load_text(
        f"sort day = date. sort euro = decimal(2). sort flag = true | false. sort name. static {declared}."
    ).vocabulary
    (predicate,) = words.predicates.values()
    kinds: dict[str, tuple[pa.DataType, list[Any]]] = {
        "name": (pa.string(), names),
        "day": (pa.date32(), [DAY, DAY, datetime.date(2025, 1, 1), None]),
        "euro": (pa.decimal128(9, 2), [Decimal("1.50"), Decimal(2), None, None]),
        "flag": (pa.bool_(), [True, None, None]),
    }
    key = predicate.key or 0
    rows = []
    for name in names:
        row = [name if c.name == "name" else random.choice(kinds[c.name][1]) for c in predicate.columns]
        rows.append(
            tuple(
                row
                if has_nulls
                else [*row[:key], *(row[key:] if random.random() < 0.5 else [None] * len(row[key:]))]
            )
        )
    fields = [(f"c{place}", kinds[column.name][0]) for place, column in enumerate(predicate.columns)]
    columns = list(zip(*rows, strict=True)) or [() for _ in fields]
    table = pa.table(
        [pa.array(each, kind) for each, (_, kind) in zip(columns, fields, strict=True)],
        schema=pa.schema(fields),
    )

    def read_as(source: Any) -> Any:
        try:
            found = read_rows(source, predicate.name, words)
        except TableError as problem:
            return [each.row for each in problem.bad]
        places = [found.facts.rows.row(place) for place in range(len(found.facts))]
        return found.without_value, [
            (*map(str, fact.values), place) for fact, place in zip(found.facts, places, strict=True)
        ]

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(table_facts._Collecting, "add_columns", lambda *_: False)
        expected = read_as(rows)
    assert read_as(table) == expected
    assert read_as(rows) == expected


def test_columns_with_nulls_are_coded_without_an_object_for_each_cell(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(table_facts._Collecting, "add_rows", None)
    words = load_text("sort day = date. static due(int -> day).").vocabulary
    days = pa.array([DAY, None] * 500, pa.date32())
    for source in (
        pa.table({"n": range(1000), "d": days}),
        list(zip(range(1000), days.to_pylist(), strict=True)),
    ):
        found = read_rows(source, "due", words)
        assert (len(found.facts), found.without_value) == (500, 500)
        assert found.facts.rows.row(499).endswith(":999")
