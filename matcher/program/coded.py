"""Coded programs: the input of every engine of `matcher`.

Predicates are numbers (their index in the list that the engine was made with), constants and integers are
64-bit cells, variables are numbered from 0 within a rule. Names of cells and predicates are unknown here, and
so are tenses: a predicate at two moments is two predicates.

A rule's body is a conjunction, and its meaning does not depend on the order of its conditions: first all
`Match` conditions hold together, then the others are evaluated as soon as their variables are bound.
Variables inside `AllOf`, `AggregateOf` and `AbsentOf` that occur nowhere outside of that condition are local
to it. All others are bound by a `Match`, by an equation, or by the result of a `CountOf` or `AggregateOf`.

A comparison is false if a side has no value because a function has none; among several calculations in one
side, the first one decides. A condition whose arithmetic leaves 64 bits, anywhere within it, is neither true
nor false but unknown. A variable that nothing else binds then has no value, and every condition that contains
it (unless it is local there) is unknown too. An instance of a rule with a condition that is not true is false
if one of its conditions is false. Otherwise it is an overflow, which is an error once the facts that it reads
are finished.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from collections.abc import Set as AbstractSet
from typing import Literal, NamedTuple

from hornbook.matcher.program.dataclass import dataclass
from hornbook.matcher.program.hornbook_error import HornbookError
from hornbook.matcher.program.operators import ComparisonOperator

Cell = int
Row = tuple[Cell, ...]
"""A 64-bit signed integer: a number, or the code of a word."""
PredicateId = int
RuleId = Hashable
"""The name of a rule; unique within an engine."""


class Fact(NamedTuple):
    predicate: PredicateId
    cells: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class CodedPredicate:
    """A relation: its width, and the constraints on its facts.

    The first `key` cells determine the others (None: no constraint). The cell after the key is an upper bound
    on the number of facts of `counts` with the same key (and exact if the set is closed). A predicate with
    `counts` has `arity == key + 1`.
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
    """A function of cells, a single object for each. `of` is deterministic, and returns a cell or None."""

    name: str
    of: Callable[[tuple[Cell, ...]], Cell | None]


@dataclass(frozen=True, slots=True)
class Call:
    """The value of a function. If there is none, the comparison or result that contains the call is false."""

    function: Function
    operands: tuple[CodedExpression, ...]


CodedExpression = Var | Cell | Apply | Call


@dataclass(frozen=True, slots=True)
class Match:
    """A fact that matches the terms exists. Equal variables must have equal cells."""

    predicate: PredicateId
    terms: tuple[CodedTerm, ...]


@dataclass(frozen=True, slots=True)
class Compare:
    """A comparison: `left operator right`.

    With `=`, a side that is an otherwise unbound variable is bound to the other side.
    """

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
    """The count n of the set is known, and n distinct members are known for which `conditions` hold.

    The variables of the member's cells after the key are `members`: distinct, and not used outside of this
    condition. They, and the variables that occur only in `conditions`, are local. It is unknown if there are
    n members only together with those for which `conditions` are unknown.
    """

    set: ClosedSet
    members: tuple[Var, ...]
    conditions: tuple[CodedCondition, ...]


@dataclass(frozen=True, slots=True)
class CountOf:
    """`result` is the number of members of complete sets, without the excluded ones.

    Members of several sets count once. The number of cells of a member is `width`; `excluded` are bound terms
    and need `width` 1.
    """

    result: CodedExpression
    sets: tuple[ClosedSet, ...]
    width: int
    excluded: tuple[CodedTerm, ...] = ()


@dataclass(frozen=True, slots=True)
class AggregateOf:
    """`result` is the value of a function of the answers to `conditions` (a finished stratum).

    The function `count` is the number of distinct values of `variables`. The others are taken of the only
    variable, over the distinct bindings of all local variables. Without answers, count and sum are 0, and min
    and max do not hold. It is unknown if one of the answers is, or if the sum (not its parts) leaves 64 bits.
    """

    result: CodedExpression
    function: Literal["count", "min", "max", "sum"]
    variables: tuple[Var, ...]
    conditions: tuple[CodedCondition, ...]


@dataclass(frozen=True, slots=True)
class AbsentOf:
    """There is no answer to `conditions` (a finished stratum); variables that occur only inside are local.

    It is unknown if there is no answer but an unknown instance.
    """

    conditions: tuple[CodedCondition, ...]


CodedCondition = Match | Compare | AllOf | CountOf | AggregateOf | AbsentOf


@dataclass(frozen=True, slots=True)
class CodedRule:
    """A rule: `head` holds if `body` does. The body binds every variable of the head."""

    id: RuleId
    head: Match
    body: tuple[CodedCondition, ...]
    variables: int
    """The number of variables of the rule, including local ones."""
    as_written: bool = False
    """Whether its conditions are matched in the written order. Exceptions are determined conditions, which
    are evaluated at once. Otherwise the order minimises the expected number of matches.
    """


@dataclass(frozen=True, slots=True)
class SetPremise:
    """The premise of a closed set: its count, and each member with the premises of its inner conditions."""

    count: Fact
    members: tuple[tuple[Fact, tuple[Premise, ...]], ...]


Premise = Fact | SetPremise | tuple[SetPremise, ...] | None
"""For a `Match` its fact, for `AllOf` its set, for `CountOf` its sets; None for a condition without facts."""


@dataclass(frozen=True, slots=True)
class Derivation:
    """One derivation of a fact: `premises` are in the order of the rule's body.

    `binding` has a cell for every variable of the rule, None for local ones.
    """

    rule: RuleId
    binding: tuple[Cell | None, ...]
    premises: tuple[Premise, ...]


RuleBinding = tuple[RuleId, tuple[Cell | None, ...]]
"""The rule and the binding of a derivation."""


class Change(NamedTuple):
    """The changes of an update to the saturated facts, including derived ones."""

    added: AbstractSet[Fact]
    removed: AbstractSet[Fact]


class NoLimitError(HornbookError, ValueError):
    """An invalid limit: negative, or no number."""


MOST_FACTS = 10_000_000
"""The default limit on the number of facts."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of an engine or of a search; None means no limit.

    `facts` bounds given and derived facts together. `seconds` bounds each update, each query and each search.
    `bytes` is an estimate from the number and width of facts, derivations and a query's answers. `nodes`
    bounds the positions that a search examines; engines ignore it. Raises NoLimitError if a limit is
    negative, or no number.
    """

    facts: int | None = MOST_FACTS
    seconds: float | None = None
    bytes: int | None = None
    nodes: int | None = None

    def __post_init__(self) -> None:
        self._require("facts", int, "a whole number")
        self._require("bytes", int, "a whole number")
        self._require("nodes", int, "a whole number")
        self._require("seconds", (int, float), "a number")

    def _require(self, name: str, kind: type | tuple[type, ...], form: str) -> None:
        bound: float | None = getattr(self, name)
        if bound is not None and not (isinstance(bound, kind) and bound >= 0):
            raise NoLimitError(f"the limit of {name} is {form} from 0 on, or None: {bound!r}")
