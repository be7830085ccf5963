"""The reader of command lines without mistakes. It only reads what typer would read in the same way.

Invariants: a line that it reads has the same values as with typer. It gives up on all others, such as those
with `--help`, a mistake, or an unusual value. A test compares both on random lines for each command.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Mapping, Sequence
from enum import Enum
from pathlib import Path
from types import NoneType
from typing import Any, Literal, get_args, get_origin

from hornbook.commands.parameters import Parameter, parameter_of

_KNOWN = frozenset(("metavar", "help", "autocompletion", "show_default", "hidden", "min", "max"))
"""The settings that change no value, and the bounds of numbers."""
_INTEGER = re.compile(r"[0-9]{1,18}", re.ASCII)
_NUMBER = re.compile(r"[0-9]{1,15}(?:\.[0-9]{1,15})?", re.ASCII)


class _UnclearError(Exception):
    """A line that is left to typer."""


def plain_values(function: Callable[..., Any], words: Sequence[str]) -> dict[str, Any] | None:
    """Return the values of a function's parameters for the words after the command, or None if they are not
    plain.
    """
    try:
        return _values(inspect.signature(function, eval_str=True).parameters, list(words))
    except _UnclearError:
        return None


def _values(parameters: Mapping[str, inspect.Parameter], words: list[str]) -> dict[str, Any]:
    declared = {name: parameter_of(each.annotation) for name, each in parameters.items()}
    options = {
        option: name
        for name, each in declared.items()
        if each is not None
        for option in each.names
        if "/" not in option  # a pair, such as `--browser/--no-browser`
    }
    given: dict[str, list[str]] = {}
    places: list[str] = []
    words.reverse()
    while words:
        word = words.pop()
        if not word.startswith("-"):
            places.append(word)
            continue
        option, equals, value = word.partition("=")
        name = options.get(option)
        if name is None:
            raise _UnclearError
        if _kind(parameters[name]) is bool:
            if equals:
                raise _UnclearError
        elif not equals:
            if not words or words[-1].startswith("-"):
                raise _UnclearError
            value = words.pop()
        elif not option.startswith("--"):
            raise _UnclearError
        given.setdefault(name, []).append(value)
    for name, each in declared.items():
        if each is not None and not each.names and places:
            number = len(places) if _is_list(parameters[name]) else 1
            given[name], places = places[:number], places[number:]
    if places:
        raise _UnclearError
    return {name: _value(parameters[name], each, given.get(name)) for name, each in declared.items()}


def _value(parameter: inspect.Parameter, declared: Parameter | None, texts: list[str] | None) -> Any:
    """Return the value of a parameter: of its texts, or its default."""
    if declared is None or not declared.settings.keys() <= _KNOWN:
        raise _UnclearError
    if texts is None:
        if parameter.default is parameter.empty:
            raise _UnclearError
        return parameter.default
    kind = _kind(parameter)
    if _is_list(parameter):
        return [_converted(text, kind, declared.settings) for text in texts]
    if len(texts) > 1:
        raise _UnclearError
    return kind is bool or _converted(texts[0], kind, declared.settings)


def _kind(parameter: inspect.Parameter) -> Any:
    """Return the type of a value, or of each value of a list."""
    return _types(parameter)[1]


def _is_list(parameter: inspect.Parameter) -> bool:
    return _types(parameter)[0]


def _types(parameter: inspect.Parameter) -> tuple[bool, Any]:
    kind = getattr(parameter.annotation, "__origin__", parameter.annotation)
    kinds = [each for each in get_args(kind) if each is not NoneType] if get_origin(kind) is not list else []
    if get_origin(kind) is not Literal and len(kinds) == 1:
        [kind] = kinds
    return (True, get_args(kind)[0]) if get_origin(kind) is list else (False, kind)


def _converted(text: str, kind: Any, settings: Mapping[str, Any]) -> Any:
    if not text or "\0" in text or not text.isprintable():
        raise _UnclearError
    if kind is str:
        return text
    if kind is Path:
        return Path(text)
    if kind in (int, float):
        if (_INTEGER if kind is int else _NUMBER).fullmatch(text) is None:
            raise _UnclearError
        number = kind(text)
        least, most = settings.get("min"), settings.get("max")
        if (least is not None and number < least) or (most is not None and number > most):
            raise _UnclearError
        return number
    if get_origin(kind) is Literal and text in get_args(kind):
        return text
    if isinstance(kind, type) and issubclass(kind, Enum):
        found = [each for each in kind if each.value == text]
        if len(found) == 1:
            return found[0]
    raise _UnclearError
