"""Stockfish as a second judge of chess rules: its rules of the game, and its search for mate.

Only two things are compared, because they have definite answers:

- *Legal moves and checks*: the contract of `oracles/chess/judge.py` is judged again on a board whose legal
  moves and checks come from Stockfish. So the two judges share the contract but no rules of the game.
- *Mate*: Stockfish finds it by its own search, with the first move given.

Its evaluation does not decide the contract: winning a piece may lose another one, or the game.
"""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from typing import IO

import chess

from oracles.chess.positions import STOCKFISH

NODES = 2_000_000
"""The limit of positions in the search for a mate."""


class Stockfish:
    """A running Stockfish process with a line-based protocol."""

    def __init__(self, stdin: IO[str], stdout: IO[str]) -> None:
        self.stdin, self.stdout = stdin, stdout
        self.name = ""
        for line in self._answer("uci", "uciok"):
            if line.startswith("id name "):
                self.name = line.removeprefix("id name ").strip()
        self.rules = lru_cache(maxsize=4096)(self._rules)

    def _answer(self, command: str, last: str) -> Iterator[str]:
        print(command, file=self.stdin, flush=True)
        for line in self.stdout:
            yield line
            if line.startswith(last):
                return
        raise RuntimeError(f"stockfish ended at `{command}`")

    def _rules(self, fen: str) -> tuple[bool, tuple[chess.Move, ...]]:
        """Return whether the side to move is in check, and all its legal moves."""
        check = False
        for line in self._answer(f"position fen {fen}\nd", "Checkers:"):
            check = line.startswith("Checkers:") and bool(line.partition(":")[2].strip())
        moves = []
        for line in self._answer("go perft 1", "Nodes searched"):
            name, colon, number = line.strip().partition(": ")
            if colon and number == "1" and name != "Nodes searched":
                moves.append(chess.Move.from_uci(name))
        return check, tuple(moves)

    def mates(self, board: chess.Board, move: chess.Move, moves: int) -> bool:
        """Return whether the search finds that a first move mates within `moves` moves of that side."""
        print("ucinewgame", file=self.stdin)
        limit = f"go mate {moves} nodes {NODES} searchmoves {move.uci()}"
        best = 0
        for line in self._answer(f"position fen {board.fen()}\n{limit}", "bestmove"):
            words = line.split()
            if "mate" in words and not {"upperbound", "lowerbound"} & {*words}:
                best = int(words[words.index("mate") + 1])
        return 0 < best <= moves


class StockfishBoard(chess.Board):
    """A board whose legal moves and checks come from Stockfish."""

    stockfish: Stockfish

    def generate_legal_moves(
        self, from_mask: chess.Bitboard = chess.BB_ALL, to_mask: chess.Bitboard = chess.BB_ALL
    ) -> Iterator[chess.Move]:
        for move in self.stockfish.rules(self.fen(en_passant="fen"))[1]:
            if chess.BB_SQUARES[move.from_square] & from_mask and chess.BB_SQUARES[move.to_square] & to_mask:
                yield move

    def is_legal(self, move: chess.Move) -> bool:
        return move in self.generate_legal_moves()

    def is_check(self) -> bool:
        return self.stockfish.rules(self.fen(en_passant="fen"))[0]


def with_rules_of(stockfish: Stockfish, board: chess.Board) -> StockfishBoard:
    """Return the same position with Stockfish's rules."""
    found = StockfishBoard(board.fen(en_passant="fen"))
    found.stockfish = stockfish
    return found


@contextmanager
def stockfish() -> Iterator[Stockfish]:
    """Yield Stockfish with one thread and a small hash table.

    Raise FileNotFoundError if Stockfish is not installed.
    """
    with subprocess.Popen(
        [STOCKFISH], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="ascii"
    ) as started:
        assert started.stdin is not None
        assert started.stdout is not None
        yield Stockfish(started.stdin, started.stdout)
        print("quit", file=started.stdin, flush=True)
