"""The command line as typer reads it: all commands with their help texts, and messages about mistakes.

A command line without mistakes does not come here (`commands/plain_lines.py`), because typer is slow to
import.

Invariants: Only the requested command is imported, and the others are only listed.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import wraps
from typing import Annotated, Any

import typer

from hornbook import __version__
from hornbook.command_list import COMMANDS, GROUPS, with_common_options
from hornbook.commands.options import flag
from hornbook.commands.parameters import Parameter, parameter_of
from hornbook.terminal.failure import ArgumentError, ReportedError


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


def build(arguments: Sequence[str], problem: BaseException | None = None) -> typer.Typer:
    """Return the application for one command line. It loads the named command and only lists the others.

    With a `problem`, the command ran already, and raises this problem again.
    """
    app = _application()
    app.callback()(declared_for_typer(_root))
    first, second = [*(each for each in arguments if not each.startswith("-")), "", ""][:2]
    groups = {name: _application() for name in GROUPS}
    for name, command in COMMANDS.items():
        group, _, inner = name.rpartition(" ")
        place = groups[group] if group else app
        if name == (f"{first} {second}" if group else first):
            place.command(inner)(_wrapped(name, problem))
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


def _wrapped(name: str, problem: BaseException | None) -> Callable[..., Any]:
    """Return the function of a command with the common options and checks, for typer."""
    function = with_common_options(name)

    @wraps(function)
    def run(**given: Any) -> Any:
        if problem is not None:
            raise problem
        return function(**given)

    return declared_for_typer(_failures_of_commands()(run))


def declared_for_typer(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function whose parameters are declared for typer."""
    signature = inspect.signature(function, eval_str=True)
    parameters = [
        each.replace(annotation=_for_typer(each.annotation)) for each in signature.parameters.values()
    ]

    @wraps(function)
    def run(*given: Any, **named: Any) -> Any:
        return function(*given, **named)

    run.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]
    run.__annotations__ = {each.name: each.annotation for each in parameters}
    return run


def _for_typer(annotation: Any) -> Any:
    declared = parameter_of(annotation)
    if declared is None:
        return annotation
    return Annotated[annotation.__origin__, _typer_declaration(declared)]


def _typer_declaration(declared: Parameter) -> Any:
    if declared.names:
        return typer.Option(*declared.names, **declared.settings)
    return typer.Argument(**declared.settings)


@contextmanager
def _failures_of_commands() -> Iterator[None]:
    """Turn errors about arguments, and failures that are already reported, into exceptions of typer."""
    try:
        yield
    except ArgumentError as problem:
        raise typer.BadParameter(str(problem), param_hint=problem.argument) from None
    except ReportedError as problem:
        raise typer.Exit(problem.exit_code) from None
