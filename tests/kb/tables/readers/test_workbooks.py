"""Tests of Excel workbooks as tables."""

from __future__ import annotations

import datetime
import tempfile
import zipfile
from decimal import Decimal
from pathlib import Path
from typing import Any

import openpyxl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hornbook.kb.load.loader import load_text
from hornbook.kb.tables.table_folders import tables_of
from hornbook.kb.tables.tables import TableError, TableFacts, load_table, read_excel

WORDS = load_text(
    "sort item. sort day = date. sort moment = time. sort euro = decimal(2). sort flag = true | false."
    " sort code = word | int."
    " sort rate = percent(1). static rated(rate)."
    " static row(item, code, int, day, moment, euro, flag). static price(item -> euro). static on(day)."
    " static counted(int). static named(item). static shown(flag)."
).vocabulary
HEADER = ["item", "code", "n", "day", "moment", "euro", "flag"]
DAY = datetime.date(2024, 2, 29)
MOMENT = datetime.datetime.fromisoformat("2024-02-29T12:30:15")


def written(folder: Path, sheets: dict[str, list[list[Any]]], name: str = "a.xlsx") -> Path:
    workbook = openpyxl.Workbook()
    workbook.remove(workbook.active)
    for title, rows in sheets.items():
        sheet = workbook.create_sheet(title)
        for row in rows:
            sheet.append(row)
    workbook.save(folder / name)
    return folder / name


def read(folder: Path, predicate: str, *rows: list[Any], **settings: Any) -> TableFacts:
    return load_table(f"{predicate}={written(folder, {'Sheet1': list(rows)})}", WORDS, **settings)


def values(found: TableFacts) -> list[tuple[Any, ...]]:
    return [fact.values for fact in found.facts]


words = st.text(
    st.characters(min_codepoint=32, max_codepoint=0xD7FF, exclude_characters="_"), min_size=1, max_size=5
)
rows_of_values = st.tuples(
    # A text that begins with `=` is a formula of openpyxl.
    words.filter(lambda text: text[0] != "="),
    words.filter(lambda text: text[0] != "=") | st.integers(-(10**14), 10**14),
    st.integers(-(10**14), 10**14),
    st.dates(datetime.date(1900, 3, 1)),
    st.datetimes(datetime.datetime.fromisoformat("1900-03-01")).map(lambda time: time.replace(microsecond=0)),
    st.decimals(-(10**12), 10**12, places=2),
    st.booleans(),
)


@given(st.lists(rows_of_values, max_size=3))
def test_values_of_every_sort_are_read(rows: list[Any]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = written(Path(folder), {"row": [HEADER, *map(list, rows)]})
        found = values(load_table(f"row={path}", WORDS))
    assert [
        (*row[:3], row[3].python, row[4].python, row[5].python, row[6] == "true")  # type: ignore[union-attr]
        for row in found
    ] == [tuple(row) for row in rows]


def test_a_sheet_is_found_by_its_name_or_that_of_the_predicate(tmp_path: Path) -> None:
    path = written(tmp_path, {"price": [["item", "euro"], ["a", 1.5]], "old": [["item", "euro"], ["b", 2]]})
    assert values(load_table(f"price={path}", WORDS)) == [("a", 150)]
    assert values(load_table(f"price={path}::old", WORDS)) == [("b", 200)]
    with pytest.raises(TableError, match="there is no sheet `od` in this workbook; did you mean `old`"):
        load_table(f"price={path}::od", WORDS)
    with pytest.raises(TableError, match="there is no sheet `on` in this workbook"):
        load_table(f"on={path}", WORDS)


def test_rows_have_their_numbers_in_the_sheet(tmp_path: Path) -> None:
    found = read(tmp_path, "price", [], [None, "item", "euro"], [], [None, "a", 1.5], [], [None, "b", 2])
    assert values(found) == [("a", 150), ("b", 200)]
    assert [found.facts.rows.row(place) for place in range(2)] == [
        f"{tmp_path / 'a.xlsx'}:Sheet1:4",
        f"{tmp_path / 'a.xlsx'}:Sheet1:6",
    ]
    assert found.header == ("item", "euro")


def test_columns_are_selected_by_name(tmp_path: Path) -> None:
    rows = [["n", "cost", "what"], [1, 1.5, "a"], [2, "x", "b"]]
    with pytest.raises(TableError, match=r"row 3: column `cost` \(B\): `x` is not a number with 2 digits"):
        read(tmp_path, "price(what, cost)", *rows)
    found = read(tmp_path, "price(what, cost)", *rows, skip_bad=True)
    assert values(found) == [("a", 150)]
    with pytest.raises(TableError, match="it has no column `costs`; did you mean `cost`"):
        read(tmp_path, "price(what, costs)", *rows)


def test_a_sheet_may_have_no_header(tmp_path: Path) -> None:
    assert values(read(tmp_path, "price()", ["a", 1.5], ["b", 2])) == [("a", 150), ("b", 200)]
    with pytest.raises(TableError, match="the first row should name the columns, but `15` is a value"):
        read(tmp_path, "price", ["a", "15"], ["b", 2])
    with pytest.raises(TableError, match="row 1: column B: `x` is not a number"):
        read(tmp_path, "price()", ["a", "x"])


def test_all_sheets_called_as_predicates_are_read(tmp_path: Path) -> None:
    path = written(tmp_path, {"price": [["item", "euro"]], "notes": [["text"]], "on": [["day"], [DAY]]})
    assert tables_of(str(path), WORDS) == [f"price={path}::price", f"on={path}::on"]
    assert tables_of(str(tmp_path), WORDS) == [f"price={path}::price", f"on={path}::on"]
    other = written(tmp_path, {"Sheet1": [["item", "euro"]]}, "b.xlsx")
    with pytest.raises(TableError, match=r"no sheet of this workbook \(Sheet1\) is called as a predicate"):
        tables_of(str(other), WORDS)


@pytest.mark.parametrize(
    ("predicate", "cell", "reason"),
    [
        ("named", 8001, "the integer 8001 is not a word of sort `item`; format the column as text in Excel"),
        ("named", 1.5, "wants a word; format the column as text in Excel"),
        ("counted", "7", "the text '7' is not an integer of sort `int`; write a whole number"),
        ("counted", 1.5, "wants an integer; write a whole number"),
        ("counted", 1e20, "has more than 15 digits, which Excel rounds; write it as text"),
        ("counted", True, "the truth value True is no value of sort `int`"),
        ("counted", "=1+1", "the formula has no stored value; open the workbook in Excel and save it"),
        ("shown", "#N/A", "the cell has the error #N/A"),
        ("on", 45351, "the integer 45351 is not a date such as 2024-02-29"),
        ("on", MOMENT, "is not a date"),
        ("on", "29.2.2024", "`--table-format date=%d.%m.%Y` reads it as 2024-02-29"),
        ("on", datetime.time(12, 30), "the time 12:30:00 is not a date"),
    ],
)
def test_a_bad_cell_is_named(tmp_path: Path, predicate: str, cell: Any, reason: str) -> None:
    with pytest.raises(TableError) as caught:
        read(tmp_path, f"{predicate}(a)", ["b", "a"], ["x", cell])
    assert "row 2: column `a` (B): " in str(caught.value)
    assert reason in str(caught.value)


def test_a_cell_beside_the_columns_is_refused(tmp_path: Path) -> None:
    with pytest.raises(TableError, match="row 2: 3 columns, where"):
        read(tmp_path, "price", ["item", "euro"], ["a", 1, None, "note"])


def test_calculated_numbers_have_fifteen_digits(tmp_path: Path) -> None:
    """Excel writes 0.1 + 0.2 with seventeen digits."""
    path = written(tmp_path, {"price": [["item", "euro"], ["a", 0.25]]})
    with zipfile.ZipFile(path) as old:
        parts = {name: old.read(name) for name in old.namelist()}
    with zipfile.ZipFile(path, "w") as new:
        for name, content in parts.items():
            new.writestr(name, content.replace(b"<v>0.25</v>", b"<f>0.1+0.2</f><v>0.30000000000000004</v>"))
    assert [str(row[1]) for row in values(load_table(f"price={path}", WORDS))] == ["0.30"]


def test_a_percentage_is_the_number_that_excel_stores(tmp_path: Path) -> None:
    path = written(tmp_path, {"price": [["item", "euro"], ["a", Decimal("0.25")]]})
    workbook = openpyxl.load_workbook(path)
    workbook["price"]["B2"].number_format = "0%"
    workbook.save(path)
    assert [str(row[1]) for row in values(load_table(f"price={path}", WORDS))] == ["0.25"]
    assert [str(row[0]) for row in values(load_table(f"rated(euro)={path}::price", WORDS))] == [
        "25.0 percent"
    ]


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04 no zip", b"item,euro\n"])
def test_a_damaged_file_is_refused(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "a.xlsx").write_bytes(content)
    with pytest.raises(TableError, match="this cannot be read as an Excel workbook"):
        read_excel(tmp_path / "a.xlsx", "price", WORDS)
    with pytest.raises(TableError, match="there is no"):
        read_excel(tmp_path / "b.xlsx", "price", WORDS)
