"""FEN: positions as one line of text, read and written.

Error messages have the column and the expected text. The last two fields, the counts of plies and moves, are
optional. Reading a written position gives the same position.
"""

from __future__ import annotations

import re
from typing import NoReturn

from hornbook.kb.ast.terms import Span
from hornbook.kb.sources.diagnostics import TheoryError, error
from hornbook.kb.text.counts import counted
from hornbook.kb.text.lines import lines_of
from hornbook.theories.chess.states.attacked import in_check
from hornbook.theories.chess.states.position import (
    EMPTY,
    NAMES,
    OTHER,
    RIGHTS,
    ChessPosition,
    Player,
    PositionError,
    square,
)

_FIELDS = (
    "what stands on the board",
    "who is to move, `w` or `b`",
    "the rights to castle, some of `KQkq` or `-`",
    "the square that a pawn has just passed over, or `-`",
    "the plies since a capture or a pawn's move",
    "the number of the move",
)


def parse_fen(text: str, file: str = "<FEN>") -> ChessPosition:
    """Return the position of a line of FEN, without comments after `%` and blank lines.

    Raises TheoryError (HB005) at the column of an error.
    """
    return _FenReader(text, file).read()


class _FenReader:
    """Parser of one line of FEN, with the columns of its fields."""

    def __init__(self, text: str, file: str) -> None:
        self.text, self.file = text, file
        lines = [(n, line.split("%", 1)[0]) for n, line in enumerate(lines_of(text), 1)]
        self.lines = [(n, line) for n, line in lines if line.strip()]
        self.line, written = self.lines[0] if self.lines else (1, "")
        self.fields = [(match[0], match.start() + 1) for match in re.finditer(r"\S+", written)]

    def fail(self, message: str, column: int = 1, width: int = 1, hint: str = "", line: int = 0) -> NoReturn:
        line = line or self.line
        span = Span(self.file, line, column, line, column + width)
        raise TheoryError([error("HB005", message, span, hint)], {self.file: self.text})

    def read(self) -> ChessPosition:
        if len(self.lines) > 1:
            self.fail("a second line: FEN is one line", line=self.lines[1][0], width=len(self.lines[1][1]))
        if len(self.fields) < 4:
            end = self.fields[-1][1] + len(self.fields[-1][0]) if self.fields else 1
            self.fail(f"expected {_FIELDS[len(self.fields)]}", end, 1, _SHAPE)
        if len(self.fields) > 6:
            self.fail("nothing was expected here", self.fields[6][1], len(self.fields[6][0]), _SHAPE)
        men = self.men(*self.fields[0])
        player = self.player(*self.fields[1])
        rights = self.rights(*self.fields[2])
        passed = self.passed(*self.fields[3])
        plies, number = (self.count(n) for n in (4, 5))
        try:
            ChessPosition(men)
        except PositionError as problem:
            self.fail(str(problem), self.fields[0][1], len(self.fields[0][0]))
        try:
            ChessPosition(men, player, rights)
        except PositionError as problem:
            self.fail(str(problem), self.fields[2][1], len(self.fields[2][0]))
        try:
            position = ChessPosition(men, player, rights, passed, plies, max(1, number))
        except PositionError as problem:
            self.fail(str(problem), self.fields[3][1], len(self.fields[3][0]))
        if in_check(position, OTHER[player]):
            self.fail(f"{OTHER[player]} has just moved and stands in check", self.fields[1][1], 1)
        return position

    def men(self, field: str, column: int) -> str:
        ranks: list[str] = []
        start = column
        for rank in field.split("/"):
            number = 8 - len(ranks)
            squares = ""
            for place, character in enumerate(rank, start):
                if character in "12345678":
                    squares += EMPTY * int(character)
                elif character in "KQRBNPkqrbnp":
                    squares += character
                else:
                    self.fail(f"unexpected character `{character}`", place, 1, _MEN)
                if len(squares) > 8:
                    self.fail(f"rank {number} has more than 8 squares", place, 1, _MEN)
            if len(squares) < 8:
                self.fail(
                    f"rank {number} has {counted(len(squares), 'square')}",
                    start + len(rank),
                    1,
                    "each rank has 8",
                )
            ranks.append(squares)
            if len(ranks) > 8:
                self.fail("a ninth rank", start, len(rank), "there are 8, from the eighth to the first")
            start += len(rank) + 1
        if len(ranks) < 8:
            self.fail(
                counted(len(ranks), "rank"),
                column + len(field),
                1,
                "there are 8, from the eighth to the first",
            )
        return "".join(reversed(ranks))

    def player(self, field: str, column: int) -> Player:
        if field not in ("w", "b"):
            self.fail(f"expected {_FIELDS[1]}, not `{field}`", column, len(field))
        return "white" if field == "w" else "black"

    def rights(self, field: str, column: int) -> str:
        if field == "-":
            return ""
        for place, character in enumerate(field):
            if character not in RIGHTS or character in field[:place]:
                self.fail(f"expected {_FIELDS[2]}, not `{character}`", column + place)
        return "".join(right for right in RIGHTS if right in field)

    def passed(self, field: str, column: int) -> int | None:
        try:
            return None if field == "-" else square(field)
        except PositionError:
            self.fail(f"expected {_FIELDS[3]}, not `{field}`", column, len(field))

    def count(self, index: int) -> int:
        if index >= len(self.fields):
            return 0
        field, column = self.fields[index]
        if not re.fullmatch(r"[0-9]{1,5}", field):
            self.fail(f"expected {_FIELDS[index]}, not `{field}`", column, len(field))
        return int(field)


_SHAPE = "a position is written as in `8/8/4k3/8/8/4K3/4P3/8 w - - 0 1`, on a command line in quotation marks"
_MEN = "a rank has letters KQRBNP for White and kqrbnp for Black, and digits for empty squares"


def print_fen(position: ChessPosition) -> str:
    """Return the position as one line of FEN."""
    ranks = (position.men[start : start + 8] for start in range(56, -1, -8))
    men = "/".join(re.sub(r"\.+", lambda empty: str(len(empty[0])), rank) for rank in ranks)
    passed = "-" if position.passed is None else NAMES[position.passed]
    return " ".join(
        (
            men,
            position.to_move[0],
            position.rights or "-",
            passed,
            str(position.quiet_plies),
            str(position.number),
        )
    )
