"""Positions of chess with marks on their squares, as SVG that needs no other file.

A ring in the colour of its mark stands around each square, the move is an arrow, and beside the board stands what each
colour means and what is asked there. Equal input gives equal text.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from textwrap import wrap

from hornbook.kb.text.escaping import markup
from hornbook.theories.chess.pictures.marks import ROLES, Mark
from hornbook.theories.chess.pictures.svg import SIZE, arrow, board
from hornbook.theories.chess.states.position import Position

COLOURS = dict(
    zip(
        ROLES,
        ("#b91c1c", "#b91c1c", "#b91c1c", "#1d4ed8", "#15803d", "#7e22ce", "#a16207", "#0e7490", "#52525b"),
        strict=True,
    )
)
_TOP = 16
_LINE = 18
_BETWEEN = 16
_LEGEND = 470
_LETTERS = 60
"""Letters in a line of the legend, which is so wide."""
_FONT = "ui-monospace, Menlo, Consolas, monospace"


def legend(marks: Iterable[Mark]) -> list[str]:
    """A line a mark: what it stands for and where, and then what is asked there."""
    return [line for mark in marks for line in _lines(mark)]


def marked_svg(
    position: Position, marks: Iterable[Mark], title: str, move: tuple[str, str] | None = None
) -> str:
    """The position as a picture with its legend, if anything is marked; `move` is the arrow, from square to square."""
    marks = list(marks)
    texts = [("#18181b", line) for line in wrap(title, _LETTERS)] + list(_legend(marks)) if marks else []
    width = SIZE + (_BETWEEN + _LEGEND if marks else 0)
    height = max(SIZE, 2 * _TOP + len(texts) * _LINE)
    size = f'width="{width}" height="{height}" viewBox="0 0 {width} {height}"'
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family="{_FONT}" font-size="12">',
        f"<title>{markup(title)}</title>",
        '<rect width="100%" height="100%" fill="white"/>',
        '<g font-family="sans-serif">',
        *board(position, {mark.meaning: mark.squares for mark in marks}, [COLOURS[m.role] for m in marks]),
        *(arrow(*move) if move else ()),
        "</g>",
    ]
    for number, (colour, text) in enumerate(texts, 1):
        y = _TOP + number * _LINE
        lines.append(
            f'<text x="{SIZE + _BETWEEN}" y="{y}" fill="{colour}" xml:space="preserve">{markup(text)}</text>'
        )
    return "\n".join([*lines, "</svg>", ""])


def _lines(mark: Mark) -> list[str]:
    squares = f": {' '.join(mark.squares)}" if mark.squares else ""
    return [f"{mark.meaning}{squares}", *(f"  {asked}" for asked in mark.asks)]


def _legend(marks: Iterable[Mark]) -> Iterator[tuple[str, str]]:
    for mark in marks:
        for number, text in enumerate(_lines(mark)):
            lead = "○ " if number == 0 and mark.squares else "  "
            for line in wrap(text, _LETTERS, initial_indent=lead, subsequent_indent="      "):
                yield COLOURS[mark.role], line
