"""Declarations and the other clauses of a `.horn` file, exactly as the file states them.

A parsed file is a sequence of clauses. The checker decides whether they are consistent, and the loader
resolves imports.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import field
from typing import ClassVar, Literal

from hornbook.kb.ast.terms import NOWHERE, Atom, Condition, Rule, Span, Statement, Term, _span
from hornbook.kb.text.literals.forms import Form
from hornbook.matcher.program.dataclass import dataclass

PredicateKind = Literal["static", "fluent", "action", "derived", "game", "meta"]
Turn = Literal["alternates", "fleeting"]
"""The effect of a pass on a fluent: `alternates` restores the value before the move, `fleeting` makes it
unknown.
"""
SortKind = Literal["open", "enumerated", "integer", "mixed"]

INTEGER_SORT = "int"
"""The built-in sort of 64-bit integers."""
WORD = "word"
"""The name that, together with `int`, declares a mixed sort: a sort of words and integers."""
VALUE_SORT = "value"
"""The built-in closed sort of the values of games: J, J1 and J2 (Cazenave 1996, section 2)."""


@dataclass(frozen=True, slots=True)
class TheoryName:
    """`theory go.`"""

    name: str
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Renaming:
    """`node = town` of an import: `name` of the imported theory is called `own` in the importing theory."""

    name: str
    own: str
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Import:
    """`import values.` imports by name, never by path. `import closure as roads with node = town.` imports an
    instance.

    In an instance, a name that the imported theory declares itself is replaced according to the renamings.
    Without a renaming it is prefixed with the name of the instance: `roads_NAME`.
    """

    name: str
    span: Span = _span()
    instance: str | None = None
    renamings: tuple[Renaming, ...] = ()

    @property
    def as_it_is(self) -> bool:
        """Whether every name stays unchanged."""
        return self.instance is None and not self.renamings


@dataclass(frozen=True, slots=True)
class Sort:
    """A sort declaration of one of four kinds:

    - Open: `sort point.`
    - Enumerated: `sort colour = black | white.`
    - Integer: `sort cents = int.`
    - Mixed: `sort code = word | int.` It has words and integers, and 5 and '5' are two different values.

    An integer sort may have a form: `sort day = date.`, `sort moment = time.` or `sort euro = decimal(2).`
    """

    name: str
    kind: SortKind
    constants: tuple[str, ...] = ()
    span: Span = _span()
    form: Form | None = None


@dataclass(frozen=True, slots=True)
class SortName:
    """A column of a predicate's declaration."""

    name: str
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Says:
    """A sentence that describes a fact of a predicate. `?1`, `?2`, … are replaced by the columns."""

    text: str
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Predicate:
    """A predicate declaration such as `fluent liberties(point -> int) counts liberty.`

    - `key`: The number of columns before `->`, or None. These columns determine the others.
    - `counts`: The predicate whose number of facts for the same key equals the value.
    - `but`: A static predicate whose members the count leaves out. A count with exceptions closes no set.
    - `allows`: The action whose legal instances are the facts of this derived predicate
      (planner/theory_games/). It serves for play, and no proof depends on it.
    - `operational`: Learned rules may have a condition on this derived predicate without expanding it. This
      is operationality in the sense of Mitchell, Keller and Kedar-Cabelli (1986).
    - `observed`: Facts concluded for the moment after an action are true of the next given state.
    - `complete`: The facts given for a state are all facts of the predicate in this state.
    - `stated`: Only the theory states or concludes facts of the predicate, and these are all facts.
    - `demanded`: Facts are derived only if a rule or query needs them. The meaning does not change.
    - `turn`: The effect of a pass by the opponent on a fluent.
    - `worth`: The value of a game to the planner. It orders plans and proves nothing (Tadepalli 1989, section
      2: a goal's promise).
    - `says`: A sentence for readers. The meaning does not change.
    - `exception`: The label of an exception, if the predicate holds where it applies
      (kb/desugar/exceptions.py). It does not take part in comparison.
    """

    PLACES: ClassVar = ("exception", "allows")

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
    exception: str | None = field(default=None, compare=False, repr=False)
    allows: SortName | None = None

    @property
    def arity(self) -> int:
        return len(self.columns)

    @property
    def closes(self) -> str | None:
        """The name of the set that this predicate closes by counting all its members."""
        return self.counts.name if self.counts is not None and self.but is None else None

    @property
    def has_tense(self) -> bool:
        """Whether facts hold at a moment. Static predicates and actions have no moment."""
        return self.kind not in ("static", "action")


@dataclass(frozen=True, slots=True)
class Frame:
    """`frame colour(?p, _): move(_, ?p); …` lists the only actions that may change such a fact.

    With `persists`, the clause is `persists colour(?p, _) unless move(_, ?p); …` and lists the only actions
    that may end such a fact. It abbreviates rules that keep the fact true after all other actions
    (kb/desugar/persistence.py). It may have no case.
    """

    fluent: Atom
    cases: tuple[tuple[Condition, ...], ...]
    persists: bool = False
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class ReplyCase:
    """`move(?d, ?p), legal(?d, ?p) unless illegal(?d, ?p)`: a set of actions that the opponent may reply
    with.
    """

    action: Atom
    conditions: tuple[Condition, ...] = ()
    unless: Statement | None = None
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Replies:
    """`replies take(?b): …; ….`: every action open to the opponent in a game is an instance of one of the
    cases.

    The conditions of such an instance hold before the action, and its `unless` statement does not. An
    instance of a case without `unless` is open to the opponent whenever its conditions hold.
    """

    game: Atom
    cases: tuple[ReplyCase, ...]
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Example:
    """`example NAME from "position.txt": facts then action.`: a state, with an action if the facts have one.

    `later` has the actions after it in order. Each is taken in the state after the action before it.
    """

    name: str
    source: str | None
    facts: tuple[Statement, ...]
    later: tuple[Atom, ...] = ()
    span: Span = _span()

    @property
    def statements(self) -> tuple[Statement, ...]:
        """The facts and the later actions."""
        return (*self.facts, *self.later)


@dataclass(frozen=True, slots=True)
class Expect:
    """`expect NAME: conditions gives a1, b2.`; without `gives`, one answer suffices."""

    example: str
    conditions: tuple[Condition, ...]
    answers: tuple[tuple[Term, ...], ...] | None = None
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class ExceptedLabel:
    """The label of a rule to which another rule is an exception."""

    name: str
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class ExceptionRule:
    """`LABEL exception to OTHER: head :- body.`: a rule that overrules another (kb/desugar/exceptions.py).

    `rules` are its core rules: one, or several if it has an `or`. With `suspends`, the head follows `absent`,
    so the rule concludes nothing.
    """

    label: str
    excepted: tuple[ExceptedLabel, ...]
    rules: tuple[Rule, ...]
    suspends: bool = False
    span: Span = _span()


Clause = TheoryName | Import | Sort | Predicate | Frame | Replies | Example | Expect | Rule | ExceptionRule


def rules_in(clauses: Iterable[Clause]) -> Iterator[Rule]:
    """Yield the rules and facts among clauses, including those of exceptions."""
    for clause in clauses:
        if isinstance(clause, Rule):
            yield clause
        elif isinstance(clause, ExceptionRule):
            yield from clause.rules


__all__ = [
    "INTEGER_SORT", "NOWHERE", "VALUE_SORT", "WORD", "Clause", "Example", "ExceptedLabel",
    "ExceptionRule", "Expect", "Frame", "Import",
    "Predicate", "PredicateKind", "Renaming", "Replies", "ReplyCase", "Says", "Sort", "SortKind", "SortName",
    "TheoryName", "Turn", "rules_in",
]  # fmt: skip
