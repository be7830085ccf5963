"""Positions of Go from games: random ones, noisy ones (much is attacked, badly), and those of an engine.

A game is a sequence of boards, made from a random generator alone; the same generator gives the same game. An
engine that plays by GTP is asked for some of the moves only, so that its games differ too.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from random import Random
from typing import Self

from hornbook.kb.hornbook_error import HornbookError
from hornbook.theories.go.board import Board, Colour, Player, blocks
from hornbook.theories.go.reader import legal_moves, opponent, play

Choose = Callable[[Board, Player, list[int], "int | None", Random], "int | None"]
"""A move of a player among the legal ones, after the last move; None is a pass."""


def random_move(
    board: Board, player: Player, legal: list[int], last: int | None, random: Random
) -> int | None:
    """Any move; every second time one near the last."""
    if last is not None and random.random() < 1 / 2:
        near = [point for point in legal if distance(board, point, last) <= 2]
        legal = near or legal
    return random.choice(legal)


def noisy_move(
    board: Board, player: Player, legal: list[int], last: int | None, random: Random
) -> int | None:
    """Mostly a move at a liberty of a block with few of them."""
    if random.random() < 2 / 3:
        allowed = set(legal)
        weak = [block for block in blocks(board) if len(block.liberties) <= 3]
        tempting = sorted({point for block in weak for point in block.liberties} & allowed)
        legal = tempting or legal
    return random_move(board, player, legal, last, random)


def distance(board: Board, one: int, other: int) -> int:
    """Steps along lines between two points."""
    row, column = divmod(one, board.columns)
    other_row, other_column = divmod(other, board.columns)
    return abs(row - other_row) + abs(column - other_column)


def game(size: int, random: Random, choose: Choose) -> Iterator[Board]:
    """The boards of one game, up to about when half of the points are taken."""
    empty: Colour = "empty"
    board = Board(size, size, (empty,) * (size * size))
    player: Player = "black"
    last: int | None = None
    for _ in range(random.randint(size * size // 3, 3 * size * size // 4)):
        legal = legal_moves(board, player)
        last = choose(board, player, legal, last, random) if legal else None
        board = play(board, player, last)
        player = opponent(player)
        yield board


class Engine:
    """A Go program that plays by GTP, such as `gnugo --mode gtp`. It has a board of its own, set before each move."""

    def __init__(self, command: list[str]) -> None:
        program = shutil.which(command[0], path=os.pathsep.join([os.environ.get("PATH", ""), "/usr/games"]))
        if program is None:
            raise FileNotFoundError(2, "there is no such Go program", command[0])
        self._process = subprocess.Popen(  # noqa: S603 - the program that the user named
            [program, *command[1:]], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.communicate("quit\n", timeout=10)

    def choose(
        self, board: Board, player: Player, legal: list[int], last: int | None, random: Random
    ) -> int | None:
        """The engine's move, or now and then, and early, a random one."""
        played = sum(colour != "empty" for colour in board.colours)
        if played < board.columns or random.random() < 1 / 5:
            return random_move(board, player, legal, last, random)
        self._ask(f"boardsize {board.columns}")
        self._ask("clear_board")
        for point in board.points():
            if board.colours[point] != "empty":
                self._ask(f"play {board.colours[point]} {board.name(point)}")
        answer = self._ask(f"genmove {player}").lower()
        if answer in ("pass", "resign"):
            return None
        point = board.point(answer)
        return point if point in legal else random_move(board, player, legal, last, random)

    def _ask(self, command: str) -> str:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(command + "\n")
        self._process.stdin.flush()
        lines: list[str] = []
        for line in self._process.stdout:
            if line == "\n" and lines:
                break
            lines.append(line.strip())
        if not lines or not lines[0].startswith("="):
            raise EngineError(f"the Go program answers `{command}` with `{' '.join(lines)}`")
        return lines[0][1:].strip()


class EngineError(HornbookError, RuntimeError):
    """The Go program does not do what GTP asks."""
