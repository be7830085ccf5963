"""An open store: transactions, snapshots, and access to rows.

Invariants: The changes of a transaction are stored completely or not at all. They are permanent once
`transaction` has ended, even if the process crashes.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from hornbook.kb.store import connection as opening
from hornbook.kb.store import schema
from hornbook.kb.store.errors import StoreError, damaged, path_errors, sqlite_errors

WAIT = 5.0
"""The default time in seconds that a writer waits for another."""


class StoreSession:
    """A store that is open for reading or writing. As a context manager, it closes itself."""

    def __init__(self, path: str | Path, mode: opening.Mode = "read", *, wait: float | None = None) -> None:
        self.path = Path(path)
        self.mode: opening.Mode = mode
        with path_errors(self.path):
            self._opened = opening.connect(self.path, mode, WAIT if wait is None else wait)
        self._connection = self._opened.connection
        self._depth = 0
        self._is_open = True

    def close(self) -> None:
        if self._is_open:
            self._is_open = False
            self._opened.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    # Transactions

    @contextlib.contextmanager
    def transaction(self) -> Iterator[None]:
        """Commit all changes in the block together, or none after an exception. Inner transactions are part
        of it.
        """
        if self.mode != "write":
            raise StoreError(f"{self.path}: the store is open for reading only")
        with self._transaction("BEGIN IMMEDIATE"):
            yield

    @contextlib.contextmanager
    def snapshot(self) -> Iterator[None]:
        """Read from one consistent state in the block, despite concurrent writers."""
        with self._transaction("BEGIN"):
            yield

    @contextlib.contextmanager
    def _transaction(self, how: str) -> Iterator[None]:
        if self._depth == 0:
            self._rows(how)
        self._depth += 1
        try:
            yield
        except BaseException:
            self._depth -= 1
            if self._depth == 0 and self._connection.in_transaction:
                self._rows("ROLLBACK")
            raise
        self._depth -= 1
        if self._depth == 0:
            try:
                self._rows("COMMIT")
            except BaseException:
                if self._connection.in_transaction:
                    self._rows("ROLLBACK")
                raise

    # Access to rows, for copying and checking

    def table(self, name: str) -> tuple[list[str], list[Any]]:
        """Return the columns of a table of the schema, and its rows in the order of their keys."""
        if name not in schema.TABLES:
            raise StoreError(f"{self.path}: the store has no table `{name}`")
        described = self._rows(f"PRAGMA table_info ({name})")
        order = [each[1] for each in sorted(described, key=lambda each: each[5]) if each[5]]
        # a table of the schema
        rows = self._rows(f"SELECT * FROM {name} ORDER BY {', '.join(order)}")  # noqa: S608
        return [each[1] for each in described], rows

    def integrity(self) -> list[str]:
        """Return the problems that SQLite finds in the file, and rows with invalid references."""
        pages = [message for (message,) in self._rows("PRAGMA integrity_check") if message != "ok"]
        orphans = self._rows("PRAGMA foreign_key_check")
        return [*pages, *(f"a row of `{row[0]}` refers to no row of `{row[2]}`" for row in orphans)]

    def _write_all(self, sql: str, rows: Iterable[tuple[object, ...]]) -> None:
        """Execute a statement for each row, without collecting the rows in memory."""
        with sqlite_errors(self.path):
            self._connection.executemany(sql, rows)

    def _rows(self, sql: str, *values: object) -> list[Any]:
        """Return the rows of a statement. Raises StoreError if a value has another type than its column."""
        with sqlite_errors(self.path):
            cursor = self._connection.execute(sql, values)
            rows = cursor.fetchall()
        types = schema.types()
        expected = [
            (n, types[name]) for n, (name, *_) in enumerate(cursor.description or ()) if name in types
        ]
        for row in rows:
            for place, kinds in expected:
                if not isinstance(row[place], kinds):
                    name = cursor.description[place][0]
                    raise damaged(self.path, f"a value of `{name}` is of another type")
        return rows
