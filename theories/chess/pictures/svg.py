"""Chess diagrams as SVG pictures, with marks on squares.

The men are Unicode characters, so the picture is self-contained. White is below.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import hypot

from hornbook.kb.text.escaping import markup
from hornbook.theories.boards.places import Box
from hornbook.theories.chess.states.position import EMPTY, NAMES, ChessPosition, square

SIDE = 45
"""Side of a square, in pixels."""
_MARGIN = 22
SIZE = 8 * SIDE + 2 * _MARGIN
"""Side of the board with its margins, in pixels."""
_SHAPES = dict(zip("kqrbnp", "♚♛♜♝♞♟", strict=True))
_MARKS = ("#d9822b", "#2f7ec4", "#3a9d5d", "#b8433f", "#7d5ba6", "#8a8a3c")
_ARROW = "#15803d"


def draw(position: ChessPosition, marks: Mapping[str, Iterable[str]] | None = None) -> str:
    """Return the position as an SVG picture. `marks` maps categories to the squares to ring in one colour.

    Raises PositionError if a marked square does not exist.
    """
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {SIZE} {SIZE}" font-family="sans-serif">',
        f"<title>{position.to_move} to move</title>",
        *board(position, marks or {}),
    ]
    return "\n".join([*parts, "</svg>"]) + "\n"


def board(
    position: ChessPosition, marks: Mapping[str, Iterable[str]], colours: Sequence[str] = _MARKS
) -> list[str]:
    """Return the elements of such a picture for larger pictures; `colours` are the colours of the
    categories in order.
    """
    parts = []
    for place, man in enumerate(position.men):
        x, y = _corner(place)
        light = (place % 8 + place // 8) % 2 == 1
        fill = "#f0e2c8" if light else "#b79a76"
        parts.append(f'<rect x="{x}" y="{y}" width="{SIDE}" height="{SIDE}" fill="{fill}"/>')
        if man != EMPTY:
            inside, edge = ("#ffffff", "#222222") if man.isupper() else ("#222222", "#222222")
            parts.append(
                f'<text x="{x + SIDE / 2}" y="{y + SIDE * 0.8}" font-size="{SIDE * 0.85:.0f}"'
                ' text-anchor="middle"'
                f' fill="{inside}" stroke="{edge}" stroke-width="0.7">{_SHAPES[man.lower()]}</text>'
            )
    parts += _rings(marks, colours)
    for number in range(8):
        across, down = _MARGIN + (number + 0.5) * SIDE, _MARGIN + (7.5 - number) * SIDE
        parts.append(_label(across, SIZE - 7, "abcdefgh"[number]))
        parts.append(_label(_MARGIN / 2, down + 4, str(number + 1)))
    return parts


def boxes() -> dict[str, Box]:
    """Return the boxes of the squares in such a picture, by their names, from the top."""
    places = (row * 8 + column for row in reversed(range(8)) for column in range(8))
    return {NAMES[place]: Box(*_corner(place), SIDE, SIDE) for place in places}


def arrow(start: str, to: str) -> list[str]:
    """Return an arrow from the middle of one square almost to the middle of another."""
    x, y, end_x, end_y = (each + SIDE / 2 for name in (start, to) for each in _corner(square(name)))
    length = max(hypot(end_x - x, end_y - y), 1)
    across, down = (end_x - x) / length, (end_y - y) / length
    tip_x, tip_y = end_x - 6 * across, end_y - 6 * down
    back_x, back_y = tip_x - 14 * across, tip_y - 14 * down
    head = [
        (tip_x, tip_y),
        (back_x - 8 * down, back_y + 8 * across),
        (back_x + 8 * down, back_y - 8 * across),
    ]
    corners = " ".join(f"{a:.1f},{b:.1f}" for a, b in head)
    line = f'x1="{x:.1f}" y1="{y:.1f}" x2="{back_x:.1f}" y2="{back_y:.1f}" stroke-width="6"'
    return [
        f'<g fill="{_ARROW}" stroke="{_ARROW}" opacity="0.75"><title>{markup(start)} to {markup(to)}</title>',
        f'<line {line}/><polygon points="{corners}" stroke="none"/></g>',
    ]


def _rings(marks: Mapping[str, Iterable[str]], colours: Sequence[str]) -> Iterable[str]:
    for number, (category, names) in enumerate(marks.items()):
        stroke = colours[number % len(colours)]
        for name in names:
            x, y = _corner(square(name))
            yield (
                f'<circle cx="{x + SIDE / 2}" cy="{y + SIDE / 2}" r="{SIDE / 2 - 3}" fill="none"'
                f' stroke="{stroke}"'
                f' stroke-width="3"><title>{markup(category)}: {NAMES[square(name)]}</title></circle>'
            )


def _corner(place: int) -> tuple[int, int]:
    return _MARGIN + place % 8 * SIDE, _MARGIN + (7 - place // 8) * SIDE


def _label(x: float, y: float, text: str) -> str:
    return f'<text x="{x}" y="{y}" font-size="12" text-anchor="middle" fill="#444444">{text}</text>'
