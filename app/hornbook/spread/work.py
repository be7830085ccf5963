"""Work that other processes do: sent to each of them once, by content, and made ready there once.

A process keeps what it made ready last, so that a thousand parts of the same work cost as much of that as one. Who
has another Hornbook does nothing: its answers might be others.
"""

from __future__ import annotations

import hashlib
import os
import pickle
import signal
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from multiprocessing import parent_process
from pathlib import Path
from threading import Lock, Thread
from typing import Any, Protocol

from hornbook.kb.sources.cache import sources
from hornbook.matcher.program.hornbook_error import HornbookError
from hornbook.terminal.code_exits import exits_are_errors
from hornbook.theories import domain


class AnotherHornbookError(HornbookError):
    """Work was sent to a process that has another Hornbook than the sender."""


class Work(Protocol):
    """What is done to each part; it can be pickled."""

    def ready(self) -> Callable[[Any], Any]:
        """Makes ready what does it: from one part to its result, which can be pickled too."""


@dataclass(frozen=True, slots=True)
class Shipped:
    """Work as it is sent: its bytes, what they are known by, and the program that is to do it."""

    content: bytes
    digest: str
    program: str

    @classmethod
    def of(cls, work: Work) -> Shipped:
        content = pickle.dumps(work, pickle.HIGHEST_PROTOCOL)
        return cls(content, hashlib.sha256(content).hexdigest(), program())


_doing = Lock()
_ready: dict[str, Callable[[Any], Any]] = {}
"""What this process made ready last, by the digest of its work."""


@exits_are_errors
def done(shipped: Shipped, part: Any) -> Any:
    """What comes of a part, in the process that is called. Raises AnotherHornbookError."""
    # What is ready does one part at a time, though Dask may call from several threads.
    with _doing:
        if shipped.digest not in _ready:
            if shipped.program != program():
                raise AnotherHornbookError(
                    "a worker has another Hornbook than the process that sends it work; install the same in all"
                )
            _ready.clear()
            work: Work = pickle.loads(shipped.content)  # noqa: S301 - of who may run code here
            _ready[shipped.digest] = work.ready()
        return _ready[shipped.digest](part)


def leave_interrupts() -> None:
    """Ctrl-C is answered by the process that was asked, and by no worker."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def end_with_parent() -> None:
    """A process that was started for work ends where the one that started it was killed, instead of waiting for ever."""
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
