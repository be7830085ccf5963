"""Tests of stores as text: a round trip loses nothing, and an invalid text leaves no files behind."""

from __future__ import annotations

import json
import re
import sqlite3
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hornbook.kb.ast.theory import GroundFact
from hornbook.kb.store import Benchmark, Store, StoredExample, StoredRule, StoreError, Use, integrity, schema
from hornbook.kb.store.closure import read_theory
from hornbook.kb.store.text import export_text, import_text

_ODD = st.text(st.characters(exclude_categories=["Cs"]), max_size=12) | st.sampled_from(
    ["\0", "\n", "\r\n", "\u2028\u0085", "'\"--;", "NULL", "\ufeff", "𝄞", "\\n", '{"table":1}']
)
_NUMBERS = st.floats(allow_nan=False, allow_infinity=False)


def exported(path: Path) -> str:
    with Store(path) as store:
        assert integrity.problems(store) == []
        return export_text(store)


@settings(max_examples=8, deadline=None)
@given(st.lists(_ODD, min_size=6, max_size=40), st.integers(-(2**63), 2**63 - 1), _NUMBERS)
def test_export_of_import_of_export_is_the_export(words, number, seconds):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "kb.sqlite"
        with Store.create(path) as store, store.transaction():
            store.put_theory(read_theory("family"))
            removed = GroundFact(words[0], ("gone",))
            store.add_facts([removed, *(GroundFact(word, (word, number), "after") for word in words)])
            store.retract_facts([removed])
            json_text = json.dumps(words[2])
            store.put_rule(StoredRule(words[1], words[2], json_text, None, "retired", words[3]))
            store.put_example(StoredExample(words[0], words[1], words[3], words[4], json_text, seconds))
            store.add_usage({words[1]: Use(1, 0, 2)})
            store.put_benchmark(words[1], Benchmark(seconds, 0.1, 3))
            store.put_statistics(words[5])
            store.add_event(words[4], {words[3]: words[2]})
        text = exported(path)
        again = path.with_name("again.sqlite")
        import_text(text, "text", again)
        assert exported(again) == text
        with Store(path) as before, Store(again) as after:
            assert before.rules() == after.rules()
            assert before.facts() == after.facts()
            assert before.examples() == after.examples()
        assert sorted(file.name for file in path.parent.iterdir() if file.name.startswith(".")) == []


@pytest.fixture
def text(tmp_path):
    with Store.create(tmp_path / "kb.sqlite") as store:
        store.put_theory(read_theory("family"))
        store.put_rule(StoredRule("r_1", "text", "{}"))
    return exported(tmp_path / "kb.sqlite")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('{"hornbook store"', '{"another"', "t:1: this is not the text of a store"),
        ('{"hornbook store": 5}', '{"hornbook store": 99}', "t:1: a newer Hornbook wrote it (version 99"),
        ('{"hornbook store": 5}', '{"hornbook store": true}', "t:1: this is not the text of a store"),
        ('{"table": "rules"', '{"table": "sqlite_schema"', "there is no table 'sqlite_schema'"),
        ('{"table": "rules"', '{"table": []', "there is no table []"),
        ('{"table": "rules"', '{"table": null', "there is no table None"),
        ('"learned"', '"learnt"', "a row of `rules` has other columns: learned, learnt"),
        ('"state": "active"', '"state": "asleep"', "the row does not fit: CHECK constraint failed"),
        ('"theory": 1, "name": "r_1"', '"theory": 7, "name": "r_1"', "the row does not fit: FOREIGN KEY"),
        ('"theory": 1, "name": "r_1"', '"theory": NaN, "name": "r_1"', "NaN is no number"),
        ('"text": "text"', '"text": "\\ud800"', "the row does not fit"),
        ('"text": "text"', '"text": "other"', "the rule `r_1` is not as it was written"),
        ('"certificate": "{}"', '"certificate": "{"', "this is not JSON"),
        ("A family", "Another family", "the theory `family` is not as it was written"),
        ('{"table": "rules"', '"table": "rules"', "this is not a line of JSON"),
    ],
)
def test_what_is_wrong_with_a_text_is_reported(text, tmp_path, old, new, message):
    assert old in text
    with pytest.raises(StoreError, match=re.escape(message)):
        import_text(text.replace(old, new), "t", tmp_path / "new.sqlite")
    assert [file.name for file in tmp_path.iterdir() if "new" in file.name] == []


def test_text_of_the_first_version_is_read(tmp_path):
    """The export of version 1: its rows under its columns."""
    connection = sqlite3.connect(":memory:")
    connection.executescript((Path(__file__).parent / "version_1.sql").read_text(encoding="utf-8"))
    lines = [json.dumps({"hornbook store": 1})]
    tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")}
    for table in (each for each in schema.TABLES if each in tables):
        cursor = connection.execute(f"SELECT * FROM {table}")
        names = [each[0] for each in cursor.description]
        lines += [json.dumps({"table": table, **dict(zip(names, row, strict=True))}) for row in cursor]
    connection.close()
    import_text("\n".join(lines), "t", tmp_path / "new.sqlite")
    with Store(tmp_path / "new.sqlite") as store:
        assert store.usage() == {"small_1": Use(4, 1, 4)}
        assert len(store.rules()) == 2
