"""Players without search: the first legal move, and a random one."""

from __future__ import annotations

from random import Random

from hornbook.planner.gdl.game import Game, State
from hornbook.planner.gdl.ground import Ground
from hornbook.planner.players.player import PlayerSetting


class _PlainPlayer:
    """A Player that chooses among the legal moves only."""

    def __init__(self) -> None:
        self._game: Game | None = None
        self._role = ""

    def start(self, game: Game, role: str, seconds: float) -> None:
        if role not in game.roles:
            raise ValueError(f"the game has no role `{role}`")
        self._game, self._role = game, role

    def stop(self) -> None:
        """There is no thinking to end."""

    def _legal(self, state: State) -> tuple[Ground, ...]:
        """Return the legal moves, sorted. Raises ValueError if there is none."""
        if self._game is None:
            raise ValueError("the match has not started")
        moves = self._game.legal(state)[self._role]
        if not moves:
            raise ValueError(f"`{self._role}` has no legal move")
        return moves


class LegalPlayer(_PlainPlayer):
    """Plays the first legal move."""

    def __init__(self, setting: PlayerSetting) -> None:
        super().__init__()

    def play(self, state: State, seconds: float) -> Ground:
        return self._legal(state)[0]


class RandomPlayer(_PlainPlayer):
    """Plays a uniformly distributed legal move."""

    def __init__(self, setting: PlayerSetting) -> None:
        super().__init__()
        self._random = Random(setting.seed)  # noqa: S311 - a game, not a secret

    def play(self, state: State, seconds: float) -> Ground:
        return self._random.choice(self._legal(state))
