from __future__ import annotations

import sqlite3
import sys

import duckdb
import pandas
import pyarrow
import pyarrow.parquet
import pytest

from hornbook.kb.ast.declarations import Predicate, Sort, SortName
from hornbook.kb.ast.theory import GroundFact, Vocabulary
from hornbook.kb.load.loader import load_text
from hornbook.kb.tables.tables import (
    BadRow,
    TableError,
    TableFacts,
    load_table,
    read_csv,
    read_parquet,
    read_rows,
    read_sql,
)


def predicate(kind, name, *columns, key=None):
    return Predicate(kind, name, tuple(SortName(column) for column in columns), key)


VOCABULARY = Vocabulary(
    sorts={
        "point": Sort("point", "open"),
        "colour": Sort("colour", "enumerated", ("black", "white", "empty")),
        "int": Sort("int", "integer"),
        "cents": Sort("cents", "integer"),
    },
    predicates={
        p.name: p
        for p in (
            predicate("fluent", "colour", "point", "colour", key=1),
            predicate("static", "neighbour", "point", "point"),
            predicate("static", "price", "point", "cents"),
            predicate("static", "size", "int", key=0),
            predicate("derived", "legal", "point"),
        )
    },
)


def csv_facts(tmp_path, predicate, text, **options):
    path = tmp_path / "board.csv"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return read_csv(path, predicate, VOCABULARY, **options)


def refusal(call, *arguments, **options):
    with pytest.raises(TableError) as caught:
        call(*arguments, **options)
    return caught.value


def facts(relation, *rows):
    return [GroundFact(relation, row) for row in rows]


def test_csv_cells_are_typed_by_the_sorts_of_the_columns(tmp_path):
    found = csv_facts(tmp_path, "price", "point,cost\na1,120\n7,-3\n007,+4\n")
    assert found == TableFacts(facts("price", ("a1", 120), ("7", -3), ("007", 4)), [], ("point", "cost"))


def test_quotes_byte_order_mark_blanks_empty_lines_and_line_ends_do_not_matter(tmp_path):
    text = '\ufeff"point, from",next\r\n\r\n "a, 1" , b1 \r\n"say ""hi""",Ünïcode\r\n"two\nlines",c\r\n'
    with pytest.raises(TableError):  # a quote after a blank is a mistake in the table, not a quoted cell
        csv_facts(tmp_path, "neighbour", text)
    found = csv_facts(tmp_path, "neighbour", text.replace(' "a, 1" ', '"a, 1"'))
    assert found.facts == facts("neighbour", ("a, 1", "b1"), ('say "hi"', "Ünïcode"), ("two\nlines", "c"))


def test_rows_may_be_repeated(tmp_path):
    assert len(csv_facts(tmp_path, "colour", "point,c\na1,black\na1,black\n").facts) == 2


def test_every_bad_row_is_reported_and_nothing_is_loaded(tmp_path):
    text = "point,stone\na1,black\na2,blck\n,white\na3\na1,white\na4,white,x\n"
    problem = refusal(csv_facts, tmp_path, "colour", text)
    assert str(problem) == (
        f"{tmp_path / 'board.csv'}: 5 bad rows of 6, so none was loaded (`--skip-bad` loads the others)\n"
        "  row 3: column `stone`: `blck` is not one of the constants of `colour`; did you mean `black`?\n"
        "  row 4: column `point`: the cell is empty\n"
        "  row 5: 1 column, where `colour(point, colour)` has 2\n"
        "  row 6: `colour(a1 -> …)` is white here and black in row 2; the declaration allows one\n"
        "  row 7: 3 columns, where `colour(point, colour)` has 2"
    )
    assert [row.row for row in problem.bad] == [3, 4, 5, 6, 7]
    assert problem.bad[1] == BadRow(4, "column `point`: the cell is empty", (None, "white"))


def test_skip_bad_loads_the_good_rows_and_keeps_the_bad_ones(tmp_path):
    found = csv_facts(tmp_path, "price", "point,cost\na1,1\na2,1.5\na3,2\n", skip_bad=True)
    assert found.facts == facts("price", ("a1", 1), ("a3", 2))
    reason = "column `cost`: `1.5` is not an integer of sort `cents`"
    assert found.bad == [BadRow(3, reason, ("a2", "1.5"))]


def test_a_row_with_two_mistakes_names_both(tmp_path):
    problem = refusal(csv_facts, tmp_path, "price", "point,cost\n,x\n")
    assert problem.bad[0].reason == (
        "column `point`: the cell is empty; column `cost`: `x` is not an integer of sort `cents`"
    )


@pytest.mark.parametrize("cell", ["1.0", "1e3", "1_000", "١", "0x1", "--1", "-", "True", "1 2", "９"])
def test_only_plain_integers_are_integers(tmp_path, cell):
    assert "is not an integer" in str(refusal(csv_facts, tmp_path, "price", f"point,cost\na1,{cell}\n"))


@pytest.mark.parametrize("cell", [str(2**63), str(-(2**63) - 1), "9" * 5000])
def test_integers_beyond_64_bits_are_refused(tmp_path, cell):
    assert "does not fit into 64 bits" in str(
        refusal(csv_facts, tmp_path, "price", f"point,cost\na1,{cell}\n")
    )
    assert csv_facts(tmp_path, "price", f"point,c\na,{2**63 - 1}\n").facts == facts("price", ("a", 2**63 - 1))


def test_a_long_list_of_bad_rows_is_cut_in_the_message_only(tmp_path):
    problem = refusal(csv_facts, tmp_path, "price", "point,cost\n" + "a,x\n" * 1000)
    assert len(problem.bad) == 1000
    assert str(problem).count("\n") == 21
    assert str(problem).endswith("\n  and 980 more")


def test_a_key_without_columns_allows_one_row(tmp_path):
    problem = refusal(csv_facts, tmp_path, "size", "size\nx\n5\n6\n")
    assert "`size` is 6 here and 5 in row 3" in str(problem)


def test_the_header_is_never_taken_for_a_fact_nor_a_fact_for_the_header(tmp_path):
    assert csv_facts(tmp_path, "colour", "a1,black\n", header=False).facts == facts("colour", ("a1", "black"))
    problem = refusal(csv_facts, tmp_path, "colour", "a1,black\na2,white\n")
    assert "the first row should name the columns, but `black` is a value of sort `colour`" in str(problem)
    assert "`header=False`" in str(problem)


def test_a_first_row_of_words_that_names_no_column_is_refused(tmp_path):
    problem = refusal(csv_facts, tmp_path, "neighbour", "a1,b1\nb1,c1\n")
    assert str(problem).endswith(
        "board.csv: the first row should name the columns, but nothing in `a1, b1` is called `point`; add such a row,"
        " or, where this is one, say so by `neighbour(a1, b1)=FILE`, and where there is none, by `neighbour()=FILE`"
        " (from Python, `columns=` and `header=False`)"
    )
    path = tmp_path / "board.csv"
    path.write_text("from,to\na1,b1\n")
    assert refusal(load_table, f"neighbour={path}", VOCABULARY)
    for spec in (f"neighbour(from, to)={path}", f" neighbour (from,to) = {path}"):
        found = load_table(spec, VOCABULARY)
        assert found == TableFacts(facts("neighbour", ("a1", "b1")), [], ("from", "to"))
    assert "the first row is `from, to`, not `to, from`" in str(
        refusal(load_table, f"neighbour(to,from)={path}", VOCABULARY)
    )
    assert read_csv(path, "neighbour", VOCABULARY, columns=["from", "to"]).facts == found.facts
    assert "a Parquet file has names" in str(refusal(load_table, "neighbour()=x.parquet", VOCABULARY))


@pytest.mark.parametrize(
    "header", ["point,to", "From Point,to", "a,point_2", "Neighbour,x", "NEIGHBOUR,POINT", "1 point,2"]
)
def test_a_header_names_the_predicate_or_the_sort_of_a_column(tmp_path, header):
    found = csv_facts(tmp_path, "neighbour", f"{header}\na1,b1\n")
    assert (found.facts, found.header) == (facts("neighbour", ("a1", "b1")), tuple(header.split(",")))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "the file is empty; its first row names the columns"),
        ("point\na1\n", "1 column, where `colour(point, colour)` has 2"),
        (
            "point;stone\na1;black\n",
            "its cells are parted by semicolons, which `--table-format 'delimiter=;'` reads",
        ),
        (
            b"point,stone\na1,black\n\xff,white\n",
            "row 3: column `point`: `\\udcff`: byte 0xFF is not valid UTF-8; save the text as UTF-8",
        ),
        (b"po\xffint,stone\na1,black\n", "row 1, column 1: byte 0xFF is not valid UTF-8"),
        ("point,stone\na1,black\n".encode("utf-16"), "the file seems to be UTF-16; save it as UTF-8"),
        (
            'point,stone\na1,"black\n',
            "row 2 is not CSV: unexpected end of data; a double quote that opens in this row",
        ),
        (
            'point,stone\na1,"bl"ack\n',
            "row 2 is not CSV: ',' expected after '\"'; write a double quote inside",
        ),
    ],
)
def test_a_file_that_is_no_such_table_is_refused(tmp_path, text, message):
    assert message in str(refusal(csv_facts, tmp_path, "colour", text))


def test_a_file_that_is_not_there_is_refused(tmp_path):
    for suffix in ("csv", "parquet"):
        problem = refusal(load_table, f"colour={tmp_path}/none.{suffix}", VOCABULARY)
        assert "no such file" in str(problem).lower()
    assert "cannot be read" in str(refusal(read_csv, tmp_path, "colour", VOCABULARY))


def test_a_table_belongs_to_a_predicate_that_facts_may_be_given_for(tmp_path):
    assert "no predicate is called `color`; did you mean `colour`?" in str(
        refusal(csv_facts, tmp_path, "color", "")
    )
    assert "`legal` is derived: rules conclude it" in str(refusal(csv_facts, tmp_path, "legal", ""))


def test_the_suffix_of_a_specification_says_how_its_file_is_read(tmp_path):
    (tmp_path / "a=b.csv").write_text("point,to\na1,b1\n")
    (tmp_path / "c.tsv").write_text("point\tto\na1,\tb1\n")
    pyarrow.parquet.write_table(pyarrow.table({"x": ["a1"], "y": ["b1"]}), tmp_path / "d.PARQUET")
    for name, first in (("a=b.csv", "a1"), ("c.tsv", "a1,"), ("d.PARQUET", "a1")):
        found = load_table(f" neighbour = {tmp_path / name}", VOCABULARY)
        assert found.facts == facts("neighbour", (first, "b1"))
    (tmp_path / "b.csv").write_text("a1,b1\n")
    assert len(load_table(f"neighbour={tmp_path / 'b.csv'}", VOCABULARY, header=False).facts) == 1


@pytest.mark.parametrize("spec", ["board.csv", "=board.csv", "colour=", "colour=board.xlsx", "colour=board"])
def test_a_specification_that_names_no_table_is_refused(spec):
    assert refusal(load_table, spec, VOCABULARY)


def test_skip_bad_reaches_every_kind_of_file(tmp_path):
    (tmp_path / "a.csv").write_text("point,y\na1,1\na2,x\n")
    pyarrow.parquet.write_table(pyarrow.table({"x": ["a1", None], "y": [1, 2]}), tmp_path / "a.parquet")
    for name in ("a.csv", "a.parquet"):
        found = load_table(f"price={tmp_path / name}", VOCABULARY, skip_bad=True)
        assert (len(found.facts), len(found.bad)) == (1, 1)


# Parquet, SQL and tables in memory


def test_parquet_keeps_words_and_integers_apart(tmp_path):
    path = tmp_path / "prices[1]*.parquet"  # not a pattern
    pyarrow.parquet.write_table(pyarrow.table({"p": ["a1", "7"], "cost": [120, -3]}), path)
    assert read_parquet(path, "price", VOCABULARY).facts == facts("price", ("a1", 120), ("7", -3))
    pyarrow.parquet.write_table(pyarrow.table({"p": [1], "cost": ["120"]}), path)
    assert str(refusal(read_parquet, path, "price", VOCABULARY)).endswith(
        "row 1: column `p`: the integer 1 is not a word of sort `point`; "
        "column `cost`: the text '120' is not an integer of sort `cents`; cast it in the SELECT"
    )


def test_a_file_that_is_not_parquet_is_refused(tmp_path):
    path = tmp_path / "a.parquet"
    path.write_text("x,y\n")
    assert "this cannot be read as Parquet" in str(refusal(read_parquet, path, "price", VOCABULARY))


def test_parquet_without_duckdb_says_how_to_install_it(monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, "duckdb", None)
    problem = refusal(read_parquet, tmp_path / "a.parquet", "price", VOCABULARY)
    assert "pip install 'hornbook[data]'" in str(problem)


@pytest.mark.parametrize("value", [1.0, True, None, b"7", 2**63])
def test_values_that_are_no_integers_are_refused(value):
    # The first row has 1: 1.0 and True are equal to 1 and must not be mistaken for it.
    problem = refusal(read_rows, [("a", 1), ("b", value)], "price", VOCABULARY)
    assert [row.row for row in problem.bad] == [2]


@pytest.mark.parametrize("value", [1, None, "\ud800", "a\udcff", 1.5, ("a",), ["a"]])
def test_values_that_are_no_words_are_refused(value):
    assert refusal(read_rows, [("a", 1), (value, 2)], "price", VOCABULARY).bad[0].row == 2


def test_any_database_answers(tmp_path):
    for connection in (sqlite3.connect(":memory:"), duckdb.connect(":memory:")):
        for source in (connection, connection.cursor()):
            source.execute("CREATE TABLE IF NOT EXISTS t (p VARCHAR, cost BIGINT)")
        connection.execute("INSERT INTO t VALUES ('a1', 120), ('a2', 7)")
        for source in (connection, connection.cursor()):
            found = read_sql("SELECT p, cost FROM t ORDER BY p", source, "price", VOCABULARY)
            assert found.facts == facts("price", ("a1", 120), ("a2", 7))
        problem = refusal(read_sql, "SELECT p, cost * 1.5 AS more FROM t", connection, "price", VOCABULARY)
        assert "query: 2 bad rows of 2" in str(problem)
        assert " 180.0, and `cents` wants an integer" in str(problem)
        assert "cast it in the SELECT" in str(problem)
        assert "refuses it" in str(refusal(read_sql, "SELECT nonsense", connection, "price", VOCABULARY))
        width = refusal(read_sql, "SELECT p FROM t", connection, "price", VOCABULARY)
        assert str(width) == "query: 1 column, where `price(point, cents)` has 2"
        connection.close()


def test_tables_in_memory_are_read_whatever_they_are():
    expected = facts("price", ("a1", 120), ("a2", 7))
    table = pyarrow.table({"p": ["a1", "a2"], "cost": [120, 7]})
    cursor = sqlite3.connect(":memory:").execute("VALUES ('a1', 120), ('a2', 7)")
    relation = duckdb.sql("VALUES ('a1', 120), ('a2', 7)")
    for source in (
        table,
        table.to_reader(),
        table.to_batches()[0],
        pandas.DataFrame({"p": ["a1", "a2"], "cost": [120, 7]}),
        cursor,
        relation,
        [["a1", 120], ("a2", 7)],
    ):
        assert read_rows(source, "price", VOCABULARY).facts == expected
    problem = refusal(read_rows, table.append_column("c", [["x", "y"]]), "price", VOCABULARY, name="prices")
    assert str(problem) == (
        "prices: 3 columns, where `price(point, cents)` has 2;"
        " name the columns: `price(NAME, …)=FILE`, or from Python `columns=`"
    )


def test_integers_of_a_large_table_are_exact():
    numbers = [2**62 + i for i in range(25_000)]
    table = pyarrow.table({"p": [f"p{i}" for i in range(25_000)], "cost": numbers})
    found = read_rows(table, "price", VOCABULARY).facts
    assert [number for _, (_, number), _ in found] == numbers


def test_a_row_without_a_value_states_no_fact_and_is_counted(tmp_path):
    found = csv_facts(tmp_path, "colour", "point,colour\na1,black\na2,\na3, \na1,\na4,white\n")
    assert list(found.facts) == facts("colour", ("a1", "black"), ("a4", "white"))
    assert (found.bad, found.without_value) == ([], 3)
    found = read_rows([("a1", None), ("a2", ""), ("a3", "white")], "colour", VOCABULARY)
    assert (list(found.facts), found.without_value) == (facts("colour", ("a3", "white")), 2)
    table = pyarrow.table({"point": ["a1", "a2"], "colour": [None, "white"]})
    found = read_rows(table, "colour", VOCABULARY)
    assert (list(found.facts), found.without_value) == (facts("colour", ("a2", "white")), 1)


def test_an_empty_cell_anywhere_but_after_the_key_is_refused(tmp_path):
    problem = refusal(csv_facts, tmp_path, "colour", "point,colour\n,\n,white\na1,black,\na2\n")
    assert [(row.row, row.reason) for row in problem.bad] == [
        (2, "column `point`: the cell is empty; column `colour`: the cell is empty"),
        (3, "column `point`: the cell is empty"),
        (4, "3 columns, where `colour(point, colour)` has 2"),
        (5, "1 column, where `colour(point, colour)` has 2"),
    ]
    assert "the cell is empty" in str(refusal(csv_facts, tmp_path, "price", "point,cost\na1,\n"))
    several = Vocabulary(VOCABULARY.sorts, {"at": predicate("static", "at", "point", "point", "int", key=1)})
    problem = refusal(read_rows, [("a", "b", 1), ("c", None, 2), ("d", None, None)], "at", several)
    assert [(row.row, row.reason) for row in problem.bad] == [(2, "column 2: the value is NULL")]


def test_a_csv_whose_header_has_the_names_of_the_sorts_is_read_by_name(tmp_path):
    text = "theory gifts.\nsort person.\nsort thing.\nstatic gave(person, person, thing).\n"
    vocabulary = load_text(text, "gifts.horn").vocabulary
    path = tmp_path / "gave.csv"
    path.write_text("thing,person_2,person_1\nbook,ben,ada\n\nball,ada\n")
    found = read_csv(path, "gave", vocabulary, skip_bad=True)
    assert list(found.facts) == [GroundFact("gave", ("ada", "ben", "book"))]
    assert found.header == ("thing", "person_2", "person_1")
    assert [(row.row, row.reason) for row in found.bad] == [
        (4, "2 columns, where `gave(person, person, thing)` has 3")
    ]
    path.write_text("thing,person_2,person_1\nbook,ben,\n")
    with pytest.raises(TableError, match="row 2: column `person_1`: the cell is empty"):
        read_csv(path, "gave", vocabulary)
    # Other names are allowed.
    path.write_text("thing,person,person\nbook,ben,ada\n")
    assert list(read_csv(path, "gave", vocabulary).facts) == [GroundFact("gave", ("book", "ben", "ada"))]
