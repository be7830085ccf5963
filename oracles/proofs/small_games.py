"""Two small games with direct implementations of their rules, solved exhaustively: noughts and crosses, and
Nim.

They are independent of the theories in `games/`, which the tests compare with them. A position does not
determine the side to move, but its value depends on it. Actions are facts, as in the theories.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import product
from pathlib import Path
from random import Random
from typing import Protocol, TypeVar

from hornbook.inputs.theories import load
from hornbook.kb.ast.theory import GroundFact, Theory

GAMES = Path(__file__).parent / "games"
P = TypeVar("P")


class SmallGame(Protocol[P]):
    """The interface of a game for the tests; `players` are two, and a game is named by its friend."""

    name: str
    game: str
    players: tuple[str, str]

    def positions(self) -> Sequence[P]:
        """Return all positions of the game."""

    def facts(self, position: P) -> Iterator[GroundFact]:
        """Yield the facts of a position for the theory."""

    def actions(self, position: P, player: str) -> Iterator[GroundFact]:
        """Yield the possible actions of a player."""

    def after(self, position: P, action: GroundFact) -> P | None:
        """Return the position after an action, or None if it is not allowed."""

    def wins(self, position: P, action: GroundFact) -> bool:
        """Return whether an allowed action wins at once for its player."""


def theory_of_game(game: SmallGame[P]) -> Theory:
    return load(GAMES / f"{game.name}.horn")


def other(game: SmallGame[P], player: str) -> str:
    return game.players[1 - game.players.index(player)]


class SmallGameSolver:
    """The winner, by exhaustive search."""

    def __init__(self, game: SmallGame[P]) -> None:
        self.game = game
        self.won = cache(self._won)
        """Whether the friend wins a position, by the first player."""

    def _won(self, position: P, friend: str, first: str) -> bool:
        actions = list(self.game.actions(position, first))
        outcomes = (self.action_wins(position, action, friend, first) for action in actions)
        # A player without moves has not lost, and the friend has not won.
        return any(outcomes) if first == friend else bool(actions) and all(outcomes)

    def action_wins(self, position: P, action: GroundFact, friend: str, player: str) -> bool:
        """Return whether the friend wins after a player's action."""
        if self.game.wins(position, action):
            return player == friend
        after = self.game.after(position, action)
        assert after is not None
        return bool(self.won(after, friend, other(self.game, player)))


# Noughts and crosses

CELLS = ("a1", "b1", "c1", "a2", "b2", "c2", "a3", "b3", "c3")
ROWS = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))
Board = tuple[str, ...]


class TicTacToe:
    """Noughts and crosses; a position has a mark for each cell, in the order of CELLS."""

    name = "tic_tac_toe"
    game = "win"
    players = ("x", "o")

    def positions(self) -> Sequence[Board]:
        """Return the positions of games in which the players alternate, with either player first."""
        found = dict.fromkeys((("empty",) * 9, player) for player in self.players)
        waiting = list(found)
        while waiting:
            board, player = waiting.pop()
            for action in self.actions(board, player):
                after = self.after(board, action)
                assert after is not None
                reached = after, other(self, player)
                if reached not in found:
                    found[reached] = None
                    waiting.append(reached)
        return list(dict.fromkeys(board for board, _ in found))

    def facts(self, position: Board) -> Iterator[GroundFact]:
        for cell, mark in zip(CELLS, position, strict=True):
            yield GroundFact("mark", (cell, mark))
            yield GroundFact("at", (mark, cell))
        for mark in ("x", "o", "empty"):
            yield GroundFact("number", (mark, position.count(mark)))
        if self._going(position):
            yield GroundFact("going", ())

    def actions(self, position: Board, player: str) -> Iterator[GroundFact]:
        if self._going(position):
            for cell, mark in zip(CELLS, position, strict=True):
                if mark == "empty":
                    yield GroundFact("put", (player, cell))

    def after(self, position: Board, action: GroundFact) -> Board | None:
        player, cell = action.values
        index = CELLS.index(str(cell))
        if position[index] != "empty" or not self._going(position):
            return None
        return (*position[:index], str(player), *position[index + 1 :])

    def wins(self, position: Board, action: GroundFact) -> bool:
        after = self.after(position, action)
        return after is not None and self._has_row(after, str(action.values[0]))

    def _has_row(self, position: Board, player: str) -> bool:
        return any(all(position[index] == player for index in row) for row in ROWS)

    def _going(self, position: Board) -> bool:
        return not any(self._has_row(position, player) for player in self.players)


# Nim

HEAPS = ("a", "b", "c")
Sizes = tuple[int, ...]


class Nim:
    """Nim; a position has the sizes of the three heaps."""

    name = "nim"
    game = "last"
    players = ("first", "second")

    def __init__(self, largest: int = 3) -> None:
        self.largest = largest

    def positions(self) -> Sequence[Sizes]:
        return list(product(range(self.largest + 1), repeat=len(HEAPS)))

    def facts(self, position: Sizes) -> Iterator[GroundFact]:
        for heap, size in zip(HEAPS, position, strict=True):
            yield GroundFact("size", (heap, size))
        yield GroundFact("left", ("table", sum(position)))

    def actions(self, position: Sizes, player: str) -> Iterator[GroundFact]:
        for heap, size in zip(HEAPS, position, strict=True):
            for taken in range(1, size + 1):
                yield GroundFact("take", (player, heap, taken))

    def after(self, position: Sizes, action: GroundFact) -> Sizes | None:
        _, heap, taken = action.values
        assert isinstance(taken, int)
        index = HEAPS.index(str(heap))
        if not 1 <= taken <= position[index]:
            return None
        return (*position[:index], position[index] - taken, *position[index + 1 :])

    def wins(self, position: Sizes, action: GroundFact) -> bool:
        after = self.after(position, action)
        return after is not None and not any(after)


def some(positions: Iterable[P], number: int, seed: int) -> list[P]:
    """Return `number` positions, determined by the seed, or all if there are no more."""
    found = list(positions)
    return Random(seed).sample(found, min(number, len(found)))
