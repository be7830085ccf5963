"""A session without a terminal: lines are read from a pipe, and each complete request is answered.

There are no prompts and no colours. Errors are printed on the error stream, reading continues, and the exit
code reports whether an error occurred.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from itertools import chain, repeat

from hornbook.repl.execution import RequestReply, execute
from hornbook.repl.request import breaks_off, is_complete, read
from hornbook.repl.session import Session
from hornbook.terminal.code_exits import exits_are_errors
from hornbook.terminal.coloured import show
from hornbook.terminal.failure import describe, wants_traceback
from hornbook.terminal.screen import show_report

PROMPT = "> "
CONTINUATION = "| "


def requests(lines: Iterable[str]) -> Iterator[str]:
    """Yield the lines grouped into complete requests, and an incomplete one at the end."""
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
    """Answer each request and return the exit code. With `echo`, the requests are printed as at a prompt."""
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


def answer(session: Session, typed: str) -> tuple[RequestReply, int]:
    """Answer one request, print the reply, and return it with an exit code."""
    try:
        with exits_are_errors:
            reply = execute(session, read(typed))
    except Exception as problem:
        if wants_traceback():
            raise
        text, code = describe(problem)
        sys.stdout.flush()
        show(text, sys.stderr)
        return RequestReply(""), code
    finally:
        session.line += typed.count("\n") + 1
    if reply.warnings:
        show(reply.warnings, sys.stderr)
    if reply.text:
        show_report(reply.text)
        sys.stdout.flush()
    return reply, 0
