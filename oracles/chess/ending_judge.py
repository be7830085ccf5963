"""A judge of pawn endings that is independent of our theory: the table of king and pawn against king, and
Stockfish.

Positions with three men are looked up (`oracles/chess/kpk_table.py`). This is exact: after a promotion that
holds, queen or rook mate. Stockfish judges other endings: it must find a mate, or at least a decisive
advantage, within the number of positions given by the last entry of `LOOKS`. An unconfirmed win counts as not
won. A queen that only draws against a pawn on its seventh rank has not won, even if the promotion gained
something.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

import chess
import chess.engine

from oracles.chess.kpk_table import kpk_table
from oracles.chess.positions import STOCKFISH

LOOKS = (20_000, 400_000, 4_000_000)
"""Limits of positions for Stockfish, which is run again with the next one while it finds no win."""
DECISIVE = 350
"""A threshold in hundredths of a pawn.

After a search, drawn pawn endings and a queen that only draws against a pawn get less.
"""


@dataclass(frozen=True, slots=True)
class EndingJudge:
    """A judge of won and lost endings; `looks` is described at `LOOKS`."""

    engine: chess.engine.SimpleEngine
    looks: tuple[int, ...] = LOOKS
    known: dict[tuple[str, int], int] = field(default_factory=dict)
    """A cache of Stockfish's verdicts."""

    def wins(self, board: chess.Board) -> bool:
        """Return whether the side to move wins."""
        if not any(board.legal_moves):
            return False
        found = table_says(board)
        if found is not None:
            return found is board.turn
        return any(self._score(board, nodes) >= DECISIVE for nodes in self.looks)

    def loses(self, board: chess.Board) -> bool:
        """Return whether the side to move loses after every move."""
        if not any(board.legal_moves):
            return board.is_check()
        found = table_says(board)
        if found is not None:
            return found is (not board.turn)
        return any(self._score(board, nodes) <= -DECISIVE for nodes in self.looks)

    def keeps(self, board: chess.Board, move: chess.Move) -> bool:
        """Return whether the side to move still wins after a legal move."""
        after = board.copy(stack=False)
        after.push(move)
        return self.loses(after)

    def _score(self, board: chess.Board, nodes: int) -> int:
        key = (board.fen(), nodes)
        if key not in self.known:
            limit = chess.engine.Limit(nodes=nodes)
            score = self.engine.analyse(board, limit, game=object())["score"].pov(board.turn)
            self.known[key] = score.score(mate_score=100_000)
        return self.known[key]


def table_says(board: chess.Board) -> chess.Color | str | None:
    """Return the winner of king and pawn against king, or "nobody"; None for other endings."""
    if chess.popcount(board.occupied) != 3 or not board.pawns:
        return None
    (pawn,) = chess.scan_forward(board.pawns)
    side = board.color_at(pawn)
    assert side is not None
    turned = 0 if side else 56
    king, other = board.king(side), board.king(not side)
    assert king is not None
    assert other is not None
    plies = kpk_table().plies(pawn ^ turned, king ^ turned, other ^ turned, white_first=board.turn is side)
    return "nobody" if plies is None else side


@contextmanager
def ending_judge(looks: tuple[int, ...] = LOOKS) -> Iterator[EndingJudge]:
    """Yield a judge with one thread of Stockfish. Raise FileNotFoundError if Stockfish is not installed."""
    with chess.engine.SimpleEngine.popen_uci(STOCKFISH) as started:
        started.configure({"Threads": 1, "Hash": 64})
        yield EndingJudge(started, looks)
