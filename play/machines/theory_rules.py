"""The texts, moves and games of a theory that is played by its rules, for the commands that play.

A state is a tuple of facts: the fluents that the game needs, those of ENDS, and the statics of the first
state.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from types import ModuleType
from typing import Any

from hornbook.kb.ast.terms import Atom, Constant, Rule
from hornbook.kb.ast.theory import GroundFact, Theory
from hornbook.kb.load.adapters import Adapter
from hornbook.kb.parse.facts import ground_fact
from hornbook.kb.parse.syntax import parse
from hornbook.planner.theory_games.theory_game import ENDS, deciding_game
from hornbook.play.machines.machine_state import GREATEST
from hornbook.play.machines.notation import FactNotation
from hornbook.play.machines.sheet_machine import SheetMachine
from hornbook.play.machines.sheet_rules import SheetRules
from hornbook.theories.domain import first_argument, game

Facts = tuple[GroundFact, ...]


class FactReader(Adapter):
    """A reader of states of a theory as facts. The statics are those of the first state."""

    def __init__(self, notation: FactNotation, statics: Facts) -> None:
        self.module = ModuleType("facts")
        self._notation = notation
        self._statics = statics

    def read(self, text: str, name: str) -> Facts:
        """Return the facts of a text. Raises TheoryError or TableError."""
        return (*self._notation.facts(self._notation.read(text, name)), *self._statics)

    def facts(self, state: Facts) -> Iterator[GroundFact]:
        """Yield the facts of a state for its theory, which does not declare those of ENDS."""
        return (fact for fact in state if fact.relation not in ENDS)


class TheoryRules(SheetRules):
    """The domain of a theory that is played by its rules."""

    states = tuple

    def __init__(self, machine: SheetMachine, notation: FactNotation, theory: Theory, first: Facts) -> None:
        predicates = theory.vocabulary.predicates
        statics = tuple(fact for fact in first if predicates[fact.relation].kind == "static")
        super().__init__(machine, FactReader(notation, statics))
        self._notation = notation
        self._game = deciding_game(theory).name
        self.decisive = frozenset({self._game})

    def starts(self) -> Sequence[Facts]:
        return [self.position(self._notation.write(self.machine.game.initial))]

    def write(self, state: Facts) -> str:
        return self._notation.write(self._notation.state(state))

    def position(self, text: str) -> Facts:
        found: Facts = self.adapter.read(text, "<state>")
        return found

    def games(self, state: Facts) -> Sequence[Atom]:
        return [game(self._game, role) for role in self.machine.roles]

    def outcome(self, state: Facts, game: Atom) -> bool | None:
        now = self._state(self.write(state))
        if not now.is_over:
            return None
        return now.goals[self.machine.roles.index(str(first_argument(game)))] == GREATEST

    def actions(self, state: Facts) -> Iterable[GroundFact]:
        return list(self._texts_of_actions(state))

    def after(self, state: Facts, action: GroundFact) -> Facts | None:
        move = self._texts_of_actions(state).get(action)
        return None if move is None else self.position(str(self._state(self.write(state)).after(move)))

    def _texts_of_actions(self, state: Facts) -> dict[GroundFact, str]:
        """Return the legal actions, each with the text of its move."""
        now = self._state(self.write(state))
        machine = self.machine.machine
        return {
            self._notation.action(machine.move(now.mover, move)): text for text, move in now.legal.items()
        }

    def turns(self, state: Facts) -> Iterable[tuple[str, Any]]:
        now = self._state(self.write(state))
        return [(move, self.position(str(after))) for move, after in now.next_states.items()]

    def typed(self, text: str, move: str) -> str | None:
        action = _action_of(move)
        own = None if action is None else self._texts_of_actions(self.position(text)).get(action)
        return own or super().typed(text, move)

    def over(self, text: str) -> str:
        if self.machine.is_stuck(self._state(text).words):
            return "several players have legal actions in this state, so play cannot go on"
        return super().over(text)

    def shown(self, text: str) -> str:
        lines = self._notation.lines(self._notation.read(text, "<state>"), self.machine.game.initial)
        return "\n".join([f"to move: {self.mover(text)}", *lines])


def _action_of(text: str) -> GroundFact | None:
    """Return the action that a text in the language states, or None for another text."""
    clauses = parse(f"{text}.").clauses
    if len(clauses) != 1 or not isinstance(clauses[0], Rule) or not clauses[0].is_fact:
        return None
    head = clauses[0].head
    return ground_fact(head) if all(isinstance(term, Constant) for term in head.terms) else None
