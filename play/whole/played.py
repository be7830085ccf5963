"""A game so far: its states and moves, and its ending.

States are those of the game's native step. A state does not record draws by repetition or similar rules; the
game's domain decides them from the earlier states.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from hornbook.matcher.program.dataclass import dataclass
from hornbook.play.native import Native, NativeState
from hornbook.theories.protocols.whole_games import WholeGames

TURN = "--"
"""An entry of a record that gives the turn to the other player without a move."""


def chosen_move(typed: str, moves: Sequence[str]) -> str | None:
    """Return the move with a text, or the only move that differs from it in case alone."""
    if typed in moves:
        return typed
    found = [move for move in moves if move.lower() == typed.lower()]
    return found[0] if len(found) == 1 else None


@dataclass(frozen=True, slots=True)
class Ending:
    """The ending of a game: `points` are 1 for a win of player 0, 0 for a loss, and 0.5 for a draw.

    The field `why` is the reason. The field `margin` is the outcome for player 0 in the game's own unit, or
    None if the game ended before play was over.
    """

    points: float
    why: str
    margin: int | None = None

    @property
    def result(self) -> str:
        """Return the result in the usual notation."""
        return {1.0: "1-0", 0.0: "0-1"}.get(self.points, "1/2-1/2")


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """A game from some state on; `moves` lead from each of `states` to the next."""

    native: Native
    rules: WholeGames
    states: tuple[NativeState, ...]
    moves: tuple[str, ...] = ()

    @classmethod
    def start(cls, native: Native, rules: WholeGames, text: str | None = None) -> PlayedGame:
        """Return a game without moves that starts in a state, by default in the usual initial state.

        Raises ValueError for an invalid state.
        """
        return cls(native, rules, (native.State(rules.beginnings()[0] if text is None else text),))

    @property
    def state(self) -> NativeState:
        return self.states[-1]

    @property
    def mover(self) -> int:
        return self.state.to_move

    def after(self, move: str) -> PlayedGame:
        """Return the game after a legal move. Raises ValueError for an illegal one."""
        state = self.state.after(move)
        return PlayedGame(self.native, self.rules, (*self.states, state), (*self.moves, move))

    def turned(self) -> PlayedGame:
        """Return the game with the other player to move, without a move of the first.

        Raises ValueError if that is impossible.
        """
        text = self.rules.turned(str(self.state))
        if text is None:
            raise ValueError(f"it is {self.rules.mover(str(self.state))}'s turn")
        return PlayedGame(self.native, self.rules, (*self.states[:-1], self.native.State(text)), self.moves)

    def resumed(self, recorded: Iterable[str]) -> PlayedGame:
        """Return the game after the moves of a record, with `--` for a turn of the other player.

        Raises ValueError with the number of the wrong move.
        """
        game = self
        for number, move in enumerate(recorded, 1):
            try:
                game = game.turned() if move == TURN else game.after(move)
            except ValueError as problem:
                raise ValueError(f"move {number}: {problem}") from None
        return game

    def recorded(self) -> Iterator[str]:
        """Yield the moves in the form for `resumed`."""
        for number, move in enumerate(self.moves):
            yield move
            made = PlayedGame(self.native, self.rules, (self.states[number].after(move),))
            while made.state != self.states[number + 1]:
                made = made.turned()
                yield TURN

    def back(self) -> PlayedGame:
        """Return the game without its last move. Raises ValueError before the first."""
        if not self.moves:
            raise ValueError("no move was made yet")
        return PlayedGame(self.native, self.rules, self.states[:-1], self.moves[:-1])

    def repeats(self, move: str) -> bool:
        """Return whether a legal move leads to a state that has already occurred in the game."""
        return self.state.after(move) in self.states

    @property
    def ending(self) -> Ending | None:
        """Return the ending of the game by its rules, or None while it goes on."""
        if self.state.is_over:
            margin = self.state.outcome
            points = 0.5 if margin == 0 else 1.0 if margin > 0 else 0.0
            return Ending(points, self.rules.over(str(self.state)), margin)
        why = self.rules.drawn([str(state) for state in self.states])
        return None if why is None else Ending(0.5, why)


def given_up(player: int, why: str) -> Ending:
    """Return the ending of a game that a player has lost for a reason outside of the rules."""
    return Ending(float(player), why)
