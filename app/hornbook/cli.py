"""The command `hornbook`: how it starts, and how it ends.

Only the module of the requested command is imported. A command line without mistakes runs without typer
(`application.py`), which is slow to import.
"""

from __future__ import annotations

import gc
import os
import sys
import warnings
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any, TextIO

from hornbook.command_list import COMMANDS, GROUPS, with_common_options
from hornbook.kb.hornbook_error import RecordWarning
from hornbook.kb.text.escaping import on_one_line, visible
from hornbook.kb.text.streams import forget_streams
from hornbook.old_spellings import modern
from hornbook.terminal.failure import report, wants_traceback
from hornbook.terminal.messages import warn
from hornbook.terminal.screen import screened


def _given() -> list[str]:
    """Return the command line, or the part of it that a shell wants to complete."""
    if "_HORNBOOK_COMPLETE" not in os.environ:
        return sys.argv[1:]
    line = os.environ.get("COMP_WORDS") or os.environ.get("_TYPER_COMPLETE_ARGS", "")
    return line.split()[1:3]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command line and return the exit code. Errors are printed and never raised.

    Without arguments, the command line is that of the process, which ends afterwards.
    """
    if arguments is not None:
        return _main(arguments)
    code = _main(_given())
    gc.freeze()  # the interpreter need not search all objects for garbage before it ends
    return code


def _main(arguments: Sequence[str]) -> int:
    forget_streams()
    warnings.showwarning = _show_warning
    warnings.simplefilter("always", RecordWarning)
    with screened(is_help=not {"-h", "--help"}.isdisjoint(arguments)):
        if wants_traceback():
            return _run(arguments)
        try:
            return _run(arguments)
        except (Exception, KeyboardInterrupt) as problem:  # noqa: BLE001 - the last place that can report an error
            return report(problem)


_show_usual = warnings.showwarning


def _show_warning(
    message: Warning | str,
    category: type[Warning],
    filename: str,
    lineno: int,
    file: TextIO | None = None,
    line: str | None = None,
) -> None:
    """Print a warning about a record in the style of commands, and any other warning in Python's style."""
    if issubclass(category, RecordWarning):
        warn(f"warning: {visible(str(message))}")
    else:
        _show_usual(message, category, filename, lineno, file, line)


_MISSING_COMMAND = """\
Error: `{file}` is a file, and a command comes first. To find the mistakes in it: hornbook check {file}
To answer a query: hornbook query {file} 'PREDICATE(?x)'. All commands: hornbook --help
"""


def _is_file(argument: str) -> bool:
    """Return whether the first argument is a file or has the suffix of theories, and is not a command."""
    name = argument.partition(" ")[0]
    is_command = name in GROUPS or name in COMMANDS
    return not (is_command or name.startswith("-")) and (name.endswith(".horn") or Path(argument).is_file())


def _run(arguments: Sequence[str]) -> int:
    arguments, notes = modern(arguments)
    for note in notes:
        sys.stderr.write(f"{note}\n")
    if arguments and _is_file(arguments[0]):
        sys.stderr.write(_MISSING_COMMAND.format(file=on_one_line(arguments[0])))
        return 2
    problem: BaseException | None = None
    if (ready := _plain_command(arguments)) is not None:
        try:
            ready()
        except BaseException as raised:  # noqa: BLE001 - typer decides what follows from it
            problem = raised
        else:
            sys.stdout.flush()
            return 0
    from hornbook.application import build  # noqa: PLC0415 - slow to import

    try:
        build(arguments, problem)(arguments, prog_name="hornbook")
    except SystemExit as end:
        # A pipe without a reader is noticed only when the buffer is written.
        sys.stdout.flush()
        return end.code if isinstance(end.code, int) else 0 if end.code is None else 1
    raise AssertionError("typer ends with an exit code")


def _plain_command(arguments: Sequence[str]) -> Callable[[], Any] | None:
    """Return the call of the command, or None if the command line is left to typer."""
    number = 2 if arguments and arguments[0] in GROUPS else 1
    name = " ".join(arguments[:number])
    if name not in COMMANDS or "_HORNBOOK_COMPLETE" in os.environ:
        return None
    from hornbook.commands.plain_lines import plain_values  # noqa: PLC0415 - only commands need it

    function = with_common_options(name)
    values = plain_values(function, arguments[number:])
    return None if values is None else partial(function, **values)
