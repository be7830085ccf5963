"""The player of sequential plans, for games of one role.

Source: Genesereth and Thielscher, General Game Playing, 11.2.
"""

from __future__ import annotations

from hornbook.kb.lower.budget import Budget
from hornbook.planner.gdl.game import Game, State
from hornbook.planner.gdl.ground import Ground
from hornbook.planner.machines.machine import GameMachine
from hornbook.planner.players.thinking import ThinkingPlayer, seconds_until
from hornbook.planner.sequential.plan import Planned
from hornbook.planner.sequential.planner import SequentialProgress, plan


class SequentialPlayer(ThinkingPlayer):
    """Follows the best plan found, and searches for a better one unless the plan is proved optimal.

    Without a plan it plays the first legal move.
    """

    def begin(self, game: Game, machine: GameMachine, until: float) -> None:
        if len(game.roles) != 1:
            raise ValueError(f"a sequential plan is for one role, and the game has {len(game.roles)}")
        self._game = game
        self._moves: dict[State, Ground] = {}
        self._value = -1
        self._is_optimal = False
        self._look_for_plan(game.initial, until)

    def choose(self, state: State, words: list[int], until: float) -> Ground:
        if state not in self._moves:
            self._value, self._is_optimal = -1, False
        if not self._is_optimal:
            self._look_for_plan(state, until)
        machine, role = self.match
        machine.core.look(words)
        return self._moves.get(state, machine.move(role, machine.core.legal(role)[0]))

    def _look_for_plan(self, state: State, until: float) -> None:
        """Replace the plan if a better one is found."""
        budget = Budget(seconds=seconds_until(until), megabytes=self.setting.megabytes)
        found = plan(self._game, budget, self._end_if_stopped, state)
        if found.plan is not None and found.plan.value > self._value:
            self._moves, self._value = self._states_of(found, state), found.plan.value
        self._is_optimal = self._value >= 0 and self._value == (found.most or 0)

    def _states_of(self, found: Planned, state: State) -> dict[State, Ground]:
        """Return the states of a plan, each with its move."""
        assert found.plan is not None
        machine, _ = self.match
        moves = {}
        words = machine.words(state)
        for move in found.plan.moves:
            moves[machine.state(words)] = move
            number = machine.number(0, move)
            assert number is not None
            machine.core.look(words)
            words = machine.core.next([number])
        return moves

    def _end_if_stopped(self, _: SequentialProgress) -> None:
        if self.stopping.is_set:
            raise KeyboardInterrupt  # the planner then returns the plan found until now
