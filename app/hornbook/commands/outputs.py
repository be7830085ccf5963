"""Checks of output files: no command replaces an input, a theory, code, proofs or a store.

The check precedes the work, because a refusal after a long search would lose its result.
"""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable, Iterator, Mapping
from functools import wraps
from pathlib import Path
from typing import Any, get_args

from hornbook.commands.parameters import parameter_of
from hornbook.kb.text.escaping import on_one_line
from hornbook.terminal.failure import ArgumentError

OPTIONS = ("--into", "--svg", "--html", "--mermaid", "--pgn", "--refutation", "--trace", "--save", "into")
"""Options with an output file or folder as value, and the argument of `store export`."""
OF_THEORIES = (
    *("rules.learn", "rules.relearn", "rules.learn_plans", "rules.invent"),
    *("stores.store", "theories.regress", "theories.import_pydatalog"),
)
"""The modules of commands that write theories, rule bases or stores and check `--into` or `into` themselves.
"""
OF_DATABASES = ("theories.run", "questions.query", "rules.match", "firm.advise")
"""The modules of commands that may write to a table of an existing database and refuse stores themselves."""
_OF_NO_FILE = frozenset({None, "TEXT", "LOCALE"})
"""The names in `--help` of values that are no files unless they are paths. Flags and choices have none."""
_MARK = "outputs_are_safe"
CONTINUED = frozenset({("--save", "--resume")})
"""Pairs of an output and an input option that may name one file. A resumed game is saved in its own file."""


def with_safe_outputs(command: Callable[..., Any]) -> Callable[..., Any]:
    """Return the command with a check that its outputs replace no protected file. The check raises
    ArgumentError.
    """
    options = {
        name: _option(each)
        for name, each in inspect.signature(command, eval_str=True).parameters.items()
        if _may_name_files(each)
    }
    if not any(option in OPTIONS for option in options.values()):
        return command

    @wraps(command)
    def run(*given: Any, **named: Any) -> Any:
        _must_be_safe(
            command.__module__.removeprefix("hornbook.commands."),
            {options[name]: value for name, value in named.items() if name in options},
        )
        return command(*given, **named)

    setattr(run, _MARK, True)
    return run


def _may_name_files(parameter: inspect.Parameter) -> bool:
    declared = parameter_of(parameter.annotation)
    if declared is None or declared.settings.get("metavar") not in _OF_NO_FILE:
        return True
    kind = get_args(parameter.annotation)[0]
    return Path in (kind, *get_args(kind))


def _option(parameter: inspect.Parameter) -> str:
    """Return the long option of a parameter, such as `--into`, or the name of an argument."""
    declared = parameter_of(parameter.annotation)
    return declared.long if declared is not None and declared.names else parameter.name


def _must_be_safe(command: str, values: Mapping[str, Any]) -> None:
    from hornbook.kb.sources.files import is_sqlite  # noqa: PLC0415 - slow to import
    from hornbook.kb.sources.shadowing import PROTECTED, is_protected  # noqa: PLC0415 - the same
    from hornbook.kb.tables.database_files import is_database  # noqa: PLC0415 - the same

    for option, output in values.items():
        if option not in OPTIONS or not isinstance(output, Path):
            continue
        writes_theories = option in ("--into", "into") and command in OF_THEORIES
        is_table = option == "--into" and command in OF_DATABASES and is_database(output)
        if not writes_theories and (is_protected(output) or (is_sqlite(output) and not is_table)):
            raise ArgumentError(
                f"`{on_one_line(str(output))}` would replace a theory, code, proofs or a store; give a"
                " name that does not end in"
                f" {', '.join(PROTECTED)} and is no store",
                option,
            )
        for other, value in values.items():
            if other == option or (option, other) in CONTINUED or (writes_theories and other == "theory"):
                continue
            if any(_are_one(output, path) for path in _paths(value)):
                what = "is an output too" if other in OPTIONS else "is an input, and would be replaced"
                raise ArgumentError(
                    f"`{on_one_line(str(output))}` {what} ({other}); give another name", option
                )


def _paths(value: object) -> Iterator[str]:
    """Yield the files that a value may name: itself, `PREDICATE=FILE`, `FILE#THEORY` or `FILE::TABLE`."""
    if isinstance(value, list | tuple):
        for each in value:
            yield from _paths(each)
    elif isinstance(value, str | Path):
        text = str(value)
        yield text
        yield text.partition("=")[2]
        yield text.rpartition("#")[0]


def _are_one(output: Path, other: str) -> bool:
    """Return whether both paths denote one file, existing or not."""
    if not other or "\0" in other or output.is_dir():
        return False
    try:
        return output.samefile(other)
    except (OSError, ValueError):
        return os.path.realpath(output) == os.path.realpath(other)
