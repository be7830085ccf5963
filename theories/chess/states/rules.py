"""Legal moves and their effects by a plain implementation of the rules of chess.

It serves play and search at run time, and checks the theory. It is independent of the theory,
and the theory of it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from hornbook.kb.hornbook_error import HornbookError
from hornbook.theories.chess.states.attacked import attacked
from hornbook.theories.chess.states.position import (
    EMPTY,
    NAMES,
    OTHER,
    RIGHTS,
    ChessPosition,
    Player,
    colour,
    square,
)
from hornbook.theories.chess.states.rays import HOPS, RAYS, SLIDES, STEPS, STRIKES

PROMOTIONS = "qrbn"
_TELLING = {"white": (str.isupper, str.islower), "black": (str.islower, str.isupper)}
"""Predicates of letters: a man of the player, and a man of the other player."""


class ChessMove(NamedTuple):
    """Move from a square to a square; castling is the king's move.

    `promotion` is a small letter, or empty.
    """

    start: int
    to: int
    promotion: str = ""


class IllegalChessMoveError(HornbookError, ValueError):
    """Error for a move that the rules do not allow; the message says which."""


_CASTLING: dict[tuple[int, int], tuple[str, int, int]] = {
    (square(king), square(king) + step): (right, square(rook), square(king) + step // 2)
    for right, (king, rook) in RIGHTS.items()
    for step in ((2,) if right in "Kk" else (-2,))
}
"""Castling right, start and target of the rook, by the king's move."""
_CORNERS: dict[int, str] = {}
for _right, (_king, _rook) in RIGHTS.items():
    for _name in (_king, _rook):
        _CORNERS[square(_name)] = _CORNERS.get(square(_name), "") + _right


def legal_moves(position: ChessPosition) -> Iterator[ChessMove]:
    """Yield the legal moves of the player to move, one for each promotion piece."""
    king, other = position.king(position.to_move), OTHER[position.to_move]
    calm, shielding = not attacked(position.men, king, other), {king, *_shielding(position.men, king, other)}
    for move in _moves(position):
        if calm and move.start not in shielding and move.to != position.passed:
            yield move
            continue
        men = _men_after(position, move)
        if not attacked(men, move.to if move.start == king else king, other):
            yield move


def _shielding(men: str, king: int, other: Player) -> Iterator[int]:
    """Yield the squares of men that are alone between a square and a man of the other player that
    attacks along a line.
    """
    for way, ray in RAYS[king].items():
        there = [place for place in ray if men[place] != EMPTY][:2]
        if (
            len(there) == 2
            and colour(men[there[1]]) == other
            and way in SLIDES.get(men[there[1]].lower(), ())
        ):
            yield there[0]


def gives_check(position: ChessPosition, move: ChessMove) -> bool:
    """Return whether a legal move gives check."""
    return attacked(_men_after(position, move), position.king(OTHER[position.to_move]), position.to_move)


def after(position: ChessPosition, move: ChessMove) -> ChessPosition:
    """Return the position after a legal move. Raise IllegalChessMoveError if the move is illegal."""
    if move not in legal_moves(position):
        raise IllegalChessMoveError(f"{NAMES[move.start]}{NAMES[move.to]}{move.promotion} is not legal here")
    return play(position, move)


def play(position: ChessPosition, move: ChessMove, *, counts: bool = True) -> ChessPosition:
    """Return the position after a legal move. Legality is not checked.

    Without `counts`, move counters are not updated, so equal positions are equal regardless of history.
    """
    man = position.men[move.start]
    lost = _CORNERS.get(move.start, "") + _CORNERS.get(move.to, "")
    double = man in "Pp" and abs(move.to - move.start) == 16
    quiet = man not in "Pp" and position.men[move.to] == EMPTY
    return ChessPosition(
        _men_after(position, move),
        OTHER[position.to_move],
        "".join(right for right in position.rights if right not in lost),
        (move.start + move.to) // 2 if double else None,
        position.quiet_plies + 1 if quiet and counts else 0,
        position.number + (position.to_move == "black") if counts else 1,
    )


def _men_after(position: ChessPosition, move: ChessMove) -> str:
    men = list(position.men)
    man = men[move.start]
    men[move.start] = EMPTY
    if man in "Pp" and move.to == position.passed:
        men[move.to + (-8 if man == "P" else 8)] = EMPTY
    if man in "Kk" and (move.start, move.to) in _CASTLING and abs(move.to - move.start) == 2:
        _, corner, target = _CASTLING[move.start, move.to]
        men[corner], men[target] = EMPTY, men[corner]
    promoted = move.promotion.upper() if man == "P" else move.promotion
    men[move.to] = promoted or man
    return "".join(men)


def _moves(position: ChessPosition) -> Iterator[ChessMove]:
    """Yield moves that may leave the own king in check. No move captures a king."""
    men = position.men
    is_own, is_other = _TELLING[position.to_move]
    for start, man in enumerate(men):
        if not is_own(man):
            continue
        if man in "Pp":
            yield from _pawn_moves(position, start)
            continue
        for to in _targets(men, start, man.lower()):
            if men[to] == EMPTY or (is_other(men[to]) and men[to] not in "Kk"):
                yield ChessMove(start, to)
        if man in "Kk":
            yield from _castling(position, start)


def _targets(men: str, start: int, kind: str) -> Iterator[int]:
    if kind in SLIDES:
        for way in SLIDES[kind]:
            for to in RAYS[start].get(way, ()):
                yield to
                if men[to] != EMPTY:
                    break
    else:
        yield from HOPS[start] if kind == "n" else STEPS[start]


def _pawn_moves(position: ChessPosition, start: int) -> Iterator[ChessMove]:
    men, player = position.men, position.to_move
    up, home = (8, 1) if player == "white" else (-8, 6)
    found = []
    if men[start + up] == EMPTY:
        found.append(start + up)
        if start // 8 == home and men[start + 2 * up] == EMPTY:
            found.append(start + 2 * up)
    for to in STRIKES[player][start]:
        takes = men[to] != EMPTY and colour(men[to]) != player and men[to] not in "Kk"
        if takes or to == position.passed:
            found.append(to)
    for to in found:
        if to // 8 in (0, 7):
            yield from (ChessMove(start, to, kind) for kind in PROMOTIONS)
        else:
            yield ChessMove(start, to)


def _castling(position: ChessPosition, start: int) -> Iterator[ChessMove]:
    opponent = OTHER[position.to_move]
    for (king, to), (right, corner, target) in _CASTLING.items():
        if king != start or right not in position.rights:
            continue
        low, high = sorted((start, corner))
        if any(position.men[place] != EMPTY for place in range(low + 1, high)):
            continue
        if not any(attacked(position.men, place, opponent) for place in (start, target, to)):
            yield ChessMove(start, to)
