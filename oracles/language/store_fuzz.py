"""Damaged and hostile stores: unreadable data must give an error message, and no data may be lost.

An input follows from its seed: a copy of a small store (`made`) with flipped bytes, removed or exchanged
parts, a damaged log (`-wal`), another schema, or contents of another form. `use` then reads all data in every
way, and writes to the store. Only a HornbookError may be raised. Reading must leave the file unchanged, byte
for byte, and a refused change must leave every readable row.
"""

from __future__ import annotations

import contextlib
import io
import shutil
import sqlite3
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

from hornbook import HornbookError, KnowledgeBase
from hornbook.compiler.rules.stored_rules import read_rule_base
from hornbook.kb.ast.theory import GroundFact
from hornbook.kb.store import Benchmark, Store, StoredExample, StoredRule, Use, integrity, schema
from hornbook.kb.store.closure import has_changed, load_stored, read_theory
from hornbook.kb.store.text import export_text, import_text

_THEORY = """theory tiny.
sort thing.
fluent big(thing).
static near(thing, thing).
static age(thing -> int).
r: before small(?x) :- before big(?x), age(?x, ?n), ?n > 3.
fluent small(thing).
"""
_FACTS = [
    GroundFact("big", ("ann",), "before"),
    GroundFact("near", ("ann", "b o b")),
    GroundFact("age", ("ann", 2**62)),
]
HOSTILE = (
    "", "null", "[]", "{}", "[", "[null]", "[1.5]", "[true]", "[[]]", '["a","b","c"]', "[1e999]", "[NaN]",
    "-0", '"x"', "0",
    "[9223372036854775808]", '["\\ud800"]', '["a\\u0000b"]', '["\u202e\u2028\x1b[31m"]', "[" * 20_000,
    '{"a":' * 20_000,
    f"[{'9' * 5_000}]", '{"name":1}', '{"x":-1}', '{"x":99}', '{"x":"0"}', "\x00", "before",
    "theory tiny.", "r: a(?x) :-",
)  # fmt: skip
"""Texts for any column; those that are no Unicode are given as bytes."""
_BYTES = ("x'eda080'", "x'ff'", "x'00'", "x'5b5d00'", "zeroblob(70000)")
_VALUES = ("NULL", "-1", "9223372036854775807", "1e308", "-9e999", "''", "x'00'", "hex(zeroblob(30000))")


class StoreFaultError(Exception):
    """A store behaved in a forbidden way."""


def made(folder: Path) -> Path:
    """Return a store with a row in every table, next to a copy with its last changes still in the log."""
    path, theory = folder / "whole.sqlite", folder / "tiny.horn"
    theory.write_text(_THEORY, encoding="utf-8")
    with Store.create(path) as store:
        store.put_theory(read_theory(theory))
        store.add_facts(_FACTS)
        store.put_rule(StoredRule("small_1", "before small_1(?x) :- before big(?x).", '{"rank":1}', "{}"))
        store.put_example(StoredExample("e", "f.horn", "t1", "text", "{}", 0.25))
        store.add_usage({"small_1": Use(3, 1, 5)})
        store.put_benchmark("small_1", Benchmark(2.0, 0.5, 10))
        store.put_statistics("{}")
        store.add_event("tried", {"by": "a test"})
    with Store(path, "write") as store:
        store.add_facts([GroundFact("near", (f"thing{n}", "ann")) for n in range(40)])
        shutil.copy(path, folder / "logged.sqlite")
        shutil.copy(folder / "whole.sqlite-wal", folder / "logged.sqlite-wal")
    return path


# Damage to a copy


def _flip(random: Random, path: Path) -> None:
    data = bytearray(path.read_bytes())
    if not data:
        return
    least = random.choice((0, 0, 0, 100, 4096))
    for _ in range(random.choice((1, 1, 2, 8, 100))):
        place = random.randrange(
            min(least, len(data) - 1), min(len(data), least + random.choice((100, 4096, 10**9)))
        )
        data[place] = random.choice(
            (0, 1, 255, data[place] ^ (1 << random.randrange(8)), random.randrange(256))
        )
    path.write_bytes(data)


def _cut(random: Random, path: Path) -> None:
    data = path.read_bytes()
    page = 4096 * random.randrange(max(len(data) // 4096, 1))
    other = 4096 * random.randrange(max(len(data) // 4096, 1))
    parts = (
        data[: random.randrange(len(data) + 1)],
        data[:page],
        data[:page] + bytes(4096) + data[page + 4096 :],
        data[:page] + data[other : other + 4096] + data[page + 4096 :],
        data + random.randbytes(random.choice((1, 4096, 10_000))),
        data[:4096] + random.randbytes(max(len(data) - 4096, 0)),
    )
    path.write_bytes(random.choice(parts))


def _run(path: Path, statements: list[str]) -> None:
    """Execute SQL; some of it may fail."""
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA foreign_keys = OFF")
        for statement in statements:
            with contextlib.suppress(sqlite3.Error):
                connection.execute(statement)
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def _columns(path: Path) -> list[tuple[str, str]]:
    with contextlib.closing(sqlite3.connect(path)) as connection:
        return [
            (table, each[1])
            for table in schema.TABLES
            for each in connection.execute(f"PRAGMA table_info ({table})")
        ]


def _other_schema(random: Random, path: Path) -> None:
    table, column = random.choice(_columns(path))
    copied = f"CREATE TABLE old AS SELECT * FROM {table}"
    _run(
        path,
        random.choice(
            (
                [f"DROP TABLE {table}"],
                [f"ALTER TABLE {table} DROP COLUMN {column}"],
                [f"ALTER TABLE {table} RENAME COLUMN {column} TO other"],
                [f"ALTER TABLE {table} ADD COLUMN more TEXT"],
                [copied, f"DROP TABLE {table}", f"ALTER TABLE old RENAME TO {table}"],
                [copied, f"DROP TABLE {table}", f"CREATE VIEW {table} AS SELECT * FROM old"],
                [f"CREATE TRIGGER t AFTER INSERT ON {table} BEGIN DELETE FROM facts; END"],
                [f"CREATE TRIGGER t BEFORE INSERT ON {table} BEGIN SELECT RAISE(ABORT, 'no'); END"],
                [f"PRAGMA user_version = {random.choice((-1, 0, 1, 1, 3, 2**31 - 1))}"],
                ["PRAGMA application_id = 7"],
                ["PRAGMA journal_mode = DELETE"],
                ["PRAGMA writable_schema = ON", f"UPDATE sqlite_schema SET sql = 'x' WHERE name = '{table}'"],
                [
                    "PRAGMA writable_schema = ON",
                    f"UPDATE sqlite_schema SET rootpage = 1 WHERE name = '{table}'",
                ],
            )
        ),
    )


def _other_contents(random: Random, path: Path) -> None:
    statements = []
    for _ in range(random.choice((1, 1, 1, 3))):
        table, column = random.choice(_columns(path))
        text = random.choice(HOSTILE).encode("utf-8").hex()
        value = random.choice(
            (f"CAST(x'{text}' AS TEXT)",) * 6
            + (f"CAST({random.choice(_BYTES)} AS TEXT)", random.choice(_VALUES))
        )
        if random.random() < 0.1:  # so that a column holds a value of a forbidden type
            statements += [
                "PRAGMA writable_schema = ON",
                f"UPDATE sqlite_schema SET sql = replace(sql, ') STRICT', ')') WHERE name = '{table}'",
                "PRAGMA writable_schema = RESET",
            ]
            value = random.choice((*_BYTES, *_VALUES))
        where = random.choice(("", f" WHERE rowid = (SELECT max(rowid) FROM {table})"))
        statements.append(f"UPDATE OR IGNORE {table} SET {column} = {value}{where}")
        if random.random() < 0.1:
            statements.append(f"DELETE FROM {random.choice(schema.TABLES)}")
    _run(path, ["PRAGMA ignore_check_constraints = ON", *statements])


def damaged(seed: int, folder: Path, whole: Path) -> Path:
    """Return the copy of a seed, in an empty folder."""
    random = Random(f"store {seed}")
    path = folder / "kb.sqlite"
    log = folder / "kb.sqlite-wal"
    if random.random() < 0.15:
        shutil.copy(whole.with_name("logged.sqlite"), path)
        shutil.copy(whole.with_name("logged.sqlite-wal"), log)
        random.choice((_flip, _cut))(random, random.choice((log, log, path)))
    else:
        shutil.copy(whole, path)
        random.choice((_flip, _flip, _cut, _other_schema, _other_contents, _other_contents))(random, path)
    return path


# Use of a copy


def _readings(folder: Path) -> dict[str, Callable[[Store], Any]]:
    def of_rules(store: Store) -> Any:
        return read_rule_base(store, load_stored(store.theory()))

    def imported(store: Store) -> None:
        copy = folder / "again.sqlite"
        copy.unlink(missing_ok=True)
        import_text(export_text(store), "text", copy)

    return {
        "theories": Store.theories,
        "theory": lambda store: (load_stored(store.theory()), has_changed(store.theory())),
        "facts": Store.facts,
        "rules": lambda store: (store.rules(), store.fingerprints_of_rules(), store.fingerprint_written()),
        "examples": Store.examples,
        "use": lambda store: [
            each.value(use) for name, each in store.benchmarks().items() if (use := store.usage().get(name))
        ],
        "statistics": Store.statistics,
        "events": Store.events,
        "integrity": integrity.problems,
        "text": imported,
        "base": lambda store: [*KnowledgeBase(store=store).facts()],
        "learned rules": of_rules,
    }


def _rows(store: Store) -> dict[str, Any]:
    found = {}
    for table in schema.TABLES:
        with contextlib.suppress(HornbookError):
            found[table] = store.table(table)
    return found


def _is_lost(before: dict[str, Any], after: dict[str, Any]) -> bool:
    """Return whether readable rows have changed.

    More rows than before are allowed: SQLite may read more of a damaged file later.
    """
    return any(after.get(table) != rows for table, rows in before.items())


def _writings() -> dict[str, Callable[[Store], Any]]:
    return {
        "facts": lambda store: store.add_facts([GroundFact("near", ("x", "y"))]),
        "away": lambda store: store.retract_facts(_FACTS),
        "rule": lambda store: store.put_rule(StoredRule("small_1", "new")),
        "state": lambda store: store.set_state(["small_1"], "forgotten", "tried"),
        "event": lambda store: store.add_event("tried", {}),
        "count": lambda store: store.add_usage({"small_1": Use(1, 1, 1)}),
        "base": lambda store: KnowledgeBase(store=store).add([GroundFact("near", ("x", "z"))]),
    }


def use(path: Path, random: Random, tally: Counter[str]) -> None:
    """Read and write the store. Raise Wrong, or another error that a store must not raise."""
    before = path.read_bytes()
    had_log = path.with_name("kb.sqlite-wal").exists()
    with contextlib.redirect_stdout(io.StringIO()):
        _read(path, tally)
    is_older = schema.version() > int.from_bytes(before[60:64], "big") > 0 if len(before) > 64 else False
    if not had_log and not is_older and path.read_bytes() != before:
        raise StoreFaultError("reading has changed the file")
    _write(path, random, tally)


def _read(path: Path, tally: Counter[str]) -> None:
    try:
        store = Store(path)
    except HornbookError:
        tally["not opened"] += 1
        return
    with store:
        for name, reading in _readings(path.parent).items():
            try:
                reading(store)
                tally[f"read: {name}"] += 1
            except HornbookError as problem:
                tally[f"refused: {name}: {type(problem).__name__}"] += 1
                if not str(problem).strip():
                    raise StoreFaultError(f"an error without a word: {problem!r}") from problem


def _write(path: Path, random: Random, tally: Counter[str]) -> None:
    name, writing = random.choice([*_writings().items()])
    try:
        with Store(path, "write", wait=0) as store:
            before = _rows(store)
            try:
                writing(store)
                tally[f"written: {name}"] += 1
                return
            except HornbookError:
                tally[f"not written: {name}"] += 1
                if _is_lost(before, _rows(store)):
                    raise StoreFaultError(f"{name} was refused, but rows have changed") from None
        with Store(path) as again:
            if _is_lost(before, _rows(again)):
                raise StoreFaultError(f"{name} was refused, but rows have changed once the store was closed")
    except HornbookError:
        tally["not opened for writing"] += 1


def run(seed: int, folder: Path, whole: Path) -> Counter[str]:
    """Run the input of a seed, in a folder that is emptied before."""
    for each in folder.iterdir():
        each.unlink()
    tally = Counter(inputs=1)
    use(damaged(seed, folder, whole), Random(seed), tally)
    return tally
