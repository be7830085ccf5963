"""The headers of messages from an editor, which are checked before a message is read."""

from __future__ import annotations

from typing import BinaryIO

from hornbook.matcher.program.hornbook_error import HornbookError

LARGEST_MESSAGE = 100_000_000
"""The limit of the bytes of a message."""
LONGEST_LINE = 8_192
"""The limit of the bytes of a line in a header."""
MOST_LINES = 100
"""The limit of the lines of a header."""


class FramingError(HornbookError):
    """A header after which the end of the message is not certain, so that no later message can be read."""


class Messages:
    """A stream of messages, each with a checked header that has the length alone.

    Blank lines before a header are skipped. Raises FramingError where a header has not exactly one valid
    length.
    """

    def __init__(self, source: BinaryIO) -> None:
        self._source = source
        self._lines: list[bytes] = []

    def readline(self) -> bytes:
        """Return the next line of a checked header; nothing at the end of the stream."""
        if not self._lines:
            self._lines = _checked_header(self._source)
        return self._lines.pop(0) if self._lines else b""

    def read(self, size: int) -> bytes:
        """Return the content of a message."""
        return self._source.read(size)


def _checked_header(source: BinaryIO) -> list[bytes]:
    """Read a header, and return its length and the blank line after it; nothing at the end of the stream."""
    lengths: list[str] = []
    is_blank = True
    for _ in range(MOST_LINES):
        line = source.readline(LONGEST_LINE + 1)
        if not line:
            if is_blank:
                return []
            raise FramingError("the stream ends within the header of a message")
        if len(line) > LONGEST_LINE:
            raise FramingError(f"a line of a header is longer than {LONGEST_LINE:,} bytes")
        if line.strip():
            is_blank = False
            name, colon, value = line.decode("latin-1").partition(":")
            if not colon:
                raise FramingError(f"a line of a header has no colon: {_shown(name)}")
            if name.strip().lower() == "content-length":
                lengths.append(value.strip())
        elif not is_blank:
            return [b"Content-Length: %d\r\n" % _length(lengths), b"\r\n"]
    raise FramingError(f"a header has more than {MOST_LINES:,} lines")


def _length(found: list[str]) -> int:
    """Return the one length that a header has."""
    if len(found) != 1:
        count = "no `Content-Length`" if not found else "more than one `Content-Length`"
        raise FramingError(f"the header of a message has {count}")
    (value,) = found
    if not (value.isascii() and value.isdigit()) or not value.strip("0"):
        raise FramingError(f"`Content-Length` is not a positive integer: {_shown(value)}")
    if len(value) > 18 or int(value) > LARGEST_MESSAGE:
        raise FramingError(
            f"`Content-Length` is {_shown(value)}, and a message has at most {LARGEST_MESSAGE:,} bytes"
        )
    return int(value)


def _shown(text: str) -> str:
    """Return the begin of a text, on one line and in ASCII."""
    return ascii(text[:40])
