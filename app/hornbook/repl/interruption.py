"""Ctrl-C while a request is carried out: it stops what is under way, and leaves the session whole.

The engine undoes by itself what it is stopped in. Between the engine and the session's notes of what it did there
is nothing to stop; Ctrl-C passes unheard then, for a moment.
"""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from hornbook.repl.session import Session


@contextmanager
def stoppable(session: Session) -> Iterator[None]:
    """Makes Ctrl-C raise KeyboardInterrupt once, where the session can be stopped."""

    def stop(number: int, frame: FrameType | None) -> None:
        if session.is_settling and not session.base.can_be_interrupted:
            return
        # What was begun is put back, however often the key is pressed meanwhile.
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGINT, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
