"""The session without a terminal: lines are read from a pipe, and each request is answered as it is complete.

Nothing is asked or coloured. What goes wrong is told on the error stream, the lines after it are read all the
same, and the exit code says that something did.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from itertools import chain, repeat

from hornbook.repl.carry_out import Reply, carry_out
from hornbook.repl.request import breaks_off, is_complete, read
from hornbook.repl.session import Session
from hornbook.terminal.code_exits import exits_are_errors
from hornbook.terminal.coloured import show
from hornbook.terminal.failure import describe, wants_traceback
from hornbook.terminal.screen import show_report

PROMPT = "> "
CONTINUATION = "| "


def requests(lines: Iterable[str]) -> Iterator[str]:
    """The lines gathered to whole requests; what the end leaves unfinished is given too."""
    typed = ""
    for line in lines:
        if typed and breaks_off(line):
            yield typed.rstrip("\n")
            typed = ""
        typed += line.rstrip("\r\n")
        if is_complete(typed):
            yield typed
            typed = ""
        else:
            typed += "\n"
    if typed.strip():
        yield typed


def run_lines(session: Session, lines: Iterable[str], *, echo: bool = False) -> int:
    """Answers request after request, and gives the exit code. With `echo` they are printed as at a prompt."""
    code = 0
    for typed in requests(lines):
        if echo:
            marks = chain([PROMPT], repeat(CONTINUATION))
            rows = zip(marks, typed.split("\n"), strict=False)
            sys.stdout.writelines(f"{mark}{row}".rstrip() + "\n" for mark, row in rows)
        reply, failed = answer(session, typed)
        code = code or failed
        if reply.ends:
            break
    return code


def answer(session: Session, typed: str) -> tuple[Reply, int]:
    """Answers one request and prints what it gives. An interruption passes; what a line got wrong does not."""
    try:
        with exits_are_errors:
            reply = carry_out(session, read(typed))
    except Exception as problem:
        if wants_traceback():
            raise
        text, code = describe(problem)
        sys.stdout.flush()
        show(text, sys.stderr)
        return Reply(""), code
    finally:
        session.line += typed.count("\n") + 1
    if reply.warnings:
        show(reply.warnings, sys.stderr)
    if reply.text:
        show_report(reply.text)
        sys.stdout.flush()
    return reply, 0
