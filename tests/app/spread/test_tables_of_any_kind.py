"""Tables of states as CSV or in databases, and answers written there: the same answers as with Parquet."""

from __future__ import annotations

import csv
import json
import sqlite3
from contextlib import closing
from pathlib import Path

import duckdb
import pyarrow
import pyarrow.parquet
import pytest

QUERY = "ancestor(ben, ?who)"
STATES = ["parent(cleo, eve). parent(eve, finn).", "parent(dan, gus).\n% two lines\n", ""]
ROWS = [(f"f{n}", state) for n, state in enumerate(STATES, 1)]
ANSWERS = [["cleo", "dan", "eve", "finn"], ["cleo", "dan", "gus"], ["cleo", "dan"]]
NAMES = ("family", "state")


def write_csv(path, rows=ROWS, names=NAMES, delimiter=","):
    with Path(path).open("w", newline="") as file:
        csv.writer(file, delimiter=delimiter).writerows([names, *rows])


def write_sqlite(path, rows=ROWS, table="families"):
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(f"CREATE TABLE {table} (family, state)")
        connection.executemany(f"INSERT INTO {table} VALUES (?, ?)", rows)


def write_duckdb(path, rows=ROWS):
    with duckdb.connect(str(path)) as connection:
        connection.execute("CREATE TABLE families (family VARCHAR, state VARCHAR)")
        connection.executemany("INSERT INTO families VALUES (?, ?)", rows)


def write_parquet(path, rows=ROWS):
    pyarrow.parquet.write_table(pyarrow.table(dict(zip(NAMES, zip(*rows, strict=True), strict=True))), path)


WRITERS = {
    "states.csv": write_csv,
    "states.tsv": lambda path: write_csv(path, delimiter="\t"),
    "states.sqlite": write_sqlite,
    "states.db::families": lambda path: write_sqlite(path.partition("::")[0]),
    "states.duckdb": write_duckdb,
    "states.duckdb::families": lambda path: write_duckdb(path.partition("::")[0]),
    "states.parquet": write_parquet,
}


def rows_of(place):
    """Return the written rows, with their answers as lists."""
    path, _, table = place.partition("::")
    table = table or "answers"
    if path.endswith(".csv"):
        with Path(path).open(newline="") as file:
            header, *rows = csv.reader(file)
        assert header == [*NAMES, "answers"]
    elif path.endswith(".duckdb"):
        with duckdb.connect(path, read_only=True) as connection:
            return [tuple(row) for row in connection.execute(f"FROM {table}").fetchall()]
    elif path.endswith((".sqlite", ".db")):
        with closing(sqlite3.connect(path)) as connection:
            rows = connection.execute(f"SELECT * FROM {table}").fetchall()
    else:
        return [tuple(row.values()) for row in pyarrow.parquet.read_table(path).to_pylist()]
    return [(*row[:2], json.loads(row[2])) for row in rows]


@pytest.fixture
def ask(run):
    def queried(states, into, *more, query=QUERY):
        return run("query", "family", query, "--states", states, "--into", into, *more)

    return queried


EXPECTED = [
    (family, state, [{"who": who} for who in answers])
    for (family, state), answers in zip(ROWS, ANSWERS, strict=True)
]


@pytest.mark.parametrize("states", WRITERS)
@pytest.mark.parametrize("part", ["1", "2", "1000"])
def test_states_of_any_kind_of_table_have_the_same_answers(folder, ask, states, part):
    WRITERS[states](states)
    assert ask(states, "answers.parquet", "--chunk-size", part) == (0, "3 states in answers.parquet\n", "")
    assert rows_of("answers.parquet") == EXPECTED
    assert not list(Path().glob("*.parts"))


@pytest.mark.parametrize(
    "into", ["a.csv", "a.sqlite", "a.db::told", "a.duckdb", "a.duckdb::told", "a.pq", "a.parquet"]
)
def test_answers_go_to_any_kind_of_table(folder, ask, into):
    write_csv("states.csv")
    for _ in range(2):  # the second run replaces the output of the first
        assert ask("states.csv", into) == (0, f"3 states in {into}\n", "")
        assert rows_of(into) == EXPECTED


def test_what_has_no_answers_is_empty_in_any_kind_of_table(folder, ask):
    write_csv("states.csv", [*ROWS[:1], ("f2", "parent(dan, gus")])
    for into in ("a.csv", "a.sqlite", "a.duckdb"):
        assert ask("states.csv", into, "--skip-bad")[0] == 0
    message = "column `state`: line 1, column 7: the parenthesis is not closed"
    with Path("a.csv").open(newline="") as file:
        assert list(csv.reader(file))[2] == ["f2", "parent(dan, gus", "", message]
    with closing(sqlite3.connect("a.sqlite")) as connection:
        assert connection.execute("SELECT answers, error FROM answers").fetchall()[1] == (None, message)
    with duckdb.connect("a.duckdb") as connection:
        assert connection.execute("SELECT answers, error FROM answers").fetchall()[1] == (None, message)


def test_other_columns_keep_their_types(folder, ask):
    with closing(sqlite3.connect("s.sqlite")) as connection, connection:
        connection.execute("CREATE TABLE s (state TEXT, n INTEGER, x REAL, raw BLOB, void)")
        connection.execute("INSERT INTO s VALUES ('', 7, 0.5, x'00ff', NULL), ('', NULL, 2, NULL, NULL)")
    assert ask("s.sqlite", "a.sqlite", query="parent(ada, ben)")[0] == 0
    with closing(sqlite3.connect("a.sqlite")) as connection:
        found = connection.execute("SELECT * FROM answers").fetchall()
    assert found == [("", 7, 0.5, b"\x00\xff", None, 1), ("", None, 2.0, None, None, 1)]


def test_rows_of_a_database_are_reported_by_their_keys_and_other_tables_stay(folder, ask):
    with closing(sqlite3.connect("s.sqlite")) as connection, connection:
        connection.execute("CREATE TABLE s (n INTEGER PRIMARY KEY, state TEXT)")
        connection.executemany("INSERT INTO s VALUES (?, ?)", [(3, ""), (1, STATES[1]), (2, STATES[0])])
    write_sqlite("a.sqlite", table="mine")
    assert ask("s.sqlite", "a.sqlite")[0] == 0
    with closing(sqlite3.connect("a.sqlite")) as connection:
        assert connection.execute("SELECT n FROM answers").fetchall() == [(1,), (2,), (3,)]
        assert connection.execute("SELECT * FROM mine").fetchall() == ROWS


def test_a_cell_of_csv_keeps_its_blanks(folder, ask):
    write_csv("states.csv", [("007", "  parent(cleo, eve).  ")])
    assert ask("states.csv", "a.parquet")[0] == 0
    assert rows_of("a.parquet")[0][:2] == ("007", "  parent(cleo, eve).  ")


def two_tables(path):
    write_sqlite(path)
    write_sqlite(path, table="others")


def mixed(path):
    write_sqlite(path, [*ROWS, ("f4", 5)])


@pytest.mark.parametrize(
    ("make", "states", "message"),
    [
        (lambda: Path("s.csv").touch(), "s.csv", "s.csv: the file is empty; its first row names the columns"),
        (
            lambda: write_csv("s.csv", [("a", "", "b")]),
            "s.csv",
            "s.csv: row 2 has 3 cells, and the first row names 2",
        ),
        (
            lambda: write_csv("s.csv", names=("family", "stat")),
            "s.csv",
            "s.csv: no column is called `state`, which holds the text of a state; did you mean",
        ),
        (
            lambda: two_tables("s.sqlite"),
            "s.sqlite",
            "s.sqlite: name the table, `s.sqlite::TABLE`; it has families, others",
        ),
        (
            lambda: two_tables("s.sqlite"),
            "s.sqlite::familes",
            "s.sqlite: there is no table `familes` in this database; did you mean `families`?",
        ),
        (
            lambda: duckdb.connect("s.duckdb").close(),
            "s.duckdb",
            "s.duckdb: name the table, `s.duckdb::TABLE`; it has no table",
        ),
        (
            lambda: mixed("s.sqlite"),
            "s.sqlite",
            "s.sqlite: column `state` of `families` has values of types integer and text; cast it in a view",
        ),
        (
            lambda: Path("s.sqlite").write_text("no database, and long enough to be one"),
            "s.sqlite",
            "s.sqlite: this cannot be read as a database: file is not a database",
        ),
    ],
)  # fmt: skip
def test_what_is_no_table_of_states_is_named(folder, ask, make, states, message):
    make()
    code, out, err = ask(states, "a.csv")
    assert (code, out) == (1, "")
    assert message in err
    assert not list(Path().glob("a.csv*"))


def test_a_table_that_is_no_answers_stays(folder, ask, run):
    write_csv("states.csv")
    write_sqlite("a.sqlite", table="answers")
    code, _, err = ask("states.csv", "a.sqlite")
    assert code == 1
    assert "the table `answers` is there with other columns (family, state); name another file" in err
    with closing(sqlite3.connect("a.sqlite")) as connection:
        assert connection.execute("SELECT * FROM answers").fetchall() == ROWS
    assert run("store", "new", "s.sqlite", "family")[0] == 0
    assert "s.sqlite: this is a store of Hornbook's; name another file" in ask("states.csv", "s.sqlite")[2]


@pytest.mark.deep
def test_a_game_that_is_not_named_in_a_csv_is_every_game(folder, run):
    from hornbook import learn, read_problems

    rules = learn("chess", read_problems("chess")[:3]).rules
    rules.save("rules.horn")
    position = "4k3/8/8/3r4/8/4N3/8/4K3 w - - 0 1"
    write_csv("states.csv", [("", position)], names=("game", "state"))
    code, _, _ = run(
        "rules", "match", "chess", "--rules", "rules.horn", "--states", "states.csv", "--into", "a.parquet"
    )
    assert code == 0
    (row,) = pyarrow.parquet.read_table("a.parquet")["answers"].to_pylist()
    assert {each["move"] for each in row} == {"move(e3, d5)"}
