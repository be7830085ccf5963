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
from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from dataclasses import fields, is_dataclass
from functools import cache
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
    if value is None or kind is str or kind is int or kind is bool:
        return value
    if kind is tuple or kind is list:
        return ["list", *map(canonical, value)]
    if isinstance(value, WrittenInteger):
        return [kind.__qualname__, int(value)]
    compared = _compared(kind)
    if compared is not None:
        return [kind.__qualname__, *[canonical(getattr(value, name)) for name in compared]]
    if isinstance(value, Mapping):
        return ["mapping", *[[canonical(key), canonical(item)] for key, item in value.items()]]
    if isinstance(value, AbstractSet):
        return ["set", *sorted((canonical(part) for part in value), key=json.dumps)]
    if kind is float or kind is bytes or isinstance(value, PurePath):
        return [kind.__name__, repr(value)]
    if isinstance(value, tuple):
        return [kind.__qualname__, *map(canonical, value)]
    raise TypeError(f"a value of type {kind.__name__} has no canonical form")


@cache
def _compared(kind: Any) -> tuple[str, ...] | None:
    """Return the names of the attributes that belong to the canonical form of a class; None if it has no
    fields.

    A class can name fields that it leaves out (`PLACES`), and attributes that it adds (`ALSO_CANONICAL`).
    """
    if not is_dataclass(kind):
        return None
    places = {"span", *getattr(kind, "PLACES", ())}
    own = (field.name for field in fields(kind) if field.name not in places)
    return (*own, *getattr(kind, "ALSO_CANONICAL", ()))
