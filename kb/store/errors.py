"""Errors of a store with messages for users. Every error of SQLite is converted to one of these."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from hornbook.matcher.program.hornbook_error import HornbookError


class StoreError(HornbookError):
    """A file that is not a store, is damaged, cannot be written, or lacks the requested data."""


class StoreBusyError(StoreError):
    """Another process is writing to the store, and did not finish within the waiting time."""


@contextmanager
def sqlite_errors(path: Path) -> Iterator[None]:
    """Convert errors of SQLite in the block to StoreError with the file's name and a suggestion."""
    try:
        yield
    except sqlite3.Error as problem:
        raise _described(path, problem) from problem
    except UnicodeDecodeError as problem:
        raise damaged(path) from problem
    except UnicodeEncodeError as problem:
        raise StoreError(
            f"{path}: a text that is not Unicode cannot be stored: {problem.reason}"
        ) from problem


@contextmanager
def path_errors(path: Path) -> Iterator[None]:
    """Convert errors of the system about a path to StoreError, such as an invalid or too long name."""
    try:
        yield
    except (OSError, ValueError) as problem:
        reason = getattr(problem, "strerror", None) or problem
        raise StoreError(f"{path}: {reason}") from problem


def _described(path: Path, problem: sqlite3.Error) -> StoreError:
    if isinstance(problem, sqlite3.ProgrammingError) and "thread" in str(problem):
        return StoreError(
            f"{path}: a store serves the thread that opened it; open it once more in the other one"
        )
    code = (getattr(problem, "sqlite_errorcode", None) or 0) & 0xFF
    if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return StoreBusyError(f"{path}: another process writes to it; wait until that one is done")
    if code == sqlite3.SQLITE_NOTADB:
        return StoreError(f"{path}: this is not a store; make one with `hornbook store new`")
    if code == sqlite3.SQLITE_CORRUPT or "decode to UTF-8" in str(problem):
        return damaged(path)
    if code in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM):
        return StoreError(f"{path}: the file or its folder cannot be written to; nothing was changed")
    if code == sqlite3.SQLITE_FULL:
        return StoreError(f"{path}: there is no room on the disk; nothing was changed")
    return StoreError(f"{path}: {problem}")


def damaged(path: Path, what: str = "") -> StoreError:
    """Return an error for a damaged file."""
    detail = f": {what}" if what else ""
    return StoreError(
        f"{path}: the file is damaged{detail}; `hornbook store check` may say where, and `hornbook store "
        "import` creates a new one "
        "from an export"
    )
