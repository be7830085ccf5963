"""States as pictures: a grid of places and their contents, as self-contained SVG.

Places that a rule mentions are coloured, those of its conclusion darker; the rule is printed below. Equal
input gives equal text.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from textwrap import wrap

from hornbook.kb.ast.terms import Atom, Comparison, Condition, Constant, GameStatement
from hornbook.kb.explain.descriptions import NO_WORDS, Words
from hornbook.kb.text.escaping import markup
from hornbook.theories.boards.frame import LINE, PictureFrame
from hornbook.theories.boards.places import Box

_CELL, _MARGIN, _LETTERS, _WIDTH = 48, 12, 66, 500
_PLAIN, _READ, _CONCLUDED = "#fafafa", "#fde68a", "#86efac"


def svg(
    grid: Iterable[Iterable[tuple[str, str]]],
    title: str,
    conclusion: GameStatement | None = None,
    met: Iterable[Condition] = (),
    words: Words = NO_WORDS,
) -> str:
    """Return the grid, with a rule's conclusion and its met conditions if given."""
    met, rows = list(met), [list(row) for row in grid]
    concluded = (
        set()
        if conclusion is None
        else _things(atom for atom in (conclusion.game, conclusion.by) if atom is not None)
    )
    read = _things(met)
    texts = [line for text in (title, *map(words.say, met)) for line in _wrapped(text)]
    wide = max((len(row) for row in rows), default=0)
    width = max(2 * _MARGIN + wide * _CELL, _WIDTH if conclusion is not None else 0)
    board = _MARGIN + len(rows) * _CELL
    height = board + _MARGIN + (len(texts) * LINE if conclusion is not None else 0)
    drawn: list[str] = []
    for row, places in enumerate(rows):
        for column, (name, stands) in enumerate(places):
            fill = _CONCLUDED if name in concluded else _READ if name in read else _PLAIN
            drawn += _place(_MARGIN + column * _CELL, _MARGIN + row * _CELL, name, stands, fill)
    frame = PictureFrame(width, height, _MARGIN, board)
    return frame.document(title, drawn, ((None, text) for text in texts) if conclusion is not None else ())


def boxes(grid: Iterable[Iterable[tuple[str, str]]]) -> dict[str, Box]:
    """Return the boxes of the named places in the picture."""
    return {
        name: Box(_MARGIN + column * _CELL, _MARGIN + row * _CELL, _CELL, _CELL)
        for row, places in enumerate(grid)
        for column, (name, _) in enumerate(places)
        if name
    }


def text(grid: Iterable[Iterable[tuple[str, str]]]) -> str:
    """Return the grid for a terminal, with row numbers and column letters if the places have such names."""
    rows = [list(row) for row in grid]
    named = all(name[:1].isalpha() and name[1:].isdigit() for row in rows for name, _ in row)
    wide = max((len(stands) for row in rows for _, stands in row), default=1)
    margin = max((len(row[0][0]) - 1 for row in rows if row), default=0) if named else 0
    lines = (
        [" ".join([" " * margin, *(name[0].rjust(wide) for name, _ in rows[0])])] if named and rows else []
    )
    for row in rows:
        number = [row[0][0][1:].rjust(margin)] if named and row else []
        lines.append(" ".join([*number, *((stands or ".").rjust(wide) for _, stands in row)]))
    return "\n".join(line.rstrip() for line in lines)


def _place(x: int, y: int, name: str, stands: str, fill: str) -> Iterator[str]:
    yield f'<rect x="{x}" y="{y}" width="{_CELL}" height="{_CELL}" fill="{fill}" stroke="#71717a"/>'
    yield f'<text x="{x + 4}" y="{y + 12}" font-size="9" fill="#71717a">{markup(name)}</text>'
    middle = f'x="{x + _CELL // 2}" y="{y + _CELL // 2 + 9}" text-anchor="middle" font-size="22"'
    yield f"<text {middle}>{markup(stands)}</text>"


def _things(conditions: Iterable[Condition]) -> set[str]:
    """Return the constants of atoms and comparisons."""
    found = set()
    for condition in conditions:
        match condition:
            case Atom(terms=terms):
                found |= {str(term.value) for term in terms if isinstance(term, Constant)}
            case Comparison(left=left, right=right):
                found |= {str(term.value) for term in (left, right) if isinstance(term, Constant)}
            case _:
                pass
    return found


def _wrapped(text: str) -> list[str]:
    return wrap(text, _LETTERS, subsequent_indent="    ") or [""]
