"""The persistent cache: JSON values by the digest of all their dependencies.

All results that outlive a process are stored here, in one SQLite file in the user's cache folder. A key is
the digest of the kind of result, the program that computed it and every input. So an entry is never wrong: it
is found again only by a program with the same sources and the same inputs. Nothing read from the file is
executed.

A cache may lose any entry at any time. An entry with a wrong digest is ignored, a damaged file is replaced,
and an inaccessible file is left alone. The oldest entries are dropped when the file grows too large.

Invariants: No module of the parser or checker is imported here.
"""

from __future__ import annotations

import hashlib
import json
import os
import sqlite3
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from contextvars import ContextVar
from functools import cache
from pathlib import Path
from typing import Any

from hornbook.kb.ast.canonical import digest

VARIABLE = "HORNBOOK_CACHE"
"""The environment variable that names the folder of the cache."""
NAME = "cache-2.sqlite"
"""The name of the file; another layout gets another number."""
MOST_BYTES = 256 * 2**20
"""The size above which the older half of the entries is dropped."""
_WAIT = 10.0
"""The seconds that a write waits for writes of other processes. A write takes milliseconds, and no reader
waits.
"""
_NEW = 3.0
"""The seconds in which a file may change again without other times. No file system counts in longer steps."""
_SOURCES = (".py", ".json")
"""The suffixes of sources."""
_STARTED = time.time()
"""The time at which this process loaded its sources, or shortly after it."""


def folder() -> Path:
    """Return the folder of the cache: the value of HORNBOOK_CACHE, or `hornbook` in the user's
    cache folder.
    """
    named = os.environ.get(VARIABLE)
    if named:
        return Path(named)
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local"
    else:
        base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "hornbook"


@cache
def program(*places: Path) -> str:
    """Return the digest of Python and of the sources in packages and files.

    If one of these files changed after this process started, the running code may differ from the files. Then
    the digest is random, so that no other process has it.

    The sources are not read each time: the digest is stored for their names, sizes and times. Times may be
    too coarse to show that a file was changed twice in a moment, so that sources are read while one is new.
    """
    states = [_states(str(place)) for place in places]
    settled = max(newest for _, newest in states) < (_STARTED - _NEW) * 10**9
    place = key("program", sys.version, [text for text, _ in states])
    if settled and isinstance(known := recall(place), str):
        return known
    found = digest(sys.version, [sources(file) for file in places])
    # The times are checked after reading the files, so that no change is missed.
    if max(_states(str(each))[1] for each in places) > _STARTED * 10**9:
        import secrets  # noqa: PLC0415 - slow to import

        return secrets.token_hex(32)
    if settled:
        remember({place: found})
    return found


def sources(*places: Path) -> str:
    """Return the digest of the sources in packages and files."""
    found = hashlib.sha256()
    for place in places:
        for file in _files(place):
            data = file.read_bytes()
            found.update(f"{file.relative_to(place).as_posix()} {len(data)}\0".encode() + data)
    return found.hexdigest()


def _files(place: Path) -> list[Path]:
    """Return the sources in a package, or the one file."""
    if not place.is_dir():
        return [place]
    return sorted(Path(file) for file in _sources_below(str(place)))


def _sources_below(folder: str) -> Iterator[str]:
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.name.endswith(_SOURCES):
                yield entry.path
            elif "." not in entry.name and entry.name != "__pycache__" and entry.is_dir():
                yield from _sources_below(entry.path)


def _states(place: str) -> tuple[str, int]:
    """Return the names, sizes and times of sources as a text, and the latest of the times in nanoseconds."""
    files = sorted(_sources_below(place)) if os.path.isdir(place) else [place]  # noqa: PTH112 - fast
    lines, newest = [place], 0
    for file in files:
        status = os.stat(file)  # noqa: PTH116 - fast
        changed, moved = status.st_mtime_ns, status.st_ctime_ns
        newest = max(newest, changed, moved)
        lines.append(f"{file} {status.st_size} {changed} {moved}")
    return "\n".join(lines), newest


def key(kind: str, program: str, *inputs: object) -> str:
    """Return the key of a result: its kind, the program that computes it, and all of its inputs."""
    return digest(kind, program, *inputs)


_unread = ContextVar("unread", default=False)
"""Whether no entry is used."""


@contextmanager
def nothing_recalled() -> Iterator[None]:
    """Use no entry within the context, so that all results are computed from their sources."""
    token = _unread.set(True)
    try:
        yield
    finally:
        _unread.reset(token)


def recall(key: str) -> Any:
    """Return the value of a key, or None if there is none."""
    if _unread.get():
        return None
    with suppress(OSError, ValueError, sqlite3.Error):
        row = _row(key)
        if row is not None and row[1] == _seal(key, row[0]):
            return json.loads(row[0])
    return None


def remember(values: Mapping[str, Any]) -> None:
    """Store the values of keys. A value is JSON other than null."""
    rows = [(key, text, _seal(key, text)) for key, value in values.items() for text in [json.dumps(value)]]
    rows = [row for row in rows if len(row[1]) <= MOST_BYTES // 4]
    if not rows:
        return
    with suppress(OSError, ValueError, sqlite3.Error):
        folder().mkdir(mode=0o700, parents=True, exist_ok=True)
        try:
            _write(rows)
        except sqlite3.OperationalError:
            raise
        except sqlite3.DatabaseError:  # the file is damaged, or no database
            _remove(_file())
            _write(rows)


def _row(key: str) -> tuple[str, str] | None:
    """Return the value and the digest of an entry."""
    query = "SELECT value, digest FROM entry WHERE key = ?"
    try:
        with _opened("mode=ro") as connection:
            found: tuple[str, str] | None = connection.execute(query, (key,)).fetchone()
    except sqlite3.OperationalError:
        # SQLite cannot make its working files in a read-only folder. A file that changes meanwhile does no
        # harm, since each
        # entry has its digest.
        with _opened("mode=ro&immutable=1") as connection:
            found = connection.execute(query, (key,)).fetchone()
    return found


def _write(rows: list[tuple[str, str, str]]) -> None:
    if not _file().exists():
        _create()
    with _opened("mode=rw") as connection:
        # A crash of the machine may damage the file, which is then replaced.
        connection.execute("PRAGMA synchronous = OFF")
        connection.execute("BEGIN IMMEDIATE")
        connection.execute(
            "CREATE TABLE IF NOT EXISTS entry (number INTEGER PRIMARY KEY AUTOINCREMENT,"
            " key TEXT NOT NULL UNIQUE, value TEXT NOT NULL, digest TEXT NOT NULL)"
        )
        connection.executemany("REPLACE INTO entry (key, value, digest) VALUES (?, ?, ?)", rows)
        (size,) = connection.execute(
            "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size"
        ).fetchone()
        if size > MOST_BYTES:
            connection.execute(
                "DELETE FROM entry WHERE number < (SELECT number FROM entry ORDER BY number"
                " LIMIT 1 OFFSET (SELECT count(*) FROM entry) / 2)"
            )
        connection.execute("COMMIT")
        if size > MOST_BYTES:
            connection.execute("VACUUM")


def _create() -> None:
    """Make an empty file in WAL mode. It is made beside its place, since two processes cannot set the mode at
    once.
    """
    import tempfile  # noqa: PLC0415 - slow to import

    handle, name = tempfile.mkstemp(dir=folder(), prefix=f".{NAME}.")
    os.close(handle)
    draft = Path(name)
    try:
        with closing(sqlite3.connect(draft, isolation_level=None)) as connection:
            connection.execute("PRAGMA journal_mode = WAL")
        try:
            _file().hardlink_to(draft)
        except FileExistsError:
            pass  # another process was first
        except OSError:
            draft.rename(_file())  # a file system without links
    finally:
        _remove(draft)


def _remove(file: Path) -> None:
    """Remove a database with its working files."""
    for suffix in ("-wal", "-shm", "-journal", ""):
        Path(f"{file}{suffix}").unlink(missing_ok=True)


@contextmanager
def _opened(options: str) -> Iterator[sqlite3.Connection]:
    file = _file()
    if file.exists() and not file.is_file():
        raise OSError(f"{file} is no regular file")  # opening a pipe blocks until there is a writer
    place = f"{file.absolute().as_uri()}?{options}"
    with closing(sqlite3.connect(place, uri=True, timeout=_WAIT, isolation_level=None)) as connection:
        connection.execute("PRAGMA trusted_schema = OFF")
        yield connection


def _file() -> Path:
    return folder() / NAME


def _seal(key: str, text: str) -> str:
    """Return the digest that distinguishes a complete entry from a damaged one."""
    return hashlib.sha256(f"{key} {text}".encode()).hexdigest()
