"""Aggregates by group: `?n = sum ?w by ?p where C` has an answer for each ?p for which C has an answer.

It is expanded to the conditions C, with renamed local variables, and `?n = sum ?w where C`. The renamed
conditions are the *generator*: they bind the variables of the group.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from functools import partial
from typing import Any

from hornbook.kb.ast.terms import (
    Absent,
    Aggregate,
    All,
    Comparison,
    Condition,
    Constant,
    Operation,
    Variable,
    listed_variables,
    outer_variables,
    rewrite,
    statements,
)
from hornbook.kb.desugar.surface import (
    AverageAggregate,
    GroupedAggregate,
    RefusedClause,
    written_variables,
)
from hornbook.kb.sources.diagnostics import error


def require_groups(aggregate: GroupedAggregate, inner: Iterable[Condition]) -> None:
    """Raise RefusedClause with HB032 if a variable after `by` does not occur in the conditions, or is
    aggregated itself. `inner` are the conditions after `where`.
    """
    listed = {variable.name for variable in aggregate.variables}
    inside = {v.name for v in written_variables(inner)}
    for variable in aggregate.groups:
        if variable.is_wildcard:
            message, help_ = "a group cannot be a wildcard", "give it a variable"
        elif variable.name in listed:
            message = f"`?{variable.name}` is listed, so there is no group of it"
            help_ = "write the common values of a group after `by`"
        elif variable.name not in inside:
            message = f"`?{variable.name}` occurs in none of the conditions, so it makes no groups"
            help_ = f"use `?{variable.name}` after `where`, or delete it"
        else:
            continue
        raise RefusedClause(error("HB032", message, variable.span, help_))


def with_generators(
    conditions: Sequence[Condition], wildcards: int, others: Iterable[Variable] = ()
) -> tuple[Condition, ...]:
    """Return the conditions of a clause, with the generator of each aggregate by group before the aggregate.

    `wildcards` is the number of wildcards in the clause, and `others` are its variables outside of the
    conditions.
    """
    outer = frozenset(variable.name for variable in others)
    names = {v.name for v in written_variables(conditions)} | outer
    return tuple(_GroupExpansion(wildcards, names).write(conditions, outer))


def without_groups(part: Any) -> Any:
    """Return a condition whose aggregates have no groups, because a case of a frame or a reply has none.

    `rewrite` makes a plain aggregate of an aggregate by group. `part` is a condition or a part of one.
    """
    if isinstance(part, AverageAggregate):
        help_ = "define a predicate with the average, and use it here"
        raise RefusedClause(error("HB059", "an average cannot stand here", part.span, help_))
    return part if isinstance(part, Variable | Constant) else rewrite(part, without_groups)


def _outer(conditions: Iterable[Condition]) -> Iterator[Variable]:
    """Yield the variables that conditions share. Arguments may still be calculations."""
    return outer_variables(conditions, lambda node: written_variables((node,)))


def _renamed(names: Mapping[str, str], part: Any) -> Any:
    """Return a part of an aggregate whose variables have new names.

    `names` maps the old names to the new ones.

    A new variable does not occur in answers and is shown as the original.
    """
    if not isinstance(part, Variable):
        return rewrite(part, partial(_renamed, names))
    name = names.get(part.name)
    if name is None:
        return part
    return Variable(name, part.span, None if name.startswith("_") else part.written)


class _GroupExpansion:
    """The expansion of the conditions of one clause.

    `names` are the variables in it, `wildcards` is the number of its wildcards, and `fresh_names` the number
    of names tried for renamed variables. Both numbers grow.
    """

    def __init__(self, wildcards: int, names: AbstractSet[str]) -> None:
        self.names, self.wildcards, self.fresh_names = names, wildcards, 0

    def write(
        self, conditions: Sequence[Condition], around: frozenset[str], listed: Iterable[Variable] = ()
    ) -> Iterator[Condition]:
        """Yield the expanded conditions of a conjunction.

        `around` are the variables that it may share with outer scopes, and `listed` those that its aggregate
        or `all` lists.
        """
        groups = (v for c in conditions if isinstance(c, GroupedAggregate) for v in c.groups)
        shared = around | {v.name for v in (*_outer(conditions), *listed, *groups)}
        for condition in conditions:
            if not isinstance(condition, All | Absent | Aggregate):
                yield condition
                continue
            inside = tuple(self.write(condition.conditions, shared, listed_variables(condition)))
            if isinstance(condition, AverageAggregate):
                yield from self._average(condition, inside, shared)
            elif isinstance(condition, GroupedAggregate):
                own = {variable.name for variable in condition.variables}
                yield from self._generator(inside, shared - own)
                yield Aggregate(
                    condition.result, condition.function, condition.variables, inside, condition.span
                )
            else:
                yield replace(condition, conditions=inside)

    def _average(
        self, average: AverageAggregate, inside: tuple[Condition, ...], shared: AbstractSet[str]
    ) -> Iterator[Condition]:
        """Yield the sum and the count of an average, and their rounded quotient."""
        (averaged,) = average.variables
        outer = shared - {averaged.name}
        if average.groups:
            yield from self._generator(inside, outer)
        # A sum adds a number for each answer, and answers differ by all variables.
        names = {v.name: self._fresh("each") for v in _outer(inside) if v.name.startswith("_")}
        counted = tuple(_renamed(names, condition) for condition in inside)
        members = dict.fromkeys(v.name for v in _outer(counted) if v.name not in outer)
        total, number = (
            Variable(self._fresh(name), average.span, f"the {name} of `{averaged.written}`")
            for name in ("sum", "count")
        )
        yield Aggregate(total, "sum", average.variables, inside, average.span)
        yield Aggregate(number, "count", tuple(map(Variable, members)), counted, average.span)
        yield Comparison(">", number, Constant(0), average.span)
        # A comparison may be evaluated before another one.
        divisor = Operation("max", (number, Constant(1)), average.span)
        value = Operation(average.rounding, (total, divisor, *average.digits), average.span)
        yield Comparison("=", average.result, value, average.span)

    def _generator(self, inside: Sequence[Condition], shared: AbstractSet[str]) -> Iterator[Condition]:
        """Yield the generator of an aggregate: its conditions with new names for local variables.

        `shared` are the variables that are not local. A local variable that occurs once, in a fact, becomes a
        wildcard.
        """
        within = Counter(v.name for v in written_variables(inside))
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
        """Return a name for a renamed variable that does not occur in the clause."""
        self.fresh_names += 1
        while f"{name}_{self.fresh_names}" in self.names:
            self.fresh_names += 1
        return f"{name}_{self.fresh_names}"
