"""Tests of folders of tables, of files without a header, and of files in the style of other Datalog engines."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from hornbook.kb.load.loader import load_text
from hornbook.kb.tables.table_folders import tables_of
from hornbook.kb.tables.tables import TableError, load_table

THEORY = """theory roads.
sort town.
static road(town, town, int).
static big(town).
static name(town -> town).
derived far(town).
derived near(town, town).
near_by_road: near(?x, ?y) :- road(?x, ?y, ?n), ?n < 5.
far_off: far(?x) :- big(?x), near(?x, _).
"""


@pytest.fixture(autouse=True)
def given(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("roads.horn").write_text(THEORY)
    folder = Path("given")
    folder.mkdir()
    (folder / "road.facts").write_text('a\tb\t3\nb\t"c", mostly\t7\n')
    (folder / "big.csv").write_text("town\na\n")
    pq.write_table(pa.table({"town": ["a"], "name": ["A"]}), folder / "name.parquet")
    (folder / "README.md").write_text("not a table")
    (folder / ".hidden.csv").write_text("not one either")
    (folder / "old").mkdir()
    return folder


@pytest.fixture
def vocabulary():
    return load_text(THEORY).vocabulary


def values(spec, vocabulary):
    return [fact.values for fact in load_table(spec, vocabulary).facts]


def test_each_table_of_a_folder_is_called_as_its_predicate(given, vocabulary):
    specs = tables_of("given", vocabulary)
    assert specs == ["big=given/big.csv", "name=given/name.parquet", "road=given/road.facts"]
    assert tables_of("road=given/road.facts", vocabulary) == ["road=given/road.facts"]
    assert [values(spec, vocabulary) for spec in specs] == [
        [("a",)],
        [("a", "A")],
        [("a", "b", 3), ("b", '"c", mostly', 7)],
    ]


def test_a_file_without_header_is_read_by_the_declaration(given, vocabulary):
    Path("road.csv").write_text('a,b,3\nb,"c, d",7\n')
    assert values("road()=road.csv", vocabulary) == [("a", "b", 3), ("b", "c, d", 7)]
    Path("big.tsv").write_text("town\nroad\n")
    assert values("big( )=big.tsv", vocabulary) == [("town",), ("road",)]
    assert tables_of("()=given", vocabulary) == [
        "big()=given/big.csv",
        "name=given/name.parquet",
        "road=given/road.facts",
    ]
    with pytest.raises(TableError, match=r"a \.facts file has no header; leave the names out"):
        load_table("road(from, to, far)=given/road.facts", vocabulary)


def test_bad_rows_of_a_facts_file_are_reported_with_their_numbers(given, vocabulary):
    (given / "road.facts").write_text("a\tb\t3\n\na\tb\na b 3\nc\td\tfar\n")
    with pytest.raises(TableError) as caught:
        load_table("road=given/road.facts", vocabulary)
    assert [row.row for row in caught.value.bad] == [3, 4, 5]


@pytest.mark.parametrize(
    ("file", "message"),
    [
        ("raod.csv", "given/raod.csv: no predicate is called `raod`; did you mean `road`?"),
        ("zzzzzz.tsv", "given/zzzzzz.tsv: no predicate is called `zzzzzz`; a table of a folder is called as its predicate is, and `PREDICATE=FILE` names one alone"),
        ("big.facts", "given/big.facts: `big.csv` has facts of `big` too; leave one of them in the folder"),
    ],
)  # fmt: skip
def test_no_table_of_a_folder_is_left_out(given, vocabulary, file, message):
    (given / file).write_text("town\n")
    with pytest.raises(TableError) as caught:
        tables_of("given", vocabulary)
    assert str(caught.value) == message


def test_a_folder_without_tables_and_what_is_no_folder_are_refused(given, vocabulary):
    with pytest.raises(
        TableError,
        match=r"given/old: there is no table in this folder; a table's name ends in \.csv, \.tsv, \.facts, \.parquet, \.pq, .* or \.duckdb",
    ):
        tables_of("given/old", vocabulary)
    for spec in ("nowhere", "()=nowhere.csv", "", "()="):
        with pytest.raises(TableError, match=r"this is not PREDICATE=FILE, .* or a folder of tables"):
            load_table(*tables_of(spec, vocabulary), vocabulary)
