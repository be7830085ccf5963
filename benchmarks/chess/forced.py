"""Correctness and completeness of the rules of the theory `combinations` in one match.

Half of the positions come from random play. The other half comes from random play with an extra queen and
rook for the player to move, so that mates are frequent. With `--pawns`, positions have few men, and the
player to move has a pawn one or two moves before the last rank. The library `chess`, which tries every
move and every reply, checks conclusions about mate and the men of the opponent, and about the pawns of
the player to move.

The total (*there*) counts several kinds of first moves. First, moves that mate at once or in two, including
promotions. Second, moves that take a man in two moves, once per man, if they do not mate: checks, and other
moves that threaten the man. Third, squares where a pawn becomes a queen or a rook that is not taken. Fourth,
moves other than promotions and mates after which a pawn does so against every reply, once per pawn. The exit
code is 1 if a conclusion is wrong.

Usage:

    python benchmarks/chess/forced.py RULES.horn [--positions 500] [--seed 1] [--pawns]
        [--output benchmarks/results/chess-forced-audit.txt]
"""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import chess

from benchmarks import study
from benchmarks.chess.best_moves import move_of
from hornbook.api.learned_rules import read_rules
from oracles.chess.judge import ChessGoal, achieves, winning_moves, wins_by
from oracles.chess.mating import forcing_position, mating_moves
from oracles.chess.positions import few_pieces, played


def main() -> int:
    parser = study.options(__doc__, positions=500, seed=1)
    parser.add_argument("rules", type=Path)
    parser.add_argument("--pawns", action="store_true", help="few men, and a pawn that may be promoted soon")
    this = study.Study(__file__, parser.parse_args())
    rules, random = read_rules(this.given.rules, "combinations"), Random(this.given.seed)
    half = this.given.positions // 2
    if this.given.pawns:
        boards = [promoting_position(random) for _ in range(this.given.positions)]
    else:
        boards = [*played("random play", random, half), *(forcing_position(random) for _ in range(half))]
    count: Counter[str] = Counter()
    wrong: list[str] = []
    for board in boards:
        now, soon = mating_moves(board, 1), mating_moves(board, 2)
        mate = f"mate({chess.COLOR_NAMES[not board.turn]})"
        found = {
            (answer.game, move_of(answer.move).uci(), answer.rule)
            for answer in rules.match(board.fen(en_passant="fen"))
            if answer.value == "GI" and answer.move is not None
        }
        takes = {f"take({chess.square_name(each)})": each for each in men(board)}
        won = {(move, game) for game, move, _ in found}
        seen = {move for move, game in won if game == mate}
        mating = {(move, game) for move in soon for game in takes}
        checks, threats = (takings(board, takes, by_check=by_check) - mating for by_check in (True, False))
        count["mates there at once"] += len(now)
        count["mates seen at once"] += len(now & seen)
        count["mates there in two"] += len(soon - now)
        count["mates seen in two"] += len((soon - now) & seen)
        count["takings there by a check"] += len(checks)
        count["takings seen by a check"] += len(checks & won)
        count["takings there by a threat"] += len(threats)
        count["takings seen by a threat"] += len(threats & won)
        side = chess.COLOR_NAMES[board.turn]
        crowns = {f"crown({side}, {chess.square_name(each)})": each for each in near_pawns(board)}
        at_once, in_two = crowning_moves(board, crowns, soon)
        count["crowns there at once"] += len(at_once)
        count["crowns seen at once"] += len({(move[:4], game) for move, game in won} & at_once)
        count["crowns there in two"] += len(in_two)
        count["crowns seen in two"] += len(in_two & won)
        for game, move, rule in sorted(found):
            if game == mate or game in takes or game in crowns:
                count["conclusions"] += 1
                if game == mate:
                    right = move in soon
                elif game in takes:
                    right = is_taken(board, takes[game], move)
                else:
                    right = is_crowned(board, crowns[game], move)
                wrong += [] if right else [f"wrong: {board.fen()}: {game} by {move} by {rule}"]
    lines = [f"{len(boards)} positions", *(f"{name:25}{number:>8,}" for name, number in count.items())]
    lines += [f"{len(wrong)} of the conclusions are wrong", *wrong]
    return this.finish("\n".join(lines) + "\n", wrong, [f"chess {chess.__version__}"])


def men(board: chess.Board) -> list[chess.Square]:
    """Return the squares of the opponent's men, except its king."""
    return [*chess.SquareSet(board.occupied_co[not board.turn] & ~board.kings)]


def takings(board: chess.Board, takes: dict[str, chess.Square], *, by_check: bool) -> set[tuple[str, str]]:
    """Return the moves that take a man in two moves against every reply, with the game of that man.

    These are checks, or other moves that threaten the man; promotions are left out.
    """
    moves = [m for m in board.legal_moves if board.gives_check(m) == by_check and m.promotion is None]
    return {
        (move.uci(), game)
        for move in moves
        for game, square in takes.items()
        if move.to_square != square
        and (by_check or is_threatened(board, square, move))
        and is_taken(board, square, move.uci())
    }


def is_threatened(board: chess.Board, square: chess.Square, move: chess.Move) -> bool:
    """Return whether the man on a square could be taken after a move if its side passed."""
    then = board.copy(stack=False)
    then.push(move)
    then.push(chess.Move.null())
    return bool(winning_moves(then, ChessGoal("take", square), 1))


def is_taken(board: chess.Board, square: chess.Square, move: str) -> bool:
    return wins_by(board, ChessGoal("take", square), chess.Move.from_uci(move), 3)


def near_pawns(board: chess.Board) -> list[chess.Square]:
    """Return the squares of pawns of the player to move that may be promoted within two moves."""
    ranks = chess.BB_RANK_6 | chess.BB_RANK_7 if board.turn else chess.BB_RANK_3 | chess.BB_RANK_2
    return [*chess.SquareSet(board.pieces_mask(chess.PAWN, board.turn) & ranks)]


def crowning_moves(
    board: chess.Board, crowns: dict[str, chess.Square], mates: set[str]
) -> tuple[set[tuple[str, str]], set[tuple[str, str]]]:
    """Return the promotions to a queen or a rook that is not taken, and the moves that prepare one.

    The promotions do not name the piece. A preparing move allows such a promotion against every reply, and
    does not mate. Both come with the game of the pawn.
    """
    at_once, in_two = set(), set()
    for game, square in crowns.items():
        for move in board.legal_moves:
            if move.promotion is None:
                if move.uci() not in mates and is_crowned(board, square, move.uci()):
                    in_two.add((move.uci(), game))
            elif move.from_square == square and achieves(board, ChessGoal("promote", square), move):
                at_once.add((move.uci()[:4], game))
    return at_once, in_two


def is_crowned(board: chess.Board, square: chess.Square, move: str) -> bool:
    return wins_by(board, ChessGoal("promote", square), chess.Move.from_uci(move), 3)


def promoting_position(random: Random) -> chess.Board:
    """Return a position of few men, with a pawn of the player to move close to promotion."""
    while True:
        board = few_pieces(random)
        if board is not None and near_pawns(board):
            return board


if __name__ == "__main__":
    raise SystemExit(main())
