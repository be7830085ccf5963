"""Positions of chess with marks on their squares, as self-contained SVG.

Each marked square has a ring in the colour of its mark, and the move is an arrow. The legend next to the
board explains each colour and lists the conditions. Equal input gives equal text.
"""

from __future__ import annotations

from collections.abc import Iterable

from hornbook.theories.boards.marks import Mark, board_with_legend
from hornbook.theories.chess.pictures.svg import SIZE, arrow, board
from hornbook.theories.chess.states.position import ChessPosition

_BETWEEN = 16


def marked_svg(
    position: ChessPosition, marks: Iterable[Mark], title: str, move: tuple[str, str] | None = None
) -> str:
    """Return the picture of a position, with a legend if anything is marked, and an arrow for `move`."""
    marks = list(marks)
    rings = {mark.role.meaning: mark.places for mark in marks}
    drawn = board(position, rings, [mark.role.colour for mark in marks])
    drawn = ['<g font-family="sans-serif">', *drawn, *(arrow(*move) if move else ()), "</g>"]
    return board_with_legend(title, marks, drawn, left=SIZE + _BETWEEN, width=SIZE, height=SIZE)
