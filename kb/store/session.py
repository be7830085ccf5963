"""An open file: whole transactions, snapshots, and the rows as they are.

Always true: what a transaction wrote is there wholly or not at all, and stays once `transaction` has ended, however
the process ends afterwards.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from hornbook.kb.store import connection as opening
from hornbook.kb.store import schema
from hornbook.kb.store.faults import StoreError, damaged, name_told, told

WAIT = 5.0
"""Seconds that a writer waits for another one."""


class Session:
    """A store that is open for reading or writing; a context manager that closes it."""

    def __init__(self, path: str | Path, mode: opening.Mode = "read", *, wait: float | None = None) -> None:
        self.path = Path(path)
        self.mode: opening.Mode = mode
        with name_told(self.path):
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
        """All changes inside are kept together, or none where it ends in an exception. Inner ones are part of it."""
        if self.mode != "write":
            raise StoreError(f"{self.path}: the store is open for reading only")
        with self._begun("BEGIN IMMEDIATE"):
            yield

    @contextlib.contextmanager
    def snapshot(self) -> Iterator[None]:
        """All that is read inside is of one moment, whatever is written meanwhile."""
        with self._begun("BEGIN"):
            yield

    @contextlib.contextmanager
    def _begun(self, how: str) -> Iterator[None]:
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

    # The rows themselves, for who copies or checks them

    def table(self, name: str) -> tuple[list[str], list[Any]]:
        """The columns of a table of the schema, and its rows in the order of their keys."""
        if name not in schema.TABLES:
            raise StoreError(f"{self.path}: the store has no table `{name}`")
        described = self._rows(f"PRAGMA table_info ({name})")
        order = [each[1] for each in sorted(described, key=lambda each: each[5]) if each[5]]
        rows = self._rows(f"SELECT * FROM {name} ORDER BY {', '.join(order)}")  # noqa: S608 - of the schema
        return [each[1] for each in described], rows

    def integrity(self) -> list[str]:
        """What SQLite finds wrong with the file, and rows that refer to nothing."""
        pages = [said for (said,) in self._rows("PRAGMA integrity_check") if said != "ok"]
        orphans = self._rows("PRAGMA foreign_key_check")
        return [*pages, *(f"a row of `{row[0]}` refers to no row of `{row[2]}`" for row in orphans)]

    def _write_all(self, sql: str, rows: Iterable[tuple[object, ...]]) -> None:
        """A statement for each of many rows, none of which waits in memory for the others."""
        with told(self.path):
            self._connection.executemany(sql, rows)

    def _rows(self, sql: str, *values: object) -> list[Any]:
        """The rows that a statement gives. Raises StoreError where one holds what its columns cannot."""
        with told(self.path):
            cursor = self._connection.execute(sql, values)
            rows = cursor.fetchall()
        types = schema.types()
        wanted = [(n, types[name]) for n, (name, *_) in enumerate(cursor.description or ()) if name in types]
        for row in rows:
            for place, kinds in wanted:
                if not isinstance(row[place], kinds):
                    name = cursor.description[place][0]
                    raise damaged(self.path, f"a value of `{name}` is of another type")
        return rows
