"""Bounds of time for what is tried on random inputs, in the main thread."""

from __future__ import annotations

import gc
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import CodeType, FrameType

AGAIN = 0.01
"""Seconds of the processor until a bound that could not stop the work tries again."""


class OverrunError(BaseException):
    """Something took longer than its bound; no HornbookError, and caught by nobody by mistake."""


@contextmanager
def bounded(seconds: float) -> Iterator[None]:
    """Stops what takes more seconds of the processor. Raises OverrunError.

    An exception is lost in what the garbage collector calls, so the work is stopped after that.
    """

    def stop(_signal: int, frame: FrameType | None) -> None:
        if not _of_the_collector(frame):
            signal.setitimer(signal.ITIMER_PROF, 0)
            raise OverrunError

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds, AGAIN)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def _of_the_collector(frame: FrameType | None) -> bool:
    """Whether a frame runs inside a callback of the collector, or a finalizer."""
    callbacks = {getattr(callback, "__code__", None) for callback in gc.callbacks}
    while frame is not None:
        if _loses_exceptions(frame.f_code, callbacks):
            return True
        frame = frame.f_back
    return False


def _loses_exceptions(code: CodeType, callbacks: set[CodeType | None]) -> bool:
    return (
        code in callbacks
        or code.co_name == "__del__"
        or code.co_filename.endswith(("weakref.py", "_weakrefset.py"))
    )
