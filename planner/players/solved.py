"""The player of proved strategies (planner/conditional/).

Source: Genesereth and Thielscher, General Game Playing, 11.3.
"""

from __future__ import annotations

from time import monotonic

from hornbook.kb.lower.budget import Budget
from hornbook.planner.conditional.guarantee import guarantee
from hornbook.planner.gdl.game import Game, State
from hornbook.planner.gdl.ground import Ground
from hornbook.planner.machines.machine import GameMachine
from hornbook.planner.players.monte_carlo import MonteCarloPlayer
from hornbook.planner.players.thinking import seconds_until


class SolvingPlayer(MonteCarloPlayer):
    """Follows a strategy for the greatest value that the role can guarantee.

    The first half of `start` is for its search. Outside of the strategy, it plays by Monte Carlo tree search.
    """

    def begin(self, game: Game, machine: GameMachine, until: float) -> None:
        _, role = self.match
        budget = Budget(seconds=seconds_until(until) / 2, megabytes=self.setting.megabytes)
        found = guarantee(game, game.roles[role], game.initial, None, budget, self._end_if_stopped)
        self._moves: dict[State, Ground] = {}
        if found.answer == "found" and found.strategy is not None:
            self._moves = {node.state: node.move for node in found.strategy.nodes if node.move is not None}
        super().begin(game, machine, monotonic() if self._moves else until)

    def choose(self, state: State, words: list[int], until: float) -> Ground:
        move = self._moves.get(state)
        return super().choose(state, words, until) if move is None else move

    def _end_if_stopped(self, _states: int, _least: int, _most: int) -> None:
        if self.stopping.is_set:
            raise KeyboardInterrupt  # the planner then returns what it has proved
