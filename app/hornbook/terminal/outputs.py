"""Files that commands write: no command replaces a file that it reads, a theory, code, proofs or a store.

The check comes before the work, since a refusal after a long search would lose its result.
"""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable, Iterator, Mapping
from functools import wraps
from pathlib import Path
from typing import Any

import typer

from hornbook.kb.sources.files import is_sqlite
from hornbook.kb.sources.shadowing import PROTECTED, is_protected
from hornbook.kb.tables.database_files import is_database
from hornbook.kb.text.escaping import on_one_line

OPTIONS = ("--into", "--svg", "--html", "--mermaid", "--pgn", "--refutation", "--trace", "--save", "into")
"""Options whose values are files or folders to write, and the argument of `store export`."""
OF_THEORIES = (
    *("rules.learn", "rules.relearn", "rules.learn_plans", "rules.invent"),
    *("stores.store", "theories.regress", "theories.import_pydatalog"),
)
"""Commands, by their modules, whose `--into` or `into` is a theory, a rule base or a store, and has checks of its own."""
OF_DATABASES = ("theories.run", "questions.query", "rules.match", "firm.advise")
"""Commands whose `--into` may be a table of a database that exists, and which refuse a store themselves."""
_MARK = "outputs_are_safe"
CONTINUED = frozenset({("--save", "--resume")})
"""Options of an output and an input that may be one file: a game that goes on is saved where it was."""


def with_safe_outputs(command: Callable[..., Any]) -> Callable[..., Any]:
    """The command, which raises BadParameter first if an output would replace a file that has to stay."""
    options = {
        name: _option(each) for name, each in inspect.signature(command, eval_str=True).parameters.items()
    }
    if not any(option in OPTIONS for option in options.values()):
        return command

    @wraps(command)
    def run(*given: Any, **named: Any) -> Any:
        _must_be_safe(
            command.__module__.removeprefix("hornbook.commands."),
            {options[name]: value for name, value in named.items()},
        )
        return command(*given, **named)

    setattr(run, _MARK, True)
    return run


def _option(parameter: inspect.Parameter) -> str:
    """The option, `--into`, or the name of an argument."""
    for each in getattr(parameter.annotation, "__metadata__", ()):
        if isinstance(each, typer.models.OptionInfo):
            # In an annotation, Typer takes the first name of an option for its default.
            names = (each.default, *(each.param_decls or ()))
            long = (one for one in names if isinstance(one, str) and one.startswith("--"))
            return next(long, f"--{parameter.name.replace('_', '-')}")
    return parameter.name


def _must_be_safe(command: str, values: Mapping[str, Any]) -> None:
    for option, output in values.items():
        if option not in OPTIONS or not isinstance(output, Path):
            continue
        writes_theories = option in ("--into", "into") and command in OF_THEORIES
        is_table = option == "--into" and command in OF_DATABASES and is_database(output)
        if not writes_theories and (is_protected(output) or (is_sqlite(output) and not is_table)):
            raise typer.BadParameter(
                f"`{on_one_line(str(output))}` would replace a theory, code, proofs or a store; give a name that does not end in"
                f" {', '.join(PROTECTED)} and is no store",
                param_hint=option,
            )
        for other, value in values.items():
            if other == option or (option, other) in CONTINUED or (writes_theories and other == "theory"):
                continue
            if any(_are_one(output, path) for path in _paths(value)):
                what = "is written too" if other in OPTIONS else "is read, and would be replaced"
                raise typer.BadParameter(
                    f"`{on_one_line(str(output))}` {what} ({other}); give another name", param_hint=option
                )


def _paths(value: object) -> Iterator[str]:
    """The files that a value may name: itself, `PREDICATE=FILE`, `FILE#THEORY` or `FILE::TABLE`."""
    if isinstance(value, list | tuple):
        for each in value:
            yield from _paths(each)
    elif isinstance(value, str | Path):
        text = str(value)
        yield text
        yield text.partition("=")[2]
        yield text.rpartition("#")[0]


def _are_one(output: Path, other: str) -> bool:
    """Whether both are one file by any spelling, or will be."""
    if not other or "\0" in other or output.is_dir():
        return False
    try:
        return output.samefile(other)
    except (OSError, ValueError):
        return os.path.realpath(output) == os.path.realpath(other)
