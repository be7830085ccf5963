"""Typed values from untrusted JSON: each has the expected type, or a ValueError names the actual one.

The input of each function is a value that `json.loads` returns. No value is converted: a number is not
accepted as a boolean, and text must be encodable as UTF-8.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from hornbook.kb.ast.terms import MAX_INTEGER, MIN_INTEGER, Tense

Read = TypeVar("Read")
"""The type of a parsed field."""


def field_of(data: object, name: str, of: str, read: Callable[[object], Read]) -> Read:
    """Return the field `name` of an object, parsed by `read`. Messages call the object `of`.

    Raise ValueError if `data` is no object, or has no such field. An error of `read` gets the name of the
    field.
    """
    if isinstance(data, dict) and name in data:
        try:
            return read(data[name])
        except ValueError as problem:
            raise ValueError(f"`{name}`: {problem}") from None
    raise ValueError(
        f"{of} has no `{name}`" if isinstance(data, dict) else f"{_kind(data)} was found instead of {of}"
    )


def text_from_json(value: object) -> str:
    """Return encodable text. Raise ValueError for other values."""
    if isinstance(value, str):
        try:
            value.encode()
        except UnicodeEncodeError:
            raise ValueError("a text has half a character, which no file can hold") from None
        return value
    raise ValueError(f"{_kind(value)} was found instead of a text")


def truth_from_json(value: object) -> bool:
    """Return a boolean. Raise ValueError for other values."""
    if isinstance(value, bool):
        return value
    raise ValueError(f"{_kind(value)} was found instead of true or false")


def integer_from_json(value: object) -> int:
    """Return a 64-bit integer. Raise ValueError for other values."""
    if isinstance(value, int) and not isinstance(value, bool):
        if MIN_INTEGER <= value <= MAX_INTEGER:
            return value
        raise ValueError("a number does not fit into 64 bits")
    raise ValueError(f"{_kind(value)} was found instead of an integer")


def list_from_json(value: object) -> list[object]:
    """Return a list. Raise ValueError for other values."""
    if isinstance(value, list):
        return value
    raise ValueError(f"{_kind(value)} was found instead of a list")


def object_from_json(value: object) -> dict[str, object]:
    """Return an object. Raise ValueError for other values."""
    if isinstance(value, dict):
        return value
    raise ValueError(f"{_kind(value)} was found instead of an object")


def moment_from_json(value: object) -> Tense | None:
    """Return a moment; None for null, which means a rule that names its own moments.

    Raise ValueError for others.
    """
    if value == "before":
        return "before"
    if value == "after":
        return "after"
    if value is None:
        return None
    raise ValueError(f"{_kind(value)} was found instead of a moment: before, after or null")


def _kind(value: object) -> str:
    """Return the JSON type of a value, for messages."""
    match value:
        case None:
            return "null"
        case bool():
            return "true" if value else "false"
        case str():
            return "a text"
        case int() | float():
            return "a number"
        case list():
            return "a list"
    return "an object"


def several_from_json(data: object, of: str, *parts: str) -> list[object]:
    """Return a list with one element, still unchecked, for each of `parts`. Raise ValueError otherwise.

    `parts` are descriptions of the elements for the message, which calls the list `of`.
    """
    if isinstance(data, list) and len(data) == len(parts):
        return data
    raise ValueError(f"{of} is not a list of {', '.join(parts[:-1])} and {parts[-1]}")
