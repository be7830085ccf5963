"""Heuristic evaluation of pawn endings, which orders the search and decides nothing.

The unit is a hundredth of a pawn. The value combines material, the distance of passed pawns to
promotion, and whether the other king stops them. It also includes the distance of kings to pawns and to
the squares ahead of pawns.
"""

from __future__ import annotations

from functools import cache, lru_cache

from hornbook.theories.chess.states.position import EMPTY, ChessPosition
from hornbook.theories.chess.states.rules import ChessMove

WORTH = {"p": 100, "n": 300, "b": 300, "r": 500, "q": 900}
RUNS, STEP, RACE = 500, 30, 100
"""Bonus for an unstoppable pawn, the deduction per move it needs, and the deduction if the other
side promotes next.
"""
PASSED, YOUNG, NEAR = 20, 5, 6
"""Bonus per rank of a passed pawn and of another pawn, and per square that one king is nearer than the other.
"""
LAST_PAWN, HOPELESS = 800, 500
"""Deductions: for the last pawn against a lone king, where rules know every win, and for a side
without pawn or queen.
"""


def apart(a: int, b: int) -> int:
    """Return the number of king steps from one square to the other."""
    return max(abs(a % 8 - b % 8), abs(a // 8 - b // 8))


@lru_cache(maxsize=200_000)
def outlook(state: ChessPosition) -> int:
    """Return the value for White; `state` has kings and any other men."""
    men = state.men
    kings = {True: men.index("K"), False: men.index("k")}
    score, runs = 0, {True: 99, False: 99}
    for at, man in enumerate(men):
        if man == EMPTY or man in "Kk":
            continue
        white = man.isupper()
        sign = 1 if white else -1
        score += sign * WORTH[man.lower()]
        if man not in "Pp":
            continue
        score += sign * _pawn(men, at, white=white, kings=kings)
        needs = _run(state, at, white=white, kings=kings)
        runs[white] = min(runs[white], needs)
    for white in (True, False):
        first = (state.to_move == "white") is white
        mine, other = runs[white], runs[not white]
        if mine < 99 and mine <= other - (0 if first else 1):
            score += (1 if white else -1) * (RUNS - STEP * mine)
            if other < 99 and other - mine <= (0 if first else 1):
                score -= (1 if white else -1) * (RUNS - RACE)
    if men.count(EMPTY) == 61 and abs(score) < 400:
        score += -LAST_PAWN if "P" in men else LAST_PAWN
    if "P" not in men and "Q" not in men:
        score -= HOPELESS
    if "p" not in men and "q" not in men:
        score += HOPELESS
    return score


def _pawn(men: str, at: int, *, white: bool, kings: dict[bool, int]) -> int:
    rank = at // 8 if white else 7 - at // 8
    ahead = at + 8 if white else at - 8
    if is_passed(men, at, white=white):
        free = NEAR * (apart(kings[not white], ahead) - apart(kings[white], ahead))
        return PASSED * (rank - 1) + 2 * free
    return YOUNG * (rank - 1) + NEAR * (apart(kings[not white], at) - apart(kings[white], at))


@cache
def _ahead(at: int, *, white: bool) -> tuple[int, ...]:
    """Return the squares where a pawn of the other side blocks the pawn or attacks its way."""
    file, ranks = at % 8, range(at // 8 + 1, 7) if white else range(1, at // 8)
    return tuple(8 * rank + f for rank in ranks for f in (file - 1, file, file + 1) if 0 <= f < 8)


def is_passed(men: str, at: int, *, white: bool) -> bool:
    """Return whether no pawn of the other side is ahead of the pawn or may capture it on its way."""
    other = "p" if white else "P"
    return all(men[place] != other for place in _ahead(at, white=white))


def _run(state: ChessPosition, at: int, *, white: bool, kings: dict[bool, int]) -> int:
    """Return the number of moves until a passed pawn is promoted, or 99 if it can be stopped."""
    men, up = state.men, 8 if white else -8
    goal = at % 8 + (56 if white else 0)
    if not is_passed(men, at, white=white) or any(
        men[place] != EMPTY for place in range(at + up, goal + up, up)
    ):
        return 99
    needs = abs(goal - at) // 8 - (at // 8 == (1 if white else 6))
    turn = (state.to_move == "white") is not white
    if any(man in ("nbrq" if white else "NBRQ") for man in men):
        return 99
    led = all(apart(kings[white], place) <= 1 for place in range(at + up, goal + up, up) if needs < 3)
    if apart(kings[not white], goal) - turn > needs or (needs < 3 and led):
        return needs
    return 99


def appeal(state: ChessPosition, move: ChessMove) -> int:
    """Return a value for ordering moves, for the player who makes the move."""
    men, man = state.men, state.men[move.start]
    white = man.isupper()
    if move.promotion:
        return 900 if move.promotion == "q" else 100 if move.promotion == "r" else -300
    found = 300 if men[move.to] != EMPTY or (man in "Pp" and move.to == state.passed) else 0
    if man in "Pp":
        return found + (40 if is_passed(men, move.start, white=white) else 10)
    if man in "Kk":
        return found + _nearer(men, move, white=white)
    return found


def _nearer(men: str, move: ChessMove, *, white: bool) -> int:
    """Return the bonus of a king that approaches the other side's pawns and the squares ahead of its own."""
    gained = 0
    for at, man in enumerate(men):
        if man in "Pp":
            to = at if man.isupper() is not white else at + (8 if white else -8)
            gained += apart(move.start, to) - apart(move.to, to)
    return 10 * gained
