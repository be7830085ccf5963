"""Tests of numbers and dates as people write them."""

from __future__ import annotations

import csv
import io
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.kb.load.loader import load_text
from hornbook.kb.tables import table_facts
from hornbook.kb.tables.readers.table_format import ISO, TableFormat, TableFormatError
from hornbook.kb.tables.tables import TableError, load_table, read_csv, read_rows
from hornbook.kb.text.literals.values import DateValue, TimeValue, decimal_value

THEORY = load_text(
    "sort day = date. sort moment = time. sort euro = decimal(2). sort amount = int. sort name."
    " static row(name, day, moment, euro, amount). static paid(euro). static counted(amount). static on(day)."
    " static at(moment). sort rate = percent(1). static rated(rate)."
)
WORDS = THEORY.vocabulary
GERMAN = TableFormat(";", ",", ".", "%d.%m.%Y", "%d.%m.%Y %H:%M:%S")
AMERICAN = TableFormat("", ".", ",", "%m/%d/%Y", "%m/%d/%Y %I:%M:%S %p")
SWISS = replace(GERMAN, decimal=".", thousands="'")
FRENCH = replace(GERMAN, thousands=" ", date="%d/%m/%Y", time="")
FORMATS = [GERMAN, AMERICAN, SWISS, FRENCH, ISO]


def written(number: int, digits: int, format_: TableFormat, groups: bool) -> str:
    """Return a number in a format, by other code than that of the reader."""
    text = f"{number / 10**digits:,.{digits}f}" if abs(number) < 10**12 else f"{number // 10**digits:,}"
    if "." not in text and digits:
        text += f".{number % 10**digits:0{digits}}"
    marks = {",": format_.thousands if groups else "", ".": format_.decimal}
    return "".join(marks.get(each, each) for each in text)


def shown(value: Any, pattern: str) -> str:
    return value.python.strftime(pattern.replace("%Y", f"{value.python.year:04}"))


rows = st.tuples(
    st.integers(-700_000, 2_900_000).map(DateValue),
    st.integers(-60_000_000_000, 250_000_000_000).map(TimeValue),
    st.integers(0, 10**17) | st.integers(-(10**6), 10**6),
    st.integers(-(10**15), 10**15) | st.integers(-9999, 9999),
    st.booleans(),
)


@given(st.lists(rows, max_size=5), st.sampled_from(FORMATS), st.booleans())
def test_numbers_and_dates_are_read_in_each_format(
    given_rows: list[Any], format_: TableFormat, has_empty_line: bool
) -> None:
    stream = io.StringIO()
    writer = csv.writer(stream, delimiter=format_.delimiter or ",")
    writer.writerow(["name", "day", "moment", "euro", "amount"])
    for day, moment, units, amount, groups in given_rows:
        writer.writerow(
            [
                "a",
                shown(day, format_.date) if format_.date else str(day),
                shown(moment, format_.time) if format_.time else str(moment),
                written(units, 2, format_, groups),
                written(amount, 0, format_, groups),
            ]
        )
    if has_empty_line and given_rows:
        # A row that is not plain, so that the rows are read one by one.
        writer.writerow(["b", "", "", "", ""])
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "a.csv"
        path.write_text(stream.getvalue(), encoding="utf-8", newline="")
        found = read_csv(path, "row", WORDS, table_format=format_, skip_bad=True)
    assert len(found.bad) == bool(has_empty_line and given_rows)
    expected = [
        ("a", day, moment, decimal_value(units, 2), amount) for day, moment, units, amount, _ in given_rows
    ]
    assert [fact.values for fact in found.facts] == expected


def one(cell: str, predicate: str, format_: TableFormat) -> str:
    (fact,) = read_rows(pa.table({"a": [cell]}), predicate, WORDS, table_format=format_).facts
    return str(fact.values[0])


@pytest.mark.parametrize(
    ("cell", "predicate", "format_", "text"),
    [
        ("1.234.567,5", "paid", GERMAN, "1234567.50"),
        ("-1234567,50", "paid", GERMAN, "-1234567.50"),
        ("1\u202f234,50", "paid", FRENCH, "1234.50"),
        ("1\u00a0234", "paid", FRENCH, "1234.00"),
        ("1'234.50", "paid", SWISS, "1234.50"),
        ("1.2.2024", "on", GERMAN, "2024-02-01"),
        ("12/31/2024 12:05:00 am", "at", AMERICAN, "2024-12-31T00:05:00"),
        ("12/31/2024 12:05:00 PM", "at", AMERICAN, "2024-12-31T12:05:00"),
        ("2024-12-31", "at", replace(ISO, time="%Y-%m-%d %H:%M"), None),
    ],
)
def test_texts_of_other_tables_have_the_format(
    cell: str, predicate: str, format_: TableFormat, text: str | None
) -> None:
    if text is None:
        with pytest.raises(TableError, match="is not a time in the format `%Y-%m-%d %H:%M`"):
            one(cell, predicate, format_)
    else:
        assert one(cell, predicate, format_) == text


@pytest.mark.parametrize(
    ("cell", "predicate", "format_", "reason"),
    [
        (
            "1.234,50",
            "paid",
            ISO,
            "`--table-format decimal=, --table-format thousands=.` reads it as 1234.50",
        ),
        ("1,234.50", "paid", ISO, "`--table-format thousands=,` reads it as 1234.50"),
        ("1 234.50", "paid", ISO, "`--table-format 'thousands= '` reads it as 1234.50"),
        ("12.50", "paid", GERMAN, "with the decimal separator `,` and `.` between thousands"),
        ("12.50", "paid", GERMAN, "`--table-format decimal=. --table-format thousands=` reads it as 12.50"),
        ("1.23,50", "paid", GERMAN, "is not a number with 2 digits after the point"),
        ("1234.567,50", "paid", GERMAN, "is not a number with 2 digits after the point"),
        ("1,505", "paid", GERMAN, "has more than 2 digits after the point"),
        (
            "31.12.2024",
            "on",
            ISO,
            "is not a date such as 2024-02-29; `--table-format date=%d.%m.%Y` reads it",
        ),
        ("01/02/2024", "on", ISO, "date=%d/%m/%Y` reads it as 2024-02-01 or `--table-format date=%m/%d/%Y`"),
        ("31/02/2024", "on", replace(ISO, date="%d/%m/%Y"), "is not a date: day is out of range for month"),
        ("2024-12-31", "on", GERMAN, "`--table-format date=` reads it as 2024-12-31"),
        ("1.2.24", "on", GERMAN, "is not a date in the format `%d.%m.%Y`"),
        ("12/31/2024 00:05:00 am", "at", AMERICAN, "hours with AM or PM go from 1 to 12"),
        ("31.12.2024 24:00:00", "at", GERMAN, "hours go to 23"),
    ],
)
def test_a_bad_cell_names_the_option_that_reads_it(
    cell: str, predicate: str, format_: TableFormat, reason: str
) -> None:
    with pytest.raises(TableError, match="row 1: column `a`: `") as caught:
        one(cell, predicate, format_)
    assert cell in str(caught.value)
    assert reason in str(caught.value)


def test_integers_of_csv_have_groups(tmp_path: Path) -> None:
    path = tmp_path / "counted.csv"
    path.write_text("amount\n1.234\n-5\n", encoding="utf-8")
    with pytest.raises(TableError, match="reads it as 1234"):
        load_table(f"counted={path}", WORDS)
    found = load_table(f"counted={path}", WORDS, table_format=GERMAN)
    assert [fact.values for fact in found.facts] == [(1234,), (-5,)]


def test_percentages_of_csv_are_read_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "rated.csv"
    path.write_text("rate\n1.005,5 %\n-7,0%\n8,0 percent\n9,0\n", encoding="utf-8")
    monkeypatch.setattr(table_facts._Collecting, "add_rows", None)
    found = load_table(f"rated={path}", WORDS, table_format=replace(GERMAN, delimiter=";"))
    assert [str(row.values[0]) for row in found.facts] == [
        "1005.5 percent", "-7.0 percent", "8.0 percent", "9.0 percent"
    ]  # fmt: skip


def test_a_table_in_memory_has_a_format() -> None:
    base = KnowledgeBase(THEORY)
    base.add_table("paid", {"euro": ["1.234,50"]}, table_format=GERMAN)
    assert base.query("paid(1234.50)")


@pytest.mark.parametrize(
    ("settings", "reason"),
    [
        ({"decimal": ";"}, "the decimal separator is `.` or `,`, and not `;`"),
        ({"decimal": ",", "thousands": ","}, "`,` cannot separate both"),
        ({"thousands": "x"}, "and not `x`"),
        ({"delimiter": ";;"}, "the delimiter is one character"),
        ({"date": "%d.%m.%y"}, "`%y` is no code"),
        ({"date": "%d.%m."}, "it needs the codes %d, %m and %Y"),
        ({"date": "%d%m%Y"}, "write a separator between two codes"),
        ({"date": "%d.%d.%m.%Y"}, "a code occurs twice"),
        ({"date": "%d.%m.%Y %"}, "`%` is no code"),
        ({"time": "%d.%m.%Y"}, "it needs the codes %d, %m, %Y, %H and %M, or %I and %p"),
        ({"time": "%d.%m.%Y %I:%M"}, "it needs the codes"),
    ],
)
def test_a_bad_format_is_refused(settings: dict[str, str], reason: str) -> None:
    with pytest.raises(TableFormatError) as caught:
        TableFormat(**settings)
    assert reason in str(caught.value)
