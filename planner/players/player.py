"""The interface of players of games in GDL.

A player serves one role in one match: `start` once, then `play` for each state that is not terminal. Both
have a clock. Another thread may call `stop` at any time. Then a call in progress soon returns the best move
found, and later calls return any legal move at once.

Source: Genesereth and Thielscher, General Game Playing, chapters 4 to 6 and 11.
"""

from __future__ import annotations

from typing import Protocol

from hornbook.matcher.program.dataclass import dataclass
from hornbook.planner.gdl.game import Game, State
from hornbook.planner.gdl.ground import Ground


class Player(Protocol):
    """A player of one role in one match."""

    def start(self, game: Game, role: str, seconds: float) -> None:
        """Prepare for a match, for at most about `seconds`. Raises ValueError for an unknown role."""

    def play(self, state: State, seconds: float) -> Ground:
        """Return a legal move of the role in a state, after at most about `seconds`.

        The state need not follow the previous one. Raises ValueError if the role has no legal move, and for a
        term that the game never makes true.
        """

    def stop(self) -> None:
        """End the thinking of this player for good."""


@dataclass(frozen=True, slots=True)
class PlayerSetting:
    """The parameters of all players; a player ignores those that it does not need."""

    seed: int = 0
    """The seed of random choices."""
    threads: int = 1
    megabytes: int = 256
    """The approximate memory limit of a player's tree or table."""
