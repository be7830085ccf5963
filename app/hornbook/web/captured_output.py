"""Capture of a process's standard streams, including the output of its children, for a log."""

from __future__ import annotations

import logging
import os
import selectors
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

LONGEST = 10_000
"""The largest part of a line, in bytes, that is passed on at once."""

Write = Callable[[bytes], None]


@contextmanager
def captured_output(tell: Callable[[str], None]) -> Iterator[Write]:
    """Call `tell` with each line written to the standard streams, also by child processes and libraries.

    The context value is a function that writes to the original error stream. On Windows the streams are not
    captured.
    """
    sys.stdout.flush()
    sys.stderr.flush()
    with os.fdopen(os.dup(2), "wb", buffering=0) as log:
        lock = threading.Lock()

        def write(line: bytes) -> None:
            # A closed log must not end the process.
            left = memoryview(line)
            with lock, suppress(OSError):
                while left:
                    left = left[log.write(left) or 0 :]

        if os.name != "posix":
            yield write
            return
        with _redirected(tell):
            yield write


@contextmanager
def _redirected(tell: Callable[[str], None]) -> Iterator[None]:
    """Redirect the standard streams to `tell`, line by line, within the context."""
    reading, writing = os.pipe()
    stopping, stop = os.pipe()
    before = [(number, os.dup(number)) for number in (1, 2)]
    thread = threading.Thread(target=_read, args=(reading, stopping, tell), daemon=True)
    for number, _ in before:
        os.dup2(writing, number)
    thread.start()
    try:
        yield
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        for number, saved in before:
            os.dup2(saved, number)
            os.close(saved)
        os.close(writing)
        os.close(stop)
        thread.join()
        os.close(reading)
        os.close(stopping)


def _read(reading: int, stopping: int, tell: Callable[[str], None]) -> None:
    """Pass on lines until the other pipe is closed, since child processes may keep this one open."""
    rest = b""
    os.set_blocking(reading, False)
    with selectors.DefaultSelector() as selector:
        selector.register(reading, selectors.EVENT_READ)
        selector.register(stopping, selectors.EVENT_READ)
        is_open = True
        while is_open:
            is_open = all(key.fd != stopping for key, _ in selector.select())
            with suppress(BlockingIOError):
                while found := os.read(reading, 65_536):
                    *lines, rest = (rest + found).split(b"\n")
                    if len(rest) > LONGEST:
                        lines, rest = [*lines, rest], b""
                    _tell(lines, tell)
    _tell([rest], tell)


def _tell(lines: list[bytes], tell: Callable[[str], None]) -> None:
    for line in lines:
        for start in range(0, len(line), LONGEST):
            tell(line[start : start + LONGEST].decode("utf-8", "replace").rstrip("\r"))


class LogHandler(logging.Handler):
    """A handler that passes on the log records of libraries, as a level and a text with the traceback."""

    def __init__(self, tell: Callable[[str, str], None]) -> None:
        super().__init__(logging.WARNING)
        self._tell = tell

    def emit(self, record: logging.LogRecord) -> None:
        self._tell("error" if record.levelno >= logging.ERROR else "warning", self.format(record))


@contextmanager
def captured_logging(tell: Callable[[str, str], None]) -> Iterator[None]:
    """Redirect log records and warnings of libraries to `tell` within the context."""
    handler, root = LogHandler(tell), logging.getLogger()
    root.addHandler(handler)
    logging.captureWarnings(True)
    try:
        yield
    finally:
        logging.captureWarnings(False)
        root.removeHandler(handler)
