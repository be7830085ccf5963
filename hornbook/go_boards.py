"""Boards of Go for who asks learned rules about them: every block, once as each player's, and pictures."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from compiler.position import Conclusion, Parts
from kb.terms import Atom, Condition
from kb.theory import Theory
from theories.go import question
from theories.go.board import PLAYERS, Board
from theories.go.marked_board import marked_svg
from theories.go.marks import marked

spoken_of = question.spoken_of


def questions(state: Board, theory: Theory) -> Iterator[tuple[Parts, list[Atom]]]:
    """The games about each player's blocks: what is true of a board is said for one defender at a time."""
    named = [replies.game.predicate for replies in theory.replies]
    for defender in PLAYERS:
        yield question.parts(state, defender), question.games(state, defender, named)


def picture(state: Board, title: str) -> str:
    return marked_svg(state, (), title)


def marked_picture(state: Board, said: Conclusion, met: Iterable[Condition], title: str) -> str:
    statement = said.statement
    return marked_svg(state, marked(state, statement.game, statement.by, met), title)
