"""Coded programs: what every engine of `matcher` reads.

Predicates are numbers (their place in the list that the engine was made with), constants and integers are
64-bit cells, variables are numbered from 0 within a rule. Nothing here knows what a cell or a predicate is
called, or what a tense is: a predicate read at two moments is two predicates.

A rule's body is a conjunction, and its meaning does not depend on the order of its conditions: first all
`Match` conditions hold together, then the others are evaluated as soon as their variables are bound. Variables
inside `AllOf`, `AggregateOf` and `AbsentOf` that occur nowhere outside of that condition are local to it; all
others are bound by a `Match`, by an equation, or by the result of a `CountOf` or `AggregateOf`.

A comparison of which a side has no value since a function gives nothing is false; of two calculations in one side, that
one decides which comes first. A condition whose arithmetic leaves 64 bits, anywhere within it, is neither true nor false but unknown. A
variable that nothing else binds is then without a value, and every condition that it stands in (unless it is
local there) is unknown too. An instance of a rule whose conditions are not all true is false when one of them
is false; when none is, it is an overflow, and that is an error once the facts that it reads are finished.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Literal, NamedTuple

from hornbook.matcher.program.hornbook_error import HornbookError
from hornbook.matcher.program.operators import ComparisonOperator

Cell = int
"""A 64-bit signed integer: a number, or the code of a word."""
PredicateId = int
RuleId = Hashable
"""What a rule is called; unique within an engine."""


class Fact(NamedTuple):
    predicate: PredicateId
    cells: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class Predicate:
    """A relation: its width, and what its facts promise.

    `key`: the first `key` cells determine the others (None: no such promise). `counts`: the predicate whose
    facts that begin with the same key are, by promise, at most as many as the cell after the key says (and
    exactly as many where the set is closed). A predicate with `counts` has `arity == key + 1`.
    """

    arity: int
    key: int | None = None
    counts: PredicateId | None = None


@dataclass(frozen=True, slots=True)
class Var:
    """Variable number `index` of a rule or query."""

    index: int


CodedTerm = Var | Cell


@dataclass(frozen=True, slots=True)
class Apply:
    """Arithmetic; `//` is floor division (by zero counts as an overflow)."""

    operator: str
    left: CodedExpression
    right: CodedExpression


@dataclass(frozen=True, slots=True, eq=False)
class Function:
    """A function of cells, one object for each: `of` gives a cell, always the same for the same cells, or None."""

    name: str
    of: Callable[[tuple[Cell, ...]], Cell | None]


@dataclass(frozen=True, slots=True)
class Call:
    """What a function gives. Where it gives nothing, the comparison or result that this stands in is false."""

    function: Function
    operands: tuple[CodedExpression, ...]


CodedExpression = Var | Cell | Apply | Call


@dataclass(frozen=True, slots=True)
class Match:
    """There is such a fact. The same variable twice means the same cell twice."""

    predicate: PredicateId
    terms: tuple[CodedTerm, ...]


@dataclass(frozen=True, slots=True)
class Compare:
    """`left operator right`; with `=`, a side that is a variable bound nowhere else is bound to the other."""

    operator: ComparisonOperator
    left: CodedExpression
    right: CodedExpression


@dataclass(frozen=True, slots=True)
class ClosedSet:
    """The members of `member` whose first cells are `key`; their number is the fact `count(key, n)`.

    `count` is declared with `counts=member` and a key as wide as `key`.
    """

    count: PredicateId
    member: PredicateId
    key: tuple[CodedTerm, ...]


@dataclass(frozen=True, slots=True)
class AllOf:
    """The count n of the set is known and n distinct members are known for which `conditions` hold.

    `members` are the variables of the member's cells after the key: distinct, and used nowhere outside of this
    condition. They, and the variables that occur only in `conditions`, are local. It is unknown when there
    are n members only together with those for which `conditions` are unknown.
    """

    set: ClosedSet
    members: tuple[Var, ...]
    conditions: tuple[CodedCondition, ...]


@dataclass(frozen=True, slots=True)
class CountOf:
    """`result` = number of cells that are a member of one of the sets, each of them complete, and not excluded.

    `width` is the number of cells of a member; `excluded` are bound terms and need `width` 1.
    """

    result: CodedExpression
    sets: tuple[ClosedSet, ...]
    width: int
    excluded: tuple[CodedTerm, ...] = ()


@dataclass(frozen=True, slots=True)
class AggregateOf:
    """`result` = function over the answers to `conditions` (a finished stratum).

    `count`: number of distinct values of `variables`. `min`, `max`, `sum`: of the one variable over the
    distinct bindings of all local variables; no answers: count and sum are 0, min and max do not hold. It is
    unknown when one of the answers is, or when the sum (not its parts) leaves 64 bits.
    """

    result: CodedExpression
    function: Literal["count", "min", "max", "sum"]
    variables: tuple[Var, ...]
    conditions: tuple[CodedCondition, ...]


@dataclass(frozen=True, slots=True)
class AbsentOf:
    """No answer to `conditions` (a finished stratum); variables that occur only inside are local.

    It is unknown when there is no answer but something unknown.
    """

    conditions: tuple[CodedCondition, ...]


CodedCondition = Match | Compare | AllOf | CountOf | AggregateOf | AbsentOf


@dataclass(frozen=True, slots=True)
class Rule:
    """`head` holds whenever `body` does. Every variable of the head is bound by the body."""

    id: RuleId
    head: Match
    body: tuple[CodedCondition, ...]
    variables: int
    """How many variables the rule has, local ones too."""
    as_written: bool = False
    """Whether its conditions are matched in the order in which they are written, but for those that are determined: they come at
    once. Else in an order that promises few matches."""


@dataclass(frozen=True, slots=True)
class SetPremise:
    """What a closed set rested on: its count, and each member with the premises of its inner conditions."""

    count: Fact
    members: tuple[tuple[Fact, tuple[Premise, ...]], ...]


Premise = Fact | SetPremise | tuple[SetPremise, ...] | None
"""For a `Match` its fact, for `AllOf` its set, for `CountOf` its sets; None for what rests on no fact."""


@dataclass(frozen=True, slots=True)
class Derivation:
    """One way in which a fact follows: `premises` stand in the order of the rule's body.

    `binding` has a cell for every variable of the rule, None for local ones.
    """

    rule: RuleId
    binding: tuple[Cell | None, ...]
    premises: tuple[Premise, ...]


class Change(NamedTuple):
    """What an update did to the saturated facts, derived ones too."""

    added: AbstractSet[Fact]
    removed: AbstractSet[Fact]


class NoLimitError(HornbookError, ValueError):
    """A bound that bounds nothing: a negative one, or no number."""


MOST_FACTS = 10_000_000
"""The bound of facts if no other is given."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds on one engine; None means no bound.

    `facts` bounds given and derived facts together, `seconds` each update and each query. `bytes` is an
    estimate from the number and width of facts, derivations and a query's answers. Raises NoLimitError if a
    bound is negative, or no number.
    """

    facts: int | None = MOST_FACTS
    seconds: float | None = None
    bytes: int | None = None

    def __post_init__(self) -> None:
        self._require("facts", int, "a whole number")
        self._require("bytes", int, "a whole number")
        self._require("seconds", (int, float), "a number")

    def _require(self, name: str, kind: type | tuple[type, ...], said: str) -> None:
        bound: float | None = getattr(self, name)
        if bound is not None and not (isinstance(bound, kind) and bound >= 0):
            raise NoLimitError(f"the limit of {name} is {said} from 0 on, or None: {bound!r}")
