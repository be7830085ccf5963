"""The machine of a game in GDL or of a theory, with the texts of its states and moves."""

from __future__ import annotations

from hornbook.kb.sources.diagnostics import TheoryError
from hornbook.planner.gdl.game import Game, State
from hornbook.planner.machines.choice import machine_of
from hornbook.planner.machines.machine import GameMachine
from hornbook.play.machines.move_texts import move_text
from hornbook.play.machines.notation import KifNotation, Notation
from hornbook.play.machines.text_machine import Legal, Words
from hornbook.play.machines.turns import Turns, WaitingTurns, turns_of


class SheetMachine:
    """A TextMachine of a game with one or two roles that take turns. Raises NoTurnsError.

    Without a `notation`, the texts of states are KIF. Without a `machine`, it is the fastest of the game.
    Without `turns`, random games show the order of play.
    """

    point = 1
    has_estimates = False

    def __init__(
        self,
        game: Game,
        notation: Notation | None = None,
        machine: GameMachine | None = None,
        turns: WaitingTurns | None = None,
    ) -> None:
        self.game = game
        self.notation = notation or KifNotation(game)
        self.machine = machine or machine_of(game)
        self.core = self.machine.core
        self.roles = self.machine.roles
        self.turns: Turns | WaitingTurns = turns or turns_of(self.machine)
        self._texts: dict[tuple[int, int], str] = {}
        words = self.core.initial()
        self.core.look(words)
        first = self.mover(words, [self.core.legal(role) for role in range(len(self.roles))])
        self.players = (first, *(role for role in range(len(self.roles)) if role != first))

    def words(self, text: str) -> Words:
        try:
            return self.machine.words(self.notation.read(text, "<state>"))
        except TheoryError as problem:
            raise ValueError(problem.diagnostics[0].message) from None

    def text(self, words: Words) -> str:
        return self.notation.write(self.machine.state(words))

    def state(self, words: Words) -> State:
        """Return the state of the given words."""
        return self.machine.state(words)

    def is_stuck(self, words: Words) -> bool:
        """Return whether a state is not over although a role has no legal move."""
        self.core.look(words)
        return not self.core.terminal() and not all(map(self.core.legal, range(len(self.roles))))

    def move_text(self, role: int, move: int) -> str:
        if (role, move) not in self._texts:
            self._texts[role, move] = move_text(self.machine.move(role, move))
        return self._texts[role, move]

    def mover(self, words: Words, legal: Legal) -> int:
        return self.turns.mover(words, legal)

    def estimate(self, words: Words, role: int) -> int | None:
        """Return None: only goals are known."""
        return None
