"""A store as text and back without loss: one JSON object per line.

The first line has the version of the schema. It is followed by each row of each table, by column names, in
the order of the keys. The text of an older version is migrated as a file of that version is. An imported
store is created under a temporary name and then moved to its place.
"""

from __future__ import annotations

import contextlib
import json
import sqlite3
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from hornbook.kb.store import connection as opening
from hornbook.kb.store import integrity, schema
from hornbook.kb.store.errors import StoreError, sqlite_errors
from hornbook.kb.store.store import Store

_HEAD = "hornbook store"


def export_text(store: Store) -> str:
    """Return the contents of a store as text."""
    return "".join(f"{line}\n" for line in _lines(store))


def _lines(store: Store) -> Iterator[str]:
    with store.snapshot():
        yield _written({_HEAD: schema.version()})
        for table in schema.TABLES:
            columns, rows = store.table(table)
            for row in rows:
                yield _written({"table": table, **dict(zip(columns, row, strict=True))})


def import_text(text: str, name: str, path: Path) -> None:
    """Create a store from text, which messages call `name`. Raises StoreError for invalid text; then nothing
    is created.
    """
    lines = text.split("\n")
    version = _version(lines[0], name)
    draft = opening.begin(path, version)
    try:
        with (
            sqlite_errors(draft),
            contextlib.closing(sqlite3.connect(draft, isolation_level=None)) as connection,
        ):
            _fill(connection, lines, name)
        with Store(draft, "write", wait=0) as made:
            found = integrity.problems(made)
        if found:
            raise StoreError(f"{name}: {found[0]}")
        opening.finish(draft, path)
    finally:
        opening.discard(draft)


def _version(line: str, name: str) -> int:
    head = _object(line, f"{name}:1")
    version = head.get(_HEAD)
    if type(version) is not int or version < 1 or len(head) != 1:
        raise StoreError(f"{name}:1: this is not the text of a store, such as `hornbook store export` writes")
    if version > schema.version():
        raise StoreError(
            f"{name}:1: a newer Hornbook wrote it (version {version} of the tables; this one knows"
            f" {schema.version()}); update Hornbook"
        )
    return version


def _fill(connection: sqlite3.Connection, lines: list[str], name: str) -> None:
    """Insert the rows of all lines but the first, in one transaction."""
    connection.execute("PRAGMA foreign_keys = ON")
    columns = {
        table: {each[1] for each in connection.execute(f"PRAGMA table_info ({table})")}
        for table in schema.TABLES
    }
    connection.execute("BEGIN IMMEDIATE")
    for number, line in enumerate(lines[1:], 2):
        if not line:
            continue
        place = f"{name}:{number}"
        row = _object(line, place)
        table = row.pop("table", None)
        if not isinstance(table, str) or not columns.get(table):
            raise StoreError(f"{place}: there is no table {table!r} in a store of this version")
        if row.keys() != columns[table]:
            odd = sorted(row.keys() ^ columns[table])
            raise StoreError(f"{place}: a row of `{table}` has other columns: {', '.join(odd)}")
        names, marks = ", ".join(f'"{column}"' for column in row), ", ".join("?" * len(row))
        try:
            # Names of tables and columns are those of the schema, as just checked.
            connection.execute(f"INSERT INTO {table} ({names}) VALUES ({marks})", list(row.values()))  # noqa: S608
        except (sqlite3.Error, OverflowError, UnicodeEncodeError) as problem:
            raise StoreError(f"{place}: the row does not fit: {problem}") from problem
    connection.execute("COMMIT")


def _object(line: str, place: str) -> dict[str, Any]:
    try:
        found = json.loads(line, parse_constant=_no_number)
    except (ValueError, RecursionError) as problem:
        raise StoreError(f"{place}: this is not a line of JSON: {problem}") from None
    if not isinstance(found, dict):
        raise StoreError(f"{place}: this is not a JSON object")
    return found


def _no_number(word: str) -> None:
    raise ValueError(f"{word} is no number")


def _written(value: Mapping[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=False)
