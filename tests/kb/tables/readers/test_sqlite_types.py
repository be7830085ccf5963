"""Tests of the declared types of SQLite, in each way in which it stores their values."""

from __future__ import annotations

import sqlite3
import tempfile
from contextlib import closing
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from hornbook.kb.load.loader import load_text
from hornbook.kb.tables.tables import TableError, load_table

WORDS = load_text(
    "sort day = date. sort moment = time. sort euro = decimal(2). sort flag = true | false. sort name."
    " static days(day). static moments(moment). static euros(euro). static flags(flag). static counted(int)."
).vocabulary


def texts(folder: str | Path, declared: str, predicate: str, cells: list[Any]) -> list[str]:
    """Return the texts of the values of a column with a declared type."""
    path = Path(folder) / "a.sqlite"
    path.unlink(missing_ok=True)
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(f"CREATE TABLE t (a {declared})")
        connection.executemany("INSERT INTO t VALUES (?)", [[cell] for cell in cells])
    facts = load_table(f"{predicate}(a)={path}::t", WORDS).facts
    return [str(fact.values[0]) for fact in facts]


@pytest.mark.parametrize(
    ("declared", "predicate", "cell", "text"),
    [
        ("DATE", "days", "2024-02-29", "2024-02-29"),
        ("date", "days", 1_709_164_800, "2024-02-29"),
        ("DATE", "days", 2_460_369.5, "2024-02-29"),
        ("DATETIME", "days", 0, "1970-01-01"),
        ("DATETIME", "moments", "2024-02-29 12:30:15", "2024-02-29T12:30:15"),
        ("DATETIME(6)", "moments", "2024-02-29T12:30:15.000000", "2024-02-29T12:30:15"),
        ("timestamp with time zone", "moments", "2024-02-29 12:30:15+02:00", "2024-02-29T10:30:15"),
        ("TIMESTAMP", "moments", 1_709_209_815, "2024-02-29T12:30:15"),
        ("TIMESTAMP", "moments", -1, "1969-12-31T23:59:59"),
        ("DECIMAL(10,2)", "euros", "12.50", "12.50"),
        ("DECIMAL(10,2)", "euros", 12.5, "12.50"),
        ("NUMERIC", "euros", 7, "7.00"),
        ("numeric(20, 4)", "euros", -1234567890123.25, "-1234567890123.25"),
        ("TEXT", "euros", "12.50", "12.50"),
        ("BOOLEAN", "flags", 1, "true"),
        ("BOOL", "flags", 0, "false"),
        ("boolean", "flags", "true", "true"),
        ("BOOLEAN", "counted", 1, "1"),
    ],
)
def test_declared_types_have_values(
    tmp_path: Path, declared: str, predicate: str, cell: Any, text: str
) -> None:
    assert texts(tmp_path, declared, predicate, [cell]) == [text]


@pytest.mark.parametrize(
    ("declared", "predicate", "cell", "reason"),
    [
        (
            "DATE",
            "days",
            1_709_209_815,
            "the integer 1709209815 is the time 2024-02-29T12:30:15, and not a date",
        ),
        ("DATE", "days", "29.2.2024", "`29.2.2024` is not a date such as 2024-02-29; `--table-format date="),
        (
            "INTEGER",
            "days",
            19_782,
            "the integer 19782 is not a date such as 2024-02-29; declare its column DATE",
        ),
        ("REAL", "moments", 2_460_369.5, "declare its column DATE, DATETIME or TIMESTAMP if it is"),
        ("DATETIME", "moments", 1_709_209_815_000, "divide milliseconds by 1000 in a view"),
        ("DATETIME", "moments", 2_460_369.500001, "has a fraction of a second"),
        ("DATETIME", "moments", 1e300, "is no Julian day"),
        ("DATETIME", "moments", "2024-02-29 12:30:15.5", "is not a time such as"),
        ("DECIMAL(10,2)", "euros", 12.505, "has more than 2 digits after the point"),
        ("DECIMAL(10,2)", "euros", 0.1 + 0.2, "has more than 15 digits; round it in a view"),
        ("DECIMAL(10,2)", "euros", 1e30, "SQLite may have rounded"),
        ("DECIMAL(20,2)", "euros", "12345678901234567.89", "SQLite may have rounded the integer"),
        ("DECIMAL(10,2)", "euros", "twelve", "`twelve` is not a number with 2 digits"),
        ("REAL", "euros", 12.5, "the float 12.5 is a floating-point number; declare its column DECIMAL"),
        ("BOOLEAN", "flags", 2, "the integer 2 is no truth value; these are 0 and 1"),
        ("BOOLEAN", "flags", "yes", "`yes` is not one of the constants of `flag`"),
        ("INTEGER", "flags", 1, "the integer 1 is not"),
        ("BOOLEAN", "flags", None, "the value is NULL"),
    ],
)
def test_a_cell_is_refused_instead_of_rounded(
    tmp_path: Path, declared: str, predicate: str, cell: Any, reason: str
) -> None:
    with pytest.raises(TableError) as caught:
        texts(tmp_path, declared, predicate, [cell])
    assert "row rowid=1: column `a`: " in str(caught.value)
    assert reason in str(caught.value)


@given(st.lists(st.integers(-(10**15) + 1, 10**15 - 1)))
@example([10**15 - 1, -1, 5, 30])
def test_decimal_numbers_that_sqlite_stores_as_real_numbers_are_exact(units: list[int]) -> None:
    given_texts = [str(Decimal(each).scaleb(-2)) for each in units]
    with tempfile.TemporaryDirectory() as folder:
        found = texts(folder, "DECIMAL(20, 2)", "euros", given_texts)
    assert list(map(Decimal, found)) == list(map(Decimal, given_texts))


@given(st.lists(st.integers(-62_135_596_800, 253_402_300_799)))
def test_the_julian_days_of_sqlite_are_exact(seconds: list[int]) -> None:
    with closing(sqlite3.connect(":memory:")) as connection:
        pairs = [
            connection.execute(
                "SELECT julianday(?, 'unixepoch'), strftime('%Y-%m-%dT%H:%M:%S', ?, 'unixepoch')",
                [each, each],
            ).fetchone()
            for each in seconds
        ]
    with tempfile.TemporaryDirectory() as folder:
        found = texts(folder, "DATETIME", "moments", [day for day, _ in pairs])
    assert found == [text for _, text in pairs]


def test_a_view_has_the_types_of_its_columns(tmp_path: Path) -> None:
    path = tmp_path / "a.sqlite"
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.executescript(
            "CREATE TABLE t (a DECIMAL(5, 2)); INSERT INTO t VALUES ('1.10'); CREATE VIEW euros AS SELECT a FROM t"
        )
    facts = load_table(f"euros(a)={path}", WORDS).facts
    assert [str(fact.values[0]) for fact in facts] == ["1.10"]
