r"""All output of commands passes through here, escaped so that a terminal never interprets it.

Both streams are screened while a command runs, so that no command can forget to. Where a character stands that a terminal
obeys or does not show, `\u001b` is printed for it; in JSON that is the same character. Only what draws on a terminal itself
(the line editor, bars, colours) gets past, and must screen the words in it.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TextIO, cast

from hornbook.kb.text.escaping import visible, written_out


class _Screened:
    """A stream for text that shows what it is given as `visible` does; all else is the stream's that it stands before."""

    def __init__(self, stream: TextIO) -> None:
        self.stream = stream

    def __getattr__(self, name: str) -> Any:
        return getattr(self.stream, name)

    @property
    def encoding(self) -> str:
        """Never ASCII: who cannot write all to it would write past it. What the stream cannot take is written out below."""
        own = self.stream.encoding or ""
        return own if "utf" in own.lower() else "utf-8"

    def write(self, text: str) -> int:
        shown = visible(text)
        try:
            self.stream.write(shown)
        except UnicodeEncodeError:
            self.stream.write(re.sub(r"[^\x00-\x7f]", written_out, shown))
        return len(text)

    def writelines(self, lines: Iterable[str]) -> None:
        for line in lines:
            self.write(line)


@contextmanager
def screened() -> Iterator[None]:
    """While it lasts, what is printed and what is said on the error stream is screened; of a closed one it is lost."""
    out, err = sys.stdout, sys.stderr
    with Path(os.devnull).open("w", encoding="utf-8") as nowhere:
        # Python has None for a stream that is closed when it starts.
        sys.stdout, sys.stderr = (cast(TextIO, _Screened(stream or nowhere)) for stream in (out, err))
        try:
            yield
        finally:
            sys.stdout, sys.stderr = out, err


def past_the_screen(stream: TextIO) -> TextIO:
    """The terminal itself, for what draws on it; the words in that are to be made `visible` first."""
    return stream.stream if isinstance(stream, _Screened) else stream


def print_exactly(text: str) -> None:
    """Prints a text that a file or another program takes as it stands; a terminal still gets it screened."""
    buffer = getattr(sys.stdout, "buffer", None)
    if buffer is None or sys.stdout.isatty():
        sys.stdout.write(text)
        return
    sys.stdout.flush()
    # As bytes, because the line ends of the text are to stay what they are.
    buffer.write(text.encode())
    buffer.flush()
