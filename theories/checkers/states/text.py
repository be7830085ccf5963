"""Positions of checkers as text: diagrams, and lines of FEN as in PDN files; read and printed.

    to move: black
      a b c d e f g h
    8 . b . b . b . b
    …
    1 w . w . w . w .

b and w are men, B and W kings, and a point or - an empty square; light squares are empty. Square 1 is the
first dark square of the top row, and black plays downwards. Spaces, numbers of rows, letters of columns,
comments after `%` and the heading are optional, but must be correct if present. Without a heading it is
black's turn. `going on: 18` names a piece that has jumped and must jump on.

The one-line form is `B:W21,22,K30:B1-3,K7`: the player to move, then the squares of the men and kings (K) of
white and of black. A piece that must jump on is named at the end, `:J18`. Other programs do not write such
positions.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from hornbook.kb.text.lines import lines_of
from hornbook.theories.boards import diagram
from hornbook.theories.checkers.states import rules
from hornbook.theories.checkers.states.pdn import is_game, parse_game
from hornbook.theories.checkers.states.position import (
    EMPTY,
    KINGS,
    MEN,
    MOST,
    PLAYERS,
    SQUARES,
    CheckersPosition,
    Player,
    last_row,
    number,
    owner,
    place,
    row_and_column,
)
from hornbook.theories.places import SourcePlace

_LAYOUT = diagram.DiagramLayout(
    "row",
    "bBwW.-",
    ("to move", "going on"),
    "a row has b or w for each man, B or W for each king, and . for each other square, light ones too",
    "a diagram may say `to move: white` and `going on: 18`",
)
_COLUMNS = "abcdefgh"
_ABOUT_FEN = "write `B:W21,22,K30:B1,2`: who is to move, then the squares of white and of black"
_FIELD = re.compile(r"[^:]*+")
_PIECES = re.compile(r"(?P<king>[Kk]?)(?P<first>\d{1,3})(?:-(?P<last>\d{1,3}))?")


def has_moves(text: str) -> bool:
    """Return whether a text is a game rather than a position."""
    return is_game(_first([line.split("%", 1)[0] for line in lines_of(text)])[1])


def _first(lines: Sequence[str]) -> tuple[int, str]:
    """Return the first line that is not blank, with its number."""
    return next(((number, line) for number, line in enumerate(lines, 1) if line.strip()), (1, ""))


def parse(text: str, file: str = "<position>") -> CheckersPosition:
    """Return the position of a text. Raise TheoryError (HB005) at the position of an error."""
    lines = [line.split("%", 1)[0] for line in lines_of(text)]
    number, first = _first(lines)
    if is_game(first):
        return parse_game(text, file, parse_fen).positions[-1]
    if first.lstrip()[:2] not in ("B:", "W:", "b:", "w:"):
        return _diagram(diagram.read(text, file, _LAYOUT))
    for later, line in enumerate(lines[number:], number + 1):
        if line.strip():
            SourcePlace(file, text, later, 1, len(line)).fail(
                "the position ended on the line before", "one file has one"
            )
    start = len(first) - len(first.lstrip())
    return parse_fen(first.strip(), SourcePlace(file, text, number, start + 1, len(first.strip())))


def parse_fen(written: str, where: SourcePlace) -> CheckersPosition:
    """Return the position of a line of FEN at a place. Raise TheoryError (HB005)."""

    def at(column: int, length: int) -> SourcePlace:
        return SourcePlace(where.file, where.text, where.line, where.column + column, length)

    turn, *fields = _FIELD.finditer(written.removesuffix("."))
    if turn[0].upper() not in ("B", "W"):
        at(0, len(turn[0])).fail(f"`{turn[0]}` does not say who is to move", _ABOUT_FEN)
    cells = [EMPTY] * SQUARES
    seen: set[str] = set()
    going = None
    for field in fields:
        if not field[0]:
            continue
        kind = field[0][0].upper()
        if kind not in ("B", "W", "J") or kind in seen:
            at(field.start(), len(field[0])).fail("this says nothing of a position", _ABOUT_FEN)
        seen.add(kind)
        if kind == "J":
            going = _square(field[0][1:].strip(), at(field.start() + 1, len(field[0]) - 1))
            continue
        column = field.start() + 1
        for word in field[0][1:].split(","):
            _put(cells, "white" if kind == "W" else "black", word, at(column, len(word)))
            column += len(word) + 1
    if not {"B", "W"} <= seen:
        where.fail("this does not say where both sides stand", _ABOUT_FEN)
    return checked(
        CheckersPosition("white" if turn[0].upper() == "W" else "black", "".join(cells), going), where
    )


def _put(cells: list[str], player: Player, written: str, where: SourcePlace) -> None:
    """Put the men or king of a FEN field on the board."""
    word = written.strip()
    if not word:
        return
    found = _PIECES.fullmatch(word)
    if found is None:
        where.fail(f"`{word}` is no square", _ABOUT_FEN)
    first = _square(found["first"], where)
    last = first if found["last"] is None else _square(found["last"], where)
    for square in range(first, last + 1):
        if cells[square] != EMPTY:
            where.fail(f"on {square + 1} stands a piece already", "name each square once")
        cells[square] = (KINGS if found["king"] else MEN)[player]


def _square(word: str, where: SourcePlace) -> int:
    if not word.isdecimal() or not 1 <= int(word) <= SQUARES:
        where.fail(f"there is no square {word or 'without a number'}", "squares are numbered from 1 to 32")
    return int(word) - 1


def _diagram(shown: diagram.Diagram) -> CheckersPosition:
    cells = [EMPTY] * SQUARES
    for number_of_row, row in enumerate(shown.rows):
        if len(row.cells) != 8:
            row.place.fail(f"a row of {len(row.cells)} squares; a board has 8", _LAYOUT.about_rows)
        for column, cell in enumerate(row.cells):
            at = place(number_of_row, column) if (number_of_row + column) % 2 else None
            if at is not None and number_of_row < 8:
                cells[at] = EMPTY if cell in "-." else cell
            elif cell not in "-.":
                row.place.fail(
                    f"a piece on a light square: {_COLUMNS[column]}", "pieces stand on dark squares"
                )
    if len(shown.rows) != 8:
        shown.last.fail(f"{len(shown.rows)} rows of 8; a board is square", _LAYOUT.about_rows)
    shown.check_coordinates(_COLUMNS)
    written, where = shown.headings.get("going on", (None, shown.whole))
    going = None if written is None else _square(written, where)
    player: Player = "white" if shown.player("to move") == "white" else "black"
    return checked(CheckersPosition(player, "".join(cells), going), where)


def checked(position: CheckersPosition, where: SourcePlace) -> CheckersPosition:
    """Return the position if play might lead to it, as far as simple checks tell.

    Raise TheoryError (HB005) otherwise.
    """
    for player in PLAYERS:
        squares = rules.pieces_of(position, player)
        if len(squares) > MOST:
            where.fail(f"{player} has {len(squares)} pieces", f"a side has at most {MOST}")
        for at in squares:
            if at in last_row(player) and position.cells[at] == MEN[player]:
                where.fail(f"a man of {player} on {at + 1}, where it would be a king", "write a king there")
    going = position.going
    if going is not None and (
        owner(position.cells[going]) != position.to_move
        or not any(True for _ in rules.leaps(position.cells, going))
    ):
        where.fail(
            f"on {going + 1} is no piece of {position.to_move} that can jump", "only such a piece must go on"
        )
    return position


def print_line(position: CheckersPosition) -> str:
    """Return the position on one line."""
    fields = [position.to_move[0].upper()]
    for player in ("white", "black"):
        squares = rules.pieces_of(position, player)
        kings = ("K" if position.cells[at] == KINGS[player] else "" for at in squares)
        fields.append(
            player[0].upper() + ",".join(f"{king}{at + 1}" for king, at in zip(kings, squares, strict=True))
        )
    if position.going is not None:
        fields.append(f"J{number(position.going)}")
    return ":".join(fields)


def print_diagram(position: CheckersPosition) -> str:
    """Return the position as a diagram with its heading and coordinates."""
    rows = [["."] * 8 for _ in range(8)]
    for at, cell in enumerate(position.cells):
        row, column = row_and_column(at)
        rows[row][column] = "." if cell == EMPTY else cell
    headings = [f"to move: {position.to_move}"]
    if position.going is not None:
        headings.append(f"going on: {number(position.going)}")
    return diagram.printed(headings, rows, _COLUMNS)
