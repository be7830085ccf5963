"""Solvers of chess problems: the theory itself, learned rules, and two searches, all timed in the same way.

Each solver answers a problem with a move that it claims to win, or with nothing. An exhaustive search judges
moves that a problem does not list.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import chess
import chess.engine

from benchmarks.chess.search import MaterialSearch, score
from hornbook.compiler.match.position import IncrementalState
from hornbook.compiler.rules.admission import RuleBase
from hornbook.games.solving import ProblemSolver
from hornbook.kb.ast.terms import WON, Atom, GameStatement
from hornbook.kb.ast.theory import GroundFact, Theory
from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.theories.chess.domain import DOMAIN
from hornbook.theories.chess.play import question
from hornbook.theories.chess.problems.lessons import game_of_problem, position_of
from hornbook.theories.chess.problems.problem import ChessProblem
from hornbook.theories.chess.problems.score import ChessAnswer, ChessScoreRow, judge_all, tally
from hornbook.theories.chess.states.notation import print_uci
from oracles.chess.judge import ChessGoal, wins_by
from oracles.chess.positions import engine


class TheorySolver:
    """Theory without learned rules, on one position after another."""

    def __init__(self, theory: Theory, first: ChessProblem) -> None:
        # Statistics are measured once, so that conditions are ordered by them, as for learned rules.
        measured = KnowledgeBase(theory, derivations="none")
        IncrementalState(measured).at_parts(question.parts(position_of(first)))
        self.base = KnowledgeBase(theory, derivations="none", statistics=measured.statistics())
        self.incremental = IncrementalState(self.base)

    def as_it_is(self, problem: ChessProblem) -> ChessAnswer:
        """Return the conclusions about the position itself."""
        self.incremental.at_parts(question.parts(position_of(problem)))
        return _answer(problem, self._won(game_of_problem(problem)))

    def by_each_move(self, problem: ChessProblem) -> ChessAnswer:
        """Return the first legal move whose execution is concluded to win."""
        state, game = position_of(problem), game_of_problem(problem)
        self.incremental.at_parts(question.parts(state))
        for action in question.moves(state):
            self.base.push()
            self.base.add([action])
            found = self._won(game)
            self.base.pop()
            if found is not None:
                return _answer(problem, found)
        return _answer(problem, None)

    def _won(self, game: Atom) -> Atom | None:
        """Return the move that wins the game by the theory, or None."""
        for relation in self.base.relations():
            if not isinstance(relation, GameStatement) or relation.game.predicate != game.predicate:
                continue
            for statement in self.base.engine.statements(relation.relation, "before"):
                assert isinstance(statement, GameStatement)
                if (statement.game.terms, statement.value) == (game.terms, WON) and statement.by is not None:
                    return statement.by
        return None


def _answer(problem: ChessProblem, by: Atom | None) -> ChessAnswer:
    if by is None:
        return ChessAnswer(problem.id, "unknown")
    values = tuple(term.value for term in by.terms if not hasattr(term, "name"))
    return ChessAnswer(problem.id, "GI", print_uci(question.move_of(GroundFact(by.predicate, values))))


class RuleSolver:
    """Learned rules, in chains of levels; `matched` counts positions."""

    def __init__(self, theory: Theory, base: RuleBase) -> None:
        self.solver = ProblemSolver(theory, [entry.rule for entry in base if entry.is_certified])

    def answer(self, problem: ChessProblem, levels: int) -> ChessAnswer:
        line = json.loads(DOMAIN.answer(problem, self.solver.solve(problem, levels), levels))
        return ChessAnswer(problem.id, line["value"], line["move"])


@dataclass(frozen=True, slots=True)
class SolverResult:
    """Results of one solver on some problems, and its processor seconds (wall-clock time for Stockfish, a
    separate process).
    """

    name: str
    rows: tuple[ChessScoreRow, ...]
    seconds: float


def answers_of(
    name: str,
    problems: Sequence[ChessProblem],
    ask: Callable[[ChessProblem], ChessAnswer],
    *,
    deeper: int = 0,
    clock: Callable[[], float] = time.process_time,
) -> SolverResult:
    """Return the answers to each problem. The first one is answered twice, to exclude one-time
    costs from the timing.

    Unlisted moves may win up to `deeper` plies beyond the horizon of a problem, as chains of matches do.
    """

    def wins_unlisted(problem: ChessProblem, move: str) -> bool:
        goal = ChessGoal(problem.goal, None if problem.target is None else chess.parse_square(problem.target))
        plies = range(problem.horizon, problem.horizon + deeper + 1, 2)
        board, by = chess.Board(problem.fen), chess.Move.from_uci(move)
        return any(wins_by(board, goal, by, most) for most in plies)

    ask(problems[0])
    began = clock()
    answers = {problem.id: ask(problem) for problem in problems}
    seconds = clock() - began
    rows = (
        score(list(problems), answers) if not deeper else tally(judge_all(problems, answers, wins_unlisted))
    )
    return SolverResult(name, tuple(rows), seconds)


def searched(problems: Sequence[ChessProblem], depth: int, fish: int) -> list[SolverResult]:
    """Return the answers of two searches that play their best move."""

    def alpha_beta(problem: ChessProblem) -> ChessAnswer:
        move = MaterialSearch().best(chess.Board(problem.fen), depth)[0]
        return _played(problem, move)

    found = [answers_of(f"alpha-beta to depth {depth}", problems, alpha_beta)]
    if fish:
        with engine() as player:

            def stockfish(problem: ChessProblem) -> ChessAnswer:
                limit = chess.engine.Limit(depth=fish)
                move = player.play(chess.Board(problem.fen), limit, game=object()).move
                return _played(problem, move)

            name = str(player.id.get("name", "stockfish"))
            found.append(answers_of(f"{name} to depth {fish}", problems, stockfish, clock=time.perf_counter))
    return found


def _played(problem: ChessProblem, move: chess.Move | None) -> ChessAnswer:
    return ChessAnswer(problem.id, "unknown") if move is None else ChessAnswer(problem.id, "GI", move.uci())
