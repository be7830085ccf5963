"""Positions of Othello as text: diagrams, lines of squares, and transcripts; read and printed.

    to move: black
      a b c d e f g h
    1 - - - - - - - -
    …
    8 - - - - - - - -

X (or *) is a black disc, O a white one, and - or a point an empty square. Spaces, numbers of rows, letters of
columns, comments after `%` and the heading are optional, but must be correct if present. Without a heading it
is black's turn. The one-line form has 64, 36 or 16 squares row by row, and X or O for the player to move.
Test files of Othello programs have this form, with an optional closing semicolon.
"""

from __future__ import annotations

import re
from dataclasses import replace

from hornbook.kb.text.counts import counted
from hornbook.kb.text.lines import lines_of
from hornbook.theories.boards.diagram import Diagram, DiagramLayout, read
from hornbook.theories.othello.states.position import DISCS, SIZES, OthelloPosition, Player
from hornbook.theories.othello.states.transcript import is_transcript, parse_transcript
from hornbook.theories.places import SourcePlace

_LAYOUT = DiagramLayout(
    "row",
    "XOxo*-.",
    ("to move",),
    "a row has X for each black disc, O for each white one, and - for each empty square",
    "a diagram may say `to move: white`",
)
_LINE = re.compile(r"\s*+(?P<cells>[XOxo*.\-]{9,}+)(?:\s++(?P<player>\S++)\s*+)?+")
_CELLS = str.maketrans("xo*.", "XOX-")
_MOVERS: dict[str, Player] = {"X": "black", "*": "black", "O": "white"}


def parse(text: str, file: str = "<position>") -> OthelloPosition:
    """Return the position of a text. Raise TheoryError (HB005) at the position of an error."""
    lines = [line.split("%", 1)[0] for line in lines_of(text)]
    number, first = next(((n, line) for n, line in enumerate(lines, 1) if line.strip()), (1, ""))
    if is_transcript(first):
        return parse_transcript(text, file).positions[-1]
    found = _LINE.fullmatch(first)
    if found is None:
        return _diagram(read(text, file, _LAYOUT))
    place = SourcePlace(file, text, number, found.start("cells") + 1, len(found["cells"]))
    for later, line in enumerate(lines[number:], number + 1):
        if line.strip():
            SourcePlace(file, text, later, 1, len(line)).fail(
                "the position ended on the line before", "one file has one"
            )
    player = found["player"] or ""
    column = found.start("player") if player else found.end("cells")
    return _line(found["cells"], player.removesuffix(";"), place, column + 1)


def _line(cells: str, player: str, place: SourcePlace, column: int) -> OthelloPosition:
    if len(cells) not in [size**2 for size in SIZES]:
        place.fail(
            f"{counted(len(cells), 'square')} on one line; a board has 64, 36 or 16", _LAYOUT.about_rows
        )
    if player.upper() not in _MOVERS:
        hint = "write X (black) or O (white) after the squares"
        replace(place, column=column, length=len(player)).fail("this does not say who is to move", hint)
    return OthelloPosition(_MOVERS[player.upper()], cells.translate(_CELLS))


def _diagram(shown: Diagram) -> OthelloPosition:
    rows = shown.rows
    size = len(rows[0].cells) if rows else 0
    if size not in SIZES:
        place = rows[0].place if rows else shown.whole
        place.fail(f"a row of {counted(size, 'square')}; boards have 8, 6 or 4", _LAYOUT.about_rows)
    for number, row in enumerate(rows, 1):
        if len(row.cells) != size:
            row.place.fail(
                f"a row of {counted(len(row.cells), 'square')} under one of {size}", _LAYOUT.about_rows
            )
        for written, place in row.numbers:
            if written.lstrip("0") != str(number):
                place.fail(f"row {number} is numbered {written}", "rows are numbered from the top, from 1")
    if len(rows) != size:
        shown.last.fail(
            f"{counted(len(rows), 'row')} of {size} squares; a board is square", _LAYOUT.about_rows
        )
    for letters, place in shown.letters:
        if "".join(letters.lower().split()) != "abcdefgh"[:size]:
            place.fail("these are not the letters of the columns", f"they are {' '.join('abcdefgh'[:size])}")
    cells = "".join(row.cells for row in rows).translate(_CELLS)
    return OthelloPosition("white" if shown.player("to move") == "white" else "black", cells)


def print_line(position: OthelloPosition) -> str:
    """Return the position on one line."""
    return f"{position.cells} {DISCS[position.to_move]}"


def print_diagram(position: OthelloPosition) -> str:
    """Return the position as a diagram with its heading and coordinates."""
    size = position.size
    lines = [f"to move: {position.to_move}", f"  {' '.join('abcdefgh'[:size])}"]
    lines += [f"{n + 1} {' '.join(position.cells[n * size : (n + 1) * size])}" for n in range(size)]
    return "\n".join(lines) + "\n"
