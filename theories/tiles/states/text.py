"""Positions of sliding tiles as text: rows of numbers, 0 for the blank; read and printed.

    14 13 15  7
    11 12  9  5
     6  0  2  1
     4  8 10  3

The one-line form has `/` between rows. Without it a line is a square board row by row, as in lists of
puzzles. Comments after `%` are allowed anywhere.
"""

from __future__ import annotations

import re
from math import isqrt

from hornbook.kb.text.counts import counted
from hornbook.kb.text.lines import lines_of
from hornbook.theories.places import SourcePlace
from hornbook.theories.tiles.states.position import SIDES, TilesPosition
from hornbook.theories.tiles.states.rules import is_solvable

_WORD = re.compile(r"/|[^\s/]++")
_NUMBER = re.compile(r"[0-9]{1,2}+")
_SIZES = f"boards have {SIDES[0]} to {SIDES[-1]} rows and columns"


def parse(text: str, file: str = "<position>") -> TilesPosition:
    """Return the position of a text. Raise TheoryError (HB005) at the position of an error."""
    rows = _rows(text, file)
    whole = SourcePlace(file, text, 1)
    if not rows:
        whole.fail("there is no position", f"write rows of numbers, 0 for the blank; {_SIZES}")
    tiles = [each for row in rows for each in row]
    first = rows[0][0][1]
    if len(rows) == 1 and isqrt(len(tiles)) ** 2 != len(tiles):
        first.fail(f"{counted(len(tiles), 'number')} on one line are no square board", "put / between rows")
    columns = isqrt(len(tiles)) if len(rows) == 1 else len(rows[0])
    for row in rows[1:]:
        if len(row) != columns:
            row[0][1].fail(
                f"a row of {counted(len(row), 'number')} under one of {columns}", "rows are equally long"
            )
    if columns not in SIDES or len(tiles) // columns not in SIDES:
        first.fail(f"a board of {len(tiles) // columns} × {columns} squares", _SIZES)
    found = tuple(_number(word, place, len(tiles)) for word, place in tiles)
    for square, number in enumerate(found):
        if number in found[:square]:
            tiles[square][1].fail(f"{number} is there already", "each number stands on one square")
    position = TilesPosition(len(tiles) // columns, columns, found)
    if not is_solvable(position):
        first.fail("no slides solve this position", "half of all positions cannot be solved: swap two tiles")
    return position


def _rows(text: str, file: str) -> list[list[tuple[str, SourcePlace]]]:
    """Return the words of each non-blank row, with their positions."""
    rows: list[list[tuple[str, SourcePlace]]] = []
    for number, line in enumerate(lines_of(text), 1):
        row: list[tuple[str, SourcePlace]] = []
        for found in _WORD.finditer(line.split("%", 1)[0]):
            place = SourcePlace(file, text, number, found.start() + 1, len(found[0]))
            if found[0] != "/":
                row.append((found[0], place))
            elif row:
                rows.append(row)
                row = []
            else:
                place.fail("there is no row before this /", "/ stands between two rows")
        if row:
            rows.append(row)
    return rows


def _number(word: str, place: SourcePlace, squares: int) -> int:
    if not _NUMBER.fullmatch(word) or int(word) >= squares:
        place.fail(f"`{word}` is no tile", f"the tiles are 1 to {squares - 1}, and 0 is the blank")
    return int(word)


def print_line(position: TilesPosition) -> str:
    """Return the position on one line."""
    return " / ".join(" ".join(map(str, row)) for row in rows_of(position))


def rows_of(position: TilesPosition) -> list[tuple[int, ...]]:
    """Return the tiles of each row, from the top."""
    columns = position.columns
    return [position.tiles[row * columns : (row + 1) * columns] for row in range(position.rows)]
