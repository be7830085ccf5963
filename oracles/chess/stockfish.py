"""Stockfish as a second judge of what rules of chess say: its rules of the game, and its search for mate.

What can be compared without a doubt is compared, and nothing else. *Legal moves and checks*: the contract of
`oracles/chess/judge.py` is judged once more on a board whose legal moves and checks stockfish tells, so the two judges share no
rules of the game, only the contract. *Mate*: stockfish finds it by its own search, with the first move given. Its evaluation
says nothing of the contract: what wins a piece may lose another, or the game.
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
"""Positions that it looks at for a mate before it gives up."""


class Stockfish:
    """A running stockfish, spoken to line by line."""

    def __init__(self, stdin: IO[str], stdout: IO[str]) -> None:
        self.stdin, self.stdout = stdin, stdout
        self.name = ""
        for line in self._asked("uci", "uciok"):
            if line.startswith("id name "):
                self.name = line.removeprefix("id name ").strip()
        self.rules = lru_cache(maxsize=4096)(self._rules)

    def _asked(self, command: str, last: str) -> Iterator[str]:
        print(command, file=self.stdin, flush=True)
        for line in self.stdout:
            yield line
            if line.startswith(last):
                return
        raise RuntimeError(f"stockfish ended at `{command}`")

    def _rules(self, fen: str) -> tuple[bool, tuple[chess.Move, ...]]:
        """Whether the side to move is in check, and all its legal moves."""
        check = False
        for line in self._asked(f"position fen {fen}\nd", "Checkers:"):
            check = line.startswith("Checkers:") and bool(line.partition(":")[2].strip())
        moves = []
        for line in self._asked("go perft 1", "Nodes searched"):
            name, colon, number = line.strip().partition(": ")
            if colon and number == "1" and name != "Nodes searched":
                moves.append(chess.Move.from_uci(name))
        return check, tuple(moves)

    def mates(self, board: chess.Board, move: chess.Move, moves: int) -> bool:
        """Whether its search finds that a first move mates within so many moves of the side to move."""
        print("ucinewgame", file=self.stdin)
        limit = f"go mate {moves} nodes {NODES} searchmoves {move.uci()}"
        best = 0
        for line in self._asked(f"position fen {board.fen()}\n{limit}", "bestmove"):
            words = line.split()
            if "mate" in words and not {"upperbound", "lowerbound"} & {*words}:
                best = int(words[words.index("mate") + 1])
        return 0 < best <= moves


class StockfishBoard(chess.Board):
    """A board whose legal moves and checks stockfish tells."""

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


def told_by(stockfish: Stockfish, board: chess.Board) -> StockfishBoard:
    """The same position with stockfish's rules."""
    found = StockfishBoard(board.fen(en_passant="fen"))
    found.stockfish = stockfish
    return found


@contextmanager
def stockfish() -> Iterator[Stockfish]:
    """Stockfish with one thread and a small hash table. Raises FileNotFoundError where it is not installed."""
    with subprocess.Popen(
        [STOCKFISH], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="ascii"
    ) as started:
        assert started.stdin is not None
        assert started.stdout is not None
        yield Stockfish(started.stdin, started.stdout)
        print("quit", file=started.stdin, flush=True)
