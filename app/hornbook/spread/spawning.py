"""Processes of Python that import no module from the working folder, which may have another user's theory.

Python starts them with `-c`, and then imports even its own library from the working folder first, unless
PYTHONSAFEPATH is set. A file `multiprocessing.py` there would run.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing.context import SpawnContext, SpawnProcess
from threading import Lock
from typing import Any

from hornbook.matcher.compiled.processors import processors

_VARIABLE = "PYTHONSAFEPATH"
_starting = Lock()


class _SafeProcess(SpawnProcess):
    """A process that is started with PYTHONSAFEPATH."""

    @staticmethod
    def _Popen(process_obj: Any) -> Any:  # noqa: N802 - the name of the base class
        with _safe_path():
            return SpawnProcess._Popen(process_obj)  # noqa: SLF001 - as above


class _SafeContext(SpawnContext):
    Process = _SafeProcess


def share_of(workers: int) -> int:
    """Return the number of threads of each of several processes, so that they share the processors."""
    return max(1, processors() // workers)


def spawn_context() -> SpawnContext:
    """Return the context in which processes are started."""
    if sys.platform != "win32":
        from multiprocessing import resource_tracker  # noqa: PLC0415 - it does not exist on Windows

        with _safe_path():  # locks and queues start this process of Python before any other
            resource_tracker.ensure_running()
    return _SafeContext()


@contextmanager
def _safe_path() -> Iterator[None]:
    """Set PYTHONSAFEPATH for processes that are started inside the block."""
    with _starting:
        before = os.environ.get(_VARIABLE)
        os.environ[_VARIABLE] = "1"
        try:
            yield
        finally:
            if before is None:
                del os.environ[_VARIABLE]
            else:
                os.environ[_VARIABLE] = before
