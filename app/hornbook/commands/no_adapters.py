"""The option `--no-adapters` of every command that loads a theory. It disables code in theory folders."""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import Annotated, Any

from hornbook.commands.options import flag
from hornbook.kb.sources.locate import NO_ADAPTERS

Option = Annotated[
    bool, flag("--no-adapters", "Run no code in the folder of a theory (its adapter and domain).")
]


def with_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """Return the command with the option `--no-adapters`. A command that already has it is returned
    unchanged.
    """
    signature = inspect.signature(command, eval_str=True)
    if "no_adapters" in signature.parameters:
        return command

    @wraps(command)
    def run(*given: Any, no_adapters: bool, **named: Any) -> Any:
        with _forbidden(forbidden=no_adapters):
            return command(*given, **named)

    option = inspect.Parameter(
        "no_adapters", inspect.Parameter.KEYWORD_ONLY, default=False, annotation=Option
    )
    parameters = [*signature.parameters.values(), option]
    run.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]
    run.__annotations__ = {each.name: each.annotation for each in parameters}
    return run


@contextmanager
def _forbidden(*, forbidden: bool) -> Iterator[None]:
    """Disable adapters in this process and in processes started within the context."""
    before = os.environ.get(NO_ADAPTERS)
    if forbidden:
        os.environ[NO_ADAPTERS] = "1"
    try:
        yield
    finally:
        if forbidden:
            del os.environ[NO_ADAPTERS]
            if before is not None:
                os.environ[NO_ADAPTERS] = before
