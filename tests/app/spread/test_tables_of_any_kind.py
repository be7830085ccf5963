"""Tables of states as CSV or in databases, and answers written there: the same answers as with Parquet."""

from __future__ import annotations

import csv
import json
import sqlite3
from contextlib import closing
from datetime import date
from pathlib import Path

import duckdb
import openpyxl
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


def write_json(path, rows=ROWS):
    records = [dict(zip(NAMES, row, strict=True)) for row in rows]
    lines = "".join(f"{json.dumps(each)}\n" for each in records)
    Path(path).write_text(json.dumps(records) if path.endswith(".json") else lines)


def write_excel(path, rows=ROWS, sheet="families", others=(), names=NAMES):
    workbook = openpyxl.Workbook()
    for title, content in ((sheet, [names, *rows]), *others):
        page = workbook.create_sheet(title)
        for row in content:
            # A cell of a sheet has no empty text.
            page.append(["% nothing" if cell == "" else cell for cell in row])
    workbook.remove(workbook.worksheets[0])
    workbook.save(path)


WRITERS = {
    "states.csv": write_csv,
    "states.tsv": lambda path, rows=ROWS: write_csv(path, rows, delimiter="\t"),
    "states.sqlite": write_sqlite,
    "states.db::families": lambda path, rows=ROWS: write_sqlite(path.partition("::")[0], rows),
    "states.duckdb": write_duckdb,
    "states.duckdb::families": lambda path, rows=ROWS: write_duckdb(path.partition("::")[0], rows),
    "states.parquet": write_parquet,
    "states.json": write_json,
    "states.jsonl": write_json,
    "states.ndjson": write_json,
    "states.xlsx": write_excel,
    "states.xlsx::families": lambda path, rows=ROWS: write_excel(
        path.partition("::")[0], rows, others=[("others", [("a",)])]
    ),
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


FACTS = [{"parent": [["cleo", "eve"], ["eve", "finn"]]}, {"parent": [["dan", "gus"]]}, {}]


@pytest.mark.parametrize("states", WRITERS)
def test_states_of_any_kind_of_table_may_be_json_objects_of_facts(folder, ask, states):
    texts = [("f1", json.dumps(FACTS[0], indent=1)), *((f"f{n}", json.dumps(FACTS[n - 1])) for n in (2, 3))]
    WRITERS[states](states, rows=texts)
    assert ask(states, "answers.parquet")[::2] == (0, "")
    assert [row[2] for row in rows_of("answers.parquet")] == [row[2] for row in EXPECTED]


@pytest.mark.parametrize("name", ["s.json", "s.jsonl"])
def test_a_state_of_json_may_be_an_object_instead_of_a_text(folder, ask, name):
    write_json(name, [("f1", FACTS[0]), ("f2", STATES[1]), ("f3", FACTS[2])])
    assert ask(name, "answers.parquet")[::2] == (0, "")
    found = rows_of("answers.parquet")
    assert [row[2] for row in found] == [row[2] for row in EXPECTED]
    assert found[0][1] == '{"parent":[["cleo","eve"],["eve","finn"]]}'


def test_values_of_json_are_those_of_the_sorts(folder, run):
    Path("shop.horn").write_text(
        "theory shop. sort item. sort day = date. sort euro = decimal(2). static sold(item, day, euro) complete."
    )
    rows = [{"sold": [["5", "2024-02-29", 2.50], ["tea", "2024-03-01", 3]]}]
    Path("s.jsonl").write_text("".join(f"{json.dumps({'state': row})}\n" for row in rows))
    query = ("query", "shop.horn", "sold(?i, ?d, ?e), ?d <= 2024-03-01, ?e >= 2.50")
    assert run(*query, "--states", "s.jsonl", "--into", "a.csv")[::2] == (0, "")
    with Path("a.csv").open(newline="") as file:
        answers = json.loads(list(csv.reader(file))[1][1])
    assert [(each["i"], each["d"], float(each["e"])) for each in answers] == [
        ("5", "2024-02-29", 2.5),
        ("tea", "2024-03-01", 3.0),
    ]


@pytest.mark.parametrize(
    ("state", "message"),
    [
        ("{", "column `state`: line 1, column 1: this is not JSON: Expecting property name"),
        ('{"parent": [["a", "b"]], "parent": []}', "an object has the key `parent` twice"),
        ('{"parent": ["a"]}', "`parent` wants a list of rows, each a list of values"),
        ('{"parent": {"a": 1}}', "`parent` wants a list of rows, each a list of values"),
        ('{"parent": [["a"]]}', "row 1: 1 column, where `parent(person, person)` has 2"),
        ('{"parent": [["a", 5]]}', "`parent`: 1 bad row"),
        ('{"parnt": []}', "did you mean `parent`?"),
    ],
)
def test_an_object_that_is_no_state_is_named(folder, ask, state, message):
    write_csv("s.csv", [*ROWS, ("f4", state)])
    code, _, err = ask("s.csv", "a.csv")
    assert code == 1
    assert "row 4" in err
    assert message in err


@pytest.mark.parametrize("states", WRITERS)
@pytest.mark.parametrize("part", ["1", "2", "1000"])
def test_states_of_any_kind_of_table_have_the_same_answers(folder, ask, states, part):
    WRITERS[states](states)
    assert ask(states, "answers.parquet", "--chunk-size", part) == (0, "3 states in answers.parquet\n", "")
    found = rows_of("answers.parquet")
    assert [
        (family, "" if state == "% nothing" else state, answers) for family, state, answers in found
    ] == EXPECTED
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


def test_other_columns_of_json_and_sheets_have_the_type_of_their_values(folder, ask):
    rows = [
        {"state": "", "n": 7, "x": 0.5, "yes": True, "list": [1, 2.5]},
        {"state": "", "x": 2, "void": None, "yes": False, "list": "a"},
    ]
    Path("s.json").write_text(json.dumps(rows))
    assert ask("s.json", "a.parquet", query="parent(ada, ben)")[0] == 0
    found = pyarrow.parquet.read_table("a.parquet").drop(["answers"])
    assert found.to_pylist() == [
        {"state": "", "n": 7, "x": 0.5, "yes": True, "list": "[1,2.5]", "void": None},
        {"state": "", "n": None, "x": 2.0, "yes": False, "list": "a", "void": None},
    ]
    day = date(2024, 2, 29)
    write_excel("s.xlsx", [("{}", 7, 0.5, day), ("{}", None, 2, None)], names=("state", "n", "x", "day"))
    assert ask("s.xlsx", "a.parquet", query="parent(ada, ben)")[0] == 0
    found = pyarrow.parquet.read_table("a.parquet").drop(["answers"])
    assert found.to_pylist() == [
        {"state": "{}", "n": 7, "x": 0.5, "day": "2024-02-29 00:00:00"},
        {"state": "{}", "n": None, "x": 2.0, "day": None},
    ]


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
        (
            lambda: Path("s.json").write_text('[{"state": ""}, 5]'),
            "s.json",
            "s.json: row 2 is the integer 5, and not an object with the columns as keys",
        ),
        (
            lambda: write_json("s.jsonl", [("a", ""), (5, "")]),
            "s.jsonl",
            "s.jsonl: column `family` has values of types integer and text; write all as text",
        ),
        (
            lambda: write_json("s.jsonl", [(2**63, "")]),
            "s.jsonl",
            "s.jsonl: column `family` has values of types integer beyond 64 bits; write all as text",
        ),
        (
            lambda: write_excel("s.xlsx", others=[("more", [])]),
            "s.xlsx",
            "s.xlsx: there is no sheet `states` in this workbook; it has families, more; name one",
        ),
        (
            lambda: write_excel("s.xlsx", [("a", "", "b")]),
            "s.xlsx",
            "s.xlsx:families: row 2 has a cell in a column without a name",
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
