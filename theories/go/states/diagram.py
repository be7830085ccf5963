"""Diagrams: boards as people type them, read and printed.

    to play: black
    ko: d3
       a b c d e
     3 . X O . O
     2 . X X O .
     1 . . . . .

A row has a character for each point: `X`, `#` or `@` is black, `O` white, `.`, `+` or `,` empty. Spaces within
rows, row numbers, the letters of the columns, blank lines, comments after `%`, and the two headings may be
left out; what is there must be right. Printing a board and reading it again gives the same board.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import NoReturn

from hornbook.kb.ast.terms import Span
from hornbook.kb.sources.diagnostics import TheoryError, error
from hornbook.kb.text.lines import lines_of
from hornbook.theories.go.states.board import (
    MAX_SIDE,
    PLAYERS,
    Board,
    BoardError,
    Colour,
    Player,
    column_name,
)

_COLOURS: dict[str, Colour] = {
    **dict.fromkeys("Xx#@", "black"),
    **dict.fromkeys("Oo", "white"),
    **dict.fromkeys(".+,", "empty"),
}  # fmt: skip
_PLAYERS: dict[str, Player] = {player: player for player in PLAYERS}
_CHARACTERS: dict[Colour, str] = {"black": "X", "white": "O", "empty": "."}
_HEADING = re.compile(r"\s*+(?P<key>[a-z][a-z ]*+)\s*+:\s*+(?P<value>\S*+)\s*+", re.IGNORECASE)
_ROW = re.compile(r"\s*+(?P<left>\d++)?+(?P<cells>\D*+)(?P<right>\d++)?+\s*+")


@dataclass(slots=True)
class _Reader:
    """What was read of a diagram so far."""

    text: str
    file: str
    rows: list[tuple[Colour, ...]] = field(default_factory=list)
    numbers: list[tuple[int, int, int]] = field(default_factory=list)
    letters: list[tuple[int, str]] = field(default_factory=list)
    to_play: Player | None = None
    ko: tuple[int, str] | None = None

    def fail(self, message: str, line: int, column: int = 1, width: int = 1, hint: str = "") -> NoReturn:
        span = Span(self.file, line, column, line, column + width)
        raise TheoryError([error("HB005", message, span, hint)], {self.file: self.text})

    def read(self) -> Board:
        for number, written in enumerate(lines_of(self.text), 1):
            line = written.split("%", 1)[0].rstrip()
            if not line.strip():
                continue
            heading = _HEADING.fullmatch(line)
            if heading is not None:
                self.heading(heading, number)
            elif line.lstrip()[0] in "aA":
                self.letters.append((number, line))
            else:
                self.row(line, number)
        return self.board()

    def heading(self, heading: re.Match[str], line: int) -> None:
        key, value = heading["key"].rstrip().lower(), heading["value"].lower()
        if key == "ko":
            self.ko = (line, value)
        elif key != "to play":
            self.fail(
                f"unknown heading `{heading['key'].rstrip()}`",
                line,
                heading.start("key") + 1,
                len(key),
                _HEADINGS,
            )
        elif value in _PLAYERS:
            self.to_play = _PLAYERS[value]
        else:
            self.fail(
                f"`{heading['value']}` is not a player",
                line,
                heading.start("value") + 1,
                len(value),
                _HEADINGS,
            )

    def row(self, line: str, number: int) -> None:
        match = _ROW.fullmatch(line)
        if match is None:
            self.fail("this is not a row of a board", number, 1, len(line), _ROWS)
        cells: list[Colour] = []
        for place, character in enumerate(match["cells"], match.start("cells") + 1):
            if character.isspace():
                continue
            if character not in _COLOURS:
                self.fail(f"unexpected character `{character}`", number, place, 1, _ROWS)
            cells.append(_COLOURS[character])
        if self.rows and len(cells) != len(self.rows[0]):
            self.fail(f"a row of {len(cells)} points below rows of {len(self.rows[0])}", number, 1, len(line))
        for group in ("left", "right"):
            if match[group] is not None:
                self.numbers.append((len(self.rows), number, match.start(group) + 1))
        self.rows.append(tuple(cells))

    def board(self) -> Board:
        if not self.rows or not self.rows[0]:
            self.fail("there is no board here", 1, 1, 1, _ROWS)
        rows, columns = len(self.rows), len(self.rows[0])
        if max(rows, columns) > MAX_SIDE:
            self.fail(f"a board has 1 to {MAX_SIDE} rows and columns, not {rows} and {columns}", 1)
        lines = lines_of(self.text)
        for index, line, column in self.numbers:
            digits = re.match(r"\d+", lines[line - 1][column - 1 :])
            assert digits is not None
            wanted = len(self.rows) - index
            if digits[0].lstrip("0") != str(wanted):
                hint = "rows are numbered from the bottom, from 1"
                self.fail(f"row {wanted} is numbered {digits[0]}", line, column, len(digits[0]), hint)
        names = [column_name(column) for column in range(len(self.rows[0]))]
        for line, letters in self.letters:
            if "".join(letters.lower().split()) != "".join(names):
                hint = f"they are {' '.join(names)}, or may be left out"
                self.fail("these are not the letters of the columns", line, 1, len(letters), hint)
        colours = tuple(colour for row in reversed(self.rows) for colour in row)
        try:
            board = Board(len(self.rows), len(self.rows[0]), colours, None, self.to_play)
        except BoardError as problem:
            self.fail(str(problem), 1)
        return board if self.ko is None else self.with_ko(board, *self.ko)

    def with_ko(self, board: Board, line: int, name: str) -> Board:
        try:
            return Board(board.rows, board.columns, board.colours, board.point(name), board.to_play)
        except BoardError as problem:
            self.fail(str(problem), line, 1, len(lines_of(self.text)[line - 1]))


_HEADINGS = "a diagram may say `to play: black`, `to play: white` and `ko: d4`"
_ROWS = "a row has `X` for black, `O` for white and `.` for an empty point"


def parse_diagram(text: str, file: str = "<diagram>") -> Board:
    """The board that a diagram shows. Raises TheoryError (HB005) at the place where it is wrong."""
    return _Reader(text, file).read()


def print_diagram(board: Board) -> str:
    """The board as a diagram, with headings for what is known and with coordinates."""
    lines = []
    if board.to_play is not None:
        lines.append(f"to play: {board.to_play}")
    if board.ko is not None:
        lines.append(f"ko: {board.name(board.ko)}")
    names = [column_name(column) for column in range(board.columns)]
    width = max(map(len, names))
    margin = len(str(board.rows))
    lines.append(" " * (margin + 1) + " ".join(name.rjust(width) for name in names))
    for row in reversed(range(board.rows)):
        cells = board.colours[row * board.columns : (row + 1) * board.columns]
        points = " ".join(_CHARACTERS[colour].rjust(width) for colour in cells)
        lines.append(f"{row + 1:{margin}} {points}")
    return "\n".join(lines) + "\n"
