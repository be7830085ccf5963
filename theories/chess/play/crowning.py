"""King and pawn against king by search: moves that may promote the pawn, as guidance for the prover.

The friend's pawn goes up the board and is on one of the squares 8 to 55; squares are numbered from 0 (a1)
to 63 (h8). The friend makes at most a given number of king steps, and otherwise pushes. No conclusion
depends on this search.
"""

from __future__ import annotations

from functools import lru_cache

from hornbook.theories.chess.states.rays import STEPS, STRIKES

LAST = 56
"""First square of the last rank."""
MOST_STEPS = 1


def winning_moves(pawn: int, king: int, other: int, steps: int) -> list[tuple[int, int]]:
    """Return the friend's moves, from and to, after which the pawn is promoted within `steps` steps of
    the friend's king.
    """
    found = [(pawn, to) for to in _pushes(pawn, king, other) if _crowns_by(pawn, to, king, other, steps)]
    if steps:
        found += [
            (king, to)
            for to in STEPS[king]
            if to != pawn and _apart(to, other) and _crowns_after_any_step(pawn, to, other, steps - 1)
        ]
    return found


@lru_cache(maxsize=1_000_000)
def _crowns(pawn: int, king: int, other: int, steps: int) -> bool:
    """Return whether the friend, to move, promotes the pawn."""
    return bool(winning_moves(pawn, king, other, steps))


@lru_cache(maxsize=1_000_000)
def _crowns_after_any_step(pawn: int, king: int, other: int, steps: int) -> bool:
    """Return the same with the other side to move; a side without a step is stalemated."""
    free = [to for to in STEPS[other] if _apart(to, king) and to not in STRIKES["white"][pawn] and to != king]
    if pawn in free:
        return False
    return bool(free) and all(_crowns(pawn, king, to, steps) for to in free if to != pawn)


def _crowns_by(pawn: int, to: int, king: int, other: int, steps: int) -> bool:
    if to >= LAST:
        return other not in STEPS[to] or king in STEPS[to]
    return _crowns_after_any_step(to, king, other, steps)


def _pushes(pawn: int, king: int, other: int) -> list[int]:
    """Return the targets of the pawn, the double step first."""
    once, twice = pawn + 8, pawn + 16
    if once in (king, other):
        return []
    return [twice, once] if pawn < 16 and twice not in (king, other) else [once]


def _apart(one: int, other: int) -> bool:
    return one != other and other not in STEPS[one]
