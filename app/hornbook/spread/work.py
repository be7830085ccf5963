"""Work for other processes, sent to each of them once, identified by content, and prepared there once.

A process caches the last work that it prepared, so that the preparation is paid once for a thousand chunks. A
process with another version of Hornbook refuses the work, since its answers might differ.
"""

from __future__ import annotations

import hashlib
import os
import pickle
import signal
from collections.abc import Callable
from functools import cache
from multiprocessing import parent_process
from pathlib import Path
from threading import Lock, Thread
from typing import Any, Protocol

from hornbook.kb.sources.cache import sources
from hornbook.matcher.program.dataclass import dataclass
from hornbook.matcher.program.hornbook_error import HornbookError
from hornbook.terminal.code_exits import exits_are_errors
from hornbook.theories import domain


class AnotherHornbookError(HornbookError):
    """Work was sent to a process with another version of Hornbook."""


class ChunkWork(Protocol):
    """A computation on each chunk; it can be pickled."""

    def ready(self) -> Callable[[Any], Any]:
        """Return a function from a chunk to its result, which must be picklable too."""


@dataclass(frozen=True, slots=True)
class Shipped:
    """Serialised work: its bytes, their digest, and the version of the program that must do it."""

    content: bytes
    digest: str
    program: str

    @classmethod
    def of(cls, work: ChunkWork) -> Shipped:
        content = pickle.dumps(work, pickle.HIGHEST_PROTOCOL)
        return cls(content, hashlib.sha256(content).hexdigest(), program())


_doing = Lock()
_ready: dict[str, Callable[[Any], Any]] = {}
"""The last work that this process prepared, by its digest."""


@exits_are_errors
def done(shipped: Shipped, part: Any) -> Any:
    """Return the result of a chunk, computed in this process. Raises AnotherHornbookError."""
    # The prepared function runs for one chunk at a time, though Dask may call from several threads.
    with _doing:
        if shipped.digest not in _ready:
            if shipped.program != program():
                raise AnotherHornbookError(
                    "a worker has another version of Hornbook than the process that sends it work; install"
                    " the same version everywhere"
                )
            _ready.clear()
            work: ChunkWork = pickle.loads(shipped.content)  # noqa: S301 - the sender may run code here
            _ready[shipped.digest] = work.ready()
        return _ready[shipped.digest](part)


def leave_interrupts() -> None:
    """Ignore Ctrl-C in a worker; the process that sent the work handles it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def end_with_parent() -> None:
    """End this worker process when its parent is killed, since it would wait forever."""
    if (parent := parent_process()) is not None:

        def end() -> None:
            parent.join()
            os._exit(1)

        Thread(target=end, daemon=True).start()


@cache
def program() -> str:
    """Return the digest of the sources that a worker must share with the sender of work."""
    theories = Path(domain.__file__).parent
    return sources(theories, *map(theories.with_name, ("kb", "compiler")))
