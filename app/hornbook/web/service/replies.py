"""Types of replies, for the OpenAPI description, with the field names of the commands' `--json`.

The code of the commands creates the replies; these classes only describe them.
"""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

Kind = Literal[
    "body", "text", "facts", "state", "limit", "time", "not-derived", "contradiction", "unsupported",
    "session", "store", "reload", "reloads", "token", "role", "host", "origin", "address", "method", "type",
    "length", "header", "body-time", "requests", "rate", "adapter", "busy", "lost", "internal",
]  # fmt: skip
"""The kinds of refusals."""


class Reply(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """A reply."""


class Diagnostic(Reply, kw_only=True, forbid_unknown_fields=True):
    """An error or a warning about a text, with its position, as in `hornbook check --json`."""

    file: str
    line: int
    column: int
    code: str
    severity: Literal["error", "warning", "note"]
    message: str
    help: str


class Refusal(Reply, kw_only=True, forbid_unknown_fields=True):
    """The reason for a refusal; `diagnostics` have the positions of errors in a text."""

    error: Kind
    message: str
    diagnostics: list[Diagnostic] = []


class Answers(Reply, kw_only=True, forbid_unknown_fields=True):
    """The answers to a query, as one object each with the variables as keys.

    A query without variables has the answers `[{}]` (yes) or `[]` (no).
    """

    answers: list[dict[str, str | int]]
    count: Annotated[int, Meta(description="The number of all answers, also of those beyond `limit`.")]
    warnings: list[Diagnostic]


class AnswersInState(Reply, kw_only=True, forbid_unknown_fields=True):
    """The answers to a query in one of several states, or its error."""

    answers: list[dict[str, str | int]]
    count: Annotated[int, Meta(description="The number of all answers, also of those beyond `limit`.")]
    error: Refusal | None


class BatchAnswers(Reply, kw_only=True, forbid_unknown_fields=True):
    """The answers to a query in each of several states, in their order."""

    states: list[AnswersInState]
    warnings: list[Diagnostic]


class Ground(Reply, kw_only=True, forbid_unknown_fields=True):
    """The declarations that justify a negated condition or an aggregate."""

    relation: str
    complete: bool
    says: str
    declared: list[str]


class Reason(Reply, kw_only=True, forbid_unknown_fields=True):
    """A condition of a rule as instantiated, and the steps that it depends on."""

    condition: str
    steps: Annotated[list[int], Meta(description="Indices into the list of steps, from 0.")]
    grounds: list[Ground] | msgspec.UnsetType = msgspec.UNSET
    more: int | msgspec.UnsetType = msgspec.UNSET


class Step(Reply, kw_only=True, forbid_unknown_fields=True):
    """A fact with its rule and reasons; a given fact has no rule, and a place."""

    conclusion: str
    rule: str | None
    learned: bool
    file: str | None
    line: int | None
    place: str | None
    reasons: list[Reason]


class Proof(Reply, kw_only=True, forbid_unknown_fields=True):
    """A proof: each step occurs once, after those that it depends on; the last is the goal."""

    goal: str
    steps: list[Step]


class Present(Reply, kw_only=True, forbid_unknown_fields=True):
    """A fact that holds although it should be absent, and its proof."""

    fact: str
    proof: Proof | None


class Attempt(Reply, kw_only=True, forbid_unknown_fields=True):
    """The evaluation of a rule's conditions up to the failing one."""

    rule: str
    learned: bool
    file: str
    line: int
    bindings: dict[str, str | int]
    met: list[str]
    failing: str
    instead: list[str]
    exceptions: list[str]
    present: list[Present]
    grounds: list[Ground]
    deeper: WhyNot | None
    above: bool


class PlacedFact(Reply, kw_only=True, forbid_unknown_fields=True):
    """A given fact, with its place if it is known."""

    fact: str
    place: str | None


class AddedFact(Reply, kw_only=True, forbid_unknown_fields=True):
    """A fact to add, and the given fact with the same key that it replaces, with its place."""

    fact: str
    instead: str | None
    place: str | None


class SufficientChange(Reply, kw_only=True, forbid_unknown_fields=True):
    """Changes of given facts that suffice together."""

    add: list[AddedFact]
    remove: list[PlacedFact]
    general: list[str]


class SufficientChanges(Reply, kw_only=True, forbid_unknown_fields=True):
    """Sets of changes that suffice, and whether no bound ended the search."""

    sets: list[SufficientChange]
    complete: bool
    obstacles: list[str]


class WhyNot(Reply, kw_only=True, forbid_unknown_fields=True):
    """The explanation of a fact that does not hold, by the rules that could have derived it."""

    goal: str
    conclusion: str
    holds: list[str]
    attempts: list[Attempt]
    sufficient: SufficientChanges | None


class Matched(Reply, kw_only=True, forbid_unknown_fields=True):
    """A conclusion of a learned rule: the value of a game, or the text of another conclusion."""

    rule: str
    game: str | msgspec.UnsetType = msgspec.UNSET
    value: str | msgspec.UnsetType = msgspec.UNSET
    move: str | msgspec.UnsetType | None = msgspec.UNSET
    conclusion: str | msgspec.UnsetType = msgspec.UNSET
    bindings: dict[str, str | int]


class Matches(Reply, kw_only=True, forbid_unknown_fields=True):
    """The conclusions of all learned rules about a state."""

    answers: list[Matched]


class StateMatches(Reply, kw_only=True, forbid_unknown_fields=True):
    """The conclusions of all learned rules about one of several states, or its error."""

    answers: list[Matched]
    error: Refusal | None


class BatchMatches(Reply, kw_only=True, forbid_unknown_fields=True):
    """The conclusions of all learned rules about each of several states, in their order."""

    states: list[StateMatches]


class Interval(Reply, kw_only=True, forbid_unknown_fields=True):
    """An interval of amounts, bounds included; without `to`, it has no upper bound."""

    start: Annotated[int | None, Meta(description="The least amount.")] = msgspec.field(name="from")
    to: int | None


class Way(Reply, kw_only=True, forbid_unknown_fields=True):
    """The goal that one further decision reaches."""

    after: list[str]
    goal: str
    decisions: dict[str, list[Interval]]


class Piece(Reply, kw_only=True, forbid_unknown_fields=True):
    """The advice of one rule: the amounts for which a decision has a value, and the facts used."""

    decision: str
    value: str
    amounts: list[Interval]
    rule: str
    facts: list[str]
    limits: list[str]


class Goal(Reply, kw_only=True, forbid_unknown_fields=True):
    """A goal, its current value, and the effects of decisions on it."""

    goal: str
    words: str
    value: str | None
    way: Way | None
    advice: list[Piece]


class Level(Reply, kw_only=True, forbid_unknown_fields=True):
    """The goals of a level."""

    level: str
    goals: list[Goal]


class Conflict(Reply, kw_only=True, forbid_unknown_fields=True):
    """Two goals that no common amount of a decision serves."""

    decision: str
    goals: list[str]
    reached: list[list[Interval]]
    certain: bool
    facts: list[str]
    limits: list[list[str]]
    way_out: Way | None


class Advice(Reply, kw_only=True, forbid_unknown_fields=True):
    """The decisions that reach goals, with their amounts."""

    levels: list[Level]
    conflicts: list[Conflict]


class JudgedGoal(Reply, kw_only=True, forbid_unknown_fields=True):
    """The effect of one decision on a goal, with the rule and the theory's proof."""

    goal: str
    as_things_stand: str | None
    value: str | None
    rule: str | None
    proof: Proof | None


class Judgement(Reply, kw_only=True, forbid_unknown_fields=True):
    """The effect of one decision on every goal; `refused` is the reason why it is not possible."""

    decision: str
    refused: str | None
    goals: list[JudgedGoal]


class Changed(Reply, kw_only=True, forbid_unknown_fields=True):
    """The numbers of added and retracted facts."""

    added: int
    retracted: int


class Session(Reply, kw_only=True, forbid_unknown_fields=True):
    """A session with its own facts; it ends `seconds` after its last use."""

    session: str
    facts: Annotated[int, Meta(description="The number of added facts that were not retracted since.")]
    seconds: Annotated[float, Meta(description="The session ends when it is not used for so many seconds.")]


class Served(Reply, kw_only=True, forbid_unknown_fields=True):
    """The served theory with its fingerprint, and the numbers of learned rules and facts."""

    theory: str
    fingerprint: str
    rules: int
    facts: int
    warnings: list[str]


class Health(Reply, kw_only=True, forbid_unknown_fields=True):
    """The status of the service: alive, or ready for requests."""

    status: Literal["alive", "ready", "starting", "ending"]
