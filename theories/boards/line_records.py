"""Records in lines: a position on the first line, the moves on the second, and perhaps the result on the
third.

`Domain.record` writes this format for each game that has no format of its own. Adapters and `Domain.recorded`
read it here.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import TypeVar

from hornbook.kb.sources.diagnostics import TheoryError
from hornbook.kb.text.dataclass import dataclass
from hornbook.kb.text.lines import lines_of
from hornbook.theories.places import SourcePlace

_RESULT = re.compile(r"\s*+(?:1-0|0-1|1/2-1/2|\*)?\s*+")
_MOVE = re.compile(r"\S++")

S = TypeVar("S")
"""A position of a game."""


@dataclass(frozen=True, slots=True)
class LineRecord:
    """The line of a position, and each move with its place."""

    beginning: str
    moves: tuple[tuple[str, SourcePlace], ...]


def line_record(text: str, file: str) -> LineRecord | None:
    """Return the record that a text may be; None if it has other lines. The position and the moves are not
    checked.
    """
    lines = lines_of(text.removeprefix("\ufeff"))
    if len(lines) < 2 or not all(map(_RESULT.fullmatch, lines[2:])):
        return None
    found = _MOVE.finditer(lines[1])
    moves = ((each[0], SourcePlace(file, text, 2, each.start() + 1, len(each[0]))) for each in found)
    return LineRecord(lines[0], tuple(moves))


def last_position(
    text: str, file: str, parse: Callable[[str, str], S], turns: Callable[[S], Iterable[tuple[str, S]]]
) -> S:
    """Return the position of a text, or the one at the end of a record. Raises TheoryError (HB005) if it is
    neither.

    `turns` gives the legal moves of a position, each with the position after it.
    """
    try:
        return parse(text, file)
    except TheoryError as problem:
        record = line_record(text, file)
        if record is None:
            raise
        try:
            position = parse(record.beginning, file)
        except TheoryError:
            raise problem from None
    for number, (move, place) in enumerate(record.moves, 1):
        after = dict(turns(position)).get(move)
        if after is None:
            place.fail(f"move {number}, `{move}`, is not legal", "the second line of a record has its moves")
        position = after
    return position
