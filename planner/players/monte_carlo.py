"""The player of Monte Carlo tree search. It begins to search during the start clock."""

from __future__ import annotations

from hornbook.planner import _core
from hornbook.planner.gdl.game import Game, State
from hornbook.planner.gdl.ground import Ground
from hornbook.planner.machines.machine import GameMachine
from hornbook.planner.players.thinking import MANY, ThinkingPlayer, seconds_until


class MonteCarloPlayer(ThinkingPlayer):
    """Plays the most visited move, or one that is proved to be better."""

    def begin(self, game: Game, machine: GameMachine, until: float) -> None:
        self._search = _core.TreeSearch(
            machine.core, rave=True, seed=self.setting.seed, megabytes=self.setting.megabytes
        )
        self._run(machine.core.initial(), until)

    def choose(self, state: State, words: list[int], until: float) -> Ground:
        machine, role = self.match
        return machine.move(role, self._run(words, until).move)

    def _run(self, words: list[int], until: float) -> _core.TreeResult:
        return self._search.run(
            words,
            self.match[1],
            seconds=seconds_until(until),
            playouts=MANY,
            threads=self.setting.threads,
            stop=self.stopping,
        )
