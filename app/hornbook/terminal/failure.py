"""How a command fails: what is printed for an exception, and the exit code.

No traceback is ever printed, whatever went wrong. A HornbookError is made for people, and so are the exceptions of
the operating system; any other is a mistake of ours and says so. With
HORNBOOK_TRACEBACK=1 exceptions are left to Python, for those who mend them. What an adapter that somebody else
wrote raises is told with its place in the adapter.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from traceback import walk_tb

from hornbook.kb.text.escaping import on_one_line
from hornbook.matcher.program.hornbook_error import HornbookError

ERROR = 1
"""The input is wrong, a check failed, or the work cannot be done."""
INTERNAL = 70
"""A mistake of ours (EX_SOFTWARE of BSD)."""
INTERRUPTED = 130
"""Stopped from the keyboard, as shells report it."""


def wants_traceback() -> bool:
    return os.environ.get("HORNBOOK_TRACEBACK", "") not in ("", "0")


def report(problem: BaseException) -> int:
    """Prints what went wrong on the error stream and gives the exit code."""
    match problem:
        case KeyboardInterrupt():
            sys.stderr.write("interrupted\n")
            return INTERRUPTED
        case BrokenPipeError():
            # Nobody reads on; what is still in the buffer must not be written when Python ends.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            return ERROR
        case _:
            text, code = describe(problem)
            sys.stderr.write(f"{text}\n")
            return code


def describe(problem: BaseException) -> tuple[str, int]:
    """What went wrong as text, and the exit code."""
    text = str(problem)
    match problem:
        case OSError(strerror=str() as reason, filename=str() as name):
            return f"error: {on_one_line(name)}: {reason}", ERROR
        case FileNotFoundError(strerror=str()) if not _is_somewhere():
            return "error: the folder that you are in is not there any more; go to one that is", ERROR
        case OSError(strerror=str() as reason):
            return f"error: {reason}", ERROR
        case MemoryError():
            return "error: out of memory", ERROR
        case _ if hasattr(problem, "diagnostics"):
            # Already rendered, with file, line and caret.
            return text, ERROR
        case OSError() | UnicodeError():
            return f"error: {text}", ERROR
        case HornbookError():
            return f"error: {text}", ERROR
        case _:
            line = " ".join(f"{type(problem).__name__}: {text}".split())
            adapter = place_in_code(problem)
            if adapter is not None:
                return f"error: {adapter}: the adapter failed: {line}", ERROR
            return f"internal error: {line}\n{_REPORT}", INTERNAL


_CODE = ("adapter.py", "domain.py", "_native.py")
"""The files beside a theory whose functions Hornbook calls."""
_REPORT = "please report it; HORNBOOK_TRACEBACK=1 shows where it happened"


def is_of_adapter(problem: BaseException) -> bool:
    """Whether the code beside a theory raised what is no error of its input."""
    return not isinstance(problem, HornbookError | OSError) and place_in_code(problem) is not None


def _is_somewhere() -> bool:
    """Whether the working directory is there."""
    try:
        Path.cwd()
    except OSError:
        return False
    return True


def place_in_code(problem: BaseException) -> str | None:
    """Return the file and the line in the code beside a theory at which an exception was raised; None for other exceptions."""
    places = [(Path(frame.f_code.co_filename), line) for frame, line in walk_tb(problem.__traceback__)]
    inside = [f"{file}:{line}" for file, line in places if file.name in _CODE]
    return inside[-1] if inside else None
