"""The machine of a game in GDL with texts: a state is its facts in KIF, a move as in `move_texts`."""

from __future__ import annotations

from hornbook.kb.sources.diagnostics import TheoryError
from hornbook.planner.gdl.game import Game, State
from hornbook.planner.gdl.ground import text_of
from hornbook.planner.gdl.user_input import state as read_state
from hornbook.planner.machines.choice import machine_of
from hornbook.play.machines.move_texts import move_text
from hornbook.play.machines.text_machine import Legal, Words
from hornbook.play.machines.turns import turns_of


class SheetMachine:
    """A TextMachine of a game in GDL with one or two roles that take turns. Raises NoTurnsError."""

    point = 1
    has_estimates = False

    def __init__(self, game: Game) -> None:
        self.game = game
        self.machine = machine_of(game)
        self.core = self.machine.core
        self.roles = self.machine.roles
        self.turns = turns_of(self.machine)
        self._texts: dict[tuple[int, int], str] = {}
        words = self.core.initial()
        self.core.look(words)
        first = self.mover(words, [self.core.legal(role) for role in range(len(self.roles))])
        self.players = (first, *(role for role in range(len(self.roles)) if role != first))

    def words(self, text: str) -> Words:
        try:
            return self.machine.words(read_state(text, "<state>", self.game))
        except TheoryError as problem:
            raise ValueError(problem.diagnostics[0].message) from None

    def text(self, words: Words) -> str:
        return state_text(self.machine.state(words))

    def state(self, words: Words) -> State:
        """Return the state of the given words."""
        return self.machine.state(words)

    def move_text(self, role: int, move: int) -> str:
        if (role, move) not in self._texts:
            self._texts[role, move] = move_text(self.machine.move(role, move))
        return self._texts[role, move]

    def mover(self, words: Words, legal: Legal) -> int:
        return self.turns.mover(words, legal)

    def estimate(self, words: Words, role: int) -> int | None:
        """Return None: only goals are known of a sheet."""
        return None


def state_text(state: State) -> str:
    """Return a state as one line of KIF."""
    return " ".join(sorted(map(text_of, state)))
