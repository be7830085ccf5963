"""Walks: sequences of operations on an engine as data, which can be repeated, shortened and printed.

A step may be refused (a pop without a mark, the removal of a missing rule). This is part of the walk, so any
part of a walk is a walk too.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from hornbook.matcher.program.coded import (
    CodedCondition,
    CodedPredicate,
    CodedRule,
    Fact,
    Limits,
    PredicateId,
    RuleId,
    Var,
)
from hornbook.matcher.program.engine import Measure


@dataclass(frozen=True, slots=True)
class Update:
    """An update.

    With `columns`, added and retracted facts are given by columns, if the engine accepts them.
    """

    add: tuple[Fact, ...] = ()
    retract: tuple[Fact, ...] = ()
    add_rules: tuple[CodedRule, ...] = ()
    remove_rules: tuple[RuleId, ...] = ()
    columns: bool = False


@dataclass(frozen=True, slots=True)
class PushStep:
    """A mark to which a later pop returns."""


@dataclass(frozen=True, slots=True)
class Pop:
    """A return to the last mark."""


@dataclass(frozen=True, slots=True)
class QueryStep:
    """A query: the values of some variables for which all conditions hold."""

    body: tuple[CodedCondition, ...]
    variables: tuple[Var, ...]


@dataclass(frozen=True, slots=True)
class Ask:
    """A request for the derivations of facts and of all their premises."""

    facts: tuple[Fact, ...]


@dataclass(frozen=True, slots=True)
class Declare:
    """A declaration of further predicates."""

    predicates: tuple[CodedPredicate, ...]


Step = Update | PushStep | Pop | QueryStep | Ask | Declare


@dataclass(frozen=True, slots=True)
class EngineWalk:
    """An engine and the steps that it executes.

    Attributes:
        predicates: The predicates at the beginning.
        derivations: The derivations that the engine stores: `none`, `one` for each fact, or `all`.
        statistics: The expected numbers of facts and of different values; None if they are unknown.
    """

    predicates: tuple[CodedPredicate, ...]
    derivations: str
    steps: tuple[Step, ...]
    limits: Limits = field(default_factory=Limits)
    statistics: Mapping[PredicateId, Measure] | None = None

    def __str__(self) -> str:
        """Return the walk as a Python program that executes it in a checkout of the repository."""
        return (
            "from hornbook.matcher.program.engine import Measure\n"
            "from hornbook.matcher.program.coded import *\n"
            "from oracles.engine.side_by_side import replay\n"
            "from oracles.walks.walk_steps import *\n\n"
            f"walk = EngineWalk(\n{_lines('predicates', self.predicates)}"
            f"    derivations={self.derivations!r},\n"
            f"{_lines('steps', self.steps)}    limits={self.limits!r},\n"
            f"    statistics={self.statistics!r},\n)\n"
            "replay(walk)\n"
        )


def _lines(name: str, parts: Sequence[object]) -> str:
    return f"    {name}=(\n" + "".join(f"        {_short(part)},\n" for part in parts) + "    ),\n"


def _short(part: object) -> str:
    """Return the `repr`, without the omitted parts of an update."""
    if not isinstance(part, Update):
        return repr(part)
    given = {name: getattr(part, name) for name in ("add", "retract", "add_rules", "remove_rules", "columns")}
    return f"Update({', '.join(f'{name}={value!r}' for name, value in given.items() if value)})"
