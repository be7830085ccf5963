"""Alpha-beta search as a baseline for rules: answers to the held-out problems, nodes and microseconds.

The evaluation is plain material (pawn 1, knight and bishop 3, rook 5, queen 9) with quiescence of captures,
and the `chess` library as the board: no tables, no extensions. Stockfish searches the same positions to a
fixed depth. Each answers with its move and claims that it wins; an exhaustive search to the problem's horizon
judges unlisted moves. (The searches look for the best move, not for the problem's goal: a better move than
the goal's counts as wrong here.)

Usage:

    python benchmarks/chess/search.py [--depth 3] [--stockfish 6] [--each 20]
        [--output benchmarks/results/chess-search.txt]
"""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import chess
import chess.engine

from benchmarks import study
from hornbook.theories.chess.problems.problem import ChessProblem, parse_problems, shipped
from hornbook.theories.chess.problems.score import OUTCOMES, ChessAnswer, ChessScoreRow, judge_all, tally
from oracles.chess.judge import ChessGoal, wins_by
from oracles.chess.positions import engine

WORTH = {chess.PAWN: 1, chess.KNIGHT: 3, chess.BISHOP: 3, chess.ROOK: 5, chess.QUEEN: 9}
MATED = 1000
"""Value of a mate, minus the plies to it, so that a shorter mate is better."""


@dataclass(slots=True)
class MaterialSearch:
    """Alpha-beta to a fixed depth; `nodes` counts the searched positions."""

    nodes: int = 0

    def best(self, board: chess.Board, depth: int) -> tuple[chess.Move | None, int]:
        """Return the best move (the first of equals), and its value in pawns for the side to move."""
        best, alpha = None, -MATED - 1
        for move in ordered(board, list(board.legal_moves)):
            board.push(move)
            value = -self._value(board, depth - 1, -MATED, -alpha, 1)
            board.pop()
            if value > alpha:
                best, alpha = move, value
        return best, alpha

    def _value(self, board: chess.Board, depth: int, alpha: int, beta: int, plies: int) -> int:
        if depth <= 0:
            return self._quiet(board, alpha, beta)
        self.nodes += 1
        moves = ordered(board, list(board.legal_moves))
        if not moves:
            return plies - MATED if board.is_check() else 0
        for move in moves:
            board.push(move)
            alpha = max(alpha, -self._value(board, depth - 1, -beta, -alpha, plies + 1))
            board.pop()
            if alpha >= beta:
                break
        return alpha

    def _quiet(self, board: chess.Board, alpha: int, beta: int) -> int:
        """Return the material after captures, where standing pat is allowed.

        Mates and stalemates are not detected.
        """
        self.nodes += 1
        alpha = max(alpha, material(board))
        if alpha >= beta:
            return alpha
        for move in ordered(board, list(board.generate_legal_captures())):
            board.push(move)
            alpha = max(alpha, -self._quiet(board, -beta, -alpha))
            board.pop()
            if alpha >= beta:
                break
        return alpha


def material(board: chess.Board) -> int:
    """Return the lead of the side to move in pawns."""
    own, other = board.occupied_co[board.turn], board.occupied_co[not board.turn]
    total = 0
    for worth, men in (
        (1, board.pawns),
        (3, board.knights | board.bishops),
        (5, board.rooks),
        (9, board.queens),
    ):
        total += worth * (chess.popcount(men & own) - chess.popcount(men & other))
    return total


def ordered(board: chess.Board, moves: list[chess.Move]) -> list[chess.Move]:
    """Return promotions and captures first, most valuable victim by least valuable attacker,
    with ties by name.
    """

    def key(move: chess.Move) -> tuple[int, int, str]:
        taken = WORTH.get(board.piece_type_at(move.to_square) or 0, 0)
        mover = WORTH.get(board.piece_type_at(move.from_square) or 0, 10)
        return -taken - WORTH.get(move.promotion or 0, 0), mover, move.uci()

    return sorted(moves, key=key)


def wins_unlisted(problem: ChessProblem, move: str) -> bool:
    """Return whether an unlisted move wins within the horizon, or with few men within two more plies."""
    board = chess.Board(problem.fen)
    goal = ChessGoal(problem.goal, None if problem.target is None else chess.parse_square(problem.target))
    more = 2 if problem.horizon == 3 and chess.popcount(board.occupied) <= 8 else 0
    return wins_by(board, goal, chess.Move.from_uci(move), problem.horizon + more)


def score(problems: list[ChessProblem], answers: dict[str, ChessAnswer]) -> list[ChessScoreRow]:
    """Return solved, unknown and wrong problems by motif and depth; search judges unlisted moves."""
    return tally(judge_all(problems, answers, wins_unlisted))


def answered(
    problems: list[ChessProblem], player: Callable[[chess.Board], chess.Move | None]
) -> tuple[dict[str, ChessAnswer], float]:
    """Return the answers of a player, and its seconds."""
    began, answers = time.perf_counter(), {}
    for problem in problems:
        move = player(chess.Board(problem.fen))
        answers[problem.id] = ChessAnswer(
            problem.id, "unknown" if move is None else "GI", move and move.uci()
        )
    return answers, time.perf_counter() - began


def few_of_each(problems: list[ChessProblem], most: int) -> list[ChessProblem]:
    """Return the first `most` problems of each motif that has a solution."""
    counts: Counter[str] = Counter()
    found = []
    for problem in problems:
        if problem.depth is not None and counts[problem.motif] < most:
            counts[problem.motif] += 1
            found.append(problem)
    return found


def table(rows: list[ChessScoreRow]) -> str:
    head = f"{'motif':12}{'plies':>6}{'problems':>10}" + "".join(f"{outcome:>9}" for outcome in OUTCOMES)
    lines = [head]
    for row in rows:
        line = f"{row.motif or 'all':12}{row.depth or '':>6}{row.problems:>10}"
        lines.append(line + "".join(f"{row.outcomes[outcome]:>9}" for outcome in OUTCOMES))
    return "\n".join(lines)


def main() -> int:
    arguments = study.options(__doc__, depth=3, stockfish=6, each=20).parse_args()
    this = study.Study(__file__, arguments)
    path = shipped("held_out")
    problems = few_of_each(parse_problems(path.read_text(encoding="utf-8"), str(path)), arguments.each)
    search = MaterialSearch()
    answers, seconds = answered(problems, lambda board: search.best(board, arguments.depth)[0])
    text = f"alpha-beta to depth {arguments.depth}: {1e6 * seconds / len(problems):.0f} microseconds and "
    text += f"{search.nodes / len(problems):.0f} nodes a position\n{table(score(problems, answers))}\n\n"
    with engine() as player:
        limit = chess.engine.Limit(depth=arguments.stockfish)
        answers, seconds = answered(problems, lambda board: player.play(board, limit, game=object()).move)
        name = player.id.get("name", "stockfish")
    text += (
        f"{name} to depth {arguments.stockfish}: {1e6 * seconds / len(problems):.0f} microseconds a "
        "position\n"
    )
    text += f"{table(score(problems, answers))}\n"
    return this.finish(text, libraries=[f"chess {chess.__version__}"])


if __name__ == "__main__":
    raise SystemExit(main())
