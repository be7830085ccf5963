"""Canonical JSON and digests of typed values: clauses, theories, certificates and arguments of cached
functions.

Invariants:

- Two values have the same form only if they are equal in every field, including fields that `==` ignores.
- The positions of clauses in their files are left out, except that an unlabelled clause is named by its line.
- A class that gets a new field needs no change here.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import fields, is_dataclass
from functools import cache
from operator import attrgetter
from pathlib import PurePath
from typing import Any

from hornbook.kb.text.literals.values import WrittenInteger


def digest(*values: object) -> str:
    """Return the SHA-256 digest of the canonical form of the values.

    Values that are nested too deeply for the stack get a random digest, which is equal to no other.

    Raises:
        TypeError: A value has no canonical form.
    """
    try:
        text = json.dumps([canonical(value) for value in values], separators=(",", ":"))
    except RecursionError:
        import secrets  # noqa: PLC0415 - slow to import

        return secrets.token_hex(32)
    return hashlib.sha256(text.encode()).hexdigest()


def canonical(value: Any) -> Any:
    """Return the JSON form of a value. Every list begins with the type of the value that it represents."""
    kind: Any = type(value)
    if kind in _PLAIN:
        return value
    if kind is tuple or kind is list:
        return ["list", *_forms(value)]
    if isinstance(value, WrittenInteger):
        return [kind.__qualname__, int(value)]
    compared = _compared(kind)
    if compared is not None:
        return [kind.__qualname__, *_forms(compared(value))]
    if isinstance(value, Mapping):
        return ["mapping", *[[canonical(key), canonical(item)] for key, item in value.items()]]
    if isinstance(value, AbstractSet):
        return ["set", *sorted((canonical(part) for part in value), key=json.dumps)]
    if kind is float or kind is bytes or isinstance(value, PurePath):
        return [kind.__name__, repr(value)]
    if isinstance(value, tuple):
        return [kind.__qualname__, *map(canonical, value)]
    raise TypeError(f"a value of type {kind.__name__} has no canonical form")


_PLAIN = frozenset((str, int, bool, type(None)))
"""The types of values that are their own form."""


def _forms(values: Iterable[Any]) -> list[Any]:
    # Most values are plain, and a test costs less than a call.
    return [value if type(value) in _PLAIN else canonical(value) for value in values]


@cache
def _compared(kind: Any) -> Callable[[Any], tuple[Any, ...]] | None:
    """Return a function that gives the attributes that belong to the canonical form of an object of a class;
    None if the class has no fields.

    A class can name fields that it leaves out (`PLACES`), and attributes that it adds (`ALSO_CANONICAL`).
    """
    if not is_dataclass(kind):
        return None
    places = {"span", *getattr(kind, "PLACES", ())}
    own = (field.name for field in fields(kind) if field.name not in places)
    names = (*own, *getattr(kind, "ALSO_CANONICAL", ()))
    if len(names) > 1:
        return attrgetter(*names)  # it returns a tuple only for several names
    return lambda value: tuple([getattr(value, name) for name in names])
