"""Players that search all games of a few moves: deliberation, minimax and bounded depth.

They assume that all other roles together keep the role's goal value as low as possible. A game of one role
has no others. Source: Genesereth and Thielscher, General Game Playing, chapters 5 and 6.
"""

from __future__ import annotations

from hornbook.planner import _core
from hornbook.planner.gdl.game import Game, State
from hornbook.planner.gdl.ground import Ground
from hornbook.planner.machines.machine import GameMachine
from hornbook.planner.players.player import PlayerSetting
from hornbook.planner.players.thinking import MANY, ThinkingPlayer, seconds_until


class _DepthPlayer(ThinkingPlayer):
    """Deepens the search until the time is over or the value is proved."""

    def __init__(self, setting: PlayerSetting, *, alpha_beta: bool) -> None:
        super().__init__(setting)
        self._alpha_beta = alpha_beta
        self._search: _core.BoundedSearch | None = None

    def begin(self, game: Game, machine: GameMachine, until: float) -> None:
        self._search = self._new_search(machine)
        self._run(machine.core.initial(), until)

    def choose(self, state: State, words: list[int], until: float) -> Ground:
        machine, role = self.match
        return machine.move(role, self._run(words, until).move)

    def _new_search(self, machine: GameMachine) -> _core.BoundedSearch:
        return _core.BoundedSearch(
            machine.core, alpha_beta=self._alpha_beta, megabytes=self.setting.megabytes
        )

    def _run(self, words: list[int], until: float) -> _core.BoundedResult:
        assert self._search is not None
        return self._search.run(
            words,
            self.match[1],
            seconds=seconds_until(until),
            nodes=MANY,
            depth=MANY,
            stop=self.stopping,
        )


class MinimaxPlayer(_DepthPlayer):
    """Searches all games by minimax, and keeps the values of states for later moves."""

    def __init__(self, setting: PlayerSetting) -> None:
        super().__init__(setting, alpha_beta=False)


class BoundedDepthPlayer(_DepthPlayer):
    """Searches by alpha-beta; goal values and mobility evaluate the states at the depth limit."""

    def __init__(self, setting: PlayerSetting) -> None:
        super().__init__(setting, alpha_beta=True)


class DeliberatingPlayer(MinimaxPlayer):
    """Searches from the present state anew for each move (compulsive deliberation)."""

    def begin(self, game: Game, machine: GameMachine, until: float) -> None:
        """Nothing that is found before the first move would be used."""

    def choose(self, state: State, words: list[int], until: float) -> Ground:
        self._search = self._new_search(self.match[0])
        return super().choose(state, words, until)
