"""Time limits for runs on random inputs, in the main thread."""

from __future__ import annotations

import gc
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import CodeType, FrameType

AGAIN = 0.01
"""Seconds of processor time until an unsuccessful interruption is repeated."""


class OverrunError(BaseException):
    """A time limit was exceeded. This is no HornbookError, so no handler catches it by mistake."""


@contextmanager
def bounded(seconds: float) -> Iterator[None]:
    """Interrupt a block after `seconds` of processor time by raising OverrunError.

    Python discards exceptions in callbacks of the garbage collector, so the interruption waits for their end.
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
    """Return whether a frame runs inside a callback of the garbage collector or a finalizer."""
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
