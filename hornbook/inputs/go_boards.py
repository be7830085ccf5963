"""Boards of Go for who asks learned rules about them: every block, once as each player's, and pictures."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from hornbook.compiler.match.position import Conclusion, Parts
from hornbook.kb.ast.terms import Atom, Condition
from hornbook.kb.ast.theory import Theory
from hornbook.theories.go import question
from hornbook.theories.go.board import PLAYERS, Board
from hornbook.theories.go.marked_board import marked_svg
from hornbook.theories.go.marks import marked

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
