"""Facts from database files, wherever tables are read: SQLite and DuckDB, whole, by table and by column."""

from __future__ import annotations

import io
import json
import sqlite3
import sys
from contextlib import closing

import pytest

from hornbook.kb.load.loader import load_text
from hornbook.kb.tables.databases import database_tables, read_database
from hornbook.kb.tables.tables import TableError, load_table

duckdb = pytest.importorskip("duckdb")

SHOP = """theory shop.
sort person.
sort thing.
static member(person, thing).
static level(person -> int).
derived may(person, thing, int).
derived seen(person).
members_may: may(?p, ?t, ?n) :- member(?p, ?t), level(?p, ?n).
seen_once: seen(?p) :- member(?p, _).
"""
TABLES = [
    "create table member (person text, thing text)",
    "insert into member values ('ann', 'door'), ('bob', 'gate')",
    "create table level (id integer primary key, person text, n integer)",
    "insert into level values (17, 'bob', 1), (4, 'ann', 2), (90, 'cleo', NULL)",
    "create table audit (moment text)",
    "create view members as select thing as b, person as a from member",
]
LEVEL = "level(person, n)="


def make(path, statements=TABLES):
    connection = duckdb.connect(str(path)) if path.suffix == ".duckdb" else sqlite3.connect(path)
    with closing(connection):
        for each in statements:
            connection.execute(each)
        connection.commit()


@pytest.fixture(params=["shop.sqlite", "shop.db", "shop.duckdb"])
def shop(request, folder):
    (folder / "shop.horn").write_text(SHOP)
    make(folder / request.param)
    return request.param


def test_a_table_is_called_as_the_predicate_or_named_and_its_columns_too(run, shop):
    queried = ("query", "shop.horn", "may(?p, ?t, ?n)", "--json")
    code, out, err = run(*queried, "--facts", f"member={shop}", "--facts", f"{LEVEL}{shop}")
    assert (code, json.loads(out)) == (
        0,
        [{"p": "ann", "t": "door", "n": 2}, {"p": "bob", "t": "gate", "n": 1}],
    )
    assert err == f"{LEVEL}{shop}: 2 facts, 1 row without a value\n"
    code, out, _ = run(
        *queried, "--facts", f"member(a, b)={shop}::members", "--facts", f"{LEVEL}{shop}::level"
    )
    assert len(json.loads(out)) == 2


def test_proofs_say_table_and_key(run, shop):
    queried = ("--facts", f"member={shop}", "--facts", f"{LEVEL}{shop}")
    _, out, _ = run("why", "shop.horn", "may(bob, gate, 1)", *queried)
    row = 1 if shop.endswith("duckdb") else 2
    assert f"member(bob, gate)  [{shop}:member rowid={row}]" in out
    assert f"level(bob, 1)  [{shop}:level id=17]" in out
    # The rows of a view have no keys.
    _, out, _ = run("why", "shop.horn", "member(bob, gate)", "--facts", f"member(a, b)={shop}::members")
    assert f"[{shop}:members:2]" in out


def test_bad_rows_are_reported_by_key_and_column(run, shop, folder):
    make(
        folder / shop,
        ["insert into level values (20, 'dan', -1)", "update level set person = NULL where id = 4"],
    )
    code, _, err = run("query", "shop.horn", "level(?p, ?n)", "--facts", f"{LEVEL}{shop}")
    assert code == 1
    assert err.splitlines() == [
        f"error: {shop}:level: 1 bad row of 4, so none was loaded (`--skip-bad` loads the others)",
        "  row id=4: column `person`: the value is NULL",
    ]
    code, _, err = run("query", "shop.horn", "level(?p, ?n)", "--facts", f"{LEVEL}{shop}", "--skip-bad")
    assert code == 0
    assert "row id=4: column `person`: the value is NULL" in err
    make(folder / shop, ["update level set person = 'bob' where id in (4, 20)"])
    _, _, err = run("query", "shop.horn", "level(?p, ?n)", "--facts", f"{LEVEL}{shop}")
    assert "row id=17: `level(bob -> …)` is 1 here and 2 in row id=4" in err


def test_a_whole_database_is_read_where_its_tables_are_called_so(run, shop, folder):
    make(folder / shop, ["drop table level", "create table level (person text, n integer)"])
    make(folder / shop, ["insert into level values ('ann', 2)"])
    code, _, err = run("query", "shop.horn", "may(?p, ?t, ?n)", "--facts", shop)
    assert code == 1
    assert err == f"error: {shop}: no predicate is called `members`; did you mean `member`?\n"
    make(folder / shop, ["drop view members"])
    code, out, err = run("query", "shop.horn", "may(?p, ?t, ?n)", "--facts", shop, "--csv")
    assert (code, out) == (0, "p,t,n\nann,door,2\n")
    assert err == f"{shop}: passed over audit, called as no predicate\n"
    make(folder / shop, ["create table seen (person text)"])
    _, _, err = run("query", "shop.horn", "may(?p, ?t, ?n)", "--facts", shop)
    assert (
        f"error: {shop}:seen: `seen` is derived: rules conclude it, so load the relations that they read instead"
        in err
    )


def test_a_folder_may_have_databases(run, shop, folder):
    make(folder / shop, ["drop view members", "drop table level"])
    tables = folder / "tables"
    tables.mkdir()
    (folder / shop).rename(tables / shop)
    (tables / "level.csv").write_text("person,n\nann,2\n")
    code, out, _ = run("query", "shop.horn", "may(?p, ?t, ?n)", "--facts", "tables", "--csv")
    assert (code, out) == (0, "p,t,n\nann,door,2\n")
    (tables / "member.facts").write_text("cleo\tdoor\n")
    code, _, err = run("query", "shop.horn", "may(?p, ?t, ?n)", "--facts", "tables")
    assert code == 1
    assert f"tables/{shop}: `member.facts` has facts of `member` too" in err
    (tables / "member.facts").unlink()
    # A store next to the tables is ignored, and is not a table itself.
    assert run("store", "new", "tables/kept.sqlite", "shop.horn")[0] == 0
    assert run("query", "shop.horn", "may(?p, ?t, ?n)", "--facts", "tables")[0] == 0
    code, _, err = run("query", "shop.horn", "may(?p, ?t, ?n)", "--facts", "tables/kept.sqlite")
    assert code == 1
    assert (
        "error: tables/kept.sqlite: this is a store of Hornbook's; it has theories and facts of its own:"
        in err
    )


def test_an_example_a_store_and_the_prompt_take_databases(run, shop, folder, monkeypatch):
    make(folder / shop, ["drop view members", "drop table level"])
    (folder / "more.horn").write_text(
        SHOP + f'example e from "{shop}": level(ann, 2).\nexpect e: may(ann, door, 2).\n'
    )
    assert run("test", "more.horn")[0] == 0
    assert run("store", "new", "kept.sqlite", "shop.horn")[0] == 0
    code, out, _ = run("store", "add", "kept.sqlite", "--facts", shop)
    assert (code, out) == (0, "kept.sqlite: 2 new facts, 2 in all\n")
    lines = [f":load {shop}", "level(bob, 3).", "why may(bob, gate, 3)", ":undo", ":undo", "member(?p, ?t)"]
    monkeypatch.setattr("sys.stdin", io.StringIO("\n".join(lines) + "\n"))
    code, out, _ = run("repl", "shop.horn")
    assert code == 0
    assert f"added: member={shop}::member: 2 facts\n" in out
    assert f"member(bob, gate)  [{shop}:member rowid=" in out
    assert out.endswith("no answers\n")


def test_what_is_wrong_with_a_database_is_reported(run, shop, folder):
    def messages(spec):
        code, out, err = run("query", "shop.horn", "member(?p, ?t)", "--facts", spec)
        assert (code, out) == (1, "")
        return err

    assert f"{shop}: there is no table `membr` in this database; did you mean `member`?" in messages(
        f"member={shop}::membr"
    )
    assert "it has no column `who`" in messages(f"member(who, thing)={shop}")
    assert (
        "3 columns, where `member(person, thing)` has 2; name the columns: `member(NAME, …)=FILE`"
        in messages(f"member={shop}::level")
    )
    assert "has names; leave the parentheses out" in messages(f"member()={shop}")
    assert "there is no such file" in messages("member=nowhere.sqlite")
    assert "there is no such file" in messages("nowhere.duckdb")
    (folder / shop).write_bytes(b"no database, whatever it is called" * 40)
    assert f"{shop}: this cannot be read as a database: " in messages(f"member={shop}")
    (folder / shop).write_bytes(b"")
    assert "error" in messages(f"member={shop}")


def test_duckdb_is_an_extra(run, folder, monkeypatch):
    (folder / "shop.horn").write_text(SHOP)
    make(folder / "shop.duckdb")
    monkeypatch.setitem(sys.modules, "duckdb", None)
    code, _, err = run("query", "shop.horn", "member(?p, ?t)", "--facts", "member=shop.duckdb")
    assert code == 1
    assert "it is read by DuckDB, which is not installed: `pip install 'hornbook[data]'`" in err


PICKED = ("person", "thing")
VOCABULARY = load_text(SHOP, "shop.horn").vocabulary


def test_sqlite_rows_without_a_rowid_and_columns_called_so_are_counted_otherwise(tmp_path):
    path = tmp_path / "odd.sqlite"
    make(
        path,
        [
            "create table t (person text primary key, thing text) without rowid",
            "insert into t values ('ann', 'x'), ('bob', 'y')",
            'create table "a ""b"" c" (rowid text, thing text)',
            'insert into "a ""b"" c" values (\'ann\', \'x\')',
            "create table k (id integer primary key, person text, thing text)",
            "insert into k values (-5, 'ann', 'x')",
            # In SQLite, an `integer primary key desc` is no alias of the row number.
            "create table d (id integer primary key desc, person text, thing text)",
            "insert into d values (-5, 'ann', 'x')",
        ],
    )
    assert database_tables(path) == ['a "b" c', "d", "k", "t"]
    places = {}
    for table, columns in {"t": None, 'a "b" c': None, "k": PICKED, "d": PICKED}.items():
        found = read_database(path, table, "member", VOCABULARY, columns=columns).facts
        assert found[0].values == ("ann", "x")
        places[table] = found.rows.row(len(found) - 1).removeprefix(f"{path}:")
    assert places == {
        "t": "t:2",
        'a "b" c': 'a "b" c _rowid_=1',
        "k": "k id=-5",
        "d": "d rowid=1",
    }


def test_the_types_of_duckdb_mean_their_values(tmp_path):
    words = load_text(
        "sort id. sort day = date. sort moment = time. sort euro = decimal(2). sort flag = true | false."
        " static t(id, int, day, moment, euro, flag)."
    ).vocabulary
    path = tmp_path / "types.duckdb"
    row = (
        "'{}'::JSON AS id, sum(7) AS n, DATE '2024-02-29' AS day, TIMESTAMP '2024-02-29 10:00:00' AS moment,"
        " 12.5::DECIMAL(5, 1) AS euro, true AS flag"
    )
    make(path, [f"CREATE VIEW t AS SELECT {row}", f"CREATE TABLE u AS SELECT {row}"])
    for table, place in (("t", "t:1"), ("u", "u rowid=0")):
        found = read_database(path, table, "t", words).facts
        assert list(map(str, found[0].values)) == [
            "{}",
            "7",
            "2024-02-29",
            "2024-02-29T10:00:00",
            "12.50",
            "true",
        ]
        assert found.rows.row(0).removeprefix(f"{path}:") == place


@pytest.mark.parametrize(
    ("column", "value", "reason"),
    [
        ("n", "18446744073709551616::HUGEINT", "18446744073709551616"),
        ("n", "1::DECIMAL(3, 0)", "wants an integer"),
        ("day", "DATE 'infinity'", "is no date or time of Python"),
        ("moment", "TIMESTAMP_NS '2024-01-01 00:00:00.000000001'", "has a fraction of a second"),
        ("id", "'x'::BLOB", "wants a word"),
        ("id", "[1]", "wants a word"),
    ],
)
def test_a_value_of_duckdb_is_refused_with_its_key(tmp_path, column, value, reason):
    words = load_text(
        "sort id. sort day = date. sort moment = time. static n(int). static day(day). static moment(moment)."
        " static id(id)."
    ).vocabulary
    path = tmp_path / "types.duckdb"
    make(path, [f'CREATE TABLE "{column}" AS SELECT {value} AS "{column}"'])
    with pytest.raises(TableError) as caught:
        read_database(path, column, column, words)
    assert f"rowid=0: column `{column}`" in str(caught.value)
    assert reason in str(caught.value)


def test_parquet_columns_are_picked_too(tmp_path):
    path = tmp_path / "wide.parquet"
    duckdb.sql(f"copy (select 1 as id, 'door' as thing, 'ann' as person) to '{path}' (format parquet)")
    found = load_table(f"member(person, thing)={path}", VOCABULARY)
    assert found.facts[0].values == ("ann", "door")
    with pytest.raises(TableError, match="name the columns"):
        load_table(f"member={path}", VOCABULARY)


def test_nothing_is_written_to_a_database(run, shop, folder):
    before = (folder / shop).read_bytes()
    (folder / shop).chmod(0o444)
    assert run("query", "shop.horn", "member(?p, ?t)", "--facts", f"member={shop}")[0] == 0
    assert (folder / shop).read_bytes() == before
    assert sorted(each.name for each in folder.iterdir()) == sorted([shop, "shop.horn"])
