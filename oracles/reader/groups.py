"""Aggregates by group and averages, expanded to plain aggregates, as docs/reference/language.md defines.

The parser makes the forms `("grouped", function, result, variables, groups, conditions)` and
`("average", rounding, result, (variable,), groups, digits, conditions)`. Before each of them come its
conditions with other local variables, which bind the variables of the groups.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from oracles.reader.forms import put

Form = Any


class NoGroupError(Exception):
    """An aggregate cannot have its groups; the message names the variable or the place."""


def expanded(conditions: tuple[Form, ...], wildcards: int, head: Form = ()) -> tuple[Form, ...]:
    """Return the conditions of a clause with plain aggregates only.

    `wildcards` is the number of wildcards in the clause. Raise NoGroupError for an impossible group.
    """
    if not _has_groups(conditions):
        return conditions
    outer = frozenset(_names(head))
    return tuple(_Groups(wildcards, outer | set(_names(conditions))).level(conditions, outer, ()))


def ignored(form: Form) -> Form:
    """Return a form whose aggregates have no groups. Raise NoGroupError for an average."""
    if not isinstance(form, tuple):
        return form
    if form[:1] == ("average",):
        raise NoGroupError("an average in a case")
    if form[:1] == ("grouped",):
        form = ("aggregate", *form[1:4], form[5])
    return tuple(map(ignored, form))


def _has_groups(form: Form) -> bool:
    return isinstance(form, tuple) and (
        form[:1] in (("grouped",), ("average",)) or any(map(_has_groups, form))
    )


def _names(form: Form) -> Iterator[str]:
    """Yield all occurrences of variables."""
    if isinstance(form, tuple):
        for part in form:
            yield from _names(part)
    elif isinstance(form, str) and form.startswith("?"):
        yield form


def _facts(form: Form) -> Iterator[Form]:
    """Yield the terms of all statements."""
    match form:
        case ("atom", _, _, terms):
            yield from terms
        case ("game", game, action, value):
            yield from (*game[3], *(action[3] if action else ()), value)
        case tuple():
            for part in form:
                yield from _facts(part)


def _shared(condition: Form) -> tuple[str, ...]:
    """Return the variables of a condition that are not local to it, in order."""
    match condition:
        case ("all", listed, (_, _, _, terms), _):
            return tuple(_names(terms[: len(terms) - len(listed)]))
        case ("count", result, listed, sets, excluded):
            keys = tuple(terms[: len(terms) - len(listed)] for _, _, _, terms in sets)
            return tuple(_names((result, keys, excluded)))
        case ("aggregate" | "grouped" | "average", _, result, *_):
            return tuple(_names(result))
        case ("absent", _):
            return ()
    return tuple(_names(condition))


class _Groups:
    def __init__(self, wildcards: int, taken: Iterable[str]) -> None:
        self.wildcards, self.taken, self.number = wildcards, set(taken), 0

    def level(
        self, conditions: tuple[Form, ...], around: frozenset[str], listed: tuple[str, ...]
    ) -> Iterator[Form]:
        groups = {name for c in conditions if c[0] in ("grouped", "average") for name in c[4]}
        shared = around | groups | set(listed) | {name for c in conditions for name in _shared(c)}
        for condition in conditions:
            match condition:
                case ("all", members, member, inner):
                    yield ("all", members, member, tuple(self.level(inner, shared, members)))
                case ("absent", inner):
                    yield ("absent", tuple(self.level(inner, shared, ())))
                case ("aggregate", function, result, own, inner):
                    yield ("aggregate", function, result, own, tuple(self.level(inner, shared, own)))
                case ("grouped", function, result, own, by, inner):
                    self.check(own, by, inner)
                    inside = tuple(self.level(inner, shared, own))
                    yield from self.generator(inside, shared - set(own))
                    yield ("aggregate", function, result, own, inside)
                case ("average", rounding, result, own, by, digits, inner):
                    self.check(own, by, inner)
                    inside = tuple(self.level(inner, shared, own))
                    yield from self.average(
                        rounding, result, own, bool(by), digits, inside, shared - set(own)
                    )
                case _:
                    yield condition

    @staticmethod
    def check(own: tuple[str, ...], by: tuple[str, ...], inner: Form) -> None:
        inside = set(_names(inner))
        for name in by:
            if name.startswith("?_") or name in own or name not in inside:
                raise NoGroupError(f"there are no groups of {name}")

    def average(
        self, rounding: str, result: Form, own: tuple[str, ...], has_groups: bool, digits: Form,
        inside: tuple[Form, ...], outer: frozenset[str],
    ) -> Iterator[Form]:  # fmt: skip
        if has_groups:
            yield from self.generator(inside, outer)
        open_ = (name for condition in inside for name in _shared(condition) if name.startswith("?_"))
        counted = put(inside, {name: self.fresh("?each") for name in open_})
        members = dict.fromkeys(name for c in counted for name in _shared(c) if name not in outer)
        total, number = self.fresh("?sum"), self.fresh("?count")
        yield ("aggregate", "sum", total, own, inside)
        yield ("aggregate", "count", number, tuple(members), counted)
        yield ("compare", ">", number, 0)
        yield ("compare", "=", result, (rounding, total, ("max", number, 1), *digits))

    def generator(self, inside: tuple[Form, ...], shared: frozenset[str]) -> Iterator[Form]:
        """Yield the conditions with other names for local variables; one that occurs once is left open."""
        in_facts = set(_facts(inside))
        names: dict[str, str] = {}
        for name, times in Counter(_names(inside)).items():
            if name.startswith("?_") or (times == 1 and name in in_facts and name not in shared):
                self.wildcards += 1
                names[name] = f"?_{self.wildcards}"
            elif name not in shared:
                names[name] = self.fresh(name)
        yield from put(inside, names)

    def fresh(self, name: str) -> str:
        self.number += 1
        while f"{name}_{self.number}" in self.taken:
            self.number += 1
        return f"{name}_{self.number}"
