"""Progress as plain lines on the error stream, for work whose error stream is no terminal."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta

FIRST, LONGEST = 10.0, 60.0
"""Seconds to the first line, and the longest interval between two lines; each interval is twice the last one."""


@contextmanager
def progress_lines(what: str, total: int | None) -> Iterator[Callable[..., None]]:
    """A function that takes what `rich.progress.Progress.update` takes, and lines that say how far the work is."""
    lines = _Lines(what, total)
    thread = threading.Thread(target=lines.write_until_done, daemon=True)
    thread.start()
    try:
        yield lines.update
    finally:
        lines.done.set()
        thread.join()


class _Lines:
    """The state of the work, which one thread changes and another one writes."""

    def __init__(self, what: str, total: int | None) -> None:
        self.what = what.strip()
        self.total = total
        self.completed = 0
        self.said = ""
        self.doing = ""
        self.done = threading.Event()
        self._stream = sys.stderr
        self._started = time.monotonic()

    def update(
        self,
        *,
        advance: int = 0,
        completed: int | None = None,
        total: int | None = None,
        said: str | None = None,
        doing: str | None = None,
    ) -> None:
        self.completed = self.completed + advance if completed is None else completed
        self.total = self.total if total is None else total
        self.said = self.said if said is None else said
        self.doing = self.doing if doing is None else doing

    def write_until_done(self) -> None:
        interval = FIRST
        while not self.done.wait(interval):
            self._stream.write(f"{self.line()}\n")
            self._stream.flush()
            interval = min(2 * interval, LONGEST)

    def line(self) -> str:
        """The line that says how far the work is: `learning: 3 of 12, 2 proved; now h4 (0:00:40)`."""
        number = f": {self.completed} of {self.total}" if self.total is not None else ""
        said = f", {self.said}" if self.said else ""
        said += f"; now {self.doing}" if self.doing else ""
        passed = timedelta(seconds=int(time.monotonic() - self._started))
        return f"{self.what}{number}{said} ({passed})"
