"""`hornbook theory run`: a table for every derived relation, all of them or none."""

from __future__ import annotations

import csv
import json
import sqlite3
from contextlib import closing, contextmanager
from pathlib import Path
from threading import Event, Thread

import pyarrow
import pyarrow.parquet as pq
import pytest

from hornbook.kb.base.knowledge_base import KnowledgeBase

SHOP = (Path(__file__).parent / "data" / "run_shop.horn").read_text(encoding="utf-8")


@pytest.fixture(autouse=True)
def files(folder):
    Path("shop.horn").write_text(SHOP)
    Path("stock.csv").write_text('part,n\nnut,3\nbolt,120\n"big, red ""cog""",3\n')
    Path("wanted.csv").write_text("part,n\nnut,40\nbolt,50\n")


FACTS = ("--facts", "stock=stock.csv", "--facts", "wanted=wanted.csv")
COG = 'big, red "cog"'
TABLES = {
    "counted": [["part"], [COG], ["bolt"], ["nut"]],
    "short": [["part"], ["nut"]],
    "alike": [["part_1", "part_2", "int"], [COG, "nut", "3"], ["nut", COG, "3"]],
    "any_short": [["holds"], ["yes"]],
    "unwanted": [["part"], [COG]],
}


def read(folder: Path) -> dict[str, list[list[str]]]:
    return {
        path.stem: list(csv.reader(path.read_text("utf-8").splitlines())) for path in folder.glob("*.csv")
    }


def test_every_relation_that_rules_conclude_is_a_csv_file(run):
    code, out, _ = run("theory", "run", "shop.horn", *FACTS, "--into", "deep/out")
    assert code == 0
    assert read(Path("deep/out")) == TABLES
    assert out.splitlines() == [
        "counted: 3 rows", "short: 1 row", "alike: 2 rows", "any_short: 1 row", "unwanted: 1 row", "wrote 5 tables into deep/out",
    ]  # fmt: skip


def test_parquet_and_sqlite_have_the_same_rows(run):
    code, out, _ = run("theory", "run", "shop.horn", *FACTS, "--into", "out", "--format", "parquet", "--json")
    reported = json.loads(out)
    assert code == 0
    assert [(each["relation"], each["rows"]) for each in reported["relations"]] == [
        (name, len(rows) - 1) for name, rows in TABLES.items()
    ]
    for each in reported["relations"]:
        table = pq.read_table(each["file"])
        assert table.column_names == each["columns"]
        assert [[str(cell) for cell in row.values()] for row in table.to_pylist()] == TABLES[
            each["relation"]
        ][1:]
    code, out, _ = run("theory", "run", "shop.horn", *FACTS, "--into", "out.sqlite", "--json")
    assert code == 0
    assert {each["file"] for each in json.loads(out)["relations"]} == {"out.sqlite"}
    with closing(sqlite3.connect("out.sqlite")) as connection:
        assert connection.execute("SELECT * FROM alike").fetchall() == [(COG, "nut", 3), ("nut", COG, 3)]
        for name, (header, *rows) in TABLES.items():
            found = connection.execute(f"SELECT * FROM {name}")
            assert [column[0] for column in found.description] == header
            assert [list(map(str, row)) for row in found] == rows


def test_duckdb_has_the_same_rows_and_is_written_whole_or_not_at_all(run, monkeypatch):
    duckdb = pytest.importorskip("duckdb")

    def stored() -> dict[str, list[list[str]]]:
        with closing(duckdb.connect("out.duckdb", read_only=True)) as connection:
            found = {}
            for (name,) in connection.execute("SELECT table_name FROM information_schema.tables").fetchall():
                rows = connection.execute(f"SELECT * FROM {name}")
                header = [column[0] for column in rows.description]
                found[name] = [header, *(list(map(str, row)) for row in rows.fetchall())]
            return found

    into = ("--into", "out.duckdb")
    ask = KnowledgeBase.table

    def failing(base, relation, tense=None):
        if relation == "alike":
            raise MemoryError
        return ask(base, relation, tense)

    before = sorted(Path().iterdir())
    with monkeypatch.context() as patched:
        patched.setattr(KnowledgeBase, "table", failing)
        assert run("theory", "run", "shop.horn", *FACTS, *into)[0] == 1
    assert sorted(Path().iterdir()) == before
    code, out, _ = run("theory", "run", "shop.horn", *FACTS, *into, "--json")
    assert (code, {each["file"] for each in json.loads(out)["relations"]}) == (0, {"out.duckdb"})
    assert stored() == TABLES
    with closing(duckdb.connect("out.duckdb")) as connection:
        connection.execute("CREATE TABLE mine AS SELECT 1 AS x")
    with monkeypatch.context() as patched:
        patched.setattr(KnowledgeBase, "table", failing)
        assert run("theory", "run", "shop.horn", "--facts", "stock=stock.csv", *into)[0] == 1
    assert stored() == TABLES | {"mine": [["x"], ["1"]]}
    # The tables can be read as facts elsewhere, and a later run replaces them.
    assert run("theory", "run", "shop.horn", "--facts", "stock=stock.csv", *into)[0] == 0
    assert stored()["short"] == [["part"]]
    code, out, _ = run(
        "query", "shop.horn", "wanted(?p, ?n)", "--facts", "wanted(part_1, int)=out.duckdb::alike", "--csv"
    )
    assert (code, out.splitlines()[1:]) == (0, ['"big, red ""cog""",3', "nut,3"])
    with closing(duckdb.connect("other.duckdb")) as connection:
        connection.execute("CREATE TABLE Short AS SELECT 1 AS name")
    code, _, err = run("theory", "run", "shop.horn", *FACTS, "--into", "other.duckdb")
    assert code == 1
    assert "the table `short` is there with other columns (name); name another file" in err
    Path("odd.duckdb").write_text("no database" * 999)
    code, _, err = run("theory", "run", "shop.horn", *FACTS, "--into", "odd.duckdb")
    assert (code, "odd.duckdb" in err, "Traceback" in err) == (1, True, False)
    assert Path("odd.duckdb").read_text() == "no database" * 999


@pytest.mark.deep
def test_it_says_how_many_facts_there_are_while_it_concludes(run, monkeypatch):
    from hornbook.commands.theories import run as command

    seen = []

    @contextmanager
    def watching(messages, count, of):
        over = Event()

        def watch():
            while not over.wait(0.01):
                seen.append(count())

        thread = Thread(target=watch)
        thread.start()
        try:
            yield
        finally:
            over.set()
            thread.join()

    monkeypatch.setattr(command, "counter", watching)
    Path("chain.horn").write_text(
        "theory chain. sort n. static e(n, n). derived p(n, n).\np(?a, ?b) :- e(?a, ?b).\np(?a, ?c) :- e(?a, ?b), p(?b, ?c).\n"
    )
    Path("e.facts").write_text("".join(f"n{i}\tn{i + 1}\n" for i in range(1200)))
    assert run("theory", "run", "chain.horn", "--facts", "e=e.facts", "--into", "out")[0] == 0
    assert sorted(seen) == seen
    assert len(set(seen)) > 2
    assert seen[-1] <= 1200 * 1201 // 2 + 1200


@pytest.mark.parametrize("engine", ["compiled", "plain"])
def test_the_rows_are_the_answers_of_query(run, monkeypatch, engine):
    monkeypatch.setenv("HORNBOOK_ENGINE", engine)
    assert run("theory", "run", "family", "--into", "out")[0] == 0
    base = KnowledgeBase("family")
    for relation in ("grandparent", "ancestor", "sibling"):
        assert read(Path("out"))[relation][1:] == list(
            map(list, base.query(f"{relation}(?x, ?y)").to_tuples())
        )


def test_all_facts_are_given_before_a_rule_is_tried(run):
    Path("n.horn").write_text(
        "theory n. static lim(int). meta n(int). zero: n(0). up: n(?j) :- n(?i), absent lim(?i), ?j = ?i + 1."
    )
    Path("lim.csv").write_text("int\n3\n")
    assert run("theory", "run", "n.horn", "--facts", "lim=lim.csv", "--into", "out")[0] == 0
    assert read(Path("out")) == {"n": [["int"], ["0"], ["1"], ["2"], ["3"]]}


def test_what_holds_after_an_action_is_written_where_one_is_given(run):
    Path("toy.horn").write_text(
        """theory toy.
sort thing.
fluent lit(thing).
action press(thing).
derived seen(thing).
game win(thing).
pressed: after lit(?x) :- press(?x).
seen_if_lit: seen(?x) :- lit(?x).
winning: before win(?x) by press(?x) is GI :- press(?x).
"""
    )
    Path("press.csv").write_text("thing\na\n")
    Path("lit.csv").write_text("thing\nb\n")
    assert run("theory", "run", "toy.horn", "--facts", "lit=lit.csv", "--into", "before")[0] == 0
    assert read(Path("before")) == {
        "seen": [["thing"], ["b"]],
        "win": [["thing", "value"]],
        "win.by.press": [["thing_1", "thing_2", "value"]],
    }
    assert (
        run(
            "theory",
            "run",
            "toy.horn",
            "--facts",
            "lit=lit.csv",
            "--facts",
            "press=press.csv",
            "--into",
            "after",
        )[0]
        == 0
    )
    found = read(Path("after"))
    assert found["lit.after"] == [["thing"], ["a"]]
    assert found["seen"] == [["thing"], ["b"]]
    assert found["seen.after"] == [["thing"], ["a"]]
    assert found["win.by.press"][1:] == [["a", "a", "GI"]]


def test_a_later_run_replaces_its_tables_and_nothing_else(run):
    for into in ("out", "out.sqlite"):
        assert run("theory", "run", "shop.horn", *FACTS, "--into", into)[0] == 0
    Path("out/mine.txt").write_text("mine")
    with closing(sqlite3.connect("out.sqlite")) as connection:
        connection.executescript("CREATE TABLE mine (x); INSERT INTO mine VALUES (1);")
    for into in ("out", "out.sqlite"):
        assert run("theory", "run", "shop.horn", "--facts", "stock=stock.csv", "--into", into)[0] == 0
    assert read(Path("out"))["short"] == [["part"]]
    assert Path("out/mine.txt").read_text() == "mine"
    with closing(sqlite3.connect("out.sqlite")) as connection:
        assert connection.execute("SELECT * FROM short").fetchall() == []
        assert connection.execute("SELECT * FROM mine").fetchall() == [(1,)]


@pytest.mark.parametrize("into", ["out", "out.sqlite"])
def test_where_something_fails_nothing_is_written(run, monkeypatch, into):
    ask = KnowledgeBase.query

    def failing(base, text, **named):
        if "alike" in text:
            raise MemoryError
        return ask(base, text, **named)

    def there() -> set[str]:
        return {str(path) for path in Path().rglob("*")}

    def stored() -> dict[str, bytes]:
        return {str(path): path.read_bytes() for path in Path().rglob("*") if path.is_file()}

    before = there()
    with monkeypatch.context() as patched:
        patched.setattr(KnowledgeBase, "query", failing)
        assert run("theory", "run", "shop.horn", *FACTS, "--into", into)[0] == 1
    assert there() == before
    assert run("theory", "run", "shop.horn", *FACTS, "--into", into)[0] == 0
    written = stored()
    with monkeypatch.context() as patched:
        patched.setattr(KnowledgeBase, "query", failing)
        assert run("theory", "run", "shop.horn", "--facts", "stock=stock.csv", "--into", into)[0] == 1
    assert stored() == written


def test_what_contradicts_itself_is_reported_in_the_words_of_the_theory(run):
    Path("bad.horn").write_text(
        "theory bad. sort part. static p(part). derived q(part -> int)."
        " one: q(?x, 1) :- p(?x). two: q(?x, 2) :- p(?x). p(a)."
    )
    code, out, err = run("theory", "run", "bad.horn", "--into", "out")
    assert (code, out) == (1, "")
    assert "two values for one key: `q(a" in err
    assert not Path("out").exists()


def test_what_is_not_written_is_looked_at_too(run):
    Path("lamp.horn").write_text(
        """theory lamp. sort s. fluent lit(s -> int). action press(s). derived dim(s).
dim: dim(?x) :- lit(?x, 0). one: after lit(?x, 1) :- before lit(?x, _). two: after lit(?x, 2) :- before lit(?x, _).
"""
    )
    Path("lit.csv").write_text("s,lit\na,0\n")
    code, _, err = run("theory", "run", "lamp.horn", "--facts", "lit=lit.csv", "--into", "out")
    assert code == 1
    assert "two values for one key: `after lit(a" in err


def test_what_was_read_is_never_replaced(run):
    Path("out").mkdir()
    Path("out/counted.csv").write_text("part\nwasher\n")
    code, _, err = run("theory", "run", "shop.horn", "--facts", "counted=out/counted.csv", "--into", "out")
    assert code == 1
    assert "out/counted.csv: derived facts would replace input facts" in err
    assert Path("out/counted.csv").read_text() == "part\nwasher\n"
    assert len(list(Path("out").iterdir())) == 1


def test_names_that_some_systems_take_for_one_are_refused(run):
    Path("two.horn").write_text(
        "theory two. sort s. static p(s). derived isA(s). derived isa(s). x: isA(?x) :- p(?x). y: isa(?x) :- p(?x)."
    )
    for into in ("out", "out.sqlite"):
        code, _, err = run("theory", "run", "two.horn", "--into", into)
        assert code == 1
        assert "`isA` and `isa` differ only in case" in err
        assert not Path(into).exists()


def test_places_where_no_tables_can_be_written_are_refused_with_a_way_out(run):
    Path("file").write_text("")
    assert "file is a file; name a folder" in messages(run("theory", "run", "shop.horn", "--into", "file"))
    assert "has its own tables" in messages(
        run("theory", "run", "shop.horn", "--into", "x.db", "--format", "parquet")
    )
    assert run("store", "new", "store.sqlite", "shop.horn")[0] == 0
    before = Path("store.sqlite").read_bytes()
    assert "store.sqlite is a store" in messages(run("theory", "run", "shop.horn", "--into", "store.sqlite"))
    assert Path("store.sqlite").read_bytes() == before
    code, _, err = run("theory", "run", "shop.horn", "--into", "nowhere/x.sqlite")
    assert (code, err) == (1, "error: nowhere: there is no such folder\n")
    with closing(sqlite3.connect("other.sqlite")) as connection:
        connection.executescript("CREATE TABLE short (name); INSERT INTO short VALUES (1);")
    code, _, err = run("theory", "run", "shop.horn", *FACTS, "--into", "other.sqlite")
    assert code == 1
    assert "the table `short` is there with other columns (name); name another file" in err
    with closing(sqlite3.connect("other.sqlite")) as connection:
        assert connection.execute("SELECT * FROM short").fetchall() == [(1,)]
        assert connection.execute("SELECT count(*) FROM sqlite_master").fetchall() == [(1,)]


def messages(answer: tuple[int, str, str]) -> str:
    code, out, err = answer
    assert (code, out) == (2, "")
    return " ".join(err.replace("│", " ").split())


def test_the_facts_of_every_state_of_a_table_are_written(run):
    states = ["wanted(nut, 40).", "wanted(bolt", "", "wanted(bolt, 500). wanted(nut, 1)."]
    pq.write_table(pyarrow.table({"state": states}), "states.parquet")
    ask = (
        "theory",
        "run",
        "shop.horn",
        "--facts",
        "stock=stock.csv",
        "--states",
        "states.parquet",
        "--into",
        "out",
    )
    code, _, err = run(*ask)
    assert code == 1
    assert "1 bad row of 4, so nothing was written" in err
    assert "row 2: column `state`: line 1, column 7: the parenthesis is not closed" in err
    assert not Path("out").exists()
    code, out, _ = run(*ask, "--skip-bad")
    assert code == 0
    found = read(Path("out"))
    assert found["short"] == [["state_number", "part"], ["0", "nut"], ["3", "bolt"]]
    assert found["any_short"] == [["state_number"], ["0"], ["3"]]
    assert found["alike"][0] == ["state_number", "part_1", "part_2", "int"]
    assert "any_short: 2 rows" in out
    assert run(*ask[:-1], "out.sqlite", "--skip-bad")[0] == 0
    with closing(sqlite3.connect("out.sqlite")) as connection:
        assert connection.execute("SELECT * FROM short").fetchall() == [(0, "nut"), (3, "bolt")]


def test_only_rules_needs_a_table_of_states(run):
    code, _, err = run("theory", "run", "shop.horn", "--only-rules", "--into", "out")
    assert code == 2
    assert "--only-rules" in err
