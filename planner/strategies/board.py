"""A state as lines of text: as a board if it has terms for cells, otherwise as a list.

A board is drawn from the terms `(name x y value)` of one name, if each place occurs once and there are at
least two columns and two rows. x increases to the right, y upwards. All other terms follow below.
"""

from __future__ import annotations

from collections.abc import Iterable
from textwrap import wrap

from hornbook.planner.gdl.game import State
from hornbook.planner.gdl.ground import Ground, order_of, text_of

WIDTH = 32
"""The number of letters of a line below a board."""
MOST_CELLS = 400
_BLANK = ("b", "blank", "empty", "nil", "none")
_NOTHING, _MISSING = "·", " "


def lines_of_state(state: State) -> list[str]:
    """Return the lines of a state, the board first."""
    board = _board(state)
    if board is None:
        return _list(state)
    name, cells = board
    rest = [term for term in state if not (isinstance(term, tuple) and len(term) == 4 and term[0] == name)]
    return [*_board_lines(cells), *_list(rest)]


def _board(state: State) -> tuple[str, dict[tuple[str, str], str]] | None:
    """Return the name and the values of the terms that make the largest board."""
    found: dict[str, dict[tuple[str, str], str] | None] = {}
    for term in state:
        if not (isinstance(term, tuple) and len(term) == 4):
            continue
        name, x, y, value = term
        assert isinstance(name, str)
        cells = found.setdefault(name, {})
        if cells is None:
            continue
        if not (isinstance(x, str) and isinstance(y, str)) or (x, y) in cells:
            found[name] = None
            continue
        cells[x, y] = text_of(value)
    boards = [(name, cells) for name, cells in found.items() if cells and _is_grid(cells)]
    return max(boards, key=lambda each: (len(each[1]), each[0]), default=None)


def _is_grid(cells: dict[tuple[str, str], str]) -> bool:
    columns, rows = {x for x, _ in cells}, {y for _, y in cells}
    size = len(columns) * len(rows)
    return min(len(columns), len(rows)) > 1 and size <= MOST_CELLS and 2 * len(cells) >= size


def _board_lines(cells: dict[tuple[str, str], str]) -> list[str]:
    columns, rows = sorted({x for x, _ in cells}, key=order_of), sorted({y for _, y in cells}, key=order_of)
    short = _abbreviations(set(cells.values()))
    width = max(map(len, short.values()), default=1)
    return [
        " ".join(short[cells[x, y]].ljust(width) if (x, y) in cells else _MISSING * width for x in columns)
        for y in reversed(rows)
    ]


def _abbreviations(values: set[str]) -> dict[str, str]:
    """Return a letter for each value if their first letters differ, otherwise the words themselves."""
    others = [value for value in values if value not in _BLANK]
    letters = {value: value[:1] for value in others}
    if len(set(letters.values())) < len(others):
        letters = {value: value for value in others}
    return {value: _NOTHING for value in values if value in _BLANK} | letters


def _list(terms: Iterable[Ground]) -> list[str]:
    words = [text_of(term).replace(" ", "\0") for term in sorted(terms, key=order_of)]
    lines = wrap(" ".join(words), WIDTH, break_long_words=False, break_on_hyphens=False)
    return [line.replace("\0", " ") for line in lines]
