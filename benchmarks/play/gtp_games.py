"""Games of Go through GTP, with a client like gogui-twogtp.

Commands have numbers, comments, and Windows line ends. GNU Go gets every move and is the referee. The board
of sgfmill scores the area at the end, and each program with the command `final_score` has to agree.
"""

from __future__ import annotations

import subprocess
import time
from collections.abc import Sequence
from itertools import takewhile
from random import Random
from threading import Timer

from sgfmill import boards, common

from benchmarks.play.tally import PLIES, GameLostError, GameTally
from oracles.go.gnugo_client import GnuGo

SIZE, KOMI = 7, 7.5
MAIN, PERIOD, STONES = 0.5, 0.7, 25
"""Seconds for a game, then for each further period, and the number of stones per period."""
OPENING = 4
"""Number of random moves before the programs play."""
SILENCE = 30.0
"""Seconds without an answer after which a program is stopped."""


class GtpProgram:
    """Program that speaks GTP."""

    def __init__(self, command: Sequence[str]) -> None:
        self._process = subprocess.Popen(
            list(command), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
        self._number = 0
        self.is_ours = "hornbook" in command
        self.name = "Hornbook" if self.is_ours else command[0]

    def ask(self, command: str) -> str:
        """Return the answer to a command, which sometimes has a number and a comment. Raise GameLostError."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._number += 1
        number = str(self._number) if self._number % 2 else ""
        line = f"{number} {command}{' # said' if self._number % 3 == 0 else ''}"
        watch = Timer(SILENCE, self._process.kill)
        watch.start()
        try:
            self._process.stdin.write(line.lstrip().encode() + (b"\r\n" if self._number % 5 == 0 else b"\n"))
            self._process.stdin.flush()
            lines: list[str] = []
            while text := self._process.stdout.readline().decode():
                if not text.strip():
                    if lines:
                        break
                    continue
                lines.append(text.strip())
            else:
                raise GameLostError(f"{self.name}: crash: no answer to `{command}`")
        except OSError as problem:
            raise GameLostError(f"{self.name}: crash: {problem}") from None
        finally:
            watch.cancel()
        answer = "\n".join(lines)
        if not answer.startswith(f"={number}"):
            raise GameLostError(f"{self.name}: `{command}` was answered `{answer}`")
        return answer.removeprefix(f"={number}").strip()

    def close(self) -> None:
        try:
            self._process.communicate(b"quit\n", timeout=10)
        except (OSError, ValueError, subprocess.TimeoutExpired):
            self._process.kill()
            self._process.wait()


def play_gtp(commands: tuple[Sequence[str], Sequence[str]], games: int, seed: str, until: float) -> GameTally:
    """Play games between two programs with alternating colours. After a fault both are restarted.

    No game starts after the time `until`.
    """
    random, tally = Random(seed), GameTally()
    programs: list[GtpProgram] = []
    with GnuGo() as referee:
        referee.ask(f"boardsize {SIZE}")
        try:
            for number in takewhile(lambda _: time.monotonic() < until, range(games)):
                programs = programs or [GtpProgram(each) for each in commands]
                try:
                    sides = programs if number % 2 == 0 else programs[::-1]
                    tally.ended(_game(sides, referee, random, tally))
                except GameLostError as fault:
                    tally.lost(fault)
                    for each in programs:
                        each.close()
                    programs = []
        finally:
            for each in programs:
                each.close()
    return tally


def _game(sides: Sequence[GtpProgram], referee: GnuGo, random: Random, tally: GameTally) -> str:
    """Return the ending of a game. Raise GameLostError."""
    board, moves = boards.Board(SIZE), 0
    clocks = [(MAIN, 0), (MAIN, 0)]
    referee.ask("clear_board")
    for each in sides:
        for command in (f"boardsize {SIZE}", f"komi {KOMI}", "clear_board"):
            each.ask(command)
        if each.is_ours:  # GNU Go reads only whole seconds
            each.ask(f"time_settings {MAIN} {PERIOD} {STONES}")
    passes = 0
    while passes < 2 and moves < PLIES:
        side = moves % 2
        colour = "bw"[side]
        mover, other = sides[side], sides[1 - side]
        if moves < OPENING:
            row, column = random.choice([at for at in _points() if board.get(*at) is None])
            text = common.format_vertex((row, column))
            mover.ask(f"play {colour} {text}")
        else:
            left, stones = clocks[side]
            if mover.is_ours:
                mover.ask(f"time_left {colour} {left:.3f} {stones}")
            began = time.monotonic()
            text = mover.ask(f"genmove {colour}")
            took = time.monotonic() - began
            if text.lower() == "resign":
                return "resigned"
            if mover.is_ours:
                tally.judge(mover.name, took, left if stones else left + PERIOD)
                clocks[side] = _after(left, stones, took)
        try:
            referee.play(colour, text)
            point = common.move_from_vertex(text, SIZE)
            if point is not None:
                board.play(*point, colour)
        except (AssertionError, ValueError) as problem:
            raise GameLostError(f"{mover.name}: illegal move: {problem}") from None
        other.ask(f"play {colour} {text}")
        passes = passes + 1 if point is None else 0
        moves += 1
    if passes < 2:
        return "many moves"
    points = board.area_score() - KOMI
    score = f"{'B' if points > 0 else 'W'}+{abs(points):g}"
    for each in sides:
        if each.is_ours and (answer := each.ask("final_score")) != score:
            raise GameLostError(f"{each.name}: wrong score: {answer} where {score} is right")
    return f"{score[0]} won"


def _points() -> list[tuple[int, int]]:
    return [(row, column) for row in range(SIZE) for column in range(SIZE)]


def _after(left: float, stones: int, took: float) -> tuple[float, int]:
    """Return the remaining time after a move, and the remaining stones; 0 stones mean main time."""
    if stones == 0:
        if took < left:
            return left - took, 0
        left, stones = left + PERIOD, STONES
    stones -= 1
    return (left - took, stones) if stones else (PERIOD, STONES)
