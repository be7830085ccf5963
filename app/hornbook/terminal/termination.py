"""A request to terminate (SIGTERM), treated like Ctrl-C by work that keeps its results when it is interrupted.

Batch systems, containers and `timeout` end processes in this way, and hours of learning are not to be lost by it.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def termination_interrupts() -> Iterator[None]:
    """Inside, the first request to end raises KeyboardInterrupt, and later ones do nothing."""
    if threading.current_thread() is not threading.main_thread():
        # Only the main thread may say what signals do.
        yield
        return
    before = signal.signal(signal.SIGTERM, _interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_DFL if before is None else before)


def _interrupt(number: int, frame: object) -> None:
    # What there is must be written in peace.
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    raise KeyboardInterrupt
