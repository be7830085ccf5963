"""Reader of EPD: a file of positions, one per line, each with operations.

    8/1p6/8/P1P5/8/8/8/2K3k1 w - - bm c6 a6; id "figure 2";

The first four fields are those of FEN. Three operations are read: `bm`, the best moves in SAN, `pv`, a
line of moves of both sides in turn, and `id`, the position's name. Blank lines, and lines that begin with
`%` or `#`, are skipped.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NoReturn

from hornbook.kb.ast.terms import Span
from hornbook.kb.sources.diagnostics import TheoryError, error
from hornbook.kb.text.dataclass import dataclass
from hornbook.kb.text.lines import lines_of
from hornbook.theories.chess.states.fen import parse_fen
from hornbook.theories.chess.states.notation import NotationError, parse_move
from hornbook.theories.chess.states.position import ChessPosition
from hornbook.theories.chess.states.rules import ChessMove, after

_FIELDS = re.compile(r"\s*(?:\S+\s+){3}\S+")
_TOKEN = re.compile(r'"[^"]*"|[";]|[^\s";]+')
_SHAPE = 'an operation is a name, operands and `;`, as in `bm Nf3 e4; id "first";`'


@dataclass(frozen=True, slots=True)
class EpdLine:
    """Position of a file with its name (by default its line number), its best moves, and a line
    of moves, if given.
    """

    name: str
    position: ChessPosition
    best: tuple[ChessMove, ...]
    moves: tuple[ChessMove, ...]


def parse_epd(text: str, file: str) -> list[EpdLine]:
    """Return the positions of a file in order.

    Raise TheoryError (HB005) at an error, or if there are none.
    """
    numbered = enumerate(lines_of(text.removeprefix("\ufeff")), 1)
    found = [_EpdReader(text, file, n, line).read() for n, line in numbered if _says_something(line)]
    if not found:
        problem = error("HB005", "no position", Span(file, 1, 1, 1, 2), "write one on each line, as in EPD")
        raise TheoryError([problem], {file: text})
    return found


def _says_something(line: str) -> bool:
    return bool(line.strip()) and line.lstrip()[0] not in "%#"


class _EpdReader:
    """Parser of one line, with its position in the file."""

    def __init__(self, text: str, file: str, number: int, line: str) -> None:
        self.text, self.file, self.number, self.line = text, file, number, line

    def fail(self, message: str, start: int, end: int, hint: str) -> NoReturn:
        span = Span(self.file, self.number, start + 1, self.number, max(end, start + 1) + 1)
        raise TheoryError([error("HB005", message, span, hint)], {self.file: self.text})

    def read(self) -> EpdLine:
        fields = _FIELDS.match(self.line)
        end = len(self.line) if fields is None else fields.end()
        # Empty lines before the text give errors the right line number.
        position = parse_fen("\n" * (self.number - 1) + self.line[:end], self.file)
        name, best, moves = f"line {self.number}", tuple[ChessMove, ...](), tuple[ChessMove, ...]()
        for operation, *operands in self._operations(end):
            if operation[0] == "bm":
                best = tuple(self._move(position, each) for each in operands)
            elif operation[0] == "pv":
                moves = tuple(self._played(position, operands))
            elif operation[0] == "id" and operands:
                name = operands[0][0].strip('"')
        return EpdLine(name, position, best, moves)

    def _operations(self, start: int) -> Iterator[list[re.Match[str]]]:
        """Yield the words of each operation, its name first, without the `;`."""
        words = list(_TOKEN.finditer(self.line, start))
        if [word[0].isdecimal() for word in words[:2]] == [True, True]:
            del words[:2]  # skip the counts of plies and moves, which many files have although EPD has none
        operation: list[re.Match[str]] = []
        for word in words:
            if word[0] == ";" and operation and operation[0][0][0].isalpha():
                yield operation
                operation = []
            else:
                operation.append(word)
                if word[0] in ';"':
                    break
        if operation:
            end = len(self.line.rstrip())
            self.fail("expected an operation that ends with `;`", operation[0].start(), end, _SHAPE)

    def _played(self, position: ChessPosition, operands: Iterable[re.Match[str]]) -> Iterator[ChessMove]:
        for operand in operands:
            move = self._move(position, operand, "pv")
            yield move
            position = after(position, move)

    def _move(self, position: ChessPosition, operand: re.Match[str], name: str = "bm") -> ChessMove:
        text = operand[0].strip('"')
        try:
            return parse_move(position, text)
        except NotationError as problem:
            start = operand.start()
            self.fail(str(problem), start, start + len(text), f"`{name}` names legal moves, in SAN or UCI")
