"""The command `hornbook`: its commands, how it starts, and how it ends.

Only the module of the requested command is imported. `hornbook --version` or a cached check therefore does
not wait for imports of other commands.
"""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any, TextIO

import typer

from hornbook import __version__
from hornbook.command_list import COMMANDS, GROUPS
from hornbook.commands.options import flag
from hornbook.kb.hornbook_error import RecordWarning
from hornbook.kb.text.escaping import on_one_line, visible
from hornbook.kb.text.streams import forget_streams
from hornbook.old_spellings import modern
from hornbook.terminal.failure import ArgumentError, ReportedError, report, wants_traceback
from hornbook.terminal.screen import screened


def load(name: str) -> Any:
    """Import the module of a command and return its function."""
    from hornbook.commands.single_options import with_single_options  # noqa: PLC0415 - the same
    from hornbook.kb.sources.collector import collector_paused  # noqa: PLC0415 - only commands need it

    command = COMMANDS[name]
    with collector_paused():  # an import leaves little garbage
        module = import_module(f"hornbook.commands.{command.module}")
    function: Any = getattr(module, command.function or command.module.rpartition(".")[2])
    return with_single_options(function)


def _not_loaded() -> None:
    """Stand for a command that is only listed."""
    raise AssertionError("a command ran that was not loaded")


def _version(is_requested: bool) -> None:
    if is_requested:
        typer.echo(f"hornbook {__version__}")
        raise typer.Exit


def _root(
    version: Annotated[
        bool, flag("--version", "Show the version and exit.", callback=_version, is_eager=True)
    ] = False,
) -> None:
    """Write what you know about a domain, check it, query it, and ask why."""


def build(arguments: Sequence[str]) -> typer.Typer:
    """Return the application for one command line. It loads the named command and only lists the others."""
    app = _application()
    app.callback()(_root)
    first, second = [*(each for each in arguments if not each.startswith("-")), "", ""][:2]
    groups = {name: _application() for name in GROUPS}
    for name, command in COMMANDS.items():
        group, _, inner = name.rpartition(" ")
        place = groups[group] if group else app
        if name == (f"{first} {second}" if group else first):
            place.command(inner)(_wrapped(name))
        else:
            place.command(inner, help=command.summary)(_not_loaded)
    for name, group_app in groups.items():
        app.add_typer(group_app, name=name, help=GROUPS[name])
    return app


def _application() -> typer.Typer:
    return typer.Typer(
        no_args_is_help=True,
        rich_markup_mode=None,  # brackets in help texts are literal, and errors have one line
        pretty_exceptions_enable=False,
        # Output passes through `screened`, which decides on colours.
        context_settings={"help_option_names": ["-h", "--help"], "color": True},
    )


def _wrapped(name: str) -> Any:
    """Return the function of a command with the common options and checks."""
    from hornbook.commands.no_adapters import with_option  # noqa: PLC0415 - slow to import
    from hornbook.commands.outputs import with_safe_outputs  # noqa: PLC0415 - slow to import
    from hornbook.terminal.code_exits import exits_are_errors  # noqa: PLC0415 - slow to import

    function = load(name)
    if COMMANDS[name].loads_theory:
        function = with_option(exits_are_errors(function))
    return _failures_of_commands()(with_safe_outputs(function))


@contextmanager
def _failures_of_commands() -> Iterator[None]:
    """Turn errors about arguments, and failures that are already reported, into exceptions of typer."""
    try:
        yield
    except ArgumentError as problem:
        raise typer.BadParameter(str(problem), param_hint=problem.argument) from None
    except ReportedError as problem:
        raise typer.Exit(problem.exit_code) from None


def _given() -> list[str]:
    """Return the command line, or the part of it that a shell wants to complete."""
    if "_HORNBOOK_COMPLETE" not in os.environ:
        return sys.argv[1:]
    line = os.environ.get("COMP_WORDS") or os.environ.get("_TYPER_COMPLETE_ARGS", "")
    return line.split()[1:3]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command line and return the exit code. Errors are printed and never raised."""
    arguments = _given() if arguments is None else arguments
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
        typer.echo(f"warning: {visible(str(message))}", err=True)
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
    try:
        build(arguments)(arguments, prog_name="hornbook")
    except SystemExit as end:
        # A pipe without a reader is noticed only when the buffer is written.
        sys.stdout.flush()
        return end.code if isinstance(end.code, int) else 0 if end.code is None else 1
    raise AssertionError("typer ends with an exit code")
