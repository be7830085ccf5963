"""Declarations and the other clauses of a `.horn` file, as they were written.

A parsed file is a sequence of clauses; nothing here knows whether they make sense together (the checker
does) or where an import leads (the loader does).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from hornbook.kb.ast.terms import NOWHERE, Atom, Condition, Rule, Span, Statement, Term, _span

PredicateKind = Literal["static", "fluent", "action", "derived", "game", "meta"]
Turn = Literal["alternates", "fleeting"]
"""What passing does to a fluent: it brings back what held before the move, or nothing is known of it."""
SortKind = Literal["open", "enumerated", "integer", "mixed"]

INTEGER_SORT = "int"
"""The built-in sort of 64-bit integers."""
WORD = "word"
"""With `int`, what a mixed sort is declared by: it has words and integers."""
VALUE_SORT = "value"
"""The built-in closed sort of the values of games: J, J1 and J2 (Cazenave 1996, section 2)."""


@dataclass(frozen=True, slots=True)
class TheoryName:
    """`theory go.`"""

    name: str
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Renaming:
    """`node = town` of an import: what it calls `name` is called `own` here."""

    name: str
    own: str
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Import:
    """`import values.`: by name, never by path; `import closure as roads with node = town.` takes an instance of it.

    What a theory declares itself is called in its instance as a renaming says; without one, and with the `instance`'s name,
    `roads_NAME`.
    """

    name: str
    span: Span = _span()
    instance: str | None = None
    renamings: tuple[Renaming, ...] = ()

    @property
    def as_it_is(self) -> bool:
        """Whether every name stays."""
        return self.instance is None and not self.renamings


@dataclass(frozen=True, slots=True)
class Sort:
    """`sort point.` (open), `sort colour = black | white.` (enumerated), `sort cents = int.` (integer) or
    `sort code = word | int.` (mixed: words and integers, of which 5 and '5' are two).
    """

    name: str
    kind: SortKind
    constants: tuple[str, ...] = ()
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class SortName:
    """A column of a predicate's declaration."""

    name: str
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Says:
    """The words for a predicate's facts: a sentence in which `?1`, `?2`, … stand for the columns."""

    text: str
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Predicate:
    """`fluent liberties(point -> int) counts liberty.`

    `key` is the number of columns before `->` (None without one): they determine the others.
    `counts` names the predicate whose facts for the same key are exactly as many as the value says; with `but`,
    those are left out whose member the static predicate of that name has, and the count closes no set.
    `operational` says that learned rules may ask for what rules conclude as it is (Mitchell, Keller and
    Kedar-Cabelli 1986: operationality). `observed` says that what the rules conclude of it after an action is
    true of the state that is given next. `complete` says that what is given of it, in the state that is given, is all that
    there is. `stated` says that the theory alone says it: what it states and concludes is all that there is. `demanded` says that it is concluded only where a rule or
    question asks for it, which means nothing. `turn` says what becomes of a fluent where the opponent passes. `worth` says what a game is worth to who plans;
    it orders plans and proves nothing (Tadepalli 1989, section 2: a goal's promise). `says` is what its facts are called where people read them; it means nothing.
    """

    kind: PredicateKind
    name: str
    columns: tuple[SortName, ...]
    key: int | None = None
    counts: SortName | None = None
    but: SortName | None = None
    operational: bool = False
    observed: bool = False
    complete: bool = False
    stated: bool = False
    demanded: bool = False
    turn: Turn | None = None
    worth: int | None = None
    says: Says | None = None
    span: Span = _span()

    @property
    def arity(self) -> int:
        return len(self.columns)

    @property
    def closes(self) -> str | None:
        """The name of the set that it closes by counting all its members."""
        return self.counts.name if self.counts is not None and self.but is None else None

    @property
    def has_tense(self) -> bool:
        """Whether its facts are read at a moment: statics and actions are not."""
        return self.kind not in ("static", "action")


@dataclass(frozen=True, slots=True)
class Frame:
    """`frame colour(?p, _): move(_, ?p); …`: the only actions that may change such a fact.

    `persists colour(?p, _) unless move(_, ?p); …` too: the only actions by which such a fact may end (`persists`). It
    stands for the rules by which the fact stays after all others (kb/ast/persistence.py), and may have no case.
    """

    fluent: Atom
    cases: tuple[tuple[Condition, ...], ...]
    persists: bool = False
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class ReplyCase:
    """`move(?d, ?p), legal(?d, ?p) unless illegal(?d, ?p)`: actions by which an opponent may answer."""

    action: Atom
    conditions: tuple[Condition, ...] = ()
    unless: Statement | None = None
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Replies:
    """`replies take(?b): …; ….`: every action open to the opponent in a game is an instance of one of its cases.

    Of such an instance the conditions hold before the action, and its `unless` does not. An instance of a case
    without `unless` is open to the opponent wherever its conditions hold.
    """

    game: Atom
    cases: tuple[ReplyCase, ...]
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Example:
    """`example NAME from "position.txt": facts.`: a state, and an action where one stands among the facts."""

    name: str
    source: str | None
    facts: tuple[Statement, ...]
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Expect:
    """`expect NAME: conditions gives a1, b2.`; without `gives`, one answer is enough."""

    example: str
    conditions: tuple[Condition, ...]
    answers: tuple[tuple[Term, ...], ...] | None = None
    span: Span = _span()


Clause = TheoryName | Import | Sort | Predicate | Frame | Replies | Example | Expect | Rule

__all__ = [
    "INTEGER_SORT", "NOWHERE", "VALUE_SORT", "WORD", "Clause", "Example", "Expect", "Frame", "Import", "Predicate",
    "PredicateKind", "Renaming", "Replies", "ReplyCase", "Says", "Sort", "SortKind", "SortName", "TheoryName", "Turn",
]  # fmt: skip
