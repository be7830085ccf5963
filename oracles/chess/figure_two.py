"""The pawns of Tadepalli (1989, figure 2) with the kings anywhere: white a5 and c5, black b7, White to move.

The surviving text does not give the squares of the kings, so all legal placements are examined.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import chess

EXPECTATION, PLIES = 100, 7
"""White's expected gain, and the height of the tree that earns it: four pawn moves and three replies."""


def placements() -> Iterator[chess.Board]:
    """Yield every legal placement of the kings, white king first, from a1 to h8."""
    for white in chess.SQUARES:
        for black in chess.SQUARES:
            board = chess.Board("8/1p6/8/P1P5/8/8/8/8 w - - 0 1")
            if white == black or board.piece_at(white) or board.piece_at(black):
                continue
            board.set_piece_at(white, chess.Piece(chess.KING, chess.WHITE))
            board.set_piece_at(black, chess.Piece(chess.KING, chess.BLACK))
            if board.is_valid() and any(board.legal_moves):
                yield board


def some(number: int, seed: int) -> list[chess.Board]:
    return Random(f"{seed} figure two").sample(list(placements()), number)
