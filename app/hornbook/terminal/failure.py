"""Failures of commands: the text printed for an exception, and the exit code.

No traceback is printed. The messages of HornbookError and of operating system errors address users. Any other
exception is a bug in Hornbook and is reported as one. With HORNBOOK_TRACEBACK=1, exceptions are left to
Python for debugging. An exception in a third-party adapter is reported with its place in the adapter.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from hornbook.kb.text.escaping import on_one_line
from hornbook.matcher.program.hornbook_error import HornbookError

ERROR = 1
"""The exit code if the input is wrong, a check failed, or the work cannot be done."""
INTERNAL = 70
"""The exit code of a bug in Hornbook (EX_SOFTWARE of BSD)."""
INTERRUPTED = 130
"""The exit code after Ctrl-C, as shells report it."""


class ArgumentError(HornbookError):
    """An argument or option of a command has an unusable value. The exit code of the command is 2."""

    def __init__(self, message: str, argument: str | None = None) -> None:
        self.argument = argument
        """The argument, such as `THEORY`, or the option, such as `--into`."""
        super().__init__(message)


class ReportedError(HornbookError):
    """The work failed and its report is already printed. The command ends with the exit code."""

    def __init__(self, exit_code: int = ERROR) -> None:
        self.exit_code = exit_code
        super().__init__("the report says what failed")


def wants_traceback() -> bool:
    return os.environ.get("HORNBOOK_TRACEBACK", "") not in ("", "0")


def report(problem: BaseException) -> int:
    """Print an exception on the error stream and return the exit code."""
    match problem:
        case KeyboardInterrupt():
            sys.stderr.write("interrupted\n")
            return INTERRUPTED
        case BrokenPipeError():
            # The reader has closed the pipe. Python must not write the rest of the buffer at exit.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            return ERROR
        case _:
            text, code = describe(problem)
            sys.stderr.write(f"{text}\n")
            return code


def describe(problem: BaseException) -> tuple[str, int]:
    """Return a text for an exception, and the exit code."""
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
            # The text is already rendered with file, line and caret.
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
    """Return whether code in a theory's folder raised an exception that is not an error in its input."""
    return not isinstance(problem, HornbookError | OSError) and place_in_code(problem) is not None


def _is_somewhere() -> bool:
    """Return whether the working directory exists."""
    try:
        Path.cwd()
    except OSError:
        return False
    return True


def place_in_code(problem: BaseException) -> str | None:
    """Return the file and line of the adapter that raised an exception, or None."""
    from traceback import walk_tb  # noqa: PLC0415 - slow to import

    places = [(Path(frame.f_code.co_filename), line) for frame, line in walk_tb(problem.__traceback__)]
    inside = [f"{file}:{line}" for file, line in places if file.name in _CODE]
    return inside[-1] if inside else None
