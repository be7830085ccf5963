"""Positions of chess with marks on their squares, as SVG that needs no other file.

A ring in the colour of its mark stands around each square, the move is an arrow, and beside the board stands what each
colour means and what is asked there. Equal input gives equal text.
"""

from __future__ import annotations

from collections.abc import Iterable

from hornbook.theories.boards.marks import Mark, beside_board
from hornbook.theories.chess.pictures.svg import SIZE, arrow, board
from hornbook.theories.chess.states.position import Position

_BETWEEN = 16


def marked_svg(
    position: Position, marks: Iterable[Mark], title: str, move: tuple[str, str] | None = None
) -> str:
    """The position as a picture with its legend, if anything is marked; `move` is the arrow, from square to square."""
    marks = list(marks)
    rings = {mark.role.meaning: mark.places for mark in marks}
    drawn = board(position, rings, [mark.role.colour for mark in marks])
    drawn = ['<g font-family="sans-serif">', *drawn, *(arrow(*move) if move else ()), "</g>"]
    return beside_board(title, marks, drawn, left=SIZE + _BETWEEN, width=SIZE, height=SIZE)
