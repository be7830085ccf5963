"""Transcripts: games of Othello as their moves from the beginning, `f5d6c3d3c4…`, read and printed.

Letters may be capitals. Spaces and line ends may separate moves, and numbers may precede them (`1. f5 2.
d6`). Passes are written (`pass`, `pa`, `ps` or `--`) or left out: a player without a move passes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NoReturn

from hornbook.kb.text.dataclass import dataclass
from hornbook.kb.text.lines import lines_of
from hornbook.theories.othello.states import rules
from hornbook.theories.othello.states.position import EMPTY, OthelloPosition, name, start
from hornbook.theories.places import SourcePlace

PASS = "pass"  # noqa: S105 - a move, not a secret
_TOKEN = re.compile(
    r"\s++|\d++\.|(?P<square>[a-z]\d)|(?P<passed>pass|pa|ps|--)|(?P<wrong>[a-z]\d*+|\S)", re.IGNORECASE
)
_FIRST = re.compile(r"\s*+(?:\d++\.\s*+)?[a-z]\d", re.IGNORECASE)
_EIGHT = {name(square, 8): square for square in range(64)}


@dataclass(frozen=True, slots=True)
class TranscriptGame:
    """Moves of a game, including each `pass`, and its positions (one more than moves)."""

    moves: tuple[str, ...]
    positions: tuple[OthelloPosition, ...]


def is_transcript(first: str) -> bool:
    """Return whether a text with this first line is a transcript."""
    return _FIRST.match(first) is not None


def parse_transcript(text: str, file: str = "<transcript>") -> TranscriptGame:
    """Return the game of a transcript on a board of 8 × 8.

    Raise TheoryError (HB005) at the first wrong move.
    """
    moves: list[str] = []
    positions = [start()]
    for written, place in _tokens(text, file):
        position = positions[-1]
        if written == PASS:
            if not rules.must_pass(position):
                place.fail(f"{position.to_move} cannot pass here", _legal(position))
            after: OthelloPosition | None = rules.passed(position)
        else:
            if rules.must_pass(position):
                position = rules.passed(position)
                moves.append(PASS)
                positions.append(position)
            square = _EIGHT[written]
            after = rules.put(position, square)
            if after is None:
                why = "it flips nothing" if position.cells[square] == EMPTY else "a disc is there already"
                place.fail(f"{position.to_move} cannot play {written}: {why}", _legal(position))
        assert after is not None
        moves.append(written)
        positions.append(after)
    return TranscriptGame(tuple(moves), tuple(positions))


def print_transcript(moves: Sequence[str], *, passes: bool = False) -> str:
    """Return a game as a transcript on one line.

    Passes are written as `--` or left out, except one at the end, which no later move implies.
    """
    written = [move for move in moves[:-1] if passes or move != PASS]
    return "".join("--" if move == PASS else move for move in (*written, *moves[-1:]))


def _tokens(text: str, file: str) -> Iterator[tuple[str, SourcePlace]]:
    """Yield the moves in small letters, each with its position in the text."""
    for number, line in enumerate(lines_of(text), 1):
        for found in _TOKEN.finditer(line.split("%", 1)[0]):
            place = SourcePlace(file, text, number, found.start() + 1, len(found[0]))
            if found["passed"]:
                yield PASS, place
            elif found["square"] and found["square"].lower() in _EIGHT:
                yield found["square"].lower(), place
            elif found["square"] or found["wrong"]:
                _no_move(found[0], place)


def _no_move(written: str, place: SourcePlace) -> NoReturn:
    place.fail(f"`{written}` is no move", "moves are squares from a1 to h8, or `pass`")


def _legal(position: OthelloPosition) -> str:
    if rules.is_over(position):
        return "the game is over: nobody has a move"
    if rules.must_pass(position):
        return f"{position.to_move} must pass"
    places = (name(square, 8) for square in rules.places(position, position.to_move))
    return f"{position.to_move} can play {', '.join(places)}"
