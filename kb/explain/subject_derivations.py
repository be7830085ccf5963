"""The choice among the derivations of a fact: a proof about one subject does not cite the rows of others.

A fact such as `limit(500)` may follow from the rows of many people. A proof about Bob should cite Bob's row.
The *subjects* of a goal are its values of open sorts, or all its values if it has none of these. A given fact
is *foreign* if it has values of the sort of a subject, and none of them is a subject. A fact is *own* if it
is given and not foreign, or if it has a derivation from own facts.

An own fact gets such a derivation. Any other fact gets one with the fewest premises that are not own, the
recorded one if possible. Only derivations from facts that were derived earlier are considered, so proofs stay
finite. The search is bounded: beyond MAX_STEPS, facts keep their recorded derivations.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain

from hornbook.kb.ast.theory import Vocabulary
from hornbook.kb.explain.premises import premise_facts
from hornbook.kb.lower.coding import Coding
from hornbook.matcher.program.coded import Cell, CodedRule, Derivation, Fact, Match, PredicateId, Var
from hornbook.matcher.program.engine import Engine

MAX_STEPS = 2_000
"""The maximum number of steps of the search for one proof: requests to the engine, and derivations."""
MAX_OF_RULE = 500
"""The maximum number of derivations of one fact by one rule to examine, besides those with a subject."""
Subjects = Mapping[str, frozenset[Cell]]
"""The cells of the subjects by their sorts."""


def subjects_of(goal: Fact, coding: Coding) -> Subjects:
    """Return the subjects of a goal: its values of open sorts, or all its values if it has none of these."""
    sorts = coding.relations[goal.predicate].sorts
    is_open = [_is_open(sort, coding.vocabulary) for sort in sorts]
    found: dict[str, frozenset[Cell]] = {}
    for sort, cell, fits in zip(sorts, goal.cells, is_open, strict=True):
        if fits or not any(is_open):
            found[sort] = found.get(sort, frozenset()) | {cell}
    return found


def _is_open(sort: str, vocabulary: Vocabulary) -> bool:
    return sort in vocabulary.sorts and vocabulary.sorts[sort].kind == "open"


class SubjectDerivations:
    """The chosen derivations of the facts below one goal."""

    def __init__(self, goal: Fact, coding: Coding, engine: Engine) -> None:
        self._coding, self._engine = coding, engine
        self._subjects = subjects_of(goal, coding)
        self._chosen: dict[Fact, Derivation | None] = {}
        self._is_own: dict[Fact, bool] = {}
        self._left = MAX_STEPS
        self._concluding: dict[PredicateId, list[CodedRule]] | None = None

    def __call__(self, fact: Fact) -> Derivation | None:
        """Return the chosen derivation of a fact, or None if the fact is given."""
        if fact not in self._is_own:
            self._choose(fact)
        return self._chosen[fact]

    def _choose(self, goal: Fact) -> None:
        """Choose the derivations of a fact and of the facts that it may depend on."""
        waiting = [*self._search(goal)]
        while waiting:
            search = waiting[-1]
            below = self._next(search)
            if below is None:
                waiting.pop()
                self._chosen[search.fact], self._is_own[search.fact] = search.best, search.fewest == 0
            else:
                waiting += self._search(below)

    def _next(self, search: _Search) -> Fact | None:
        """Continue a search until it ends (None), or needs to know whether another fact is own."""
        while search.fewest != 0:
            if search.current is None:
                search.current = next(search.candidates, None)
                if search.current is None:
                    return None
            derivation = search.current
            premises = dict.fromkeys(f for p in derivation.premises for f in premise_facts(p))
            unknown = next((each for each in premises if each not in self._is_own), None)
            if unknown is not None:
                return unknown
            others = sum(not self._is_own[each] for each in premises)
            if search.fewest is None or others < search.fewest:
                search.best, search.fewest = derivation, others
            search.current = None
        return None

    def _search(self, fact: Fact) -> Iterator[_Search]:
        """Yield the search for a derivation of a fact. A given fact needs none, and is settled."""
        recorded = self._engine.derivation(fact)
        if recorded is None:
            self._chosen[fact], self._is_own[fact] = None, not self._is_foreign(fact)
        else:
            yield _Search(fact, chain([recorded], self._others(fact, recorded)))

    def _others(self, fact: Fact, recorded: Derivation) -> Iterator[Derivation]:
        """Yield further derivations, those with a subject among their values first."""
        seen = {recorded}
        rules = self._rules_of(fact.predicate)
        with_subject = ((rule, where) for rule in rules for where in self._with_subject(rule))
        for rule, where in chain(with_subject, ((rule, {}) for rule in rules)):
            if self._left <= 0:
                return
            self._left -= 1
            most = min(self._left, MAX_OF_RULE)
            for each in self._engine.founded_derivations(fact, rule.id, where, most):
                if each not in seen:
                    seen.add(each)
                    self._left -= 1
                    yield each

    def _with_subject(self, rule: CodedRule) -> Iterator[dict[int, Cell]]:
        """Yield values of subjects for the variables of a rule that its conclusion does not determine."""
        in_head = {term.index for term in rule.head.terms if isinstance(term, Var)}
        found = {
            (term.index, cell): None
            for condition in rule.body
            if isinstance(condition, Match)
            for term, sort in zip(
                condition.terms, self._coding.relations[condition.predicate].sorts, strict=True
            )
            if isinstance(term, Var) and term.index not in in_head
            for cell in sorted(self._subjects.get(sort, ()))
        }
        return ({variable: cell} for variable, cell in found)

    def _rules_of(self, predicate: PredicateId) -> Sequence[CodedRule]:
        if self._concluding is None:
            self._concluding = {}
            for rule in self._engine.rules.values():
                self._concluding.setdefault(rule.head.predicate, []).append(rule)
        return self._concluding.get(predicate, ())

    def _is_foreign(self, fact: Fact) -> bool:
        sorts = self._coding.relations[fact.predicate].sorts
        cells: dict[str, set[Cell]] = {}
        for sort, cell in zip(sorts, fact.cells, strict=True):
            if sort in self._subjects:
                cells.setdefault(sort, set()).add(cell)
        return any(found.isdisjoint(self._subjects[sort]) for sort, found in cells.items())


class _Search:
    """The search for a derivation of one fact, while it waits for the facts below."""

    def __init__(self, fact: Fact, candidates: Iterator[Derivation]) -> None:
        self.fact, self.candidates = fact, candidates
        self.current: Derivation | None = None
        self.best: Derivation | None = None
        self.fewest: int | None = None
        """The number of premises of the best derivation that are not own."""
