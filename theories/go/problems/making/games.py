"""Positions of Go from games: random ones, noisy ones (with many bad attacks), and those of an engine.

A game is a sequence of boards determined by a random generator; the same generator gives the same game. A GTP
engine chooses only some of the moves, so that its games differ too.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import threading
from collections.abc import Callable, Iterator
from random import Random
from typing import Self

from hornbook.kb.hornbook_error import HornbookError
from hornbook.theories.go.reader import legal_moves, opponent, play
from hornbook.theories.go.states.board import Colour, GoBoard, Player

Choose = Callable[[GoBoard, Player, list[int], "int | None", Random], "int | None"]
"""Function that chooses a player's move among the legal ones, given the last move; None is a pass."""


def random_move(
    board: GoBoard, player: Player, legal: list[int], last: int | None, random: Random
) -> int | None:
    """Return any move; with probability one half, one near the last move."""
    if last is not None and random.random() < 1 / 2:
        near = [point for point in legal if distance(board, point, last) <= 2]
        legal = near or legal
    return random.choice(legal)


def noisy_move(
    board: GoBoard, player: Player, legal: list[int], last: int | None, random: Random
) -> int | None:
    """Return mostly a move at a liberty of a block with few liberties."""
    if random.random() < 2 / 3:
        allowed = set(legal)
        weak = [block for block in board.blocks if len(block.liberties) <= 3]
        tempting = sorted({point for block in weak for point in block.liberties} & allowed)
        legal = tempting or legal
    return random_move(board, player, legal, last, random)


def distance(board: GoBoard, one: int, other: int) -> int:
    """Return the distance of two points along lines."""
    row, column = divmod(one, board.columns)
    other_row, other_column = divmod(other, board.columns)
    return abs(row - other_row) + abs(column - other_column)


def game(size: int, random: Random, choose: Choose) -> Iterator[GoBoard]:
    """Yield the boards of one game, until about half of the points are occupied."""
    empty: Colour = "empty"
    board = GoBoard(size, size, (empty,) * (size * size))
    player: Player = "black"
    last: int | None = None
    for _ in range(random.randint(size * size // 3, 3 * size * size // 4)):
        legal = legal_moves(board, player)
        last = choose(board, player, legal, last, random) if legal else None
        board = play(board, player, last)
        player = opponent(player)
        yield board


SECONDS = 60.0
"""Time limit for one answer of a Go program."""
_LONGEST_ANSWER = 10_000
"""Maximal number of characters read of an answer; expected answers have a few."""


class GtpProgram:
    """Go program that plays by GTP, such as `gnugo --mode gtp`. It has its own board, which is
    set before each move.

    A program that takes longer than `seconds` for an answer is stopped. Raises EngineError
    if it violates GTP.
    """

    def __init__(self, command: list[str], *, seconds: float = SECONDS) -> None:
        self._seconds = seconds
        program = shutil.which(command[0], path=os.pathsep.join([os.environ.get("PATH", ""), "/usr/games"]))
        if program is None:
            raise FileNotFoundError(2, "there is no such Go program", command[0])
        self._process = subprocess.Popen(  # noqa: S603 - the program that the user named
            [program, *command[1:]],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            errors="replace",
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        try:
            self._process.communicate("quit\n", timeout=min(10, self._seconds))
        except (subprocess.TimeoutExpired, BrokenPipeError):  # it does not end, or has already ended
            self._process.kill()
            self._process.communicate()

    def choose(
        self, board: GoBoard, player: Player, legal: list[int], last: int | None, random: Random
    ) -> int | None:
        """Return the engine's move, or sometimes, and early in a game, a random one."""
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
        late = threading.Event()
        watch = threading.Timer(self._seconds, self._end, [late])
        watch.start()
        try:
            self._process.stdin.write(command + "\n")
            self._process.stdin.flush()
            answer = self._answer()
        except OSError:
            answer = ""  # the program has ended
        finally:
            watch.cancel()
        if late.is_set():
            raise GtpProgramError(
                f"the Go program does not answer `{command}` within {self._seconds:g} seconds"
            )
        if not answer.startswith("="):
            shown = " ".join(answer.split())
            raise GtpProgramError(f"the Go program answers `{command}` with `{shown[:200]}`")
        return answer.partition("\n")[0][1:].strip()

    def _end(self, late: threading.Event) -> None:
        late.set()
        self._process.kill()

    def _answer(self) -> str:
        """Return its output up to an empty line or its end, limited to the length of possible answers."""
        assert self._process.stdout is not None
        answer = ""
        while len(answer) < _LONGEST_ANSWER:
            line = self._process.stdout.readline(_LONGEST_ANSWER)
            if not line or (line == "\n" and answer.strip()):
                break
            answer += line
        else:
            self._process.kill()
            raise GtpProgramError("the Go program says too much: is it one that plays by GTP?")
        return answer.strip()


class GtpProgramError(HornbookError, RuntimeError):
    """Error for a Go program that violates GTP."""
