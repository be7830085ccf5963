"""All legal positions of king and pawn against king, solved by retrograde analysis on arrays.

The pawn is white and the friend's. Squares are 0 (a1) to 63 (h8), a position is `[pawn, white king, black
king]`, and there is a table for each side to move. A pawn stands on ranks 2 to 7. Kings are not adjacent, no
two pieces share a square, and the side that is not to move is not in check.

*Won* means that White forces a promotion that holds: the pawn becomes a queen or a rook, Black is not
stalemated and cannot capture it at once. (Then queen or rook mate: Black to move draws against king and queen
or rook only by stalemate or capture.) A capture of the pawn, and a stalemate of either side before the
promotion, are draws. No position of this ending is mate. `white_to_move` and `black_to_move` give the plies
to the promotion under best play by both sides, including the promotion. The value is `DRAWN` if there is no
promotion that holds, and `ILLEGAL` if the position is illegal.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

DRAWN = 99
"""A value above every distance, so that minima and maxima of distances treat a draw as never."""
ILLEGAL = -1
PAWN_SQUARES = range(8, 56)
Plane = NDArray[np.int16]


@dataclass(frozen=True, slots=True)
class KpkTable:
    """Plies to the promotion that holds, `[pawn, white king, black king]`."""

    white_to_move: Plane
    black_to_move: Plane

    def plies(self, pawn: int, white: int, black: int, *, white_first: bool) -> int | None:
        """Return the plies to the promotion, or None if the position is drawn.

        Raise ValueError if the position is illegal.
        """
        found = int((self.white_to_move if white_first else self.black_to_move)[pawn, white, black])
        if found == ILLEGAL:
            raise ValueError("no legal position")
        return None if found == DRAWN else found


@cache
def kpk_table() -> KpkTable:
    """Return the table, which each process computes once in about a second."""
    white = np.full((64, 64, 64), ILLEGAL, dtype=np.int16)
    black = white.copy()
    for pawn in reversed(PAWN_SQUARES):
        white[pawn], black[pawn] = _pawn_on(pawn, black)
    for table in (white, black):
        table.setflags(write=False)
    return KpkTable(white, black)


def near(one: int, other: int) -> bool:
    """Return whether two squares are equal or a king's step apart."""
    return max(abs(one % 8 - other % 8), abs(one // 8 - other // 8)) <= 1


NEAR = np.array([[near(one, other) for other in range(64)] for one in range(64)])
STEPS = np.array([[one != other and near(one, other) for other in range(64)] for one in range(64)])


def pawn_attacks(pawn: int) -> list[int]:
    return [pawn + 8 + side for side in (-1, 1) if 0 <= pawn % 8 + side < 8]


def _pawn_on(pawn: int, black_after_push: Plane) -> tuple[Plane, Plane]:
    """Return both tables `[white king, black king]` of one pawn's square from those of the squares ahead."""
    legal_black = ~NEAR
    legal_black[pawn, :] = legal_black[:, pawn] = False
    legal_white = legal_black.copy()
    legal_white[:, pawn_attacks(pawn)] = False
    push = np.where(legal_white, _pushes(pawn, black_after_push), DRAWN)
    # Black may go to any square that neither the white king nor the pawn attacks; he takes an unprotected
    # pawn.
    takes = STEPS[pawn][None, :] & ~STEPS[pawn][:, None]
    free = ~NEAR
    free[:, [pawn, *pawn_attacks(pawn)]] = False
    white = np.full((64, 64), DRAWN, dtype=np.int16)
    black = white
    while True:
        worst = np.full((64, 64), -1, dtype=np.int16)
        for to in range(64):
            reach = STEPS[:, to][None, :] & free[:, to][:, None]
            worst = np.where(reach, np.maximum(worst, white[:, to][:, None]), worst)
        # Without a reply Black is stalemated: the pawn alone never mates.
        black = np.where(legal_black & ~takes & (worst >= 0) & (worst < DRAWN), worst + 1, DRAWN)
        best = np.full((64, 64), DRAWN, dtype=np.int16)
        for to in range(64):
            reach = STEPS[:, to][:, None] & legal_black[to][None, :]
            best = np.where(reach, np.minimum(best, black[to][None, :]), best)
        better = np.minimum(push, np.where(best < DRAWN, best + 1, DRAWN))
        better = np.where(legal_white, better, DRAWN).astype(np.int16)
        if (better == white).all():
            return np.where(legal_white, white, ILLEGAL), np.where(legal_black, black, ILLEGAL)
        white = better


def _pushes(pawn: int, black_after_push: Plane) -> Plane:
    """Return the plies to the promotion after the better of the pawn's moves; no king blocks its way."""
    kings = np.arange(64)
    ahead = pawn + 8
    off = (kings != ahead)[:, None] & (kings != ahead)[None, :]
    if ahead >= 56:
        return np.where(off & _promotion_holds(ahead), 1, DRAWN)
    after = black_after_push[ahead]
    if pawn < 16:
        further = ahead + 8
        free = (kings != further)[:, None] & (kings != further)[None, :]
        twice = np.where(free & (black_after_push[further] >= 0), black_after_push[further], DRAWN)
        after = np.minimum(np.where(after >= 0, after, DRAWN), twice)
    return np.where(off & (after >= 0) & (after < DRAWN), after + 1, DRAWN)


def _promotion_holds(square: int) -> NDArray[np.bool_]:
    """Return where a queen or a rook on the square is neither taken at once nor gives stalemate."""
    taken = STEPS[square][None, :] & ~STEPS[square][:, None]
    holds = np.zeros((64, 64), dtype=bool)
    for queen in (True, False):
        rays = _rays(square, queen=queen)
        for black in range(64):
            for white in range(64):
                if taken[white, black] or NEAR[white, black] or square in {white, black}:
                    continue
                holds[white, black] |= _attacked(square, black, white, rays) or not all(
                    NEAR[white, to] or (to != square and _attacked(square, to, white, rays))
                    for to in np.flatnonzero(STEPS[black])
                )
    return holds


def _rays(square: int, *, queen: bool) -> dict[int, list[int]]:
    """Return each square that the new piece attacks, with the squares between.

    The rays go through the black king, who steps aside.
    """
    steps = [(0, 1), (0, -1), (1, 0), (-1, 0)] + ([(1, 1), (1, -1), (-1, 1), (-1, -1)] if queen else [])
    found = {}
    for right, up in steps:
        way: list[int] = []
        column, row = square % 8 + right, square // 8 + up
        while 0 <= column < 8 and 0 <= row < 8:
            found[row * 8 + column] = list(way)
            way.append(row * 8 + column)
            column, row = column + right, row + up
    return found


def _attacked(square: int, to: int, white: int, rays: dict[int, list[int]]) -> bool:
    return to in rays and white not in rays[to]
