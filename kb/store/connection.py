"""Opening a store: the file, the lock of the writer, and migrations from older versions.

Only one process writes at a time. It holds a lock in a separate file (`FILE.writer`, an SQLite file without
content) from opening to closing, and at most until the end of the process. Readers need no lock: the file is
in WAL mode, so each sees the last commit. A new store is created under a temporary name and then moved to its
place.

A store has one name, the target of all links to it. SQLite and the lock create further files under that name,
and a process that used another name would not see them. So symbolic links are followed first, and hard links
are refused.
"""

from __future__ import annotations

import contextlib
import glob
import os
import sqlite3
import tempfile
from collections import Counter
from pathlib import Path
from threading import Lock
from typing import Literal

from hornbook.kb.sources.files import APPLICATION_ID, SQLITE, is_sqlite
from hornbook.kb.store import schema
from hornbook.kb.store.errors import StoreBusyError, StoreError, damaged, sqlite_errors
from hornbook.matcher.program.dataclass import dataclass

Mode = Literal["read", "write"]
Identity = tuple[int, int]
"""The identity of a file: its device and inode."""

_OPEN: Counter[Identity] = Counter()
"""The stores that this process has open.

With POSIX locks, opening and closing such a file separately would release the locks of SQLite. Another
process could then remove the log of commits.
"""
_OPENING = Lock()


@dataclass(frozen=True, slots=True)
class OpenedStore:
    """A connection to a store of this version, and the lock of a writer."""

    connection: sqlite3.Connection
    lock: sqlite3.Connection | None
    identity: Identity

    def close(self) -> None:
        self.connection.close()
        if self.lock is not None:
            self.lock.close()
        _forget(self.identity)


def create(path: Path) -> None:
    """Create an empty store. Raises StoreError if the path exists or cannot be written."""
    draft = begin(path)
    finish(draft, path)


def begin(path: Path, version: int | None = None) -> Path:
    """Return the path of a new empty store, by default of this version, in the same folder, for `finish`."""
    try:
        if path.exists():
            raise StoreError(f"{path}: there is a file already; nothing was changed")
        if not path.parent.is_dir():
            raise StoreError(f"{path}: there is no folder `{path.parent}`")
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    except (OSError, ValueError) as problem:
        reason = getattr(problem, "strerror", None) or problem
        raise StoreError(f"{path}: {reason}; nothing was written") from problem
    os.close(handle)
    draft = Path(name)
    try:
        with (
            sqlite_errors(path),
            contextlib.closing(sqlite3.connect(draft, isolation_level=None)) as connection,
        ):
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            _migrate(connection, 0, version or schema.version())
    except BaseException:
        discard(draft)
        raise
    return draft


def finish(draft: Path, path: Path) -> None:
    """Move a new store to its place. Raises StoreError if the path exists by now."""
    draft.chmod(0o666 & ~_umask())
    try:
        os.link(draft, path)
    except FileExistsError:
        raise StoreError(f"{path}: there is a file already; nothing was changed") from None
    except OSError:
        # On a file system without links, the rename may lose a race, but it never replaces an older store.
        draft.rename(path)
    finally:
        discard(draft)


def discard(draft: Path) -> None:
    """Remove the file created by `begin`, and the files that SQLite created with it."""
    for name in (draft.name, f"{draft.name}-wal", f"{draft.name}-shm", f"{draft.name}.writer"):
        draft.with_name(name).unlink(missing_ok=True)


def connect(path: Path, mode: Mode, wait: float) -> OpenedStore:
    """Open a store. A writer waits up to `wait` seconds for another.

    Raises:
        StoreError: The store cannot be opened. Then nothing has changed.
    """
    with _OPENING:
        identity = _identity(path)
        if not _OPEN[identity]:
            _require_store(path)
        _require_one_name(path)
        _OPEN[identity] += 1
    try:
        connection, lock = _connected(path, mode, wait)
    except BaseException:
        _forget(identity)
        raise
    return OpenedStore(connection, lock, identity)


def _identity(path: Path) -> Identity:
    try:
        found = path.stat()
    except FileNotFoundError:
        raise StoreError(f"{path}: there is no such store; make one with `hornbook store new`") from None
    except (OSError, ValueError) as problem:
        raise StoreError(f"{path}: {getattr(problem, 'strerror', None) or problem}") from problem
    return found.st_dev, found.st_ino


def _forget(identity: Identity) -> None:
    with _OPENING:
        _OPEN[identity] -= 1
        if not _OPEN[identity]:
            del _OPEN[identity]


def _require_one_name(path: Path) -> None:
    place = path.resolve()
    if place.stat().st_nlink == 1:
        return
    # A process may have ended while a new store had two names.
    for draft in place.parent.glob(f".{glob.escape(place.name)}.*"):
        with contextlib.suppress(OSError):
            if draft.samefile(place):
                draft.unlink()
    names = place.stat().st_nlink
    if names > 1:
        raise StoreError(
            f"{path}: the file has {names} names (hard links), and what is written to a store stands "
            "beside one of"
            f" them until it is closed; take the others away (`find -samefile {place.name}`), or open a copy"
        )


def _connected(path: Path, mode: Mode, wait: float) -> tuple[sqlite3.Connection, sqlite3.Connection | None]:
    lock = _lock(path, wait) if mode == "write" else None
    try:
        connection = _open(path, mode, wait)
        try:
            found = _version(connection, path)
            if found < schema.version():
                if mode == "read":
                    connection.close()
                    _upgrade(path, wait)
                    return _connected(path, mode, wait)
                with sqlite_errors(path):
                    _migrate(connection, found, schema.version())
            _require_tables(connection, path)
        except BaseException:
            connection.close()
            raise
    except BaseException:
        if lock is not None:
            lock.close()
        raise
    return connection, lock


def is_store(path: Path) -> bool:
    """Return whether a file is a store. It must not be open in this process, as for `is_sqlite`."""
    if not is_sqlite(path):
        return False
    with path.open("rb") as file:
        return _begins_a_store(file.read(100))


def _begins_a_store(head: bytes) -> bool:
    return head.startswith(SQLITE) and int.from_bytes(head[68:72]) == APPLICATION_ID


def _require_store(path: Path) -> None:
    """Check the header of a file before SQLite opens it."""
    if path.is_dir():
        raise StoreError(f"{path}: this is a folder; name the store in it")
    try:
        with path.open("rb") as file:
            head = file.read(100)
    except OSError as problem:
        raise StoreError(f"{path}: {problem.strerror}") from problem
    if not _begins_a_store(head):
        raise StoreError(f"{path}: this is not a store; make one with `hornbook store new`")


def _open(path: Path, mode: Mode, wait: float) -> sqlite3.Connection:
    uri = path.resolve().as_uri()
    with sqlite_errors(path):
        connection = sqlite3.connect(f"{uri}?mode=rw", uri=True, isolation_level=None, timeout=wait)
    try:
        with sqlite_errors(path):
            _set_up(connection, mode)
    except StoreError:
        connection.close()
        if mode == "write" or os.access(path.parent, os.W_OK):
            raise
        # In a read-only folder, the file is complete if there is no log of a writer.
        place = path.resolve()
        if place.with_name(f"{place.name}-wal").exists():
            raise
        with sqlite_errors(path):
            connection = sqlite3.connect(f"{uri}?immutable=1", uri=True, isolation_level=None)
            _set_up(connection, mode)
    if mode == "write":
        _require_writable(connection, path)
    return connection


def _set_up(connection: sqlite3.Connection, mode: Mode) -> None:
    connection.execute("PRAGMA trusted_schema = OFF")
    connection.execute("PRAGMA foreign_keys = ON")
    # A reported commit is on the disk, even after a power failure.
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("PRAGMA cell_size_check = ON")
    if mode == "read":
        connection.execute("PRAGMA query_only = ON")
    connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()


def _require_writable(connection: sqlite3.Connection, path: Path) -> None:
    """Raise an error immediately that a long learning run would otherwise find at its end."""
    with sqlite_errors(path):
        connection.execute("BEGIN IMMEDIATE")
        connection.execute("ROLLBACK")


def _version(connection: sqlite3.Connection, path: Path) -> int:
    with sqlite_errors(path):
        (found,) = connection.execute("PRAGMA user_version").fetchone()
    if found > schema.version():
        raise StoreError(
            f"{path}: a newer Hornbook wrote it (version {found} of the tables; this one knows"
            f" {schema.version()}); update Hornbook"
        )
    if found < 1:
        raise StoreError(f"{path}: this is not a store; make one with `hornbook store new`")
    return int(found)


def _require_tables(connection: sqlite3.Connection, path: Path) -> None:
    """Require the expected tables without triggers."""
    with sqlite_errors(path):
        found = schema.columns_of(connection)
        triggers = connection.execute("SELECT name FROM sqlite_schema WHERE type = 'trigger'").fetchall()
    for table, columns in schema.columns().items():
        if found.get(table) != columns:
            raise damaged(path, f"its table `{table}` is not as Hornbook makes it")
    if triggers:
        raise damaged(path, f"it has a trigger `{triggers[0][0]}`, which does not belong to Hornbook")


def _upgrade(path: Path, wait: float) -> None:
    """Migrate an older store to this version. A reader does this too if it is the first to open the store."""
    connection, lock = _connected(path, "write", wait)
    connection.close()
    assert lock is not None
    lock.close()


def _migrate(connection: sqlite3.Connection, found: int, target: int) -> None:
    """Migrate a store from one version to another, completely or not at all."""
    # Referenced tables may be recreated in between. Foreign keys are checked before the commit.
    connection.execute("PRAGMA foreign_keys = OFF")
    connection.execute("BEGIN IMMEDIATE")
    try:
        for step in schema.MIGRATIONS[found:target]:
            for statement in _statements(step):
                connection.execute(statement)
        if connection.execute("PRAGMA foreign_key_check").fetchone() is not None:
            raise sqlite3.IntegrityError("the migration leaves rows that refer to nothing")
        connection.execute(f"PRAGMA user_version = {target}")
        connection.execute("COMMIT")
    except BaseException:
        connection.execute("ROLLBACK")
        raise
    connection.execute("PRAGMA foreign_keys = ON")


def _statements(script: str) -> list[str]:
    """Return the statements of a script. `executescript` would commit before it begins."""
    found, current = [], ""
    for line in script.splitlines(keepends=True):
        current += line
        if sqlite3.complete_statement(current):
            found.append(current)
            current = ""
    assert not current.strip(), current
    return found


def _lock(path: Path, wait: float) -> sqlite3.Connection:
    """Return the writer's lock. Raises StoreBusyError if another writer holds it for `wait` seconds."""
    place = path.resolve()
    lock_file = place.with_name(f"{place.name}.writer")
    with sqlite_errors(path):
        lock = sqlite3.connect(lock_file, isolation_level=None, timeout=wait)
    try:
        with sqlite_errors(path):
            lock.execute("PRAGMA journal_mode = MEMORY")
            lock.execute("BEGIN EXCLUSIVE")
    except StoreBusyError:
        lock.close()
        raise StoreBusyError(
            f"{path}: another process writes to it, and went on for {wait:g} seconds; wait until it is done"
            " (`hornbook serve --write` never is: it takes facts itself, by `POST /facts`)"
        ) from None
    except BaseException:
        lock.close()
        raise
    return lock


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
