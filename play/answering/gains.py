"""Lower bounds for the gains of moves in one match of a state, by a theory about the conclusions of learned
rules.

The theory has a game `gain`, whose first argument is the player and whose last argument is the amount. The
winner of a decisive game gains everything.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterable
from dataclasses import replace
from functools import lru_cache
from itertools import product

from hornbook.compiler.match.position import IncrementalState
from hornbook.kb.ast.declarations import Predicate
from hornbook.kb.ast.parts import Part, part_of_fact
from hornbook.kb.ast.terms import WON, Atom, Constant, GameStatement, Rule, Variable
from hornbook.kb.ast.theory import GroundFact, Theory
from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.kb.base.proved_rules import add_proved_rules, add_ready, beside, ready_rules
from hornbook.kb.explain.proof import Proof
from hornbook.matcher.program.coded import Fact, Limits
from hornbook.matcher.program.dataclass import dataclass

GAIN = "gain"
EVERYTHING = 1_000_000
"""The gain of a win in a decisive game, which exceeds any amount."""
MARKS = 4
"""The number of previous states, each one move away, that can be restored."""


@dataclass(frozen=True, slots=True)
class Gain:
    """A lower bound for a move's gain, with the player, the move and the game: a decisive game that is won,
    or `gain`.
    """

    game: Atom
    by: Atom
    amount: int
    fact: Fact


class Gains:
    """Learned rules with a theory about their gains, evaluated in one state after another."""

    def __init__(
        self,
        theory: Theory,
        rules: Iterable[Rule],
        decisive: Collection[str] = (),
        limits: Limits | None = None,
    ) -> None:
        """Load the rules. Raise TheoryError if the theory has errors."""
        self._limits = limits
        self._decisive = frozenset(decisive)
        base = KnowledgeBase(_with_chains(theory), limits=limits)
        self._names = frozenset(rule.name for rule in rules)
        add_proved_rules(base, list(rules))
        self._place(base)
        self._is_planned = False
        """Whether conditions are ordered by the numbers of derived facts, which are known after the first
        state.
        """

    def _place(self, base: KnowledgeBase) -> None:
        """Use a knowledge base for the states to come."""
        self._state = IncrementalState(base, MARKS)
        self._relations = [
            statement
            for statement in base.relations()
            if isinstance(statement, GameStatement)
            and statement.by is not None
            and statement.tense != "after"
            if statement.game.predicate in (GAIN, *self._decisive)
        ]
        self._read = lru_cache(maxsize=100_000)(self._gain_of)

    def at(self, parts: Iterable[Part]) -> list[Gain]:
        """Return all gains of either side's moves in a state given by its parts, greatest first.

        Raise KnowledgeBaseError if a limit is exceeded.
        """
        if self._state.parts and not self._is_planned:
            ready = ready_rules(self._state.base)
            self._place(beside(ready, limits=self._limits))
            add_ready(self._state.base, ready)
            self._is_planned = True
        self._state.at_parts(parts)
        engine = self._state.base.engine
        found = [
            gain
            for statement in self._relations
            for fact in engine.facts(statement.relation, statement.tense)
            if (gain := self._read(fact)) is not None
        ]
        return sorted(found, key=lambda gain: (-gain.amount, str(gain.by)))

    def _gain_of(self, fact: Fact) -> Gain | None:
        statement = self._state.base.engine.coding.statement(fact)
        assert isinstance(statement, GameStatement)
        if statement.value != WON or statement.by is None:
            return None
        game = replace(statement.game, tense=None)
        return Gain(
            game, statement.by, EVERYTHING if game.predicate in self._decisive else amount_of(game), fact
        )

    def proof(self, gain: Gain) -> Proof:
        """Return the proof of a gain in the current state."""
        engine = self._state.base.engine
        return engine.prove(engine.coding.statement(gain.fact))

    def rule(self, gain: Gain) -> str:
        """Return a learned rule on which a gain in the current state depends."""
        engine, todo = self._state.base.engine, deque([gain.fact])
        while True:
            derivation = engine.derivation(todo.popleft())
            if derivation is not None:
                _, rule, _ = engine.rule_of(derivation.rule)
                if rule.name in self._names:
                    return rule.name
                todo += (premise for premise in derivation.premises if isinstance(premise, Fact))


def chain_fact(game: Atom, by: Atom) -> Part:
    """Return the fact that a match or a chain wins a game by an action, as a part of a state.

    The theory treats it like the conclusion of a rule.
    """
    values = (term.value for term in (*game.terms, *by.terms) if isinstance(term, Constant))
    return part_of_fact(GroundFact(_chained(game, by), tuple(values)))


def _with_chains(theory: Theory) -> Theory:
    """Return a theory that accepts the facts of `chain_fact`."""
    predicates, rules = dict(theory.vocabulary.predicates), list(theory.rules)
    games = [each for each in predicates.values() if each.kind == "game" and each.name != GAIN]
    actions = [each for each in predicates.values() if each.kind == "action"]
    for game, action in product(games, actions):
        columns = (*game.columns, *action.columns)
        terms = tuple(Variable(f"v{place}") for place in range(len(columns)))
        won, by = Atom(game.name, terms[: len(game.columns)]), Atom(action.name, terms[len(game.columns) :])
        about = Atom(_chained(won, by), terms)
        predicates[about.predicate] = Predicate("static", about.predicate, columns)
        head, label = GameStatement(won, by, WON), f"{game.name}_by_{action.name}_by_a_chain"
        rules.append(Rule(head, (about,), label, of_given=True))
    vocabulary = replace(theory.vocabulary, predicates=predicates)
    return replace(theory, vocabulary=vocabulary, rules=tuple(rules))


def _chained(game: Atom, by: Atom) -> str:
    """Return the predicate of such facts; no predicate of a theory has its name."""
    return f"a match or a chain wins {game.predicate} by {by.predicate}"


def amount_of(game: Atom) -> int:
    """Return the amount gained in a game `gain`."""
    last = game.terms[-1]
    assert isinstance(last, Constant)
    assert isinstance(last.value, int)
    return last.value
