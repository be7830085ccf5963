"""Text files: read as a whole, as UTF-8, within the size limit, or refused with a reason.

A byte order mark is dropped. Line ends are kept (the parser accepts every kind).
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path

from hornbook.kb.sources.diagnostics import TheoryError, error
from hornbook.kb.text.lines import with_plain_ends
from hornbook.kb.text.scanner import MAX_TEXT
from hornbook.kb.text.spans import Span
from hornbook.kb.text.streams import STANDARD_INPUT, TEXTS, is_stream, stream_named


def read_text(path: Path, name: str | None = None) -> str:
    """Return the text of a file, which messages call `name`. Raises TheoryError (HB004, HB005)."""
    name = str(path) if name is None else name
    if is_stream(path):
        return _read_stream(path, name)
    return decode(read_bytes(path, name), name)


def texts_of_streams(paths: Iterable[Path]) -> dict[Path, str]:
    """Read the streams among some paths, for another process, which cannot read them again. Raises
    TheoryError (HB004, HB005).
    """
    return {stream_named(path): read_text(path, shown(path)) for path in paths if is_stream(path)}


def _read_stream(path: Path, name: str) -> str:
    place = stream_named(path)
    if place not in TEXTS:
        TEXTS[place] = (
            read_standard_input() if place == STANDARD_INPUT else decode(read_bytes(place, name), name)
        )
    return TEXTS[place]


def read_bytes(path: Path, name: str) -> bytes:
    """Return the bytes of a file, at most one more than a text may have. Raises TheoryError (HB005)."""
    try:
        with path.open("rb") as file:
            # The bound applies whatever size the system reports: a device or a pipe has none.
            return file.read(MAX_TEXT + 1)
    except IsADirectoryError:
        raise _unreadable(name, "it is a folder", "name the file in it") from None
    except FileNotFoundError:
        raise _unreadable(name, "there is no such file") from None
    except (OSError, ValueError) as problem:
        reason = problem.strerror if isinstance(problem, OSError) and problem.strerror else str(problem)
        raise _unreadable(name, reason.lower()) from None


SQLITE = b"SQLite format 3\0"
"""The first bytes of every SQLite file."""


APPLICATION_ID = 0x484F524E
"""The application id in the header of every store (`HORN`), which distinguishes it from other
SQLite files.
"""


def is_sqlite(path: Path) -> bool:
    """Return whether a file is an SQLite file, such as a store.

    It must not be open in this process: closing it here would release the locks of SQLite.
    """
    try:
        if not path.is_file():
            return False
        with path.open("rb") as file:
            return file.read(len(SQLITE)) == SQLITE
    except (OSError, ValueError):
        return False


def is_file(path: Path) -> bool:
    """Return whether a file exists. Invalid names and inaccessible folders count as no file."""
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False


def why_no_file(path: Path) -> str | None:
    """Return the reason why a path is not that of a file, or None."""
    try:
        if path.is_file():
            return None
        return "it is a folder" if path.is_dir() else "there is no such file"
    except (OSError, ValueError) as problem:  # an invalid file name
        return str(getattr(problem, "strerror", None) or problem).lower()


def shown(path: Path) -> str:
    """Return a file's name for messages: relative to the working directory if it lies below it."""
    if path == STANDARD_INPUT:
        return "<stdin>"
    here = Path.cwd()
    return str(path.relative_to(here)) if path.is_relative_to(here) else str(path)


def read_standard_input(name: str = "<stdin>") -> str:
    """Return the standard input as text, with the checks for files. Raises TheoryError (HB004, HB005)."""
    if sys.stdin is None:
        raise _unreadable(name, "the standard input is closed")
    return decode(sys.stdin.buffer.read(MAX_TEXT + 1), name)


def decode(data: bytes, name: str, otherwise: str | None = None) -> str:
    """Return the text of bytes in UTF-8, or else in the encoding `otherwise`. Raises TheoryError (HB004,
    HB005).
    """
    if data.startswith(SQLITE):
        message, way_out = (
            "this is a SQLite file, and a text is wanted",
            "a store is given in the place of THEORY",
        )
        raise TheoryError([error("HB005", message, Span(name, 1, 1, 1, 1), way_out)], {})
    if len(data) > MAX_TEXT:
        span = Span(name, 1, 1, 1, 1)
        raise TheoryError(
            [error("HB004", f"the file has more than {MAX_TEXT:,} bytes", span, "split it")], {}
        )
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as problem:
        if otherwise is not None and not data.startswith((b"\xff\xfe", b"\xfe\xff")):
            return data.decode(otherwise)
        # The position is relative to the end of the byte order mark, if there is one.
        start = problem.start + 3 * data.startswith(b"\xef\xbb\xbf")
        before = with_plain_ends(data[:start].decode("utf-8-sig", errors="replace"))
        line, column = before.count("\n") + 1, len(before) - (before.rfind("\n") + 1) + 1
        span = Span(name, line, column, line, column + 1)
        message = f"the file is not UTF-8: byte 0x{data[start]:02X}"
        help_line = "save it as UTF-8"
        if data.startswith((b"\xff\xfe", b"\xfe\xff")):
            help_line += "; it seems to be UTF-16"
        text = data.decode("utf-8-sig", errors="replace")
        raise TheoryError([error("HB005", message, span, help_line)], {name: text}) from None


def _unreadable(name: str, reason: str, help_line: str = "") -> TheoryError:
    span = Span(name, 1, 1, 1, 1)
    return TheoryError([error("HB005", f"the file cannot be read: {reason}", span, help_line)], {})
