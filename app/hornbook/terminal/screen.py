r"""The filter for all output of commands: terminals interpret nothing in it, and files get it unchanged.

On a terminal, a control or invisible character is printed as an escape such as `\u001b`, which denotes the
same character in JSON. A file or pipe gets every character unchanged, or an error if its encoding lacks the
character. The error stream has messages for people, so it is always escaped. Only code that draws on a
terminal (the line editor, bars, colours) bypasses the filter, and must make its text `visible` first.
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
from hornbook.matcher.program.hornbook_error import HornbookError


class OutputEncodingError(HornbookError):
    """The encoding of a file or pipe lacks a character of the output."""


class _Screened:
    """A text stream that escapes its input always, or only on a terminal. Other calls go to the wrapped
    stream.
    """

    def __init__(self, stream: TextIO, *, escaped: bool) -> None:
        self.stream = stream
        self.escaped = escaped

    def __getattr__(self, name: str) -> Any:
        return getattr(self.stream, name)

    @property
    def encoding(self) -> str:
        """Return the stream's encoding, or UTF-8 if it is not a Unicode encoding.

        Callers write around this stream if they think that it cannot encode every character. `write` escapes
        the characters that the stream's own encoding lacks.
        """
        own = self.stream.encoding or ""
        return own if "utf" in own.lower() else "utf-8"

    def write(self, text: str) -> int:
        if self.escaped or is_terminal(self.stream):
            self._write_escaped(text)
            return len(text)
        try:
            self.stream.write(text)
        except UnicodeEncodeError as problem:
            raise _lacking(problem, self.stream.encoding) from None
        return len(text)

    def _write_escaped(self, text: str) -> None:
        shown = visible(text)
        try:
            self.stream.write(shown)
        except UnicodeEncodeError:
            self.stream.write(re.sub(r"[^\x00-\x7f]", written_out, shown))

    def writelines(self, lines: Iterable[str]) -> None:
        for line in lines:
            self.write(line)


def is_terminal(stream: TextIO) -> bool:
    """Return whether a stream writes to a terminal."""
    return stream.isatty()


def _lacking(problem: UnicodeEncodeError, encoding: str) -> OutputEncodingError:
    character = problem.object[problem.start]
    return OutputEncodingError(
        f"the output encoding `{encoding}` has no character U+{ord(character):04X} (`{visible(character)}`);"
        " set PYTHONIOENCODING=utf-8, or write a file by an option of the command, such as --into"
    )


def write_message(text: str, stream: TextIO) -> None:
    """Write a text for people. A character that the encoding lacks is written as an escape sequence."""
    try:
        stream.write(text)
    except OutputEncodingError:
        stream.write(re.sub(r"[^\x00-\x7f]", written_out, text))


def show_report(text: str) -> None:
    """Write a text for people to the output, and a line end. Marks that its encoding lacks become ASCII;
    other characters are refused.
    """
    try:
        sys.stdout.write(f"{text}\n")
    except OutputEncodingError:
        sys.stdout.write(_MARK.sub(lambda found: _PLAIN_MARKS.get(found[0], found[0]), f"{text}\n"))


_PLAIN_MARKS = {"…": "...", "→": "->"}
"""Marks of reports that other encodings lack, with what they are in ASCII."""
_MARK = re.compile(r"(?<!\w)'(?:[^'\\\n]|\\.)*'|(?<!\S)[…→](?!\S)")
"""A quoted word, which stays as it is, or a mark that stands alone."""


def written_for(text: str, stream: TextIO) -> str:
    """Return a text with each character written out as an escape sequence if the encoding of a stream lacks
    some of them.
    """
    try:
        text.encode(unfiltered(stream).encoding or "utf-8")
    except (UnicodeEncodeError, LookupError):
        return re.sub(r"[^\x00-\x7f]", written_out, text)
    return text


@contextmanager
def screened(*, is_help: bool = False) -> Iterator[None]:
    """Filter both output streams within the context. Output to a closed stream is lost.

    Help texts address people, so they are escaped.
    """
    out, err = sys.stdout, sys.stderr
    with Path(os.devnull).open("w", encoding="utf-8") as nowhere:
        # Python uses None for a stream that is closed at startup.
        sys.stdout = cast(TextIO, _Screened(out or nowhere, escaped=is_help))
        sys.stderr = cast(TextIO, _Screened(err or nowhere, escaped=True))
        try:
            yield
        finally:
            sys.stdout, sys.stderr = out, err


def unfiltered(stream: TextIO) -> TextIO:
    """Return the unfiltered stream, for drawing on a terminal. Text must be made `visible` first."""
    return stream.stream if isinstance(stream, _Screened) else stream


def print_exactly(text: str) -> None:
    """Print a text for a file or program byte by byte. A terminal still gets it filtered."""
    buffer = getattr(sys.stdout, "buffer", None)
    if buffer is None or is_terminal(sys.stdout):
        sys.stdout.write(text)
        return
    sys.stdout.flush()
    # Write bytes, which keeps the line ends of the text.
    buffer.write(text.encode())
    buffer.flush()
