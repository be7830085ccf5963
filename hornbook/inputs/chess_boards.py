"""Positions of chess for who asks learned rules about them: every game of either side, and pictures."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from hornbook.compiler.match.position import Conclusion, Parts
from hornbook.kb.ast.terms import Atom, Condition, Constant
from hornbook.kb.ast.theory import Theory
from hornbook.theories.chess import question
from hornbook.theories.chess.marked_board import marked_svg
from hornbook.theories.chess.marks import marked
from hornbook.theories.chess.position import Position

spoken_of = question.spoken_of


def questions(state: Position, theory: Theory) -> Iterator[tuple[Parts, list[Atom]]]:
    """Every game, for either side as if it were to move."""
    yield question.parts(state), question.games(state)


def picture(state: Position, title: str) -> str:
    return marked_svg(state, (), f"{title}: {state.to_move} to move")


def marked_picture(state: Position, said: Conclusion, met: Iterable[Condition], title: str) -> str:
    statement = said.statement
    move = None if statement.by is None else statement.by.terms[:2]
    squares = [str(term.value) for term in move or () if isinstance(term, Constant)]
    arrow = (squares[0], squares[1]) if len(squares) == 2 else None
    return marked_svg(state, marked(state, statement.game, statement.by, met), title, arrow)
