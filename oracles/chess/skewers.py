"""Skewers of king and piece that win the piece, and look-alikes that do not, each with its reason.

The *pattern* is the condition of an over-general rule (Minton 1984; Puget 1987; Cazenave 1996, figures 1 to
3): a sliding piece moves and checks the king, and a piece is behind the king on the same line with nothing
between. Positions start from one diagram: white rook a1 and king g1 against king e5 and queen e8, Re1+. They
vary by shifting and turning the diagram, by other kinds of pieces, and by men added anywhere. All of them
have the pattern. A position is recorded in two cases:

- *won* (`take`): every reply is a king's move, and then the checking piece takes the target for good;
- *not won* (`no`): the judge finds no win by this move in three plies, and all refuting replies share the
  same one of the `REASONS`. (Later wins are not considered.)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Literal

import chess

from oracles.chess.judge import ChessGoal, achieves, refutations, wins_by

BASE = "4q3/8/8/4k3/8/8/8/R5K1 w - - 0 1"
BASE_MOVE = "a1e1"
REASONS = (
    "the king takes the checking piece",
    "a piece takes the checking piece",
    "a pawn takes the checking piece",
    "a piece interposes",
    "a pawn interposes",
    "counter-check",
    "the king protects the target",
    "a piece protects the target",
    "the checking piece is pinned",
)
OF_EACH_REASON = 6
OF_EACH_KIND = 8
KINDS = {"R": "qrbn", "B": "qr", "Q": "rbn"}
"""The sliding piece, and the pieces that it takes behind the king."""
STEPS = [(0, 1), (0, -1), (1, 0), (-1, 0), (1, 1), (1, -1), (-1, 1), (-1, -1)]


@dataclass(frozen=True, slots=True)
class Skewer:
    """A position with the pattern by a move; `why` is the reason of failure, or the pieces of a win."""

    fen: str
    move: str
    target: str
    verdict: Literal["take", "no"]
    why: str

    def line(self) -> str:
        return f"{self.fen}\t{self.move}\t{self.target}\t{self.verdict}\t{self.why}"


def parse_skewers(text: str) -> list[Skewer]:
    """Return the rows of a table; lines that begin with `#` are comments."""
    rows = [line.split("\t") for line in text.splitlines() if not line.startswith("#")]
    return [Skewer(*row) for row in rows]  # type: ignore[arg-type]


def has_pattern(board: chess.Board, move: chess.Move, target: chess.Square) -> bool:
    """Return whether a legal move has the pattern with this target, which is the condition of an over-general
    rule.
    """
    after = board.copy(stack=False)
    after.push(move)
    king, slider = after.king(after.turn), move.to_square
    assert king is not None
    return (
        board.piece_type_at(move.from_square) in {chess.BISHOP, chess.ROOK, chess.QUEEN}
        and slider in after.checkers()
        and board.color_at(target) != board.turn
        and chess.between(slider, target) & after.occupied == chess.BB_SQUARES[king]
        and bool(chess.between(slider, target))
    )


def is_clean(board: chess.Board, move: chess.Move, target: chess.Square) -> bool:
    """Return whether every reply is the king's, and then the checking piece takes the target for good."""
    after = board.copy(stack=False)
    after.push(move)
    replies = list(after.legal_moves)
    for reply in replies:
        if after.piece_type_at(reply.from_square) != chess.KING:
            return False
        then = after.copy(stack=False)
        then.push(reply)
        takes = chess.Move(move.to_square, target)
        if not then.is_legal(takes) or not achieves(then, ChessGoal("take", target), takes):
            return False
    return bool(replies)


def reason(board: chess.Board, move: chess.Move, reply: chess.Move, target: chess.Square) -> str | None:
    """Return the reason why a reply refutes the move, or None if it is none of the `REASONS`."""
    after = board.copy(stack=False)
    after.push(move)
    king, slider = after.king(after.turn), move.to_square
    kind = {chess.KING: "king", chess.PAWN: "pawn"}.get(after.piece_type_at(reply.from_square), "piece")
    assert king is not None
    then = after.copy(stack=False)
    then.push(reply)
    if reply.to_square == slider:
        return f"{'the' if kind == 'king' else 'a'} {kind} takes the checking piece"
    if then.is_check():
        return "counter-check"
    if kind != "king":
        return f"a {kind} interposes"
    if then.is_pinned(then.turn, slider):
        return "the checking piece is pinned"
    takes = chess.Move(slider, target)
    if not then.is_legal(takes):
        return None
    then.push(takes)
    again = [m for m in then.legal_moves if m.to_square == target]
    kings = [m for m in again if then.piece_type_at(m.from_square) == chess.KING]
    return f"{'the king' if len(kings) == len(again) else 'a piece'} protects the target" if again else None


def skewers(seed: int) -> Iterator[Skewer]:
    """Yield positions of both kinds without end, each once, from a random generator alone."""
    random, seen = Random(seed), {BASE}
    while True:
        found = _position(random)
        if found is None:
            continue
        board, move, target = found
        if board.fen() in seen or not board.is_valid() or not board.is_legal(move):
            continue
        if not has_pattern(board, move, target) or wins_by(board, ChessGoal("take", target), move, 1):
            continue
        seen.add(board.fen())
        row = judged(board, move, target)
        if row is not None:
            yield row


def judged(board: chess.Board, move: chess.Move, target: chess.Square) -> Skewer | None:
    """Return the row of a position with the pattern, or None if it is neither clearly won nor refuted for one
    reason.
    """
    goal = ChessGoal("take", target)
    fields = board.fen(), move.uci(), chess.square_name(target)
    if wins_by(board, goal, move, 3):
        if not is_clean(board, move, target):
            return None
        names = [chess.piece_name(board.piece_type_at(s)) for s in (move.from_square, target)]
        return Skewer(*fields, "take", f"{names[0]}, king, {names[1]}")
    reasons = {reason(board, move, reply, target) for reply in refutations(board, goal, move, 3)}
    if len(reasons) != 1 or None in reasons:
        return None
    return Skewer(*fields, "no", str(reasons.pop()))


def table(seed: int) -> list[Skewer]:
    """Return `OF_EACH_REASON` positions for each reason and `OF_EACH_KIND` for each three pieces.

    The base diagram comes first.
    """
    base = judged(chess.Board(BASE), chess.Move.from_uci(BASE_MOVE), chess.E8)
    assert base is not None
    kinds = sum(len(targets) for targets in KINDS.values())
    counts, rows = Counter([base.why]), [base]
    for row in skewers(seed):
        most = OF_EACH_KIND if row.verdict == "take" else OF_EACH_REASON
        if counts[row.why] < most:
            counts[row.why] += 1
            rows.append(row)
        if len(rows) == kinds * OF_EACH_KIND + len(REASONS) * OF_EACH_REASON:
            break
    return sorted(rows, key=lambda row: (row != base, row.verdict == "no", row.why))


def _position(random: Random) -> tuple[chess.Board, chess.Move, chess.Square] | None:
    """Return the pattern anywhere on the board with men added, or None if it does not fit."""
    board = chess.Board(None)
    if random.random() < 0.3:
        board = chess.Board(BASE)
        start, landing, target = chess.A1, chess.E1, chess.E8
    else:
        slider = random.choice("RRBQ")
        steps = [s for s in STEPS if slider == "Q" or (0 in s) == (slider == "R")]
        across, up = random.choice(steps)
        file, rank = random.randrange(8), random.randrange(8)
        far = random.randint(1, 4)
        further = far + random.randint(1, 4)
        places = [(file + across * n, rank + up * n) for n in (0, far, further)]
        if not all(0 <= f < 8 and 0 <= r < 8 for f, r in places):
            return None
        landing, king, target = (chess.square(f, r) for f, r in places)
        start, home = random.sample([s for s in range(64) if s not in {landing, king, target}], 2)
        men = {start: slider, home: "K", king: "k", target: random.choice(KINDS[slider])}
        board.set_piece_map({s: chess.Piece.from_symbol(symbol) for s, symbol in men.items()})
    line = list(chess.SquareSet(chess.between(landing, target)))
    for number in range(random.choice((0, 1, 1, 2, 2, 3))):
        square = random.randrange(64)
        if number == 0 and random.random() < 0.2:
            # an enemy's pawn may step from this square onto the line
            square = min(63, random.choice(line) + 8)
        if square != landing and not board.piece_at(square):
            symbol = random.choice("PPPNBRpppnbrq")
            if square - 8 in line and random.random() < 0.5:
                symbol = "p"
            if symbol in "Pp" and not 8 <= square < 56:
                continue
            board.set_piece_at(square, chess.Piece.from_symbol(symbol))
    return board, chess.Move(start, landing), target
