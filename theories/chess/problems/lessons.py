"""Chess problems as proof tasks: the position, the game, and the number of moves within which it is won."""

from __future__ import annotations

from hornbook.kb.ast.terms import Atom
from hornbook.theories.chess.play.tactics import game_of
from hornbook.theories.chess.problems.problem import ChessProblem
from hornbook.theories.chess.states.fen import parse_fen
from hornbook.theories.chess.states.position import ChessPosition


def position_of(problem: ChessProblem) -> ChessPosition:
    """Return the position of a problem, with the friend to move."""
    return parse_fen(problem.fen, problem.id)


def game_of_problem(problem: ChessProblem) -> Atom:
    """Return the game that the friend is to win."""
    return game_of(problem.goal, problem.target, position_of(problem))


def moves_of(problem: ChessProblem) -> int | None:
    """Return the number of moves that the friend needs, or None if the game is not won."""
    return None if problem.depth is None else (problem.depth + 1) // 2
