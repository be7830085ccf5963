"""Random positions with a given motif: its pieces have the motif's geometry, other pieces are anywhere.

Some motifs are too rare in games. The positions carry no claims; their problems are found as in any other
position.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import chess

Men = dict[chess.Square, str]
"""Pieces by square; those of the friend are upper-case, like White's."""
STRAIGHT = [(0, 1), (0, -1), (1, 0), (-1, 0)]
DIAGONAL = [(1, 1), (1, -1), (-1, 1), (-1, -1)]
OTHERS = "PPPNBRpppppnnbbrq"


def composed(motif: str, random: Random) -> chess.Board | None:
    """Return a position for a motif of `COMPOSED` with the friend, of either colour, to move.

    None if it is illegal.
    """
    men = COMPOSED[motif](random)
    if men is None:
        return None
    for _ in range(random.randint(0, 5)):
        _add(men, random.choice(OTHERS), random)
    for king in "Kk":
        if king not in men.values():
            _add(men, king, random)
    if any(symbol in "Pp" and not 8 <= square < 56 for square, symbol in men.items()):
        return None
    board = chess.Board(None)
    board.set_piece_map({square: chess.Piece.from_symbol(symbol) for square, symbol in men.items()})
    if not board.is_valid() or not any(board.legal_moves):
        return None
    return board if random.random() < 0.5 else board.mirror()


def _add(men: Men, symbol: str, random: Random) -> None:
    men[random.choice([square for square in range(64) if square not in men])] = symbol


def _line(steps: list[tuple[int, int]], stops: int, random: Random) -> list[chess.Square] | None:
    """Return squares on one line, in order, or None if they leave the board."""
    across, up = random.choice(steps)
    file, rank, found = random.randrange(8), random.randrange(8), []
    for _ in range(stops):
        if not (0 <= file < 8 and 0 <= rank < 8):
            return None
        found.append(chess.square(file, rank))
        step = random.randint(1, 3)
        file, rank = file + across * step, rank + up * step
    return found


def _slider(random: Random) -> tuple[str, list[tuple[int, int]]]:
    kind = random.choice("RBQ")
    return kind, {"R": STRAIGHT, "B": DIAGONAL, "Q": STRAIGHT + DIAGONAL}[kind]


def _skewer(random: Random) -> Men | None:
    """Place two enemies on a line, and a piece that may move to the line."""
    kind, steps = _slider(random)
    line = _line(steps, 2, random)
    if line is None:
        return None
    men = {line[0]: random.choice("kkkq"), line[1]: random.choice({"R": "qrbn", "B": "qr", "Q": "rbn"}[kind])}
    _add(men, kind, random)
    return men


def _pin(random: Random) -> Men | None:
    """Place a piece before its king, and one that may move to the line or attack the pinned piece."""
    kind, steps = _slider(random)
    line = _line(steps, 3, random)
    if line is None:
        return None
    men = {line[1]: random.choice("qrbn"), line[2]: "k"}
    if random.random() < 0.5:
        _add(men, kind, random)
    else:
        men[line[0]] = kind
        _add(men, random.choice("PPNBR"), random)
    return men


def _discovered(random: Random) -> Men | None:
    """Place a friend's piece between his sliding piece and its target, and a second target."""
    kind, steps = _slider(random)
    line = _line(steps, 3, random)
    if line is None:
        return None
    men = {line[0]: kind, line[1]: random.choice("NNBRP"), line[2]: random.choice("qrbn")}
    _add(men, "k", random)
    return men


def _looking_at(square: chess.Square, kind: str, random: Random) -> chess.Square:
    """Return a square where a piece of a kind attacks a given square on an empty board."""
    empty = chess.Board(None)
    # A pawn attacks a square from where a pawn of the other side on that square would attack.
    turned = kind.swapcase() if kind in "Pp" else kind
    empty.set_piece_at(square, chess.Piece.from_symbol(turned))
    return random.choice(list(empty.attacks(square)) or [square])


def _guard(random: Random) -> Men | None:
    """Place a piece that is attacked and protected, with its guard attacked too."""
    target, guards = random.randrange(64), random.choice("nbrqpp")
    guard = _looking_at(target, guards, random)
    men = {target: random.choice("rbn"), guard: guards}
    for square in (target, guard):
        symbol = random.choice("NBRQP")
        men[_looking_at(square, symbol, random)] = symbol
    return men if len(men) == 4 else None


def _trapped(random: Random) -> Men | None:
    """Place a piece near the edge, its own pawns around it, and some of the friend's men."""
    square = chess.square(random.choice((0, 1, 6, 7)), random.randrange(8))
    men = {square: random.choice("qrbbnn")}
    for near in random.sample(list(chess.SquareSet(chess.BB_KING_ATTACKS[square])), 2):
        men[near] = random.choice("ppP")
    for symbol in random.sample("PPNBRR", 3):
        _add(men, symbol, random)
    return men


def _mate(random: Random) -> Men | None:
    """Place a king at the edge, and three or four of the friend's pieces."""
    men = {random.choice([s for s in range(64) if s // 8 in {0, 7} or s % 8 in {0, 7}]): "k"}
    for symbol in random.sample("QRRBBNNPP", random.randint(2, 4)):
        _add(men, symbol, random)
    return men


def _back_rank(random: Random) -> Men | None:
    """Place a king behind his pawns, and heavy pieces."""
    file = random.randrange(8)
    men = {chess.square(file, 7): "k"}
    for near in range(max(0, file - 1), min(7, file + 1) + 1):
        if random.random() < 0.9:
            men[chess.square(near, 6)] = "p"
    for symbol in random.choice(("R", "Q", "RR", "QR")):
        _add(men, symbol, random)
    return men


def _fork(random: Random) -> Men | None:
    """Place two of the enemy's pieces, and one that may attack them both."""
    men: Men = {}
    for symbol in random.choice(("N", "N", "B", "P", "Q", "R")) + random.choice(
        ("kq", "kr", "qr", "rr", "kb", "kn")
    ):
        _add(men, symbol, random)
    return men


COMPOSED: dict[str, Callable[[Random], Men | None]] = {
    "fork": _fork,
    "skewer": _skewer,
    "pin": _pin,
    "discovered": _discovered,
    "guard": _guard,
    "trapped": _trapped,
    "mate1": _mate,
    "mate2": _mate,
    "back-rank": _back_rank,
}
