"""What moves gain at least in one match of a state, by a theory that says so of what learned rules conclude.

Such a theory has a game `gain`, of which the first argument is who gains and the last how much. Who wins a decisive game gains everything.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import product

from hornbook.compiler.match.position import Standing
from hornbook.kb.ast.declarations import Predicate
from hornbook.kb.ast.parts import Part, alone, kept
from hornbook.kb.ast.terms import Atom, Constant, GameStatement, Rule, Variable
from hornbook.kb.ast.theory import GroundFact, Theory
from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.kb.base.proved_rules import add_proved_rules, add_ready, beside, ready_rules
from hornbook.kb.explain.proof import Proof
from hornbook.kb.format.printer import print_condition
from hornbook.matcher.program.coded import Fact, Limits

GAIN = "gain"
EVERYTHING = 1_000_000
"""What winning a decisive game gains: more than any amount."""
_WON = Constant("GI")
MARKS = 4
"""So many states from which one came by a move are gone back to."""


@dataclass(frozen=True, slots=True)
class Gain:
    """What a move gains at least, who makes it, and what says so: of a decisive game the one that is won, else `gain`."""

    game: Atom
    by: Atom
    amount: int
    fact: Fact


class Gains:
    """Learned rules with the theory that says what their moves gain, at one state after another."""

    def __init__(
        self,
        theory: Theory,
        rules: Iterable[Rule],
        decisive: Collection[str] = (),
        limits: Limits | None = None,
    ) -> None:
        """Raises TheoryError where the theory is wrong."""
        self._limits = limits
        self._decisive = frozenset(decisive)
        base = KnowledgeBase(_with_chains(theory), limits=limits)
        self._names = frozenset(rule.name for rule in rules)
        add_proved_rules(base, list(rules))
        self._place(base)
        self._is_planned = False
        """Whether the conditions are ordered by how much is derived, as it is known after the first state."""

    def _place(self, base: KnowledgeBase) -> None:
        """Has this base stand at the states to come."""
        self._stand = Standing(base, MARKS)
        self._relations = [
            said
            for said in base.relations()
            if isinstance(said, GameStatement) and said.by is not None and said.tense != "after"
            if said.game.predicate in (GAIN, *self._decisive)
        ]
        self._read = lru_cache(maxsize=100_000)(self._said)

    def at(self, parts: Iterable[Part]) -> list[Gain]:
        """All that is said of the moves of either side in a state, which is given in parts: those first that gain most.

        Raises KnowledgeBaseError where a limit is passed.
        """
        if self._stand.parts and not self._is_planned:
            ready = ready_rules(self._stand.base)
            self._place(beside(ready, limits=self._limits))
            add_ready(self._stand.base, ready)
            self._is_planned = True
        self._stand.at_parts(parts)
        found = [
            gain
            for said in self._relations
            for fact in self._stand.base.held(said.relation, said.tense)
            if (gain := self._read(fact)) is not None
        ]
        return sorted(found, key=lambda gain: (-gain.amount, str(gain.by)))

    def _said(self, fact: Fact) -> Gain | None:
        said = self._stand.base.conclusion(fact)
        assert isinstance(said, GameStatement)
        if said.value != _WON or said.by is None:
            return None
        game = replace(said.game, tense=None)
        return Gain(game, said.by, EVERYTHING if game.predicate in self._decisive else amount_of(game), fact)

    def proof(self, gain: Gain) -> Proof:
        """Why it is gained in the state at hand."""
        return self._stand.base.why(print_condition(self._stand.base.conclusion(gain.fact)))

    def rule(self, gain: Gain) -> str:
        """A learned rule that this rests on in the state at hand."""
        base, todo = self._stand.base, deque([gain.fact])
        while True:
            derivation = base.derivation(todo.popleft())
            if derivation is not None:
                _, rule, _ = base.rule_of(derivation.rule)
                if rule.name in self._names:
                    return rule.name
                todo += (premise for premise in derivation.premises if isinstance(premise, Fact))


def told(game: Atom, by: Atom) -> Part:
    """That a match or a chain of them wins a game by an action: the theory says of it what it would say of a rule that it knows."""
    values = (term.value for term in (*game.terms, *by.terms) if isinstance(term, Constant))
    return kept(alone, GroundFact(_chained(game, by), tuple(values)))


def _with_chains(theory: Theory) -> Theory:
    """A theory that may be `told` what is won."""
    predicates, rules = dict(theory.vocabulary.predicates), list(theory.rules)
    games = [each for each in predicates.values() if each.kind == "game" and each.name != GAIN]
    actions = [each for each in predicates.values() if each.kind == "action"]
    for game, action in product(games, actions):
        columns = (*game.columns, *action.columns)
        terms = tuple(Variable(f"v{place}") for place in range(len(columns)))
        won, by = Atom(game.name, terms[: len(game.columns)]), Atom(action.name, terms[len(game.columns) :])
        about = Atom(_chained(won, by), terms)
        predicates[about.predicate] = Predicate("static", about.predicate, columns)
        head, label = GameStatement(won, by, _WON), f"{game.name}_by_{action.name}_by_a_chain"
        rules.append(Rule(head, (about,), label, of_given=True))
    vocabulary = replace(theory.vocabulary, predicates=predicates)
    return replace(theory, vocabulary=vocabulary, rules=tuple(rules))


def _chained(game: Atom, by: Atom) -> str:
    """The predicate of what is won so: no predicate of a theory is called so."""
    return f"a match or a chain wins {game.predicate} by {by.predicate}"


def amount_of(game: Atom) -> int:
    """How much is gained in a game `gain`."""
    last = game.terms[-1]
    assert isinstance(last, Constant)
    assert isinstance(last.value, int)
    return last.value
