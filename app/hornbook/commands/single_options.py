"""Commands whose parameters are groups of options, as commands with single options."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import fields, is_dataclass
from functools import wraps
from typing import Any, get_type_hints


def with_single_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Return the command with a parameter for each option of a group, in place of the group."""
    signature = inspect.signature(command, eval_str=True)
    groups: dict[str, Any] = {
        name: each.annotation for name, each in signature.parameters.items() if is_dataclass(each.annotation)
    }
    if not groups:
        return command

    @wraps(command)
    def run(**given: Any) -> Any:
        for name, group in groups.items():
            given[name] = group(**{field.name: given.pop(field.name) for field in fields(group)})
        return command(**given)

    parameters = [
        single
        for name, each in signature.parameters.items()
        for single in (_single(groups[name]) if name in groups else [each])
    ]
    keyword_only = [each.replace(kind=inspect.Parameter.KEYWORD_ONLY) for each in parameters]
    run.__signature__ = signature.replace(parameters=keyword_only)  # type: ignore[attr-defined]
    run.__annotations__ = {each.name: each.annotation for each in keyword_only}
    return run


def _single(group: Any) -> list[inspect.Parameter]:
    """Return a parameter for each option of a group."""
    kinds = get_type_hints(group, include_extras=True)
    return [
        inspect.Parameter(
            field.name, inspect.Parameter.KEYWORD_ONLY, default=field.default, annotation=kinds[field.name]
        )
        for field in fields(group)
    ]
