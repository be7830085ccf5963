"""Positions of Abalone as text: diagrams and one-line positions, read and printed.

    to move: black
        i O O O O O
       h O O O O O O
      …
        a X X X X X

X is a black marble, O a white one, and - or a point an empty cell. Spaces, the letters at the beginning of
rows, comments after `%` and the heading are optional. The one-line form has `/` between rows, and X or O for
the player to move.
"""

from __future__ import annotations

import re

from hornbook.kb.text.counts import counted
from hornbook.kb.text.lines import lines_of
from hornbook.theories.abalone.states.position import (
    ALL,
    LENGTHS,
    LOST,
    MARBLES,
    ROWS,
    AbalonePosition,
    Player,
)
from hornbook.theories.places import SourcePlace

_HEADING = re.compile(r"\s*+to move\s*+:\s*+(?P<player>\S*+)\s*+")
_LINE = re.compile(r"(?P<rows>[^/\s]++(?:/[^/\s]++)++)(?:\s++(?P<player>\S++))?+\s*+")
_ROW = re.compile(r"\s*+(?P<letter>[a-i])?+(?P<cells>.*+)")
_CELLS = str.maketrans("xo.", "XO-")
_MOVERS: dict[str, Player] = {"X": "black", "O": "white"}
_ABOUT = "a row has X for each black marble, O for each white one, and - for each empty cell"
_BOARD = "a board has rows of 5, 6, 7, 8, 9, 8, 7, 6 and 5 cells"


def parse(text: str, file: str = "<position>") -> AbalonePosition:
    """Return the position of a text. Raise TheoryError (HB005) with the place of the error."""
    player: Player = "black"
    rows: list[tuple[str, SourcePlace]] = []
    for number, written in enumerate(lines_of(text), 1):
        line = written.split("%", 1)[0].rstrip()
        if not line:
            continue
        place = SourcePlace(file, text, number, 1, len(line))
        heading, found = _HEADING.fullmatch(line), _LINE.fullmatch(line.lstrip())
        if heading is not None:
            name = heading["player"].lower()
            if name not in MARBLES:
                SourcePlace(file, text, number, heading.start("player") + 1, len(name)).fail(
                    f"`{name}` is not a player", "a diagram may say `to move: white`"
                )
            player = "black" if name == "black" else "white"
        elif found is not None:
            if (found["player"] or "").upper() not in _MOVERS:
                place.fail("this does not say who is to move", "write X (black) or O (white) after the cells")
            player = _MOVERS[found["player"].upper()]
            rows += [(row, place) for row in found["rows"].split("/")]
        else:
            rows.append((_cells(line, len(rows), place), place))
    return _position(player, rows, SourcePlace(file, text, max(1, len(lines_of(text)))))


def _cells(line: str, number: int, place: SourcePlace) -> str:
    """Return the cells of a row of a diagram, without its letter."""
    row = _ROW.fullmatch(line)
    assert row is not None
    if row["letter"] and (number >= len(ROWS) or row["letter"] != ROWS[number]):
        place.fail(f"this is not row {row['letter']}", f"rows are {', '.join(ROWS)} from the top")
    return "".join(row["cells"].split())


def _position(player: Player, rows: list[tuple[str, SourcePlace]], last: SourcePlace) -> AbalonePosition:
    """Return the position of rows with their places; errors about the whole are at the place `last`."""
    if len(rows) != len(LENGTHS):
        last.fail(counted(len(rows), "row"), _BOARD)
    for (cells, place), length in zip(rows, LENGTHS, strict=True):
        wrong = next((cell for cell in cells if cell not in "XOxo-."), None)
        if wrong is not None:
            place.fail(f"unexpected character `{wrong}`", _ABOUT)
        if len(cells) != length:
            place.fail(f"a row of {counted(len(cells), 'cell')}, which has {length}", _BOARD)
    found = AbalonePosition(player, "".join(cells for cells, _ in rows).translate(_CELLS))
    for marble in MARBLES.values():
        if not ALL - LOST <= found.cells.count(marble) <= ALL:
            last.fail(
                f"{found.cells.count(marble)} marbles {marble}",
                f"each player has {ALL} to begin with, and {ALL - LOST} when the game is lost",
            )
    if all(found.cells.count(marble) == ALL - LOST for marble in MARBLES.values()):
        last.fail("both players have lost six marbles", "a game ends with the sixth")
    return found


def rows_of(position: AbalonePosition) -> list[str]:
    """Return the cells of each row, from the top."""
    cells = iter(position.cells)
    return ["".join(next(cells) for _ in range(length)) for length in LENGTHS]


def print_line(position: AbalonePosition) -> str:
    """Return the position on one line."""
    return f"{'/'.join(rows_of(position))} {MARBLES[position.to_move]}"


def print_diagram(position: AbalonePosition) -> str:
    """Return the position as a diagram with its heading and row letters."""
    lines = [f"to move: {position.to_move}"]
    for letter, row in zip(ROWS, rows_of(position), strict=True):
        lines.append(f"{' ' * (9 - len(row))}{letter} {' '.join(row)}")
    return "\n".join(lines) + "\n"
