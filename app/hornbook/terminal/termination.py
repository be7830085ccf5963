"""A request to terminate (SIGTERM), treated like Ctrl-C by work that keeps its results when it is
interrupted.

Batch systems, containers and `timeout` terminate processes with SIGTERM. This must not lose hours of
learning.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def termination_interrupts() -> Iterator[None]:
    """Raise KeyboardInterrupt at the first SIGTERM within the context, and ignore later ones."""
    if threading.current_thread() is not threading.main_thread():
        # Only the main thread may set signal handlers.
        yield
        return
    before = signal.signal(signal.SIGTERM, _interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_DFL if before is None else before)


def _interrupt(number: int, frame: object) -> None:
    # Ignore further signals while the results are written.
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    raise KeyboardInterrupt
