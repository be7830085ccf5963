"""Tests of every value of the language in every table format.

A value is read back unchanged, or it is refused when it is written.
"""

from __future__ import annotations

import contextlib
import json
import sqlite3
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import duckdb
import pandas
import polars
import pyarrow
import pyarrow.parquet
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from hornbook.kb.ast.terms import MAX_INTEGER, MIN_INTEGER, Constant
from hornbook.kb.ast.theory import GroundFact
from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.kb.format.line_ends import must_be_writable
from hornbook.kb.format.printer import print_word
from hornbook.kb.load.loader import load_text
from hornbook.kb.parse.facts import FactError
from hornbook.kb.parse.syntax import parse
from hornbook.kb.sources.diagnostics import TheoryError
from hornbook.kb.store import Store
from hornbook.kb.store.text import export_text, import_text
from hornbook.kb.tables.answers import Answers
from hornbook.kb.tables.csv_lines import MAX_CELL, CellError, csv_lines
from hornbook.kb.tables.databases import read_database
from hornbook.kb.tables.stored_tables import stored_table
from hornbook.kb.tables.tables import TableError, read_csv, read_parquet, read_rows, read_sql
from hornbook.kb.tables.written_tables import (
    WrittenTable,
    write_csv,
    write_duckdb,
    write_parquet,
    write_sqlite,
)
from hornbook.kb.text.writing import WritingError

THEORY = load_text("sort thing. sort code = word | int. static kept(thing, code, int).")
WORDS = THEORY.vocabulary
NAMES = ("thing", "code", "int")
TRICKY = [
    "", " ", " a", "a ", "\ta", "a\n", "\ra", "a\rb", "a\r\nb", "\n", "\r", "\r\n", "\0", "a\0b",
    '"', '""', '"a"', 'a"b', "'", "''", "'5'", "''5''", "a,b", ",", ";", "a\tb", "\ufeff", "\ufeffa",
    "\x85", "\x85a", "a\u2028", "\u2029", "\u200b", "\xad", "\x1b[31m", "\u202e", "\xa0", "\u3000a",
    "5", "-3", "+3", "007", "0", "-0", "1.0", "1e3", "1_000", str(MAX_INTEGER), str(MIN_INTEGER), str(MAX_INTEGER + 1),
    "true", "True", "NULL", "null", "None", "NaN", "nan", "NA", "N/A", "inf", "2026-11-28", "12:00", "()", "yes", "\\N", "\\", "\\n",
    "=1+1", "#", "%", "/*", "⏎", "é", "e\u0301", "\U0001f600", "\uffff", "\ufffe", "\U0010ffff", "\x1a", "thing", "x" * 200_000,
]  # fmt: skip
words = st.one_of(
    st.sampled_from(TRICKY),
    st.text(max_size=6),
    st.text("a5 \t\r\n\0\v\f\x1c\x85\u2028\ufeff\xa0',\";|\\-", max_size=6),
)
integers = st.one_of(
    st.sampled_from([MIN_INTEGER, MAX_INTEGER, 0, -1]), st.integers(MIN_INTEGER, MAX_INTEGER)
)
rows = st.lists(st.tuples(words, words | integers, integers), min_size=1, max_size=4)
Rows = list[tuple[str | int, ...]]
ALL = [
    (word, other, number)
    for word, number in zip(TRICKY, range(len(TRICKY)), strict=True)
    for other in (word, number)
]


def base_of(found: Rows) -> KnowledgeBase:
    base = KnowledgeBase(THEORY)
    base.add([GroundFact("kept", row) for row in found])
    return base


def answers_of(found: Rows) -> Answers:
    return base_of(found).query("kept(?thing, ?code, ?int)")


@contextmanager
def folder() -> Iterator[Path]:
    with tempfile.TemporaryDirectory() as name:
        yield Path(name)


def written(found: Rows) -> WrittenTable:
    base = base_of(found)
    query = "kept(?thing, ?code, ?int)"
    return WrittenTable(
        "kept",
        NAMES,
        ("word", "mixed", "integer"),
        lambda: base.query(query).rows,
        lambda: base.table("kept"),
    )


def through_csv(found: Rows):
    with folder() as place:
        (place / "a.csv").write_text("".join(answers_of(found).csv_lines()), encoding="utf-8", newline="")
        return read_csv(place / "a.csv", "kept", WORDS)


def through_a_csv_with_crlf(found: Rows):
    """Replace the line ends between rows by CR LF; line ends inside quotes are data and remain."""
    with folder() as place:
        lines = [line[:-1] + "\r\n" for line in answers_of(found).csv_lines()]
        (place / "a.csv").write_text("\ufeff" + "".join(lines), encoding="utf-8", newline="")
        return read_csv(place / "a.csv", "kept", WORDS)


def through_a_folder_of_csv(found: Rows):
    with folder() as place:
        write_csv(place / "out", [written(found)], lambda _: None)
        return read_csv(place / "out" / "kept.csv", "kept", WORDS)


def through_parquet(found: Rows):
    with folder() as place:
        write_parquet(place / "out", [written(found)], lambda _: None)
        return read_parquet(place / "out" / "kept.parquet", "kept", WORDS)


def through_sqlite(found: Rows):
    with folder() as place:
        write_sqlite(place / "a.sqlite", [written(found)], lambda _: None)
        return read_database(place / "a.sqlite", "kept", "kept", WORDS)


def through_duckdb(found: Rows):
    with folder() as place:
        write_duckdb(place / "a.duckdb", [written(found)], lambda _: None)
        return read_database(place / "a.duckdb", "kept", "kept", WORDS)


def through_arrow(found: Rows):
    return read_rows(answers_of(found).to_arrow(), "kept", WORDS)


def through_a_table_in_arrow(found: Rows):
    return read_rows(base_of(found).table("kept"), "kept", WORDS)


def through_pandas(found: Rows):
    return read_rows(answers_of(found).to_pandas(), "kept", WORDS)


def through_polars(found: Rows):
    return read_rows(polars.from_arrow(answers_of(found).to_arrow()), "kept", WORDS)


def through_duckdb_in_memory(found: Rows):
    with duckdb.connect() as connection:
        connection.register("kept", answers_of(found).to_arrow())
        return read_sql("select * from kept", connection, "kept", WORDS)


def same(found: Rows, facts: Sequence[GroundFact]) -> None:
    expected = {tuple((type(value), value) for value in row) for row in found}
    assert {tuple((type(value), value) for value in row) for row in values_of(facts)} == expected


def values_of(facts: Sequence[GroundFact]) -> Rows:
    return [fact.values for fact in facts]  # noqa: PD011 - not of pandas


@pytest.mark.parametrize(
    "through",
    [
        through_csv,
        through_a_csv_with_crlf,
        through_a_folder_of_csv,
        through_parquet,
        through_sqlite,
        through_duckdb,
        through_arrow,
        through_a_table_in_arrow,
        through_pandas,
        through_polars,
        through_duckdb_in_memory,
    ],
)
def test_tables_give_back_every_value(through: Callable[[Rows], object]):
    same(ALL, list(through(ALL).facts))

    @settings(max_examples=30)
    @given(rows)
    def any_rows(found):
        same(found, list(through(found).facts))

    any_rows()


@example([(word, word, 1) for word in TRICKY])
@given(rows)
def test_json_gives_back_every_value(found):
    text = json.dumps(answers_of(found).to_dicts(), ensure_ascii=False)
    same(found, [GroundFact("kept", tuple(each.values())) for each in json.loads(text)])


@settings(max_examples=15)
@example(ALL)
@given(rows)
def test_stores_and_their_texts_give_back_every_value(found):
    with folder() as place:
        with Store.create(place / "a.sqlite") as store:
            store.put_theory("family")
            store.add_facts([GroundFact("kept", row) for row in found])
            exported = export_text(store)
        (place / "a.txt").write_text(exported, encoding="utf-8", newline="")
        text = (place / "a.txt").read_bytes().decode()
        import_text(text, "a.txt", place / "b.sqlite")
        for name in ("a.sqlite", "b.sqlite"):
            with Store(place / name) as store:
                same(found, store.facts())
                same(found, [fact for columns in store.facts_in_columns() for fact in columns])


@example(TRICKY)
@given(st.lists(words, min_size=1))
def test_text_of_the_language_gives_back_every_word_or_refuses_it(found):
    """In this format a word cannot contain a line end, so such a word is refused."""
    stored = []
    for word in found:
        fact = GroundFact("kept", (word, 1, 1))
        if "\n" in word or "\r" in word:
            with pytest.raises(WritingError, match=r"column 1 of a fact of `kept`"):
                must_be_writable([fact], [], Path("a.horn"))
        else:
            must_be_writable([fact], [], Path("a.horn"))
            stored.append(word)
    base = KnowledgeBase(THEORY)
    base.add_text("\n".join(f"kept({print_word(word)}, 1, 1)." for word in stored))
    assert {word for word, *_ in base.query("kept(?thing, ?code, ?int)").rows} == set(stored)


def test_a_rule_with_a_line_end_in_a_word_is_not_written():
    (rule,) = parse("r: q(?x) :- p(?x), ?x != 'a⏎b'.").clauses
    must_be_writable([], [rule], Path("a.horn"))
    different = rule.body[1]
    broken = replace(rule, body=(rule.body[0], replace(different, right=Constant("a\nb"))))
    with pytest.raises(WritingError, match=r"a\.horn|a word of the rule `r` has a line end"):
        must_be_writable([], [broken], Path("a.horn"))


# Refusals


@pytest.mark.parametrize("word", ["\ud800", "a\udcff", "\ud83d\ude00"])
def test_half_a_character_is_no_word(word, tmp_path):
    base = KnowledgeBase(THEORY)
    with pytest.raises(FactError, match=r"is no word: .*; "):
        base.add([GroundFact("kept", (word, 1, 1))])
    with pytest.raises(TableError, match=r"row 1: column `?1`?: "):
        read_rows([(word, 1, 1)], "kept", WORDS)
    with pytest.raises(TheoryError, match=r"<added>:2:[78]"):
        base.add_text(f"kept(a, 1, 1).\nkept('{word}', 1, 1).")
    with pytest.raises(TheoryError, match=r"<query>:1:[78]"):
        base.query(f"kept('{word}', 1, 1)")
    assert len(base.query("kept(?thing, ?code, ?int)")) == 0


def test_a_cell_that_no_file_can_hold_is_refused_with_its_place():
    with pytest.raises(CellError, match=r"row 3, column `b`: `x\ud800` cannot be written: U\+D800 is half"):
        list(csv_lines(["a", "b"], [(1, "y"), (None, "x\ud800")]))
    with pytest.raises(
        CellError, match=r"row 2, column `a`: `x+…` cannot be written: the cell has more than"
    ):
        list(csv_lines(["a"], [("x" * (MAX_CELL + 1),)]))


def test_a_missing_cell_is_not_the_empty_word(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("".join(csv_lines(["thing", "code", "int"], [("", "", 1)])), encoding="utf-8")
    assert path.read_text(encoding="utf-8") == 'thing,code,int\n"","",1\n'
    assert values_of(read_csv(path, "kept", WORDS).facts) == [("", "", 1)]
    path.write_text("thing,code,int\n,a,1\n", encoding="utf-8")
    with pytest.raises(TableError, match="row 2: column `thing`: the cell is empty"):
        read_csv(path, "kept", WORDS)
    path.write_text('thing,code,int\na,a,""\n', encoding="utf-8")
    with pytest.raises(TableError, match="row 2: column `int`: the cell is empty"):
        read_csv(path, "kept", WORDS)


def test_blanks_count_in_quotes_only(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text('thing , code,int\n a , b\t, 1 \n" a "," b\t"," 1 "\n', encoding="utf-8")
    assert values_of(read_csv(path, "kept", WORDS).facts) == [("a", "b", 1), (" a ", " b\t", 1)]


def not_utf_8() -> pyarrow.Array:
    """Return two texts, the second of them not in UTF-8."""
    offsets = b"".join(offset.to_bytes(4, "little") for offset in (0, 1, 4))
    return pyarrow.Array.from_buffers(
        pyarrow.string(), 2, [None, pyarrow.py_buffer(offsets), pyarrow.py_buffer(b"aa\xffb")]
    )


def test_a_text_that_is_not_utf_8_is_named_by_row_and_column(tmp_path):
    message = r"row {}2: column `thing`: `a\\udcffb?`: byte 0xFF is not valid UTF-8; "
    for texts in (not_utf_8(), not_utf_8().dictionary_encode()):
        table = pyarrow.table({"thing": texts, "code": ["x", "y"], "int": [1, 2]})
        with pytest.raises(TableError, match=message.format("")):
            read_rows(table, "kept", WORDS)
    pyarrow.parquet.write_table(table, tmp_path / "a.parquet")
    with pytest.raises(TableError, match=message.format("")):
        read_parquet(tmp_path / "a.parquet", "kept", WORDS)
    (tmp_path / "a.csv").write_bytes(b"thing,code,int\na\xffb,x,1\nc,y,2\n")
    with pytest.raises(TableError, match=message.format("")):
        read_csv(tmp_path / "a.csv", "kept", WORDS)
    assert len(read_csv(tmp_path / "a.csv", "kept", WORDS, skip_bad=True).facts) == 1
    with contextlib.closing(sqlite3.connect(tmp_path / "a.sqlite")) as connection:
        connection.execute("create table kept (thing, code, int)")
        connection.execute("insert into kept values ('a', 'x', 1), (cast(x'61ff' as text), 'y', 2)")
        connection.commit()
    with pytest.raises(TableError, match=message.format("rowid=")):
        read_database(tmp_path / "a.sqlite", "kept", "kept", WORDS)
    (tmp_path / "state.csv").write_bytes(b"state,number\nx,1\n\xff,2\n")
    with pytest.raises(TableError, match=r"row 3, column `state`: byte 0xFF is not valid UTF-8"):
        stored_table(str(tmp_path / "state.csv"))


def test_a_data_frame_with_words_and_integers_in_a_column_is_refused_with_a_remedy():
    frame = pandas.DataFrame({"thing": ["a", "b"], "code": ["c", 5], "int": [1, 2]})
    with pytest.raises(TableError, match=r"Conversion failed for column code .*; give each column one type"):
        read_rows(frame, "kept", WORDS)
    rows = frame.itertuples(index=False)
    assert values_of(read_rows(rows, "kept", WORDS).facts) == [("a", "c", 1), ("b", 5, 2)]


def test_a_data_frame_with_missing_values_names_the_row():
    frame = pandas.DataFrame({"thing": ["a", None], "code": ["b", "c"], "int": [1, 2]})
    with pytest.raises(TableError, match="row 2: column `thing`: the value is NULL"):
        read_rows(frame, "kept", WORDS)
