"""A game as far as it went: its states and moves, and how it ended.

States are those of the game's native step. That a game is drawn although it might go on, no state knows: it is for the game's domain
to say, by the states that came before.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from hornbook.play.native import Native, State

TURN = "--"
"""In the moves of a record: the other player is to move, although nobody moved."""


class Rules(Protocol):
    """What the domain of a game says of whole games."""

    def beginnings(self) -> Sequence[str]: ...

    def drawn(self, states: Sequence[str]) -> str | None: ...

    def turned(self, text: str) -> str | None: ...

    def mover(self, text: str) -> str: ...


@dataclass(frozen=True, slots=True)
class Ending:
    """How a game ended for player 0: 1 is won, 0 lost, 0.5 drawn. `margin` is in the game's own unit, where play came to an end."""

    points: float
    why: str
    margin: int | None = None

    @property
    def result(self) -> str:
        """As people write it."""
        return {1.0: "1-0", 0.0: "0-1"}.get(self.points, "1/2-1/2")


@dataclass(frozen=True, slots=True)
class Played:
    """A game from some state on; `moves` lead from each of `states` to the next."""

    native: Native
    rules: Rules
    states: tuple[State, ...]
    moves: tuple[str, ...] = ()

    @classmethod
    def begun(cls, native: Native, rules: Rules, text: str | None = None) -> Played:
        """A game from a state on, by default from the usual beginning. Raises ValueError for what is no state."""
        return cls(native, rules, (native.State(rules.beginnings()[0] if text is None else text),))

    @property
    def state(self) -> State:
        return self.states[-1]

    @property
    def mover(self) -> int:
        return self.state.to_move

    def after(self, move: str) -> Played:
        """The game with a legal move more. Raises ValueError where it is none."""
        state = self.state.after(move)
        return Played(self.native, self.rules, (*self.states, state), (*self.moves, move))

    def turned(self) -> Played:
        """The game with the other player to move, who follows no move of the first. Raises ValueError where that cannot be."""
        text = self.rules.turned(str(self.state))
        if text is None:
            raise ValueError(f"it is {self.rules.mover(str(self.state))}'s turn")
        return Played(self.native, self.rules, (*self.states[:-1], self.native.State(text)), self.moves)

    def resumed(self, recorded: Iterable[str]) -> Played:
        """The game with the moves of a record, of which `--` gives the turn to the other player.

        Raises ValueError with the number of the move that is wrong.
        """
        game = self
        for number, move in enumerate(recorded, 1):
            try:
                game = game.turned() if move == TURN else game.after(move)
            except ValueError as problem:
                raise ValueError(f"move {number}: {problem}") from None
        return game

    def recorded(self) -> Iterator[str]:
        """The moves as `resumed` takes them."""
        for number, move in enumerate(self.moves):
            yield move
            made = Played(self.native, self.rules, (self.states[number].after(move),))
            while made.state != self.states[number + 1]:
                made = made.turned()
                yield TURN

    def back(self) -> Played:
        """The game without its last move. Raises ValueError before the first."""
        if not self.moves:
            raise ValueError("no move was made yet")
        return Played(self.native, self.rules, self.states[:-1], self.moves[:-1])

    def repeats(self, move: str) -> bool:
        """Whether a legal move leads to a state that was there before."""
        return self.state.after(move) in self.states

    @property
    def ending(self) -> Ending | None:
        """How the game ended by its rules; None while it goes on."""
        if self.state.is_over:
            margin = self.state.outcome
            return Ending(0.5 if margin == 0 else 1.0 if margin > 0 else 0.0, "play is over", margin)
        why = self.rules.drawn([str(state) for state in self.states])
        return None if why is None else Ending(0.5, why)


def given_up(player: int, why: str) -> Ending:
    """The ending of a game that a player has lost for another reason than its end."""
    return Ending(float(player), why)
