"""Tests of a store: it keeps its input in whole transactions, for one writer and many readers."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from hornbook.kb.ast.theory import GroundFact
from hornbook.kb.load.loader import load
from hornbook.kb.store import (
    Benchmark,
    Store,
    StoreBusyError,
    StoredExample,
    StoredRule,
    StoreError,
    Use,
    integrity,
    schema,
)
from hornbook.kb.store.closure import fingerprint_of, has_changed, load_stored, read_theory

_TINY = """theory tiny.
sort thing.
static big(thing).
static small(thing).
r: small(?x) :- big(?x).
"""


@pytest.fixture
def path(tmp_path):
    return tmp_path / "kb.sqlite"


@pytest.fixture
def store(path):
    """Create a store of the theory of families and open it for writing."""
    store = Store.create(path)
    store.put_theory(read_theory("family"))
    yield store
    store.close()


def test_what_is_put_is_what_is_read(store, path):
    facts = [GroundFact("parent", ("ann", "bob")), GroundFact("age", ("ann", -3), "before")]
    rule = StoredRule(
        "r_1", "r_1: a(?x) if b(?x).", '{"rank":1}', None, "active", "", "2026-01-02T03:04:05Z", "{}"
    )
    example = StoredExample("e", "f.horn", "t1", "text", "{}", 0.25, "2026-01-02T03:04:05Z")
    assert store.add_facts(facts) == 2
    store.put_rule(rule)
    store.put_example(example)
    store.add_usage({"r_1": Use(3, 1, 5), "gone": Use(1, 0, 1)})
    store.add_usage({"r_1": Use(1, 0, 3, "then")})
    store.put_benchmark("r_1", Benchmark(2.0, 0.5, 10, "then"))
    store.put_statistics("{}")
    store.add_event("tried", {"by": "a test"}, "then")
    store.close()
    with Store(path) as read, read.snapshot():
        assert read.facts() == facts
        assert read.rules() == [rule]
        assert read.examples("family") == [example]
        assert read.usage() == {"r_1": Use(4, 1, 8, "then")}
        assert read.benchmarks() == {"r_1": Benchmark(2.0, 0.5, 10, "then")}
        assert read.benchmarks()["r_1"].value(read.usage()["r_1"]) == 2.0 / 4 - 0.5 * 8 / 4
        assert read.statistics() == "{}"
        assert [event.what for event in read.events()] == ["tried"]


def test_a_fact_is_there_once_and_goes_once(store):
    fact = GroundFact("parent", ("ann", "bob"))
    assert store.add_facts([fact, fact]) == 1
    assert store.retract_facts([fact, fact]) == 1
    assert store.facts() == []


def test_a_rule_takes_the_place_of_its_name(store):
    for name in ("a_1", "b_1"):
        store.put_rule(StoredRule(name, name))
    store.add_usage({"a_1": Use(2, 1, 2, "then")})
    store.put_rule(StoredRule("a_1", "new", state="retired", reason="tried"))
    assert [(rule.name, rule.text) for rule in store.rules()] == [("a_1", "new"), ("b_1", "b_1")]
    assert [rule.name for rule in store.rules(states=["active"])] == ["b_1"]
    assert store.usage()["a_1"] == Use(2, 1, 2, "then")
    store.set_state(["a_1"], "active", "")
    assert len(store.rules(states=["active"])) == 2


def test_a_transaction_is_whole_or_not_at_all(store):
    class StopError(Exception):
        pass

    with pytest.raises(StopError), store.transaction():  # noqa: PT012 - all of it is one transaction
        store.add_facts([GroundFact("parent", ("ann", "bob"))])
        store.put_rule(StoredRule("a_1", "text"))
        raise StopError
    assert store.facts() == []
    assert store.rules() == []
    with store.transaction():
        store.put_rule(StoredRule("a_1", "text"))
    assert len(store.rules()) == 1


def test_a_stored_theory_is_the_theory_of_its_files(store):
    for name in ("family", "capture"):
        store.put_theory(read_theory(name))
        stored, loaded = load_stored(store.theory(name)), load(name)
        assert stored == loaded
        assert fingerprint_of(loaded) == store.theory(name).fingerprint
        assert not has_changed(store.theory(name))


def test_a_stored_theory_outlives_its_files(tmp_path, store):
    file = tmp_path / "tiny.horn"
    file.write_text(_TINY)
    store.put_theory(read_theory(file))
    file.write_text(file.read_text() + "% more\n")
    assert has_changed(store.theory("tiny"))
    file.unlink()
    assert not has_changed(store.theory("tiny"))
    assert [rule.name for rule in load_stored(store.theory("tiny")).rules] == ["r"]


def test_several_theories_need_a_name(store):
    store.put_theory(read_theory("stack"))
    with pytest.raises(StoreError, match=r"several theories \(`family`, `stack`\); name one"):
        store.facts()
    with pytest.raises(StoreError, match="no theory `nosuch`"):
        store.facts("nosuch")


# Permission to open a store


def test_a_reader_cannot_write(store, path):
    with Store(path) as reader, pytest.raises(StoreError, match="open for reading only"):
        reader.add_facts([])


def test_a_second_writer_is_reported(store, path):
    with pytest.raises(StoreBusyError, match=r"another process writes to it, and went on for 0\.05 seconds"):
        Store(path, "write", wait=0.05)
    store.close()
    Store(path, "write", wait=0.05).close()


_WRITER = """
import sys, time
from hornbook.kb.store import Store
with Store(sys.argv[1], "write") as store:
    with store.transaction():
        store.add_event("begun", {})
    print("ready", flush=True)
    with store.transaction():
        store.add_event("open", {})
        sys.stdin.readline()
"""


def test_readers_and_a_second_writer_next_to_a_writer_in_a_transaction(store, path):
    """A reader sees the last commit at once. A waiting writer proceeds when the first writer is killed."""
    store.close()
    child = subprocess.Popen(
        [sys.executable, "-c", _WRITER, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    try:
        assert child.stdout is not None
        assert child.stdout.readline() == "ready\n"
        with Store(path, wait=0) as reader:
            assert [event.what for event in reader.events()] == ["begun"]
        with pytest.raises(StoreBusyError):
            Store(path, "write", wait=0)
    finally:
        child.kill()
        child.communicate()
    with Store(path, "write", wait=0) as second:
        second.add_event("second", {})
        assert [event.what for event in second.events()] == ["begun", "second"]


def test_a_snapshot_stays_as_it_was(store, path):
    with Store(path) as reader, reader.snapshot():
        assert reader.events() == []
        store.add_event("tried", {})
        assert reader.events() == []


# Files that are not stores


def test_what_is_no_store_is_refused_and_left_only(tmp_path):
    other = tmp_path / "other.sqlite"
    with sqlite3.connect(other) as connection:
        connection.execute("CREATE TABLE t (x)")
    connection.close()
    text, empty = tmp_path / "t.txt", tmp_path / "empty"
    text.write_text("no store")
    empty.touch()
    for file in (other, text, empty):
        before = file.read_bytes()
        for mode in ("read", "write"):
            with pytest.raises(StoreError, match="this is not a store; make one with `hornbook store new`"):
                Store(file, mode)
        assert file.read_bytes() == before
    with pytest.raises(StoreError, match="there is no such store"):
        Store(tmp_path / "nosuch")
    with pytest.raises(StoreError, match="this is a folder"):
        Store(tmp_path)
    assert sorted(file.name for file in tmp_path.iterdir()) == ["empty", "other.sqlite", "t.txt"]


def test_a_store_is_not_made_over_anything(path, tmp_path):
    path.write_text("mine")
    with pytest.raises(StoreError, match="there is a file already"):
        Store.create(path)
    assert path.read_text() == "mine"
    with pytest.raises(StoreError, match="there is no folder"):
        Store.create(tmp_path / "no" / "kb.sqlite")
    with pytest.raises(StoreError, match="nothing was written"):
        Store.create(Path("/proc/kb.sqlite"))


def test_a_newer_store_is_refused(store, path):
    store.close()
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA user_version = 999")
    connection.close()
    with pytest.raises(StoreError, match=r"a newer Hornbook wrote it \(version 999"):
        Store(path)


@pytest.mark.parametrize("mode", ["read", "write"])
def test_a_damaged_store_is_reported(store, path, mode):
    store.close()
    data = bytearray(path.read_bytes())
    data[100:] = bytes(len(data) - 100)
    path.write_bytes(data)
    with (
        pytest.raises(StoreError, match="the file is damaged; `hornbook store check` may say where"),
        Store(path, mode) as s,
    ):
        s.theories()


def test_what_is_not_unicode_is_refused(store):
    with pytest.raises(StoreError, match="not Unicode"):
        store.add_facts([GroundFact("parent", ("\ud800", "bob"))])
    assert store.facts() == []


# Older versions


def test_a_store_of_the_first_version_is_read_with_all_that_it_has(path):
    """`version_1.sql` is the output of version 1. The file with its theory no longer exists."""
    connection = sqlite3.connect(path)
    connection.executescript((Path(__file__).parent / "version_1.sql").read_text(encoding="utf-8"))
    assert connection.execute("PRAGMA user_version").fetchone() == (1,)
    connection.close()
    with Store(path) as read:
        assert [rule.name for rule in load_stored(read.theory()).rules] == ["r"]
        assert read.facts() == [GroundFact("big", ("it's 1; two\nlines",))]
        assert [(rule.name, rule.state, rule.reason) for rule in read.rules()] == [
            ("small_1", "active", ""),
            ("small_2", "forgotten", "worth too little"),
        ]
        assert read.usage() == {"small_1": Use(4, 1, 4)}
        assert read.benchmarks()["small_1"].value(read.usage()["small_1"]) == 2.0 / 4 - 0.25
        assert [example.name for example in read.examples()] == ["e"]
        assert (read.statistics(), len(read.events())) == ("{}", 1)
        assert integrity.problems(read) == []


def test_an_older_store_is_brought_up_to_date(store, path, monkeypatch):
    store.add_facts([GroundFact("parent", ("ann", "bob"))])
    store.close()
    step = "ALTER TABLE facts ADD COLUMN source TEXT NOT NULL DEFAULT '';"
    monkeypatch.setattr(schema, "MIGRATIONS", (*schema.MIGRATIONS, step))
    with Store(path) as reader:
        assert len(reader.facts()) == 1
    connection = sqlite3.connect(path)
    assert connection.execute("PRAGMA user_version").fetchone() == (schema.version(),)
    assert connection.execute("SELECT source FROM facts").fetchall() == [("",)]
    connection.close()


def test_a_step_that_fails_leaves_the_old_version(store, path, monkeypatch):
    store.close()
    step = "ALTER TABLE facts ADD COLUMN source TEXT;\nDROP TABLE nosuch;\n"
    with monkeypatch.context() as patch:
        patch.setattr(schema, "MIGRATIONS", (*schema.MIGRATIONS, step))
        with pytest.raises(StoreError, match="nosuch"):
            Store(path)
    with Store(path, "write", wait=0) as again:
        assert again.facts() == []
