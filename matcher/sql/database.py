"""A DuckDB database in a temporary folder, with limits of time, memory and disk, and prompt interrupts.

The tables are in a file of the folder, and DuckDB writes intermediate results there that exceed its memory.
The folder is removed with its owner, and at the end of the process. A killed process leaves its folder, which
the next database removes: each owner holds a lock of its folder.

A statement runs in a thread of its own, so that the calling thread can end it.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import gettempdir, mkdtemp
from typing import Any, TypeVar
from weakref import finalize

from hornbook.matcher.program.coded import Limits
from hornbook.matcher.program.errors import DiskLimitError, EngineError, MemoryLimitError, TimeLimitError

Result = TypeVar("Result")
_PREFIX = "hornbook-duckdb-"
_SECONDS_BETWEEN_CHECKS = 0.2
_NEWEST = 60.0
"""The age in seconds from which on an unlocked folder counts as left behind."""
_SMALL_FILE = 2**24
"""The bytes of a file whose unused space may stay unused."""
_SHARE_OF_MEMORY = 0.55
"""The share of a large memory for intermediate results."""
_LARGE_MEMORY = 2**30
_LEAST_MEMORY = 100_000
"""The bytes below which DuckDB may lack the memory to end a transaction."""
_SHARE_OF_DISK = 0.75
"""The share of the free disk space that a database may use."""


class Database:
    """A DuckDB database for one owner. Needs DuckDB (otherwise it raises ImportError).

    `limits` are the bytes of DuckDB's memory, and the seconds of each `limited` context. `most_disk` is the
    maximal number of bytes on disk. Raises MemoryLimitError if DuckDB cannot work with so little memory.
    """

    def __init__(self, limits: Limits) -> None:
        import duckdb  # noqa: PLC0415 - an extra

        self._duckdb, self._limits = duckdb, limits
        self._deadline: float | None = None
        _remove_abandoned()
        self._folder = Path(mkdtemp(prefix=_PREFIX))
        self._file = self._folder / "tables"
        lock = os.open(self._folder, os.O_RDONLY)
        fcntl.flock(lock, fcntl.LOCK_EX)
        self.most_disk = int(shutil.disk_usage(self._folder).free * _SHARE_OF_DISK)
        config: dict[str, str | bool | int | float | list[str]] = {
            "temp_directory": str(self._folder / "spilled"),
            "max_temp_directory_size": f"{self.most_disk}B",
            "preserve_insertion_order": False,
        }
        self.connection = duckdb.connect(":memory:", config=config)
        self._worker = ThreadPoolExecutor(1, "duckdb")
        finalize(self, _close, self.connection, self._worker, self._folder, lock)
        with self.limited():
            if limits.bytes is not None:
                if limits.bytes < _LEAST_MEMORY:
                    raise MemoryLimitError(limits.bytes)
                self.all(f"SET memory_limit = '{limits.bytes}B'")
                if limits.bytes >= _LARGE_MEMORY:
                    # Otherwise an aggregate over 10^8 rows fails, instead of writing rows to disk.
                    self.all(f"SET operator_memory_limit = '{int(limits.bytes * _SHARE_OF_MEMORY)}B'")
            # The file is never opened again, so it needs no log.
            file = str(self._file).replace("'", "''")
            self.all(f"ATTACH '{file}' AS tables (RECOVERY_MODE no_wal_writes)")
            self.all("USE tables")

    def all(self, sql: str) -> list[Any]:
        """Run a statement and return its rows. Raises LimitError or KeyboardInterrupt.

        The only row of a statement that writes rows is their number.
        """
        return self._limited(lambda: self.connection.execute(sql).fetchall())

    def arrays(self, sql: str) -> Mapping[str, Any]:
        """Run a query and return its columns by name as NumPy arrays. Raises as `all` does."""
        return self._limited(lambda: self.connection.execute(sql).fetchnumpy())

    def clean_up(self, statements: Iterable[str]) -> None:
        """Run statements that end a transaction or drop tables, even if a limit was exceeded."""
        for sql in statements:
            self._worker.submit(self.connection.execute, sql).result()
        if self._file.exists() and self._file.stat().st_size > _SMALL_FILE:
            # A checkpoint after a change gives the space of dropped and unfinished tables back.
            for sql in ("CREATE OR REPLACE TABLE change (c0 BIGINT)", "CHECKPOINT"):
                self._worker.submit(self.connection.execute, sql).result()

    @contextmanager
    def limited(self) -> Iterator[None]:
        """Limit the seconds of the statements inside, taken together."""
        if self._limits.seconds is not None:
            self._deadline = time.monotonic() + self._limits.seconds
        try:
            yield
        finally:
            self._deadline = None

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Make all changes of the statements inside, or none."""
        self.all("BEGIN")
        try:
            yield
            self.all("COMMIT")
        except BaseException:
            self.clean_up(["ROLLBACK"])
            raise

    def _limited(self, call: Callable[[], Result]) -> Result:
        """Return the result of a call in the other thread, which is interrupted at a limit."""
        self._check_limits()
        task = self._worker.submit(call)
        try:
            while not wait([task], self._seconds_to_wait()).done:
                self._check_limits()
        except BaseException:
            # An interrupt is lost if the statement has not begun.
            while not task.done():
                self.connection.interrupt()
                wait([task], _SECONDS_BETWEEN_CHECKS)
            raise
        try:
            return task.result()
        except self._duckdb.OutOfMemoryException as problem:
            if "max_temp_directory_size" in str(problem):
                raise DiskLimitError(self.most_disk, gettempdir()) from None
            if self._limits.bytes is None:
                raise EngineError(str(problem).partition("\n")[0]) from None
            raise MemoryLimitError(self._limits.bytes) from None

    def _seconds_to_wait(self) -> float:
        if self._deadline is None:
            return _SECONDS_BETWEEN_CHECKS
        return max(min(_SECONDS_BETWEEN_CHECKS, self._deadline - time.monotonic()), 0)

    def _check_limits(self) -> None:
        if self._deadline is not None and time.monotonic() >= self._deadline:
            assert self._limits.seconds is not None
            raise TimeLimitError(self._limits.seconds)
        if self._bytes_on_disk() > self.most_disk:
            raise DiskLimitError(self.most_disk, gettempdir())

    def _bytes_on_disk(self) -> int:
        total = 0
        for folder in (self._folder, self._folder / "spilled"):
            # DuckDB makes and removes files meanwhile.
            with suppress(FileNotFoundError):
                total += sum(entry.stat().st_size for entry in os.scandir(folder) if entry.is_file())
        return total


def _close(connection: Any, worker: ThreadPoolExecutor, folder: Path, lock: int) -> None:
    # The garbage collector may call this in any thread, even in one that is about to start or end. So it must
    # not wait for a thread.
    connection.interrupt()
    worker.shutdown(wait=False)
    connection.close()
    shutil.rmtree(folder, ignore_errors=True)
    os.close(lock)


def _remove_abandoned() -> None:
    """Remove the folders of processes that were killed."""
    for folder in Path(gettempdir()).glob(f"{_PREFIX}*"):
        with suppress(OSError):
            if folder.stat().st_mtime > time.time() - _NEWEST:
                continue  # its owner may be about to lock it
            lock = os.open(folder, os.O_RDONLY)
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                shutil.rmtree(folder, ignore_errors=True)
            finally:
                os.close(lock)
