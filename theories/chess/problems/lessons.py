"""Problems of chess as what there is to prove: the position, the game, and within how many moves it is won."""

from __future__ import annotations

from hornbook.kb.ast.terms import Atom
from hornbook.theories.chess.play.tactics import game_of
from hornbook.theories.chess.problems.problem import Problem
from hornbook.theories.chess.states.fen import parse_fen
from hornbook.theories.chess.states.position import Position


def position_of(problem: Problem) -> Position:
    """The position of a problem, the friend to move."""
    return parse_fen(problem.fen, problem.id)


def game_of_problem(problem: Problem) -> Atom:
    """The game that the friend is to win."""
    return game_of(problem.goal, problem.target, position_of(problem))


def moves_of(problem: Problem) -> int | None:
    """How many moves the friend needs, or None where nothing is won."""
    return None if problem.depth is None else (problem.depth + 1) // 2
