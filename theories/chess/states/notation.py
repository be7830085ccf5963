"""Moves as text: UCI (`e2e4`, `e7e8q`) and SAN (`Nbd7`, `exd6`, `O-O`, `e8=Q#`), read and written.

Reading gives a legal move of the position; writing gives the shortest unambiguous text.
"""

from __future__ import annotations

import re

from hornbook.kb.hornbook_error import HornbookError
from hornbook.theories.chess.states.attacked import in_check
from hornbook.theories.chess.states.position import EMPTY, NAMES, ChessPosition, PositionError, square
from hornbook.theories.chess.states.rules import ChessMove, legal_moves, play

_SAN = re.compile(
    r"(?P<kind>[KQRBNP])?(?P<file>[a-h])?(?P<rank>[1-8])?(?:(?P<takes>[x:×])|-)?(?P<to>[a-h][1-8])"
    r"(?:[=/:]?(?:(?P<promotion>[QRBNqrbn])|\((?P<enclosed>[QRBNqrbn])\)))?"
)
_CASTLING = {"O-O": 2, "O-O-O": -2}
_LETTERS = str.maketrans("♔♕♖♗♘♚♛♜♝♞", "KQRBNKQRBN", "♙♟")
"""Figurines, and the corresponding letters."""
_SIGNS = "+#!?†‡=-/:"
"""Characters that may follow a move: check, mate and judgements."""


class NotationError(HornbookError, ValueError):
    """Error for a text that is no move of the position; the message gives the reason."""


def print_uci(move: ChessMove) -> str:
    return f"{NAMES[move.start]}{NAMES[move.to]}{move.promotion}"


def parse_uci(position: ChessPosition, text: str) -> ChessMove:
    """Return the legal move of a text in UCI. Raise NotationError."""
    if not re.fullmatch(r"[a-h][1-8][a-h][1-8][qrbn]?", text):
        raise NotationError(f"`{text}` is no move in UCI, such as `e2e4` or `e7e8q`")
    move = ChessMove(square(text[:2]), square(text[2:4]), text[4:])
    if move not in legal_moves(position):
        raise NotationError(f"`{text}` is not legal here")
    return move


def print_san(position: ChessPosition, move: ChessMove) -> str:
    """Return a legal move in SAN, with `+` or `#` if it gives check or mate."""
    after = play(position, move)
    sign = ""
    if in_check(after):
        sign = "+" if any(True for _ in legal_moves(after)) else "#"
    return _without_sign(position, move) + sign


def _without_sign(position: ChessPosition, move: ChessMove) -> str:
    man = position.men[move.start].upper()
    if man == "K" and abs(move.to - move.start) == 2:
        return "O-O" if move.to > move.start else "O-O-O"
    passing = man == "P" and move.start % 8 != move.to % 8
    takes = "x" if position.men[move.to] != EMPTY or passing else ""
    promotion = f"={move.promotion.upper()}" if move.promotion else ""
    if man == "P":
        return (NAMES[move.start][0] if takes else "") + takes + NAMES[move.to] + promotion
    return man + _which(position, move) + takes + NAMES[move.to]


def _which(position: ChessPosition, move: ChessMove) -> str:
    """Return the file, rank, or both that tell a piece from others of its kind with the same target."""
    man = position.men[move.start]
    others = [
        other.start
        for other in legal_moves(position)
        if other.to == move.to and other.start != move.start and position.men[other.start] == man
    ]
    name = NAMES[move.start]
    if not others:
        return ""
    if all(other % 8 != move.start % 8 for other in others):
        return name[0]
    return name[1] if all(other // 8 != move.start // 8 for other in others) else name


def parse_san(position: ChessPosition, text: str) -> ChessMove:
    """Return the unique legal move of a text in SAN, where signs of check and comment are optional.

    Raise NotationError.
    """
    bare = text.strip().translate(_LETTERS).rstrip(_SIGNS)
    castling = _CASTLING.get(bare.upper().replace("0", "O"))
    match = _SAN.fullmatch(bare)
    if castling is None and match is None:
        raise NotationError(f"`{text}` is no move in SAN, such as `Nf3`, `exd5`, `O-O` or `e8=Q`")
    found = []
    for move in legal_moves(position):
        man = position.men[move.start].upper()
        if castling is not None:
            if man == "K" and move.to - move.start == castling:
                found.append(move)
        elif match is not None and _fits(match, man, move):
            found.append(move)
    if match is not None and match["kind"] == "K":
        found = [move for move in found if abs(move.to % 8 - move.start % 8) < 2]
    if not found:
        raise NotationError(f"`{text}` is not legal here")
    if len(found) > 1:
        could_be = ", ".join(print_san(position, move) for move in found)
        raise NotationError(f"`{text}` could be {could_be}")
    return found[0]


def _fits(match: re.Match[str], man: str, move: ChessMove) -> bool:
    name = NAMES[move.start]
    return (
        man == (match["kind"] or "P")
        and NAMES[move.to] == match["to"]
        and move.promotion == (match["promotion"] or match["enclosed"] or "").lower()
        and match["file"] in (None, name[0])
        and match["rank"] in (None, name[1])
        and (match["kind"] not in (None, "P") or match["takes"] is None or name[0] != match["to"][0])
    )


def parse_move(position: ChessPosition, text: str) -> ChessMove:
    """Return a legal move in UCI or in SAN. Raise NotationError."""
    try:
        square(text[:2])
        square(text[2:4])
    except PositionError:
        return parse_san(position, text)
    return parse_uci(position, text)
