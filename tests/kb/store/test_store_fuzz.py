"""A sample of the damaged and hostile stores of store_fuzz.py; benchmarks/fuzz/stores.py runs the others."""

from __future__ import annotations

import contextlib
import sqlite3
from collections import Counter
from pathlib import Path

import pytest

from hornbook.kb.store import Store, StoreError, integrity
from hornbook.kb.store.closure import load_stored
from oracles.language.store_fuzz import HOSTILE, damaged, made, run

pytestmark = pytest.mark.deep


def test_damaged_stores_are_reported_of_and_lose_nothing(tmp_path):
    (tmp_path / "whole").mkdir()
    (tmp_path / "kb").mkdir()
    whole = made(tmp_path / "whole")
    met: Counter[str] = Counter()
    for seed in range(80):
        met.update(run(seed, tmp_path / "kb", whole))
    for event in ("not opened", "not opened for writing", "read: facts", "read: base", "read: integrity",
                  "refused: base: StoreError", "refused: facts: StoreError", "written: facts"):  # fmt: skip
        assert met[event], event


def test_the_same_seed_damages_alike(tmp_path):
    for name in ("whole", "one", "other"):
        (tmp_path / name).mkdir()
    whole = made(tmp_path / "whole")
    for seed in range(20):
        one, other = (damaged(seed, tmp_path / name, whole).read_bytes() for name in ("one", "other"))
        assert len(one) == len(other)


def changed(path: Path, *statements: str) -> Path:
    connection = sqlite3.connect(path)
    with connection:
        for statement in statements:
            connection.execute(statement)
    connection.close()
    return path


@pytest.fixture
def path(tmp_path):
    return made(tmp_path)


@pytest.mark.parametrize(
    ("statement", "message"),
    [
        ("DROP TABLE facts", "its table `facts` is not as Hornbook makes it"),
        ("ALTER TABLE rules RENAME COLUMN text TO texts", "its table `rules` is not as"),
        ("ALTER TABLE events ADD COLUMN more TEXT", "its table `events` is not as"),
        ("CREATE TRIGGER sly AFTER INSERT ON events BEGIN DELETE FROM facts; END", "it has a trigger `sly`"),
    ],
)
def test_another_schema_is_reported(path, statement, message):
    before = changed(path, statement).read_bytes()
    for mode in ("read", "write"):
        with pytest.raises(StoreError, match=f"the file is damaged: {message}"):
            Store(path, mode)  # type: ignore[arg-type]
    assert path.read_bytes() == before


def test_a_table_that_takes_anything_is_none_of_ours(path):
    changed(
        path, "CREATE TABLE old AS SELECT * FROM facts", "DROP TABLE facts", "ALTER TABLE old RENAME TO facts"
    )
    with pytest.raises(StoreError, match="its table `facts` is not as Hornbook makes it"):
        Store(path)


@pytest.mark.parametrize(
    "cells", [text for text in HOSTILE if text not in ("[]", '["a","b","c"]', '["\\ud800"]')]
)
def test_cells_of_another_form_are_reported(path, cells):
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE facts SET cells = ? WHERE id = 1", (cells,))
    connection.close()
    with Store(path) as store:
        found = []
        with contextlib.suppress(StoreError):
            found = store.facts()
        assert all(type(value) in (str, int) for fact in found for value in fact.values)
        assert found or integrity.problems(store)


@pytest.mark.parametrize(
    "imports", ["null", "[]", '{"x":1.5}', '{"x":"0"}', '{"x":true}', '{"x":-1}', '{"x":99}']
)
def test_imports_of_another_form_are_reported(path, imports):
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE theory_files SET imports = ?", (imports,))
    connection.close()
    with Store(path) as store:
        with pytest.raises(StoreError, match=r"damaged|without a part of its text"):
            load_stored(store.theory())
        assert integrity.problems(store)


@pytest.mark.parametrize("name", ["x" * 5_000, "a\x00b", "/nowhere/x/\x7f"])
def test_a_theory_is_read_whose_file_has_a_name_that_none_can_have(path, name):
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE theory_files SET path = ?", (name,))
        connection.execute("UPDATE theories SET target = ?", (name,))
    connection.close()
    with Store(path) as store:
        assert [rule.name for rule in load_stored(store.theory()).rules] == ["r"]


def test_a_value_of_another_type_is_reported(path):
    """A flipped bit can produce such a value. The tables themselves do not accept it."""
    changed(path, "PRAGMA writable_schema = ON", "UPDATE sqlite_schema SET sql = replace(sql, ') STRICT', ')')"
            " WHERE name = 'use'")  # fmt: skip
    changed(path, "UPDATE use SET asked = x'00'")
    changed(
        path,
        "PRAGMA writable_schema = ON",
        "UPDATE sqlite_schema SET sql = sql || ' STRICT' WHERE name = 'use'",
    )
    with Store(path) as store:
        with pytest.raises(StoreError, match="a value of `asked` is of another type"):
            store.usage()
        assert integrity.problems(store)
