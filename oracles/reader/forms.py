"""Replacement of terms in forms, which are nested tuples of words, numbers and variables."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

Form = Any


def put(form: Form, terms: Mapping[str, Form]) -> Form:
    """Return a form with variables replaced by terms."""
    if isinstance(form, str):
        return terms.get(form, form) if form.startswith("?") else form
    return tuple(put(part, terms) for part in form) if isinstance(form, tuple) else form
