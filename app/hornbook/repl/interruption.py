"""Ctrl-C during a request: it stops the request and keeps the session consistent.

The engine undoes an interrupted update. While the session records an update, Ctrl-C is ignored for a moment.
"""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from hornbook.repl.session import Session


@contextmanager
def stoppable(session: Session) -> Iterator[None]:
    """Make Ctrl-C raise KeyboardInterrupt once, at points where the session can be stopped."""

    def stop(number: int, frame: FrameType | None) -> None:
        if session.is_settling and not session.base.engine.can_be_interrupted:
            return
        # Ignore further key presses while the update is undone.
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGINT, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
