r"""All output of commands passes through here, so that a terminal never interprets it and a file gets it unchanged.

On a terminal, `\u001b` is printed for a character that the terminal obeys or does not show; in JSON that is the same character.
A file or a pipe gets every character as it is, or an error if its encoding has no such character. The error stream has messages
for people, so it is always escaped. Only what draws on a terminal itself (the line editor, bars, colours) gets past, and must
screen the words in it.
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
    """The encoding of a file or pipe lacks a character that is to be written to it."""


class _Screened:
    """A stream for text. What it is given is `escaped` always, or only on a terminal; everything else is up to the stream
    below it.
    """

    def __init__(self, stream: TextIO, *, escaped: bool) -> None:
        self.stream = stream
        self.escaped = escaped

    def __getattr__(self, name: str) -> Any:
        return getattr(self.stream, name)

    @property
    def encoding(self) -> str:
        """Never ASCII: who cannot write all to it would write past it. What the stream cannot take is written out below."""
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
    """Whether a terminal shows what is written to a stream."""
    return stream.isatty()


def _lacking(problem: UnicodeEncodeError, encoding: str) -> OutputEncodingError:
    character = problem.object[problem.start]
    return OutputEncodingError(
        f"the output encoding `{encoding}` has no character U+{ord(character):04X} (`{visible(character)}`);"
        " set PYTHONIOENCODING=utf-8, or write a file by an option of the command, such as --into"
    )


def write_message(text: str, stream: TextIO) -> None:
    """Write a text for people. A character that the encoding lacks is written out as an escape sequence."""
    try:
        stream.write(text)
    except OutputEncodingError:
        stream.write(re.sub(r"[^\x00-\x7f]", written_out, text))


def show_report(text: str) -> None:
    """Write a text for people to the output, and a line end. Marks that its encoding lacks become ASCII; other characters are refused."""
    try:
        sys.stdout.write(f"{text}\n")
    except OutputEncodingError:
        sys.stdout.write(_MARK.sub(lambda found: _PLAIN_MARKS.get(found[0], found[0]), f"{text}\n"))


_PLAIN_MARKS = {"…": "...", "→": "->"}
"""Marks of reports that other encodings lack, with what they are in ASCII."""
_MARK = re.compile(r"(?<!\w)'(?:[^'\\\n]|\\.)*'|(?<!\S)[…→](?!\S)")
"""A quoted word, which stays as it is, or a mark that stands alone."""


def written_for(text: str, stream: TextIO) -> str:
    """Return a text with each character written out as an escape sequence if the encoding of a stream lacks some of them."""
    try:
        text.encode(past_the_screen(stream).encoding or "utf-8")
    except (UnicodeEncodeError, LookupError):
        return re.sub(r"[^\x00-\x7f]", written_out, text)
    return text


@contextmanager
def screened(*, is_help: bool = False) -> Iterator[None]:
    """Screen both streams while it lasts; what is written to a closed one is lost. Help is for people, so it is escaped."""
    out, err = sys.stdout, sys.stderr
    with Path(os.devnull).open("w", encoding="utf-8") as nowhere:
        # Python has None for a stream that is closed when it starts.
        sys.stdout = cast(TextIO, _Screened(out or nowhere, escaped=is_help))
        sys.stderr = cast(TextIO, _Screened(err or nowhere, escaped=True))
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
    if buffer is None or is_terminal(sys.stdout):
        sys.stdout.write(text)
        return
    sys.stdout.flush()
    # As bytes, because the line ends of the text are to stay what they are.
    buffer.write(text.encode())
    buffer.flush()
