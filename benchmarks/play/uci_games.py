"""Games of chess through UCI, by the engine client and the board of python-chess."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from contextlib import suppress
from itertools import takewhile
from random import Random

import chess
import chess.engine

from benchmarks.play.tally import PLIES, GameLostError, GameTally

SECONDS, MORE = 0.5, 0.03
"""Seconds of each side for a game, and after each move."""
OPENING = 6
"""Number of random moves before the programs play."""
STOCKFISH = {"Skill Level": 0, "Move Overhead": 100}
"""Weakest play, and milliseconds reserved for overhead, so that it does not lose on time on a busy machine.
"""
SILENCE = 30.0
"""Seconds without an answer after which a program counts as crashed."""


def play_uci(commands: tuple[Sequence[str], Sequence[str]], games: int, seed: str, until: float) -> GameTally:
    """Play games between two programs with alternating sides. After a fault both are restarted.

    No game starts after the time `until`.
    """
    return asyncio.run(_played(commands, games, Random(seed), until))


async def _played(
    commands: tuple[Sequence[str], Sequence[str]], games: int, random: Random, until: float
) -> GameTally:
    tally = GameTally()
    engines: list[chess.engine.UciProtocol] = []
    try:
        for number in takewhile(lambda _: time.monotonic() < until, range(games)):
            if not engines:
                engines = [await _started(each) for each in commands]
            try:
                sides = engines if number % 2 == 0 else engines[::-1]
                tally.ended(await _game(sides, number, random, tally))
            except GameLostError as fault:
                tally.lost(fault)
                await _close(engines)
                engines = []
    finally:
        await _close(engines)
    return tally


async def _started(command: Sequence[str]) -> chess.engine.UciProtocol:
    _, engine = await chess.engine.popen_uci(list(command))
    known = {name: value for name, value in STOCKFISH.items() if name in engine.options}
    await engine.configure(known)
    return engine


async def _close(engines: Sequence[chess.engine.UciProtocol]) -> None:
    for each in engines:
        with suppress(chess.engine.EngineError):
            await each.quit()


async def _game(
    sides: Sequence[chess.engine.UciProtocol], number: int, random: Random, tally: GameTally
) -> str:
    """Return the ending of a game. Raise GameLostError."""
    board = _opening(random)
    names = [each.id["name"] for each in sides]
    left = [SECONDS, SECONDS]
    for each in sides:
        await each.ping()
    while (ending := _ending(board)) is None:
        side = 0 if board.turn == chess.WHITE else 1
        limit = chess.engine.Limit(white_clock=left[0], black_clock=left[1], white_inc=MORE, black_inc=MORE)
        began = time.monotonic()
        try:
            found = await asyncio.wait_for(sides[side].play(board, limit, game=number), SILENCE)
        except (chess.engine.EngineTerminatedError, TimeoutError) as problem:
            raise GameLostError(f"{names[side]}: crash: {problem!r}") from None
        except chess.engine.EngineError as problem:  # python-chess checks legality
            raise GameLostError(f"{names[side]}: illegal move: {problem}") from None
        took = time.monotonic() - began
        if found.move is None:
            raise GameLostError(f"{names[side]}: no move")
        tally.judge(names[side], took, left[side])
        left[side] = max(0.0, left[side] - took) + MORE
        board.push(found.move)
    return ending


def _opening(random: Random) -> chess.Board:
    while True:
        board = chess.Board()
        for _ in range(OPENING):
            board.push(random.choice(list(board.legal_moves)))
            if board.is_game_over():
                break
        else:
            return board


def _ending(board: chess.Board) -> str | None:
    """Return the ending of a game, including draws that have to be claimed, or None while it goes on."""
    outcome = board.outcome()
    if outcome is not None:
        return outcome.termination.name.lower().replace("_", " ")
    if board.is_repetition(3):
        return "threefold repetition"
    if board.halfmove_clock >= 100:
        return "fifty moves"
    return "many moves" if board.ply() >= PLIES else None
