"""Chess problems of a position, each solved by the judge or the table, for the problem sets.

The records are exact: all winning moves within the horizon, and the least depth. Pieces that cost more than
they are worth are left out: a best move must gain two pawns after every reply (`gain`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from random import Random

import chess

from hornbook.theories.chess.problems.problem import MOTIFS, ChessProblem, Motif, Value
from oracles.chess.judge import (
    MATE,
    WORTH,
    ChessGoal,
    achieves,
    captured_on,
    depth,
    winning_moves,
    wins_by,
    wins_second,
)
from oracles.chess.kpk_table import DRAWN, ILLEGAL, kpk_table
from oracles.chess.motifs import is_back_rank_mate, skewered, taking_motif

HORIZON = {"take": 3, "mate": 3, "promote": 5}
LEAST_GAIN = 2
PIECES = {chess.KNIGHT, chess.BISHOP, chess.ROOK, chess.QUEEN}
FEW_MEN = 6
"""The greatest number of men for the search for promotions; with more, five plies take too long."""
SHARPEST = 3
"""The greatest number of winning moves; with more, almost any move wins, and the position is no problem."""


def problems(board: chess.Board, random: Random, motifs: Collection[str]) -> Iterator[ChessProblem]:
    """Yield problems of the position with the requested motifs, without names.

    At most one if nothing is won.
    """
    lost: list[tuple[ChessGoal, Motif | None]] = []
    mates = depth(board, MATE, 3 if "mate2" in motifs and _is_confined(board) else 1)
    if mates is None:
        lost.append((MATE, None))
        for square, tries in sorted(threats(board).items()):
            goal = ChessGoal("take", square)
            if any(
                achieves(board, goal, move)
                for move in board.generate_legal_moves(to_mask=chess.BB_SQUARES[square])
            ):
                found = _hanging(board, goal) if "hanging" in motifs else None
            else:
                found = _taking(board, goal, tries, motifs)
                if found is None and "nothing" in motifs:
                    lost.append((goal, _looks_like(board, goal, tries)))
            if found is not None:
                yield found
    else:
        yield from _mating(board, mates, motifs)
    for square in _advanced_pawns(board) if "promotion" in motifs else []:
        promotion = _promotion(board, ChessGoal("promote", square))
        if promotion is not None:
            yield promotion
        elif mates is None:
            lost.append((ChessGoal("promote", square), "promotion"))
    near = [one for one in lost if one[1] is not None]
    if lost and "nothing" in motifs:
        goal, motif = random.choice(near or lost)
        if not winning_moves(board, goal, HORIZON[goal.kind]):
            yield problem(board, goal, "nothing", [], [], None, looks_like=motif)


def threats(board: chess.Board) -> dict[chess.Square, list[chess.Move]]:
    """Return the enemy's pieces with the moves that threaten to take them, or that skewer them.

    The result only guides the search; a win by zugzwang alone is not found here.
    """
    enemies = board.occupied_co[not board.turn]
    found = {s: list[chess.Move]() for s in chess.scan_forward(enemies) if board.piece_type_at(s) in PIECES}
    for move in list(board.legal_moves):
        after = board.copy(stack=False)
        after.push(move)
        checks = after.is_check()
        after.push(chess.Move.null())
        for square, moves in found.items():
            goal = ChessGoal("take", square)
            if square == captured_on(board, move):
                continue
            takes = (checks and skewered(after, move.to_square, square)) or any(
                achieves(after, goal, then)
                for then in after.generate_legal_moves(to_mask=chess.BB_SQUARES[square])
            )
            if takes:
                moves.append(move)
    return found


def problem(
    board: chess.Board,
    goal: ChessGoal,
    motif: Motif,
    winning: list[chess.Move],
    best: list[chess.Move],
    plies: int | None,
    *,
    value: Value | None = None,
    gain: int | None = None,
    looks_like: Motif | None = None,
) -> ChessProblem:
    """Return the problem, without a name; a second-player win is searched if no value is given."""
    if value is None:
        value = f"{'G' if winning else 'I'}{second(board, goal)}"  # type: ignore[assignment]
    assert value is not None
    return ChessProblem(
        id="",
        fen=board.fen(),
        motif=motif,
        goal=goal.kind,
        target=None if goal.target is None else chess.square_name(goal.target),
        side="white" if board.turn else "black",
        value=value,
        depth=plies,
        horizon=HORIZON[goal.kind],
        winning_moves=tuple(move.uci() for move in winning),
        best_moves=tuple(move.uci() for move in best),
        gain=gain,
        looks_like=looks_like,
    )


def second(board: chess.Board, goal: ChessGoal) -> str:
    """Return `G` if the goal is won within the horizon even if the opponent starts, who may not capture en
    passant.
    """
    if board.is_check():
        return "I"
    passed = board.copy(stack=False)
    passed.push(chess.Move.null())
    return "G" if wins_second(passed, goal, HORIZON[goal.kind]) else "I"


def _is_confined(board: chess.Board) -> bool:
    """Return whether the enemy's king has at most one free square; mate in two is searched only then."""
    passed = board.copy(stack=False)
    passed.push(chess.Move.null())
    return sum(1 for _ in passed.generate_legal_moves(from_mask=passed.kings)) <= 1


def _mating(board: chess.Board, plies: int, motifs: Collection[str]) -> Iterator[ChessProblem]:
    best = winning_moves(board, MATE, plies)
    motif: Motif = "mate2"
    if plies == 1:
        motif = "back-rank" if all(is_back_rank_mate(board, move) for move in best) else "mate1"
    if motif in motifs and (plies == 1 or len(best) <= SHARPEST):
        yield problem(board, MATE, motif, winning_moves(board, MATE, 3), best, plies)


def _hanging(board: chess.Board, goal: ChessGoal) -> ChessProblem | None:
    """Return the problem of a piece that is taken at once."""
    now = [move for move in board.legal_moves if achieves(board, goal, move)]
    most = max(gain(board, goal, move) for move in now)
    if most < LEAST_GAIN:
        return None
    return problem(board, goal, "hanging", winning_moves(board, goal, 3), now, 1, gain=most)


def _taking(
    board: chess.Board, goal: ChessGoal, tries: list[chess.Move], motifs: Collection[str]
) -> ChessProblem | None:
    """Return the problem of a piece taken in three plies by one of some moves.

    Its motif is that of the move with the greatest gain.
    """
    if not any(taking_motif(board, goal, move) in motifs and wins_by(board, goal, move, 3) for move in tries):
        return None
    winning = winning_moves(board, goal, 3)
    if len(winning) > SHARPEST:
        return None
    gains = {move: gain(board, goal, move) for move in winning}
    named = [move for move in winning if taking_motif(board, goal, move)]
    motif = taking_motif(board, goal, max(named, key=gains.__getitem__))
    if motif not in motifs or max(gains[move] for move in named) < LEAST_GAIN:
        return None
    assert motif is not None
    return problem(board, goal, motif, winning, winning, 3, gain=max(gains.values()))


def _looks_like(board: chess.Board, goal: ChessGoal, tries: list[chess.Move]) -> Motif | None:
    """Return the motif of a move that does not win; a mere attack has no motif."""
    looks = {taking_motif(board, goal, move) for move in tries} - {None, "trapped"}
    return next((motif for motif in MOTIFS if motif in looks), None)


def gain(board: chess.Board, goal: ChessGoal, move: chess.Move) -> int:
    """Return the gain in pawns of a winning move within three plies after every reply: captures minus losses.

    If the target is taken at once, the gain is the target minus the capturer if that is recaptured. Otherwise
    it is the capture of the move, minus the capture of the reply, plus the target as before.
    """
    if achieves(board, goal, move):
        return _final_gain(board, goal, move)
    taken = captured_on(board, move)
    won = 0 if taken is None else WORTH[board.piece_type_at(taken)]
    then = goal.after(board, move)
    assert then is not None
    board.push(move)
    worst = 100
    for reply in list(board.legal_moves):
        lost_on = captured_on(board, reply)
        lost = 0 if lost_on is None else WORTH[board.piece_type_at(lost_on)]
        left = then.after(board, reply)
        assert left is not None
        board.push(reply)
        last = [_final_gain(board, left, m) for m in board.legal_moves if achieves(board, left, m)]
        board.pop()
        worst = min(worst, max(last, default=-100) - lost)
    board.pop()
    return won + worst


def _final_gain(board: chess.Board, goal: ChessGoal, move: chess.Move) -> int:
    """Return the gain of a move that achieves the goal; mate gains a king."""
    mover = WORTH[board.piece_type_at(move.from_square)]
    target = WORTH[board.piece_type_at(goal.target)]
    takes = captured_on(board, move) == goal.target
    board.push(move)
    mated = board.is_checkmate()
    again = takes and any(board.generate_legal_moves(to_mask=chess.BB_SQUARES[move.to_square]))
    board.pop()
    return 100 if mated else target - (mover if again else 0)


def _advanced_pawns(board: chess.Board) -> list[chess.Square]:
    """Return the friend's pawns on at least his fifth rank, if few men but more than three are left, and no
    queen.
    """
    if board.queens or not 3 < chess.popcount(board.occupied) <= FEW_MEN:
        return []
    ranks = (4, 5, 6) if board.turn else (1, 2, 3)
    return [s for s in board.pieces(chess.PAWN, board.turn) if chess.square_rank(s) in ranks]


def _promotion(board: chess.Board, goal: ChessGoal) -> ChessProblem | None:
    """Return the promotion of a pawn, by a pawn's or another move, in three or five plies, or at once."""
    plies = depth(board, goal, 5)
    if plies is None:
        return None
    winning = winning_moves(board, goal, 5)
    best = [move for move in winning if wins_by(board, goal, move, plies)]
    if plies > 1 and len(best) > SHARPEST:
        return None
    return problem(board, goal, "promotion", winning, best, plies)


def kpk_problem(random: Random) -> ChessProblem:
    """Return any position of king and pawn against king.

    The friend, of either colour, has the pawn and the move.
    """
    table = kpk_table()
    while True:
        pawn, white, black = random.randrange(8, 56), *random.sample(range(64), 2)
        plies = int(table.white_to_move[pawn, white, black])
        if plies != ILLEGAL:
            break
    board = chess.Board(None)
    for square, symbol in ((pawn, "P"), (white, "K"), (black, "k")):
        board.set_piece_at(square, chess.Piece.from_symbol(symbol))
    after = {move: _kpk_after(board, move) for move in board.legal_moves}
    winning = [move for move, left in after.items() if left != DRAWN]
    best = [move for move in winning if after[move] == plies - 1]
    opponent = int(table.black_to_move[pawn, white, black])
    value = ("P" if plies == DRAWN else "G") + {DRAWN: "P", ILLEGAL: "I"}.get(opponent, "G")
    if random.random() < 0.5:
        board, pawn = board.mirror(), chess.square_mirror(pawn)
        winning, best = [mirrored(move) for move in winning], [mirrored(move) for move in best]
    goal = ChessGoal("promote", pawn)
    least = None if plies == DRAWN else plies
    winning, best = sorted(winning, key=chess.Move.uci), sorted(best, key=chess.Move.uci)
    return problem(board, goal, "kpk", winning, best, least, value=value)  # type: ignore[arg-type]


def mirrored(move: chess.Move) -> chess.Move:
    return chess.Move(
        chess.square_mirror(move.from_square), chess.square_mirror(move.to_square), move.promotion
    )


def _kpk_after(board: chess.Board, move: chess.Move) -> int:
    """Return the plies to the promotion after White's move, or DRAWN."""
    if move.promotion is not None:
        pawn = move.from_square
        return 0 if achieves(board, ChessGoal("promote", pawn), move) else DRAWN
    board.push(move)
    pawn, white, black = board.pawns.bit_length() - 1, board.king(chess.WHITE), board.king(chess.BLACK)
    board.pop()
    return int(kpk_table().black_to_move[pawn, white, black])
