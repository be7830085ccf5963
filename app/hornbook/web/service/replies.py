"""What is answered: the shapes of replies, as the OpenAPI description says them, with the names of the commands' `--json`.

Answers are made by the code that the commands print with; these classes describe them and make nothing.
"""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

Kind = Literal[
    "body", "text", "facts", "state", "limit", "time", "not-derived", "contradiction", "unsupported", "session", "store",
    "reload", "reloads", "token", "role", "host", "origin", "address", "method", "type", "length", "header", "body-time", "requests",
    "rate", "adapter", "busy", "lost", "internal",
]  # fmt: skip
"""What kinds of refusals there are."""


class Reply(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """What every reply is."""


class Diagnostic(Reply, kw_only=True, forbid_unknown_fields=True):
    """What is wrong with a text, or odd about it, and where: as `hornbook check --json` says it."""

    file: str
    line: int
    column: int
    code: str
    severity: Literal["error", "warning", "note"]
    message: str
    help: str


class Refusal(Reply, kw_only=True, forbid_unknown_fields=True):
    """Why there is no answer; `diagnostics` say where a text is wrong."""

    error: Kind
    message: str
    diagnostics: list[Diagnostic] = []


class Answers(Reply, kw_only=True, forbid_unknown_fields=True):
    """The answers to a query, an object for each, keyed by the variables; of a query without variables `[{}]` (yes) or `[]` (no)."""

    answers: list[dict[str, str | int]]
    count: Annotated[int, Meta(description="How many there are, also where `limit` leaves some out.")]
    warnings: list[Diagnostic]


class Ground(Reply, kw_only=True, forbid_unknown_fields=True):
    """What an absence or an aggregate rests on."""

    relation: str
    complete: bool
    says: str
    declared: list[str]


class Reason(Reply, kw_only=True, forbid_unknown_fields=True):
    """A condition of a rule, as it is met, and the steps that it rests on."""

    condition: str
    steps: Annotated[list[int], Meta(description="Places in the list of steps, from 0.")]
    grounds: list[Ground] | msgspec.UnsetType = msgspec.UNSET
    more: int | msgspec.UnsetType = msgspec.UNSET


class Step(Reply, kw_only=True, forbid_unknown_fields=True):
    """A fact with the rule and the reasons that gave it; a given fact has no rule, and a place."""

    conclusion: str
    rule: str | None
    learned: bool
    file: str | None
    line: int | None
    place: str | None
    reasons: list[Reason]


class Proof(Reply, kw_only=True, forbid_unknown_fields=True):
    """A proof: every step stands once, after those that it rests on; the last is the goal."""

    goal: str
    steps: list[Step]


class Present(Reply, kw_only=True, forbid_unknown_fields=True):
    """A fact that holds although it should be absent, and its proof."""

    fact: str
    proof: Proof | None


class Attempt(Reply, kw_only=True, forbid_unknown_fields=True):
    """How far the conditions of a rule got."""

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


class WhyNot(Reply, kw_only=True, forbid_unknown_fields=True):
    """Why a fact does not hold: what each rule that could have given it lacks."""

    goal: str
    conclusion: str
    holds: list[str]
    attempts: list[Attempt]


class Matched(Reply, kw_only=True, forbid_unknown_fields=True):
    """What a learned rule says of a state."""

    rule: str
    game: str
    value: str
    move: str | None
    bindings: dict[str, str | int]


class Matches(Reply, kw_only=True, forbid_unknown_fields=True):
    """What all learned rules say of a state."""

    answers: list[Matched]


class Interval(Reply, kw_only=True, forbid_unknown_fields=True):
    """Amounts, the bounds included; without `to`, all from `from` on."""

    start: Annotated[int | None, Meta(description="The least amount.")] = msgspec.field(name="from")
    to: int | None


class Way(Reply, kw_only=True, forbid_unknown_fields=True):
    """What one decision more reaches."""

    after: list[str]
    goal: str
    decisions: dict[str, list[Interval]]


class Piece(Reply, kw_only=True, forbid_unknown_fields=True):
    """A rule's advice: for which amounts a decision has a value, and by what facts."""

    decision: str
    value: str
    amounts: list[Interval]
    rule: str
    facts: list[str]
    limits: list[str]


class Goal(Reply, kw_only=True, forbid_unknown_fields=True):
    """A goal, what it is as things stand, and what decisions do to it."""

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
    """Which decisions reach which goals, and for which amounts."""

    levels: list[Level]
    conflicts: list[Conflict]


class JudgedGoal(Reply, kw_only=True, forbid_unknown_fields=True):
    """What one decision does to a goal, by which rule, and the theory's proof."""

    goal: str
    as_things_stand: str | None
    value: str | None
    rule: str | None
    proof: Proof | None


class Judgement(Reply, kw_only=True, forbid_unknown_fields=True):
    """What one decision does to every goal; `refused` says why it cannot be taken."""

    decision: str
    refused: str | None
    goals: list[JudgedGoal]


class Changed(Reply, kw_only=True, forbid_unknown_fields=True):
    """How many facts were new, and how many went."""

    added: int
    retracted: int


class Session(Reply, kw_only=True, forbid_unknown_fields=True):
    """A session: facts of its own, kept for so many seconds after its last use."""

    session: str
    facts: Annotated[int, Meta(description="How many facts were added, and not retracted since.")]
    seconds: Annotated[float, Meta(description="It ends when it is not used for so long.")]


class Served(Reply, kw_only=True, forbid_unknown_fields=True):
    """What answers: the theory, by its fingerprint, and how many learned rules and facts."""

    theory: str
    fingerprint: str
    rules: int
    facts: int
    warnings: list[str]


class Health(Reply, kw_only=True, forbid_unknown_fields=True):
    """Whether the service lives, or is ready for requests."""

    status: Literal["alive", "ready", "starting", "ending"]
