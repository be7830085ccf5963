"""Who wins a pawn ending, by those who know nothing of our theory: the table of king and pawn against king, and Stockfish.

Three men are looked up (`oracles/chess/kpk_table.py`), which is exact: where the pawn is promoted and holds, queen or rook mate.
Other endings Stockfish judges: it must see a mate, or at least a decisive advantage, after at most as many positions as
the last of `LOOKS` says. What it does not confirm counts as not won. A queen against a pawn on its seventh rank that draws is
not won, whatever was promised for the promotion.
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
"""Positions that Stockfish looks at before it is asked again, with more."""
DECISIVE = 350
"""Hundredths of a pawn: more than a drawn pawn ending or a queen against a pawn that draws is given once it is searched."""


@dataclass(frozen=True, slots=True)
class EndingJudge:
    """Says who wins; `looks` as above."""

    engine: chess.engine.SimpleEngine
    looks: tuple[int, ...] = LOOKS
    known: dict[tuple[str, int], int] = field(default_factory=dict)
    """What Stockfish said, so that it is asked once."""

    def wins(self, board: chess.Board) -> bool:
        """Whether the side to move wins."""
        if not any(board.legal_moves):
            return False
        found = table_says(board)
        if found is not None:
            return found is board.turn
        return any(self._score(board, nodes) >= DECISIVE for nodes in self.looks)

    def loses(self, board: chess.Board) -> bool:
        """Whether the side to move loses, whatever it does."""
        if not any(board.legal_moves):
            return board.is_check()
        found = table_says(board)
        if found is not None:
            return found is (not board.turn)
        return any(self._score(board, nodes) <= -DECISIVE for nodes in self.looks)

    def keeps(self, board: chess.Board, move: chess.Move) -> bool:
        """Whether the side to move still wins after a legal move."""
        after = board.copy(stack=False)
        after.push(move)
        return self.loses(after)

    def _score(self, board: chess.Board, nodes: int) -> int:
        asked = (board.fen(), nodes)
        if asked not in self.known:
            limit = chess.engine.Limit(nodes=nodes)
            score = self.engine.analyse(board, limit, game=object())["score"].pov(board.turn)
            self.known[asked] = score.score(mate_score=100_000)
        return self.known[asked]


def table_says(board: chess.Board) -> chess.Color | str | None:
    """Who wins king and pawn against king, or "nobody"; None where that is not what stands there."""
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
    """A judge with one thread of Stockfish. Raises FileNotFoundError where it is not installed."""
    with chess.engine.SimpleEngine.popen_uci(STOCKFISH) as started:
        started.configure({"Threads": 1, "Hash": 64})
        yield EndingJudge(started, looks)
