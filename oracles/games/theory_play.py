"""A theory played by its knowledge base: the slow judge of the machines that are made from theories.

The judge evaluates one state at a time. Legal actions are the facts of the predicates with `allows`. The end
follows from the conclusions on the deciding game that no other value of a game supports.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from hornbook.kb.ast.declarations import SortName
from hornbook.kb.ast.terms import GameStatement, statements
from hornbook.kb.ast.theory import GroundFact, Theory
from hornbook.kb.base.changes.succession import facts_after, passing
from hornbook.kb.base.knowledge_base import KnowledgeBase

WINS_TO_PLAY = ("GI", "G", "GG", "GP")


def allowing(theory: Theory, predicate: str, action: str) -> Theory:
    """Return the theory with a predicate declared to allow an action."""
    predicates = theory.vocabulary.predicates
    changed = {**predicates, predicate: replace(predicates[predicate], allows=SortName(action))}
    return replace(theory, vocabulary=replace(theory.vocabulary, predicates=changed))


class TheoryPlay:
    """The states of a theory from a given one. An action is a fact."""

    def __init__(self, theory: Theory, facts: Iterable[GroundFact], game: str) -> None:
        predicates = theory.vocabulary.predicates
        plain = tuple(
            rule
            for rule in theory.rules
            if not (
                isinstance(rule.head, GameStatement)
                and any(isinstance(each, GameStatement) for each in statements(rule.body))
            )
        )
        self.base = KnowledgeBase(replace(theory, rules=plain), derivations="none")
        self.game = game
        self.allowing = [p for p in predicates.values() if p.allows is not None]
        self.players = [*theory.vocabulary.sorts[predicates[game].columns[0].name].constants]
        self.won: set[str] = set()
        self.won_at_end: set[str] = set()
        self.is_over = False
        self.base.add(facts)
        self._find_legal()

    def fluents(self) -> set[tuple[object, ...]]:
        """Return the given fluents of the present state as tuples of words."""
        return {(f.relation, *map(str, f.values)) for f in passing(self.base, self.base.given())}

    def take(self, action: GroundFact) -> None:
        """Go on to the state after a legal action."""
        self.base.add([action])
        by = f"{self.game} by {action.relation} is"
        self.won = {
            str(fact.values[0])
            for fact in self.base.facts(by, "before")
            if fact.values[1:-1] == action.values and fact.values[-1] in WINS_TO_PLAY
        }
        self.won_at_end = {
            str(fact.values[0])
            for fact in self.base.facts(f"{self.game} is", "after")
            if fact.values[-1] in (*WINS_TO_PLAY, "IG")
        }
        after = facts_after(self.base)
        self.base.exchange(passing(self.base, self.base.given()), after)
        self._find_legal()

    def _find_legal(self) -> None:
        self.legal: dict[str, set[tuple[str, ...]]] = {}
        for predicate in self.allowing:
            action = self.base.theory.vocabulary.predicates[predicate.allows.name]
            for fact in self.base.facts(predicate.name, "before"):
                own = fact.values[len(fact.values) - action.arity :]
                has_player = predicate.columns and predicate.columns[0].name in (
                    column.name for column in self.base.theory.vocabulary.predicates[self.game].columns
                )
                player = str(fact.values[0]) if has_player else self.players[0]
                self.legal.setdefault(player, set()).add((action.name, *map(str, own)))
        self.is_over = bool(self.won) or not self.legal

    def fact(self, action: tuple[str, ...]) -> GroundFact:
        """Return the fact of an action that `legal` gives."""
        name, *words = action
        vocabulary = self.base.theory.vocabulary
        kinds = (vocabulary.sorts[column.name].kind for column in vocabulary.predicates[name].columns)
        values = (int(word) if kind == "integer" else word for word, kind in zip(words, kinds, strict=True))
        return GroundFact(name, tuple(values))

    def goals(self, roles: Iterable[str]) -> list[int]:
        """Return the goals of the players after the end."""
        winners = self.won | self.won_at_end
        names = list(roles)
        nothing = 50 if len(names) > 1 else 0
        return [(100 if name in winners else 0) if winners else nothing for name in names]
