"""The common parts of players that search on a machine."""

from __future__ import annotations

from abc import ABC, abstractmethod
from time import monotonic

from hornbook.planner import _core
from hornbook.planner.gdl.game import Game, State
from hornbook.planner.gdl.ground import Ground
from hornbook.planner.machines.choice import limits_within, machine_of
from hornbook.planner.machines.machine import GameMachine
from hornbook.planner.players.player import PlayerSetting

MANY = 2**62
"""A number of games or states that no search reaches."""


class ThinkingPlayer(ABC):
    """A Player with a machine of its game.

    A game with many rules may need more time for its machine than `start` has.
    """

    def __init__(self, setting: PlayerSetting) -> None:
        self.setting = setting
        self.stopping = _core.StopSignal()
        self._match: tuple[GameMachine, int] | None = None

    def start(self, game: Game, role: str, seconds: float) -> None:
        until = monotonic() + seconds
        if role not in game.roles:
            raise ValueError(f"the game has no role `{role}`")
        machine = machine_of(game, limits_within(seconds))
        self._match = machine, game.roles.index(role)
        self.begin(game, machine, until)

    def play(self, state: State, seconds: float) -> Ground:
        until = monotonic() + seconds
        machine, role = self.match
        words = machine.words(state)
        machine.core.look(words)
        if not machine.core.legal(role):
            raise ValueError(f"`{machine.roles[role]}` has no legal move")
        return self.choose(state, words, until)

    def stop(self) -> None:
        """End the thinking of this player for good."""
        self.stopping.set()

    @property
    def match(self) -> tuple[GameMachine, int]:
        """The machine, and the number of the role."""
        if self._match is None:
            raise ValueError("the match has not started")
        return self._match

    @abstractmethod
    def begin(self, game: Game, machine: GameMachine, until: float) -> None:
        """Prepare for the match until a time of the monotonic clock."""

    @abstractmethod
    def choose(self, state: State, words: list[int], until: float) -> Ground:
        """Return a move in a state with at least one legal move, before a time of the monotonic clock."""


def seconds_until(until: float) -> float:
    return max(0.0, until - monotonic())
