"""Diagrams of Go boards as text, read and printed.

    to play: black
    ko: d3
       a b c d e
     3 . X O . O
     2 . X X O .
     1 . . . . .

A row has a character for each point: `X`, `#` or `@` is black, `O` white, `.`, `+` or `,` empty. Spaces
within rows, row numbers, the letters of the columns, blank lines, comments after `%`, and the two headings
are optional, but must be correct if present. Reading a printed board gives the same board.
"""

from __future__ import annotations

from dataclasses import replace

from hornbook.kb.text.counts import counted
from hornbook.theories.boards.diagram import DiagramLayout, printed, read
from hornbook.theories.go.states.board import MAX_SIDE, BoardError, Colour, GoBoard, Player, column_name

_COLOURS: dict[str, Colour] = {
    **dict.fromkeys("Xx#@", "black"),
    **dict.fromkeys("Oo", "white"),
    **dict.fromkeys(".+,", "empty"),
}  # fmt: skip
_CHARACTERS: dict[Colour, str] = {"black": "X", "white": "O", "empty": "."}
_PLAYERS: dict[str | None, Player | None] = {"black": "black", "white": "white", None: None}
_LAYOUT = DiagramLayout(
    "row",
    "".join(_COLOURS),
    ("to play", "ko"),
    "a row has `X` for black, `O` for white and `.` for an empty point",
    "a diagram may say `to play: black`, `to play: white` and `ko: d4`",
)


def parse_diagram(text: str, file: str = "<diagram>") -> GoBoard:
    """Return the board of a diagram. Raise TheoryError (HB005) at the position of an error."""
    shown = read(text, file, _LAYOUT)
    to_play, rows = _PLAYERS[shown.player("to play")], shown.rows
    if not rows or not rows[0].cells:
        shown.whole.fail("there is no board here", _LAYOUT.about_rows)
    columns = len(rows[0].cells)
    for row in rows:
        if len(row.cells) != columns:
            row.place.fail(f"a row of {counted(len(row.cells), 'point')} below rows of {columns}")
    if max(len(rows), columns) > MAX_SIDE:
        shown.whole.fail(f"a board has 1 to {MAX_SIDE} rows and columns, not {len(rows)} and {columns}")
    shown.check_coordinates(list(map(column_name, range(columns))))
    colours = tuple(_COLOURS[character] for row in reversed(rows) for character in row.cells)
    place = shown.whole
    try:
        board = GoBoard(len(rows), columns, colours, None, to_play)
        if "ko" not in shown.headings:
            return board
        name, place = shown.headings["ko"]
        place = replace(place, column=1, length=place.column + place.length - 1)
        return GoBoard(board.rows, columns, colours, board.point(name.lower()), to_play)
    except BoardError as problem:
        place.fail(str(problem))


def print_diagram(board: GoBoard) -> str:
    """Return the board as a diagram, with coordinates and with headings for the known values."""
    headings = [] if board.to_play is None else [f"to play: {board.to_play}"]
    headings += [] if board.ko is None else [f"ko: {board.name(board.ko)}"]
    rows = [
        [_CHARACTERS[colour] for colour in board.colours[row * board.columns : (row + 1) * board.columns]]
        for row in reversed(range(board.rows))
    ]
    return printed(headings, rows, list(map(column_name, range(board.columns))))
