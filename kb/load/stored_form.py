"""The clauses of a theory as JSON, and back, with every field and position.

A number stands for a class, and a list begins with the number of its class, followed by its fields. No other
object is ever made of JSON, and no code in it is executed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import fields
from functools import partial
from typing import Any

from hornbook.kb.ast import declarations as d
from hornbook.kb.ast import terms as t
from hornbook.kb.text.literals.forms import Form, form_of_kind
from hornbook.kb.text.literals.values import WrittenInteger
from hornbook.kb.text.spans import Span

_TUPLE, _SET, _SPAN, _LITERAL, _FIRST = range(5)
_CLASSES: tuple[Any, ...] = (
    *(t.Variable, t.Constant, t.Operation, t.Atom, t.GameStatement, t.PlanStatement, t.Comparison),
    *(t.All, t.CountIn, t.Aggregate, t.Absent, t.Rule),
    *(Form, d.Sort, d.SortName, d.Says, d.Predicate, d.Frame, d.ReplyCase, d.Replies, d.Example, d.Expect),
)
"""The classes of the values in a theory."""
_NUMBERS = {kind: number for number, kind in enumerate(_CLASSES, _FIRST)}
_FIELDS = {kind: tuple(field.name for field in fields(kind)) for kind in _CLASSES}


def stored(value: Any, files: dict[str, int]) -> Any:
    """Return the JSON of a value. The names of files in positions are numbered in `files`.

    Raises:
        TypeError: A value is of no class of theories.
    """
    kind = type(value)
    if value is None or kind in (str, int, bool):
        return value
    if kind is Span:
        return [_SPAN, files.setdefault(value.file, len(files)), *value[1:]]
    if kind is tuple:
        return [_TUPLE, *(stored(part, files) for part in value)]
    if kind is frozenset:
        return [_SET, *(stored(part, files) for part in sorted(value))]
    if isinstance(value, WrittenInteger):
        return [_LITERAL, value.kind, int(value)]
    if kind not in _NUMBERS:
        raise TypeError(f"a theory has no value of type {kind.__name__}")
    return [_NUMBERS[kind], *(stored(getattr(value, name), files) for name in _FIELDS[kind])]


def restored(form: Any, files: list[str]) -> Any:
    """Return the value of its JSON. `files` are the names of files by number.

    Raises:
        ValueError, TypeError, LookupError: The JSON has another form.
    """
    span, tuple_of = partial(tuple.__new__, Span), tuple

    def value(form: Any) -> Any:
        if type(form) is not list:
            return form
        number = form[0]
        if number == _SPAN:
            form[0] = files[form[1]]
            del form[1]
            return span(form)
        parts = [value(each) if type(each) is list else each for each in form[1:]]
        return tuple_of(parts) if number == _TUPLE else _MAKERS[number](parts)

    return value(form)


def _literal(kind: str, value: int) -> WrittenInteger:
    return form_of_kind(kind).number(value)


def _unpacked(kind: Callable[..., Any]) -> Callable[[Iterable[Any]], Any]:
    return lambda parts: kind(*parts)


_MAKERS: dict[int, Callable[[Iterable[Any]], Any]] = {
    _SET: frozenset,
    _LITERAL: lambda parts: _literal(*parts),
    **{number: _unpacked(kind) for kind, number in _NUMBERS.items()},
}
