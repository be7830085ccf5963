"""Positions of chess for tests and problems: from random play, from noisy engine play, and with few pieces.

`played` has positions from whole games, each next to its predecessor, so that incremental matching exchanges
few facts.

All positions are legal by the `chess` library, have a legal move, and follow from a random generator alone.
The engine computes single moves at a small fixed depth with a cleared hash table. So the same generator and
version of the engine give the same game.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from random import Random
from typing import Literal

import chess
import chess.engine

STOCKFISH = shutil.which("stockfish") or "/usr/games/stockfish"
LONGEST = 140
"""Number of plies after which a game is abandoned."""
MEN = "QRRBBNNPPPPP"
Source = Literal["random play", "engine play", "few men"]


@contextmanager
def engine() -> Iterator[chess.engine.SimpleEngine]:
    """Yield Stockfish with one thread and a small hash table.

    Raise FileNotFoundError if Stockfish is not installed.
    """
    with chess.engine.SimpleEngine.popen_uci(STOCKFISH) as started:
        started.configure({"Threads": 1, "Hash": 4})
        yield started


def random_game(random: Random) -> Iterator[chess.Board]:
    """Yield the positions of a game of random moves with a preference for captures."""
    board = chess.Board()
    while len(board.move_stack) < LONGEST and (moves := list(board.legal_moves)):
        captures = [move for move in moves if board.is_capture(move)]
        board.push(random.choice(captures if captures and random.random() < 0.3 else moves))
        yield board


def engine_game(random: Random, player: chess.engine.SimpleEngine) -> Iterator[chess.Board]:
    """Yield the positions of a game of an engine that looks one to four plies ahead and often plays random
    moves.
    """
    board, noise, game = chess.Board(), random.uniform(0.05, 0.4), object()
    while len(board.move_stack) < LONGEST and (moves := list(board.legal_moves)):
        if len(board.move_stack) < 4 or random.random() < noise:
            board.push(random.choice(moves))
        else:
            limit = chess.engine.Limit(depth=random.randint(1, 4))
            board.push(player.play(board, limit, game=game).move or moves[0])
        yield board


def few_pieces(random: Random) -> chess.Board | None:
    """Return kings and two to six more pieces anywhere, or None if the position is illegal or the game is
    over.
    """
    board = chess.Board(None)
    pieces = [chess.Piece.from_symbol(symbol) for symbol in "Kk"]
    for _ in range(random.randint(2, 6)):
        pieces.append(chess.Piece.from_symbol(random.choice((MEN, MEN.lower())[random.random() < 0.5])))
    for piece, square in zip(pieces, random.sample(range(64), len(pieces)), strict=True):
        board.set_piece_at(square, piece)
    board.turn = random.random() < 0.5
    return board if board.is_valid() and any(board.legal_moves) else None


def varied_game(random: Random, player: chess.engine.SimpleEngine) -> Iterator[chess.Board]:
    """Yield the positions of a game of an engine that plays one of its four best moves, after four random
    plies.
    """
    board, game = chess.Board(), object()
    while len(board.move_stack) < LONGEST and (moves := list(board.legal_moves)):
        if len(board.move_stack) < 4:
            board.push(random.choice(moves))
        else:
            limit = chess.engine.Limit(depth=random.randint(1, 5))
            lines = player.analyse(board, limit, multipv=4, game=game, info=chess.engine.INFO_PV)
            best = [line["pv"][0] for line in lines]
            board.push(random.choices(best, (8, 4, 2, 1)[: len(best)])[0])
        yield board


def few_game(random: Random) -> Iterator[chess.Board]:
    """Yield a position of few pieces, and positions after some random moves from it."""
    board = few_pieces(random)
    if board is None:
        return
    yield board
    for _ in range(5):
        moves = list(board.legal_moves)
        if not moves:
            return
        board.push(random.choice(moves))
        yield board


def played(
    source: Source, random: Random, number: int, player: chess.engine.SimpleEngine | None = None
) -> Iterator[chess.Board]:
    """Yield `number` different positions of games in the order of play; `player` is the engine."""
    games: dict[Source, Callable[[], Iterator[chess.Board]]] = {
        "random play": lambda: random_game(random),
        "engine play": lambda: varied_game(random, _present(player)),
        "few men": lambda: few_game(random),
    }
    seen: set[str] = set()
    while True:
        for board in games[source]():
            if len(seen) == number:
                return
            key = board.epd(en_passant="fen")
            if key not in seen:
                seen.add(key)
                yield board.copy(stack=False)


def _present(player: chess.engine.SimpleEngine | None) -> chess.engine.SimpleEngine:
    if player is None:
        raise ValueError("an engine has to play")
    return player
