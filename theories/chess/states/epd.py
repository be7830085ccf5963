"""EPD: a file of positions, one a line, each with operations; read.

    8/1p6/8/P1P5/8/8/8/2K3k1 w - - bm c6 a6; id "figure 2";

The first four fields are those of FEN. Of the operations two are read: `bm`, the best moves in SAN, and `id`, the position's name. Blank
lines, and lines that begin with `%` or `#`, are left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NoReturn

from hornbook.kb.ast.terms import Span
from hornbook.kb.sources.diagnostics import TheoryError, error
from hornbook.kb.text.lines import lines_of
from hornbook.theories.chess.states.fen import parse_fen
from hornbook.theories.chess.states.notation import NotationError, parse_move
from hornbook.theories.chess.states.position import Position
from hornbook.theories.chess.states.rules import Move

_FIELDS = re.compile(r"\s*(?:\S+\s+){3}\S+")
_COUNTS = re.compile(r"\s+\d+\s+\d+(?=\s|$)")
"""Counts of plies and moves, which FEN has and EPD has not, but many files do."""
_OPERATION = re.compile(r'\s*(?P<name>[A-Za-z]\w*)(?P<operands>(?:\s+(?:"[^"]*"|[^\s";]+))*)\s*;')
_OPERAND = re.compile(r'"[^"]*"|[^\s";]+')
_SHAPE = 'an operation is a name, operands and `;`, as in `bm Nf3 e4; id "first";`'


@dataclass(frozen=True, slots=True)
class Line:
    """A position of a file, with its name, or else its line, and its best moves; none where the file names none."""

    name: str
    position: Position
    best: tuple[Move, ...]


def parse_epd(text: str, file: str) -> list[Line]:
    """The positions of a file, in their order. Raises TheoryError (HB005) at the place where it is wrong, or where it has none."""
    numbered = enumerate(lines_of(text.removeprefix("\ufeff")), 1)
    found = [_Reader(text, file, n, line).read() for n, line in numbered if _says_something(line)]
    if not found:
        problem = error("HB005", "no position", Span(file, 1, 1, 1, 2), "write one on each line, as in EPD")
        raise TheoryError([problem], {file: text})
    return found


def _says_something(line: str) -> bool:
    return bool(line.strip()) and line.lstrip()[0] not in "%#"


class _Reader:
    """One line, and where it stands."""

    def __init__(self, text: str, file: str, number: int, line: str) -> None:
        self.text, self.file, self.number, self.line = text, file, number, line

    def fail(self, message: str, start: int, end: int, hint: str) -> NoReturn:
        span = Span(self.file, self.number, start + 1, self.number, max(end, start + 1) + 1)
        raise TheoryError([error("HB005", message, span, hint)], {self.file: self.text})

    def read(self) -> Line:
        fields = _FIELDS.match(self.line)
        end = len(self.line) if fields is None else fields.end()
        # Empty lines before it, so that what is wrong is told in its place.
        position = parse_fen("\n" * (self.number - 1) + self.line[:end], self.file)
        counts = _COUNTS.match(self.line, end)
        name, best = f"line {self.number}", tuple[Move, ...]()
        for operation in self._operations(end if counts is None else counts.end()):
            start = operation.start("operands")
            operands = [
                (each[0].strip('"'), start + each.start())
                for each in _OPERAND.finditer(operation["operands"])
            ]
            if operation["name"] == "bm":
                best = tuple(self._move(position, *operand) for operand in operands)
            elif operation["name"] == "id" and operands:
                name = operands[0][0]
        return Line(name, position, best)

    def _operations(self, start: int) -> Iterator[re.Match[str]]:
        while self.line[start:].strip():
            operation = _OPERATION.match(self.line, start)
            if operation is None:
                begin = start + len(self.line[start:]) - len(self.line[start:].lstrip())
                self.fail("expected an operation that ends with `;`", begin, len(self.line.rstrip()), _SHAPE)
            yield operation
            start = operation.end()

    def _move(self, position: Position, text: str, start: int) -> Move:
        try:
            return parse_move(position, text)
        except NotationError as problem:
            self.fail(str(problem), start, start + len(text), "`bm` names legal moves, in SAN or UCI")
