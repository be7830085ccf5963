"""Aggregates by group: `?n = sum ?w by ?p where C` has an answer for each ?p for which C has an answer.

It is expanded to the conditions C, with renamed local variables, and `?n = sum ?w where C`. So only the
parser handles groups.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from hornbook.kb.ast.terms import (
    Absent,
    Aggregate,
    All,
    Condition,
    Variable,
    condition_variables,
    listed_variables,
    outer_variables,
    rewrite,
    statements,
)
from hornbook.kb.sources.diagnostics import Diagnostic, error


@dataclass(frozen=True, slots=True)
class Grouping:
    """The aggregates by group of a clause, by identity, and the number of wildcards of the clause."""

    of: Mapping[int, tuple[Aggregate, tuple[Variable, ...]]]
    wildcards: int

    def expanded(
        self, conditions: Sequence[Condition], others: Iterable[Variable] = ()
    ) -> tuple[Condition, ...]:
        """Return the conditions of a clause with generators for the groups. `others` are variables outside of
        them.
        """
        outer = frozenset(variable.name for variable in others)
        names = {v.name for condition in conditions for v in condition_variables(condition)} | outer
        return tuple(_GroupExpansion(self, names).write(conditions, outer))


def group_mistakes(aggregate: Aggregate, groups: Sequence[Variable]) -> Iterator[Diagnostic]:
    """Yield HB032 for groups that do not occur in the conditions, or are aggregated themselves."""
    listed = {variable.name for variable in aggregate.variables}
    inside = {v.name for condition in aggregate.conditions for v in condition_variables(condition)}
    for variable in groups:
        if variable.is_wildcard:
            yield error("HB032", "a group cannot be a wildcard", variable.span, "give it a variable")
        elif variable.name in listed:
            message = f"`?{variable.name}` is listed, so there is no group of it"
            yield error("HB032", message, variable.span, "write the common values of a group after `by`")
        elif variable.name not in inside:
            message = f"`?{variable.name}` occurs in none of the conditions, so it makes no groups"
            yield error(
                "HB032", message, variable.span, f"use `?{variable.name}` after `where`, or delete it"
            )


def _renamed(names: Mapping[str, str], part: Any) -> Any:
    """Return a part of an aggregate with new names. A new variable does not occur in answers and is shown as
    the original.
    """
    if not isinstance(part, Variable):
        return rewrite(part, partial(_renamed, names))
    name = names.get(part.name)
    if name is None:
        return part
    return Variable(name, part.span, None if name.startswith("_") else part.written)


class _GroupExpansion:
    """The expansion of the conditions of one clause. `names` are the variables in it."""

    def __init__(self, groups: Grouping, names: AbstractSet[str]) -> None:
        self.groups, self.names = groups, names
        self.wildcards, self.numbered = groups.wildcards, 0

    def write(
        self, conditions: Sequence[Condition], around: frozenset[str], listed: Iterable[Variable] = ()
    ) -> Iterator[Condition]:
        """Yield the expanded conditions of a conjunction. `around` are the variables that it may share with
        outer scopes.
        """
        shared = around | {v.name for v in (*outer_variables(conditions), *listed, *self._by(conditions))}
        for condition in conditions:
            if isinstance(condition, All | Absent | Aggregate):
                inside = tuple(self.write(condition.conditions, shared, listed_variables(condition)))
                if isinstance(condition, Aggregate) and id(condition) in self.groups.of:
                    own = {variable.name for variable in condition.variables}
                    yield from self._generator(inside, shared - own)
                yield replace(condition, conditions=inside)
            else:
                yield condition

    def _by(self, conditions: Iterable[Condition]) -> Iterator[Variable]:
        for condition in conditions:
            if id(condition) in self.groups.of:
                yield from self.groups.of[id(condition)][1]

    def _generator(self, inside: Sequence[Condition], shared: AbstractSet[str]) -> Iterator[Condition]:
        """Yield the conditions of an aggregate with new names for local variables.

        A local variable that occurs once, in a fact, becomes a wildcard.
        """
        within = Counter(v.name for condition in inside for v in condition_variables(condition))
        matched = {
            term.name for fact in statements(inside) for term in fact.terms if isinstance(term, Variable)
        }
        names: dict[str, str] = {}
        for name, places in within.items():
            if name.startswith("_") or (places == 1 and name in matched and name not in shared):
                self.wildcards += 1
                names[name] = f"_{self.wildcards}"
            elif name not in shared:
                names[name] = self._fresh(name)
        yield from (_renamed(names, condition) for condition in inside)

    def _fresh(self, name: str) -> str:
        self.numbered += 1
        while f"{name}_{self.numbered}" in self.names:
            self.numbered += 1
        return f"{name}_{self.numbered}"
