"""Walks: what is done to an engine step by step, as data, so that it can be repeated, shortened and printed.

A step may be refused (a pop without a mark, a rule that is not there): that is part of the walk. So any part of
a walk is a walk too.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from hornbook.matcher.compiled.engine import Measure
from hornbook.matcher.program.coded import (
    CodedCondition,
    Fact,
    Limits,
    Predicate,
    PredicateId,
    Rule,
    RuleId,
    Var,
)


@dataclass(frozen=True, slots=True)
class Update:
    """`columns`: what is added and retracted is handed over by columns, where the engine takes them."""

    add: tuple[Fact, ...] = ()
    retract: tuple[Fact, ...] = ()
    add_rules: tuple[Rule, ...] = ()
    remove_rules: tuple[RuleId, ...] = ()
    columns: bool = False


@dataclass(frozen=True, slots=True)
class Push:
    pass


@dataclass(frozen=True, slots=True)
class Pop:
    pass


@dataclass(frozen=True, slots=True)
class Query:
    body: tuple[CodedCondition, ...]
    variables: tuple[Var, ...]


@dataclass(frozen=True, slots=True)
class Ask:
    """How these facts follow, and all that they rest on."""

    facts: tuple[Fact, ...]


@dataclass(frozen=True, slots=True)
class Declare:
    predicates: tuple[Predicate, ...]


Step = Update | Push | Pop | Query | Ask | Declare


@dataclass(frozen=True, slots=True)
class Walk:
    predicates: tuple[Predicate, ...]
    derivations: str
    steps: tuple[Step, ...]
    limits: Limits = field(default_factory=Limits)
    statistics: Mapping[PredicateId, Measure] | None = None

    def __str__(self) -> str:
        """The walk as a Python program that walks it again; run it where the repository lies."""
        return (
            "from hornbook.matcher.compiled.engine import Measure\n"
            "from hornbook.matcher.program.coded import *\n"
            "from oracles.engine.side_by_side import replay\n"
            "from oracles.walks.walk_steps import *\n\n"
            f"walk = Walk(\n{_lines('predicates', self.predicates)}    derivations={self.derivations!r},\n"
            f"{_lines('steps', self.steps)}    limits={self.limits!r},\n"
            f"    statistics={self.statistics!r},\n)\n"
            "replay(walk)\n"
        )


def _lines(name: str, parts: Sequence[object]) -> str:
    return f"    {name}=(\n" + "".join(f"        {_short(part)},\n" for part in parts) + "    ),\n"


def _short(part: object) -> str:
    """The `repr`, without what is left out of an update."""
    if not isinstance(part, Update):
        return repr(part)
    given = {name: getattr(part, name) for name in ("add", "retract", "add_rules", "remove_rules", "columns")}
    return f"Update({', '.join(f'{name}={value!r}' for name, value in given.items() if value)})"
