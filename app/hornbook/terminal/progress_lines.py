"""Progress as plain lines on the error stream, if it is not a terminal."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta

FIRST, LONGEST = 10.0, 60.0
"""Seconds before the first line, and the longest interval. Each interval is twice the previous one."""


@contextmanager
def progress_lines(what: str, total: int | None) -> Iterator[Callable[..., None]]:
    """Print progress lines at intervals, and yield a function like `rich.progress.Progress.update`."""
    lines = _Lines(what, total)
    thread = threading.Thread(target=lines.write_until_done, daemon=True)
    thread.start()
    try:
        yield lines.update
    finally:
        lines.done.set()
        thread.join()


class _Lines:
    """The state of the work, changed by one thread and printed by another."""

    def __init__(self, what: str, total: int | None) -> None:
        self.what = what.strip()
        self.total = total
        self.completed = 0
        self.remark = ""
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
        remark: str | None = None,
        doing: str | None = None,
    ) -> None:
        self.completed = self.completed + advance if completed is None else completed
        self.total = self.total if total is None else total
        self.remark = self.remark if remark is None else remark
        self.doing = self.doing if doing is None else doing

    def write_until_done(self) -> None:
        interval = FIRST
        while not self.done.wait(interval):
            self._stream.write(f"{self.line()}\n")
            self._stream.flush()
            interval = min(2 * interval, LONGEST)

    def line(self) -> str:
        """Return the progress line, such as `learning: 3 of 12, 2 proved; now h4 (0:00:40)`."""
        number = f": {self.completed} of {self.total}" if self.total is not None else ""
        ending = f", {self.remark}" if self.remark else ""
        ending += f"; now {self.doing}" if self.doing else ""
        passed = timedelta(seconds=int(time.monotonic() - self._started))
        return f"{self.what}{number}{ending} ({passed})"
