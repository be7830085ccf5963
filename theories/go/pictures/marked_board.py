"""Boards with marks on their points, as text for terminals and as self-contained SVG.

In text a point has two characters, the stone and the letter of its mark. In a picture the letter is on
the point, in a ring of the mark's colour, and the legend next to the board explains each letter. Equal
input gives equal text.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from hornbook.theories.boards.frame import LINE
from hornbook.theories.boards.marks import Mark, board_with_legend
from hornbook.theories.boards.places import Box
from hornbook.theories.go.states.board import Colour, GoBoard, column_name

_CHARACTERS: Mapping[Colour, str] = {"black": "X", "white": "O", "empty": "."}
_CELL = 36
_LEFT = 44
_TOP = 16
_BETWEEN = 24


def marked_text(board: GoBoard, marks: Iterable[Mark]) -> str:
    """Return the board as text with coordinates: a stone and its mark for each point, without the legend."""
    letters = {board.point(name): mark.role.letter for mark in marks for name in mark.places}
    margin = len(str(board.rows))
    names = [column_name(column) for column in range(board.columns)]
    width = max(2, *map(len, names))
    lines = [" " * (margin + 1) + " ".join(name.ljust(width) for name in names)]
    for row in reversed(range(board.rows)):
        points = range(row * board.columns, (row + 1) * board.columns)
        cells = (_CHARACTERS[board.colours[p]] + letters.get(p, "") for p in points)
        lines.append(f"{row + 1:{margin}} " + " ".join(cell.ljust(width) for cell in cells))
    return "\n".join(line.rstrip() for line in lines) + "\n"


def marked_svg(board: GoBoard, marks: Iterable[Mark], title: str) -> str:
    """Return the board as a self-contained SVG picture, with a legend if anything is marked."""
    marks = list(marks)
    right = _LEFT + board.columns * _CELL + _BETWEEN
    drawn = (*_grid(board), *_stones(board), *_rings(board, marks))
    height = _TOP + board.rows * _CELL + 2 * LINE
    return board_with_legend(title, marks, drawn, left=right, width=right, height=height)


def boxes(board: GoBoard) -> dict[str, Box]:
    """Return the boxes of the points in the picture, by their names."""
    middles = {board.name(point): _place(board, point) for point in board.points()}
    return {name: Box(x - _CELL / 2, y - _CELL / 2, _CELL, _CELL) for name, (x, y) in middles.items()}


def _place(board: GoBoard, point: int) -> tuple[int, int]:
    row, column = divmod(point, board.columns)
    return _LEFT + column * _CELL + _CELL // 2, _TOP + (board.rows - 1 - row) * _CELL + _CELL // 2


def _grid(board: GoBoard) -> Iterator[str]:
    (left, bottom), (right, top) = _place(board, 0), _place(board, board.rows * board.columns - 1)
    half = _CELL // 2
    size = f'width="{right - left + _CELL}" height="{bottom - top + _CELL}"'
    yield f'<rect x="{left - half}" y="{top - half}" {size} fill="#f3dfb5"/>'
    for column in range(board.columns):
        x, _ = _place(board, column)
        yield f'<path d="M{x} {top}V{bottom}" stroke="#71717a"/>'
        yield f'<text x="{x}" y="{bottom + _CELL - 2}" text-anchor="middle">{column_name(column)}</text>'
    for row in range(board.rows):
        _, y = _place(board, row * board.columns)
        yield f'<path d="M{left} {y}H{right}" stroke="#71717a"/>'
        yield f'<text x="{left - half - 6}" y="{y + 4}" text-anchor="end">{row + 1}</text>'


def _stones(board: GoBoard) -> Iterator[str]:
    for point in board.points():
        colour = board.colours[point]
        if colour != "empty":
            x, y = _place(board, point)
            fill = "#18181b" if colour == "black" else "#fafafa"
            yield f'<circle cx="{x}" cy="{y}" r="{_CELL // 2 - 2}" fill="{fill}" stroke="#18181b"/>'


def _rings(board: GoBoard, marks: Iterable[Mark]) -> Iterator[str]:
    for mark in marks:
        colour = mark.role.colour
        for name in mark.places:
            x, y = _place(board, board.point(name))
            ring = f'fill="white" stroke="{colour}" stroke-width="2.5"'
            yield f'<circle cx="{x}" cy="{y}" r="{_CELL // 4}" {ring}/>'
            letter = f'text-anchor="middle" font-weight="bold" fill="{colour}"'
            yield f'<text x="{x}" y="{y + 4}" {letter}>{mark.role.letter}</text>'
