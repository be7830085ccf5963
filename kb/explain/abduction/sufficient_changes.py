"""The changes of given facts that would suffice for a statement: a smallest set that was found, and others.

Every set that is listed was really tried: its facts were added and removed, and the statement followed. It
does not follow if any one of these changes is left out. Sets are found one after the other: a guess of
`ChangeSearch` is evaluated, and if the statement still does not follow, the search continues from the changed
facts (as in the hitting-set tree of Reiter 1987, A Theory of Diagnosis from First Principles). If changed
facts lead to two values for one key, the search continues with changes that make one of the values false.

The search is bounded by MAX_CHANGES, MAX_EVALUATIONS and MAX_STEPS, and by the limits of the knowledge base.
Within these bounds, the result depends only on the theory and the facts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from heapq import heappop, heappush
from itertools import count, islice
from typing import Any, Protocol

from hornbook.kb.ast.substitution import match_statement, rename_condition, statement_at
from hornbook.kb.ast.terms import Absent, Atom, Condition, Statement, condition_variables
from hornbook.kb.ast.theory import GroundFact, Vocabulary
from hornbook.kb.explain.abduction.change_search import (
    ChangeSearch,
    Falsify,
    Guess,
    SearchedBase,
    readable,
)
from hornbook.kb.explain.abduction.witnesses import holds, present_values
from hornbook.kb.format.printer import print_condition
from hornbook.kb.lower.budget import Budget, SpentError
from hornbook.kb.lower.errors import KnowledgeBaseError
from hornbook.kb.parse.facts import FactError, ground_fact
from hornbook.matcher.program.dataclass import dataclass
from hornbook.matcher.program.errors import KeyConflictError, LimitError

MAX_CHANGES = 8
"""The maximum number of changes in one set."""
MAX_EVALUATIONS = 150
"""The maximum number of sets to evaluate, including those that turn out not to suffice."""
MAX_STEPS = 4_000
"""The maximum number of steps of all backward searches: partial proofs and queries."""
MAX_GUESSES = 12
"""The maximum number of continuations of one set."""
MAX_OBSTACLES = 10
"""The maximum number of conditions to name that no change makes true."""

Places = Mapping[Statement, str]
"""The places of given facts, such as `member.csv:17`."""


class ChangeableEngine(SearchedBase, Protocol):
    """The attributes and methods of an engine that the search needs."""

    def given_among(self, facts: Iterable[GroundFact]) -> set[GroundFact]: ...


class ChangeableBase(Protocol):
    """The attributes and methods of a knowledge base that the search needs. The search changes its facts."""

    @property
    def engine(self) -> ChangeableEngine: ...

    def exchange(self, retract: Iterable[GroundFact], add: Iterable[GroundFact]) -> None: ...


CopyWithoutKeys = Callable[[], ChangeableBase]
"""Returns a copy of a base whose rules may conclude several values for one key."""


@dataclass(frozen=True, slots=True)
class AddedFact:
    """A fact to add. `instead` is the given fact with the same key that it replaces."""

    fact: Atom
    instead: Statement | None = None


@dataclass(frozen=True, slots=True)
class SufficientChange:
    """Changes of given facts that suffice together.

    `general` has the added facts with variables, and the comparisons for which their values were chosen. Only
    the chosen values were tried.
    """

    add: tuple[AddedFact, ...]
    remove: tuple[Statement, ...]
    general: tuple[Condition, ...] = ()

    @property
    def changed(self) -> frozenset[tuple[str, Statement]]:
        """The changes, for comparisons of sets."""
        return frozenset(
            (*(("add", each.fact) for each in self.add), *(("remove", fact) for fact in self.remove))
        )

    @property
    def form(self) -> frozenset[Condition]:
        """A value that is equal for changes that differ only in the chosen values of added facts."""
        patterns = [each for each in self.general if isinstance(each, Atom)]
        fixed = (
            each.fact
            for each in self.add
            if all(match_statement(pattern, each.fact) is None for pattern in patterns)
        )
        removed = (Absent((fact,)) for fact in self.remove)
        return frozenset((*map(_anonymous, self.general), *fixed, *removed))

    def in_order(self) -> SufficientChange:
        """Return the changes in alphabetical order, without conditions on facts that are not among them."""
        facts = [each.fact for each in self.add]
        patterns = {
            each: {variable.name for variable in condition_variables(each)}
            for each in self.general
            if isinstance(each, Atom) and any(match_statement(each, fact) is not None for fact in facts)
        }
        names = {name for each in patterns.values() for name in each}
        general = (
            each
            for each in self.general
            if each in patterns
            or (
                not isinstance(each, Atom) and not names.isdisjoint(v.name for v in condition_variables(each))
            )
        )
        add = sorted(self.add, key=lambda each: print_condition(each.fact))
        return SufficientChange(
            tuple(add), tuple(sorted(self.remove, key=print_condition)), readable(tuple(general))
        )

    def lines(self, places: Places) -> Iterator[str]:
        """Yield a line for each change, and one with the conditions on the values."""
        for each in self.add:
            instead = "" if each.instead is None else f" instead of {_placed(each.instead, places)}"
            yield f"add {_written(each.fact)}{instead}"
        yield from (f"remove {_placed(fact, places)}" for fact in self.remove)
        if self.general:
            yield f"values chosen for: {', '.join(map(_written, self.general))}"

    def as_json(self, places: Places) -> dict[str, Any]:
        """Return `{add, remove, general}`: `add` has `{fact, instead, place}`, and `remove` has `{fact,
        place}`. The place of an added fact is that of the fact that it replaces.
        """
        return {
            "add": [
                {
                    "fact": _written(each.fact),
                    "instead": None if each.instead is None else _written(each.instead),
                    "place": None if each.instead is None else places.get(each.instead),
                }
                for each in self.add
            ],
            "remove": [{"fact": _written(fact), "place": places.get(fact)} for fact in self.remove],
            "general": [_written(each) for each in self.general],
        }


@dataclass(frozen=True, slots=True)
class SufficientChanges:
    """The sets that were found, the smallest first.

    - `is_complete`: Whether no bound ended the search, and no change that was tried contradicts the theory.
    - `obstacles`: If no set was found, conditions that no change makes true.
    """

    sets: tuple[SufficientChange, ...]
    is_complete: bool
    obstacles: tuple[Condition, ...] = ()

    @property
    def present_facts(self) -> list[Statement]:
        """The given facts that the sets remove or replace."""
        replaced = [e.instead for each in self.sets for e in each.add if e.instead is not None]
        return [*dict.fromkeys([*replaced, *(fact for each in self.sets for fact in each.remove)])]

    def lines(self, places: Places) -> Iterator[str]:
        """Yield the lines of the text."""
        if self.sets:
            yield "what would suffice:"
        for number, each in enumerate(self.sets, 1):
            first, *rest = each.lines(places)
            yield f"  {number}. {first}"
            yield from (f"     {line}" for line in rest)
        if not self.sets:
            yield f"no change of given facts {'suffices' if self.is_complete else 'was found that suffices'}"
        for obstacle in self.obstacles:
            yield f"  obstacle: {print_condition(obstacle)}"
        if not self.is_complete:
            yield (
                "the search ended at a bound: more sets may suffice"
                if self.sets
                else ("the search ended at a bound")
            )

    def as_json(self, places: Places) -> dict[str, Any]:
        """Return `{sets, complete, obstacles}`."""
        return {
            "sets": [each.as_json(places) for each in self.sets],
            "complete": self.is_complete,
            "obstacles": [print_condition(each) for each in self.obstacles],
        }


def sufficient_changes(
    goal: Statement,
    base: ChangeableBase,
    copy_without_keys: CopyWithoutKeys,
    most: int,
    budget: Budget | None = None,
) -> SufficientChanges:
    """Return at most `most` sets of changes after which a goal holds that does not hold now.

    The base is changed during the search. It is as before at the end, unless a limit was exceeded. A copy is
    made only if a set leads to two values for one key.
    """
    return _Search(goal, base, copy_without_keys, most, budget or Budget()).result()


class _EndedError(Exception):
    """A bound ended the search."""


class _Search:
    """One search: the sets that wait for their evaluation, and the sets found."""

    def __init__(
        self,
        goal: Statement,
        base: ChangeableBase,
        copy_without_keys: CopyWithoutKeys,
        most: int,
        budget: Budget,
    ) -> None:
        self._goal, self._base, self._most, self._budget = goal, base, most, budget
        self._copy_without_keys = copy_without_keys
        self._search = ChangeSearch(base.engine, self._spend)
        self._without_keys: tuple[ChangeableBase, ChangeSearch] | None = None
        self._steps = self._evaluations = 0
        self._found: list[SufficientChange] = []
        self._is_complete = True
        self._order = count()
        self._waiting: list[tuple[int, int, SufficientChange]] = []
        self._known: set[frozenset[tuple[str, Statement]]] = set()

    def result(self) -> SufficientChanges:
        try:
            self._continue(SufficientChange((), ()), self._base, self._search.guesses(self._goal))
            while self._waiting and len(self._found) < self._most:
                self._evaluate(heappop(self._waiting)[2])
            self._is_complete &= not self._waiting
        except (_EndedError, SpentError):
            self._is_complete = False
        except KnowledgeBaseError as problem:
            if not isinstance(problem.__cause__, LimitError):
                raise
            self._is_complete = False
        obstacles = () if self._found else tuple(self._search.obstacles)[:MAX_OBSTACLES]
        searches = [self._search, *(() if self._without_keys is None else (self._without_keys[1],))]
        is_partial = any(each.is_cut or (not self._found and each.has_chosen) for each in searches)
        is_complete = self._is_complete and not is_partial
        found = sorted(self._found, key=lambda each: len(each.changed))
        return SufficientChanges(tuple(found), is_complete, obstacles)

    def _spend(self, steps: int) -> None:
        self._steps += steps
        self._budget.spend()
        if self._steps > MAX_STEPS:
            raise _EndedError

    def _continue(self, change: SufficientChange, base: ChangeableBase, guesses: Iterator[Guess]) -> None:
        """Let further sets wait that begin with a change. The base has the facts after the change."""
        for guess in islice(guesses, MAX_GUESSES):
            further = self._joined(change, guess, base)
            if further is None or further.changed in self._known:
                continue
            self._known.add(further.changed)
            size = len(further.changed)
            if size > MAX_CHANGES:
                self._is_complete = False
            else:
                heappush(self._waiting, (size, next(self._order), further))
        self._is_complete &= next(guesses, None) is None

    def _continue_from_conflict(self, change: SufficientChange, conflict: KeyConflictError) -> None:
        """Let further sets wait after which one of two contradicting conclusions does not follow."""
        if self._without_keys is None:
            copy = self._copy_without_keys()
            self._without_keys = copy, ChangeSearch(copy.engine, self._spend)
        copy, search = self._without_keys
        statement = self._base.engine.coding.statement
        with _supposing(copy, change):
            for fact in map(statement, (conflict.first, conflict.second)):
                if holds(copy.engine, fact):
                    self._continue(change, copy, search.guesses(Falsify(fact)))
                else:
                    self._is_complete = False

    def _joined(
        self, change: SufficientChange, guess: Guess, base: ChangeableBase
    ) -> SufficientChange | None:
        """Return a change with a guess that continues it, or None if they contradict each other."""
        vocabulary = base.engine.theory.vocabulary
        add = {each.fact: each for each in change.add}
        removed = dict.fromkeys((*change.remove, *guess.remove))
        for atom in guess.add:
            fact = statement_at(atom, "before", vocabulary)
            present = present_values(base.engine, fact)
            if present is not None and present in add:
                return None
            replaced = present or next(
                (each for each in removed if _has_key_of(each, fact, vocabulary)), None
            )
            add.setdefault(fact, AddedFact(fact, replaced))
        if not removed.keys().isdisjoint(add):
            return None
        for each in add.values():
            if each.instead is not None:
                removed.pop(each.instead, None)
        general = tuple(dict.fromkeys((*change.general, *guess.general)))
        return SufficientChange(tuple(add.values()), tuple(removed), general)

    def _evaluate(self, change: SufficientChange) -> None:
        if self._is_known(change) or not self._suffices(change, then_continue=True):
            return
        smallest = self._without_needless(change).in_order()
        if not self._is_known(smallest):
            self._found.append(smallest)

    def _is_known(self, change: SufficientChange) -> bool:
        """Return whether a change contains a found one, or differs from one only in chosen values."""
        return any(each.changed <= change.changed or each.form == change.form for each in self._found)

    def _suffices(self, change: SufficientChange, *, then_continue: bool = False) -> bool:
        """Return whether the goal follows after a change. If it does not, the search may continue there."""
        self._evaluations += 1
        self._budget.spend()
        if self._evaluations > MAX_EVALUATIONS:
            raise _EndedError
        try:
            with _supposing(self._base, change):
                if holds(self._base.engine, self._goal):
                    return True
                if then_continue:
                    self._continue(change, self._base, self._search.guesses(self._goal))
        except FactError:
            return False
        except KnowledgeBaseError as problem:
            if isinstance(problem.__cause__, LimitError):
                raise
            # The changed facts contradict the theory.
            if then_continue and isinstance(problem.__cause__, KeyConflictError):
                self._continue_from_conflict(change, problem.__cause__)
            else:
                self._is_complete &= not then_continue
        return False

    def _without_needless(self, change: SufficientChange) -> SufficientChange:
        """Return the change without any one that is not needed."""
        for added in change.add:
            less = SufficientChange(tuple(e for e in change.add if e != added), change.remove, change.general)
            if less.changed and self._suffices(less):
                return self._without_needless(less)
        for removed in change.remove:
            less = SufficientChange(
                change.add, tuple(f for f in change.remove if f != removed), change.general
            )
            if less.changed and self._suffices(less):
                return self._without_needless(less)
        return change


@contextmanager
def _supposing(base: ChangeableBase, change: SufficientChange) -> Iterator[None]:
    """Change the facts of a base within a context."""
    replaced = [each.instead for each in change.add if each.instead is not None]
    add = [ground_fact(each.fact) for each in change.add]
    retract = [ground_fact(fact) for fact in (*change.remove, *replaced)]
    there = base.engine.given_among((*add, *retract))
    added, removed = [fact for fact in add if fact not in there], [fact for fact in retract if fact in there]
    base.exchange(removed, added)
    try:
        yield
    finally:
        base.exchange(added, removed)


def _anonymous(condition: Condition) -> Condition:
    return rename_condition(condition, lambda _: "any")


def _has_key_of(fact: Statement, other: Atom, vocabulary: Vocabulary) -> bool:
    """Return whether a fact has the key of another one, so that both together would be a contradiction."""
    key = vocabulary.predicates[other.predicate].key
    return key is not None and fact.relation == other.relation and fact.terms[:key] == other.terms[:key]


def _written(condition: Condition) -> str:
    """Return a given fact as it is written in a file of facts, without its moment."""
    if isinstance(condition, Atom) and condition.tense == "before":
        condition = Atom(condition.predicate, condition.arguments, None, condition.span)
    return print_condition(condition)


def _placed(fact: Statement, places: Places) -> str:
    place = places.get(fact)
    return _written(fact) if place is None else f"{_written(fact)}  [{place}]"
